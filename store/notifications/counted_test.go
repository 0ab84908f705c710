package notifications_test

import (
	"context"
	"fmt"
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

// likes counts and notifies, without a stack, as the functions do for likes of one tweet of ann's.
type likes struct {
	*storetest.Env
	t  *testing.T
	id model.TweetID
}

func startLikes(t *testing.T) *likes {
	t.Helper()
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Minute})
	e.CreateUsers(t, "ann", "bob", "cat")
	return &likes{e, t, e.Tweet(t, "ann", "a spark").ID}
}

// like is a like that a user gives now.
func (e *likes) like(by model.UserID) model.Like {
	e.Clock.Add(4 * time.Second)
	l := model.Like{UserID: by, TweetID: e.id, AuthorID: "ann", CreatedAt: e.Clock.Now()}
	_, err := e.Raw.Doc("likes/"+model.ReactionKey(by, e.id)).Set(e.t.Context(), l)
	testenv.Must(e.t, err)
	return l
}

// notice is the path of a like's notification event.
func notice(l model.Like) (*model.NotificationEvent, string) {
	n := model.FactNotificationEvent(model.NotificationLike, l.AuthorID, model.NotificationEventPayload{UserID: l.UserID,
		TweetID: l.TweetID}, l.CreatedAt)
	return n, logged(n)
}

// deliver returns the delivery of the creation or deletion of a like to a process.
func deliver(s *store.Store, l model.Like, by int64) func(context.Context) error {
	n, _ := notice(l)
	return func(ctx context.Context) error {
		effect := s.Counters.Reaction(counters.IdempotencyRecord{EventID: fmt.Sprint(n.ID, by), Function: "F"}, l, by)
		if by < 0 {
			return s.NotificationEvents.WithdrawAndCount(ctx, n, effect)
		}
		return s.NotificationEvents.NotifyAndCount(ctx, n, effect)
	}
}

// counts checks the count with its shards, the number of users on the notification, and the idempotency records.
func (e *likes) counts(what string, want, users int64, records int) {
	e.t.Helper()
	testenv.Must(e.t, e.NotificationEvents.FlushAll(e.t.Context(), model.NotificationEventPartitionOf("ann")))
	_, err := e.Counters.RollUpNow(e.t.Context(), model.RollUpWork{Collection: model.Tweets, ID: string(e.id)})
	testenv.Must(e.t, err)
	got, _ := e.Doc(e.t, "tweets/"+string(e.id))["likeCount"].(int64)
	on, _ := e.Notification(e.t, "ann", "like:"+string(e.id)+"_2026-11-15")["countUsers"].(int64)
	if n := len(e.IDs(e.t, model.ProcessedEvents)); got != want || on != users || n != records {
		e.t.Errorf("%s: likeCount %d, %d users on the notification, %d records; want %d, %d, %d", what, got, on, n, want,
			users, records)
	}
}

// One commit counts a like and notifies its author, and one takes both back. Repeated events change nothing, in this
// process and in another.
func TestCountedOnce(t *testing.T) {
	e := startLikes(t)
	other := e.Again(t, store.Options{WriteEvery: time.Minute})
	first := e.like("bob")
	testenv.Must(t, storetest.Costs(t, "a like", 3, 3, 0, deliver(e.Store, first, 1)))
	if _, path := notice(first); len(e.Doc(t, path)["counted"].(map[string]any)) != 1 {
		t.Errorf("the notice is %v, want it with a mark", e.Doc(t, path))
	}
	for _, s := range []*store.Store{e.Store, other} {
		testenv.Must(t, deliver(s, first, 1)(t.Context()))
	}
	e.counts("a like", 1, 1, 0)
	e.CoolDown()
	testenv.Must(t, storetest.Costs(t, "an unlike", 2, 3, 0, deliver(e.Store, first, -1)))
	for _, s := range []*store.Store{e.Store, other} {
		testenv.Must(t, storetest.Costs(t, "an unlike, again", 1, 0, 0, deliver(s, first, -1)))
		testenv.Must(t, deliver(s, first, 1)(t.Context()))
	}
	e.counts("an unlike", 0, 0, 0)
	again := e.like("bob")
	testenv.Must(t, deliver(e.Store, again, 1)(t.Context()))
	testenv.Must(t, deliver(other, again, 1)(t.Context()))
	e.counts("given again", 1, 1, 0)
}

