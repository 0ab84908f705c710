package notifications_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// posts returns how many posts of an author the notifications of a user count.
func posts(t *testing.T, e *storetest.Env, uid model.UserID) (n int64) {
	t.Helper()
	page, _, err := e.NotificationEvents.Notifications(t.Context(), uid, nil, model.Cursor{}, 50)
	testenv.Must(t, err)
	for _, one := range page.Items {
		if one.GroupKey == string(model.NotificationPost) {
			n += one.CountTweets
		}
	}
	return n
}

// Subscribers hear of posts and replies to their author, once, and of nothing else. A deleted post is withdrawn, also
// if its deletion is heard of first. Who follows no more hears nothing, also after another follow.
func TestSubscribers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	ctx := t.Context()
	want := func(n int64) {
		t.Helper()
		if got := posts(t, e, "bob"); got != n {
			t.Errorf("bob was told of %d posts, want %d", got, n)
		}
	}
	deliver := func(d model.Draft) *model.Tweet {
		t.Helper()
		e.CoolDown()
		tweet := e.Draft(t, "ann", d)
		for range 2 { // the event comes twice
			testenv.Must(t, e.Timelines.Deliver(ctx, tweet))
		}
		return tweet
	}
	remove := func(tweet *model.Tweet) {
		t.Helper()
		testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID))
		e.CoolDown()
		testenv.Must(t, e.NotificationEvents.WithdrawPost(ctx, "ann", tweet.ID))
	}
	deliver(model.Draft{Content: "nobody hears"})
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	testenv.Must(t, e.Graph.Follow(ctx, "cat", "ann"))
	testenv.Must(t, e.Graph.Subscribe(ctx, "bob", "ann"))
	want(0)
	first := deliver(model.Draft{Content: "one", AllowReplies: true})
	want(1)
	deliver(model.Draft{Content: "two", ReplyTo: &first.ID, AllowReplies: true})
	want(2)
	deliver(model.Draft{Content: "three", Visibility: model.Followers})
	want(3)
	deliver(model.Draft{Content: "for few", Visibility: model.Mentioned})
	other := e.Draft(t, "cat", model.Draft{Content: "cat's", AllowReplies: true})
	deliver(model.Draft{Content: "to another", ReplyTo: &other.ID})
	want(3)
	if n := posts(t, e, "cat"); n != 0 {
		t.Errorf("cat, who did not ask, was told of %d posts", n)
	}
	remove(first)
	want(2)
	late := e.Draft(t, "ann", model.Draft{Content: "gone before it is heard of"})
	remove(late)
	testenv.Must(t, e.Timelines.Deliver(ctx, late))
	want(2)

	_, err := e.Settings.Switch(ctx, "bob", map[model.NotificationKind]bool{model.NotificationPost: false})
	testenv.Must(t, err)
	deliver(model.Draft{Content: "not wanted"})
	want(2)
	_, err = e.Settings.Switch(ctx, "bob", map[model.NotificationKind]bool{model.NotificationPost: true})
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Mute(ctx, model.MutedUser{UserID: "bob", MutedID: "ann", Part: model.MuteAll,
		HideNotifications: true}, 0))
	deliver(model.Draft{Content: "muted"})
	want(2)
	testenv.Must(t, e.Graph.Unmute(ctx, "bob", "ann"))
	_, err = e.Graph.PutFilter(ctx, "bob", "f", model.Filter{Title: "f", Action: model.FilterHide,
		Contexts: []model.FilterContext{model.FilterNotifications}, Keywords: []model.FilterKeyword{{Keyword: "finale"}}})
	testenv.Must(t, err)
	deliver(model.Draft{Content: "the finale"})
	want(2)

	testenv.Must(t, e.Graph.RemoveFollower(ctx, "ann", "bob"))
	e.CoolDown()
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	deliver(model.Draft{Content: "after another follow"})
	want(2)
	if ids := e.IDs(t, model.Subscriptions); len(ids) != 0 {
		t.Errorf("the subscriptions are %q", ids)
	}
	testenv.Must(t, e.Graph.Subscribe(ctx, "bob", "ann"))
	deliver(model.Draft{Content: "again"})
	want(3)
	testenv.Must(t, e.Graph.Unsubscribe(ctx, "bob", "ann"))
	deliver(model.Draft{Content: "no more"})
	want(3)
	if _, there := e.Doc(t, "heads/ann")["subscribed"]; there {
		t.Error("the head of an author without subscribers is marked")
	}
	if n := len(e.Doc(t, "heads/ann")["tweets"].(map[string]any)); n < 5 {
		t.Errorf("the head has %d posts", n)
	}
}

