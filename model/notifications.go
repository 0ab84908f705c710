package model

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
)

// NoticeKind is the kind of a notice.
type NoticeKind string

// The kinds of notices.
const (
	NoticeFollow        NoticeKind = "follow"
	NoticeFollowRequest NoticeKind = "followRequest"
	NoticeLike          NoticeKind = "like"
	NoticeReply         NoticeKind = "reply"
	NoticeShare         NoticeKind = "share"
	NoticeQuote         NoticeKind = "quote"
	NoticeMention       NoticeKind = "mention"
	NoticeEdit          NoticeKind = "edit"
	NoticeOrder         NoticeKind = "order"
	NoticePoll          NoticeKind = "poll"
)

// CountsTweets tells whether a notification counts the tweets of such notices.
func (k NoticeKind) CountsTweets() bool {
	return k == NoticeReply || k == NoticeQuote || k == NoticeMention
}

const (
	// NotificationRecords is the largest number of records on a notification.
	NotificationRecords = 10

	// NotificationWindow is how long the database keeps a notice and a notification. The time
	// begins with the creation, whatever happens later.
	NotificationWindow = 31 * 24 * time.Hour
)

// Notice is one thing that a user is told: eventLogs/{partition}/events/{id}.
type Notice struct {
	ID       string        `firestore:"-"`
	Type     NoticeKind    `firestore:"type"`
	UserID   UserID        `firestore:"userId"` // the notified user
	Payload  NoticePayload `firestore:"payload"`
	At       time.Time     `firestore:"at"`                // creation time of the fact
	Pending  bool          `firestore:"pending,omitempty"` // true until the notice is on a notification
	ExpireAt time.Time     `firestore:"expireAt"`

	// Dropped tells that the notice never was on a notification: one of the two had blocked the other
	// by then, the user did not want to be told, or the fact was gone.
	Dropped bool `firestore:"dropped,omitempty"`
	// Withdrawn tells that the notice was on a notification and is on none any more, or is to leave it
	// while it is pending: the fact is gone, or the user has blocked the acting user since.
	Withdrawn bool `firestore:"withdrawn,omitempty"`

	Between string `firestore:"between,omitempty"` // the notified and the acting user, see [BlockKey]: by it a block finds the notice; empty of what a block takes off no notification
	On      string `firestore:"on,omitempty"`      // the notification that shows the notice, see [Notice.Place]
	Reading int64  `firestore:"reading,omitempty"` // what the notification's was when the notice made it unread; 0 if it did not
}

// NoticePayload names the acting user and the tweets of a notice.
type NoticePayload struct {
	UserID  UserID  `firestore:"userId"`            // the acting user
	TweetID TweetID `firestore:"tweetId,omitempty"` // the tweet that was liked, shared or edited, or whose poll ended, the reply or quote, or the tweet that mentions
	ReplyTo TweetID `firestore:"replyTo,omitempty"` // the tweet that was replied to; of a mention only if the notified user wrote that tweet
	QuoteOf TweetID `firestore:"quoteOf,omitempty"` // the tweet that was quoted
	RootID  TweetID `firestore:"rootId,omitempty"`  // root tweet of the reply, or of the tweet that mentions

	OrderID     OrderID     `firestore:"orderId,omitempty"`     // the order that changed its state
	OrderStatus OrderStatus `firestore:"orderStatus,omitempty"` // the state that it has since
}

// NewNotice makes the notice of a cause, which names a change and a function. The same
// cause makes the same id. An id begins with its partition, so that one read finds the
// notice. Within a partition the ids are ordered by time.
func NewNotice(cause string, kind NoticeKind, notified UserID, p NoticePayload, at time.Time) *Notice {
	sum := sha256.Sum256([]byte(cause))
	n := &Notice{
		ID:   fmt.Sprintf("%02x%011x%016x", hashByte(string(notified)), at.UnixMilli(), sum[:8]),
		Type: kind, UserID: notified, Payload: p, At: at, Pending: true, ExpireAt: at.Add(NotificationWindow),
	}
	if kind.Blockable() {
		n.Between = BlockKey(notified, p.UserID)
	}
	return n
}

// FactNotice is the notice of a fact: of a follow, a request to follow, a like, a share, a reply or a
// quote. Its id follows from the fact, so that the function that sees the fact go knows the notice,
// also before the function that tells of it has come. A like that is given again is another fact.
func FactNotice(kind NoticeKind, notified UserID, p NoticePayload, at time.Time) *Notice {
	cause := fmt.Sprintf("%s %s %s %d", kind, p.UserID, p.TweetID, at.UnixMicro())
	return NewNotice(cause, kind, notified, p, at)
}

