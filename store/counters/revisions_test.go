package counters_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestRemoveRevisions(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet, other := e.Tweet(t, "ann", "x"), e.Tweet(t, "ann", "x")
	const n = 45 // more than go into one commit
	b := e.Raw.BulkWriter(t.Context())
	for i := range n {
		_, err := b.Create(e.Raw.Doc(fmt.Sprintf("tweets/%s/revisions/%s", tweet.ID, model.RevisionKey(i+1))),
			model.Revision{AuthorID: "ann"})
		testenv.Must(t, err)
	}
	b.End()
	_, err := e.Edits.Edit(t.Context(), "ann", other.ID, model.TweetPatch{Content: new("y")}, nil)
	testenv.Must(t, err)
	remove := func(over bool, want bool) func(context.Context) error {
		return func(ctx context.Context) error {
			done, err := e.Counters.RemoveRevisions(ctx, tweet.ID, func() bool { return over })
			if done != want {
				t.Errorf("RemoveRevisions = %v, want %v", done, want)
			}
			return err
		}
	}
	// A commit whose answer was lost comes again.
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	if done, err := lossy.Counters.RemoveRevisions(t.Context(), other.ID, func() bool { return false }); err != nil ||
		!done || losses.Count() != 1 {
		t.Errorf("RemoveRevisions = %v, %v, with %d answers lost", done, err, losses.Count())
	}
	_, err = e.Edits.Edit(t.Context(), "ann", other.ID, model.TweetPatch{Content: new("z")}, nil)
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "RemoveRevisions, one commit", 20, 0, 20, remove(true, false)))
	testenv.Must(t, storetest.Costs(t, "RemoveRevisions", n-20, 0, n-20, remove(false, true)))
	testenv.Must(t, storetest.Costs(t, "RemoveRevisions, none left", 1, 0, 0, remove(true, true)))
	if left := e.IDs(t, "tweets/"+string(other.ID)+"/revisions"); len(left) != 1 {
		t.Errorf("the other tweet has the revisions %v, want one", left)
	}
}
