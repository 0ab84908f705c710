package model

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
)

// NotificationKind is the kind of a notification event.
type NotificationKind string

// The kinds of notification events.
const (
	NotificationFollow        NotificationKind = "follow"
	NotificationFollowRequest NotificationKind = "followRequest"
	NotificationLike          NotificationKind = "like"
	NotificationReply         NotificationKind = "reply"
	NotificationShare         NotificationKind = "share"
	NotificationQuote         NotificationKind = "quote"
	NotificationMention       NotificationKind = "mention"
	NotificationEdit          NotificationKind = "edit"
	NotificationOrder         NotificationKind = "order"
	NotificationPoll          NotificationKind = "poll"
	NotificationPost          NotificationKind = "post" // of an author to whom the notified user subscribes
)

// CountsTweets reports whether a notification counts the tweets of such notification events.
func (k NotificationKind) CountsTweets() bool {
	return k == NotificationReply || k == NotificationQuote || k == NotificationMention ||
		k == NotificationPost
}

const (
	// NotificationRecords is the largest number of records on a notification.
	NotificationRecords = 10

	// NotificationWindow is how long the database keeps a notification event and a notification, unless the operator
	// chose another time (NOTIFICATION_DAYS). The time begins with the creation, whatever happens later. The store sets
	// [NotificationEvent.ExpireAt] by the operator's choice.
	NotificationWindow = 31 * 24 * time.Hour
	// MinNotificationDays is the operator's least choice.
	MinNotificationDays = 7
	// MaxNotificationDays is the operator's greatest choice.
	MaxNotificationDays = 90
)

// NotificationEvent is one action that a user is notified of: eventLogs/{partition}/events/{id}.
type NotificationEvent struct {
	ID      string                   `firestore:"-"`
	Type    NotificationKind         `firestore:"type"`
	UserID  UserID                   `firestore:"userId"` // the notified user
	Payload NotificationEventPayload `firestore:"payload"`
	At      time.Time                `firestore:"at"` // creation time of the source document
	// true until the notification event is on a notification
	Pending  bool      `firestore:"pending,omitempty"`
	ExpireAt time.Time `firestore:"expireAt"`

	// Dropped says that the notification event never was on a notification: one of the two users had blocked the other by
	// then, the user's settings refused it, or the source document was gone.
	Dropped bool `firestore:"dropped,omitempty"`
	// Filtered says that the user's policy filtered the dropped notification event: it may be in the requests, see
	// [NotificationRequests]. An event that is withdrawn or accepted is not filtered any more.
	Filtered bool `firestore:"filtered,omitempty"`
	// Withdrawn says that the notification event left its notification, or is to leave it while it is pending: the source
	// document is gone, or the user has blocked the acting user since.
	Withdrawn bool `firestore:"withdrawn,omitempty"`

	// whether the tweet of a mention answers another user than the acting one
	Answers bool `firestore:"answers,omitempty"`
	// whether the tweet of a mention is for mentioned users alone, and answers no tweet of the notified user
	Private bool `firestore:"private,omitempty"`

	// the notified and the acting user, see [BlockKey]: by it a block finds the notification event; empty if a block has
	// no effect on it
	Between string `firestore:"between,omitempty"`
	// the post of which a subscriber is told: by it the end of the post finds the notification events; else empty
	Post TweetID `firestore:"post,omitempty"`
	// the notification that shows the notification event, see [NotificationEvent.Place]
	On string `firestore:"on,omitempty"`
	// the notification's Reading when the notification event made it unread; 0 if it did not
	Reading int64 `firestore:"reading,omitempty"`
	// Counted has the marks of the CloudEvents whose counts are in the commits of the notification event, see
	// [CountMark]. The value is true if the commit may have counted in shards. There are at most [MaxCountMarks], and none
	// is removed.
	Counted map[string]bool `firestore:"counted,omitempty"`

	// AllowedAt is that of the like or share; zero if it is not known. It is not in the log.
	AllowedAt time.Time `firestore:"-"`
	// About is what filters see of the reply, quote or tweet that mentions; nil if it is not known. It is not in the log.
	About *FilterText `firestore:"-"`
}

// MaxCountMarks is how many marks a notification event has at most. Further CloudEvents have idempotency records. A
// source document is created and deleted once, so two marks are usual.
const MaxCountMarks = 8

