package timelines_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A reader comes back who follows a hundred busy authors. One event has not enough time to write all their tweets into
// the timeline. Repeated events make progress all the same.
func TestRebuildWithBusyAuthors(t *testing.T) {
	t.Parallel()
	const authors, tweets = 100, 180
	e := storetest.Open(t, store.Options{WriteEvery: time.Second, StepTime: 5 * time.Second})
	month, now := model.MonthOf(e.Clock.Now()), e.Clock.Now()
	b := e.Raw.BulkWriter(t.Context())
	set := func(path string, doc any) {
		_, err := b.Set(e.Raw.Doc(path), doc)
		testenv.Must(t, err)
	}
	for i := range authors {
		author := model.UserID(fmt.Sprintf("author%03d", i))
		ids, previews := model.NewTweetIDs(e.Clock.Now), map[string]model.TweetPreview{}
		for range tweets {
			previews[string(ids.Next(author))] = model.TweetPreview{Snippet: "x"}
		}
		set("relationships/"+model.RelationshipKey("bob", author), model.Relationship{FollowerID: "bob", FollowedID: author,
			CreatedAt: now.Add(-10 * 24 * time.Hour)})
		set("tweetMonths/"+model.MonthKey(author, month), map[string]any{"userId": author, "month": month,
			"tweets": previews})
	}
	set("wakes/bob", model.RebuildWork{UserID: "bob"})
	b.End()
	const tries = 8 // on a machine that has other work
	for further, n := 0, 0; further < 2; n++ {
		if n == tries {
			t.Fatalf("RebuildTimeline got further %d times of %d", further, tries)
		}
		var before, after model.RebuildWork
		before.WrittenAt, _ = work(t, e, "wakes/bob", &before)
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second) // as functions have
		err := e.Rebuilding.Rebuild(ctx, before)
		cancel()
		if _, there := work(t, e, "wakes/bob", &after); !there || after.After != before.After {
			further++
		} else if err == nil {
			t.Fatal("RebuildTimeline did nothing")
		}
	}
}
