package model_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/push/vapid"
	"github.com/hibana-sns/hibana/model"
)

func TestNewDevice(t *testing.T) {
	t.Parallel()
	_, key, err := vapid.Generate()
	if err != nil {
		t.Fatal(err)
	}
	secret := base64.RawURLEncoding.EncodeToString(make([]byte, 16))
	good := model.Device{Endpoint: "https://push.example.com/a?b=c", P256dh: key + "=", Auth: secret + "=="}
	d, err := model.NewDevice(good)
	if err != nil || d.P256dh != key || d.Auth != secret {
		t.Errorf("NewDevice = %+v, %v", d, err)
	}
	if _, err := model.NewDevice(model.Device{FCMToken: "abc:" + strings.Repeat("x", 150)}); err != nil {
		t.Error(err)
	}
	bad := map[string]model.Device{
		"nothing": {}, "both": {Endpoint: good.Endpoint, P256dh: key, Auth: secret, FCMToken: strings.Repeat("x", 30)},
		"token with keys": {FCMToken: strings.Repeat("x", 30), Auth: secret},
		"long token":      {FCMToken: strings.Repeat("x", 1001)}, "token with a slash": {FCMToken: strings.Repeat("x", 30) +
			"/"},
		"no keys": {Endpoint: good.Endpoint}, "no auth": {Endpoint: good.Endpoint, P256dh: key},
		"short auth": {Endpoint: good.Endpoint, P256dh: key, Auth: secret[:20]}, "no base64": {Endpoint: good.Endpoint,
			P256dh: key, Auth: "!" + secret[1:]},
		"no point": {Endpoint: good.Endpoint, P256dh: base64.RawURLEncoding.EncodeToString(make([]byte, 65)), Auth: secret},
	}
	for _, endpoint := range []string{
		"http://push.example.com/a", "https://", "https:///a", "push.example.com", "https://user@push.example.com/a",
		"https://push.example.com/a#b", "https://push.example.com:8080/a",
		"https://127.0.0.1/a", "https://[::1]/a", "https://[fe80::1%25eth0]/a", "https://localhost/a", "https://metadata/a",
		"ftp://push.example.com/a", "https://push.example.com/ä", "https://push.example.com/" +
			strings.Repeat("a", model.MaxEndpoint),
	} {
		bad[endpoint] = model.Device{Endpoint: endpoint, P256dh: key, Auth: secret}
	}
	for what, d := range bad {
		if got, err := model.NewDevice(d); errs.KindOf(err) != errs.Invalid ||
			errs.CodeOf(err) != "invalid_push_subscription" {
			t.Errorf("%s: %+v, %v, want it refused", what, got, err)
		}
	}
	for id, ok := range map[string]bool{"a-1": true, strings.Repeat("a", 64): true, "": false, "a/b": false, "a.b": false,
		"`": false, strings.Repeat("a", 65): false} {
		if _, err := model.ParseDeviceID(id); (err == nil) != ok {
			t.Errorf("id %q: %v", id, err)
		}
	}
}

