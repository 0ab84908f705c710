package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

var now = time.Unix(1614265330, 0)

// local sends to receivers of the test.
func local() *Sender { return New(outbound.Options{AllowLoopback: true}) }

// The example of the Standard Webhooks has this signature. openssl computes it, too:
//
//	printf %s 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}' |
//	  openssl dgst -sha256 -mac HMAC -macopt hexkey:31f28a4d… -binary | base64
func TestSign(t *testing.T) {
	t.Parallel()
	got, err := Sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", now,
		[]byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want || err != nil {
		t.Errorf("Sign = %q, %v; want %q", got, err, want)
	}
	if got, err := Sign("whsec_*", "x", now, nil); err == nil {
		t.Errorf("a secret that is not base64 signs %q", got)
	}
}

// A receiver can verify what it gets, by the new and by the former secret.
func TestSend(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	w := &model.Webhook{Secret: model.NewWebhookSecret(), Former: model.NewWebhookSecret(),
		FormerUntil: now.Add(time.Minute)}
	receiver := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if want := `{"type":"user.created","timestamp":"2026-11-28T12:00:00Z","data":{"userId":"ann"}}`; string(text) != want {
			t.Errorf("the body is %s, want %s", text, want)
		}
		signatures := strings.Fields(r.Header.Get("webhook-signature"))
		if len(signatures) != 2 {
			t.Fatalf("the signatures are %q, want one of each secret", signatures)
		}
		for i, secret := range []string{w.Secret, w.Former} {
			key, err := base64.StdEncoding.DecodeString(secret[len("whsec_"):])
			if err != nil {
				t.Error(err)
			}
			mac := hmac.New(sha256.New, key)
			mac.Write([]byte("evt_1.1614265330."))
			mac.Write(text)
			if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); signatures[i] != want {
				t.Errorf("signature %d is %q, want %q", i, signatures[i], want)
			}
		}
		h := r.Header
		if r.Method != http.MethodPost || h.Get("Content-Type") != "application/json" || h.Get("webhook-id") != "evt_1" ||
			h.Get("webhook-timestamp") != "1614265330" {
			t.Errorf("the request is %s with %v", r.Method, h)
		}
		rw.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	w.URL = receiver.URL
	status, err := local().Send(t.Context(), w, &model.WebhookDelivery{ID: "evt_1", Event: model.WebhookUserCreated,
		Data: map[string]string{"userId": "ann"}, At: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)}, now)
	if status != 204 || err != nil || asked.Load() != 1 {
		t.Errorf("Send = %d, %v after %d requests", status, err, asked.Load())
	}
}

// What is no success is an error that an administrator understands. A redirect is not followed.
func TestSendFails(t *testing.T) {
	t.Parallel()
	var followed atomic.Bool
	routes := http.NewServeMux()
	routes.HandleFunc("/500", func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
	})
	routes.HandleFunc("/410", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	routes.HandleFunc("/302", func(w http.ResponseWriter,
		r *http.Request) {
		http.Redirect(w, r, "/ok", http.StatusFound)
	})
	routes.HandleFunc("/307", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/ok", http.StatusTemporaryRedirect)
	})
	routes.HandleFunc("/ok", func(http.ResponseWriter, *http.Request) { followed.Store(true) })
	hangs := make(chan struct{})
	routes.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hangs:
		case <-r.Context().Done():
		}
	})
	receiver := httptest.NewServer(routes)
	defer receiver.Close()
	defer close(hangs)
	closed := httptest.NewServer(routes)
	closed.Close()
	quick := local()
	quick.client.Timeout = 200 * time.Millisecond
	public := New(outbound.Options{})
	tests := []struct {
		by     *Sender
		url    string
		status int
		says   string
	}{
		{local(), receiver.URL + "/500", 500, "500 Internal Server Error"},
		{local(), receiver.URL + "/410", 410, "410 Gone"},
		{local(), receiver.URL + "/302", 302, "302 Found"},
		{local(), receiver.URL + "/307", 307, "307 Temporary Redirect"},
		{quick, receiver.URL + "/hang", 0, "no answer within"},
		{local(), closed.URL, 0, "no connection"},
		{local(), "http://a host", 0, "the address cannot be asked"},
		{local(), "https://10.0.0.1/", 0, "not on the public internet"},
		{public, receiver.URL, 0, "not on the public internet"}, // without TLS
		{public, "http://93.184.216.34/", 0, "not on the public internet"},
		{public, "https://127.0.0.1/", 0, "not on the public internet"},             // also behind a public name
		{public, "https://169.254.169.254/latest", 0, "not on the public internet"}, // metadata of a cloud
		{public, "https://[::ffff:10.0.0.1]/", 0, "not on the public internet"},
		{public, "https://93.184.216.34:8443/", 0, "not on the public internet"},
	}
	for _, test := range tests {
		status, err := test.by.Send(t.Context(), &model.Webhook{URL: test.url, Secret: model.NewWebhookSecret()},
			&model.WebhookDelivery{ID: "evt_1", Event: model.WebhookPing}, now)
		if status != test.status || err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("Send to %s = %d, %v; want %d and %q", test.url, status, err, test.status, test.says)
		}
	}
	if followed.Load() {
		t.Error("a redirect was followed")
	}
}
