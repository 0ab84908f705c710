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

// Reader reads what a user is notified of. Its methods may be called concurrently. Their
// errors are those of package errs.
type Reader struct {
	db *db.DB
}

// Writer writes notices and puts them on notifications.
type Writer struct {
	*Reader
	heat  *heat.Heat
	after time.Duration
	zone  *time.Location
}

// NewReader returns the notices of a database.
func NewReader(d *db.DB) *Reader { return &Reader{db: d} }

// NewWriter returns a writer of the notices that r reads. Notices of a hot notification
// are collected for after. The zone decides on which day a notice is.
func NewWriter(r *Reader, h *heat.Heat, after time.Duration, zone *time.Location) *Writer {
	return &Writer{Reader: r, heat: h, after: after, zone: zone}
}

// Notify puts an event on its card and into the log in one commit, once however often it is
// called: 2 reads and at most 3 writes. A card that gets more than one event a second is
// hot: then the event is logged, and waits for others to be put on the card with it, and so
// it is if somebody else writes the card at this moment.
func (s *Writer) Notify(ctx context.Context, e *model.Notice) (err error) {
	defer errs.Wrap(&err, "notices.Notify(%q)", e.ID)
	if s.heat.Shard(s.db.Notification(e.UserID, e.NotificationKey(s.zone)).Path) == heat.Cold {
		logged := *e
		logged.Pending = false
		partition, _ := model.NoticePartition(e.ID)
		done, err := s.add(ctx, []model.Notice{logged}, func(b *db.Batch) {
			b.Create(s.db.Notices(partition).Doc(e.ID), logged)
		})
		if done || err != nil {
			return err
		}
	}
	return s.log(ctx, e)
}

// add puts events of one card on it, together with what more is to be written. It answers
// false, and nothing is written, if any of it is not as it should be or was read.
func (s *Writer) add(ctx context.Context, events []model.Notice, more func(*db.Batch)) (bool, error) {
	actors := map[model.UserID]bool{}
	for i := range events {
		actors[events[i].Payload.UserID] = true
	}
	first := &events[0]
	ref := s.db.Notification(first.UserID, first.NotificationKey(s.zone))
	refs := []*firestore.DocumentRef{ref}
	for _, uid := range slices.Sorted(maps.Keys(actors)) {
		refs = append(refs, ref.Collection(model.Actors).Doc(string(uid)))
	}
	read, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return false, err
	}
	card := model.Notification{Slot: first.Slot(), Term: first.Term(s.zone)}
	if _, err := db.Decode(read[0], nil)(&card); err != nil {
		return false, err
	}
	b := s.db.Batch()
	for i := range events {
		card.Add(&events[i])
		if first.Type == model.NoticeReply {
			card.CountTweets++
		}
	}
	more(b)
	card.IsRead = false
	for _, actor := range read[1:] {
		if !actor.Exists() {
			card.CountUsers++
			b.Create(actor.Ref, map[string]any{"expireAt": card.ExpireAt})
		}
	}
	if read[0].Exists() {
		b.Update(ref, []firestore.Update{
			{Path: "isRead", Value: false}, {Path: "records", Value: card.Records},
			{Path: "countUsers", Value: card.CountUsers}, {Path: "countTweets", Value: card.CountTweets},
			{Path: "createdAt", Value: card.CreatedAt}, {Path: "updatedAt", Value: card.UpdatedAt}, {Path: "expireAt", Value: card.ExpireAt},
		}, firestore.LastUpdateTime(read[0].UpdateTime))
	} else {
		b.Create(ref, card)
	}
	_, err = b.Commit(ctx)
	if db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err) {
		return false, nil
	}
	return err == nil, err
}
