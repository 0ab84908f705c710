package functions_test

import (
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/pushtest"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/push"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A browser hears of what happens to its user, as far as the user wants to be told, and once of
// what waits to be read.
func TestNotifyDevices(t *testing.T) {
	t.Parallel()
	service := pushtest.Run(t)
	sender, err := push.New(push.Options{PrivateKey: service.PrivateKey, Contact: pushtest.Contact, Loopback: true,
		TLS: service.TLS()})
	testenv.Must(t, err)
	s := stacktest.Run(t, stack.Options{Store: store.Options{CacheTTL: time.Millisecond, WriteEvery: 50 * time.Millisecond,
		SendToDevice: sender.Send}})
	ctx := t.Context()
	for _, uid := range []model.UserID{"ann", "bob", "cat", "dan"} {
		_, err := s.Store.Users.CreateUser(ctx, uid, model.NewUser{Username: string(uid), Nickname: string(uid)})
		testenv.Must(t, err)
	}
	b := service.Browser()
	raw := testenv.Client(t, s.Project)
	// no user could register an address of this machine
	_, err = raw.Doc("devices/ann").
		Set(ctx, model.Devices{UserID: "ann", Devices: map[string]model.Device{"laptop": b.Device}})
	testenv.Must(t, err)
	tweet, err := s.Store.Tweets.CreateTweet(ctx, "ann", model.Draft{Content: "a spark", AllowLikes: true,
		AllowReplies: true}, model.Request{})
	testenv.Must(t, err)
	_, err = s.Store.Settings.Switch(ctx, "ann", map[model.NotificationKind]bool{model.NotificationFollow: false})
	testenv.Must(t, err)
	told := func(what string, want ...string) {
		t.Helper()
		stacktest.Idle(t, s)
		got := map[string]bool{} // a message may come twice
		for _, r := range b.Received() {
			got[r.Message.GroupKey+" "+string(r.Message.UserID)+" "+r.Message.Excerpt] = true
		}
		for _, w := range want {
			if !got[w] {
				t.Errorf("%s: the browser did not hear %q", what, w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: the browser heard %v, want %q", what, got, want)
		}
	}
	testenv.Must(t, s.Store.Graph.Follow(ctx, "bob", "ann"))
	told("a follow, which ann does not want to be told")
	like := "like:" + string(tweet.ID)
	testenv.Must(t, s.Store.Reactions.Like(ctx, "bob", tweet.ID))
	told("a like", like+" bob a spark")
	testenv.Must(t, s.Store.Reactions.Like(ctx, "cat", tweet.ID))
	told("another like, unread", like+" bob a spark")
	_, err = s.Store.NotificationEvents.MarkAllRead(ctx, "ann", time.Time{})
	testenv.Must(t, err)
	_, err = s.Store.Tweets.CreateTweet(ctx, "bob", model.Draft{Content: "psst", ReplyTo: &tweet.ID,
		Visibility: model.Mentioned}, model.Request{})
	testenv.Must(t, err)
	told("a reply for ann alone", like+" bob a spark", "reply:"+string(tweet.ID)+" bob ")
	testenv.Must(t, s.Store.Reactions.Unlike(ctx, "cat", tweet.ID))
	testenv.Must(t, s.Store.Reactions.Like(ctx, "cat", tweet.ID))
	told("a like that is given again", like+" bob a spark", "reply:"+string(tweet.ID)+" bob ")
	testenv.Must(t, s.Store.Reactions.Like(ctx, "dan", tweet.ID))
	told("a like after ann has read", like+" bob a spark", "reply:"+string(tweet.ID)+" bob ", like+" dan a spark")
}