// NotificationEventPayload names the acting user and the tweets of a notification event.
type NotificationEventPayload struct {
	UserID UserID `firestore:"userId"` // the acting user
	// the tweet that was liked, shared or edited, or whose poll ended, the reply or quote, or the tweet that mentions
	TweetID TweetID `firestore:"tweetId,omitempty"`
	// the tweet that was replied to; of a mention only if the notified user wrote that tweet
	ReplyTo TweetID `firestore:"replyTo,omitempty"`
	QuoteOf TweetID `firestore:"quoteOf,omitempty"` // the tweet that was quoted
	RootID  TweetID `firestore:"rootId,omitempty"`  // root tweet of the reply, or of the tweet that mentions

	OrderID     OrderID     `firestore:"orderId,omitempty"`     // the order that changed its state
	OrderStatus OrderStatus `firestore:"orderStatus,omitempty"` // its new state
}

// NewNotificationEvent makes the notification event of a cause, which names a change and a function. The same cause
// makes the same id. An id begins with its partition, so that one read finds the notification event. Within a partition
// the ids are ordered by time.
func NewNotificationEvent(cause string, kind NotificationKind, notified UserID, p NotificationEventPayload,
	at time.Time) *NotificationEvent {
	sum := sha256.Sum256([]byte(cause))
	n := &NotificationEvent{
		ID:   fmt.Sprintf("%02x%011x%016x", hashByte(string(notified)), at.UnixMilli(), sum[:8]),
		Type: kind, UserID: notified, Payload: p, At: at, Pending: true, ExpireAt: at.Add(NotificationWindow),
	}
	if kind.Blockable() {
		n.Between = BlockKey(notified, p.UserID)
	}
	return n
}

// FactNotificationEvent is the notification event of a source document: of a follow, a follow request, a like, a share,
// a reply or a quote. Its id follows from the source document. So the function that withdraws it knows the id, also if
// it runs before the function that notifies. A like that is given again is another source document.
func FactNotificationEvent(kind NotificationKind, notified UserID, p NotificationEventPayload,
	at time.Time) *NotificationEvent {
	cause := fmt.Sprintf("%s %s %s %d", kind, p.UserID, p.TweetID, at.UnixMicro())
	return NewNotificationEvent(cause, kind, notified, p, at)
}

// ReplyNotificationEvent is the notification event of the author whom a reply answers.
func (t *Tweet) ReplyNotificationEvent() *NotificationEvent {
	return FactNotificationEvent(NotificationReply, t.ReplyToAuthorID, NotificationEventPayload{UserID: t.AuthorID,
		TweetID: t.ID, ReplyTo: *t.ReplyTo, RootID: t.RootID}, t.CreatedAt).about(t)
}

// about sets About, unless the tweet is one of a revision, which lacks the text. A tweet of media may have no text.
func (e *NotificationEvent) about(t *Tweet) *NotificationEvent {
	if t.Snippet == "" && len(t.Media) == 0 {
		return e
	}
	text := t.FilterText()
	e.About = &text
	return e
}

// QuoteNotificationEvent is the notification event of the author whom a tweet quotes.
func (t *Tweet) QuoteNotificationEvent() *NotificationEvent {
	return FactNotificationEvent(NotificationQuote, t.QuoteOfAuthorID, NotificationEventPayload{UserID: t.AuthorID,
		TweetID: t.ID, QuoteOf: t.QuoteOf}, t.CreatedAt).about(t)
}

// EditNotificationEvent is the notification event of a user who shares a tweet that its author edited at a time. Its id
// follows from the tweet, the user and the day. So edits of one day notify the user once.
func EditNotificationEvent(id TweetID, author, notified UserID, at time.Time, zone *time.Location) *NotificationEvent {
	cause := "edit " + string(id) + " " + string(notified) + " " + at.In(zone).Format(time.DateOnly)
	n := NewNotificationEvent(cause, NotificationEdit, notified, NotificationEventPayload{UserID: author, TweetID: id},
		id.Time())
	n.At, n.ExpireAt = at, at.Add(NotificationWindow)
	return n
}

// OrderNotificationEvent is the notification event of the customer of an order that changed its state. Its id follows
// from the order and the state, since an order has each state once. For automatic changes the acting user is the
// customer.
func OrderNotificationEvent(o *Order, change OrderChange) *NotificationEvent {
	by := cmp.Or(change.By, o.UserID)
	return NewNotificationEvent("order "+string(o.UserID)+" "+string(o.ID)+" "+string(change.Status), NotificationOrder,
		o.UserID,
		NotificationEventPayload{UserID: by, OrderID: o.ID, OrderStatus: change.Status}, change.At)
}

// PollNotificationEvent is the notification event of the end of a poll, for its author or a voter. Its id follows from
// the tweet and the user, since a poll ends once.
func PollNotificationEvent(t *Tweet, notified UserID) *NotificationEvent {
	return NewNotificationEvent("poll "+string(t.ID)+" "+string(notified), NotificationPoll, notified,
		NotificationEventPayload{UserID: t.AuthorID, TweetID: t.ID}, t.Poll.ClosesAt)
}

