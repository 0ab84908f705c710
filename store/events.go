package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// drainSize is how many events of a partition are put on cards at a time.
const drainSize = 100

// DrainWork asks for the events of one partition to be put on cards, in the document
// whose creation starts it: drains/{partition}.
type DrainWork struct {
	Partition string    `firestore:"partition"`
	ExpireAt  time.Time `firestore:"expireAt"`

	// WrittenAt is when the work document was written, as its event tells.
	WrittenAt time.Time `firestore:"-"`
}

// Notify puts an event on its card and into the log in one commit, once however often it is
// called: 2 reads and at most 3 writes. A card that gets more than one event a second is
// hot: then the event is logged, and waits for others to be put on the card with it, and so
// it is if somebody else writes the card at this moment.
func (s *Store) Notify(ctx context.Context, e *model.Event) (err error) {
	defer errs.Wrap(&err, "store.Notify(%q)", e.ID)
	if s.heat.shard(s.notification(e.UserID, e.NotificationKey(s.zone)).Path) == cold {
		logged := *e
		logged.Pending = false
		partition, _ := model.EventPartition(e.ID)
		done, err := s.putOn(ctx, []model.Event{logged}, func(b *firestore.WriteBatch) {
			b.Create(s.events(partition).Doc(e.ID), logged)
		})
		if done || err != nil {
			return err
		}
	}
	return s.LogEvent(ctx, e)
}

// LogEvent writes an event into the log, once however often it is called, and asks for
// its partition to be drained: at most 2 writes.
func (s *Store) LogEvent(ctx context.Context, e *model.Event) (err error) {
	defer errs.Wrap(&err, "store.LogEvent(%q)", e.ID)
	partition, _ := model.EventPartition(e.ID)
	if _, err := s.events(partition).Doc(e.ID).Create(ctx, e); err != nil && !exists(err) {
		return err
	}
	return s.askDrain(ctx, partition)
}

// askDrain leaves a work document for a partition, or sees that it is there. Then it has not
// been taken, and so will see every event that is logged: at most a write.
func (s *Store) askDrain(ctx context.Context, partition string) error {
	_, err := s.doc(model.Drains, partition).Create(ctx, DrainWork{Partition: partition, ExpireAt: s.time().Add(24 * time.Hour)})
	if exists(err) {
		return nil
	}
	return err
}

// Event looks an event up by its id: 1 read. What is not there, or not any more, is
// errs.NotFound.
func (s *Store) Event(ctx context.Context, id string) (_ *model.Event, err error) {
	defer errs.Wrap(&err, "store.Event(%q)", id)
	partition, ok := model.EventPartition(id)
	if !ok {
		return nil, errs.New(errs.Invalid, "invalid_event_id", "an event id is 29 lower-case hexadecimal digits")
	}
	e := &model.Event{ID: id}
	held, err := s.get(ctx, s.events(partition).Doc(id), e)
	if err != nil || !held {
		return nil, errOr(err, errs.New(errs.NotFound, "event_not_found", "there is no event %q", id))
	}
	return e, nil
}

// DrainAfter is how long a drain waits for more events before it begins.
func (s *Store) DrainAfter() time.Duration { return s.drainAfter }

// Drain puts all pending events of a partition on their cards. An event costs a read and
// a write, a card a read and a write for up to 100 events, and each user on a card a read
// and the first time a write.
func (s *Store) Drain(ctx context.Context, partition string) (err error) {
	defer errs.Wrap(&err, "store.Drain(%q)", partition)
	for {
		snaps, err := s.pending(ctx, partition)
		if err != nil || len(snaps) == 0 {
			return err
		}
		if err := s.putOnCards(ctx, snaps); err != nil {
			return err
		}
	}
}

// DrainSome puts up to 100 pending events of a partition on their cards, and leaves
// another work document if there may be more; so a card is written once for each work
// document, however many events there are. It removes its own first: an event that it
// misses then leaves another. Work that somebody has begun already only does that, as in
// [Store.RollUp].
func (s *Store) DrainSome(ctx context.Context, w DrainWork) (err error) {
	defer errs.Wrap(&err, "store.DrainSome(%q)", w.Partition)
	mine, err := s.take(ctx, s.doc(model.Drains, w.Partition), w.WrittenAt)
	if err != nil {
		return err
	}
	snaps, err := s.pending(ctx, w.Partition)
	if err != nil || len(snaps) == 0 {
		return err
	}
	if mine {
		if err := s.putOnCards(ctx, snaps); err != nil || len(snaps) < drainSize {
			return err
		}
	}
	return s.askDrain(ctx, w.Partition)
}

