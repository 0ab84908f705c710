package store_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// publish writes a tweet and does for its author's buckets what its trigger does.
func (e *env) publish(t *testing.T, author model.UserID, content string) *model.Tweet {
	t.Helper()
	tweet := e.tweet(t, author, content)
	must(t, e.PutCard(t.Context(), tweet))
	held, err := e.Settle(t.Context(), tweet)
	must(t, err)
	if !held {
		t.Errorf("Settle says that %s is gone", tweet.ID)
	}
	return tweet
}

// months reads all of an author's cards.
func months(t *testing.T, e *env, author model.UserID) map[model.TweetID]model.Card {
	t.Helper()
	all, next, err := e.TweetsBy(t.Context(), author, "", 10_000)
	must(t, err)
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
	e := open(t, store.Options{})
	e.users(t, "ann")
	tweet := e.tweet(t, "ann", "#go")
	settle := func(want bool) func(context.Context) error {
		return func(ctx context.Context) error {
			held, err := e.SettleCard(ctx, "ann", tweet.ID)
			if held != want {
				t.Errorf("SettleCard says that the tweet is there: %v, want %v", held, want)
			}
			return err
		}
	}
	must(t, costs(t, "PutCard", 0, 1, 0, func(ctx context.Context) error { return e.PutCard(ctx, tweet) }))
	must(t, costs(t, "PutCard again", 0, 1, 0, func(ctx context.Context) error { return e.PutCard(ctx, tweet) }))
	want := map[model.TweetID]model.Card{tweet.ID: tweet.Card()}
	if diff := cmp.Diff(want, months(t, e, "ann")); diff != "" {
		t.Errorf("after PutCard (-want +got):\n%s", diff)
	}
	if d := e.doc(t, "tweetMonths/ann_2026-11"); d["userId"] != "ann" || d["month"] != "2026-11" {
		t.Errorf("month = %v", d)
	}
	// An edit, whose card is the fact's.
	_, err := e.raw.Doc("tweets/"+string(tweet.ID)).Update(t.Context(), []firestore.Update{{Path: "snippet", Value: "edited"}, {Path: "revision", Value: 1}})
	must(t, err)
	must(t, costs(t, "SettleCard", 3, 1, 0, settle(true)))
	if got := months(t, e, "ann")[tweet.ID]; got.Snippet != "edited" || got.Revision != 1 {
		t.Errorf("card after an edit = %+v", got)
	}
	must(t, e.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	for range 2 {
		must(t, costs(t, "SettleCard, deleted", 3, 1, 0, settle(false)))
		if got := months(t, e, "ann"); len(got) != 0 {
			t.Errorf("cards after the deletion = %v", got)
		}
	}
}

func TestTweetsBy(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	var want []model.TweetID // newest first; with months that have none
	for _, at := range []time.Time{time.Date(2025, time.December, 31, 23, 59, 59, 0, time.UTC), date(time.March, 1), date(time.March, 31), date(time.July, 1), date(time.November, 1)} {
		for range 6 {
			e.clock.set(at)
			at = at.Add(time.Millisecond)
			want = slices.Insert(want, 0, e.publish(t, "ann", "x").ID)
			e.publish(t, "bob", "not ann's")
		}
	}
	for _, limit := range []int{1, 4, 5, 6, 7, 12, 20, 29, 30, 31, 100} {
		var got []model.TweetID
		for before := model.TweetID(""); ; {
			items, next, err := e.TweetsBy(t.Context(), "ann", before, limit)
			must(t, err)
			if len(items) > limit || next != "" && len(items) != limit {
				t.Errorf("a page of %d tweets, want %d; next is %q", len(items), limit, next)
			}
			for _, item := range items {
				got = append(got, item.ID)
			}
			if before = next; next == "" || len(got) > len(want) {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %d: TweetsBy lists %v, want %v", limit, got, want)
		}
	}
	page := func(before model.TweetID, limit int) func(context.Context) error {
		return func(ctx context.Context) error { _, _, err := e.TweetsBy(ctx, "ann", before, limit); return err }
	}
	must(t, costs(t, "first page", 1, 0, 0, page("", 20)))
	must(t, costs(t, "page in a month", 1, 0, 0, page(want[0], 4)))
	must(t, costs(t, "page of two months with a gap between", 2, 0, 0, page(want[3], 4)))
	must(t, costs(t, "page of three months", 3, 0, 0, page(want[3], 16)))
	must(t, costs(t, "large first page", 4, 0, 0, page("", 30)))
	must(t, costs(t, "page that reaches the end", 1+1, 0, 0, page(want[25], 20))) // to see that there is no more
	if items, next, err := e.TweetsBy(t.Context(), "nobody", "", 20); err != nil || len(items) != 0 || next != "" {
		t.Errorf("TweetsBy(nobody) = %v, %q, %v", items, next, err)
	}
}

func TestTweetsByHidesViolative(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann")
	var want []model.TweetID
	for i := range 45 {
		tweet := e.tweet(t, "ann", "x")
		tweet.IsViolative = i >= 20 // more than the recent ones
		if tweet.IsViolative {
			_, err := e.raw.Doc("tweets/"+string(tweet.ID)).Update(t.Context(), []firestore.Update{{Path: "isViolative", Value: true}})
			must(t, err)
		} else {
			want = slices.Insert(want, 0, tweet.ID)
		}
		must(t, e.PutCard(t.Context(), tweet))
	}
	must(t, e.RebuildRecent(t.Context(), "ann"))
	var got []model.TweetID
	for before := model.TweetID(""); ; {
		items, next, err := e.TweetsBy(t.Context(), "ann", before, 7)
		must(t, err)
		for _, item := range items {
			got = append(got, item.ID)
		}
		if before = next; next == "" || len(got) > len(want) {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("TweetsBy lists %v, want %v", got, want)
	}
}