// NotificationEventPartition is the part of the event log with a notification event, as "000" to "255". ok is false if
// id is no notification event id.
func NotificationEventPartition(id string) (partition string, ok bool) {
	var n int
	if len(id) != 29 || strings.Trim(id, "0123456789abcdef") != "" {
		return "", false
	}
	fmt.Sscanf(id[:2], "%02x", &n)
	return fmt.Sprintf("%03d", n), true
}

// NotificationEventPartitionOf is the part of the event log with a user's notification events.
func NotificationEventPartitionOf(notified UserID) string {
	return fmt.Sprintf("%03d", hashByte(string(notified)))
}

// BesideReply reports whether the notification event is of a mention in a reply to the notified user, who is notified
// of the reply already. Such a notification event is only for users whose settings allow mentions and refuse replies.
func (e *NotificationEvent) BesideReply() bool {
	return e.Type == NotificationMention && e.Payload.ReplyTo != ""
}

// GroupKey names the notification events that one notification collects: all follows, all requests to
// follow, all mentions, the likes, shares or edits of a tweet, the end of its poll, the replies to
// a tweet, its quotes, or the changes of an order.
func (e *NotificationEvent) GroupKey() string {
	switch e.Type {
	case NotificationLike, NotificationShare, NotificationEdit, NotificationPoll:
		return string(e.Type) + ":" + string(e.Payload.TweetID)
	case NotificationReply:
		return "reply:" + string(e.Payload.ReplyTo)
	case NotificationQuote:
		return "quote:" + string(e.Payload.QuoteOf)
	case NotificationOrder:
		return "order:" + string(e.Payload.OrderID)
	default: // one notification a day for all
		return string(e.Type)
	}
}

// NotificationKey names the notification of the notification event. Each group key has one notification a day, and zone
// decides when a day begins.
func (e *NotificationEvent) NotificationKey(zone *time.Location) string {
	return e.GroupKey() + "_" + e.Term(zone)
}

// Place names the notification of the notification event among those of all users.
func (e *NotificationEvent) Place(zone *time.Location) string {
	return string(e.UserID) + "/" + e.NotificationKey(zone)
}

// Shown reports whether the notification event is on its notification.
func (e *NotificationEvent) Shown() bool { return !e.Dropped && e.Pending == e.Withdrawn }

// Blockable reports whether such a notification event is dropped or withdrawn if one of the two users blocks the other.
// A customer is notified of an order in any case.
func (k NotificationKind) Blockable() bool { return k != NotificationOrder }

// Goes reports whether such a notification event is withdrawn with its source document. The edit, the end of a poll and
// the change of an order cannot be undone.
func (e *NotificationEvent) Goes() bool {
	return e.Type != NotificationEdit && e.Type != NotificationPoll && e.Type != NotificationOrder
}

// Term is the notification event's day in zone, as "2026-11-20".
func (e *NotificationEvent) Term(zone *time.Location) string {
	return e.At.In(zone).Format(time.DateOnly)
}

// Notification collects the notification events of a group key and a day. It is in a [NotificationList], under its id
// {groupKey}_{day}. If all notification events were withdrawn, it is empty. An empty notification stays, so that its
// actors do not ring twice. It is read, has neither createdAt nor updatedAt, and no page shows it.
type Notification struct {
	ID          string    `firestore:"-"`
	GroupKey    string    `firestore:"slot"`
	Term        string    `firestore:"term"`
	IsRead      bool      `firestore:"isRead"`
	Records     []Record  `firestore:"records"`             // newest first, one for each user, reply, quote and mention
	CountUsers  int64     `firestore:"countUsers"`          // distinct
	CountTweets int64     `firestore:"countTweets"`         // replies or quotes, or tweets that mention; 0 for other notifications
	CreatedAt   time.Time `firestore:"createdAt,omitempty"` // of the first notification event; absent if it is empty
	UpdatedAt   time.Time `firestore:"updatedAt,omitempty"` // of the last notification event; absent if it is empty
	ExpireAt    time.Time `firestore:"expireAt"`

	Reads int64 `firestore:"reads,omitempty"` // how often it was marked as read
	News  int64 `firestore:"news,omitempty"`  // how many of its notification events have made it unread since then
	// how often a new actor came, or a reply, quote, mention or change of an order
	Rings int64 `firestore:"rings,omitempty"`

	// Actors are the first EmbeddedActors users that the notification counts, or counted, by uid. Later users have
	// documents of their own, below users/{uid}/notifications/{id}. A notification from before users were embedded has
	// none here, and all in documents.
	Actors map[string]EmbeddedActor `firestore:"actors,omitempty"`
}

