package notifications_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

const anns = "notificationRequests/ann"

// policed is an environment whose ann has a notification policy.
type policed struct {
	*storetest.Env
	t testing.TB
}

func police(t *testing.T, p model.NotificationPolicyPatch, uids ...model.UserID) *policed {
	e := &policed{storetest.Open(t, store.Options{CacheTTL: time.Nanosecond}), t}
	e.CreateUsers(t, append(uids, "ann")...)
	e.policy(p)
	return e
}

func (e *policed) policy(p model.NotificationPolicyPatch) {
	e.t.Helper()
	_, err := e.Settings.ChangePolicy(e.t.Context(), "ann", p)
	testenv.Must(e.t, err)
}

// event is an event of ann, by a user. Each is another one.
func (e *policed) event(by model.UserID, kind model.NotificationKind, tweet model.TweetID) *model.NotificationEvent {
	e.Clock.Add(time.Minute) // the list is cold
	return model.FactNotificationEvent(kind, "ann", model.NotificationEventPayload{UserID: by, TweetID: tweet},
		e.Clock.Now())
}

func (e *policed) notify(n *model.NotificationEvent) {
	e.t.Helper()
	testenv.Must(e.t, e.NotificationEvents.Notify(e.t.Context(), n))
}

// are checks what is in the requests, as "bob 2", and how many notifications are unread.
func (e *policed) are(what string, unread int64, want ...string) {
	e.t.Helper()
	is, err := e.Settings.Requests(e.t.Context(), "ann")
	testenv.Must(e.t, err)
	var got []string
	for _, uid := range is.Senders() {
		got = append(got, fmt.Sprint(uid, " ", len(is.Of(uid).Events)))
	}
	if !slices.Equal(got, want) {
		e.t.Errorf("%s: the requests are %q, want %q", what, got, want)
	}
	n, err := e.NotificationEvents.Unread(e.t.Context(), "ann")
	if err != nil || n != unread {
		e.t.Errorf("%s: %d notifications are unread, %v, want %d", what, n, err, unread)
	}
}

func (e *policed) flush() {
	e.t.Helper()
	testenv.Must(e.t, e.NotificationEvents.FlushAll(e.t.Context(), model.NotificationEventPartitionOf("ann")))
}

func (e *policed) accept(uid model.UserID) {
	e.t.Helper()
	testenv.Must(e.t, e.Settings.AcceptRequest(e.t.Context(), "ann", uid))
	e.flush()
}

var (
	filter = new(model.SenderFilter)
	drop   = new(model.SenderDrop)
	accept = new(model.SenderAccept)
)

