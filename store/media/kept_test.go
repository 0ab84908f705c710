package media_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/media"
	"github.com/hibana-sns/hibana/store/tweets"
)

// keep deletes a tweet of ann, and keeps its media.
func keep(ctx context.Context, s *store.Store, id model.TweetID) error {
	return s.Tweets.Delete(ctx, id, tweets.Deletion{By: "ann", KeepMedia: true})
}

// wantFree checks that a record is one that nothing has, and ends at a time.
func (e *env) wantFree(t *testing.T, what string, id model.MediaID, until time.Time) {
	t.Helper()
	doc := e.record(t, id)
	if ends, _ := doc["expireAt"].(time.Time); doc == nil || doc["tweetId"] != nil || !ends.Equal(until) {
		t.Errorf("%s: the record is %v, want one that ends at %v", what, doc, until)
	}
}

// Media that a deletion keeps are in a new tweet like any upload, in every process, or go after a day.
func TestKept(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	id, left := e.ready(t, "ann", model.MediaTweet, "a rose"), e.ready(t, "ann", model.MediaTweet, "")
	tweet, err := e.post(ctx, e.Store, "ann", model.Public, id, left)
	testenv.Must(t, err)
	process := e.Again(t, e.options)
	served := func(what string, s *store.Store, by media.Signature, want string) {
		t.Helper()
		got := "nothing"
		f, err := s.Media.Serve(ctx, id, model.SizeSmall, by)
		if err == nil {
			got = map[bool]string{true: "public", false: "signed"}[f.Public]
		} else {
			storetest.WantErr(t, err, errs.NotFound, "media_not_found")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	served("posted", process, media.Signature{}, "public")
	testenv.Must(t, storetest.Costs(t, "keeping", 3, 3, 2, func(ctx context.Context) error {
		return keep(ctx, e.Store, tweet.ID)
	}))
	at := e.Clock.Now().Add(model.MediaWindow)
	e.wantFree(t, "kept", id, at)
	storetest.WantGone(t, keep(ctx, e.Store, tweet.ID), tweet.ID, "ann")
	storetest.WantGone(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID), tweet.ID, "ann")
	e.wantFree(t, "deleted again", id, at)
	if alt := e.record(t, id)["alt"]; alt != "a rose" {
		t.Errorf("the description is %v", alt)
	}
	testenv.Must(t, e.Media.Remove(ctx, id)) // an event of a deletion that did not happen
	e.wantFiles(t, "kept", id, 2, 0)

	e.CoolDown()
	served("kept", process, media.Signature{}, "nothing")
	own, err := e.Media.Get(ctx, model.Viewer{ID: "ann", Role: model.Member}, id)
	testenv.Must(t, err)
	signed := signature(t, e.Media.OwnAddresses(own)[model.SizeSmall])
	served("kept, to its owner", process, signed, "signed")
	if _, err := e.post(ctx, e.Store, "bob", "", id); errs.CodeOf(err) != "media_not_found" {
		t.Errorf("bob posts it: %v", err)
	}
	next, err := e.post(ctx, e.Store, "ann", model.Followers, id)
	testenv.Must(t, err)
	e.Clock.Add(3 * time.Second) // so long the refusal is remembered
	served("for followers", process, media.Signature{}, "nothing")
	served("by the address of its owner before", process, signed, "nothing")
	served("to a follower", process, signature(t, process.Media.Addresses(next.Media[0], model.Followers,
		false)[model.SizeSmall]), "signed")

	// Another process that has seen it in one tweet serves it in the next one, without a request between.
	testenv.Must(t, keep(ctx, e.Store, next.ID))
	_, err = e.post(ctx, e.Store, "ann", model.Public, id)
	testenv.Must(t, err)
	e.CoolDown()
	served("in a third tweet", process, media.Signature{}, "public")
	served("in a third tweet, again", process, media.Signature{}, "public")
	storetest.WantGone(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID), tweet.ID, "ann")
	served("when the first is deleted late", e.Store, media.Signature{}, "public")

	e.Clock.Add(day)
	if _, err := e.post(ctx, e.Store, "ann", "", left); errs.CodeOf(err) != "media_not_found" {
		t.Errorf("a day later: %v", err)
	}
	_, err = e.Raw.Doc("media/" + string(left)).Delete(ctx) // as the TTL policy does
	testenv.Must(t, err)
	testenv.Must(t, e.Media.Remove(ctx, left))
	e.wantFiles(t, "that nothing took", left, 0, 0)
	e.wantFiles(t, "of a tweet", id, 2, 0)
}

// Whatever is kept and posted again, a draft keeps no upload beyond its time.
func TestKeptInDrafts(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	id := e.ready(t, "ann", model.MediaTweet, "")
	tweet, err := e.post(ctx, e.Store, "ann", "", id)
	testenv.Must(t, err)
	e.Clock.Add(2 * model.DraftMediaWindow)
	testenv.Must(t, keep(ctx, e.Store, tweet.ID))
	until := e.Clock.Now().Add(model.MediaWindow)
	_, err = e.Drafts.Save(ctx, "ann", model.SavedDraft{Draft: model.Draft{Media: []model.MediaID{id}}}, model.Request{})
	testenv.Must(t, err)
	e.wantFree(t, "in a draft", id, until)
}

// The client of the database sends the commit once more if its answer was lost. The deletion succeeds nevertheless, and
// media are kept once.
func TestKeptWithLostAnswers(t *testing.T) {
	t.Parallel()
	e := open(t)
	lossy := e.options
	losses := storetest.LoseAnswers(1, 1)
	lossy.Meter = meter.Options{Below: losses.Lose}
	s := e.Again(t, lossy)
	id := e.ready(t, "ann", model.MediaTweet, "a rose")
	tweet, err := e.post(t.Context(), e.Store, "ann", "", id)
	testenv.Must(t, err)
	testenv.Must(t, keep(t.Context(), s, tweet.ID))
	e.wantFree(t, "kept", id, e.Clock.Now().Add(model.MediaWindow))
	if losses.Count() == 0 {
		t.Error("no answer was lost")
	}
}

// Of deletions at once one wins: the media of a tweet are all kept, or all gone.
func TestKeptAtOnce(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	for range 4 {
		ids := []model.MediaID{e.ready(t, "ann", model.MediaTweet, ""), e.ready(t, "ann", model.MediaTweet, "")}
		tweet, err := e.post(ctx, e.Store, "ann", "", ids...)
		testenv.Must(t, err)
		failures := testenv.AtOnce(6, func(n int) error {
			d := tweets.Deletion{By: "ann", KeepMedia: n%2 == 0}
			if err := e.Tweets.Delete(ctx, tweet.ID, d); err != nil && errs.KindOf(err) != errs.Gone {
				return err
			}
			return nil
		})
		for _, err := range failures {
			testenv.Must(t, err)
		}
		first, second := e.record(t, ids[0]), e.record(t, ids[1])
		if (first == nil) != (second == nil) || first != nil && (first["tweetId"] != nil || first["expireAt"] == nil) {
			t.Errorf("the records are %v and %v", first, second)
		}
		storetest.WantGone(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID), tweet.ID, "ann")
	}
}
