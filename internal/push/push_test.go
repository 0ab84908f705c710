package push

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"
	"google.golang.org/api/option"

	"github.com/hibana-sns/hibana/dev/testing/pushtest"
	"github.com/hibana-sns/hibana/internal/outbound"
	"github.com/hibana-sns/hibana/model"
)

// message has the longest texts that a message may have.
func message() model.DeviceMessage {
	return model.DeviceMessage{
		ID: "reply:aa0000000000000001_2026-11-20", GroupKey: "reply:aa0000000000000001",
		UserID: model.UserID(strings.Repeat("a", 128)), Nickname: strings.Repeat("<", model.MaxNickname),
		TweetID: "bb0000000000000002", Excerpt: strings.Repeat("<", model.MaxExcerpt), CountUsers: 1_000_000,
		CountTweets: 1_000_000, At: time.Now().UTC(),
	}
}

func sender(t *testing.T, s *pushtest.Service, o Options) *Sender {
	t.Helper()
	o.PrivateKey, o.Contact, o.TLS = s.PrivateKey, pushtest.Contact, s.TLS()
	to, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// A browser reads what was sent to it, and its push service knows the sender.
func TestWebPush(t *testing.T) {
	t.Parallel()
	s := pushtest.Run(t)
	to, b, other := sender(t, s, Options{Loopback: true}), s.Browser(), s.Browser()
	want := message()
	for range 2 {
		if gone, err := to.Send(t.Context(), "ann", b.Device, want); gone || err != nil {
			t.Fatal(gone, err)
		}
	}
	got := b.Received()
	if len(got) != 2 || len(other.Received()) > 0 {
		t.Fatalf("the browser got %v, and another one %v", got, other.Received())
	}
	for _, r := range got {
		if diff := cmp.Diff(want, r.Message); diff != "" {
			t.Errorf("message (-want +got):\n%s", diff)
		}
		if r.Topic != got[0].Topic || r.Topic != want.Topic("ann") || r.Topic == want.Topic("bob") || r.TTL != 24*60*60 ||
			r.Bytes != got[0].Bytes {
			t.Errorf("the message came with %+v", r)
		}
	}
	short := model.DeviceMessage{ID: "follow_2026-11-20", At: want.At}
	if _, err := to.Send(t.Context(), "ann", b.Device, short); err != nil {
		t.Fatal(err)
	}
	if last := b.Received()[2]; last.Bytes != got[0].Bytes || last.Topic == got[0].Topic {
		t.Errorf("another message came with %+v, want one of as many bytes and with another topic than %+v", last, got[0])
	}
}

// What a push service answers decides whether it is asked again, and whether the device is gone.
func TestAnswers(t *testing.T) {
	t.Parallel()
	s := pushtest.Run(t)
	to, b := sender(t, s, Options{Loopback: true}), s.Browser()
	for _, of := range []struct {
		answers []int
		calls   int
		gone    bool
		failed  bool
	}{
		{[]int{201}, 1, false, false}, {[]int{404}, 1, true, false}, {[]int{410}, 1, true, false},
		{[]int{400}, 1, false, true}, {[]int{413}, 1, false, true},
		{[]int{301}, 1, false, true}, {[]int{307}, 1, false, true}, {[]int{500, 201}, 2, false, false},
		{[]int{429, 503}, 2, false, true}, {[]int{503, 410}, 2, true, false},
	} {
		before := s.Calls()
		s.Answer(of.answers...)
		gone, err := to.Send(t.Context(), "ann", b.Device, message())
		if calls := s.Calls() - before; gone != of.gone || (err != nil) != of.failed || calls != of.calls {
			t.Errorf("after %v: gone %v, %v, %d calls; want %+v", of.answers, gone, err, calls, of)
		}
		if err != nil && strings.Contains(err.Error(), b.Device.Endpoint[len("https://127.0.0.1:00000"):]) {
			t.Errorf("%q has the address of the device", err)
		}
	}
}

// Nothing on this machine or in its network is reached, whatever the address is called.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	s := pushtest.Run(t)
	to, b := sender(t, s, Options{}), s.Browser()
	_, port, err := net.SplitHostPort(strings.Split(b.Device.Endpoint, "/")[2])
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1",
		"169.254.169.254", "10.0.0.1", "[fe80::1]"} {
		for _, at := range []string{":" + port, ""} {
			d := b.Device
			d.Endpoint = "https://" + host + at + "/push/secret"
			gone, err := to.Send(t.Context(), "ann", d, message())
			if host == "127.1" && err != nil && !errors.Is(err, outbound.ErrForbidden) {
				continue // no resolver need know this form
			}
			if !gone || !errors.Is(err, outbound.ErrForbidden) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: gone %v, %v, want it refused", d.Endpoint, gone, err)
			}
		}
	}
	if s.Calls() > 0 {
		t.Errorf("a server on this machine was asked %d times", s.Calls())
	}
	allowed := allow(false)
	for address, want := range map[string]bool{
		"8.8.8.8:443": true, "8.8.8.8:80": false, "[2001:4860:4860::8888]:443": true, "[::ffff:8.8.8.8]:443": true,
		"192.168.1.1:443": false, "172.16.0.1:443": false, "172.32.0.1:443": true, "100.64.0.1:443": false,
		"100.128.0.1:443": true, "198.18.0.1:443": false,
		"224.0.0.1:443": false, "240.0.0.1:443": false, "255.255.255.255:443": false, "0.1.2.3:443": false,
		"192.0.0.8:443": false, "[::]:443": false, "[fc00::1]:443": false, "[fd00:ec2::254]:443": false,
		"[64:ff9b::7f00:1]:443": false, "[2002:7f00:1::]:443": false, "[2001:db8::1]:443": false, "[2001::1]:443": false,
		"[ff02::1]:443": false, "[fec0::1]:443": false, "[::7f00:1]:443": false, "[::ffff:10.0.0.1]:443": false,
	} {
		if err := allowed("tcp", address, nil); (err == nil) != want {
			t.Errorf("%s: %v, want it allowed %v", address, err, want)
		}
	}
	if !outbound.Public(netip.MustParseAddr("8.8.8.8")) || allow(true)("tcp", "10.0.0.1:443", nil) == nil {
		t.Error("a test that may use this machine may use its network")
	}
}

