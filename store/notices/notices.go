// Package notices tells users what other users did: follows, likes and replies. A notice
// says one thing that a user is told. The event log keeps every notice. A notification is
// the document that the user sees, and collects the notices of a slot and day.
//
// If a notification seldom gets a notice, the notice goes into the log and onto the
// notification in one commit. A notification that gets more than one notice a second is
// hot. Then its notices are pending in the log, and a drain puts many of them onto the
// notification together.
package notices

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/heat"
)

// Reader reads notices and notifications, and marks notifications as read. Its methods may
// be called concurrently. Their errors are those of package errs.
type Reader struct {
	db *db.DB
}

// Writer writes notices into the event log and puts them onto notifications.
type Writer struct {
	*Reader
	heat      *heat.Heat
	after     time.Duration  // how long a drain waits for more notices
	drainTime time.Duration  // how long it goes on to the next notification
	zone      *time.Location // of the days
}

// NewWriter returns a writer of the notices of a database, and its Reader. Notices of a
// hot notification are collected for after. The zone decides on which day a notice is.
// Only packages below store have a [db.DB].
func NewWriter(d *db.DB, h *heat.Heat, after time.Duration, zone *time.Location) *Writer {
	return &Writer{Reader: &Reader{db: d}, heat: h, after: after, drainTime: drainTime, zone: zone}
}

// Notify puts a notice onto its notification and into the event log in one commit. If the
// notification is hot, Notify writes the notice into the log as pending, and asks for a
// drain. Notify does the same if another process writes the notification at this moment.
// However often Notify is called for one notice, the notice counts once. If one of the two
// users has blocked the other by now, or the notified user does not want to be told, the
// notice is dropped: it goes into the log alone. A mention in a reply to the notified user is told
// if the user wants no replies; for all others Notify writes nothing, since most replies begin with
// such a mention.
//
// Cost: 5 reads and 2 writes, and 1 write for an actor who is new on the notification.
// 5 reads and 1 write for a notice that is dropped.
// A mention in a reply to the notified user: 1 read, and the same if it is told.
// For a hot notification: 1 write, and 1 write if no process has asked for the drain.
func (s *Writer) Notify(ctx context.Context, n *model.Notice) (err error) {
	defer errs.Wrap(&err, "notices.Notify(%q)", n.ID)
	if n.BesideReply() {
		var choice model.NoticeChoice
		if _, err := s.db.Get(ctx, s.db.NoticeSettings(n.UserID), &choice); err != nil || !choice.Wants(n) {
			return err
		}
	}
	if s.heat.Shard(s.db.Notification(n.UserID, n.NotificationKey(s.zone)).Path) == heat.Cold {
		logged := *n
		logged.Pending = false
		partition, _ := model.NoticePartition(n.ID)
		done, err := s.add(ctx, []model.Notice{logged}, func(b *db.Batch, dropped func(*model.Notice) bool) {
			logged.Dropped = dropped(n)
			b.Create(s.db.Notices(partition).Doc(n.ID), logged)
		})
		if done || err != nil {
			return err
		}
	}
	return s.log(ctx, n)
}

// add puts notices of one notification onto it, in one commit with the writes that more
// adds. It drops the notices of actors who have blocked the notified user or are blocked, and
// those of which the user does not want to be told, and tells more which they are. The notification
// becomes unread, unless all that comes are follows, likes or the like of users who are on it
// already: a like that is taken back and given again rings once a day. add answers false, and writes nothing, if one of the documents
// changed since it was read, or if a notice is in the log already.
//
// Cost: 2 reads, 1 write, 3 reads for each actor, and 1 write for each new actor. No write if
// all notices are dropped.
func (s *Writer) add(ctx context.Context, notices []model.Notice, more func(_ *db.Batch, dropped func(*model.Notice) bool)) (bool, error) {
	actors := map[model.UserID]bool{}
	for i := range notices {
		actors[notices[i].Payload.UserID] = true
	}
	first := &notices[0]
	ref := s.db.Notification(first.UserID, first.NotificationKey(s.zone))
	refs := []*firestore.DocumentRef{ref, s.db.NoticeSettings(first.UserID)}
	for _, uid := range slices.Sorted(maps.Keys(actors)) {
		refs = append(refs, ref.Collection(model.Actors).Doc(string(uid)), s.db.Block(first.UserID, uid), s.db.Block(uid, first.UserID))
	}
	read, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return false, err
	}
	notification := model.Notification{Slot: first.Slot(), Term: first.Term(s.zone)}
	if _, err := db.Decode(read[0], nil)(&notification); err != nil {
		return false, err
	}
	var choice model.NoticeChoice
	if _, err := db.Decode(read[1], nil)(&choice); err != nil {
		return false, err
	}
	blocked := map[model.UserID]bool{}
	for of := range slices.Chunk(read[2:], 3) { // what there is of an actor, as refs has it
		if of[1].Exists() || of[2].Exists() {
			blocked[model.UserID(of[0].Ref.ID)] = true
		}
	}
	dropped := func(n *model.Notice) bool { return blocked[n.Payload.UserID] || !choice.Wants(n) }
	b := s.db.Batch()
	added := map[model.UserID]bool{}
	for i := range notices {
		if dropped(&notices[i]) {
			continue
		}
		added[notices[i].Payload.UserID] = true
		notification.Add(&notices[i])
		if first.Type.CountsTweets() {
			notification.CountTweets++
		}
	}
	more(b, dropped)
	rings := first.Type.CountsTweets() || first.Type == model.NoticeOrder || !read[0].Exists()
	for of := range slices.Chunk(read[2:], 3) {
		if actor := of[0].Ref; !of[0].Exists() && added[model.UserID(actor.ID)] {
			rings = true
			notification.CountUsers++
			b.Create(actor, map[string]any{"expireAt": notification.ExpireAt})
		}
	}
	switch {
	case len(added) == 0:
	case read[0].Exists():
		updates := Collected(&notification)
		if rings {
			updates = append(updates, firestore.Update{Path: "isRead", Value: false})
		}
		b.Update(ref, updates, firestore.LastUpdateTime(read[0].UpdateTime))
	default:
		notification.IsRead = false
		b.Create(ref, notification)
	}
	_, err = b.Commit(ctx)
	if db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err) {
		return false, nil
	}
	return err == nil, err
}

// Collected updates what a notification has collected. Whether the notification is read
// is not part of that.
func Collected(n *model.Notification) []firestore.Update {
	return []firestore.Update{
		{Path: "records", Value: n.Records}, {Path: "countUsers", Value: n.CountUsers}, {Path: "countTweets", Value: n.CountTweets},
		{Path: "createdAt", Value: n.CreatedAt}, {Path: "updatedAt", Value: n.UpdatedAt}, {Path: "expireAt", Value: n.ExpireAt},
	}
}
