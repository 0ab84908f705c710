package counters_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
)

// The first event of a deleted account finds out, and the others read nothing: they count nothing. When the
// user has a profile again, everything counts.
func TestGoneUser(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	tweet := e.Tweet(t, "ann", "a #spark")
	_, err := e.Users.Leave(t.Context(), "ann")
	testenv.Must(t, err)
	testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
	n := 0
	idempotencyRecord := func() counters.IdempotencyRecord {
		n++
		e.Clock.Add(4 * time.Second) // all counters are cold
		return counters.IdempotencyRecord{EventID: fmt.Sprint("e", n), Function: "F"}
	}
	count := func(ctx context.Context) error {
		return e.Counters.CountTweet(ctx, idempotencyRecord(), &model.Tweet{AuthorID: "ann"}, -1)
	}
	for _, uid := range []string{"ann", "bob"} { // from the sign-up
		_, err := e.Raw.Doc("heads/" + uid).Delete(t.Context())
		testenv.Must(t, err)
	}
	testenv.Must(t, storetest.Costs(t, "the first event", 1, 1, 0, count))
	for range 5 {
		testenv.Must(t, storetest.Costs(t, "the next event", 0, 1, 0, count))
	}
	testenv.Must(t, storetest.Costs(t, "an unfollow", 0, 2, 0, func(ctx context.Context) error {
		return e.Counters.CountFollow(ctx, idempotencyRecord(), "bob", "ann", -1)
	}))
	testenv.Must(t, storetest.Costs(t, "a tag", 0, 2, 0, func(ctx context.Context) error {
		_, err := e.Raw.Doc("tags/spark").Set(ctx, model.Tag{Content: "spark", TweetCount: 1})
		testenv.Must(t, err)
		return e.Counters.CountTags(ctx, idempotencyRecord(), "ann", map[string]int64{"spark": -1}, nil)
	}))
	cold, hot := *tweet, *tweet
	hot.Rolled = map[string]int64{model.LikeCount: 0}
	testenv.Must(t, storetest.Costs(t, "a tweet that was never hot", 0, 0, 0, func(ctx context.Context) error {
		return e.Counters.CleanUp(ctx, tweet.ID, &cold)
	}))
	testenv.Must(t, storetest.Costs(t, "the shards", 1, 0, 0, func(ctx context.Context) error {
		return e.Counters.CleanUp(ctx, tweet.ID, &hot)
	}))
	like := model.Like{UserID: "bob", TweetID: tweet.ID, AuthorID: "ann"}
	testenv.Must(t, storetest.Costs(t, "the end of a like", 0, 1, 0, func(ctx context.Context) error {
		return e.Counters.Reaction(idempotencyRecord(), &like, -1).Commit(ctx)
	}))
	_, err = e.Raw.Doc("likes/"+model.ReactionKey("bob", tweet.ID)).Set(t.Context(), like)
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "a like", 0, 2, 1, func(ctx context.Context) error {
		return e.Counters.Reaction(idempotencyRecord(), &like, 1).Commit(ctx)
	}))
	testenv.Must(t, storetest.Costs(t, "the preview", 0, 0, 0, func(ctx context.Context) error {
		return e.Previews.Update(ctx, tweet.ID, tweet, nil)
	}))
	for _, collection := range []string{model.RollUps, "users/ann/" + model.Shards, model.TagUsages, model.TweetMonths,
		model.Heads} {
		if got := e.IDs(t, collection); len(got) > 0 {
			t.Errorf("%s of the user who left has %q", collection, got)
		}
	}
	if tweets := e.Doc(t, "heads/ann")["tweets"]; tweets != nil { // the account deletion removes the head
		t.Errorf("the head of the user who left has %v", tweets)
	}

	_, err = e.Raw.Doc("leavings/ann").Update(t.Context(), []firestore.Update{{Path: "done", Value: true}})
	testenv.Must(t, err)
	_, err = e.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann_again", Nickname: "A"})
	testenv.Must(t, err)
	e.Clock.Add(time.Minute) // a counter that rested is cold
	testenv.Must(t, e.Counters.CountTweet(t.Context(), idempotencyRecord(), &model.Tweet{AuthorID: "ann"}, 1))
	if got := e.Doc(t, "users/ann")["tweetCount"]; got != int64(1) {
		t.Errorf("tweetCount = %v, want 1", got)
	}
}