func TestPutDevice(t *testing.T) {
	t.Parallel()
	var d model.Devices
	for i := range model.MaxDevices {
		if err := d.Put(fmt.Sprint(i), model.Device{Endpoint: fmt.Sprint("https://", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Put("more", model.Device{FCMToken: "x"}); errs.CodeOf(err) != "too_many_devices" ||
		len(d.Devices) != model.MaxDevices {
		t.Errorf("one more: %v", err)
	}
	if err := d.Put("3", model.Device{FCMToken: "x"}); err != nil || d.Devices["3"].FCMToken != "x" {
		t.Errorf("another under the same id: %v, %v", err, d.Devices["3"])
	}
	if err := d.Put("again", model.Device{Endpoint: "https://5", Auth: "new"}); err != nil ||
		len(d.Devices) != model.MaxDevices || d.Devices["5"].Endpoint != "" {
		t.Errorf("the same under another id: %v, %v", err, d.Devices)
	}
}

// An app has one device for each access token, as with Mastodon, so that none takes the places of the user's own.
func TestPutDeviceOfApp(t *testing.T) {
	t.Parallel()
	d := model.Devices{Devices: map[string]model.Device{"own": {Endpoint: "https://own"},
		"other": {Endpoint: "https://other", Token: "another"}}}
	for i := range 2 * model.MaxDevices {
		err := d.Put(fmt.Sprint(i), model.Device{Endpoint: fmt.Sprint("https://", i), Token: "token"})
		if err != nil || len(d.Devices) != 3 || d.Devices[fmt.Sprint(i)].Token != "token" {
			t.Fatalf("device %d of a token: %v, %v", i, err, d.Devices)
		}
	}
}

func TestSends(t *testing.T) {
	t.Parallel()
	unread := func(tweets int64, after time.Duration) *model.Notification {
		return &model.Notification{Records: []model.Record{{UserID: "bob"}}, CountTweets: tweets, UpdatedAt: at.Add(after)}
	}
	read := func(n *model.Notification) *model.Notification { n.IsRead = true; return n }
	for i, of := range []struct {
		before, after *model.Notification
		want          bool
	}{
		{nil, unread(0, 0), true},
		{nil, read(unread(0, 0)), false},
		{unread(0, 0), read(unread(0, 0)), false},                 // its owner read it
		{read(unread(0, 0)), unread(0, time.Second), true},        // and then something came
		{read(unread(0, 0)), unread(0, 0), false},                 // late: older than what it has
		{unread(0, 0), unread(0, time.Hour), false},               // another like
		{unread(1, 0), unread(2, time.Hour), true},                // another reply
		{unread(1, 0), unread(2, model.SendEvery), true},          //
		{unread(1, 0), unread(9, model.SendEvery-1), false},       // in a crowd
		{unread(2, 0), unread(2, time.Hour), false},               // a repair
		{unread(1, 0), &model.Notification{UpdatedAt: at}, false}, // without a record
		{unread(2, time.Hour), unread(1, 2*time.Hour), false},     // a repair that takes away
		{read(unread(1, 0)), read(unread(2, 2*time.Hour)), false}, //
	} {
		if got := of.after.Sends(of.before); got != of.want {
			t.Errorf("%d: Sends = %v, want %v", i, got, of.want)
		}
	}
}

// The text of a tweet that is not for everybody leaves the server in no message.
func TestDeviceMessage(t *testing.T) {
	t.Parallel()
	n := &model.Notification{GroupKey: "reply:aa0000000000000001",
		Records: []model.Record{{UserID: "bob", TweetID: "bb0000000000000002"}}, CountUsers: 1, CountTweets: 1, UpdatedAt: at}
	for _, of := range []struct {
		audience model.Audience
		flagged  bool
		want     string
	}{{model.Public, false, "psst"}, {model.Public, true, ""}, {model.Unlisted, false, ""}, {model.Followers, false, ""},
		{model.Mentioned, false, ""}} {
		m := model.NewDeviceMessage("id", n, &model.User{Nickname: "Bob"},
			&model.Tweet{Snippet: "psst", Visibility: of.audience, IsViolative: of.flagged})
		if m.Excerpt != of.want || m.Nickname != "Bob" || m.TweetID != "bb0000000000000002" {
			t.Errorf("%+v: %+v", of, m)
		}
	}
	if m := model.NewDeviceMessage("id", n, nil, nil); m.Nickname != "" || m.Excerpt != "" || m.UserID != "bob" {
		t.Errorf("of who is gone: %+v", m)
	}
}

// An app is told of the types of notifications that it asks for, and of no messages of conversations.
func TestDeviceWants(t *testing.T) {
	t.Parallel()
	app := model.Device{App: &model.DeviceApp{Alerts: []string{"mention"}}}
	for slot, want := range map[string]bool{"reply:aa0000000000000001": true, "mention": true, "follow": false,
		"order:aa0000000000000001": false, model.MessageSlot: false} {
		m := model.DeviceMessage{GroupKey: slot}
		if got := app.Wants(m); got != want || !(model.Device{}).Wants(m) {
			t.Errorf("Wants(%s) = %v, want %v", slot, got, want)
		}
	}
	d := model.Devices{Devices: map[string]model.Device{"app": app, "browser": {}}}
	if changed, err := d.ChangeApp("app", "", []string{"poll"}); !changed || err != nil ||
		app.App.Alerts[0] != "mention" || !d.Devices["app"].Wants(model.DeviceMessage{GroupKey: "poll:aa0000000000000001"}) {
		t.Errorf("ChangeApp = %v, %v: %+v", changed, err, d)
	}
	for id, alerts := range map[string][]string{"browser": {"poll"}, "other": {"poll"}, "app": {"moon"}} {
		if changed, err := d.ChangeApp(id, "", alerts); changed || err == nil {
			t.Errorf("ChangeApp(%s, %s) = %v, %v", id, alerts, changed, err)
		}
	}
}
