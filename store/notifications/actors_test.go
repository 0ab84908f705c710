package notifications_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

// A notification has its first users itself, and the later ones in documents of their own. Every user
// counts once, wherever the user is, and a repair finds nothing to do.
func TestManyActors(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	const crowd = model.EmbeddedActors + 3
	e.CreateUsers(t, "ann")
	id := e.Tweet(t, "ann", "a spark").ID
	var events []*model.NotificationEvent
	like := func(i, again int) {
		t.Helper()
		e.CoolDown()
		n := model.FactNotificationEvent(model.NotificationLike, "ann", model.NotificationEventPayload{
			UserID: model.UserID(fmt.Sprintf("fan_%02d", i)), TweetID: id},
			e.Clock.Now().Add(time.Duration(again)*time.Millisecond))
		events = append(events, n)
		reads, writes := int64(3), int64(2)
		if i >= model.EmbeddedActors {
			reads, writes = 4, 3
		}
		testenv.Must(t, storetest.Costs(t, fmt.Sprintf("like %d of fan %d", again, i), reads, writes, 0,
			func(ctx context.Context) error { return e.NotificationEvents.Notify(ctx, n) }))
	}
	key := "like:" + string(id) + "_" + e.Clock.Now().Format(time.DateOnly)
	path := "users/ann/notifications/" + key
	check := func(what string, users, documents int) {
		t.Helper()
		doc := e.Notification(t, "ann", key)
		if got := doc["countUsers"]; got != int64(users) {
			t.Errorf("%s: the notification counts %v users, want %d", what, got, users)
		}
		if got := len(e.IDs(t, path+"/actors")); got != documents {
			t.Errorf("%s: %d users have documents, want %d", what, got, documents)
		}
	}
	for i := range crowd {
		like(i, 0)
	}
	check("a crowd", crowd, 3)
	for _, i := range []int{0, model.EmbeddedActors + 1} {
		like(i, 1)
	}
	check("two like again", crowd, 3)
	for _, n := range events { // also of both likes of the two
		e.CoolDown()
		testenv.Must(t, e.NotificationEvents.Withdraw(t.Context(), n))
	}
	check("all are gone", 0, 3)
	like(0, 2)
	like(crowd-1, 2)
	check("two come back", 2, 3)

	// The documents of an older release had all users outside.
	_, err := e.Raw.Doc("users/ann/notificationLists/newest").Update(t.Context(), []firestore.Update{{
		FieldPath: firestore.FieldPath{"notifications", key, "actors"}, Value: firestore.Delete}})
	testenv.Must(t, err)
	_, err = e.Raw.Doc(path+"/actors/fan_00").Set(t.Context(), map[string]any{"notices": 1, "reading": 1})
	testenv.Must(t, err)
	e.CoolDown()
	n := model.FactNotificationEvent(model.NotificationLike, "ann", model.NotificationEventPayload{UserID: "fan_00",
		TweetID: id}, e.Clock.Now().Add(time.Second))
	testenv.Must(t, e.NotificationEvents.Notify(t.Context(), n))
	check("an older document", 2, 4)
	if got := e.Notification(t, "ann", key)["actors"]; got != nil {
		t.Errorf("the older document got the users %v", got)
	}
	found, err := e.Audit.User(t.Context(), "ann", verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		if d.Kind == model.NotificationLists && d.Field != "notifications/"+key {
			t.Errorf("verify finds %s: have %v, want %v", d.Field, d.Have, d.Want)
		}
	}
}