// Each group of senders has an action. The strictest counts. What the user asked for is never filtered.
func TestPolicy(t *testing.T) {
	t.Parallel()
	private := model.FactNotificationEvent(model.NotificationMention, "ann", model.NotificationEventPayload{UserID: "bob",
		TweetID: liked}, time.Now())
	private.Private = true
	for what, test := range map[string]struct {
		policy                      model.NotificationPolicyPatch
		stranger, followed, follows model.SenderAction // of a mention by such a sender with an old account
		young, secret               model.SenderAction // by a stranger
	}{
		"default": {model.NotificationPolicyPatch{}, "accept", "accept", "accept", "accept", "accept"},
		"not followed": {model.NotificationPolicyPatch{NotFollowed: filter},
			"filter", "accept", "filter", "filter", "filter"},
		"no followers": {model.NotificationPolicyPatch{NotFollowers: filter},
			"filter", "filter", "accept", "filter", "filter"},
		"new accounts": {model.NotificationPolicyPatch{NewAccounts: drop},
			"accept", "accept", "accept", "drop", "accept"},
		"private": {model.NotificationPolicyPatch{PrivateMentions: drop},
			"accept", "accept", "accept", "accept", "drop"},
		"the strictest": {model.NotificationPolicyPatch{NotFollowed: filter, PrivateMentions: drop, NotFollowers: accept},
			"filter", "accept", "filter", "filter", "drop"},
	} {
		var is model.NotificationChoice
		_, err := is.ChangePolicy(test.policy)
		testenv.Must(t, err)
		of := func(n *model.NotificationEvent, s model.Sender, age time.Duration) model.SenderAction {
			s.CreatedAt = n.At.Add(-age)
			return is.Policy.Of(n, s)
		}
		open := *private
		open.Private = false
		const month = 30 * 24 * time.Hour
		got := []model.SenderAction{of(&open, model.Sender{}, month), of(&open, model.Sender{Followed: true}, month),
			of(&open, model.Sender{Follows: true}, month), of(&open, model.Sender{}, month-1),
			of(private, model.Sender{}, month)}
		want := []model.SenderAction{test.stranger, test.followed, test.follows, test.young, test.secret}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the actions are %q, want %q", what, got, want)
		}
		if got := of(private, model.Sender{Followed: true, Follows: true}, month); got != "accept" {
			t.Errorf("%s: a private mention by a friend is %q", what, got)
		}
		for _, kind := range []model.NotificationKind{model.NotificationOrder, model.NotificationPoll,
			model.NotificationEdit, model.NotificationPost} {
			if got := of(&model.NotificationEvent{Type: kind, Private: true}, model.Sender{}, 0); got != "accept" {
				t.Errorf("%s: an event of kind %s is %q", what, kind, got)
			}
		}
	}
	var is model.NotificationChoice
	_, err := is.ChangePolicy(model.NotificationPolicyPatch{NewAccounts: new(model.SenderAction("hide"))})
	storetest.WantErr(t, err, errs.Invalid, "invalid_action")
	if is.Policy != nil {
		t.Errorf("the policy is %+v", is.Policy)
	}
}

// A default policy costs no read. A filtered event comes to the requests, a dropped one nowhere.
func TestFilter(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{}, "bob", "cat", "dan")
	costs := func(what string, n *model.NotificationEvent, reads, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			return e.NotificationEvents.Notify(ctx, n)
		}))
	}
	costs("Notify by default", e.event("bob", model.NotificationLike, liked), 3, 2)
	e.policy(model.NotificationPolicyPatch{NotFollowed: filter})
	costs("Notify, filtered", e.event("bob", model.NotificationLike, liked), 5, 2)
	twice := e.event("bob", model.NotificationFollow, "")
	costs("Notify, filtered again", twice, 5, 2)
	e.CoolDown()
	e.notify(twice)
	e.are("filtered", 1, "bob 2")
	if got := e.Doc(t, logged(twice)); got["filtered"] != true || got["dropped"] != true || got["on"] != nil ||
		got["between"] != "ann_bob" {
		t.Errorf("the log has %v", got)
	}
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "cat"))
	e.notify(e.event("cat", model.NotificationLike, "other"))
	e.notify(e.event("dan", model.NotificationOrder, ""))
	e.are("followed", 3, "bob 2")
	e.policy(model.NotificationPolicyPatch{NotFollowers: drop, NewAccounts: filter})
	costs("Notify, dropped", e.event("dan", model.NotificationLike, "third"), 6, 1)
	e.are("dropped", 3, "bob 2")
	_, err := e.Raw.Doc("relationships/dan_ann").Set(t.Context(), model.Relationship{FollowerID: "dan",
		FollowedID: "ann", CreatedAt: e.Clock.Now()})
	testenv.Must(t, err)
	e.notify(e.event("dan", model.NotificationLike, "third"))
	e.are("a follower with a new account", 3, "dan 1", "bob 2")
	e.policy(model.NotificationPolicyPatch{NotFollowed: accept})
	e.Clock.Add(30 * 24 * time.Hour)
	e.notify(e.event("dan", model.NotificationLike, "third"))
	e.are("a month later", 4, "dan 1", "bob 2")
	late := model.FactNotificationEvent(model.NotificationShare, "ann", model.NotificationEventPayload{UserID: "dan",
		TweetID: liked}, e.Clock.Now().Add(-30*24*time.Hour))
	e.notify(late)
	e.are("an event of a month ago", 4, "dan 2", "bob 2")
	e.Clock.Add(24 * time.Hour)
	e.are("after 31 days", 1)
	e.policy(model.NotificationPolicyPatch{NotFollowers: filter})
	e.notify(e.event("cat", model.NotificationLike, "third"))
	if got := e.Doc(t, anns)["requests"].(map[string]any); len(got) != 1 || got["cat"] == nil {
		t.Errorf("the expired requests are not removed: %v", got)
	}
}

