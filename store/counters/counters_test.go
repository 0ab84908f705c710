package counters_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
)

// idempotencyRecord returns a new effect. The clock moves on, so that no counter becomes hot.
func idempotencyRecord(e *storetest.Env, name string) counters.IdempotencyRecord {
	e.Clock.Add(time.Minute)
	return counters.IdempotencyRecord{EventID: "event/" + name, Function: "Test"}
}

func TestCountFollow(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	count := func(idempotencyRecord counters.IdempotencyRecord, follower, followed model.UserID,
		by int64) func(context.Context) error {
		return func(ctx context.Context) error {
			return e.Counters.CountFollow(ctx, idempotencyRecord, follower, followed, by)
		}
	}
	wantCounts := func(uid model.UserID, followers, followed int64) {
		t.Helper()
		u, err := e.Users.User(t.Context(), uid)
		testenv.Must(t, err)
		if u.FollowerCount != followers || u.FollowedCount != followed {
			t.Errorf("%s has %d followers and follows %d, want %d and %d", uid, u.FollowerCount, u.FollowedCount, followers,
				followed)
		}
	}
	first := idempotencyRecord(e, "1")
	testenv.Must(t, storetest.Costs(t, "CountFollow", 0, 3, 0, count(first, "ann", "bob", 1)))
	testenv.Must(t, storetest.Costs(t, "CountFollow again", 1, 0, 0, count(first, "ann", "bob", 1)))
	testenv.Must(t, storetest.Costs(t, "CountFollow, another event", 0, 3, 0, count(idempotencyRecord(e, "2"), "ann",
		"bob", 1)))
	wantCounts("ann", 0, 2)
	wantCounts("bob", 2, 0)
	testenv.Must(t, storetest.Costs(t, "CountFollow, down", 0, 3, 0, count(idempotencyRecord(e, "3"), "ann", "bob", -1)))
	wantCounts("ann", 0, 1)
	wantCounts("bob", 1, 0)
	// A deleted user has no counts. The other user is counted.
	testenv.Must(t, storetest.Costs(t, "CountFollow, one gone", 2, 2, 0, count(idempotencyRecord(e, "4"), "nobody", "bob",
		1)))
	testenv.Must(t, storetest.Costs(t, "CountFollow, both gone", 2, 1, 0, count(idempotencyRecord(e, "5"), "no body",
		"no one", 1)))
	testenv.Must(t, storetest.Costs(t, "CountFollow, both gone again", 0, 1, 0, count(idempotencyRecord(e, "6"), "nobody",
		"no one", 1)))
	wantCounts("bob", 2, 0)
	if got := len(e.IDs(t, model.Users)); got != 2 {
		t.Errorf("%d users, want no new ones", got)
	}
	record := e.Doc(t, "processedEvents/"+model.IdempotencyRecordKey("event/4", "Test"))
	if got, want := record["expireAt"].(time.Time), e.Clock.Now().
		Add(model.DedupeWindow); got.Before(want.Add(-time.Hour)) || got.After(want) {
		t.Errorf("the record expires at %v, want a day after %v", got, e.Clock.Now())
	}
}

func by(author model.UserID) *model.Tweet { return &model.Tweet{AuthorID: author} }

func TestCountTweet(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	testenv.Must(t, storetest.Costs(t, "CountTweet", 0, 2, 0, func(ctx context.Context) error {
		return e.Counters.CountTweet(ctx, idempotencyRecord(e, "1"), by("ann"), 1)
	}))
	testenv.Must(t, e.Counters.CountTweet(t.Context(), idempotencyRecord(e, "2"), by("ann"), 1))
	testenv.Must(t, e.Counters.CountTweet(t.Context(), idempotencyRecord(e, "3"), by("ann"), -1))
	u, err := e.Users.User(t.Context(), "ann")
	testenv.Must(t, err)
	if u.TweetCount != 1 {
		t.Errorf("%d tweets, want 1", u.TweetCount)
	}
	testenv.Must(t, storetest.Costs(t, "CountTweet of nobody", 1, 1, 0, func(ctx context.Context) error {
		return e.Counters.CountTweet(ctx, idempotencyRecord(e, "4"), by("nobody"), 1)
	}))
}

