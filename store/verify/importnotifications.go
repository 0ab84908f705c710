package verify

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/notificationlists"
)

const (
	// importedTogether is how many notifications one commit imports. Each has at most 8 KB.
	importedTogether = 50

	// importTries is how often an import tries to commit while other processes write the lists, and rebuildTries how
	// often to compute a notification anew. That reads all notification events of the user.
	importTries, rebuildTries = 10, 3
)

// ImportNotifications moves the notifications of a user from the documents of version 0.1.0 into the user's lists. It
// may run while events come and while the user reads. A notification that got an event after the upgrade is computed
// anew. If its list is written again and again meanwhile, it stays as it is in the list, and a repair corrects it. A
// second call moves what is left.
//
// If no commit succeeds because of other processes, the error is errs.Conflict.
//
// Cost: 1 read and 1 delete for each notification, at least 1 read. For each 50 of them 1 read and 1 write, and up to 3
// times what rebuildNotification costs for each that got an event.
func (a *Auditor) ImportNotifications(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "verify.ImportNotifications(%q)", uid)
	for late := 0; late < importTries; {
		snaps, err := a.db.User(uid).Collection(model.Notifications).Limit(importedTogether).Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return err
		}
		switch done, err := a.importSome(ctx, uid, snaps); {
		case err != nil:
			return err
		case done:
			late = 0
		default:
			late++
		}
	}
	return errs.New(errs.Conflict, "notifications_busy", "other processes write the notifications of %q", uid)
}

// importSome imports some notifications. If one of them or its list changes meanwhile, it imports none of those that
// got no event, and returns false.
func (a *Auditor) importSome(ctx context.Context, uid model.UserID, snaps []*firestore.DocumentSnapshot) (bool,
	error) {
	var ids, anew []string
	for _, snap := range snaps {
		ids = append(ids, snap.Ref.ID)
	}
	lists, err := notificationlists.Read(ctx, a.db, uid, ids, nil)
	if err != nil {
		return false, err
	}
	if full, err := lists.MakeRoom(ctx, a.db, a.notificationEvents.Limits); err != nil || full {
		return full, err
	}
	b := a.db.Batch()
	for _, snap := range snaps {
		if _, listed := lists.Get(snap.Ref.ID); listed {
			anew = append(anew, snap.Ref.ID)
			continue
		}
		var n model.Notification
		if err := snap.DataTo(&n); err != nil {
			return false, err
		}
		if n.IsRead = n.IsRead || n.Empty(); a.db.Now().Before(n.ExpireAt) {
			lists.Put(snap.Ref.ID, &n)
		}
		b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))
	}
	done := true
	if len(anew) < len(snaps) {
		lists.Write(b, a.db.Time())
		_, err := b.Commit(ctx)
		if done = err == nil; err != nil && !db.AlreadyExists(err) && !db.NotFound(err) && !db.Outdated(err) {
			return false, err
		}
	}
	for _, id := range anew {
		if err := a.importAnew(ctx, uid, id); err != nil {
			return false, err
		}
	}
	return done, nil
}

// importAnew computes a notification anew that is in its list, and deletes its document. If other processes write the
// list each time, the notification there lacks what came before the upgrade. A repair finds that by the event log.
func (a *Auditor) importAnew(ctx context.Context, uid model.UserID, id string) error {
	for range rebuildTries {
		if done, err := a.tryRebuildNotification(ctx, uid, id); err != nil || done {
			return err
		}
	}
	_, err := a.db.Notification(uid, id).Delete(ctx)
	return err
}

// ExportNotifications moves the notifications of a user from the user's lists back into documents, as version 0.1.0 has
// them. It may run beside that version: a notification that has a document stays as it is there, and `hibana verify
// --repair` of that version corrects it. Notifications of which everything was withdrawn are left out.
//
// Cost: 1 read, 1 write and 1 delete a list; 1 write a notification and a user on it.
func (a *Auditor) ExportNotifications(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "verify.ExportNotifications(%q)", uid)
	snaps, err := a.db.User(uid).Collection(model.NotificationLists).Documents(ctx).GetAll()
	if err != nil || len(snaps) == 0 {
		return err
	}
	lists := map[string]*model.NotificationList{model.NewestList: {}}
	for _, snap := range snaps {
		list := &model.NotificationList{}
		if err := snap.DataTo(list); err != nil {
			return err
		}
		lists[snap.Ref.ID] = list
	}
	for id, list := range lists {
		for _, n := range notificationlists.In(list) {
			if lists[model.NewestList].Place(n.ID) != id || n.Empty() {
				continue
			}
			b, ref, actors := a.db.Batch(), a.db.Notification(uid, n.ID), n.Actors
			n.Actors = nil
			b.Create(ref, n)
			for actor, is := range actors {
				b.Set(ref.Collection(model.Actors).Doc(actor), model.Actor{ExpireAt: n.ExpireAt, EmbeddedActor: is})
			}
			if _, err := b.Commit(ctx); err != nil && !db.AlreadyExists(err) {
				return err
			}
		}
	}
	b := a.db.Batch()
	for _, snap := range snaps {
		b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))
	}
	if _, err = b.Commit(ctx); db.Outdated(err) || db.NotFound(err) {
		return nil // the next pass finds the list
	}
	return err
}