// A like asks the policy before it says that nobody refuses its notification.
func TestPolicyOfYoungLike(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob")
	id := e.Tweet(t, "ann", "a spark").ID
	testenv.Must(t, e.Reactions.Like(t.Context(), "bob", id))
	if like := e.Doc(t, "likes/"+model.ReactionKey("bob", id)); like["allowedAt"] != nil {
		t.Errorf("the like is allowed at %v", like["allowedAt"])
	}
}

// A graph that is not whole does not say who is followed.
func TestPolicyWithoutGraph(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob", "cat")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	_, err := e.Raw.Doc("viewers/ann").Set(t.Context(), model.ViewerGraph{Partial: true})
	testenv.Must(t, err)
	e.notify(e.event("bob", model.NotificationLike, liked))
	e.notify(e.event("cat", model.NotificationLike, liked))
	e.are("no graph", 1, "cat 1")
}

// What was filtered comes to the list with the acceptance, once. The sender is let through until the user takes that
// back.
func TestAcceptRequest(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob", "cat")
	ctx := t.Context()
	storetest.WantErr(t, e.Settings.AcceptRequest(ctx, "ann", "bob"), errs.NotFound, "notification_request_not_found")
	like, follow := e.event("bob", model.NotificationLike, liked), e.event("bob", model.NotificationFollow, "")
	e.notify(like)
	e.notify(follow)
	e.notify(e.event("cat", model.NotificationFollow, ""))
	e.are("filtered", 0, "cat 1", "bob 2")
	testenv.Must(t, e.Tweets.MayWrite(ctx, "ann"))
	testenv.Must(t, storetest.Costs(t, "AcceptRequest", 5, 6, 0, func(ctx context.Context) error {
		return e.Settings.AcceptRequest(ctx, "ann", "bob")
	}))
	e.are("before the flush", 0, "cat 1")
	e.notify(like) // a repeated event
	testenv.Must(t, e.Settings.AcceptRequest(ctx, "ann", "bob"))
	e.flush()
	e.are("accepted", 2, "cat 1")
	e.accept("bob")
	e.notify(like)
	e.notify(e.event("bob", model.NotificationLike, "other"))
	e.are("accepted twice", 3, "cat 1")
	e.CoolDown()
	testenv.Must(t, e.NotificationEvents.Withdraw(ctx, like))
	e.are("withdrawn", 2, "cat 1")
	testenv.Must(t, e.Settings.Refuse(ctx, "ann", "bob"))
	e.notify(e.event("bob", model.NotificationLike, "third"))
	e.are("taken back", 2, "bob 1", "cat 1")
	if got := e.Doc(t, "viewers/ann")["choice"].(map[string]any)["accepted"]; got != nil {
		t.Errorf("the copy of the settings accepts %v", got)
	}
}

// A process that ends right after its commit leaves the flush that puts on what is accepted.
func TestAcceptRequestEnds(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob")
	e.notify(e.event("bob", model.NotificationLike, liked))
	ctx, end := context.WithCancel(t.Context())
	process := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req,
		reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		err := invoke(ctx, method, req, reply, conn, opts...)
		if commit, ok := req.(*pb.CommitRequest); ok && len(commit.GetWrites()) > 0 {
			end()
		}
		return err
	}}})
	_ = process.Settings.AcceptRequest(ctx, "ann", "bob")
	e.are("the process has ended", 0)
	if ctx.Err() == nil {
		t.Fatal("the process goes on")
	}
	if e.Doc(t, model.Flushes+"/"+model.NotificationEventPartitionOf("ann")) == nil {
		t.Error("no flush is asked for")
	}
	e.flush()
	e.are("after the flush", 1)
}

