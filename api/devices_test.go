package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/push/vapid"
	"github.com/hibana-sns/hibana/model"
)

func TestPushSubscriptions(t *testing.T) {
	t.Parallel()
	_, public, err := vapid.Generate()
	testenv.Must(t, err)
	e := newEnv(t, func(o *api.Options) { o.Push = api.Push{VAPIDPublicKey: public, FCM: true} })
	var ways api.PushWays
	e.do(t, "GET", "/v1/push", "", nil).want(t, http.StatusOK, &ways)
	if ways != (api.PushWays{WebPush: true, VAPIDPublicKey: public, FCM: true}) {
		t.Errorf("the ways are %+v", ways)
	}
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	const path = "/v1/users/me/pushSubscriptions"
	browser := func(name string) map[string]any {
		return map[string]any{"endpoint": "https://push.example.com/" + name, "expirationTime": nil,
			"keys": map[string]any{"p256dh": public, "auth": strings.Repeat("A", 22)}}
	}
	for range 2 {
		r := e.do(t, "PUT", path+"/laptop", ann.token, browser("laptop")).want(t, http.StatusNoContent, nil)
		if got := r.cost(t); got.Writes != 1 || got.Reads > 2 {
			t.Errorf("registering costs %+v", got)
		}
	}
	e.do(t, "PUT", path+"/phone", ann.token, map[string]any{"fcmToken": strings.Repeat("x", 150)}).
		want(t, http.StatusNoContent, nil)
	list := func(p person) (ids string) {
		t.Helper()
		var page server.List[api.PushSubscription]
		r := e.do(t, "GET", path, p.token, nil).want(t, http.StatusOK, &page)
		for _, s := range page.Items {
			ids += s.ID + " " + s.Kind + ", "
		}
		if r.cost(t) != (meter.Counts{Reads: 1}) || strings.Contains(string(r.body), "example.com") ||
			strings.Contains(string(r.body), "xxx") {
			t.Errorf("the list %s costs %+v", r.body, r.cost(t))
		}
		return ids
	}
	if got := list(ann); got != "phone fcm, laptop webPush, " {
		t.Errorf("the devices are %s", got)
	}
	for i := range model.MaxDevices - 2 {
		e.do(t, "PUT", fmt.Sprint(path, "/more-", i), ann.token, browser(fmt.Sprint(i))).want(t, http.StatusNoContent, nil)
	}
	e.do(t, "PUT", path+"/last", ann.token, browser("last")).problem(t, http.StatusConflict, "too_many_devices")
	e.do(t, "DELETE", path+"/laptop", bob.token, nil).want(t, http.StatusNoContent, nil) // bob has none
	e.do(t, "DELETE", path+"/phone", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", path+"/last", ann.token, browser("last")).want(t, http.StatusNoContent, nil)
	if got := list(bob); got != "" {
		t.Errorf("bob has the devices %s", got)
	}
	for _, endpoint := range []string{"http://push.example.com/a", "https://127.0.0.1/a", "https://localhost/a",
		"https://push.example.com:22/a"} {
		body := browser("x")
		body["endpoint"] = endpoint
		e.do(t, "PUT", path+"/x", bob.token, body).problem(t, http.StatusBadRequest, "invalid_push_subscription")
	}
	e.do(t, "PUT", path+"/x", bob.token, map[string]any{}).problem(t, http.StatusBadRequest, "invalid_push_subscription")
	e.do(t, "PUT", path+"/x.y", bob.token, browser("x")).problem(t, http.StatusBadRequest, "invalid_request")

	// Where nothing is sent, nobody registers; who did may still take the device away.
	off := newEnv(t, func(o *api.Options) { o.Push = api.Push{} })
	ways = api.PushWays{}
	off.do(t, "GET", "/v1/push", "", nil).want(t, http.StatusOK, &ways)
	if ways.WebPush || ways.FCM {
		t.Errorf("the ways are %+v, want none", ways)
	}
	cat := off.join(t, "cat")
	off.do(t, "PUT", path+"/x", cat.token, browser("x")).problem(t, http.StatusBadRequest, "push_off")
	off.do(t, "PUT", path+"/x", cat.token, map[string]any{"fcmToken": strings.Repeat("x", 150)}).
		problem(t, http.StatusBadRequest, "push_off")
	off.do(t, "DELETE", path+"/x", cat.token, nil).want(t, http.StatusNoContent, nil)
}
