package notifications_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/pushtest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/push"
	"github.com/hibana-sns/hibana/internal/push/vapid"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/notifications"
)

// browser is a device in the form that clients register.
func browser(t *testing.T, name string) model.Device {
	t.Helper()
	_, key, err := vapid.Generate()
	testenv.Must(t, err)
	return model.Device{Endpoint: "https://push.example.com/" + name, P256dh: key, Auth: strings.Repeat("A", 22)}
}

// Put and Remove may be repeated. Processes that register concurrently stay within the limit, and lose no device of
// each other.
func TestDevices(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Hour})
	e.CreateUsers(t, "ann", "bob")
	ctx := t.Context()
	testenv.Must(t, e.Tweets.MayWrite(ctx, "ann"))
	one := browser(t, "one")
	put := func(id string, d model.Device) func(context.Context) error {
		return func(ctx context.Context) error { return e.Devices.Put(ctx, "ann", id, d) }
	}
	testenv.Must(t, storetest.Costs(t, "Put", 1, 1, 0, put("one", one)))
	testenv.Must(t, put("one", one)(ctx))
	testenv.Must(t, put("same", one)(ctx))
	ids := func() []string {
		t.Helper()
		all, err := e.Devices.Of(ctx, "ann")
		testenv.Must(t, err)
		return notifications.DeviceIDs(all)
	}
	if got := ids(); !slices.Equal(got, []string{"same"}) {
		t.Errorf("the devices are %v, want the one under its last id", got)
	}
	storetest.WantErr(t, put("x", model.Device{Endpoint: "http://example.com"})(ctx), errs.Invalid,
		"invalid_push_subscription")
	storetest.WantErr(t, e.Devices.Put(ctx, "nobody", "x", one), errs.Forbidden, "profile_required")
	n := 0
	for _, err := range testenv.AtOnce(model.MaxDevices+2, func(i int) error {
		return put(fmt.Sprint("at-once-", i), browser(t, fmt.Sprint(i)))(ctx)
	}) {
		if err != nil {
			storetest.WantErr(t, err, errs.Conflict, "too_many_devices")
			n++
		}
	}
	if got := ids(); len(got) != model.MaxDevices || n != 3 {
		t.Errorf("there are %d devices and %d were refused, want %d and 3", len(got), n, model.MaxDevices)
	}
	testenv.Must(t, storetest.Costs(t, "Remove", 1, 1, 0, func(ctx context.Context) error {
		return e.Devices.Remove(ctx, "ann", "same", "")
	}))
	testenv.Must(t, storetest.Costs(t, "Remove again", 1, 0, 0, func(ctx context.Context) error {
		return e.Devices.Remove(ctx, "ann", "same", "")
	}))
	for _, id := range ids() {
		testenv.Must(t, e.Devices.Remove(ctx, "ann", id, ""))
	}
	if doc := e.Doc(t, "devices/ann"); doc != nil {
		t.Errorf("without devices there is the document %v", doc)
	}
}