// Answers of the database that are lost change nothing about what a request does.
func TestRequestsLoseAnswers(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob", "cat")
	ctx := t.Context()
	for _, by := range []model.UserID{"bob", "cat"} {
		e.notify(e.event(by, model.NotificationLike, liked))
	}
	losses := storetest.LoseFirst(func() {})
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	testenv.Must(t, lossy.Settings.AcceptRequest(ctx, "ann", "bob"))
	losses = storetest.LoseFirst(func() {})
	lossy = e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	testenv.Must(t, lossy.Settings.DismissRequest(ctx, "ann", "cat"))
	e.flush()
	e.are("done", 1)
}

// A dismissed request is gone, and a repeated or late event does not bring it back. Another event makes a new one.
func TestDismissRequest(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob")
	ctx := t.Context()
	n := e.event("bob", model.NotificationLike, liked)
	e.notify(n)
	testenv.Must(t, e.Tweets.MayWrite(ctx, "ann"))
	testenv.Must(t, storetest.Costs(t, "DismissRequest", 1, 1, 0, func(ctx context.Context) error {
		return e.Settings.DismissRequest(ctx, "ann", "bob")
	}))
	storetest.WantErr(t, e.Settings.DismissRequest(ctx, "ann", "bob"), errs.NotFound, "notification_request_not_found")
	storetest.WantErr(t, e.Settings.AcceptRequest(ctx, "ann", "bob"), errs.NotFound, "notification_request_not_found")
	e.CoolDown()
	e.notify(n)
	testenv.Must(t, e.NotificationEvents.Withdraw(ctx, n))
	e.are("dismissed", 0)
	e.notify(e.event("bob", model.NotificationFollow, ""))
	e.are("another", 0, "bob 1")
	e.accept("bob")
	e.are("accepted: the dismissed one does not come", 1)
}

// A withdrawn event leaves the requests, in whatever order its events come, and no acceptance brings it back.
func TestWithdrawFiltered(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob", "cat")
	ctx := t.Context()
	like, follow, late := e.event("bob", model.NotificationLike, liked), e.event("bob", model.NotificationFollow, ""),
		e.event("bob", model.NotificationShare, liked)
	e.notify(like)
	e.notify(follow)
	testenv.Must(t, storetest.Costs(t, "Withdraw of a filtered event", 2, 2, 0, func(ctx context.Context) error {
		return e.NotificationEvents.Withdraw(ctx, like)
	}))
	testenv.Must(t, e.NotificationEvents.Withdraw(ctx, like))
	testenv.Must(t, e.NotificationEvents.Withdraw(ctx, late))
	e.notify(late)
	e.notify(like)
	e.are("withdrawn", 0, "bob 1")
	// It is withdrawn while it is pending after the acceptance.
	testenv.Must(t, e.Settings.AcceptRequest(ctx, "ann", "bob"))
	testenv.Must(t, e.NotificationEvents.Withdraw(ctx, follow))
	e.flush()
	e.are("withdrawn before the flush", 0)
	// A withdrawal that read before the acceptance reads again.
	cats := e.event("cat", model.NotificationLike, liked)
	e.notify(cats)
	process := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(anns), func() {
		e.accept("cat")
	})}})
	testenv.Must(t, process.NotificationEvents.Withdraw(ctx, cats))
	e.flush()
	e.are("withdrawn beside the acceptance", 0)
}

// The policy changes while an event is pending, and while one is being put on.
func TestPolicyChangesMeanwhile(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{}, "bob", "cat")
	ctx := t.Context()
	pending := e.event("bob", model.NotificationLike, liked)
	_, err := e.Raw.Doc(logged(pending)).Create(ctx, pending)
	testenv.Must(t, err)
	e.policy(model.NotificationPolicyPatch{NotFollowed: filter})
	e.flush()
	e.are("filtered by the flush", 0, "bob 1")
	e.policy(model.NotificationPolicyPatch{NotFollowed: drop})
	e.are("what is filtered stays", 0, "bob 1")
	testenv.Must(t, e.Settings.AcceptRequest(ctx, "ann", "bob"))
	testenv.Must(t, e.Settings.Refuse(ctx, "ann", "bob"))
	e.policy(model.NotificationPolicyPatch{NotFollowed: filter})
	e.flush()
	e.are("taken back before the flush", 0, "bob 1")
	// Two processes filter events of two senders at once.
	bobs, cats := e.event("bob", model.NotificationFollow, ""), e.event("cat", model.NotificationFollow, "")
	process := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(anns), func() {
		e.notify(cats)
	})}})
	testenv.Must(t, process.NotificationEvents.Notify(ctx, bobs))
	e.flush()
	e.are("two at once", 0, "cat 1", "bob 2")
}

