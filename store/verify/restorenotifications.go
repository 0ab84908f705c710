package verify

import (
	"context"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/notificationlists"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// restoreNotificationEvent writes a notification event that is missing from the log, and rebuilds its notification. As
// in Notify, the notification event is dropped if one of the two users has blocked the other, or if the user's
// settings, mutes or filters refuse it. What a policy may filter or drop goes the way of a new notification event.
//
// Cost: 5 reads, 1 write, and what rebuildNotification costs; with a policy also what [notifications.Writer.Notify]
// costs.
func (a *Auditor) restoreNotificationEvent(ctx context.Context, n *model.NotificationEvent) (err error) {
	defer errs.Wrap(&err, "verify.restoreNotice(%q)", n.ID)
	partition, _ := model.NotificationEventPartition(n.ID)
	restored := *n
	restored.ExpireAt = n.At.Add(a.db.NotificationWindow)
	restored.Pending = false // rebuildNotification puts the notification event on its notification
	var l db.Lookup
	muted := db.Find[model.MutedUser](&l, a.db.MutedUser(n.UserID, n.Payload.UserID))
	filters := db.Find[model.Filters](&l, a.db.UserFilters(n.UserID))
	choice := db.Find[model.NotificationChoice](&l, a.db.NotificationSettings(n.UserID))
	blocks := db.Find[struct{}](&l, a.db.Block(n.UserID, n.Payload.UserID))
	blocked := db.Find[struct{}](&l, a.db.Block(n.Payload.UserID, n.UserID))
	if err := a.db.Read(ctx, &l); err != nil {
		return err
	}
	if choice.Doc.Policy.Acts(n.Type) {
		again := *n
		again.Reading = 0
		if err := a.notificationEvents.Notify(ctx, &again); err != nil {
			return err
		}
		return a.rebuildNotification(ctx, n.UserID, n.NotificationKey(a.zone))
	}
	now := model.ViewerGraph{Filters: filters.Doc.Filters}
	if muted.Found {
		now.Muted = map[model.UserID]model.Mute{n.Payload.UserID: muted.Doc.Mute()}
	}
	quiet := now.Quiet(n.UserID, a.db.Now())
	if restored.Dropped = blocks.Found || blocked.Found || !choice.Doc.Wants(n) || quiet.Silences(n); !restored.Dropped {
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
// empty if some were withdrawn. A notification that has a document of an earlier version moves into its list.
//
// Cost: 3 reads, 1 read a notification event of the user and a user on the notification, and 1 write.
func (a *Auditor) rebuildNotification(ctx context.Context, uid model.UserID, key string) (err error) {
	defer errs.Wrap(&err, "verify.rebuildNotification(%q, %q)", uid, key)
	for {
		done, err := a.tryRebuildNotification(ctx, uid, key)
		if err != nil || done {
			return err
		}
	}
}

// stored is a notification as it is stored: in its list, and in a document of an earlier version.
type stored struct {
	model.Notification
	lists           *notificationlists.Lists
	listed, earlier bool
	document        *db.Found[model.Notification]
}

// stored reads a notification, and makes room for it.
func (a *Auditor) stored(ctx context.Context, uid model.UserID, key string) (*stored, error) {
	for {
		var beside db.Lookup
		is := &stored{document: db.Find[model.Notification](&beside, a.db.Notification(uid, key))}
		lists, err := notificationlists.Read(ctx, a.db, uid, []string{key}, &beside)
		if err != nil {
			return nil, err
		}
		if full, err := lists.MakeRoom(ctx, a.db, a.notificationEvents.Limits); err != nil {
			return nil, err
		} else if full {
			continue
		}
		is.lists, is.earlier = lists, is.document.Found
		is.Notification, is.listed = lists.Get(key)
		switch was := &is.document.Doc; {
		case is.earlier && !is.listed:
			is.Notification = *was
			is.IsRead = is.IsRead || is.Empty()
		case is.earlier: // it got a notification event after the upgrade
			if is.Rings += was.Rings; is.IsRead {
				is.Reads = max(is.Reads, was.Reads)
			}
		}
		is.ID = key
		return is, nil
	}
}

// tryRebuildNotification reads the notification first, and returns whether it wrote the notification. A process that
// puts a notification event on the notification writes both in one commit. After such a commit the notification differs
// from the one that was read, and tryRebuildNotification writes nothing.
func (a *Auditor) tryRebuildNotification(ctx context.Context, uid model.UserID, key string) (bool, error) {
	ref := a.db.Notification(uid, key)
	is, err := a.stored(ctx, uid, key)
	if err != nil {
		return false, err
	}
	was := &is.Notification
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
	case len(all) == 0 && !is.listed && !is.earlier:
		return true, nil
	case len(all) == 0 && len(gone) == 0:
		if is.listed {
			is.lists.Put(key, nil)
		}
	default:
		want.Collect()
		if news := !want.Empty() && (was.Empty() || was.News != want.News); news {
			want.IsRead = want.News == 0
		}
		want.Notification.Actors = embedded
		is.lists.Put(key, &want.Notification)
	}
	is.lists.Write(b, a.db.Time())
	if is.earlier {
		b.Delete(ref, firestore.LastUpdateTime(is.document.Snap.UpdateTime))
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

// recountUnread counts the unread notifications of a day that left the newest list.
//
// Cost: 1 read, 1 read for each list of the day, and 1 write.
func (a *Auditor) recountUnread(ctx context.Context, uid model.UserID, day string) (err error) {
	defer errs.Wrap(&err, "verify.recountUnread(%q, %q)", uid, day)
	return a.db.Update(ctx, func(ctx context.Context) error {
		lists, err := notificationlists.Read(ctx, a.db, uid, nil, nil)
		if err != nil {
			return err
		}
		return lists.Recount(ctx, a.db, day)
	})
}
