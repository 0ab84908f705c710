package inbox_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// What people of a silenced server do notifies those who follow them alone. Others are notified as ever.
func TestSilenced(t *testing.T) {
	t.Parallel()
	e, f, other := open(t), far.New(t), far.New(t)
	bob, cho, dan := f.Actor("bob", nil), other.Actor("cho", nil), f.Actor("dan", nil)
	testenv.Must(t, e.Moderation.SetDomain(t.Context(), by, f.Host, model.DomainRule{Severity: model.DomainSilence}))
	post := e.Tweet(t, "ann", "hello")
	for _, actor := range []string{bob, cho, dan} {
		_, err := e.of.Person(t.Context(), actor)
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", model.RemoteUserID(dan)))
	testenv.Must(t, e.Requests.Accept(t.Context(), model.RemoteUserID(dan), "ann"))
	for _, test := range []struct {
		kind  model.NotificationKind
		actor string
		want  int64 // unread notifications
	}{{model.NotificationLike, bob, 0}, {model.NotificationFollow, bob, 0}, {model.NotificationShare, bob, 0},
		{model.NotificationLike, cho, 1}, {model.NotificationShare, dan, 2}} {
		e.Clock.Add(time.Minute)
		n := model.FactNotificationEvent(test.kind, "ann", model.NotificationEventPayload{UserID: model.RemoteUserID(
			test.actor), TweetID: post.ID}, e.Clock.Now())
		testenv.Must(t, e.NotificationEvents.Notify(t.Context(), n))
		if got, err := e.NotificationEvents.Unread(t.Context(), "ann"); err != nil || got != test.want {
			t.Errorf("after a %s by %s %d are unread, want %d: %v", test.kind, test.actor, got, test.want, err)
		}
		logged := e.Doc(t, "eventLogs/"+model.NotificationEventPartitionOf("ann")+"/events/"+n.ID)
		if dropped := logged["dropped"] == true; logged == nil || dropped != (test.actor == bob) {
			t.Errorf("the event log has %v", logged)
		}
	}
}

// A server without media gives no pictures of its people either, also to profiles that are known already.
func TestWithoutPictures(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	with := map[string]any{"icon": map[string]any{"type": "Image", "url": "https://cdn.example/a.png"},
		"image": map[string]any{"type": "Image", "url": "https://cdn.example/b.png"}}
	bob := f.Actor("bob", with)
	u, err := e.of.Person(t.Context(), bob)
	testenv.Must(t, err)
	if u.Avatar == "" || u.Header == "" {
		t.Fatalf("the pictures are %q and %q", u.Avatar, u.Header)
	}
	testenv.Must(t, e.Moderation.SetDomain(t.Context(), by, f.Host, model.DomainRule{Severity: model.DomainNoop,
		RejectMedia: true}))
	e.Clock.Add(8 * 24 * time.Hour)
	for _, actor := range []string{bob, f.Actor("cho", with)} {
		if u, err = e.of.Person(t.Context(), actor); err != nil || u.Avatar != "" || u.Header != "" {
			t.Errorf("%s has the pictures %q and %q: %v", actor, u.Avatar, u.Header, err)
		}
	}
}
