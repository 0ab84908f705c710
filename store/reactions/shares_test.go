package reactions_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A share is one document. A second share of a tweet, perhaps because the answer was lost, keeps its position in the
// lists; a second removal changes nothing.
func TestShareAndUnshare(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "cat")
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	share := func(uid model.UserID, id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Shares.Share(ctx, uid, id) }
	}
	ids := e.CreateTweets(t, "ann", 3) // newest first
	testenv.Must(t, storetest.Costs(t, "Share, profile not known", 3, 2, 0, share("bob", ids[2])))
	e.Clock.Add(time.Second)
	testenv.Must(t, lossy.Shares.Share(t.Context(), "bob", ids[1]))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "Share", 3, 2, 0, share("bob", ids[0])))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "Share again", 3, 0, 0, share("bob", ids[2])))
	testenv.Must(t, share("cat", ids[0])(t.Context()))
	if losses.Count() != 1 {
		t.Errorf("%d answers were lost, want 1", losses.Count())
	}
	by := func(uid model.UserID, limit int) (shared []model.TweetID) {
		t.Helper()
		for from := (model.Cursor{}); ; {
			page, err := e.Shares.By(t.Context(), uid, from, limit)
			testenv.Must(t, err)
			for _, s := range page.Items {
				if shared = append(shared, s.TweetID); s.UserID != uid || s.AuthorID != "ann" {
					t.Errorf("%s has the share %+v", uid, s)
				}
			}
			if from = page.Next; from.IsZero() {
				return shared
			}
		}
	}
	for _, limit := range []int{1, 2, 10} {
		if got := by("bob", limit); !slices.Equal(got, ids) {
			t.Errorf("bob shares, %d on a page, %v, want %v", limit, got, ids)
		}
	}
	of := func(id model.TweetID) (who []model.UserID) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Of, 2 shares", 2, 0, 0, func(ctx context.Context) error {
			page, err := e.Shares.Of(ctx, id, model.Cursor{}, 2)
			for _, s := range page.Items {
				who = append(who, s.UserID)
			}
			return err
		}))
		return who
	}
	if got := of(ids[0]); !slices.Equal(got, []model.UserID{"cat", "bob"}) {
		t.Errorf("tweet %s is shared by %v", ids[0], got)
	}
	for i := range int64(2) {
		testenv.Must(t, storetest.Costs(t, "Unshare", 0, 1-i, 1-i, func(ctx context.Context) error {
			return e.Shares.Unshare(ctx, "bob", ids[1])
		}))
	}
	testenv.Must(t, lossy.Shares.Unshare(t.Context(), "bob", ids[2]))
	if got := by("bob", 10); !slices.Equal(got, ids[:1]) {
		t.Errorf("bob shares %v, want %v", got, ids[:1])
	}
	testenv.Must(t, storetest.Costs(t, "Share of one's own", 1, 2, 0, share("ann", ids[1])))
}

// Only tweets that everybody may see can be shared. A refused share writes nothing, and reveals nothing of a hidden
// tweet.
func TestShareRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	draft := func(a model.Audience) model.TweetID {
		return e.Draft(t, "ann", model.Draft{Content: "a spark", Visibility: a}).ID
	}
	gone, plain := draft(model.Public), draft(model.Public)
	testenv.Must(t, e.Tweets.RequireTweet(t.Context(), gone, model.Viewer{})) // cached
	testenv.Must(t, e.Again(t, store.Options{}).Tweets.DeleteTweet(t.Context(), "ann", false, gone))
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "cat"))
	tests := []struct {
		by   model.UserID
		id   model.TweetID
		kind errs.Kind
		code string
	}{
		{"bob", gone, errs.Gone, "tweet_deleted"},
		{"bob", "00019a5b6c7d8e9f01", errs.NotFound, "tweet_not_found"},
		{"bob", draft(model.Mentioned), errs.NotFound, "tweet_not_found"},
		{"cat", draft(model.Followers), errs.NotFound, "tweet_not_found"},
		{"bob", draft(model.Followers), errs.Forbidden, "not_allowed"},
		{"ann", draft(model.Followers), errs.Forbidden, "not_allowed"},
		{"cat", plain, errs.Forbidden, "not_allowed"},
		{"nobody", plain, errs.Forbidden, "profile_required"},
	}
	for _, test := range tests {
		storetest.WantErr(t, e.Shares.Share(t.Context(), test.by, test.id), test.kind, test.code)
	}
	if got := e.IDs(t, model.Shares); len(got) > 0 {
		t.Errorf("refused shares = %v", got)
	}
}

