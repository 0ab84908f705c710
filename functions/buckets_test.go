package functions_test

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/local/stack"
	"github.com/hibana-sns/hibana/internal/testing/stacktest"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/facts"
)

// What an administrator changes in the database by hand disappears from home pages too.
func TestChangeByHand(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond}})
	ctx := t.Context()
	raw := testenv.Client(t, s.Project)
	if _, err := s.Store.Facts.CreateUser(ctx, "ann", facts.NewUser{Username: "ann", Nickname: "ann"}); err != nil {
		t.Fatal(err)
	}
	tweet, err := s.Store.Facts.CreateTweet(ctx, "ann", model.Draft{Content: "a spark"}, facts.Request{})
	if err != nil {
		t.Fatal(err)
	}
	stacktest.Idle(t, s)
	before, err := s.Store.Facts.TweetsNow(ctx, []model.TweetID{tweet.ID})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Doc("tweets/"+string(tweet.ID)).Update(ctx, []firestore.Update{{Path: "isViolative", Value: true}}); err != nil {
		t.Fatal(err)
	}
	stacktest.Idle(t, s)
	now, err := s.Store.Facts.TweetsNow(ctx, []model.TweetID{tweet.ID})
	if err != nil {
		t.Fatal(err)
	}
	if got, was := now[tweet.ID].ChangedAt, before[tweet.ID].ChangedAt; was.IsZero() || !got.After(was) {
		t.Errorf("changedAt = %v, want later than %v, when the tweet was written", got, was)
	}
}
