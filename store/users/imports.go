package users

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Imported returns the profile that an administrator's request made, as it is by now; nil if there is no profile. A
// profile that another request made, or its user, is errs.Exists (user_exists). digest is that of the request.
//
// Cost: 3 reads.
func (s *Store) Imported(ctx context.Context, uid model.UserID, digest string) (_ *FullUser, err error) {
	defer errs.Wrap(&err, "users.Imported(%q)", uid)
	var l db.Lookup
	user, detail, secret := db.Find[model.User](&l, s.db.User(uid)),
		db.Find[model.UserDetail](&l, s.db.Doc(model.UserDetails, string(uid))),
		db.Find[model.UserSecret](&l, s.db.Doc(model.UserSecrets, string(uid)))
	if err := s.db.Read(ctx, &l); err != nil || !user.Found {
		return nil, err
	}
	if secret.Doc.Imported != digest {
		return nil, userExists()
	}
	user.Doc.ID = uid
	return &FullUser{User: user.Doc, UserDetail: detail.Doc}, nil
}
