package tweets_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/tweets"
)

func TestCreateTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	draft := model.Draft{Content: "#Go and #火花", Summary: "s", Tags: []string{"a-b"}, AllowLikes: true}
	var made tweets.Posted
	testenv.Must(t, storetest.Costs(t, "CreateTweet", 1, 2, 0, func(ctx context.Context) (err error) {
		made, err = e.Tweets.CreateTweet(ctx, "ann", draft, model.Request{})
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "CreateTweet, author cached", 0, 2, 0, func(ctx context.Context) error {
		_, err := e.Tweets.CreateTweet(ctx, "ann", draft, model.Request{})
		return err
	}))
	if made.AuthorID != "ann" || made.Author.Username != "ann_u" || made.Content != draft.Content ||
		made.CreatedAt != e.Clock.Now() {
		t.Errorf("CreateTweet = %+v", made.Tweet)
	}
	for viewer, reads := range map[model.Viewer]int64{{}: 1, {ID: "anonymous", Role: model.Anonymous}: 1,
		{ID: "bob", Role: model.Member}: 2} {
		testenv.Must(t, storetest.Costs(t, "Tweet", reads, 0, 0, func(ctx context.Context) error {
			got, err := e.Tweets.Tweet(ctx, made.ID, viewer)
			if err == nil {
				if got.ChangedAt.Truncate(time.Millisecond) != e.Clock.Now() {
					t.Errorf("changedAt = %v, want the database's time %v", got.ChangedAt, e.Clock.Now())
				}
				got.ChangedAt = made.ChangedAt // which is not part of the answer
				got.Version, got.ReadAt = made.Version, made.ReadAt
			}
			if diff := cmp.Diff(made.FullTweet, got); diff != "" {
				t.Errorf("Tweet (-want +got):\n%s", diff)
			}
			return err
		}))
	}
	_, err := e.Tweets.CreateTweet(t.Context(), "nobody", draft, model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
	_, err = e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: strings.Repeat("x", model.MaxContent+1)},
		model.Request{})
	storetest.WantErr(t, err, errs.Invalid, "too_long")
	if n := len(e.IDs(t, model.Tweets)); n != 2 {
		t.Errorf("%d tweets, want the 2 that were allowed", n)
	}
}

func TestCreateReply(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	root := e.Tweet(t, "ann", "root")
	reply := func(to model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error {
			got, err := e.Tweets.CreateTweet(ctx, "bob", model.Draft{Content: "reply", ReplyTo: &to, AllowReplies: true},
				model.Request{})
			if err == nil && (got.RootID != root.ID || *got.ReplyTo != to) {
				t.Errorf("reply to %s = %+v", to, got.Tweet)
			}
			return err
		}
	}
	testenv.Must(t, storetest.Costs(t, "reply", 3, 2, 0, reply(root.ID))) // the profile of the replier included
	testenv.Must(t, storetest.Costs(t, "reply, profile cached", 2, 2, 0, reply(root.ID)))
	replies, err := e.Tweets.Replies(t.Context(), root.ID, model.Cursor{}, 10)
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "reply to oneself", 1, 2, 0, reply(replies.Items[0].ID)))

	const never = model.TweetID("00019a5b6c7d8e9f01")
	storetest.WantErr(t, reply(never)(t.Context()), errs.NotFound, "tweet_not_found")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, root.ID))
	storetest.WantGone(t, reply(root.ID)(t.Context()), root.ID, "ann")
}

// The text of a long tweet comes with a second read. An edit between the two reads may have shown the tweet to fewer
// users.
func TestLongTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx, bob := t.Context(), model.Viewer{ID: "bob", Role: model.Member}
	e.CreateUsers(t, "ann", "bob")
	testenv.Must(t, e.Reactions.Like(ctx, "ann", e.Tweet(t, "ann", "x").ID)) // the process remembers ann's profile
	text := strings.Repeat("x", model.MaxSnippet+1)
	tweet := e.Tweet(t, "ann", text)
	testenv.Must(t, storetest.Costs(t, "a long tweet", 3, 0, 0, func(ctx context.Context) error {
		got, err := e.Tweets.Tweet(ctx, tweet.ID, bob)
		if err == nil && got.Content != text {
			t.Errorf("the content is %q", got.Content)
		}
		return err
	}))
	edited := func(p model.TweetPatch) (*tweets.FullTweet, error) {
		read := e.Again(t, store.Options{Meter: meter.Options{BelowReads: storetest.AfterRead("tweets/"+string(tweet.ID),
			func() {
				_, err := e.Edits.Edit(ctx, "ann", tweet.ID, p, nil)
				testenv.Must(t, err)
			})}})
		return read.Tweets.Tweet(ctx, tweet.ID, bob)
	}
	got, err := edited(model.TweetPatch{Content: new(text + "y")})
	testenv.Must(t, err)
	if got.Revision != 1 || got.Content != text+"y" {
		t.Errorf("revision %d has a text of %d characters", got.Revision, len(got.Content))
	}
	_, err = edited(model.TweetPatch{Content: new(text + "secret"), Visibility: new(model.Followers)})
	storetest.WantErr(t, err, errs.NotFound, "tweet_not_found")
}