// A quote names a tweet, and is in the list of that tweet's quotes. It stays when the tweet is deleted.
func TestQuotesOf(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob", "cat")
	id := e.Tweet(t, "ann", "a spark").ID
	quote := func(by model.UserID, of model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := e.Tweets.CreateTweet(ctx, by, model.Draft{Content: "look", QuoteOf: of}, model.Request{})
			return err
		}
	}
	testenv.Must(t, storetest.Costs(t, "a quote, profile not known", 3, 2, 0, quote("bob", id)))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "a quote of one's own", 1, 2, 0, quote("ann", id)))
	want := []model.UserID{"ann", "bob"}
	var got []model.UserID
	testenv.Must(t, storetest.Costs(t, "Quotes", 2, 0, 0, func(ctx context.Context) error {
		page, err := e.Shares.Quotes(ctx, id, model.Cursor{}, 10)
		for _, q := range page.Items {
			if got = append(got, q.AuthorID); q.QuoteOf != id || q.QuoteOfAuthorID != "ann" || q.ReplyTo != nil {
				t.Errorf("quote = %+v", q)
			}
		}
		return err
	}))
	if !slices.Equal(got, want) {
		t.Errorf("quotes are by %v, want %v", got, want)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
	if page, err := e.Shares.Quotes(t.Context(), id, model.Cursor{}, 10); err != nil || len(page.Items) != 2 {
		t.Errorf("after the tweet is gone it has %d quotes, %v", len(page.Items), err)
	}
	storetest.WantErr(t, quote("bob", id)(t.Context()), errs.Gone, "tweet_deleted")
}

// A quote comes once, though the answer to its commit is lost. A tweet that refuses quotes gets none.
func TestQuoteRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	_, err := e.Users.CreateUser(t.Context(), "shy", model.NewUser{Username: "shy_u", Nickname: "Shy",
		BlockStrangers: true})
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	testenv.Must(t, e.Graph.Follow(t.Context(), "shy", "bob"))
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "cat"))
	draft := func(a model.Audience, deny bool) model.TweetID {
		return e.Draft(t, "ann", model.Draft{Content: "a spark", Visibility: a, DenyQuotes: deny}).ID
	}
	plain, denied, followers := draft(model.Unlisted, false), draft(model.Public, true), draft(model.Followers, false)
	shy := e.Tweet(t, "shy", "a spark").ID
	tests := []struct {
		by   model.UserID
		of   model.TweetID
		kind errs.Kind
		code string
	}{
		{"cat", plain, errs.Forbidden, "not_allowed"},
		{"bob", denied, errs.Forbidden, "not_allowed"},
		{"bob", followers, errs.Forbidden, "not_allowed"},
		{"dan", followers, errs.NotFound, "tweet_not_found"},
		{"dan", shy, errs.Forbidden, "not_allowed"},
	}
	before := len(e.IDs(t, model.Tweets))
	for _, test := range tests {
		_, err := e.Tweets.CreateTweet(t.Context(), test.by, model.Draft{Content: "look", QuoteOf: test.of},
			model.Request{Key: "k", Hash: "h"})
		storetest.WantErr(t, err, test.kind, test.code)
	}
	if got := len(e.IDs(t, model.Tweets)); got != before || len(e.IDs(t, "idempotency")) > 0 {
		t.Errorf("refused quotes made %d tweets", got-before)
	}
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	for _, ok := range []struct {
		by model.UserID
		of model.TweetID
	}{{"bob", plain}, {"dan", plain}, {"bob", shy}, {"ann", followers}, {"ann", denied}} {
		_, err := lossy.Tweets.CreateTweet(t.Context(), ok.by, model.Draft{Content: "look", QuoteOf: ok.of}, model.Request{})
		testenv.Must(t, err)
	}
	if got := len(e.IDs(t, model.Tweets)); got != before+5 {
		t.Errorf("5 quotes made %d tweets", got-before)
	}
}
