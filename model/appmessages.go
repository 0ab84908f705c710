package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// AppKind is a kind of notifications with its type in the client API of Mastodon.
type AppKind struct {
	Kind   NotificationKind
	Type   string
	Groups bool // an app may have several of them as one
}

// AppKinds are the kinds that apps for Mastodon know. Ids of their notifications have the place in this list, so
// another kind comes last.
var AppKinds = []AppKind{
	{NotificationFollow, "follow", true},
	{NotificationFollowRequest, "follow_request", false},
	{NotificationLike, "favourite", true},
	{NotificationShare, "reblog", true},
	{NotificationReply, "mention", false},
	{NotificationMention, "mention", false},
	{NotificationQuote, "quote", false},
	{NotificationEdit, "update", false},
	{NotificationPoll, "poll", false},
	{NotificationPost, "status", false},
}

// AppKindOf is the place of a group key in [AppKinds], and its tweet; -1 for a kind that apps do not know.
func AppKindOf(groupKey string) (kind int, target string) {
	name, target, _ := strings.Cut(groupKey, ":")
	return slices.IndexFunc(AppKinds, func(k AppKind) bool { return string(k.Kind) == name }), target
}

// NoTarget stands for the tweet in the id of a notification that is about none.
const NoTarget = "000000000000000000"

// AppNotificationID is the id of a notification for apps: its time, its kind, the tweet of its group key, and its day,
// in 41 hexadecimal digits. So ids sort by time and have one length. day is as 2026-11-20.
func AppNotificationID(at time.Time, kind int, target, day string) string {
	if target == "" {
		target = NoTarget
	}
	return fmt.Sprintf("%014x%x%s%s", max(0, at.UnixMicro()), kind, target, strings.ReplaceAll(day, "-", ""))
}

// AppMessage is a message to an app for Mastodon, as Mastodon sends it.
type AppMessage struct {
	// Always empty: the token of an app is not kept. Apps know their account by the address of the message.
	AccessToken string `json:"access_token"`
	Locale      string `json:"preferred_locale"`
	ID          string `json:"notification_id"`
	Type        string `json:"notification_type"`
	Icon        string `json:"icon"` // empty
	Title       string `json:"title"`
	Body        string `json:"body"`
}

// appTitles are the titles of messages by type, of who acted. The end of a poll has no actor.
var appTitles = map[string]map[string]string{
	"en": {
		"follow": "%s follows you", "follow_request": "%s asks to follow you", "favourite": "%s likes your post",
		"reblog": "%s shares your post", "mention": "%s mentions you", "quote": "%s quotes your post",
		"update": "%s edited a post", "poll": "A poll has ended", "status": "%s has posted",
	},
	"ja": {
		"follow": "%sさんがフォローしました", "follow_request": "%sさんがフォローを申請しました",
		"favourite": "%sさんが投稿にいいねしました", "reblog": "%sさんが投稿をシェアしました",
		"mention": "%sさんが返信またはメンションしました", "quote": "%sさんが投稿を引用しました",
		"update": "%sさんが投稿を編集しました", "poll": "アンケートが終わりました", "status": "%sさんが投稿しました",
	},
}

// AppLanguages are the languages of messages to apps.
var AppLanguages = []string{"en", "ja"}

// appType is the type of a message; empty for one that apps do not know.
func (m DeviceMessage) appType() string {
	if kind, _ := AppKindOf(m.GroupKey); kind >= 0 {
		return AppKinds[kind].Type
	}
	return ""
}

// ForApp is the message in the form and the language of an app.
func (m DeviceMessage) ForApp(app DeviceApp) AppMessage {
	kind, target := AppKindOf(m.GroupKey)
	is := AppMessage{Locale: app.language(), Type: m.appType(), Body: m.Excerpt}
	if kind >= 0 {
		is.ID = AppNotificationID(m.At, kind, target, NotificationDay(m.ID))
	}
	by := m.Nickname
	if by == "" {
		by = "…"
	}
	if is.Title = appTitles[is.Locale][is.Type]; strings.Contains(is.Title, "%s") {
		is.Title = fmt.Sprintf(is.Title, by)
	}
	return is
}

// AppDeviceID is the id of the device of a user that an app is, by the hash of its access token, which is empty for a
// caller with an ID token.
func AppDeviceID(token string) string {
	if token == "" {
		return "mastodon"
	}
	sum := sha256.Sum256([]byte(token))
	return "mastodon-" + hex.EncodeToString(sum[:12])
}

// DeviceApp says of what an app for Mastodon is told, and how.
type DeviceApp struct {
	Alerts   []string `firestore:"alerts"`             // types of AppKinds
	Legacy   bool     `firestore:"legacy,omitempty"`   // whether the app reads the encoding aesgcm alone
	Language string   `firestore:"language,omitempty"` // en if empty
}

func (a DeviceApp) language() string {
	if a.Language == "" {
		return AppLanguages[0]
	}
	return a.Language
}

// check refuses types and languages that there are not.
func (a DeviceApp) check() error {
	for _, name := range a.Alerts {
		if !slices.ContainsFunc(AppKinds, func(k AppKind) bool { return k.Type == name }) {
			return invalidDevice("%q is no type of notifications", Snippet(name, 40))
		}
	}
	if len(a.Alerts) > len(AppKinds) || !slices.Contains(AppLanguages, a.language()) {
		return invalidDevice("alerts has each type once, and language is en or ja")
	}
	return nil
}

// Wants reports whether a device is told of what a message says.
func (d Device) Wants(m DeviceMessage) bool {
	return d.App == nil || slices.Contains(d.App.Alerts, m.appType())
}

// ChangeApp changes of what an app is told, and returns whether that changes anything. A device that is no app is
// errs.NotFound. token is as for [Devices.Drop].
func (d *Devices) ChangeApp(id, token string, alerts []string) (changed bool, err error) {
	is, ok := d.Devices[id]
	if !ok || is.App == nil {
		return false, noDevice()
	}
	if err := d.mayChange(id, token); err != nil {
		return false, err
	}
	app := *is.App
	app.Alerts = alerts
	if err := app.check(); err != nil {
		return false, err
	}
	changed = !slices.Equal(is.App.Alerts, alerts)
	is.App = &app
	d.Devices[id] = is
	return changed, nil
}
