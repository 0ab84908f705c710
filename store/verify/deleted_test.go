package verify_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// Something of a user who left is found, and a repair makes the account deletion begin anew. What is
// left while an account deletion goes on is no difference.
func TestRemains(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{LeavePause: time.Millisecond}, nil)
	e.join(t, "ann", "bob")
	_, err := e.Store.Users.Leave(t.Context(), "ann")
	testenv.Must(t, err)
	stacktest.Idle(t, e.Stack)
	remains := map[string]any{
		"idempotency/ann_k": map[string]any{}, "blocks/bob_ann": model.Block{BlockerID: "bob", BlockeeID: "ann"},
		"idempotency/bob_k": map[string]any{},
	}
	for path, doc := range remains {
		_, err := e.raw.Doc(path).Set(t.Context(), doc)
		testenv.Must(t, err)
	}
	found, err := e.Store.Audit.User(t.Context(), "ann", verify.Options{})
	testenv.Must(t, err)
	if len(found) > 0 {
		t.Errorf("of a leaving that goes on verify finds %+v", found)
	}
	_, err = e.raw.Doc("leavings/ann").
		Set(t.Context(), map[string]any{"userId": "ann", "done": true, "clearedAt": time.Now().Add(-26 * time.Hour)})
	testenv.Must(t, err)
	found, err = e.Store.Audit.All(t.Context(), verify.Options{Repair: true, Reconcile: time.Millisecond})
	testenv.Must(t, err)
	got := map[string]bool{}
	for _, d := range found {
		got[d.Document] = d.Repaired
	}
	if len(got) != 3 || !got["idempotency/ann_k"] || !got["blocks/bob_ann"] || !got["viewers/bob"] {
		t.Errorf("verify repairs %v", got)
	}
	stacktest.Idle(t, e.Stack)
	for path, left := range map[string]bool{"idempotency/ann_k": false, "blocks/bob_ann": false,
		"idempotency/bob_k": true, "viewers/bob": true} {
		if snap, _ := e.raw.Doc(path).Get(t.Context()); snap.Exists() != left {
			t.Errorf("%s is there: %v", path, !left)
		}
	}
	viewer, err := e.raw.Doc("viewers/bob").Get(t.Context())
	testenv.Must(t, err)
	if blocks, _ := viewer.Data()["blocks"].(map[string]any); len(blocks) > 0 {
		t.Errorf("bob's graph has the blocks %v", blocks)
	}
}

// An account deletion that does not end is reported, and no repair counts it as repaired.
func TestStuckAccountDeletion(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{LeavePause: time.Millisecond}, nil)
	ref := e.raw.Doc("leavings/ann")
	now := time.Now().UTC()
	now = time.Date(now.Year(), now.Month()+1, 15, 12, 0, 0, 0, time.UTC) // as start has it
	for _, test := range []struct {
		age  time.Duration
		want int
	}{{model.LeavingStuck - 24*time.Hour, 0}, {model.LeavingStuck + 24*time.Hour, 1}} {
		_, err := ref.Set(t.Context(), map[string]any{"userId": "ann", "startedAt": now.Add(-test.age),
			"clearedAt": time.Now(), "place": 3, "pass": 1})
		testenv.Must(t, err)
		stacktest.Idle(t, e.Stack)
		for name, audit := range map[string]func() ([]verify.Difference, error){
			"all": func() ([]verify.Difference, error) {
				return e.Store.Audit.All(t.Context(), verify.Options{Repair: true, Reconcile: time.Millisecond})
			},
			"user": func() ([]verify.Difference, error) { return e.Store.Audit.User(t.Context(), "ann", verify.Options{}) },
		} {
			found, err := audit()
			testenv.Must(t, err)
			if len(found) != test.want || test.want == 1 && (found[0].Document != "leavings/ann" || found[0].Field != "done" ||
				found[0].Repaired) {
				t.Errorf("%s: of a leaving that began %v ago verify finds %+v", name, test.age, found)
			}
		}
	}
}
