package timelines_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestDeliverCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	follow(t, e, "bob", "ann")
	var want []model.TweetID
	for _, test := range []struct {
		visibility           model.Audience
		reads, writes, again int64
	}{{model.Public, 2, 2, 1}, {model.Followers, 2, 3, 2}, {model.Mentioned, 0, 0, 0}} {
		tweet := e.Draft(t, "ann", model.Draft{Content: "x", Visibility: test.visibility})
		out := func(ctx context.Context) error { return e.Timelines.Deliver(ctx, tweet) }
		testenv.Must(t, storetest.Costs(t, "Deliver", test.reads, test.writes, 0, out))
		testenv.Must(t, storetest.Costs(t, "Deliver again", test.reads, test.again, 0, out))
		if test.visibility != model.Mentioned {
			want = slices.Insert(want, 0, tweet.ID)
		}
	}
	wantHome(t, "delivered twice", e, "bob", want)
	wantHome(t, "of no follower", e, "cat", []model.TweetID{})
}

// The events of a tweet come late, twice and in another order: the tweet was deleted, flagged or edited before.
func TestDeliverLate(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{time.Millisecond, time.Hour} {
		e := storetest.Open(t, store.Options{})
		e.CreateUsers(t, "ann", "bob", "cat")
		follow(t, e, "bob", "ann")
		tweets := make([]*model.Tweet, 5)
		var want []model.TweetID
		for i := range tweets {
			e.Clock.Add(time.Second)
			tweets[i] = e.Tweet(t, "ann", "x")
			want = slices.Insert(want, 0, tweets[i].ID)
		}
		deleted, flagged, secret := tweets[1], tweets[2], tweets[3]
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, deleted.ID))
		testenv.Must(t, e.Previews.Update(t.Context(), deleted.ID, deleted, nil))
		testenv.Must(t, e.Tweets.Flag(t.Context(), flagged.ID, true))
		_, err := e.Edits.Edit(t.Context(), "ann", secret.ID, model.TweetPatch{Visibility: new(model.Followers)}, nil)
		testenv.Must(t, err)
		e.Clock.Add(late)
		for range 2 {
			for _, tweet := range slices.Backward(tweets) {
				testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
			}
		}
		want = slices.Delete(want, 2, 4)
		wantHome(t, "late", e, "bob", want)
		for _, path := range []string{"tweetMonths/ann_2026-11", "heads/ann"} {
			if got := positionsIn(t, e, path, "tweets"); len(got) != 2 || got[0] != tweets[4].ID.Position() {
				t.Errorf("%v late, %s has %v, want the first and the last tweet", late, path, got)
			}
		}
		testenv.Must(t, e.Tweets.Flag(t.Context(), flagged.ID, false))
		flagged.IsViolative = true
		testenv.Must(t, e.Previews.Update(t.Context(), flagged.ID, flagged, tweets[0]))
		wantHome(t, "no longer flagged", e, "bob", slices.Insert(want, 2, flagged.ID))
		testenv.Must(t, e.Graph.Unfollow(t.Context(), "bob", "ann"))
		testenv.Must(t, e.Graph.Follow(t.Context(), "cat", "bob"))
		wantHome(t, "left", e, "bob", []model.TweetID{})
	}
}

// The function of a tweet ends between month and head. Its event comes again, after that of a later tweet.
func TestDeliverEndsBeforeHead(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e, "bob", "ann")
	first := e.Tweet(t, "ann", "x")
	dying := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req, reply any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		commit, _ := req.(*pb.CommitRequest)
		if slices.ContainsFunc(commit.GetWrites(), func(w *pb.Write) bool {
			return strings.HasSuffix(w.GetUpdate().GetName(), "/heads/ann")
		}) {
			return errors.New("the process ended")
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	if err := dying.Timelines.Deliver(t.Context(), first); err == nil {
		t.Fatal("the function did not end")
	}
	if got := positionsIn(t, e, "tweetMonths/ann_2026-11", "tweets"); len(got) != 1 {
		t.Fatalf("the month has %v", got)
	}
	want := deliver(t, e, "ann", 1)
	wantHome(t, "the head lacks a tweet", e, "bob", want)
	e.Clock.Add(10 * time.Minute)
	testenv.Must(t, e.Timelines.Deliver(t.Context(), first))
	wantHome(t, "the event came again", e, "bob", append(want, first.ID))
}

// A tweet is deleted after a page read the head that has it: the page is as long as it should be.
func TestDeletedAfterHead(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	follow(t, e, "bob", "ann")
	ids := deliver(t, e, "ann", 6)
	other := e.Again(t, store.Options{Meter: meterAfterRead("heads/ann", func() {
		testenv.Must(t, e.Tweets.DeleteTweet(t.Context(), "ann", false, ids[1]))
		testenv.Must(t, e.Tweets.Flag(t.Context(), ids[2], true))
	})})
	items, _, _, err := other.Timelines.Home(t.Context(), "bob", "", "", 3)
	testenv.Must(t, err)
	if got, want := idsOf(items), []model.TweetID{ids[0], ids[3], ids[4]}; !slices.Equal(got, want) {
		t.Errorf("the page has %v, want %v", got, want)
	}
}
