package mastodon_test

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"testing"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/push/vapid"
)

// withPush gives an installation web push.
func withPush(o *api.Options) {
	_, public, err := vapid.Generate()
	if err != nil {
		panic(err)
	}
	o.Push.VAPIDPublicKey = public
}

// subscription is that of an app.
func subscription() map[string]any {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	return map[string]any{"endpoint": "https://push.example.com/app", "keys": map[string]string{
		"p256dh": base64.StdEncoding.EncodeToString(key.PublicKey().Bytes()),
		"auth":   base64.StdEncoding.EncodeToString(make([]byte, 16))}}
}

// An app has one subscription, whose alerts change alone.
func TestPush(t *testing.T) {
	t.Parallel()
	e := newEnv(t, withPush)
	ann := e.join(t, "ann")
	const path = "/api/v1/push/subscription"
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusNotFound, nil)
	e.ask(t, ann, "PUT "+path, map[string]any{"data": map[string]any{}}).want(t, http.StatusNotFound, nil)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	testenv.Must(t, err)
	on, off := client.Sbool(true), client.Sbool(false)
	made, err := ann.AddPushSubscription(t.Context(), "https://push.example.com/a", key.PublicKey, make([]byte, 16),
		client.PushAlerts{Follow: &on, Mention: &on, Favourite: &off})
	testenv.Must(t, err)
	is, err := ann.GetPushSubscription(t.Context())
	testenv.Must(t, err)
	if is.ID != made.ID || is.Endpoint != "https://push.example.com/a" || is.ServerKey == "" || !bool(*is.Alerts.Follow) ||
		bool(*is.Alerts.Favourite) {
		t.Errorf("the subscription is %+v", is)
	}
	_, err = ann.UpdatePushSubscription(t.Context(), &client.PushAlerts{Reblog: &on})
	testenv.Must(t, err)
	is, err = ann.GetPushSubscription(t.Context())
	testenv.Must(t, err)
	same(t, "what changed", []bool{bool(*is.Alerts.Follow), bool(*is.Alerts.Reblog)}, []bool{false, true})
	e.ask(t, ann, "POST "+path, map[string]any{"subscription": subscription(), "data": map[string]any{"policy": "none",
		"alerts": map[string]bool{"poll": true}}}).want(t, http.StatusOK, nil)
	var all struct{ Items []struct{ ID, Kind string } }
	e.ask(t, ann, "GET /v1/users/me/pushSubscriptions", nil).want(t, http.StatusOK, &all)
	same(t, "devices", len(all.Items), 1)
	testenv.Must(t, ann.RemovePushSubscription(t.Context()))
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusNotFound, nil)
}