// The end of a like comes before its beginning. Both count once, in any order of the repetitions.
func TestCountedBackwards(t *testing.T) {
	e := startLikes(t)
	l := e.like("bob")
	for range 2 {
		testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
		e.CoolDown()
	}
	e.counts("the end", -1, 0, 1)
	for range 2 {
		testenv.Must(t, deliver(e.Store, l, 1)(t.Context()))
		testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
		e.CoolDown()
	}
	e.counts("the end and the beginning", 0, 0, 2)
}

// Eight deliveries of each event at once, of one process and of two, count once each. The notification and the counter
// are hot.
func TestCountedAtOnce(t *testing.T) {
	e := startLikes(t)
	processes := []*store.Store{e.Store, e.Again(t, store.Options{WriteEvery: time.Minute})}
	var some []model.Like
	for i := range 3 {
		some = append(some, e.like(model.UserID(fmt.Sprint("fan_", i))))
	}
	for _, by := range []int64{1, -1} {
		for _, err := range testenv.AtOnce(8*len(some), func(i int) error {
			return testenv.Patiently(func() error { return deliver(processes[i%2], some[i/8], by)(t.Context()) })
		}) {
			testenv.Must(t, err)
		}
		want := (by + 1) / 2 * int64(len(some))
		e.counts(fmt.Sprint("counted by ", by), want, want, 0)
		e.CoolDown()
	}
}

// A process ends after a commit that counted in a shard, before it enqueues the roll-up. The event comes again to a
// process for which the counter is cold.
func TestCountedInShard(t *testing.T) {
	for _, by := range []int64{1, -1} {
		t.Run(fmt.Sprint(by), func(t *testing.T) {
			e := startLikes(t)
			l := e.like("bob")
			if by < 0 {
				testenv.Must(t, deliver(e.Store, l, 1)(t.Context()))
			}
			dying := e.Again(t, store.Options{WriteEvery: time.Minute, Meter: meter.Options{Below: func(ctx context.Context,
				method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
				commit, _ := req.(*firestorepb.CommitRequest)
				for _, w := range commit.GetWrites() {
					if strings.Contains(w.GetUpdate().GetName(), "/documents/"+model.RollUps+"/") {
						return status.Error(codes.Aborted, "the process ended")
					}
				}
				return invoke(ctx, method, req, reply, conn, opts...)
			}}})
			dying.Counters.Reaction(counters.IdempotencyRecord{}, l, 1) // the counter becomes hot
			if deliver(dying, l, by)(t.Context()) == nil {
				t.Fatal("the process did not end")
			}
			if got := len(e.IDs(t, "tweets/"+string(e.id)+"/"+model.Shards)); got != 1 {
				t.Fatalf("%d shards, want 1", got)
			}
			testenv.Must(t, deliver(e.Store, l, by)(t.Context()))
			if got := len(e.IDs(t, model.RollUps)); got != 1 {
				t.Errorf("%d roll-ups are asked for, want 1", got)
			}
			e.counts("after the crash", (by+1)/2, (by+1)/2, 0)
		})
	}
}

// The answer to every commit is lost once, and the client sends the commit again.
func TestCountedThoughAnswersAreLost(t *testing.T) {
	e := startLikes(t)
	lossy := e.Again(t, store.Options{WriteEvery: time.Minute,
		Meter: meter.Options{Below: storetest.LoseAnswers(1, 1).Lose}})
	l := e.like("bob")
	testenv.Must(t, deliver(lossy, l, 1)(t.Context()))
	e.counts("a like", 1, 1, 0)
	e.CoolDown()
	testenv.Must(t, deliver(lossy, l, -1)(t.Context()))
	e.counts("an unlike", 0, 0, 0)
}

// A notification event that is dropped has the mark.
func TestCountedWithoutNotification(t *testing.T) {
	e := startLikes(t)
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	_, err := e.Settings.Switch(t.Context(), "ann", map[model.NotificationKind]bool{model.NotificationLike: false})
	testenv.Must(t, err)
	for i, by := range []model.UserID{"bob", "cat", "bob", "cat"} {
		l, reads := e.like(by), int64(3)
		if i > 1 { // without the document of ann's graph
			_, err := e.Raw.Doc("viewers/ann").Delete(t.Context())
			testenv.Must(t, err)
			reads = 6
		}
		testenv.Must(t, storetest.Costs(t, "a dropped like", reads, 2, 0, deliver(e.Store, l, 1)))
		testenv.Must(t, deliver(e.Store, l, 1)(t.Context()))
		e.counts("dropped", int64(1), 0, i)
		e.CoolDown()
		for range 2 {
			testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
		}
		e.counts("dropped and withdrawn", 0, 0, i+1)
	}
}

