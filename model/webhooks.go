package model

import (
	"crypto/rand"
	"encoding/base64"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

const (
	// MaxWebhooks limits the webhooks of an installation.
	MaxWebhooks = 10
	// MaxWebhookURL limits the characters of the address of a webhook.
	MaxWebhookURL = 500
	// MaxWebhookDescription limits the characters of what administrators write about a webhook.
	MaxWebhookDescription = 100
	// MaxWebhookFailure limits the characters of what is kept of a failure.
	MaxWebhookFailure = 200

	// WebhookWindow is how long the database keeps a delivery after its event.
	WebhookWindow = 7 * 24 * time.Hour
	// WebhookSecretOverlap is for how long after its change a secret still signs beside the new one.
	WebhookSecretOverlap = 24 * time.Hour
	// WebhookPatience is for how long each delivery of a webhook fails before the webhook is switched off.
	WebhookPatience = 3 * 24 * time.Hour
)

// webhookDelays are the times between the attempts of a delivery, about 3 days in all.
var webhookDelays = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour,
	15 * time.Hour, 24 * time.Hour, 24 * time.Hour}

// WebhookEvent is a kind of event that webhooks tell of.
type WebhookEvent string

// The events. The data of a delivery has ids and states alone: a receiver asks the API for the rest.
const (
	WebhookUserCreated    WebhookEvent = "user.created"    // somebody has a profile; data has userId
	WebhookSignUpWaiting  WebhookEvent = "sign_up.waiting" // a sign-up waits for approval; data has userId
	WebhookReportCreated  WebhookEvent = "report.created"  // data has reportId, userId, and tweetId of a tweet
	WebhookAppealCreated  WebhookEvent = "appeal.created"  // data has appealId, userId, and tweetId of a tweet
	WebhookAccountChanged WebhookEvent = "account.changed" // a moderator changed its state; data has userId and state
	WebhookPing           WebhookEvent = "ping"            // an administrator tries the webhook; no data
)

// WebhookEvents are the events that a webhook may choose.
var WebhookEvents = []WebhookEvent{WebhookUserCreated, WebhookSignUpWaiting, WebhookReportCreated,
	WebhookAppealCreated, WebhookAccountChanged}

// WebhookID names a webhook.
type WebhookID string

// NewWebhookID returns an unused id.
func NewWebhookID() WebhookID { return WebhookID(strings.ToLower(rand.Text()[:16])) }

// NewWebhookSecret returns a secret of 32 random bytes, in the form of the Standard Webhooks: whsec_ and base64.
func NewWebhookSecret() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(key)
}

// Webhooks are the addresses to which the installation tells events: webhooks/all.
type Webhooks struct {
	Hooks map[string]*Webhook `firestore:"hooks,omitempty"`
}

// Webhook is one of them.
type Webhook struct {
	ID          WebhookID      `firestore:"-"`
	URL         string         `firestore:"url"`
	Description string         `firestore:"description,omitempty"`
	Events      []WebhookEvent `firestore:"events"`
	Enabled     bool           `firestore:"enabled"`
	// Secret is the key of the signatures. Former is the one before, which signs too until FormerUntil.
	Secret      string    `firestore:"secret"`
	Former      string    `firestore:"former,omitempty"`
	FormerUntil time.Time `firestore:"formerUntil,omitempty"`
	By          UserID    `firestore:"by"`
	At          time.Time `firestore:"at"`

	// What became of the last attempt: its time, the HTTP status of the answer (0 without one), and what failed.
	TriedAt time.Time `firestore:"triedAt,omitempty"`
	Status  int       `firestore:"status,omitempty"`
	Failure string    `firestore:"failure,omitempty"`
	// FailingSince is the time of the first failure after the last success; zero if the last attempt succeeded.
	FailingSince time.Time `firestore:"failingSince,omitempty"`
	// GaveUpAt is when the webhook was switched off because it failed for [WebhookPatience].
	GaveUpAt time.Time `firestore:"gaveUpAt,omitempty"`
}

// WebhookPatch changes a webhook. A nil field stays.
type WebhookPatch struct {
	URL         *string
	Description *string
	Events      *[]WebhookEvent
	Enabled     *bool
}

// Clean returns the patch in the form in which it is kept. loopback allows addresses of the machine itself, also
// without TLS. A field that breaks its limit is errs.Invalid.
func (p WebhookPatch) Clean(loopback bool) (WebhookPatch, error) {
	if p.URL != nil {
		address, err := cleanWebhookURL(*p.URL, loopback)
		if err != nil {
			return p, err
		}
		p.URL = &address
	}
	if p.Description != nil {
		text, err := cleanText("description", strings.TrimSpace(*p.Description), MaxWebhookDescription)
		if err != nil {
			return p, err
		}
		p.Description = &text
	}
	if p.Events != nil {
		var events []WebhookEvent
		for _, e := range WebhookEvents { // each once, in one order
			if slices.Contains(*p.Events, e) {
				events = append(events, e)
			}
		}
		for _, e := range *p.Events {
			if !slices.Contains(WebhookEvents, e) {
				return p, errs.New(errs.Invalid, "unknown_event", "events has %q, which is none of %v", Snippet(string(e), 40),
					WebhookEvents)
			}
		}
		if len(events) == 0 {
			return p, errs.New(errs.Invalid, "events_required", "events needs at least one of %v", WebhookEvents)
		}
		p.Events = &events
	}
	return p, nil
}

