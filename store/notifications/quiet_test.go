package notifications_test

import (
	"context"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A mute and a filter that hides keep notifications, messages and unread counts away, at no read more. An event that is
// dropped stays away, and one after the end of the mute comes.
func TestQuietNotifications(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Nanosecond})
	e.CreateUsers(t, "ann", "bob", "cat")
	id := e.Tweet(t, "ann", "a spark").ID
	reply := func(by model.UserID, text string) *model.NotificationEvent {
		t.Helper()
		return e.Draft(t, by, model.Draft{Content: text, ReplyTo: &id}).ReplyNotificationEvent()
	}
	ctx := t.Context()
	testenv.Must(t, e.Graph.Mute(ctx, model.MutedUser{UserID: "ann", MutedID: "bob", Part: model.MuteAll,
		HideNotifications: true}, time.Minute))
	_, err := e.Graph.PutFilter(ctx, "ann", "f", model.Filter{Title: "f", Action: model.FilterHide,
		Contexts: []model.FilterContext{model.FilterNotifications}, Keywords: []model.FilterKeyword{{Keyword: "finale"}}})
	testenv.Must(t, err)
	unread := func(what string, want int64) {
		t.Helper()
		n, err := e.NotificationEvents.Unread(ctx, "ann")
		testenv.Must(t, err)
		if n != want {
			t.Errorf("%s: ann has %d unread notifications, want %d", what, n, want)
		}
	}
	testenv.Must(t, e.Reactions.Like(ctx, "bob", id))
	testenv.Must(t, e.Reactions.Like(ctx, "cat", id))
	for uid, allowed := range map[model.UserID]bool{"bob": false, "cat": true} {
		if like := e.Doc(t, "likes/"+model.ReactionKey(uid, id)); (like["allowedAt"] != nil) != allowed {
			t.Errorf("the like of %s is allowed at %v", uid, like["allowedAt"])
		}
	}
	muted, filtered := reply("bob", "hello"), reply("cat", "the Finale!")
	for _, n := range []*model.NotificationEvent{muted, filtered} {
		testenv.Must(t, storetest.Costs(t, "a dropped notification", 3, 1, 0, func(ctx context.Context) error {
			return e.NotificationEvents.Notify(ctx, n)
		}))
		logged := e.Doc(t, "eventLogs/"+model.NotificationEventPartitionOf("ann")+"/events/"+n.ID)
		if logged["dropped"] != true {
			t.Errorf("the log has %v", logged)
		}
	}
	unread("both are hidden", 0)
	e.CoolDown()

	// A flush reads the text of a pending event again.
	pending := reply("cat", "another finale")
	pending.About = nil
	_, err = e.Raw.Doc("eventLogs/"+model.NotificationEventPartitionOf("ann")+"/events/"+pending.ID).Create(ctx, pending)
	testenv.Must(t, err)
	testenv.Must(t, e.NotificationEvents.FlushAll(ctx, model.NotificationEventPartitionOf("ann")))
	unread("a pending one is hidden", 0)

	e.Clock.Add(time.Minute)
	testenv.Must(t, e.NotificationEvents.Notify(ctx, muted)) // the event comes twice
	unread("it stays away", 0)
	testenv.Must(t, e.NotificationEvents.Notify(ctx, reply("bob", "again")))
	unread("after the end of the mute", 1)

	// Without a whole graph the source documents decide.
	testenv.Must(t, e.Graph.Mute(ctx, model.MutedUser{UserID: "ann", MutedID: "cat", Part: model.MuteAll,
		HideNotifications: true}, 0))
	_, err = e.Raw.Doc("viewers/ann").Set(ctx, model.ViewerGraph{Partial: true, Choice: &model.NotificationChoice{}})
	testenv.Must(t, err)
	testenv.Must(t, e.NotificationEvents.Notify(ctx, model.FactNotificationEvent(model.NotificationFollow, "ann",
		model.NotificationEventPayload{UserID: "cat"}, e.Clock.Now())))
	unread("muted, without the graph", 1)
	testenv.Must(t, e.NotificationEvents.Notify(ctx, model.FactNotificationEvent(model.NotificationFollow, "ann",
		model.NotificationEventPayload{UserID: "bob"}, e.Clock.Now())))
	unread("not muted, without the graph", 2)
}
