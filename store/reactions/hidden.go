package reactions

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Hide mutes a sharer for uid. The sharer's shares disappear from the home timeline of uid, and from the sharer's
// profile as uid sees it. The sharer's own tweets stay. The mute holds until Unhide, even if uid unfollows the sharer
// and follows again. Hiding again changes nothing.
//
// uid without a profile is errs.Forbidden. A sharer without a profile is errs.NotFound. Hiding oneself is errs.Invalid.
//
// Cost: 2 writes, and 1 read for each profile that is not cached; no write if the sharer is muted already.
func (s *Shares) Hide(ctx context.Context, uid, sharer model.UserID) (err error) {
	defer errs.Wrap(&err, "reactions.Hide(%q, %q)", uid, sharer)
	if uid == sharer {
		return errs.New(errs.Invalid, "self_hide", "your own shares are not in your home timeline")
	}
	if err := s.access.RequireUser(ctx, sharer); err != nil {
		return err
	}
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return err
	}
	b, mute := s.db.Batch(), s.db.MutedSharer(uid, sharer)
	b.Create(mute, model.MutedSharer{UserID: uid, SharerID: sharer, CreatedAt: s.db.Time()})
	b.Set(s.db.Viewer(uid), viewers.Put(fields.Mutes, sharer, true), firestore.MergeAll)
	ctx, grown := s.viewers.Watch(ctx)
	if _, err = s.db.CommitOnce(ctx, b, s.db.Made(mute)); db.AlreadyExists(err) {
		return nil
	}
	grown(uid)
	return err
}

// Unhide unmutes a sharer: the home timeline of uid shows the sharer's shares again, including older ones. Without Hide
// it changes nothing.
//
// Cost: 1 delete and 1 write, also if the sharer is not muted.
func (s *Shares) Unhide(ctx context.Context, uid, sharer model.UserID) (err error) {
	defer errs.Wrap(&err, "reactions.Unhide(%q, %q)", uid, sharer)
	b, mute := s.db.Batch(), s.db.MutedSharer(uid, sharer)
	b.Delete(mute)
	b.Set(s.db.Viewer(uid), viewers.Remove(fields.Mutes, sharer), firestore.MergeAll)
	_, err = s.db.CommitOnce(ctx, b, s.db.Gone(mute))
	return err
}

// Hidden returns the sharers whom uid mutes, newest first.
//
// Cost: 1 read for each, at least 1.
func (s *Shares) Hidden(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[model.MutedSharer], err error) {
	defer errs.Wrap(&err, "reactions.Hidden(%q)", uid)
	return db.Page(ctx, s.db.Client.Collection(model.MutedSharers).Where(fields.UserID, "==", uid),
		firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (h model.MutedSharer, at model.Cursor, err error) {
			err = snap.DataTo(&h)
			return h, model.Cursor{At: h.CreatedAt, ID: snap.Ref.ID}, err
		})
}