// A process ends after it incremented a shard and before it enqueues the roll-up. The event comes again when the
// document is gone, to a process for which the counter is cold.
func TestShardOfGoneDocument(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		collection string
		count      func(context.Context, *counters.Store, counters.IdempotencyRecord, model.TweetID) error
	}{
		"a reply": {model.Tweets, func(ctx context.Context, s *counters.Store, e counters.IdempotencyRecord,
			id model.TweetID) error {
			return s.CountTweet(ctx, e, &model.Tweet{AuthorID: "ann", ReplyTo: &id}, 1)
		}},
		"a quote": {model.Tweets, func(ctx context.Context, s *counters.Store, e counters.IdempotencyRecord,
			id model.TweetID) error {
			return s.CountTweet(ctx, e, &model.Tweet{AuthorID: "ann", QuoteOf: id}, 1)
		}},
		"a vote": {model.Polls, func(ctx context.Context, s *counters.Store, e counters.IdempotencyRecord,
			id model.TweetID) error {
			now := time.Now()
			return s.CountVote(ctx, e, &model.Vote{UserID: "bob", TweetID: id, Option: 1, CreatedAt: now,
				ClosesAt: now.Add(time.Hour)}, 1)
		}},
		"a like": {model.Tweets, func(ctx context.Context, s *counters.Store, e counters.IdempotencyRecord,
			id model.TweetID) error {
			return s.Reaction(e, &model.Like{UserID: "bob", TweetID: id, AuthorID: "ann"}, 1).Commit(ctx)
		}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			e := storetest.Open(t, store.Options{WriteEvery: time.Millisecond, Meter: meter.Options{Below: neverAsks}})
			id := model.TweetID("0123456789abcdef00")
			doc := e.Raw.Doc(c.collection + "/" + string(id))
			_, err := doc.Set(ctx, map[string]any{"authorId": "ann"})
			testenv.Must(t, err)
			hot := counters.IdempotencyRecord{Function: "F"}
			for i := 0; err == nil; i++ { // until the counter is busy
				if i == 100 {
					t.Fatal("the process did not end")
				}
				hot.EventID = strconv.Itoa(i)
				err = c.count(ctx, e.Counters, hot, id)
			}
			shards := c.collection + "/" + string(id) + "/" + model.Shards
			if got := len(e.IDs(t, shards)); got != 1 {
				t.Fatalf("%d shards, want 1", got)
			}

			_, err = doc.Delete(ctx)
			testenv.Must(t, err)
			another := e.Again(t, store.Options{WriteEvery: time.Minute})
			testenv.Must(t, c.count(ctx, another.Counters, hot, id))
			if asked := e.IDs(t, model.RollUps); !slices.Contains(asked, model.RollUpKey(c.collection, string(id))) {
				t.Errorf("asked for the roll-ups %q alone", asked)
			}
			_, err = another.Counters.RollUpNow(ctx, model.RollUpWork{Collection: c.collection, ID: string(id)})
			testenv.Must(t, err)
			if left := e.IDs(t, shards); len(left) > 0 {
				t.Errorf("the shards %q are left", left)
			}
		})
	}
}

// neverAsks is an interceptor: its process ends before it enqueues a roll-up.
func neverAsks(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
	opts ...grpc.CallOption) error {
	commit, _ := req.(*firestorepb.CommitRequest)
	for _, w := range commit.GetWrites() {
		if strings.Contains(w.GetUpdate().GetName(), "/documents/"+model.RollUps+"/") {
			return status.Error(codes.Aborted, "the process ended")
		}
	}
	return invoke(ctx, method, req, reply, conn, opts...)
}

// A reply is answered after its deletion has read it, and before it is gone. It keeps its position in the thread.
func TestAnsweredWhileDeleted(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	root := e.Tweet(t, "ann", "root")
	reply := e.Draft(t, "ann", model.Draft{Content: "reply", ReplyTo: &root.ID})
	tombstone := "tombstones/" + string(reply.ID)
	slow := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(tombstone), func() {
		testenv.Must(t, e.Counters.CountTweet(t.Context(), idempotencyRecord(e, "1"),
			&model.Tweet{AuthorID: "ann", ReplyTo: &reply.ID}, 1))
	})}})
	testenv.Must(t, slow.Tweets.DeleteTweet(t.Context(), "ann", false, reply.ID))
	if place := e.Doc(t, tombstone)["repliedAt"]; place != nil {
		t.Fatalf("the tombstone has the place %v, so the test shows nothing", place)
	}
	reply.ReplyCount = 1 // as the event of the deletion says
	cleanUp := func(ctx context.Context) error { return e.Counters.CleanUp(ctx, reply.ID, reply) }
	testenv.Must(t, storetest.Costs(t, "CleanUp", 4, 1, 0, cleanUp))
	if place, _ := e.Doc(t, tombstone)["repliedAt"].(time.Time); !place.Equal(reply.CreatedAt) {
		t.Errorf("the tombstone has the place %v, want %v", place, reply.CreatedAt)
	}
	testenv.Must(t, storetest.Costs(t, "CleanUp again", 4, 0, 0, cleanUp))
}

// A deleted tweet that was never edited has no revisions to look for.
func TestCleanUpCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	for what, edits := range map[string]int64{"a tweet": 0, "an edited tweet": 1} {
		tweet := e.Tweet(t, "ann", "a spark")
		for range edits {
			full, err := e.Edits.Edit(t.Context(), "ann", tweet.ID, model.TweetPatch{Content: new("another")}, nil)
			testenv.Must(t, err)
			tweet = full.Tweet
		}
		testenv.Must(t, e.Reactions.Like(t.Context(), "bob", tweet.ID))
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, tweet.ID))
		// 1 for the like, the shares and the bookmarks each, and 1 for the revision.
		testenv.Must(t, storetest.Costs(t, what, 3+edits, 1, 1+edits, func(ctx context.Context) error {
			return e.Counters.CleanUp(ctx, tweet.ID, tweet)
		}))
		if left := append(e.IDs(t, model.Likes), e.IDs(t, "tweets/"+string(tweet.ID)+"/revisions")...); len(left) > 0 {
			t.Errorf("of %s %q are left", what, left)
		}
	}
}