// A filtered event sends no message to a device, and neither does a dropped one. Once it is accepted, it does.
func TestFilteredTellsNoDevice(t *testing.T) {
	t.Parallel()
	var sent []model.UserID
	e := &policed{storetest.Open(t, store.Options{CacheTTL: time.Nanosecond, SendToDevice: func(_ context.Context,
		_ model.UserID, _ model.Device, m model.DeviceMessage) (bool, error) {
		sent = append(sent, m.UserID)
		return false, nil
	}}), t}
	e.CreateUsers(t, "ann", "bob", "cat")
	testenv.Must(t, e.Devices.Put(t.Context(), "ann", "laptop", browser(t, "laptop")))
	e.policy(model.NotificationPolicyPatch{NotFollowed: filter})
	e.notify(e.event("bob", model.NotificationLike, liked))
	e.policy(model.NotificationPolicyPatch{NotFollowed: drop})
	e.notify(e.event("cat", model.NotificationLike, liked))
	if len(sent) > 0 {
		t.Errorf("the device was told of %q", sent)
	}
	e.accept("bob")
	if !slices.Equal(sent, []model.UserID{"bob"}) {
		t.Errorf("after the acceptance the device was told of %q", sent)
	}
}

// A follow asks the policy again about what was filtered of the followed user. Repeated and late events of follows make
// no difference.
func TestReleaseFollowed(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob", "cat")
	ctx := t.Context()
	release := func(what string, uid model.UserID, reads, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			return e.NotificationEvents.ReleaseFollowed(ctx, "ann", uid)
		}))
	}
	for _, by := range []model.UserID{"bob", "cat"} {
		e.notify(e.event(by, model.NotificationLike, model.TweetID("of "+by)))
		e.notify(e.event(by, model.NotificationFollow, ""))
	}
	e.notify(e.event("bob", model.NotificationMention, "mention"))
	release("the event of a follow that is gone", "cat", 1+2+2, 2+2)
	e.flush()
	e.are("who is not followed comes back", 0, "bob 3", "cat 2")
	e.deleteFlushes()
	testenv.Must(t, e.Graph.Follow(ctx, "ann", "bob"))
	release("ReleaseFollowed", "bob", 1+2+3, 2+3)
	e.are("before the flush", 0, "cat 2")
	release("ReleaseFollowed again", "bob", 1, 0)
	e.flush()
	e.are("followed", 3, "cat 2")

	// Another part of the policy still filters.
	e.policy(model.NotificationPolicyPatch{NewAccounts: filter})
	testenv.Must(t, e.Graph.Follow(ctx, "ann", "cat"))
	e.deleteFlushes()
	release("another part filters", "cat", 1+2+2, 2+2)
	e.flush()
	e.are("another part filters", 3, "cat 2")
	e.policy(model.NotificationPolicyPatch{NewAccounts: accept})
	losses := storetest.LoseFirst(func() {})
	lossy := e.Again(t, store.Options{Meter: meter.Options{Below: losses.Lose}})
	testenv.Must(t, lossy.NotificationEvents.ReleaseFollowed(ctx, "ann", "cat"))
	e.flush()
	e.are("released with a lost answer", 4)
}

// deleteFlushes deletes the work documents of flushes, as flushes do that begin.
func (e *policed) deleteFlushes() {
	e.t.Helper()
	for _, id := range e.IDs(e.t, model.Flushes) {
		_, err := e.Raw.Doc(model.Flushes + "/" + id).Delete(e.t.Context())
		testenv.Must(e.t, err)
	}
}

