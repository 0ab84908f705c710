package verify

import (
	"context"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/notifications"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// restoreNotificationEvent writes a notification event that is missing from the log, and rebuilds its notification. As
// in Notify, the notification event is dropped if one of the two users has blocked the other, or if the user's settings
// refuse it.
//
// Cost: 3 reads, 1 write, and what rebuildNotification costs.
func (a *Auditor) restoreNotificationEvent(ctx context.Context, n *model.NotificationEvent) (err error) {
	defer errs.Wrap(&err, "verify.restoreNotice(%q)", n.ID)
	partition, _ := model.NotificationEventPartition(n.ID)
	restored := *n
	restored.Pending = false // rebuildNotification puts the notification event on its notification
	var l db.Lookup
	choice := db.Find[model.NotificationChoice](&l, a.db.NotificationSettings(n.UserID))
	blocks := db.Find[struct{}](&l, a.db.Block(n.UserID, n.Payload.UserID))
	blocked := db.Find[struct{}](&l, a.db.Block(n.Payload.UserID, n.UserID))
	if err := a.db.Read(ctx, &l); err != nil {
		return err
	}
	if restored.Dropped = blocks.Found || blocked.Found || !choice.Doc.Wants(n); !restored.Dropped {
		restored.On = n.Place(a.zone)
	}
	if _, err := a.db.NotificationEvents(partition).Doc(n.ID).Create(ctx, &restored); err != nil &&
		!db.AlreadyExists(err) {
		return err
	}
	return a.rebuildNotification(ctx, n.UserID, n.NotificationKey(a.zone))
}

// rebuildNotification computes a notification anew from its notification events. A read notification stays read, and an
// unread one unread, unless the unread part itself was wrong. A notification without notification events is deleted, or
// empty if some were withdrawn.
//
// Cost: 2 reads, 1 read a notification event of the user and a user on the notification, and 1 write.
func (a *Auditor) rebuildNotification(ctx context.Context, uid model.UserID, key string) (err error) {
	defer errs.Wrap(&err, "verify.rebuildNotification(%q, %q)", uid, key)
	for {
		done, err := a.tryRebuildNotification(ctx, uid, key)
		if err != nil || done {
			return err
		}
	}
}

// tryRebuildNotification reads the notification first, and returns whether it wrote the notification. A process that
// puts a notification event on the notification writes both in one commit. After such a commit the notification differs
// from the one that was read, and tryRebuildNotification writes nothing.
func (a *Auditor) tryRebuildNotification(ctx context.Context, uid model.UserID, key string) (bool, error) {
	ref := a.db.Notification(uid, key)
	old, err := db.As[model.Notification](ref.Get(ctx))
	if err != nil {
		return false, err
	}
	was := &old.Doc
	all, err := a.read.NotificationEvents(ctx, uid)
	if err != nil {
		return false, err
	}
	var gone []model.NotificationEvent
	reading := map[model.UserID]int64{} // when each actor last rang
	all = slices.DeleteFunc(all, func(n model.NotificationEvent) bool {
		if n.NotificationKey(a.zone) != key || n.Dropped {
			return true
		}
		if !n.Shown() && n.Withdrawn {
			gone = append(gone, n)
		}
		if n.Shown() || n.Withdrawn {
			reading[n.Payload.UserID] = max(reading[n.Payload.UserID], n.Reading)
		}
		return !n.Shown()
	})
	actors, err := ref.Collection(model.Actors).Documents(ctx).GetAll()
	if err != nil {
		return false, err
	}
	want := snapshot.ExpectedNotification(all, gone, was, a.zone)
	expireAt := want.ExpireAt
	embedded, owned := places(reading, want.Actors)
	var changes []*firestore.DocumentRef // of actors
	for _, snap := range actors {
		actor, err := snapshot.ActorOf(snap)
		if err != nil {
			return false, err
		}
		if should, ok := owned[snap.Ref.ID]; !ok || actor.NotificationEvents != should.NotificationEvents {
			changes = append(changes, snap.Ref)
			continue
		}
		delete(owned, snap.Ref.ID)
	}
	listed := map[string]bool{}
	for _, ref := range changes {
		listed[ref.ID] = true
	}
	for uid := range owned {
		if !listed[uid] {
			changes = append(changes, ref.Collection(model.Actors).Doc(uid))
		}
	}
	change := func(b *db.Batch, actor *firestore.DocumentRef) error {
		if should, ok := owned[actor.ID]; ok {
			b.Set(actor, model.Actor{ExpireAt: expireAt, EmbeddedActor: should})
		} else {
			b.Delete(actor)
		}
		return nil
	}
	// Changes beyond one commit are written first. If the notification changes meanwhile, everything is read again. The
	// documents of users who move into the notification go with its own write, so that no process counts them as new.
	if len(changes) > db.MaxTogether {
		moving := func(actor *firestore.DocumentRef) bool { _, ok := embedded[actor.ID]; return ok }
		first := slices.DeleteFunc(slices.Clone(changes), moving)
		if _, err := (db.Parts[*firestore.DocumentRef]{Add: change}).Commit(ctx, a.db, first); err != nil {
			return false, err
		}
		changes = slices.DeleteFunc(changes, func(actor *firestore.DocumentRef) bool { return !moving(actor) })
	}
	b := a.db.Batch()
	for _, actor := range changes {
		_ = change(b, actor) // never fails
	}
	switch {
	case len(all) == 0 && !old.Found:
		return true, nil
	case len(all) == 0 && len(gone) == 0:
		b.Delete(ref, firestore.LastUpdateTime(old.Snap.UpdateTime))
	case old.Found:
		updates := append(notifications.Collected(&want.Notification),
			firestore.Update{Path: fields.Slot, Value: want.GroupKey}, firestore.Update{Path: fields.Term, Value: want.Term},
			firestore.Update{Path: fields.Actors, Value: embedded})
		if !want.Empty() && (was.Empty() || was.News != want.News) {
			updates = append(updates, firestore.Update{Path: fields.IsRead, Value: want.News == 0})
		}
		b.Update(ref, updates, firestore.LastUpdateTime(old.Snap.UpdateTime))
	default:
		want.Notification.Actors = embedded
		b.Create(ref, want.Notification)
	}
	_, err = b.Commit(ctx)
	if db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err) {
		return false, nil
	}
	return err == nil, err
}

// places returns the users of a notification: those in its document, and those with documents of their own. reading has
// when each of them last rang, and events how many notification events each has.
func places(reading, events map[model.UserID]int64) (embedded, owned map[string]model.EmbeddedActor) {
	embedded, owned = map[string]model.EmbeddedActor{}, map[string]model.EmbeddedActor{}
	for _, uid := range slices.Sorted(maps.Keys(reading)) {
		in := embedded
		if len(embedded) == model.EmbeddedActors {
			in = owned
		}
		in[string(uid)] = model.EmbeddedActor{NotificationEvents: events[uid], Reading: reading[uid]}
	}
	return embedded, owned
}