func TestCountTags(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	count := func(idempotencyRecord counters.IdempotencyRecord, by map[string]int64) func(context.Context) error {
		return func(ctx context.Context) error {
			return e.Counters.CountTags(ctx, idempotencyRecord, "ann", by, map[string]string{"go": "Go"})
		}
	}
	first := idempotencyRecord(e, "1")
	testenv.Must(t, storetest.Costs(t, "first use", 1, 1+3, 0, count(first, map[string]int64{"go": 1})))
	testenv.Must(t, storetest.Costs(t, "repeated", 1, 0, 0, count(first, map[string]int64{"go": 1})))
	testenv.Must(t, storetest.Costs(t, "a new one and a known one", 2, 1+5, 0, count(idempotencyRecord(e, "2"),
		map[string]int64{"go": 1, "火花": 1})))
	testenv.Must(t, storetest.Costs(t, "known ones", 0, 5, 0, count(idempotencyRecord(e, "3"),
		map[string]int64{"go": -1, "火花": 1})))
	testenv.Must(t, storetest.Costs(t, "known ones of another user", 0, 3, 0, func(ctx context.Context) error {
		return e.Counters.CountTags(ctx, idempotencyRecord(e, "other"), "bob", map[string]int64{"go": 1},
			map[string]string{"go": "GO"})
	}))
	// The event of a tweet's deletion may come before the event of its creation.
	testenv.Must(t, count(idempotencyRecord(e, "4"), map[string]int64{"late": -1})(t.Context()))
	testenv.Must(t, count(idempotencyRecord(e, "5"), map[string]int64{"late": 1})(t.Context()))
	for name, want := range map[string]string{"go": "Go 2", "火花": "火花 2", "late": "late 0"} {
		if d := e.Doc(t, "tags/"+name); fmt.Sprint(d["content"], " ", d["tweetCount"]) != want {
			t.Errorf("tag %s = %v, want %s", name, d, want)
		}
	}
	// A count of 0 stays.
	uses := map[string]map[string]any{
		"ann_go":   {"userId": "ann", "tag": "go", "content": "Go", "tweetCount": int64(1)},
		"ann_火花":   {"userId": "ann", "tag": "火花", "content": "火花", "tweetCount": int64(2)},
		"ann_late": {"userId": "ann", "tag": "late", "content": "late", "tweetCount": int64(0)},
		"bob_go":   {"userId": "bob", "tag": "go", "content": "GO", "tweetCount": int64(1)},
	}
	for key, want := range uses {
		if diff := cmp.Diff(want, e.Doc(t, "tagUses/"+key)); diff != "" {
			t.Errorf("tagUses/%s (-want +got):\n%s", key, diff)
		}
	}
}

// However many tags a user uses, no document grows: each tag has documents of its own.
func TestManyTags(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	count := func(tweet int) {
		one := by("ann")
		one.Tags = map[string]time.Time{}
		for i := range model.MaxTags {
			one.Tags[fmt.Sprint("tag-", tweet, "-", i)] = time.Now()
		}
		testenv.Must(t, e.Counters.CountTweet(t.Context(), idempotencyRecord(e, fmt.Sprint(tweet)), one, 1))
	}
	count(0)
	before := e.Doc(t, "users/ann")
	const tweets = 12
	for tweet := range tweets {
		count(1 + tweet)
	}
	before["tweetCount"] = int64(1 + tweets)
	if diff := cmp.Diff(before, e.Doc(t, "users/ann")); diff != "" {
		t.Errorf("the profile (-before +after):\n%s", diff)
	}
	for _, collection := range []string{model.Tags, model.TagUsages} {
		if got, want := len(e.IDs(t, collection)), model.MaxTags*(1+tweets); got != want {
			t.Errorf("%d documents in %s, want %d", got, collection, want)
		}
	}
}

