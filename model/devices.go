package model

import (
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

const (
	// MaxDevices is how many devices a user may have.
	MaxDevices = 10
	// MaxEndpoint is how many bytes the address of a push service has.
	MaxEndpoint = 1_000
	// SendEvery is the shortest time between messages about two replies, quotes or mentions on an unread notification.
	SendEvery = time.Minute
	// SendWithin is the age beyond which devices get no message. A late event sends none.
	SendWithin = time.Hour
)

// Devices are the devices of a user: devices/{uid}.
type Devices struct {
	UserID  UserID            `firestore:"userId"`
	Devices map[string]Device `firestore:"devices"` // by ids that clients choose; at most MaxDevices
}

// Device is a browser or an app that shows notifications in the background: a browser with a web push subscription, or
// an app with a token of Firebase Cloud Messaging.
type Device struct {
	Endpoint string    `firestore:"endpoint,omitempty"` // address at the push service of the browser
	P256dh   string    `firestore:"p256dh,omitempty"`   // public key of the browser, as unpadded base64url
	Auth     string    `firestore:"auth,omitempty"`     // secret of the browser, as unpadded base64url
	FCMToken string    `firestore:"fcmToken,omitempty"`
	At       time.Time `firestore:"at"` // when the device was last registered

	App *DeviceApp `firestore:"app,omitempty"` // of an app for Mastodon, which has web push

	// Token is the hash of the access token by which an app registered the device. The device goes with the token.
	Token string `firestore:"token,omitempty"`
}

// Same reports whether two devices are one.
func (d Device) Same(as Device) bool {
	return d.Endpoint == as.Endpoint && d.P256dh == as.P256dh && d.Auth == as.Auth && d.FCMToken == as.FCMToken &&
		d.Token == as.Token &&
		(d.App == nil) == (as.App == nil) && (d.App == nil || d.App.Legacy == as.App.Legacy &&
		d.App.Language == as.App.Language && slices.Equal(d.App.Alerts, as.App.Alerts))
}

// sharesAddress reports whether messages to one device arrive at the other.
func (d Device) sharesAddress(with Device) bool {
	return d.Endpoint == with.Endpoint && d.FCMToken == with.FCMToken
}

// Put adds a device, or replaces the device with the id. Another id of the same browser or app is removed, and so is
// the one that the same access token had: an app has one device for each of its tokens. More than [MaxDevices] are
// errs.Conflict. An app replaces no device under an id that it has not registered by the same token: errs.Forbidden
// (not_for_apps).
func (d *Devices) Put(id string, device Device) error {
	if err := d.mayChange(id, device.Token); err != nil {
		return err
	}
	for other, is := range d.Devices {
		if is.sharesAddress(device) || device.Token != "" && is.Token == device.Token {
			delete(d.Devices, other)
		}
	}
	if _, ok := d.Devices[id]; !ok && len(d.Devices) >= MaxDevices {
		return errs.New(errs.Conflict, "too_many_devices", "a user has at most %d devices; remove one first", MaxDevices)
	}
	if d.Devices == nil {
		d.Devices = map[string]Device{}
	}
	d.Devices[id] = device
	return nil
}

// mayChange is the error of an app that changes a device under an id; token is empty for the user's own client.
func (d *Devices) mayChange(id, token string) error {
	if is, ok := d.Devices[id]; ok && token != "" && is.Token != token {
		return errs.New(errs.Forbidden, "not_for_apps", "an app changes the push subscriptions of its own token alone")
	}
	return nil
}

// Drop removes a device, for an app with the token by which it registered the device, and returns whether the device
// was there. token is empty for the user's own client.
func (d *Devices) Drop(id, token string) (bool, error) {
	if err := d.mayChange(id, token); err != nil {
		return false, err
	}
	_, ok := d.Devices[id]
	delete(d.Devices, id)
	return ok, nil
}

// DropOf removes the devices that were registered by one of some access tokens, by their hashes, and returns whether
// there was one.
func (d *Devices) DropOf(tokens []string) bool {
	n := len(d.Devices)
	maps.DeleteFunc(d.Devices, func(_ string, is Device) bool {
		return is.Token != "" && slices.Contains(tokens, is.Token)
	})
	return len(d.Devices) < n
}

// DropBefore removes the devices that were registered before a time, and returns whether there was one.
func (d *Devices) DropBefore(at time.Time) bool {
	n := len(d.Devices)
	maps.DeleteFunc(d.Devices, func(_ string, is Device) bool { return is.At.Before(at) })
	return len(d.Devices) < n
}

var (
	deviceID = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)
	fcmToken = regexp.MustCompile(`^[A-Za-z0-9_:.-]{1,1000}$`)
)

// ParseDeviceID checks the form of the id of a device.
func ParseDeviceID(s string) (string, error) {
	if !deviceID.MatchString(s) {
		return "", errs.New(errs.Invalid, "invalid_device_id", "the id of a push subscription has 1 to 64 letters, digits "+
			"and hyphens")
	}
	return s, nil
}

func noDevice() error {
	return errs.New(errs.NotFound, "push_subscription_not_found", "there is no such push subscription of an app")
}

func invalidDevice(text string, args ...any) error {
	return errs.New(errs.Invalid, "invalid_push_subscription", text, args...)
}