// What a subscriber was told of a post leaves with the post, also after the end of the subscription and without a mark
// on the head. A withdrawal reads no subscriptions, and leaves nothing for who was not told.
func TestWithdrawPost(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	ctx := t.Context()
	for _, uid := range []model.UserID{"bob", "cat"} {
		testenv.Must(t, e.Graph.Follow(ctx, uid, "ann"))
	}
	withdraw := func(id model.TweetID, reads, writes int64) {
		t.Helper()
		e.CoolDown()
		testenv.Must(t, storetest.Costs(t, "WithdrawPost", reads, writes, 0, func(ctx context.Context) error {
			return e.NotificationEvents.WithdrawPost(ctx, "ann", id)
		}))
	}
	want := func(n int64) {
		t.Helper()
		if got := posts(t, e, "bob"); got != n {
			t.Errorf("bob was told of %d posts, want %d", got, n)
		}
	}
	early := e.Tweet(t, "ann", "before")
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Graph.Subscribe(ctx, "bob", "ann"))
	testenv.Must(t, e.Timelines.Deliver(ctx, early)) // the event comes again
	want(0)
	e.Clock.Add(time.Second)
	post, few := e.Tweet(t, "ann", "x"), e.Tweet(t, "ann", "y")
	testenv.Must(t, e.Timelines.Deliver(ctx, post))
	e.CoolDown()
	testenv.Must(t, e.Timelines.Deliver(ctx, few))
	want(2)
	testenv.Must(t, e.Graph.Unsubscribe(ctx, "bob", "ann"))
	testenv.Must(t, e.Graph.Subscribe(ctx, "cat", "ann")) // was told of nothing
	withdraw(post.ID, 1, 0)                               // it is there
	want(2)
	_, err := e.Edits.Edit(ctx, "ann", few.ID, model.TweetPatch{Visibility: new(model.Mentioned)}, nil)
	testenv.Must(t, err)
	withdraw(few.ID, 1+1+2, 2)
	want(1)
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, post.ID))
	withdraw(post.ID, 1+1+2, 2)
	withdraw(post.ID, 1+1+1, 0)
	want(0)
	testenv.Must(t, e.Timelines.Deliver(ctx, post)) // the event of its creation comes again
	want(0)
	e.Clock.Add(model.NotificationWindow)
	withdraw(post.ID, 0, 0)
}

// A post of an author without subscribers costs what it did.
func TestDeliveryWithoutSubscribers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat")
	deliver := func(reads, writes int64) {
		t.Helper()
		e.CoolDown()
		tweet := e.Tweet(t, "ann", "x")
		testenv.Must(t, storetest.Costs(t, "Deliver", reads, writes, 0, func(ctx context.Context) error {
			return e.Timelines.Deliver(ctx, tweet)
		}))
	}
	deliver(2, 2)
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	testenv.Must(t, storetest.Costs(t, "Subscribe", 2+1+2, 2, 0, func(ctx context.Context) error {
		return e.Graph.Subscribe(ctx, "bob", "ann")
	}))
	testenv.Must(t, storetest.Costs(t, "Subscribe again", 2, 0, 0, func(ctx context.Context) error {
		return e.Graph.Subscribe(ctx, "bob", "ann")
	}))
	testenv.Must(t, e.Graph.Follow(t.Context(), "cat", "ann"))
	testenv.Must(t, storetest.Costs(t, "Subscribe beside another", 2+1+2, 1, 0, func(ctx context.Context) error {
		return e.Graph.Subscribe(ctx, "cat", "ann")
	}))
	testenv.Must(t, e.Graph.Unsubscribe(t.Context(), "cat", "ann"))
	deliver(2+1+2+3+1, 2+2) // the post is read again at the end
	testenv.Must(t, storetest.Costs(t, "Unsubscribe", 0, 0, 1, func(ctx context.Context) error {
		return e.Graph.Unsubscribe(ctx, "bob", "ann")
	}))
	deliver(2+1+1+2, 2+1)
	deliver(2, 2)
}

