package notices

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// drainSize is how many events of a partition are put on cards at a time.
const drainSize = 100

// askDrain leaves a work document for a partition, or sees that it is there. Then it has not
// been taken, and so will see every event that is logged: at most a write.
func (s *Writer) askDrain(ctx context.Context, partition string) error {
	_, err := s.db.Doc(model.Drains, partition).Create(ctx, model.DrainWork{Partition: partition, ExpireAt: s.db.Time().Add(24 * time.Hour)})
	if db.AlreadyExists(err) {
		return nil
	}
	return err
}

// DrainAll puts all pending events of a partition on their cards. An event costs a read and
// a write, a card a read and a write for up to 100 events, and each user on a card a read
// and the first time a write.
func (s *Writer) DrainAll(ctx context.Context, partition string) (err error) {
	defer errs.Wrap(&err, "notices.DrainAll(%q)", partition)
	for {
		snaps, err := s.pending(ctx, partition)
		if err != nil || len(snaps) == 0 {
			return err
		}
		if err := s.putOn(ctx, snaps); err != nil {
			return err
		}
	}
}

// Drain waits for more events, and then puts up to 100 pending events of a partition on their cards, and leaves
// another work document if there may be more; so a card is written once for each work
// document, however many events there are. It removes its own first: an event that it
// misses then leaves another. Work that somebody has begun already only does that, as in
// [Store.RollUp].
func (s *Writer) Drain(ctx context.Context, w model.DrainWork) (err error) {
	defer errs.Wrap(&err, "notices.Drain(%q)", w.Partition)
	if err := db.Pause(ctx, s.after); err != nil {
		return err
	}
	mine, err := s.db.Take(ctx, s.db.Doc(model.Drains, w.Partition), w.WrittenAt)
	if err != nil {
		return err
	}
	snaps, err := s.pending(ctx, w.Partition)
	if err != nil || len(snaps) == 0 {
		return err
	}
	if mine {
		if err := s.putOn(ctx, snaps); err != nil || len(snaps) < drainSize {
			return err
		}
	}
	return s.askDrain(ctx, w.Partition)
}

func (s *Writer) pending(ctx context.Context, partition string) ([]*firestore.DocumentSnapshot, error) {
	return s.db.Notices(partition).Where("pending", "==", true).Limit(drainSize).Documents(ctx).GetAll()
}

// putOn puts events of any users on their cards.
func (s *Writer) putOn(ctx context.Context, snaps []*firestore.DocumentSnapshot) error {
	cards := map[string][]*firestore.DocumentSnapshot{}
	for _, snap := range snaps {
		var e model.Notice
		if err := snap.DataTo(&e); err != nil {
			return err
		}
		ref := s.db.Notification(e.UserID, e.NotificationKey(s.zone))
		cards[ref.Path] = append(cards[ref.Path], snap)
	}
	for _, events := range cards {
		if err := s.putOnOne(ctx, events); err != nil {
			return err
		}
	}
	return nil
}

// putOnOne commits some events of one card together with the card, the marks of users
// who are new on it, and the events' not being pending any more. Every document is
// written only if it is still as it was read, and nothing is locked. If somebody else was
// first, it starts again with the events that are left.
func (s *Writer) putOnOne(ctx context.Context, snaps []*firestore.DocumentSnapshot) error {
	for {
		ok, err := s.tryPutOnOne(ctx, snaps)
		if ok || err != nil {
			return err
		}
		refs := make([]*firestore.DocumentRef, len(snaps))
		for i, snap := range snaps {
			refs[i] = snap.Ref
		}
		if snaps, err = s.db.Client.GetAll(ctx, refs); err != nil {
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

func (s *Writer) tryPutOnOne(ctx context.Context, snaps []*firestore.DocumentSnapshot) (bool, error) {
	events := make([]model.Notice, len(snaps))
	for i, snap := range snaps {
		if err := snap.DataTo(&events[i]); err != nil {
			return false, err
		}
	}
	return s.add(ctx, events, func(b *db.Batch) {
		for _, snap := range snaps {
			b.Update(snap.Ref, []firestore.Update{{Path: "pending", Value: firestore.Delete}}, firestore.LastUpdateTime(snap.UpdateTime))
		}
	})
}