// ReplyNotice is the notice of the author whom a reply answers.
func (t *Tweet) ReplyNotice() *Notice {
	return FactNotice(NoticeReply, t.ReplyToAuthorID, NoticePayload{UserID: t.AuthorID, TweetID: t.ID, ReplyTo: *t.ReplyTo, RootID: t.RootID}, t.CreatedAt)
}

// QuoteNotice is the notice of the author whom a tweet quotes.
func (t *Tweet) QuoteNotice() *Notice {
	return FactNotice(NoticeQuote, t.QuoteOfAuthorID, NoticePayload{UserID: t.AuthorID, TweetID: t.ID, QuoteOf: t.QuoteOf}, t.CreatedAt)
}

// EditNotice is the notice of a user who shares a tweet that its author edited at a time. Its id
// follows from the tweet, the user and the day. So edits of one day tell the user once.
func EditNotice(id TweetID, author, notified UserID, at time.Time, zone *time.Location) *Notice {
	cause := "edit " + string(id) + " " + string(notified) + " " + at.In(zone).Format(time.DateOnly)
	n := NewNotice(cause, NoticeEdit, notified, NoticePayload{UserID: author, TweetID: id}, id.Time())
	n.At, n.ExpireAt = at, at.Add(NotificationWindow)
	return n
}

// OrderNotice is the notice of the customer of an order that changed its state. Its id follows
// from the order and the state, since an order has each state once. The acting user of what the
// shop does by itself is the customer.
func OrderNotice(o *Order, change OrderChange) *Notice {
	by := cmp.Or(change.By, o.UserID)
	return NewNotice("order "+string(o.UserID)+" "+string(o.ID)+" "+string(change.Status), NoticeOrder, o.UserID,
		NoticePayload{UserID: by, OrderID: o.ID, OrderStatus: change.Status}, change.At)
}

// PollNotice is the notice of the author of a poll, or of a user who voted in it, that the poll has
// ended. Its id follows from the tweet and the user, since a poll ends once.
func PollNotice(t *Tweet, notified UserID) *Notice {
	return NewNotice("poll "+string(t.ID)+" "+string(notified), NoticePoll, notified, NoticePayload{UserID: t.AuthorID, TweetID: t.ID}, t.Poll.ClosesAt)
}

// NoticePartition is the part of the event log that has the notice with an id, as "000" to
// "255". ok is false if id is no notice id.
func NoticePartition(id string) (partition string, ok bool) {
	var n int
	if len(id) != 29 || strings.Trim(id, "0123456789abcdef") != "" {
		return "", false
	}
	fmt.Sscanf(id[:2], "%02x", &n)
	return fmt.Sprintf("%03d", n), true
}

// NoticePartitionOf is the part of the event log that has a user's notices.
func NoticePartitionOf(notified UserID) string {
	return fmt.Sprintf("%03d", hashByte(string(notified)))
}

// BesideReply tells whether the notice is of a mention in a reply to the notified user, who is
// told of the reply already. Such a notice is for users alone who want to be told of mentions and
// not of replies.
func (e *Notice) BesideReply() bool { return e.Type == NoticeMention && e.Payload.ReplyTo != "" }

// Slot names the notices that one notification collects: all follows, all requests to
// follow, all mentions, the likes, shares or edits of a tweet, the end of its poll, the replies to a tweet, its quotes, or the
// changes of an order.
func (e *Notice) Slot() string {
	switch e.Type {
	case NoticeLike, NoticeShare, NoticeEdit, NoticePoll:
		return string(e.Type) + ":" + string(e.Payload.TweetID)
	case NoticeReply:
		return "reply:" + string(e.Payload.ReplyTo)
	case NoticeQuote:
		return "quote:" + string(e.Payload.QuoteOf)
	case NoticeOrder:
		return "order:" + string(e.Payload.OrderID)
	}
	return string(e.Type)
}

// NotificationKey names the notification of the notice. Each slot has one notification a day, and zone
// decides when a day begins.
func (e *Notice) NotificationKey(zone *time.Location) string { return e.Slot() + "_" + e.Term(zone) }

// Place names the notification of the notice among those of all users.
func (e *Notice) Place(zone *time.Location) string {
	return string(e.UserID) + "/" + e.NotificationKey(zone)
}

// Shown tells whether the notice is on its notification.
func (e *Notice) Shown() bool { return !e.Dropped && e.Pending == e.Withdrawn }

// Blockable tells whether such a notice is dropped or withdrawn if one of the two users blocks the
// other. What became of an order, its customer learns in any case.
func (k NoticeKind) Blockable() bool { return k != NoticeOrder }

