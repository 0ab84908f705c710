package functions_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// TestNotifyQuote shares and quotes a tweet. Its author is told who shared it, and of quotes
// that were for everybody from the beginning on; all quotes are counted, and none is counted
// when it goes. verify owes the same notification events.
func TestNotifyQuote(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond,
		WriteEvery: 50 * time.Millisecond}})
	ctx := t.Context()
	for _, uid := range []model.UserID{"ann", "bob", "cat", "dan"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	post := func(by model.UserID, d model.Draft) model.TweetID {
		t.Helper()
		made, err := s.Store.Tweets.CreateTweet(ctx, by, d, model.Request{})
		testenv.Must(t, err)
		return made.ID
	}
	id := post("ann", model.Draft{Content: "a spark"})
	testenv.Must(t, s.Store.Shares.Share(ctx, "bob", id))
	own, open := post("ann", model.Draft{Content: "mine", QuoteOf: id}),
		post("bob", model.Draft{Content: "look", QuoteOf: id})
	shut := post("cat", model.Draft{Content: "look", QuoteOf: id, Visibility: model.Followers})
	opened := post("dan", model.Draft{Content: "look", QuoteOf: id, Visibility: model.Followers})
	_, err := s.Store.Edits.Edit(ctx, "dan", opened, model.TweetPatch{Visibility: new(model.Public)}, nil)
	testenv.Must(t, err)
	check := func(what string, quotes, shares int64, want ...string) {
		t.Helper()
		stacktest.Idle(t, s)
		tweet, err := s.Store.Tweets.Tweet(ctx, id, model.Viewer{})
		testenv.Must(t, err)
		if tweet.QuoteCount != quotes || tweet.ShareCount != shares {
			t.Errorf("%s: quoteCount = %d and shareCount = %d, want %d and %d", what, tweet.QuoteCount, tweet.ShareCount, quotes,
				shares)
		}
		page, _, err := s.Store.NotificationEvents.Notifications(ctx, "ann", nil, model.Cursor{}, 10)
		testenv.Must(t, err)
		var slots []string
		for _, n := range page.Items {
			slots = append(slots, n.GroupKey)
			if n.CountUsers != 1 || len(n.Records) != 1 || n.Records[0].UserID != "bob" || n.GroupKey == "quote:"+string(id) &&
				(n.CountTweets != 1 || n.Records[0].TweetID != open) {
				t.Errorf("%s: notification = %+v", what, n)
			}
		}
		slices.Sort(slots)
		if !slices.Equal(slots, want) {
			t.Errorf("%s: ann is notified in %v, want %v", what, slots, want)
		}
		found, err := s.Store.Audit.All(ctx, verify.Options{})
		testenv.Must(t, err)
		for _, d := range found {
			t.Errorf("%s: verify finds %s %s: have %v, want %v", what, d.Document, d.Field, d.Have, d.Want)
		}
	}
	check("after quotes", 4, 1, "quote:"+string(id), "share:"+string(id))
	for by, quote := range map[model.UserID]model.TweetID{"ann": own, "cat": shut} {
		testenv.Must(t, s.Store.Tweets.DeleteTweet(ctx, by, false, quote))
	}
	testenv.Must(t, s.Store.Shares.Unshare(ctx, "bob", id))
	check("after deletions", 2, 0, "quote:"+string(id)) // bob's quote is there, and the share is not

	// Ann withdraws the tweet from bob's quote. Each page of bob's list says so, and the deletion counts nothing.
	testenv.Must(t, s.Store.Tweets.WithdrawQuote(ctx, "ann", id, open))
	check("after a withdrawal", 1, 0)
	list, _, err := s.Store.Previews.TweetsBy(ctx, model.Viewer{}, "bob", "", 10)
	testenv.Must(t, err)
	if len(list) != 1 || list[0].QuoteOf != "" || list[0].Withdrawn != id {
		t.Errorf("bob's list has %+v", list)
	}
	testenv.Must(t, s.Store.Tweets.DeleteTweet(ctx, "bob", false, open))
	check("after the deletion of the withdrawn quote", 1, 0)
}
