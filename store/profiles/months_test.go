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

// months reads all of an author's cards.
func months(t *testing.T, e *storetest.Env, author model.UserID) map[model.TweetID]model.Card {
	t.Helper()
	all, next, err := e.Cards.TweetsBy(t.Context(), model.Viewer{}, author, "", 10_000)
	testenv.Must(t, err)
	if next != "" {
		t.Fatalf("more than 10,000 tweets: %s", next)
	}
	cards := map[model.TweetID]model.Card{}
	for _, c := range all {
		cards[c.ID] = c.Card
	}
	return cards
}

func TestCards(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.Users(t, "ann")
	tweet := e.Tweet(t, "ann", "#go")
	settle := func(want bool) func(context.Context) error {
		return func(ctx context.Context) error {
			found, err := e.Cards.SettleCard(ctx, "ann", tweet.ID, model.OpenShelf)
			if found != want {
				t.Errorf("SettleCard says that the tweet is there: %v, want %v", found, want)
			}
			return err
		}
	}
	testenv.Must(t, storetest.Costs(t, "Put", 0, 1, 0, func(ctx context.Context) error { return e.Cards.Put(ctx, tweet) }))
	testenv.Must(t, storetest.Costs(t, "Put again", 0, 1, 0, func(ctx context.Context) error { return e.Cards.Put(ctx, tweet) }))
	want := map[model.TweetID]model.Card{tweet.ID: tweet.Card()}
	if diff := cmp.Diff(want, months(t, e, "ann")); diff != "" {
		t.Errorf("after Put (-want +got):\n%s", diff)
	}
	if d := e.Doc(t, "tweetMonths/ann_2026-11"); d["userId"] != "ann" || d["month"] != "2026-11" {
		t.Errorf("month = %v", d)
	}
	// After an edit SettleCard writes the card of the tweet as it is now.
	_, err := e.Raw.Doc("tweets/"+string(tweet.ID)).Update(t.Context(), []firestore.Update{{Path: "snippet", Value: "edited"}, {Path: "revision", Value: 1}})
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "SettleCard", 3, 1, 0, settle(true)))
	if got := months(t, e, "ann")[tweet.ID]; got.Snippet != "edited" || got.Revision != 1 {
		t.Errorf("card after an edit = %+v", got)
	}
	testenv.Must(t, e.Facts.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	for range 2 {
		testenv.Must(t, storetest.Costs(t, "SettleCard, deleted", 3, 1, 0, settle(false)))
		if got := months(t, e, "ann"); len(got) != 0 {
			t.Errorf("cards after the deletion = %v", got)
		}
	}
}