func (s *Store) pending(ctx context.Context, partition string) ([]*firestore.DocumentSnapshot, error) {
	return s.events(partition).Where("pending", "==", true).Limit(drainSize).Documents(ctx).GetAll()
}

// putOnCards puts events of any users on their cards.
func (s *Store) putOnCards(ctx context.Context, snaps []*firestore.DocumentSnapshot) error {
	cards := map[string][]*firestore.DocumentSnapshot{}
	for _, snap := range snaps {
		var e model.Event
		if err := snap.DataTo(&e); err != nil {
			return err
		}
		ref := s.notification(e.UserID, e.NotificationKey(s.zone))
		cards[ref.Path] = append(cards[ref.Path], snap)
	}
	for _, events := range cards {
		if err := s.putOnCard(ctx, events); err != nil {
			return err
		}
	}
	return nil
}

// putOnCard commits some events of one card together with the card, the marks of users
// who are new on it, and the events' not being pending any more. Every document is
// written only if it is still as it was read, and nothing is locked. If somebody else was
// first, it starts again with the events that are left.
func (s *Store) putOnCard(ctx context.Context, snaps []*firestore.DocumentSnapshot) error {
	for {
		ok, err := s.tryPutOnCard(ctx, snaps)
		if ok || err != nil {
			return err
		}
		refs := make([]*firestore.DocumentRef, len(snaps))
		for i, snap := range snaps {
			refs[i] = snap.Ref
		}
		if snaps, err = s.fs.GetAll(ctx, refs); err != nil {
			return err
		}
		snaps = slices.DeleteFunc(snaps, func(snap *firestore.DocumentSnapshot) bool {
			pending, _ := snap.DataAt("pending")
			return !snap.Exists() || pending != true
		})
		if len(snaps) == 0 {
			return nil
		}
	}
}

func (s *Store) tryPutOnCard(ctx context.Context, snaps []*firestore.DocumentSnapshot) (bool, error) {
	events := make([]model.Event, len(snaps))
	for i, snap := range snaps {
		if err := snap.DataTo(&events[i]); err != nil {
			return false, err
		}
	}
	return s.putOn(ctx, events, func(b *firestore.WriteBatch) {
		for _, snap := range snaps {
			b.Update(snap.Ref, []firestore.Update{{Path: "pending", Value: firestore.Delete}}, firestore.LastUpdateTime(snap.UpdateTime))
		}
	})
}

// putOn puts events of one card on it, together with what more is to be written. It answers
// false, and nothing is written, if any of it is not as it should be or was read.
func (s *Store) putOn(ctx context.Context, events []model.Event, more func(*firestore.WriteBatch)) (bool, error) {
	actors := map[model.UserID]bool{}
	for i := range events {
		actors[events[i].Payload.UserID] = true
	}
	first := &events[0]
	ref := s.notification(first.UserID, first.NotificationKey(s.zone))
	refs := []*firestore.DocumentRef{ref}
	for _, uid := range slices.Sorted(maps.Keys(actors)) {
		refs = append(refs, ref.Collection(model.Actors).Doc(string(uid)))
	}
	read, err := s.fs.GetAll(ctx, refs)
	if err != nil {
		return false, err
	}
	card := model.Notification{Slot: first.Slot(), Term: first.Term(s.zone)}
	if _, err := decode(read[0], nil)(&card); err != nil {
		return false, err
	}
	b := s.batch()
	for i := range events {
		card.Add(&events[i])
		if first.Type == model.EventReply {
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
	if exists(err) || missing(err) || status.Code(err) == codes.FailedPrecondition {
		return false, nil
	}
	return err == nil, err
}

func (s *Store) events(partition string) *firestore.CollectionRef {
	return s.doc(model.EventLogs, partition).Collection(model.Events)
}