// Apply changes a webhook, and reports whether something changed. A webhook that is switched on again begins anew.
func (p WebhookPatch) Apply(w *Webhook) bool {
	before := *w
	if p.URL != nil {
		w.URL = *p.URL
	}
	if p.Description != nil {
		w.Description = *p.Description
	}
	if p.Events != nil {
		w.Events = *p.Events
	}
	if p.Enabled != nil {
		w.Enabled = *p.Enabled
	}
	if w.Enabled && !before.Enabled || w.URL != before.URL {
		w.FailingSince, w.GaveUpAt, w.Failure = time.Time{}, time.Time{}, ""
	}
	return w.URL != before.URL || w.Description != before.Description || w.Enabled != before.Enabled ||
		!slices.Equal(w.Events, before.Events)
}

// cleanWebhookURL checks the address of a webhook. What its host resolves to is checked at each connection.
func cleanWebhookURL(s string, loopback bool) (string, error) {
	wrong := func(why string) (string, error) {
		return "", errs.New(errs.Invalid, "invalid_webhook_url", "url %s, and is not %q", why, Snippet(s, 60))
	}
	if len([]rune(s)) > MaxWebhookURL {
		return wrong("has at most 500 characters")
	}
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" ||
		strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return wrong("is an address as https://example.com/hooks, without user, password and fragment")
	}
	a, notIP := netip.ParseAddr(u.Hostname())
	if loopback && (u.Scheme == "http" || u.Scheme == "https") && (u.Hostname() == "localhost" ||
		notIP == nil && a.IsLoopback()) {
		return u.String(), nil
	}
	if u.Scheme != "https" {
		return wrong("begins with https://")
	}
	if notIP == nil || !strings.Contains(strings.Trim(u.Hostname(), "."), ".") || u.Port() != "" && u.Port() != "443" {
		return wrong("has the name of a host of the public internet, and no other port than 443")
	}
	return u.String(), nil
}

// Wants reports whether a webhook is told of an event. A ping is for one that is switched on.
func (w *Webhook) Wants(e WebhookEvent) bool {
	return w.Enabled && (e == WebhookPing || slices.Contains(w.Events, e))
}

// Tried notes what became of an attempt. A webhook that failed for [WebhookPatience] is switched off.
func (w *Webhook) Tried(at time.Time, status int, failure string) {
	w.TriedAt, w.Status, w.Failure = at, status, Snippet(failure, MaxWebhookFailure)
	switch {
	case failure == "":
		w.FailingSince = time.Time{}
	case w.FailingSince.IsZero():
		w.FailingSince = at
	case w.Enabled && at.Sub(w.FailingSince) >= WebhookPatience:
		w.Enabled, w.GaveUpAt = false, at
	}
}

// Secrets returns the keys that sign at a time, the newest first.
func (w *Webhook) Secrets(at time.Time) []string {
	if w.Former != "" && at.Before(w.FormerUntil) {
		return []string{w.Secret, w.Former}
	}
	return []string{w.Secret}
}

// WebhookDelivery is an event on its way to a webhook: webhookDeliveries/{id}. It is written in the commit of the
// event.
type WebhookDelivery struct {
	ID     string            `firestore:"-"`
	HookID WebhookID         `firestore:"hookId"`
	Event  WebhookEvent      `firestore:"event"`
	Data   map[string]string `firestore:"data,omitempty"` // ids and states, see the events
	At     time.Time         `firestore:"at"`             // of the event
	// DueAt is the time of the next attempt. A delivery that arrived, or was given up, has none.
	DueAt    time.Time `firestore:"dueAt,omitempty"`
	Attempts int       `firestore:"attempts,omitempty"`
	Status   int       `firestore:"status,omitempty"` // of the last answer
	Failure  string    `firestore:"failure,omitempty"`
	ExpireAt time.Time `firestore:"expireAt"`
}

// NewWebhookDelivery returns the delivery of an event that happens now.
func NewWebhookDelivery(to WebhookID, e WebhookEvent, data map[string]string, at time.Time) *WebhookDelivery {
	return &WebhookDelivery{ID: "evt_" + strings.ToLower(rand.Text()), HookID: to, Event: e, Data: data, At: at, DueAt: at,
		ExpireAt: at.Add(WebhookWindow)}
}

// NextAttempt returns when a delivery is tried again after a number of attempts that failed; false if it is given up.
func NextAttempt(attempts int, at time.Time) (time.Time, bool) {
	if attempts > len(webhookDelays) {
		return time.Time{}, false
	}
	return at.Add(webhookDelays[max(attempts, 1)-1]), true
}