// fcm is a server with the wire format of projects.messages:send of the HTTP v1 API.
type fcm struct {
	*httptest.Server
	t      *testing.T
	answer func(w http.ResponseWriter, token string)
	got    []model.DeviceMessage
}

func newFCM(t *testing.T) *fcm {
	f := &fcm{t: t}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fcm) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/projects/demo-push/messages:send" ||
		r.Header.Get("Authorization") != "Bearer granted" || !strings.HasPrefix(r.Header.Get("Content-Type"),
		"application/json") {
		f.t.Errorf("Firebase is asked for %s %s with %v", r.Method, r.URL, r.Header)
	}
	var body struct {
		Message struct {
			Token   string            `json:"token"`
			Data    map[string]string `json:"data"`
			Android struct {
				Priority string `json:"priority"`
				TTL      string `json:"ttl"`
			} `json:"android"`
			APNS struct {
				Headers map[string]string `json:"headers"`
				Payload struct {
					APS struct {
						ContentAvailable int `json:"content-available"`
					} `json:"aps"`
				} `json:"payload"`
			} `json:"apns"`
		} `json:"message"`
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil {
		f.t.Errorf("Firebase cannot read the request: %v", err)
	}
	m := body.Message
	if m.Android.Priority != "normal" || m.Android.TTL != "86400s" || m.APNS.Payload.APS.ContentAvailable != 1 ||
		len(m.APNS.Headers["apns-collapse-id"]) != 32 || len(m.Data) != 1 {
		f.t.Errorf("Firebase gets %+v", m)
	}
	if f.answer != nil {
		f.answer(w, m.Token)
		return
	}
	var got model.DeviceMessage
	if err := json.Unmarshal([]byte(m.Data["notification"]), &got); err != nil {
		f.t.Error(err)
	}
	f.got = append(f.got, got)
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"name":"projects/demo-push/messages/1"}`)
}

func TestFCM(t *testing.T) {
	t.Parallel()
	f := newFCM(t)
	to, err := New(Options{FCM: true, Project: "demo-push", FCMOptions: []option.ClientOption{
		option.WithEndpoint(f.URL + "/v1"),
		option.WithTokenSource(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "granted"})),
	}})
	if err != nil {
		t.Fatal(err)
	}
	d, want := model.Device{FCMToken: "token:" + strings.Repeat("x", 100)}, message()
	if gone, err := to.Send(t.Context(), "ann", d, want); gone || err != nil {
		t.Fatal(gone, err)
	}
	if diff := cmp.Diff([]model.DeviceMessage{want}, f.got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	for code, of := range map[string]struct {
		status int
		gone   bool
	}{
		"UNREGISTERED": {404, true}, "SENDER_ID_MISMATCH": {403, true}, "INVALID_ARGUMENT": {400, false},
		"QUOTA_EXCEEDED": {429, false}, "THIRD_PARTY_AUTH_ERROR": {401, false},
	} {
		f.answer = func(w http.ResponseWriter, _ string) {
			w.WriteHeader(of.status)
			fmt.Fprintf(w, `{"error":{"code":%d,"status":"X","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":%q}]}}`, of.status, code)
		}
		gone, err := to.Send(t.Context(), "ann", d, want)
		if gone != of.gone || (err == nil) != of.gone || err != nil && strings.Contains(err.Error(), d.FCMToken) {
			t.Errorf("after %s: gone %v, %v, want %v", code, gone, err, of.gone)
		}
	}
	// A browser is passed over where there are no VAPID keys.
	if gone, err := to.Send(t.Context(), "ann", pushtest.Run(t).Browser().Device, want); gone || err != nil {
		t.Errorf("without VAPID keys: %v, %v", gone, err)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	if s, err := New(Options{Contact: "a@example.com"}); s != nil || err != nil {
		t.Errorf("without a way there is %v, %v", s, err)
	}
	if _, err := New(Options{PrivateKey: "not a secret key"}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a bad key: %v", err)
	}
}