// The work for many subscribers goes on in steps, from where the last one ended, and an event that comes late does
// nothing.
func TestPostRunInSteps(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{StepTime: time.Nanosecond})
	const many = 70
	e.CreateUsers(t, "ann")
	var uids []model.UserID
	for n := range many {
		uids = append(uids, model.UserID(fmt.Sprintf("user_%02d", n)))
	}
	e.CreateUsers(t, uids...)
	for _, uid := range uids {
		testenv.Must(t, e.Graph.Follow(t.Context(), uid, "ann"))
		testenv.Must(t, e.Graph.Subscribe(t.Context(), uid, "ann"))
	}
	tweet := e.Tweet(t, "ann", "x")
	testenv.Must(t, e.Timelines.Deliver(t.Context(), tweet))
	steps := 0
	for ; len(e.IDs(t, model.PostRuns)) > 0 && steps < 10; steps++ {
		snap, err := e.Raw.Doc(model.PostRuns + "/" + string(tweet.ID)).Get(t.Context())
		testenv.Must(t, err)
		var run model.PostRun
		testenv.Must(t, snap.DataTo(&run))
		run.WrittenAt = snap.UpdateTime.Add(-time.Second)
		testenv.Must(t, e.NotificationEvents.ContinuePostRun(t.Context(), run)) // a late event
		run.WrittenAt = snap.UpdateTime
		testenv.Must(t, e.NotificationEvents.ContinuePostRun(t.Context(), run))
	}
	if steps != 2 {
		t.Errorf("%d steps follow the first, want 2", steps)
	}
	for _, uid := range uids {
		n, err := e.NotificationEvents.NotificationEvent(t.Context(), model.PostNotificationEvent(tweet.ID, "ann", uid).ID)
		testenv.Must(t, err)
		if n.Dropped || n.Withdrawn || n.UserID != uid {
			t.Errorf("%s was told %+v", uid, n)
		}
	}
}

// An author whose head was lost takes subscriptions, and the head that the next post makes has the mark. A user who has
// left takes none.
func TestSubscribeWithoutHead(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	ctx := t.Context()
	testenv.Must(t, e.Graph.Follow(ctx, "bob", "ann"))
	_, err := e.Raw.Doc("heads/ann").Delete(ctx)
	testenv.Must(t, err)
	testenv.Must(t, e.Graph.Subscribe(ctx, "bob", "ann"))
	e.Clock.Add(time.Second)
	testenv.Must(t, e.Timelines.Deliver(ctx, e.Tweet(t, "ann", "x")))
	e.CoolDown()
	testenv.Must(t, e.Timelines.Deliver(ctx, e.Tweet(t, "ann", "y")))
	if n := posts(t, e, "bob"); n == 0 {
		t.Error("bob was told of no post")
	}
	testenv.Must(t, e.Graph.Unsubscribe(ctx, "bob", "ann"))
	for _, path := range []string{"heads/ann", "users/ann", "userDetails/ann"} {
		_, err := e.Raw.Doc(path).Delete(ctx)
		testenv.Must(t, err)
	}
	storetest.WantErr(t, e.Graph.Subscribe(ctx, "bob", "ann"), errs.NotFound, "user_not_found")
}

// A user may subscribe to people whom the user follows, and to 50 at most. Subscriptions that hold no more make room.
func TestSubscriptionLimit(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	e.CreateUsers(t, "bob")
	storetest.WantErr(t, e.Graph.Subscribe(ctx, "bob", "bob"), errs.NotFound, "not_following")
	var authors []model.UserID
	for n := range model.MaxSubscriptions + 1 {
		authors = append(authors, model.UserID(fmt.Sprintf("user_%02d", n)))
	}
	e.CreateUsers(t, authors...)
	for i, author := range authors {
		testenv.Must(t, e.Graph.Follow(ctx, "bob", author))
		err := e.Graph.Subscribe(ctx, "bob", author)
		if i < model.MaxSubscriptions {
			testenv.Must(t, err)
			continue
		}
		storetest.WantErr(t, err, errs.Conflict, "too_many_subscriptions")
	}
	testenv.Must(t, e.Graph.Unfollow(ctx, "bob", authors[7]))
	testenv.Must(t, e.Graph.Subscribe(ctx, "bob", authors[model.MaxSubscriptions]))
	if n := len(e.IDs(t, model.Subscriptions)); n != model.MaxSubscriptions {
		t.Errorf("there are %d subscriptions, want %d", n, model.MaxSubscriptions)
	}
}
