package profiles_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestUpdate(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	const reconcile, rebuild = 3, 2 // reads; each writes once
	first := e.Publish(t, "ann", "a spark")
	id, path := first.ID, "tweets/"+string(first.ID)
	update := func(before, after *model.Tweet) func(context.Context) error {
		return func(ctx context.Context) error { return e.Previews.Update(ctx, id, before, after) }
	}
	// change writes to the tweet, as a count or as an edit.
	change := func(stamped bool, field string, value any) *model.Tweet {
		t.Helper()
		e.Clock.Add(time.Second)
		updates := []firestore.Update{{Path: field, Value: value}}
		if stamped {
			updates = append(updates, firestore.Update{Path: "changedAt", Value: e.Clock.Now()})
		}
		_, err := e.Raw.Doc(path).Update(t.Context(), updates)
		testenv.Must(t, err)
		snap, err := e.Raw.Doc(path).Get(t.Context())
		testenv.Must(t, err)
		after := &model.Tweet{ID: id}
		testenv.Must(t, snap.DataTo(after))
		e.Clock.Add(time.Second)
		return after
	}
	check := func(what, snippet string, changedAt time.Time) {
		t.Helper()
		if got := e.Doc(t, path)["changedAt"].(time.Time); !got.Equal(changedAt) {
			t.Errorf("%s: changedAt = %v, want %v", what, got, changedAt)
		}
		if got := months(t, e, "ann")[id].Snippet; got != snippet {
			t.Errorf("%s: the month has %q, want %q", what, got, snippet)
		}
		items, _, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, "ann", "", 1)
		testenv.Must(t, err)
		if len(items) != 1 || items[0].Snippet != snippet {
			t.Errorf("%s: the newest tweets are %+v, want %q", what, items, snippet)
		}
	}

	liked := change(false, "likeCount", 1)
	testenv.Must(t, storetest.Costs(t, "Update, counts", 0, 0, 0, update(first, liked)))
	check("counts", first.Snippet, liked.ChangedAt)

	edited := change(true, "snippet", "edited")
	testenv.Must(t, storetest.Costs(t, "Update, edited", reconcile+rebuild, 2, 0, update(liked, edited)))
	check("edited", "edited", edited.ChangedAt)

	testenv.Must(t, storetest.Costs(t, "Update, created", reconcile+rebuild, 2, 0, update(nil, edited)))
	check("created", "edited", edited.ChangedAt)

	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
	testenv.Must(t, storetest.Costs(t, "Update, deleted", reconcile+rebuild, 2, 0, update(edited, nil)))
	if got := months(t, e, "ann"); len(got) != 0 || len(recents(t, e, "ann")) != 0 {
		t.Errorf("cards after the deletion = %v, recent tweets %v", got, recents(t, e, "ann"))
	}
	// An edit's event may come after the deletion. Then Update must not create the tweet again.
	testenv.Must(t, storetest.Costs(t, "Update, edited and gone", reconcile+rebuild, 2, 0, update(liked, edited)))
	if e.Doc(t, path) != nil {
		t.Error("the update made a tweet")
	}
}
