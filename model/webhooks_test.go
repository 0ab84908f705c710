package model

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

func TestWebhookURL(t *testing.T) {
	t.Parallel()
	tests := []struct {
		url            string
		public, onHost bool // whether it is allowed, also with loopback addresses
	}{
		{"https://example.com/hooks?a=b", true, true},
		{"https://example.com:443/", true, true},
		{"https://example.com", true, true},
		{"http://example.com/", false, false},
		{"https://example.com:8443/", false, false},
		{"https://u:p@example.com/", false, false},
		{"https://example.com/#x", false, false},
		{"https://example.com/a b", false, false},
		{"https://example.com/\n", false, false},
		{"https://localhost/", false, true},
		{"http://localhost:8080/", false, true},
		{"http://127.0.0.1:8080/x", false, true},
		{"http://[::1]:8080/x", false, true},
		{"https://10.0.0.1/", false, false},
		{"https://93.184.216.34/", false, false},
		{"https://169.254.169.254/", false, false},
		{"https://intern/", false, false},
		{"https:///x", false, false},
		{"ftp://example.com/", false, false},
		{"example.com", false, false},
		{"", false, false},
		{"https://example.com/" + strings.Repeat("x", MaxWebhookURL), false, false},
	}
	for _, test := range tests {
		for loopback, want := range map[bool]bool{false: test.public, true: test.onHost} {
			_, err := WebhookPatch{URL: &test.url}.Clean(loopback)
			if err == nil != want || err != nil && errs.CodeOf(err) != "invalid_webhook_url" {
				t.Errorf("Clean(%.60q, loopback %t) = %v, want allowed: %t", test.url, loopback, err, want)
			}
		}
	}
}

func TestWebhookPatch(t *testing.T) {
	t.Parallel()
	text, events, on := " a\u200bb ", []WebhookEvent{WebhookReportCreated, WebhookUserCreated, WebhookReportCreated}, true
	p, err := WebhookPatch{Description: &text, Events: &events, Enabled: &on}.Clean(false)
	if err != nil || len(*p.Events) != 2 || (*p.Events)[0] != WebhookUserCreated {
		t.Errorf("Clean = %v, %v", p.Events, err)
	}
	for code, events := range map[string][]WebhookEvent{"events_required": {}, "unknown_event": {WebhookPing}} {
		if _, err := (WebhookPatch{Events: &events}).Clean(false); errs.CodeOf(err) != code {
			t.Errorf("Clean(%v) = %v, want %s", events, err, code)
		}
	}
	long := strings.Repeat("x", MaxWebhookDescription+1)
	if _, err := (WebhookPatch{Description: &long}).Clean(false); errs.CodeOf(err) != "too_long" {
		t.Errorf("a long description: %v", err)
	}
	w := &Webhook{Events: []WebhookEvent{WebhookUserCreated}, Failure: "x", GaveUpAt: time.Now(), FailingSince: time.Now()}
	if !p.Apply(w) || !w.Enabled || w.Failure != "" || !w.GaveUpAt.IsZero() || !w.FailingSince.IsZero() {
		t.Errorf("a webhook that is switched on again is %+v", w)
	}
	if p.Apply(w) {
		t.Error("the same patch changes a webhook twice")
	}
	if !w.Wants(WebhookPing) || !w.Wants(WebhookReportCreated) || w.Wants(WebhookAppealCreated) {
		t.Errorf("a webhook of %v wants other events", w.Events)
	}
	w.Enabled = false
	if w.Wants(WebhookPing) || w.Wants(WebhookReportCreated) {
		t.Error("a webhook that is switched off wants events")
	}
}

// The attempts of a delivery take about 3 days, and end before the database forgets the delivery.
func TestNextAttempt(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	at, attempts := begin, 1
	for ; attempts < 100; attempts++ {
		next, again := NextAttempt(attempts, at)
		if !again {
			break
		}
		if !next.After(at) {
			t.Fatalf("attempt %d comes at %s, after %s", attempts+1, next, at)
		}
		at = next
	}
	if took := at.Sub(begin); attempts != 9 || took < WebhookPatience-6*time.Hour || took > WebhookPatience+6*time.Hour ||
		took > WebhookWindow {
		t.Errorf("%d attempts take %s", attempts, took)
	}
}

func TestWebhookTried(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	w := &Webhook{Enabled: true}
	w.Tried(at, 500, strings.Repeat("x", 1000))
	if !w.Enabled || !w.FailingSince.Equal(at) || len(w.Failure) > MaxWebhookFailure+3 {
		t.Errorf("after a failure: %+v", w)
	}
	w.Tried(at.Add(WebhookPatience-1), 0, "no answer")
	if !w.Enabled || !w.FailingSince.Equal(at) {
		t.Errorf("shortly before the end of the patience: %+v", w)
	}
	w.Tried(at.Add(WebhookPatience), 204, "")
	if !w.Enabled || !w.FailingSince.IsZero() || w.Failure != "" {
		t.Errorf("after a success: %+v", w)
	}
	w.Tried(at, 500, "x")
	w.Tried(at.Add(WebhookPatience), 500, "x")
	if w.Enabled || !w.GaveUpAt.Equal(at.Add(WebhookPatience)) {
		t.Errorf("after the patience: %+v", w)
	}
}

func TestWebhookSecrets(t *testing.T) {
	t.Parallel()
	secret := NewWebhookSecret()
	if key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")); err != nil || len(key) != 32 ||
		secret == NewWebhookSecret() {
		t.Errorf("NewWebhookSecret() = %q, %v", secret, err)
	}
	at := time.Now()
	w := &Webhook{Secret: "new", Former: "old", FormerUntil: at.Add(time.Second)}
	if got := w.Secrets(at); !slices.Equal(got, []string{"new", "old"}) {
		t.Errorf("Secrets = %v", got)
	}
	if got := w.Secrets(at.Add(time.Second)); !slices.Equal(got, []string{"new"}) {
		t.Errorf("Secrets after the overlap = %v", got)
	}
}

// The longest list and the largest delivery are within their bounds.
func TestLargestWebhooks(t *testing.T) {
	t.Parallel()
	names := len("url description events enabled secret former formerUntil by at triedAt status failure failingSince " +
		"gaveUpAt")
	events := 0
	for _, e := range WebhookEvents {
		events += len(e) + 1
	}
	one := 16 + names + 14*2 + 4*MaxWebhookURL + 4*MaxWebhookDescription + events + 2*len(NewWebhookSecret()) + 128 +
		4*MaxWebhookFailure + 7*8
	if most := Row(WebhookLists).Bound.Bytes; MaxWebhooks*one > most {
		t.Errorf("%d webhooks have %d bytes, and their bound is %d", MaxWebhooks, MaxWebhooks*one, most)
	}
	d := len("hookId event data at dueAt attempts status failure expireAt") + 16 + 20 + 5*8 + 4*MaxWebhookFailure +
		len("reportId userId tweetId") + 3*128 + 3*128
	if most := Row(WebhookDeliveries).Bound.Bytes; d > most {
		t.Errorf("a delivery has %d bytes, and its bound is %d", d, most)
	}
}