// The event of a follow is handled after the reads and before the commit of a notification event that is filtered.
func TestFollowedMeanwhile(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob")
	ctx := t.Context()
	process := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(anns), func() {
		testenv.Must(t, e.Graph.Follow(ctx, "ann", "bob"))
		testenv.Must(t, e.NotificationEvents.ReleaseFollowed(ctx, "ann", "bob"))
	})}})
	testenv.Must(t, process.NotificationEvents.Notify(ctx, e.event("bob", model.NotificationLike, liked)))
	e.flush()
	e.are("followed meanwhile", 1)
}

// A process that ends after its commit leaves the work document of the flush.
func TestReleaseEnds(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob")
	e.notify(e.event("bob", model.NotificationLike, liked))
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "bob"))
	ctx, end := context.WithCancel(t.Context())
	defer end()
	process := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req,
		reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		err := invoke(ctx, method, req, reply, conn, opts...)
		if commit, ok := req.(*pb.CommitRequest); ok && len(commit.GetWrites()) > 0 {
			end()
		}
		return err
	}}})
	_ = process.NotificationEvents.ReleaseFollowed(ctx, "ann", "bob")
	if e.are("the process ended", 0); len(e.IDs(t, model.Flushes)) != 1 {
		t.Error("no flush is to come")
	}
	e.flush()
	e.are("flushed", 1)
}

// A block removes what was filtered. A mute or a block of an accepted sender drops what comes later.
func TestBlockFiltered(t *testing.T) {
	t.Parallel()
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob", "cat")
	ctx := t.Context()
	e.notify(e.event("bob", model.NotificationLike, liked))
	e.notify(e.event("cat", model.NotificationLike, liked))
	testenv.Must(t, e.Graph.Block(ctx, "ann", "bob"))
	testenv.Must(t, e.NotificationEvents.WithdrawBlocked(ctx, "ann", "bob"))
	e.are("blocked", 0, "cat 1")
	testenv.Must(t, e.Settings.AcceptRequest(ctx, "ann", "cat"))
	testenv.Must(t, e.Graph.Block(ctx, "cat", "ann"))
	e.flush()
	e.are("blocked before the flush", 0)
}

// The requests have the newest 15 events of a sender, and the 100 senders with the newest ones, in any order of events.
func TestRequestBounds(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)
	var events []*model.NotificationEvent
	for i := range model.MaxFilteredEvents + 5 {
		events = append(events, model.FactNotificationEvent(model.NotificationLike, "ann",
			model.NotificationEventPayload{UserID: "bob", TweetID: liked}, begin.Add(time.Duration(i)*time.Second)))
	}
	for range 2 {
		var is model.NotificationRequests
		for _, n := range events {
			is.Add(n)
			is.Add(n)
		}
		got := is.Requests["bob"].Events
		if len(got) != model.MaxFilteredEvents || got[0].At != begin.Add(5*time.Second) {
			t.Errorf("there are %d events since %v", len(got), got[0].At)
		}
		for i := range model.MaxNotificationRequests {
			is.Add(model.FactNotificationEvent(model.NotificationFollow, "ann", model.NotificationEventPayload{
				UserID: model.UserID(fmt.Sprintf("u%03d", i))}, begin.Add(time.Hour+time.Duration(i)*time.Second)))
		}
		if all := is.Senders(); len(all) != model.MaxNotificationRequests || slices.Contains(all, "bob") ||
			all[0] != "u099" {
			t.Errorf("there are %d senders, first %s", len(all), all[0])
		}
		slices.Reverse(events)
	}
	e := police(t, model.NotificationPolicyPatch{NotFollowed: filter}, "bob")
	e.notify(e.event("bob", model.NotificationLike, liked))
	full := map[string]time.Time{}
	for i := range model.MaxAcceptedSenders {
		full[fmt.Sprint("u", i)] = begin
	}
	_, err := e.Raw.Doc("noticeSettings/ann").Set(t.Context(), map[string]any{"accepted": full})
	testenv.Must(t, err)
	storetest.WantErr(t, e.Settings.AcceptRequest(t.Context(), "ann", "bob"), errs.Conflict, "too_many_accepted_senders")
	e.are("too many are accepted", 0, "bob 1")
}
