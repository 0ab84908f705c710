package users

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// pictures returns the changes of avatar and wide picture that differ from a profile, and whether the avatar is among
// them. It adds to the batch that the new uploads belong to the profile, and no longer expire. The former uploads
// expire after MediaWindow, because tweets show the former address for a while. If a moderator changes the profile,
// they go at once. An upload that the profile cannot take has the errors of [model.Media.Usable].
//
// Cost: nothing; 2 reads and 2 writes for each upload.
func (s *Store) pictures(ctx context.Context, b *db.Batch, uid model.UserID, is *model.User, p model.UserPatch,
	moderator bool) (changes []firestore.Update, avatar bool, err error) {
	if p.AvatarMedia != nil || p.Avatar != nil && *p.Avatar != is.Avatar {
		address, id := "", model.MediaID("")
		if p.AvatarMedia != nil {
			address, id = pathOf(*p.AvatarMedia, model.MediaAvatar), *p.AvatarMedia
		} else {
			address = *p.Avatar
		}
		if p.AvatarMedia == nil && model.IsMediaAddress(address) {
			return nil, false, errs.New(errs.Invalid, "invalid_avatar", "another uploaded picture becomes the avatar by "+
				"avatarMedia")
		}
		if avatar = address != is.Avatar; avatar {
			changes = append(changes, firestore.Update{Path: fields.Avatar, Value: address},
				firestore.Update{Path: fields.AvatarMedia, Value: db.OrDelete(id, id == "")})
			if err := s.replace(ctx, b, uid, is.AvatarMedia, id, model.MediaAvatar, moderator); err != nil {
				return nil, false, err
			}
		}
	}
	if p.HeaderMedia != nil && *p.HeaderMedia != is.HeaderMedia {
		address, id := pathOf(*p.HeaderMedia, model.MediaHeader), *p.HeaderMedia
		changes = append(changes, firestore.Update{Path: fields.Header, Value: db.OrDelete(address, address == "")},
			firestore.Update{Path: fields.HeaderMedia, Value: db.OrDelete(id, id == "")})
		if err := s.replace(ctx, b, uid, is.HeaderMedia, id, model.MediaHeader, moderator); err != nil {
			return nil, false, err
		}
	}
	return changes, avatar, nil
}

// pathOf is what a profile has of the address of a picture: it has no server, so that it stays when that changes; empty
// for none. [media.Store.Address] completes it.
func pathOf(id model.MediaID, kind model.MediaKind) string {
	if id == "" {
		return ""
	}
	return model.MediaAddress("", id, model.ProfileSize(kind))
}

// replace adds to a batch that an upload takes the place of another in a profile. Either id may be empty.
//
// Cost: 1 read and 1 write or delete for each.
func (s *Store) replace(ctx context.Context, b *db.Batch, uid model.UserID, was, id model.MediaID,
	kind model.MediaKind, moderator bool) error {
	var l db.Lookup
	former, next := &db.Found[model.Media]{}, &db.Found[model.Media]{}
	if was != "" {
		former = db.Find[model.Media](&l, s.db.Media(was))
	}
	if id != "" {
		next = db.Find[model.Media](&l, s.db.Media(id))
		next.Doc.ID = id
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	if id != "" {
		if err := next.Doc.Usable(uid, kind, s.db.Now()); err != nil {
			return err
		}
		b.Update(next.Snap.Ref, []firestore.Update{{Path: fields.InProfile, Value: true},
			{Path: fields.ExpireAt, Value: firestore.Delete}}, firestore.LastUpdateTime(next.Snap.UpdateTime))
	}
	if !former.Found {
		return nil
	}
	switch same := firestore.LastUpdateTime(former.Snap.UpdateTime); {
	case moderator:
		b.Delete(former.Snap.Ref, same)
	default:
		b.Update(former.Snap.Ref, []firestore.Update{
			{Path: fields.ExpireAt, Value: s.db.Time().Add(model.MediaWindow)}}, same)
	}
	return nil
}
