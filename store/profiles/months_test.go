package profiles_test

import (
	"context"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// months reads all of an author's previews.
func months(t *testing.T, e *storetest.Env, author model.UserID) map[model.TweetID]model.TweetPreview {
	t.Helper()
	all, next, err := e.Previews.TweetsBy(t.Context(), model.Viewer{}, author, "", 10_000)
	testenv.Must(t, err)
	if next != "" {
		t.Fatalf("more than 10,000 tweets: %s", next)
	}
	previews := map[model.TweetID]model.TweetPreview{}
	for _, c := range all {
		previews[c.ID] = c.TweetPreview
	}
	return previews
}

func TestPreviews(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	tweet := e.Tweet(t, "ann", "#go")
	reconcile := func(want bool) func(context.Context) error {
		return func(ctx context.Context) error {
			found, err := e.Previews.ReconcilePreview(ctx, "ann", tweet.ID, model.OpenAudiencePartition)
			if found != want {
				t.Errorf("SettleCard says that the tweet is there: %v, want %v", found, want)
			}
			return err
		}
	}
	testenv.Must(t, storetest.Costs(t, "Put", 0, 1, 0, func(ctx context.Context) error {
		return e.Previews.Put(ctx, tweet)
	}))
	testenv.Must(t, storetest.Costs(t, "Put again", 0, 1, 0, func(ctx context.Context) error {
		return e.Previews.Put(ctx, tweet)
	}))
	want := map[model.TweetID]model.TweetPreview{tweet.ID: tweet.Preview()}
	if diff := cmp.Diff(want, months(t, e, "ann")); diff != "" {
		t.Errorf("after Put (-want +got):\n%s", diff)
	}
	if d := e.Doc(t, "tweetMonths/ann_2026-11"); d["userId"] != "ann" || d["month"] != "2026-11" {
		t.Errorf("month = %v", d)
	}
	// After an edit ReconcilePreview writes the preview of the present tweet.
	_, err := e.Raw.Doc("tweets/"+string(tweet.ID)).
		Update(t.Context(), []firestore.Update{{Path: "snippet", Value: "edited"}, {Path: "revision", Value: 1}})
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "SettleCard", 3, 1, 0, reconcile(true)))
	if got := months(t, e, "ann")[tweet.ID]; got.Snippet != "edited" || got.Revision != 1 {
		t.Errorf("card after an edit = %+v", got)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	for range 2 {
		testenv.Must(t, storetest.Costs(t, "SettleCard, deleted", 3, 1, 0, reconcile(false)))
		if got := months(t, e, "ann"); len(got) != 0 {
			t.Errorf("cards after the deletion = %v", got)
		}
	}
}