// Devices get messages about a notification. A device that is gone is removed, unless its user registered it anew
// meanwhile. A device that fails is kept. Neither fails the call.
func TestNotifyDevices(t *testing.T) {
	t.Parallel()
	s := pushtest.Run(t)
	sender, err := push.New(push.Options{PrivateKey: s.PrivateKey, Contact: pushtest.Contact, Loopback: true,
		TLS: s.TLS()})
	testenv.Must(t, err)
	var meanwhile func()
	e := storetest.Open(t, store.Options{SendToDevice: func(ctx context.Context, uid model.UserID, d model.Device,
		m model.DeviceMessage) (bool, error) {
		gone, err := sender.Send(ctx, uid, d, m)
		if meanwhile != nil {
			meanwhile()
		}
		return gone, err
	}})
	e.CreateUsers(t, "ann", "bob")
	ctx := t.Context()
	tweet := e.Tweet(t, "ann", "a **spark**")
	b := s.Browser()
	device := b.Device
	device.At = e.Clock.Now()
	register := func(d model.Device) {
		t.Helper()
		// no user could register an address of this machine
		_, err := e.Raw.Doc("devices/ann").
			Set(ctx, model.Devices{UserID: "ann", Devices: map[string]model.Device{"laptop": d}})
		testenv.Must(t, err)
	}
	at := e.Clock.Now()
	n := &model.Notification{GroupKey: "like:" + string(tweet.ID), Records: []model.Record{{At: at, UserID: "bob"}},
		CountUsers: 1, UpdatedAt: at}
	notify := func(before *model.Notification) func(context.Context) error {
		return func(ctx context.Context) error { e.Devices.Notify(ctx, "ann", "like_id", before, n); return nil }
	}
	testenv.Must(t, storetest.Costs(t, "Notify, no devices", 1, 0, 0, notify(nil)))
	register(device)
	testenv.Must(t, storetest.Costs(t, "Notify", 3, 0, 0, notify(nil)))
	testenv.Must(t, storetest.Costs(t, "Notify, nothing to tell", 0, 0, 0, notify(n)))
	want := model.DeviceMessage{ID: "like_id", GroupKey: n.GroupKey, UserID: "bob", RecipientID: "ann", Nickname: "bob",
		TweetID: tweet.ID, Excerpt: "a spark", CountUsers: 1, At: at}
	if got := b.Received(); len(got) != 1 || cmp.Diff(want, got[0].Message) != "" {
		t.Errorf("the browser got %+v, want %+v", got, want)
	}
	there := func(what string, want bool) {
		t.Helper()
		all, err := e.Devices.Of(ctx, "ann")
		testenv.Must(t, err)
		if _, ok := all["laptop"]; ok != want {
			t.Errorf("%s: the device is there %v, want %v", what, ok, want)
		}
	}
	s.Answer(500, 503)
	testenv.Must(t, storetest.Costs(t, "Notify, a service that fails", 3, 0, 0, notify(nil)))
	there("after a failure", true)
	s.Answer(410)
	meanwhile = func() { device.At = device.At.Add(time.Second); register(device) }
	testenv.Must(t, notify(nil)(ctx))
	meanwhile = nil
	there("registered anew while it was gone", true)
	s.Answer(404)
	testenv.Must(t, storetest.Costs(t, "Notify, a device that is gone", 4, 0, 1, notify(nil)))
	there("after it was gone", false)
	register(device)
	calls := s.Calls()
	e.Clock.Add(model.SendWithin + time.Second)
	testenv.Must(t, storetest.Costs(t, "Notify, late", 0, 0, 0, notify(nil)))
	if s.Calls() != calls {
		t.Error("a late event told the device")
	}
}

// A flush changes many notifications of a user at once. The user's devices answer too slowly. All messages together get
// the time of one, so the flush ends.
func TestNotifySlowDevices(t *testing.T) {
	t.Parallel()
	const tweets = 20
	var mu sync.Mutex
	sent := map[string]bool{}
	e := storetest.Open(t, store.Options{SendToDevice: func(ctx context.Context, _ model.UserID, _ model.Device,
		m model.DeviceMessage) (bool, error) {
		mu.Lock()
		sent[m.ID] = true
		mu.Unlock()
		<-ctx.Done()
		return false, ctx.Err()
	}})
	e.CreateUsers(t, "ann", "bob")
	ctx := t.Context()
	testenv.Must(t, e.Devices.Put(ctx, "ann", "laptop", browser(t, "slow")))
	for i := range tweets {
		n := model.NewNotificationEvent(fmt.Sprint(i), model.NotificationLike, "ann", model.NotificationEventPayload{
			UserID: "bob", TweetID: model.TweetID(fmt.Sprintf("aa%016x", i))}, e.Clock.Now())
		_, err := e.Raw.Doc(logged(n)).Set(ctx, n)
		testenv.Must(t, err)
	}
	begun, m := time.Now(), meter.New()
	testenv.Must(t, e.NotificationEvents.FlushAll(meter.With(ctx, m), model.NotificationEventPartitionOf("ann")))
	if took := time.Since(begun); took > 6*time.Second {
		t.Errorf("the flush took %v", took)
	}
	if len(sent) != tweets {
		t.Errorf("%d messages were sent, want %d", len(sent), tweets)
	}
	// the events, and none at the end; the list, the graph, a block; the devices; bob, and a tweet for each
	if reads, want := m.Snapshot().Reads, int64(tweets+1+3+1+1+tweets); reads != want {
		t.Errorf("the flush cost %d reads, want %d", reads, want)
	}
}