// NewDevice returns a device as it is stored. A device that is neither a web push subscription
// nor a token, or both, is errs.Invalid, and so are an address and keys of another form.
func NewDevice(d Device) (Device, error) {
	if (d.FCMToken != "") == (d.Endpoint != "") {
		return Device{}, invalidDevice("a push subscription has either endpoint and keys, or fcmToken")
	}
	if d.FCMToken != "" {
		if d.P256dh+d.Auth != "" || d.App != nil || !fcmToken.MatchString(d.FCMToken) {
			return Device{}, invalidDevice("fcmToken has 1 to 1000 letters, digits and any of _ : . -, and no keys")
		}
		return d, nil
	}
	if err := validEndpoint(d.Endpoint); err != nil {
		return Device{}, err
	}
	key, ok := decodeKey(d.P256dh)
	if _, err := ecdh.P256().NewPublicKey(key); !ok || err != nil {
		return Device{}, invalidDevice("keys.p256dh must be a point of the curve P-256, uncompressed, 65 bytes in base64url")
	}
	secret, ok := decodeKey(d.Auth)
	if !ok || len(secret) != 16 {
		return Device{}, invalidDevice("keys.auth must be 16 bytes in base64url")
	}
	if d.App != nil {
		if err := d.App.check(); err != nil {
			return Device{}, err
		}
	}
	d.P256dh, d.Auth = base64.RawURLEncoding.EncodeToString(key), base64.RawURLEncoding.EncodeToString(secret)
	return d, nil
}

// decodeKey reads base64url, with padding or without.
func decodeKey(s string) ([]byte, bool) {
	key, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
	return key, err == nil
}

// validEndpoint refuses an address that is not of a push service. Package push checks the host again when it connects.
func validEndpoint(endpoint string) error {
	if len(endpoint) > MaxEndpoint {
		return invalidDevice("endpoint has %d bytes, at most %d are allowed", len(endpoint), MaxEndpoint)
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || u.Port() != "" &&
		u.Port() != "443" || !isPrintable(endpoint) {
		return invalidDevice("endpoint must be an https address of a push service, on port 443")
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil || !strings.Contains(u.Hostname(), ".") {
		return invalidDevice("endpoint must name the host of a push service, and no address of a network")
	}
	return nil
}

// isPrintable reports whether a text has only printable ASCII.
func isPrintable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// Sends reports whether devices get a message about a write of a notification. before is the notification before the
// write, and nil for a new one. Devices get a message when the notification becomes unread. They also get one for a
// reply, quote or mention that comes to an unread notification after a minute without any. So a notification by a
// thousand users rings once.
func (n *Notification) Sends(before *Notification) bool {
	switch {
	case n.IsRead || len(n.Records) == 0:
		return false
	case before == nil:
		return true
	case n.Rings > 0 && n.Rings == before.Rings: // an event was withdrawn, or was put on again
		return false
	case before.Rings > 0 && before.Empty():
		return true
	case !n.UpdatedAt.After(before.UpdatedAt): // a repair, or a late event
		return false
	case before.IsRead:
		return true
	}
	return n.CountTweets > before.CountTweets && n.UpdatedAt.Sub(before.UpdatedAt) >= SendEvery
}

// DeviceMessage is a message to a device, as JSON. Devices make the text that they show, in the language of their user.
type DeviceMessage struct {
	// of the notification: a message replaces the shown one with the same id
	ID       string `json:"id"`
	GroupKey string `json:"slot"`
	UserID   UserID `json:"userId"` // of the newest record
	// whose notification it is, for a device with several accounts
	RecipientID UserID  `json:"recipientId,omitempty"`
	Nickname    string  `json:"nickname,omitempty"`
	TweetID     TweetID `json:"tweetId,omitempty"`
	// of a message of a conversation; the slot is message then
	ConversationID ConversationID `json:"conversationId,omitempty"`
	Excerpt        string         `json:"excerpt,omitempty"` // of a public tweet only
	CountUsers     int64          `json:"countUsers"`
	CountTweets    int64          `json:"countTweets,omitempty"`
	At             time.Time      `json:"at"`
}

// NewDeviceMessage makes the message about a notification. actor and about are nil if they are gone. The text of a
// tweet that is not public is in no message: push services belong to third parties.
func NewDeviceMessage(id string, n *Notification, actor *User, about *Tweet) DeviceMessage {
	m := DeviceMessage{ID: id, GroupKey: n.GroupKey, UserID: n.Records[0].UserID, TweetID: n.About(),
		CountUsers: n.CountUsers, CountTweets: n.CountTweets, At: n.UpdatedAt}
	if actor != nil {
		m.Nickname = actor.Nickname
	}
	if about != nil && about.Visibility == Public && !about.IsViolative {
		m.Excerpt = about.Excerpt()
	}
	return m
}

// MessageSlot is the slot of messages to devices about conversations.
const MessageSlot = "message"

// NewConversationMessage says that an author wrote in a conversation. A message about the same conversation replaces
// it. It has no text of the conversation: push services belong to third parties.
func NewConversationMessage(c *Conversation, m *Message) DeviceMessage {
	out := DeviceMessage{ID: MessageSlot + "_" + string(c.ID), GroupKey: MessageSlot, UserID: m.AuthorID, CountUsers: 1,
		ConversationID: c.ID, At: m.At}
	if by := c.Member(m.AuthorID); by != nil {
		out.Nickname = by.Nickname
	}
	return out
}

// Topic names the notification to a push service, which keeps one message of a topic for a device that is offline. The
// topic does not reveal the notification.
func (m DeviceMessage) Topic(to UserID) string {
	sum := sha256.Sum256([]byte(string(to) + "/" + m.ID))
	return base64.RawURLEncoding.EncodeToString(sum[:24])
}
