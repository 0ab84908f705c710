package ops_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestDeadEvents(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	var want []string // the latest first
	for _, id := range []string{"a", "b/c", "d_e", "火"} {
		testenv.Must(t, storetest.Costs(t, "Bury", 0, 1, 0, func(ctx context.Context) error {
			return e.DeadLetters.Bury(ctx, model.DeadLetter{EventID: id, Function: "F", Data: []byte(id), Cause: "because"})
		}))
		want = append([]string{id}, want...)
		e.Clock.Add(time.Second)
	}
	list := func(limit int) (ids []string) {
		t.Helper()
		for from := (model.Cursor{}); ; {
			page, err := e.DeadLetters.List(t.Context(), from, limit)
			testenv.Must(t, err)
			for _, d := range page.Items {
				ids = append(ids, d.EventID)
				if len(d.Data) > 0 || d.Cause != "because" || d.ID != model.IdempotencyRecordKey(d.EventID, "F") {
					t.Errorf("listed %+v", d)
				}
			}
			if from = page.Next; from.IsZero() {
				return ids
			}
		}
	}
	for limit := 1; limit <= 5; limit++ {
		if diff := cmp.Diff(want, list(limit)); diff != "" {
			t.Errorf("dead letters in pages of %d (-want +got):\n%s", limit, diff)
		}
	}

	var read *model.DeadLetter
	testenv.Must(t, storetest.Costs(t, "DeadEvent", 1, 0, 0, func(ctx context.Context) (err error) {
		read, err = e.DeadLetters.Get(ctx, model.IdempotencyRecordKey("b/c", "F"))
		return err
	}))
	if string(read.Data) != "b/c" || !read.ExpireAt.Equal(read.DiedAt.Add(model.DeadLetterWindow)) {
		t.Errorf("read %+v", read)
	}
	for _, id := range []string{"", "never_F", "a/b", "a/b/c"} {
		_, err := e.DeadLetters.Get(t.Context(), id)
		storetest.WantErr(t, err, errs.NotFound, "dead_letter_not_found")
	}

	// A dead letter that was written again since it was read stays.
	testenv.Must(t, e.DeadLetters.Bury(t.Context(), *read))
	storetest.WantErr(t, e.DeadLetters.Remove(t.Context(), read), errs.Conflict, "buried_again")
	read, err := e.DeadLetters.Get(t.Context(), read.ID)
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "Exhume", 0, 0, 1, func(ctx context.Context) error {
		return e.DeadLetters.Remove(ctx, read)
	}))
	testenv.Must(t, e.DeadLetters.Remove(t.Context(), read)) // gone already
	if diff := cmp.Diff([]string{"火", "d_e", "a"}, list(2)); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}

	// An event becomes a dead letter however long its texts are, and whatever their encoding.
	testenv.Must(t, e.DeadLetters.Bury(t.Context(), model.DeadLetter{EventID: "odd\xff", Function: "F", Subject: "\xff",
		Cause: strings.Repeat("é\xff", 10_000)}))
	if read, err = e.DeadLetters.Get(t.Context(), "odd\ufffd_F"); err != nil || len(read.Cause) > 20_000 ||
		!strings.HasPrefix(read.Cause, "é\ufffdé") {
		t.Errorf("read %v", err)
	}
}

// The answer to a removal is lost, and the client removes once more by itself: the dead letter
// was removed, and did not die again.
func TestRemoveWithLosses(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	testenv.Must(t, e.DeadLetters.Bury(t.Context(), model.DeadLetter{EventID: "a", Function: "F", Cause: "because"}))
	read, err := e.DeadLetters.Get(t.Context(), "a_F")
	testenv.Must(t, err)
	losses := storetest.LoseAnswers(1, 1)
	testenv.Must(t, e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}}).DeadLetters.Remove(t.Context(),
		read))
	if losses.Count() == 0 {
		t.Error("no answer was lost")
	}
}
