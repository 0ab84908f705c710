package notifications_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// asks posts a tweet with a poll of five minutes.
func asks(t *testing.T, e *storetest.Env, to model.Audience) *model.Tweet {
	t.Helper()
	return e.Draft(t, "ann", model.Draft{Content: "which spark?", AllowLikes: true, Visibility: to,
		Poll: &model.NewPoll{Options: []string{"red", "gold"}, Minutes: 5}})
}

// ends sets the clock to the time of the notifications of a poll's end.
func ends(e *storetest.Env, t *model.Tweet) {
	e.Clock.Add(t.Poll.ClosesAt.Add(model.PollReconciles).Sub(e.Clock.Now()))
}

// votes writes votes in a poll, one a millisecond, as the API does.
func votes(t *testing.T, e *storetest.Env, tweet *model.Tweet, uids ...model.UserID) {
	t.Helper()
	votesAt(t, e, tweet, func(i int) time.Time {
		return tweet.Poll.ClosesAt.Add(-time.Minute + time.Duration(i)*time.Millisecond)
	}, uids...)
}

// votesAt writes votes in a poll, each at a time.
func votesAt(t *testing.T, e *storetest.Env, tweet *model.Tweet, at func(i int) time.Time, uids ...model.UserID) {
	t.Helper()
	b := e.Raw.BulkWriter(t.Context())
	var jobs []*firestore.BulkWriterJob
	for i, uid := range uids {
		job, err := b.Set(e.Raw.Doc(model.Votes+"/"+model.ReactionKey(uid, tweet.ID)), map[string]any{
			"userId": uid, "tweetId": tweet.ID, "authorId": "ann", "option": 1, "closesAt": tweet.Poll.ClosesAt,
			"createdAt": at(i),
		})
		testenv.Must(t, err)
		jobs = append(jobs, job)
	}
	b.End()
	for _, job := range jobs {
		_, err := job.Results()
		testenv.Must(t, err)
	}
}

// toldOf checks each user's number of notifications of the end of a poll.
func toldOf(t *testing.T, e *storetest.Env, what string, tweet *model.Tweet, want map[model.UserID]bool,
	uids ...model.UserID) {
	t.Helper()
	for _, uid := range uids {
		page, _, err := e.NotificationEvents.Notifications(t.Context(), uid, nil, model.Cursor{}, 20)
		testenv.Must(t, err)
		n := 0
		for _, one := range page.Items {
			if one.GroupKey != "poll:"+string(tweet.ID) {
				continue
			}
			if n++; one.CountUsers != 1 || len(one.Records) != 1 || one.Records[0].UserID != "ann" ||
				!one.Records[0].At.Equal(tweet.Poll.ClosesAt) || one.About() != tweet.ID {
				t.Errorf("%s: %s is told %+v", what, uid, one)
			}
		}
		if n > 1 || (n == 1) != want[uid] {
			t.Errorf("%s: %s is told %d times, want %v", what, uid, n, want[uid])
		}
	}
}

func never() bool { return false }

// The author and the voters, and no other user, are notified once that a poll has ended.
func TestNotifyPolls(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	all := []model.UserID{"ann", "bob", "cat", "dan", "eve", "fay"}
	e.CreateUsers(t, all...)
	ctx := t.Context()
	tweet := asks(t, e, model.Public)
	for _, uid := range []model.UserID{"bob", "cat", "dan"} {
		_, err := e.Polls.Vote(ctx, uid, tweet.ID, 1)
		testenv.Must(t, err)
	}
	votes(t, e, tweet, "bob", "cat", "dan") // at a time of the test's clock
	_, err := e.Raw.Doc(model.Votes+"/"+model.ReactionKey("fay", tweet.ID)).Set(ctx, map[string]any{
		"userId": "fay", "tweetId": tweet.ID, "authorId": "ann", "option": 1, "closesAt": tweet.Poll.ClosesAt,
		"createdAt": tweet.Poll.ClosesAt,
	})
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Block(ctx, "cat", "ann"))
	_, err = e.Settings.Switch(ctx, "dan", map[model.NotificationKind]bool{model.NotificationPoll: false})
	testenv.Must(t, err)
	notify := func(want int) func(context.Context) error {
		return func(ctx context.Context) error {
			n, err := e.NotificationEvents.NotifyPolls(ctx, never, nil)
			if n != want {
				t.Errorf("%d polls ended, want %d", n, want)
			}
			return err
		}
	}
	e.Clock.Add(5 * time.Minute)
	testenv.Must(t, storetest.Costs(t, "NotifyPolls, nothing due", 1, 0, 0, notify(0)))
	ends(e, tweet)
	// The poll, its tweet, four votes; three reads each for all users; three writes each for ann and bob.
	testenv.Must(t, storetest.Costs(t, "NotifyPolls", 1+1+4+3*3+3, 2*2+2*1+1, 0, notify(1)))
	want := map[model.UserID]bool{"ann": true, "bob": true}
	toldOf(t, e, "the end", tweet, want, all...)
	testenv.Must(t, storetest.Costs(t, "NotifyPolls, again", 1, 0, 0, notify(0)))
	doc := e.Doc(t, model.Polls+"/"+string(tweet.ID))
	if doc["endShard"] != nil || doc["toldTo"] != nil {
		t.Errorf("the poll is still due: %v", doc)
	}
	// A tick that was killed before it recorded its end notifies no user twice.
	_, err = e.Raw.Doc(model.Polls+"/"+string(tweet.ID)).Update(ctx, []firestore.Update{{Path: "endShard", Value: 3}})
	testenv.Must(t, err)
	testenv.Must(t, notify(1)(ctx))
	toldOf(t, e, "the end, again", tweet, want, all...)
}