func TestCountLikeAndReply(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	id := e.Tweet(t, "ann", "x").ID
	like := func(idempotencyRecord counters.IdempotencyRecord, id model.TweetID, by int64) func(context.Context) error {
		return func(ctx context.Context) error {
			l := &model.Like{UserID: "bob", TweetID: id, AuthorID: "ann"}
			return e.Counters.Reaction(idempotencyRecord, l, by).Commit(ctx)
		}
	}
	reply := func(idempotencyRecord counters.IdempotencyRecord, id model.TweetID, by int64) func(context.Context) error {
		return func(ctx context.Context) error {
			return e.Counters.CountTweet(ctx, idempotencyRecord, &model.Tweet{AuthorID: "ann", ReplyTo: &id}, by)
		}
	}
	first := idempotencyRecord(e, "1")
	testenv.Must(t, storetest.Costs(t, "CountLike", 0, 2, 0, like(first, id, 1)))
	testenv.Must(t, storetest.Costs(t, "CountLike again", 1, 0, 0, like(first, id, 1)))
	testenv.Must(t, storetest.Costs(t, "CountTweet of a reply", 0, 3, 0, reply(idempotencyRecord(e, "2"), id, 1)))
	testenv.Must(t, like(idempotencyRecord(e, "3"), id, 1)(t.Context()))
	testenv.Must(t, like(idempotencyRecord(e, "4"), id, -1)(t.Context()))
	// one event has many records
	testenv.Must(t, reply(counters.IdempotencyRecord{EventID: first.EventID, Function: "Other"}, id, 1)(t.Context()))
	got, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{})
	testenv.Must(t, err)
	if got.LikeCount != 1 || got.ReplyCount != 2 {
		t.Errorf("likeCount %d, replyCount %d, want 1 and 2", got.LikeCount, got.ReplyCount)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, id))
	testenv.Must(t, storetest.Costs(t, "CountLike, tweet gone, end of a like", 1, 1, 0, like(idempotencyRecord(e, "5"), id,
		-1)))
	_, err = e.Raw.Doc("likes/bob_"+string(id)).
		Create(t.Context(), model.Like{UserID: "bob", TweetID: id, AuthorID: "ann"})
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "CountLike, tweet gone", 1, 2, 1, like(idempotencyRecord(e, "7"), id, 1)))
	if e.Doc(t, "likes/bob_"+string(id)) != nil {
		t.Error("a like that came while its tweet was being deleted is still there")
	}
	testenv.Must(t, storetest.Costs(t, "CountLike, tweet and like gone", 1, 1, 0, like(idempotencyRecord(e, "8"), id, 1)))
	testenv.Must(t, storetest.Costs(t, "CountTweet of a reply, tweet gone", 2, 3, 0, reply(idempotencyRecord(e, "6"),
		id, 1)))
	testenv.Must(t, storetest.Costs(t, "CountTweet of a reply, tweet gone, end of a reply", 2, 2, 0,
		reply(idempotencyRecord(e, "9"), id, -1)))
	if e.Doc(t, "tweets/"+string(id)) != nil {
		t.Error("counting brought a deleted tweet back")
	}
}

// Many events, each delivered several times at once, count once each.
func TestCountsOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Millisecond})
	e.CreateUsers(t, "ann")
	id := e.Tweet(t, "ann", "x").ID
	const events = 20
	for _, err := range testenv.AtOnce(5*events, func(i int) error {
		l := &model.Like{UserID: model.UserID(fmt.Sprint("user", i%events)), TweetID: id, AuthorID: "ann"}
		record := counters.IdempotencyRecord{EventID: fmt.Sprint(i % events), Function: "CountLike"}
		return e.Counters.Reaction(record, l, 1).Commit(t.Context())
	}) {
		testenv.Must(t, err)
	}
	// the counter is hot
	_, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tweets, ID: string(id)})
	testenv.Must(t, err)
	got, err := e.Tweets.Tweet(t.Context(), id, model.Viewer{})
	testenv.Must(t, err)
	if got.LikeCount != events {
		t.Errorf("likeCount = %d, want %d", got.LikeCount, events)
	}
}