// Goes tells whether such a notice goes with its fact, which may be taken back. What a notice of an
// edit, of the end of a poll or of an order tells has happened.
func (e *Notice) Goes() bool {
	return e.Type != NoticeEdit && e.Type != NoticePoll && e.Type != NoticeOrder
}

// Term is the notice's day in zone, as "2026-11-20".
func (e *Notice) Term(zone *time.Location) string { return e.At.In(zone).Format(time.DateOnly) }

// Notification collects the notices of a slot and a day: users/{uid}/notifications/{slot}_{term}. One
// whose notices all were withdrawn is empty: it stays, so that who was on it rings no second time, but
// it has neither isRead nor createdAt nor updatedAt, and no list has it.
type Notification struct {
	ID          string    `firestore:"-"`
	Slot        string    `firestore:"slot"`
	Term        string    `firestore:"term"`
	IsRead      bool      `firestore:"isRead"`
	Records     []Record  `firestore:"records"`     // newest first, one for each user, reply, quote and mention
	CountUsers  int64     `firestore:"countUsers"`  // distinct
	CountTweets int64     `firestore:"countTweets"` // replies or quotes, or tweets that mention; 0 for other notifications
	CreatedAt   time.Time `firestore:"createdAt"`   // of the first notice
	UpdatedAt   time.Time `firestore:"updatedAt"`   // of the last notice
	ExpireAt    time.Time `firestore:"expireAt"`

	Reads int64 `firestore:"reads,omitempty"` // how often it was marked as read
	News  int64 `firestore:"news,omitempty"`  // how many of its notices made it unread since
	Rings int64 `firestore:"rings,omitempty"` // how often somebody came who was not on it, or a reply, quote, mention or change of an order
}

// Reading numbers the time between two marks as read, from 1.
func (n *Notification) Reading() int64 { return n.Reads + 1 }

// Empty tells whether all notices of the notification were withdrawn.
func (n *Notification) Empty() bool { return n.CountUsers <= 0 }

// Actor is a user whom a notification counts, or counted.
type Actor struct {
	ExpireAt time.Time `firestore:"expireAt"`
	Notices  int64     `firestore:"notices"` // by the user, on the notification; 0 if all were withdrawn
	Reading  int64     `firestore:"reading"` // what the notification's was when the user rang last
}

// Remove takes a notice off the records of the notification, and tells whether another one may have
// to take its place: then the caller adds the newest of those that are left. The caller sets the counts.
func (n *Notification) Remove(e *Notice) (missing bool) {
	r := e.record()
	was := len(n.Records)
	n.Records = slices.DeleteFunc(n.Records, func(o Record) bool { return o.same(r) && o.At.Equal(r.At) })
	return len(n.Records) < was
}

// About is the tweet that the notification is about: the newest reply, quote or mention, or
// the tweet of the slot. A notification of follows or of an order is about none.
func (n *Notification) About() TweetID {
	if strings.HasPrefix(n.Slot, string(NoticeOrder)+":") {
		return ""
	}
	if len(n.Records) > 0 && n.Records[0].TweetID != "" {
		return n.Records[0].TweetID
	}
	_, id, _ := strings.Cut(n.Slot, ":")
	return TweetID(id)
}

// Record is one of the newest notices on a notification.
type Record struct {
	At      time.Time `firestore:"at"`
	UserID  UserID    `firestore:"userId"`
	TweetID TweetID   `firestore:"tweetId,omitempty"` // the reply or quote, or the tweet that mentions

	OrderStatus OrderStatus `firestore:"orderStatus,omitempty"` // of a notification of an order
}

// record is what a notification shows of the notice.
func (e *Notice) record() Record {
	r := Record{At: e.At, UserID: e.Payload.UserID, OrderStatus: e.Payload.OrderStatus}
	if e.Type.CountsTweets() {
		r.TweetID = e.Payload.TweetID
	}
	return r
}

// same tells whether two records take one place on a notification.
func (r Record) same(o Record) bool {
	return o.UserID == r.UserID && o.TweetID == r.TweetID && o.OrderStatus == r.OrderStatus
}

// CompareRecords orders the records of a notification: newest first, and those of one time by user,
// tweet and state.
func CompareRecords(a, b Record) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.UserID, b.UserID), cmp.Compare(a.TweetID, b.TweetID), cmp.Compare(a.OrderStatus, b.OrderStatus))
}

// Add puts a notice on the notification. The order of several notices makes no difference. The
// caller sets the counts. Of several follows, likes or shares by one user the notification has the
// newest; replies, quotes, mentions and states of an order each have a record of their own.
func (n *Notification) Add(e *Notice) {
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
		n.CreatedAt, n.ExpireAt = e.At, e.At.Add(NotificationWindow)
	}
	if e.At.After(n.UpdatedAt) {
		n.UpdatedAt = e.At
	}
}
