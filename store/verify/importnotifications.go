package verify

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/notificationlists"
)

// importedTogether is how many notifications one commit imports. Each has at most 8 KB.
const importedTogether = 50

// ImportNotifications moves the notifications of a user from the documents of version 0.1.0 into the user's lists. It
// may run while events come and while the user reads. A notification that got an event after the upgrade is computed
// anew. A second call moves what is left.
//
// Cost: 1 read and 1 delete for each notification, at least 1 read. For each 50 of them 1 read and 1 write, and what
// rebuildNotification costs for each that got an event.
func (a *Auditor) ImportNotifications(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "verify.ImportNotifications(%q)", uid)
	for {
		snaps, err := a.db.User(uid).Collection(model.Notifications).Limit(importedTogether).Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return err
		}
		if err := a.importSome(ctx, uid, snaps); err != nil {
			return err
		}
	}
}

// importSome imports some notifications. It imports nothing if one of them changes meanwhile.
func (a *Auditor) importSome(ctx context.Context, uid model.UserID, snaps []*firestore.DocumentSnapshot) error {
	var ids, anew []string
	for _, snap := range snaps {
		ids = append(ids, snap.Ref.ID)
	}
	lists, err := notificationlists.Read(ctx, a.db, uid, ids, nil)
	if err != nil {
		return err
	}
	if full, err := lists.MakeRoom(ctx, a.db, a.notificationEvents.Limits); err != nil || full {
		return err
	}
	b := a.db.Batch()
	for _, snap := range snaps {
		if _, listed := lists.Get(snap.Ref.ID); listed {
			anew = append(anew, snap.Ref.ID)
			continue
		}
		var n model.Notification
		if err := snap.DataTo(&n); err != nil {
			return err
		}
		if n.IsRead = n.IsRead || n.Empty(); a.db.Now().Before(n.ExpireAt) {
			lists.Put(snap.Ref.ID, &n)
		}
		b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))
	}
	if len(anew) < len(snaps) {
		lists.Write(b, a.db.Time())
		if _, err := b.Commit(ctx); err != nil && !db.AlreadyExists(err) && !db.NotFound(err) && !db.Outdated(err) {
			return err
		}
	}
	for _, id := range anew {
		if err := a.rebuildNotification(ctx, uid, id); err != nil {
			return err
		}
	}
	return nil
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
