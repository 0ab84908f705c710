package verify_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"cloud.google.com/go/firestore"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// Shards of a tag or tag usage that has no document are not thrown away, because an increment
// may come to them at any time. A repair makes the document, and then the count is as any
// other.
func TestShardsWithoutTag(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{}, nil)
	e.join(t, "ann")
	testenv.Must(t, e.Runner.WaitIdle(t.Context())) // the totals have ann
	w := &writer{t, t.Context(), e.raw}
	parents := []string{"tagUses/" + model.TagUsageKey("ann", "never"), "tags/never"}
	for _, parent := range parents {
		w.put(parent+"/shards/99", map[string]any{"tweetCount": 2, "content": "Never"})
	}
	all := func() []found {
		t.Helper()
		ds, err := e.Store.Audit.All(t.Context(), verify.Options{Repair: true, Wait: func(context.Context) error {
			return nil
		}})
		testenv.Must(t, err)
		list := bare(ds)
		slices.SortFunc(list, func(a, b found) int { return cmp.Compare(a.Document, b.Document) })
		return list
	}
	want := []found{{parents[0] + "/shards", "", "true", nil, true}, {parents[1] + "/shards", "", "true", nil, true}}
	if diff := gocmp.Diff(want, all()); diff != "" {
		t.Errorf("shards alone (-want +got):\n%s", diff)
	}
	for _, parent := range parents {
		// What the shards get later counts too.
		w.put(parent+"/shards/98", map[string]any{"tweetCount": 1})
	}
	want = []found{{parents[0], "tweetCount", "3", "0", true}, {parents[1], "tweetCount", "3", "0", true}}
	if diff := gocmp.Diff(want, all()); diff != "" {
		t.Errorf("shards and documents (-want +got):\n%s", diff)
	}
	for _, parent := range parents {
		if got := w.get(parent, firestore.FieldPath{"content"}); got != "Never" {
			t.Errorf("the content of %s is %v, want Never", parent, got)
		}
	}
	if left := all(); len(left) > 0 {
		t.Errorf("at last: %v", left)
	}
}

// A repair changes the counters of a document alone, also if its shards hold other fields.
func TestForeignFields(t *testing.T) {
	t.Parallel()
	e := start(t, store.Options{}, nil)
	e.join(t, "ann")
	w := &writer{t, t.Context(), e.raw}
	foreign := map[string]any{"likeCount": 3, "nested": map[string]any{"go": 1}}
	for i := range 600 {
		foreign[fmt.Sprint("foreign", i)] = 1
	}
	w.put("users/ann/shards/0", foreign)
	w.put("users/ann/shards/1", map[string]any{"tweetCount": 4})
	before := fields(t, e, "users/ann")
	ds, err := e.Store.Audit.User(t.Context(), "ann", verify.Options{Repair: true, Wait: func(context.Context) error {
		return nil
	}})
	testenv.Must(t, err)
	if diff := gocmp.Diff([]found{{"users/ann", "tweetCount", "4", "0", true}}, bare(ds)); diff != "" {
		t.Errorf("repaired (-want +got):\n%s", diff)
	}
	before["rolled"] = map[string]any{"tweetCount": int64(4)}
	if diff := gocmp.Diff(before, fields(t, e, "users/ann")); diff != "" {
		t.Errorf("the profile (-want +got):\n%s", diff)
	}
}

func fields(t *testing.T, e *env, path string) map[string]any {
	t.Helper()
	snap, err := e.raw.Doc(path).Get(t.Context())
	testenv.Must(t, err)
	return snap.Data()
}
