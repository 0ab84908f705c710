package mastodon

import (
	"hash/fnv"
	"net/http"
	"slices"
	"strings"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// WebPushSubscription is the entity of an app that is told of notifications.
type WebPushSubscription struct {
	ID        int64           `json:"id"`
	Endpoint  string          `json:"endpoint"`
	Standard  bool            `json:"standard"`
	ServerKey string          `json:"server_key"`
	Alerts    map[string]bool `json:"alerts"`
	Policy    string          `json:"policy"`
}

type nativeDevice struct {
	Endpoint string        `json:"endpoint,omitempty"`
	Keys     *nativeKeys   `json:"keys,omitempty"`
	App      nativePushApp `json:"app"`
}

type nativeKeys struct {
	P256dh string `json:"p256dh"`
	Auth   string `json:"auth"`
}

type nativePushApp struct {
	Alerts   []string `json:"alerts"`
	Legacy   bool     `json:"legacy,omitempty"`
	Language string   `json:"language,omitempty"`
	Endpoint string   `json:"endpoint,omitempty"`
}

// alerts are the names of what an app may be told of. Of those that Hibana does not have, nothing comes.
var alerts = []string{"mention", "quote", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update",
	"quoted_update", "admin.sign_up", "admin.report"}

const (
	pushPath      = "/api/v1/push/subscription"
	nativeDevices = "/v1/users/me/pushSubscriptions"
)

func pushMethods() []Method {
	const scope = "push"
	return []Method{
		post(pushPath, scope, subscribe).now().note("access_token and icon of a message " +
			"are empty; of the policies there are all and none"),
		get(pushPath, scope, func(c *call) (any, error) { return c.subscription() }),
		put(pushPath, scope, changeSubscription),
		remove(pushPath, scope, func(c *call) (any, error) {
			return nil, c.send(http.MethodDelete, nativeDevices+"/"+c.deviceID(), nil, nil)
		}),
	}
}

// now makes a method one before which the token is checked without a cache, as what it makes outlives the session.
func (m Method) now() Method {
	m.Marks = append(m.Marks, server.VerifiedNow)
	return m
}

// deviceID is the native id of the subscription of the access token by which the caller asks.
func (c *call) deviceID() string { return model.AppDeviceID(c.caller().Token) }

// pushAlerts reads of what the app wants to be told.
func (c *call) pushAlerts() []string {
	data := c.params.object("data")
	chosen, all := data.object("alerts"), []string{}
	if data.text("policy") == "none" {
		return all
	}
	for _, k := range model.AppKinds {
		if chosen.flag(k.Type) && !slices.Contains(all, k.Type) {
			all = append(all, k.Type)
		}
	}
	return all
}

// subscription reads the subscription of the app.
func (c *call) subscription() (*WebPushSubscription, error) {
	var found page[struct {
		ID  string
		App *nativePushApp
	}]
	if err := c.get(nativeDevices, nil, &found); err != nil {
		return nil, err
	}
	for _, d := range found.Items {
		if d.ID == c.deviceID() && d.App != nil {
			return c.subscriptionOf(*d.App)
		}
	}
	return nil, notHere()
}

// subscriptionOf makes the entity of a subscription.
func (c *call) subscriptionOf(app nativePushApp) (*WebPushSubscription, error) {
	key, err := c.serverKey()
	if err != nil {
		return nil, err
	}
	id := fnv.New32a()
	id.Write([]byte(string(c.caller().UID) + "/" + c.deviceID()))
	s := &WebPushSubscription{ID: int64(id.Sum32()), Endpoint: app.Endpoint, Standard: !app.Legacy, ServerKey: key,
		Alerts: map[string]bool{}, Policy: "all"}
	for _, name := range alerts {
		s.Alerts[name] = slices.Contains(app.Alerts, name)
	}
	return s, nil
}

// subscribe registers the app, in the place of its earlier subscription.
func subscribe(c *call) (any, error) {
	of := c.params.object("subscription")
	keys := of.object("keys")
	if of.text("endpoint") == "" || keys.text("p256dh") == "" || keys.text("auth") == "" {
		return nil, invalid("subscription[endpoint], subscription[keys][p256dh] or subscription[keys][auth] is missing")
	}
	d := nativeDevice{Endpoint: of.text("endpoint"),
		Keys: &nativeKeys{base64url(keys.text("p256dh")), base64url(keys.text("auth"))},
		App:  nativePushApp{Alerts: c.pushAlerts(), Legacy: !of.flag("standard")}}
	if strings.HasPrefix(c.request.Header.Get("Accept-Language"), "ja") {
		d.App.Language = "ja"
	}
	if err := c.send(http.MethodPut, nativeDevices+"/"+c.deviceID(), d, nil); err != nil {
		return nil, err
	}
	d.App.Endpoint = d.Endpoint
	return c.subscriptionOf(d.App)
}

// base64url writes standard base64 as base64url.
func base64url(text string) string { return strings.NewReplacer("+", "-", "/", "_").Replace(text) }

// changeSubscription changes of what the app is told.
func changeSubscription(c *call) (any, error) {
	err := c.send(http.MethodPatch, nativeDevices+"/"+c.deviceID(), map[string]any{"alerts": c.pushAlerts()}, nil)
	if err != nil {
		return nil, err
	}
	return c.subscription()
}
