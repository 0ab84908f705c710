package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// TestLostAnswers makes every write in a store that loses the answer to each commit. The client itself commits a second
// time, and the caller must get the result of the first commit.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	s, losses := e.Lossy(t, 1)
	tweet, doomed := e.Tweet(t, "ann", "x").ID, e.Tweet(t, "ann", "doomed").ID
	for _, fan := range []model.UserID{"ann", "cat"} {
		testenv.Must(t, e.Reactions.Like(t.Context(), fan, doomed))
		testenv.Must(t, e.Shares.Share(t.Context(), fan, doomed))
	}
	_, err := e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "long ago"},
		model.Request{Key: "old", Hash: "h"})
	testenv.Must(t, err)
	e.Clock.Add(model.IdempotencyWindow + time.Hour)

	post := func(author model.UserID, d model.Draft, r model.Request) func(context.Context) error {
		return func(ctx context.Context) error {
			before := e.IDs(t, model.Tweets)
			made, err := s.Tweets.CreateTweet(ctx, author, d, r)
			if err != nil {
				return err
			}
			var added []string
			for _, id := range e.IDs(t, model.Tweets) {
				if !slices.Contains(before, id) {
					added = append(added, id)
				}
			}
			if len(added) != 1 || added[0] != string(made.ID) || made.Content != d.Content {
				t.Errorf("one call wrote the tweets %v, and returned %s", added, made.ID)
			}
			return nil
		}
	}
	like := "likes/" + model.ReactionKey("bob", tweet)
	relationship, block := "relationships/"+model.RelationshipKey("bob", "ann"), "blocks/"+model.BlockKey("bob", "ann")
	tests := []struct {
		name  string
		write func(context.Context) error
		there []string // documents that exist afterwards
		gone  []string // documents that do not exist afterwards
	}{
		{"sign up", func(ctx context.Context) error {
			u, err := s.Users.CreateUser(ctx, "dan", model.NewUser{Username: "dan_u", Nickname: "Dan"})
			if err == nil && (u.ID != "dan" || u.Username != "dan_u") {
				t.Errorf("CreateUser = %+v", u)
			}
			return err
		}, []string{"users/dan", "usernames/dan_u", "userDetails/dan", "userSecrets/dan"}, nil},
		{"change a profile", func(ctx context.Context) error {
			return s.Users.UpdateUser(ctx, "dan", model.UserPatch{Nickname: new("Daniel"), Introduction: new("hello")})
		}, nil, nil},
		{"rename", func(ctx context.Context) error {
			return s.Users.UpdateUser(ctx, "dan", model.UserPatch{Username: new("daniel"), Nickname: new("D")})
		}, []string{"usernames/daniel"}, []string{"usernames/dan_u"}},
		{"ask to join", func(ctx context.Context) error {
			_, err := s.Users.AskToJoin(ctx, "eve", model.NewUser{Username: "eve_a"}, "")
			return err
		}, []string{"signUps/eve", "usernames/eve_a"}, nil},
		{"ask to join with another name", func(ctx context.Context) error {
			_, err := s.Users.AskToJoin(ctx, "eve", model.NewUser{Username: "eve_u"}, "")
			return err
		}, []string{"signUps/eve", "usernames/eve_u"}, []string{"usernames/eve_a"}},
		{"approve", func(ctx context.Context) error {
			u, err := s.Moderation.Approve(ctx, moderation.Actor{UID: "root", Role: model.RoleAdministrator}, "eve", time.Time{})
			if err == nil && u.Username != "eve_u" {
				t.Errorf("Approve = %+v", u)
			}
			return err
		}, []string{"users/eve", "usernames/eve_u"}, []string{"signUps/eve"}},
		{"post", post("ann", model.Draft{Content: "once"}, model.Request{}), nil, nil},
		{"reply", post("bob", model.Draft{Content: "once", ReplyTo: &tweet}, model.Request{}), nil, nil},
		{"post with a key", post("ann", model.Draft{Content: "once"}, model.Request{Key: "k", Hash: "h"}),
			[]string{"idempotency/ann_k"}, nil},
		{"post with a key that expired", post("ann", model.Draft{Content: "once"}, model.Request{Key: "old", Hash: "h"}),
			[]string{"idempotency/ann_old"}, nil},
		{"follow", func(ctx context.Context) error { return s.Graph.Follow(ctx, "bob", "ann") }, []string{relationship}, nil},
		{"unfollow", func(ctx context.Context) error { return s.Graph.Unfollow(ctx, "bob", "ann") }, nil,
			[]string{relationship}},
		{"block", func(ctx context.Context) error { return s.Graph.Block(ctx, "bob", "ann") }, []string{block}, nil},
		{"unblock", func(ctx context.Context) error { return s.Graph.Unblock(ctx, "bob", "ann") }, nil, []string{block}},
		{"like", func(ctx context.Context) error { return s.Reactions.Like(ctx, "bob", tweet) }, []string{like}, nil},
		{"unlike", func(ctx context.Context) error { return s.Reactions.Unlike(ctx, "bob", tweet) }, nil, []string{like}},
		{"delete", func(ctx context.Context) error { return s.Tweets.DeleteTweet(ctx, "ann", false, doomed) },
			[]string{"tombstones/" + string(doomed)}, []string{"tweets/" + string(doomed), "tweetDetails/" + string(doomed)}},
		{"remove likes", func(ctx context.Context) error {
			_, err := s.Reactions.RemoveAll(ctx, model.ReactionLike, doomed, func() bool { return false })
			return err
		}, nil,
			[]string{"likes/" + model.ReactionKey("ann", doomed), "likes/" + model.ReactionKey("cat", doomed)}},
		{"remove shares", func(ctx context.Context) error {
			_, err := s.Reactions.RemoveAll(ctx, model.ReactionShare, doomed, func() bool { return false })
			return err
		}, nil,
			[]string{"shares/" + model.ReactionKey("ann", doomed), "shares/" + model.ReactionKey("cat", doomed)}},
	}
	for _, test := range tests {
		before := losses.Count()
		// A call that takes its own document for another user's document would try forever.
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if err := test.write(ctx); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		cancel()
		if losses.Count() == before {
			t.Errorf("%s: no answer was lost", test.name)
		}
		for _, path := range test.there {
			if e.Doc(t, path) == nil {
				t.Errorf("%s: %s is missing", test.name, path)
			}
		}
		for _, path := range test.gone {
			if e.Doc(t, path) != nil {
				t.Errorf("%s: %s is still there", test.name, path)
			}
		}
		e.Clock.Add(time.Second)
	}
	e.WantUsernames(t)
	for _, fan := range []model.UserID{"ann", "bob", "cat"} {
		if got, err := e.Tweets.ViewerState(t.Context(), fan, []model.TweetID{tweet, doomed}); err != nil ||
			got[tweet].Liked || got[doomed] != (model.ViewerState{}) {
			t.Errorf("%s likes %v, %v", fan, got, err)
		}
	}

	// The caller still gets the errors that other calls cause.
	_, err = s.Users.CreateUser(t.Context(), "dan", model.NewUser{Username: "daniel", Nickname: "D"})
	storetest.WantErr(t, err, errs.Exists, "user_exists")
	_, err = s.Users.CreateUser(t.Context(), "fay", model.NewUser{Username: "daniel"})
	storetest.WantErr(t, err, errs.Exists, "username_taken")
	storetest.WantErr(t, s.Users.UpdateUser(t.Context(), "bob", model.UserPatch{Username: new("daniel")}), errs.Exists,
		"username_taken")
	storetest.WantGone(t, s.Tweets.DeleteTweet(t.Context(), "ann", false, doomed), doomed, "ann")
}

