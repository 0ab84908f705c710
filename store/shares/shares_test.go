package shares_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/testing/storetest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A share is one document. Sharing twice, also because the answer was lost, keeps its place
// in the lists; taking it back twice changes nothing.
func TestShareAndUnshare(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.Users(t, "ann", "bob", "cat")
	losses := storetest.LoseAnswers(1, 1)
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	share := func(uid model.UserID, id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { return e.Shares.Share(ctx, uid, id) }
	}
	ids := e.Tweets(t, "ann", 3) // newest first
	testenv.Must(t, storetest.Costs(t, "Share, profile not known", 3, 1, 0, share("bob", ids[2])))
	e.Clock.Add(time.Second)
	testenv.Must(t, lossy.Shares.Share(t.Context(), "bob", ids[1]))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "Share", 2, 1, 0, share("bob", ids[0])))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "Share again", 2, 0, 0, share("bob", ids[2])))
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
	for range 2 {
		testenv.Must(t, storetest.Costs(t, "Unshare", 0, 0, 1, func(ctx context.Context) error { return e.Shares.Unshare(ctx, "bob", ids[1]) }))
	}
	testenv.Must(t, lossy.Shares.Unshare(t.Context(), "bob", ids[2]))
	if got := by("bob", 10); !slices.Equal(got, ids[:1]) {
		t.Errorf("bob shares %v, want %v", got, ids[:1])
	}
	testenv.Must(t, storetest.Costs(t, "Share of one's own", 1, 1, 0, share("ann", ids[1])))
}

// Only what everybody may see is shared. A refused share leaves nothing, and tells nothing of a
// hidden tweet.
func TestShareRefused(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.Users(t, "ann", "bob", "cat")
	testenv.Must(t, e.Facts.Follow(t.Context(), "bob", "ann"))
	draft := func(a model.Audience) model.TweetID {
		return e.Draft(t, "ann", model.Draft{Content: "a spark", Visibility: a}).ID
	}
	gone, plain := draft(model.Public), draft(model.Public)
	testenv.Must(t, e.Facts.RequireTweet(t.Context(), gone, model.Viewer{})) // cached
	testenv.Must(t, e.Again(t, store.Options{}).Facts.DeleteTweet(t.Context(), "ann", false, gone))
	testenv.Must(t, e.Facts.Block(t.Context(), "ann", "cat"))
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