// EmbeddedActors is how many users a notification has itself.
const EmbeddedActors = 20

// Embeds reports whether a user is in the notification itself, or is to be. found says whether the
// notification exists.
func (n *Notification) Embeds(uid UserID, found bool) bool {
	if _, ok := n.Actors[string(uid)]; ok {
		return true
	}
	return len(n.Actors) < EmbeddedActors && (len(n.Actors) > 0 || !found)
}

// Reading numbers the time between two marks as read, from 1.
func (n *Notification) Reading() int64 { return n.Reads + 1 }

// Empty reports whether all notification events of the notification were withdrawn.
func (n *Notification) Empty() bool { return n.CountUsers <= 0 }

// Collect completes a notification whose notification events changed. An empty one loses what it collected, and is
// read.
func (n *Notification) Collect() {
	switch {
	case n.Empty():
		n.Records, n.CountUsers, n.CountTweets, n.News, n.IsRead = []Record{}, 0, 0, 0, true
		n.CreatedAt, n.UpdatedAt = time.Time{}, time.Time{}
	case len(n.Records) > 0:
		n.UpdatedAt = n.Records[0].At
	}
}

// EmbeddedActor is a user whom a notification counts, or counted.
type EmbeddedActor struct {
	NotificationEvents int64 `firestore:"notices"` // by the user, on the notification; 0 if all were withdrawn
	Reading            int64 `firestore:"reading"` // the notification's Reading when the user last rang
}

// Actor is an EmbeddedActor in a document of its own.
type Actor struct {
	ExpireAt time.Time `firestore:"expireAt"`
	EmbeddedActor
}

// Remove takes a notification event off the records of the notification, and returns whether a record may be missing
// now. Then the caller adds the newest of the remaining events. The caller sets the counts.
func (n *Notification) Remove(e *NotificationEvent) (missing bool) {
	r := e.record()
	was := len(n.Records)
	n.Records = slices.DeleteFunc(n.Records, func(o Record) bool { return o.same(r) && o.At.Equal(r.At) })
	return len(n.Records) < was
}

// About is the tweet that the notification is about: the newest reply, quote or mention, or the tweet of the group key.
// A notification of follows or of an order is about none.
func (n *Notification) About() TweetID {
	if strings.HasPrefix(n.GroupKey, string(NotificationOrder)+":") {
		return ""
	}
	if len(n.Records) > 0 && n.Records[0].TweetID != "" {
		return n.Records[0].TweetID
	}
	_, id, _ := strings.Cut(n.GroupKey, ":")
	return TweetID(id)
}

// Record is one of the newest notification events on a notification.
type Record struct {
	At      time.Time `firestore:"at"`
	UserID  UserID    `firestore:"userId"`
	TweetID TweetID   `firestore:"tweetId,omitempty"` // the reply or quote, or the tweet that mentions

	OrderStatus OrderStatus `firestore:"orderStatus,omitempty"` // of a notification of an order
}

// record is the notification event as shown on a notification.
func (e *NotificationEvent) record() Record {
	r := Record{At: e.At, UserID: e.Payload.UserID, OrderStatus: e.Payload.OrderStatus}
	if e.Type.CountsTweets() {
		r.TweetID = e.Payload.TweetID
	}
	return r
}

// same reports whether two records share one position on a notification.
func (r Record) same(o Record) bool {
	return o.UserID == r.UserID && o.TweetID == r.TweetID && o.OrderStatus == r.OrderStatus
}

// CompareRecords orders the records of a notification: newest first, and records of one time by user, tweet and state.
func CompareRecords(a, b Record) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.UserID, b.UserID), cmp.Compare(a.TweetID, b.TweetID),
		cmp.Compare(a.OrderStatus, b.OrderStatus))
}

// Add puts a notification event on the notification. The order of several notification events makes no difference. The
// caller sets the counts. Of several follows, likes or shares by one user the notification has the newest; replies,
// quotes, mentions and states of an order each have a record of their own.
func (n *Notification) Add(e *NotificationEvent) {
	r := e.record()
	same := slices.IndexFunc(n.Records, r.same)
	switch {
	case same < 0:
		n.Records = append(n.Records, r)
	case n.Records[same].At.Before(r.At):
		n.Records[same].At = r.At
	}
	slices.SortFunc(n.Records, CompareRecords)
	n.Records = n.Records[:min(len(n.Records), NotificationRecords)]
	if n.CreatedAt.IsZero() || e.At.Before(n.CreatedAt) {
		n.CreatedAt, n.ExpireAt = e.At, e.ExpireAt
	}
	if e.At.After(n.UpdatedAt) {
		n.UpdatedAt = e.At
	}
}
