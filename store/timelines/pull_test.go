package timelines_test

import (
	"context"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// The followers of a large author are marked once a month. After that a tweet costs the same for any number of
// followers.
func TestPull(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name           string
		perPage, pages int
	}{
		{"on one page", 1_000, 0},
		{"on hashed pages", 3, model.FollowerPageCount},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			const n = 6
			e := storetest.Open(t, store.Options{FollowersPerPage: test.perPage, PullAbove: n - 1})
			e.CreateUsers(t, "ann", "late")
			fans := crowd(t, e, "ann", n)
			out := func(tweet *model.Tweet) func(context.Context) error {
				return func(ctx context.Context) error { return e.Timelines.FanOut(ctx, tweet) }
			}
			first, second := e.Tweet(t, "ann", "x"), e.Tweet(t, "ann", "x")
			if test.pages == 0 {
				testenv.Must(t, storetest.Costs(t, "FanOut of the first tweet", 3+1, 2+2+n, 0, out(first)))
			} else {
				_, err := e.Raw.Doc("users/ann").Set(t.Context(), map[string]any{"followerCount": n}, firestore.MergeAll)
				testenv.Must(t, err)
				testenv.Must(t, storetest.Costs(t, "FanOut of the first tweet", 3+1+1, int64(2+2+test.pages), 0, out(first)))
			}
			var written int64
			for page := range test.pages {
				work := model.FanOutWork{Kind: model.FanOutPull, Position: first.ID.Position(), AuthorID: "ann", Page: page}
				on, err := e.Timelines.FollowersOnPage(t.Context(), "ann", page)
				testenv.Must(t, err)
				testenv.Must(t, storetest.Costs(t, "Continue", 1, int64(len(on)), 1, func(ctx context.Context) error {
					return e.Timelines.Continue(ctx, work)
				}))
				written += int64(len(on))
			}
			if test.pages > 0 && written != n {
				t.Errorf("%d followers are told, want %d", written, n)
			}
			testenv.Must(t, storetest.Costs(t, "FanOut of the second", 3, 2, 0, out(second)))
			follow(t, e.Store, "late", "ann")
			third := e.Tweet(t, "ann", "x")
			testenv.Must(t, storetest.Costs(t, "FanOut of the third", 3, 2, 0, out(third)))
			want := []model.TweetID{third.ID, second.ID, first.ID}
			for _, fan := range append(fans, "late") {
				wantHome(t, "pulled", e.Store, fan, want)
			}
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, second.ID))
			testenv.Must(t, storetest.Costs(t, "Withdraw", 1, 0, 0, func(ctx context.Context) error {
				return e.Timelines.Withdraw(ctx, second.ID.Position(), "ann")
			}))
			e.CoolDown()
			for _, fan := range fans {
				wantHome(t, "deleted", e.Store, fan, []model.TweetID{third.ID, first.ID})
			}
		})
	}
}