// A deleted or flagged tweet notifies no user of its poll, nor does a poll that ended long ago. A tweet for followers
// notifies its followers.
func TestNotifyPollsHidden(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	ctx := t.Context()
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	gone, flagged, followers := asks(t, e, model.Public), asks(t, e, model.Public), asks(t, e, model.Followers)
	for _, tweet := range []*model.Tweet{gone, flagged, followers} {
		votes(t, e, tweet, "bob", "cat")
	}
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, gone.ID))
	_, err := e.Raw.Doc(model.Tweets+"/"+string(flagged.ID)).
		Update(ctx, []firestore.Update{{Path: "isViolative", Value: true}})
	testenv.Must(t, err)
	ends(e, followers)
	n, err := e.NotificationEvents.NotifyPolls(ctx, never, nil)
	testenv.Must(t, err)
	if n != 2 {
		t.Errorf("%d polls ended, want 2", n)
	}
	toldOf(t, e, "a deleted tweet", gone, nil, "ann", "bob", "cat")
	toldOf(t, e, "a flagged tweet", flagged, nil, "ann", "bob", "cat")
	toldOf(t, e, "a tweet for followers", followers, map[model.UserID]bool{"ann": true, "bob": true}, "ann", "bob", "cat")
	late := asks(t, e, model.Public)
	votes(t, e, late, "bob")
	e.Clock.Add(5*time.Minute + model.MaxLate)
	_, err = e.NotificationEvents.NotifyPolls(ctx, never, nil)
	testenv.Must(t, err)
	toldOf(t, e, "an old poll", late, nil, "ann", "bob")
	if doc := e.Doc(t, model.Polls+"/"+string(late.ID)); doc["endShard"] != nil {
		t.Errorf("an old poll is still due: %v", doc)
	}
}

// Many voters are notified by several calls that have no time, that are killed, and that are concurrent. Each voter is
// notified once.
func TestNotifyPollsOfMany(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{FlushAfter: time.Millisecond})
	e.CreateUsers(t, "ann")
	tweet := asks(t, e, model.Public)
	many := make([]model.UserID, 250)
	want := map[model.UserID]bool{"ann": true}
	for i := range many {
		many[i] = model.UserID(fmt.Sprintf("user%03d", i))
		want[many[i]] = true
	}
	votes(t, e, tweet, many...)
	ends(e, tweet)
	step := func(ctx context.Context) (ended int, err error) {
		looks := 0
		return e.NotificationEvents.NotifyPolls(ctx, func() bool { looks++; return looks > 2 }, nil) // time for one page
	}
	killed, kill := context.WithCancel(t.Context())
	kill()
	for calls := 0; ; calls++ {
		if calls > 10 {
			t.Fatal("the poll does not end")
		}
		if _, err := step(killed); !errors.Is(err, context.Canceled) && err == nil {
			t.Error("a call that was killed says that it is done")
		}
		var ended [2]int
		var g errgroup.Group
		for i := range ended {
			g.Go(func() error {
				return testenv.Patiently(func() (err error) { ended[i], err = step(t.Context()); return err })
			})
		}
		testenv.Must(t, g.Wait())
		if calls == 0 {
			if doc := e.Doc(t, model.Polls+"/"+string(tweet.ID)); doc["toldTo"] == nil || ended != [2]int{} {
				t.Errorf("after one page of voters %d polls ended, and the poll is %v", ended, doc)
			}
		}
		if ended[0]+ended[1] > 0 {
			break
		}
	}
	for _, flush := range e.IDs(t, model.Flushes) {
		testenv.Must(t, e.NotificationEvents.Flush(t.Context(), model.FlushWork{Partition: flush}))
	}
	toldOf(t, e, "the end", tweet, want, append(many, "ann")...)
}

// All voters of one moment are notified though a page has fewer, also when a page ends among them and another call goes
// on from there.
func TestNotifyPollsOfOneMoment(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{FlushAfter: time.Millisecond})
	e.CreateUsers(t, "ann")
	tweet := asks(t, e, model.Public)
	many := make([]model.UserID, 102)
	want := map[model.UserID]bool{"ann": true}
	for i := range many {
		many[i] = model.UserID(fmt.Sprintf("user%03d", i))
		want[many[i]] = true
	}
	votesAt(t, e, tweet, func(int) time.Time { return tweet.Poll.ClosesAt.Add(-time.Minute) }, many...)
	ends(e, tweet)
	looks := 0
	// time for one page
	ended, err := e.NotificationEvents.NotifyPolls(t.Context(), func() bool { looks++; return looks > 2 }, nil)
	testenv.Must(t, err)
	if ended != 0 || e.Doc(t, model.Polls+"/"+string(tweet.ID))["toldTo"] == nil {
		t.Fatalf("%d polls ended within one page", ended)
	}
	ended, err = e.NotificationEvents.NotifyPolls(t.Context(), never, nil)
	testenv.Must(t, err)
	if ended != 1 {
		t.Errorf("%d polls ended, want 1", ended)
	}
	for _, flush := range e.IDs(t, model.Flushes) {
		testenv.Must(t, e.NotificationEvents.Flush(t.Context(), model.FlushWork{Partition: flush}))
	}
	toldOf(t, e, "the end", tweet, want, append(many, "ann")...)
}