// A long tweet is deleted between the reads of the tweet and of its text. A tweet that lacks its text has none.
func TestLongTweetWithoutText(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "ann")
	for _, deleted := range []bool{true, false} {
		tweet := e.Tweet(t, "ann", strings.Repeat("x", model.MaxSnippet+1))
		read := e.Again(t, store.Options{Meter: meter.Options{BelowReads: storetest.AfterRead("tweets/"+string(tweet.ID),
			func() {
				if deleted {
					testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID))
					return
				}
				_, err := e.Raw.Doc("tweetDetails/" + string(tweet.ID)).Delete(ctx)
				testenv.Must(t, err)
			})}})
		got, err := read.Tweets.Tweet(ctx, tweet.ID, model.Viewer{})
		if deleted {
			storetest.WantGone(t, err, tweet.ID, "ann")
			continue
		}
		testenv.Must(t, err)
		if got.ID != tweet.ID || got.Content != "" {
			t.Errorf("tweet %s has the text %q, want %s without one", got.ID, got.Content, tweet.ID)
		}
	}
}

func TestTweetNotThere(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	const never = model.TweetID("00019a5b6c7d8e9f01")
	tweet := e.Tweet(t, "ann", "x")
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	read := func(id model.TweetID) func(context.Context) error {
		return func(ctx context.Context) error { _, err := e.Tweets.Tweet(ctx, id, model.Viewer{}); return err }
	}
	storetest.WantErr(t, storetest.Costs(t, "unknown", 2, 0, 0, read(never)), errs.NotFound, "tweet_not_found")
	storetest.WantGone(t, storetest.Costs(t, "deleted", 2, 0, 0, read(tweet.ID)), tweet.ID, "ann")
	storetest.WantErr(t, e.Tweets.RequireTweet(t.Context(), never, model.Viewer{}), errs.NotFound, "tweet_not_found")
	storetest.WantGone(t, e.Tweets.RequireTweet(t.Context(), tweet.ID, model.Viewer{}), tweet.ID, "ann")
}

func TestExistsAndHolds(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	id := e.Tweet(t, "ann", "x").ID
	testenv.Must(t, storetest.Costs(t, "Exists", 1, 0, 0, func(ctx context.Context) error {
		return e.Tweets.RequireTweet(ctx, id, model.Viewer{})
	}))
	testenv.Must(t, storetest.Costs(t, "Exists, cached", 0, 0, 0, func(ctx context.Context) error {
		return e.Tweets.RequireTweet(ctx, id, model.Viewer{})
	}))
	for _, want := range []bool{true, false} {
		testenv.Must(t, storetest.Costs(t, "Holds", 1, 0, 0, func(ctx context.Context) error {
			got, err := e.Tweets.TweetExists(ctx, id)
			if got != want {
				t.Errorf("Holds = %v, want %v", got, want)
			}
			return err
		}))
		if want {
			testenv.Must(t, e.Again(t, store.Options{}).Tweets.DeleteTweet(t.Context(), "ann", false, id))
		}
	}
	testenv.Must(t, e.Tweets.RequireTweet(t.Context(), id, model.Viewer{})) // this process still has the tweet cached
	e.CoolDown()
	storetest.WantGone(t, e.Tweets.RequireTweet(t.Context(), id, model.Viewer{}), id, "ann")
}

func TestBatch(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	older := e.Tweet(t, "ann", "october")
	e.Clock.Set(time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC))
	liked, plain, gone := e.Tweet(t, "ann", "1"), e.Tweet(t, "ann", "2"), e.Tweet(t, "bob", "3")
	const never = model.TweetID("00019a5b6c7d8e9f01")
	testenv.Must(t, e.Reactions.Like(t.Context(), "bob", liked.ID))
	testenv.Must(t, e.Reactions.Like(t.Context(), "bob", older.ID))
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "bob", false, gone.ID))
	e.CoolDown()
	ask := []model.TweetID{plain.ID, gone.ID, never, liked.ID, older.ID, plain.ID}
	want := []string{"tweet", "gone", "unknown", "tweet liked", "tweet liked", "tweet"}
	batch := func(viewer model.Viewer) func(context.Context) error {
		return func(ctx context.Context) error {
			seen, err := e.Tweets.Batch(ctx, ask, viewer)
			var got []string
			for i, s := range seen {
				text := "unknown"
				if s.Tombstone != nil {
					text = "gone"
				} else if s.Tweet != nil {
					text = "tweet"
				}
				if s.Liked && viewer.ID != "" {
					text += " liked"
				}
				got = append(got, text)
				if s.ID != ask[i] || s.Tweet != nil && s.Tweet.ID != ask[i] || s.Tombstone != nil && s.Tombstone.ID != ask[i] {
					t.Errorf("place %d holds %+v, want %s", i, s, ask[i])
				}
			}
			if viewer.ID != "" {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("Batch (-want +got):\n%s", diff)
				}
			}
			return err
		}
	}
	// 5 tweets, 2 tombstones, and the 2 months of the tweets that exist
	bob := model.Viewer{ID: "bob", Role: model.Member}
	testenv.Must(t, storetest.Costs(t, "Batch", 5+2+2, 0, 0, batch(bob)))
	testenv.Must(t, storetest.Costs(t, "Batch, cached", 2+2+2, 0, 0, batch(bob)))
	testenv.Must(t, storetest.Costs(t, "Batch, signed out", 2+2, 0, 0, batch(model.Viewer{})))
	if seen, err := e.Tweets.Batch(t.Context(), nil, bob); err != nil || len(seen) != 0 {
		t.Errorf("Batch of nothing = %v, %v", seen, err)
	}
}