// The tweet of a new like is gone. The like goes, too, and its event does not fail.
func TestCountedOfGoneTweet(t *testing.T) {
	e := startLikes(t)
	for _, hot := range []bool{false, true} {
		l := e.like("bob")
		if hot {
			e.Counters.Reaction(counters.IdempotencyRecord{}, &l, 1) // the counter becomes hot
		} else {
			_, err := e.Raw.Doc("tweets/" + string(e.id)).Delete(t.Context())
			testenv.Must(t, err)
		}
		testenv.Must(t, deliver(e.Store, l, 1)(t.Context()))
		shards := "tweets/" + string(e.id) + "/" + model.Shards
		if hot && len(e.IDs(t, shards)) == 0 {
			t.Fatal("the like is in no shard, so the test shows nothing")
		}
		testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
		testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
		found, err := e.Counters.RollUpNow(t.Context(), model.RollUpWork{Collection: model.Tweets, ID: string(e.id)})
		testenv.Must(t, err)
		if left := e.IDs(t, shards); found || len(left) > 0 {
			t.Errorf("a tweet that is gone has the shards %v; the roll-up found it: %t", left, found)
		}
		// After the roll-up of a hot counter its function cleans up.
		if !hot && e.Doc(t, "likes/"+model.ReactionKey("bob", e.id)) != nil {
			t.Error("the like of a tweet that is gone is there")
		}
		if e.Doc(t, "tweets/"+string(e.id)) != nil {
			t.Error("counting brought a deleted tweet back")
		}
	}
}

// An old like may be counted with an idempotency record in one process, and with its notification event in another.
func TestCountedOldLike(t *testing.T) {
	for _, age := range []time.Duration{13 * time.Hour, 26 * time.Hour} {
		for _, there := range []bool{false, true} {
			t.Run(fmt.Sprint(age, there), func(t *testing.T) {
				e := startLikes(t)
				l := e.like("bob")
				if there {
					testenv.Must(t, deliver(e.Store, l, 1)(t.Context()))
				}
				behind := e.Again(t, store.Options{WriteEvery: time.Minute,
					Now: func() time.Time { return l.CreatedAt.Add(age - 2*time.Hour) }})
				e.Clock.Add(age)
				testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
				if _, path := notice(l); !there && age < 25*time.Hour {
					_, err := e.Raw.Doc(path).Delete(t.Context()) // as if the other process had written none
					testenv.Must(t, err)
				}
				testenv.Must(t, deliver(behind, l, -1)(t.Context()))
				testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
				want := int64(-1)
				if there {
					want = 0
				}
				e.counts("an old like", want, 0, 1)
			})
		}
	}
}

// A notification event has room for eight marks. Further events have idempotency records.
func TestCountMarksAreFew(t *testing.T) {
	e := startLikes(t)
	l := e.like("bob")
	testenv.Must(t, deliver(e.Store, l, 1)(t.Context()))
	_, path := notice(l)
	for i := range model.MaxCountMarks - 1 {
		_, err := e.Raw.Doc(path).Update(t.Context(), []firestore.Update{{
			FieldPath: firestore.FieldPath{"counted", fmt.Sprint("other", i)}, Value: false}})
		testenv.Must(t, err)
	}
	e.CoolDown()
	for range 2 {
		testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
		testenv.Must(t, deliver(e.Store, l, 1)(t.Context()))
	}
	if got := len(e.Doc(t, path)["counted"].(map[string]any)); got != model.MaxCountMarks {
		t.Errorf("%d marks, want %d", got, model.MaxCountMarks)
	}
	e.counts("full", 0, 0, 1)
}

// A like of a remote user's tweet is counted, and leaves no notification: nobody would read it here.
func TestCountedOfRemoteUser(t *testing.T) {
	e := startLikes(t)
	author := model.RemoteUserID("https://social.example/users/bob")
	l := e.like("bob")
	l.AuthorID = author
	testenv.Must(t, deliver(e.Store, l, 1)(t.Context()))
	if _, path := notice(l); e.Doc(t, path) != nil {
		t.Errorf("there is a notification event: %v", e.Doc(t, path))
	}
	if got := e.Doc(t, "tweets/"+string(e.id))["likeCount"]; got != int64(1) {
		t.Errorf("the tweet has %v likes", got)
	}
	testenv.Must(t, deliver(e.Store, l, -1)(t.Context()))
	if got := e.Doc(t, "tweets/"+string(e.id))["likeCount"]; got != int64(0) {
		t.Errorf("after the end of the like the tweet has %v likes", got)
	}
}