// TestTransactionsWithLosses reconciles reactions in a store that loses some answers. A transaction whose answer was
// lost is closed, and its commit cannot be repeated.
func TestTransactionsWithLosses(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	s, losses := e.Lossy(t, 0.3)
	for _, id := range e.CreateTweets(t, "ann", 10) {
		testenv.Must(t, e.Reactions.Like(t.Context(), "ann", id))
		_, err := e.Raw.Doc("reactions/" + model.MonthKey("ann", id.Month())).Delete(t.Context())
		testenv.Must(t, err)
		testenv.Must(t, s.Reactions.Reconcile(t.Context(), model.ReactionLike, "ann", id))
		if got, err := e.Tweets.ViewerState(t.Context(), "ann", []model.TweetID{id}); err != nil || !got[id].Liked {
			t.Errorf("the month does not hold %s: %v", id, err)
		}
	}
	if losses.Count() == 0 {
		t.Error("no answer was lost")
	}
}

// TestPostsAtOnceWithLosses posts through two stores that lose half of the answers.
func TestPostsAtOnceWithLosses(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	authors := []model.UserID{"ann", "bob", "cat"}
	e.CreateUsers(t, authors...)
	stores := make([]*store.Store, 2)
	for i := range stores {
		stores[i], _ = e.Lossy(t, 0.5)
	}
	const n = 30
	made := make([]string, n)
	for _, err := range testenv.AtOnce(n, func(i int) error {
		tweet, err := stores[i%2].Tweets.CreateTweet(t.Context(), authors[i%3], model.Draft{Content: fmt.Sprint("post ", i)},
			model.Request{})
		if err == nil {
			made[i] = string(tweet.ID)
		}
		return err
	}) {
		testenv.Must(t, err)
	}
	slices.Sort(made)
	if got := e.IDs(t, model.Tweets); !slices.Equal(got, made) {
		t.Errorf("%d calls wrote %d tweets: %v, want %v", n, len(got), got, made)
	}
}

// The answer to the commit of a new tweet is lost, and the tweet is deleted before the client commits again. The tweet
// stays deleted.
func TestDeletedBeforeRepeatedCommit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	losses := storetest.LoseFirst(func() {
		for _, id := range e.IDs(t, model.Tweets) {
			testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, model.TweetID(id)))
		}
	})
	s := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	_, err := s.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "x"}, model.Request{})
	storetest.WantErr(t, err, errs.Unavailable, "unavailable")
	if got := e.IDs(t, model.Tombstones); losses.SentAgain() != 1 || len(got) != 1 {
		t.Fatalf("%d commits were sent again, want 1, and the tombstones are %v, want one", losses.SentAgain(), got)
	}
	if got := e.IDs(t, model.Tweets); len(got) > 0 {
		t.Errorf("the tweet is there again: %v", got)
	}
}
