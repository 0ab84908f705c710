// Package users stores profiles: the documents that a user creates at sign-up, changes, and deletes with the account.
package users

import (
	"context"
	"errors"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/hooks"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Store reads and writes profiles. Its methods may be called concurrently. Their errors are errors of package errs.
type Store struct {
	db     *db.DB
	access *access.Store
	hooks  *hooks.Teller
}

// New returns the profiles of a database. Webhooks are told of new ones.
func New(d *db.DB, a *access.Store, h *hooks.Teller) *Store { return &Store{d, a, h} }

// FullUser is a profile with the parts that only the profile's own page shows.
type FullUser struct {
	model.User
	model.UserDetail
}

// CreateUser writes a profile and reserves its username. The new user is active. A second profile of the same uid is
// errs.Exists (user_exists), and a taken username is errs.Exists, too (username_taken). A field that breaks its limit
// is errs.Invalid. A user whose account deletion is in progress is errs.Conflict (leaving), and so is a user who
// consents to terms that have changed (terms_changed). An invitation by which nobody may sign up is errs.Forbidden
// (invitation_invalid); each profile uses it once. With n.MayWait a sign-up of the user that waits goes with the
// commit, and a user who was refused is errs.Forbidden (sign_up_refused). The commit includes the writes that also
// adds.
//
// Cost: 1 read and 6 writes; 2 reads more if a document exists already, and 1 read more with a consent to terms, or
// with an AI model. An invitation costs 1 read and 1 write more, and all of it again for each of others who sign up by
// it at that moment. n.MayWait costs 1 read more, and a sign-up that waits 1 read and 1 delete, 2 of another username.
// Each webhook that wants it costs 1 write more.
func (s *Store) CreateUser(ctx context.Context, uid model.UserID, n model.NewUser,
	also ...func(*firestore.Transaction) error) (_ *FullUser, err error) {
	defer errs.Wrap(&err, "users.CreateUser(%q)", uid)
	return s.createUser(ctx, uid, n, nil, also)
}

// createUser is CreateUser. approved is the sign-up that an administrator has seen and approves; nil for a user who
// makes the profile.
func (s *Store) createUser(ctx context.Context, uid model.UserID, n model.NewUser, approved *model.SignUp,
	also []func(*firestore.Transaction) error) (_ *FullUser, err error) {
	if uid.Remote() {
		return nil, remoteUser()
	}
	if n, err = n.Clean(); err != nil {
		return nil, err
	}
	u := &FullUser{
		User: model.User{
			ID: uid, Username: n.Username, Nickname: n.Nickname, NicknameLower: model.NormalizeNickname(n.Nickname),
			Avatar: n.Avatar, AIModel: n.AIModel,
			BlockStrangers: n.BlockStrangers, Locked: n.Locked, Bot: n.Bot, CreatedAt: s.db.Time(),
		},
		UserDetail: model.UserDetail{Introduction: n.Introduction, AIPersonality: n.AIPersonality},
	}
	if n.TermsVersion != 0 {
		if err := s.currentTerms(ctx, n.TermsVersion); err != nil {
			return nil, err
		}
		u.TermsVersion, u.TermsAt = n.TermsVersion, u.CreatedAt
	}
	if err := s.aiModel(ctx, n.AIModel); err != nil {
		return nil, err
	}
	u.Introduce(n.Introduction)
	user := s.db.Doc(model.Users, string(uid))
	told := s.hooks.Of(ctx, model.WebhookUserCreated, map[string]string{"userId": string(uid)})
	// In a transaction, because Abandon begins an account deletion if there is no profile, and others may use the
	// invitation.
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		left, err := s.mayJoin(tx, uid)
		if err != nil {
			return err
		}
		waited, err := s.waited(tx, uid, n, approved)
		if err != nil {
			return err
		}
		if n.Invitation != "" {
			if err := s.useInvitation(tx, uid, n.Invitation); err != nil {
				return err
			}
		}
		if left != nil {
			waited.gone = append(waited.gone, left)
		}
		for _, gone := range waited.gone {
			if err := tx.Delete(gone); err != nil {
				return err
			}
		}
		for _, add := range also {
			if err := add(tx); err != nil {
				return err
			}
		}
		reserve := tx.Create
		if waited.reserved {
			reserve = func(ref *firestore.DocumentRef, name any) error { return tx.Set(ref, name) }
		}
		return errors.Join(
			tx.Create(user, u.User),
			reserve(s.db.Doc(model.Usernames, n.Username), model.Username{UID: uid}),
			tx.Set(s.db.Doc(model.UserDetails, string(uid)), u.UserDetail),
			tx.Set(s.db.Doc(model.UserSecrets, string(uid)), model.UserSecret{Email: n.Email, EmailAt: n.EmailAt,
				Invitation: n.Invitation, Imported: n.Imported}),
			tx.Set(s.db.Viewer(uid), model.ViewerGraph{Whole: true, FormerWhole: true, HasCopies: true,
				Choice: &model.NotificationChoice{}, BlockStrangers: &n.BlockStrangers}),
			tx.Set(s.db.Head(uid), model.NewHead(uid)),
			told.Write(tx),
		)
	})
	if db.AlreadyExists(err) {
		var is model.User
		if found, err := s.db.Get(ctx, user, &is); err != nil {
			return nil, err
		} else if found && is.Username == u.Username && is.CreatedAt.Equal(u.CreatedAt) {
			// The answer to the commit was lost, and the client sent the commit again.
			return u, nil
		} else if found {
			return nil, userExists()
		}
		if free, err := s.releaseUsername(ctx, n.Username); err != nil {
			return nil, err
		} else if free {
			return s.createUser(ctx, uid, n, approved, also)
		}
		if own, err := s.own(ctx, uid, n); err != nil {
			return nil, err
		} else if own {
			n.MayWait = true
			return s.createUser(ctx, uid, n, approved, also)
		}
		return nil, errs.New(errs.Exists, "username_taken", "username %q is taken", n.Username)
	} else if err != nil {
		return nil, err
	}
	s.db.SawThere(uid)
	return u, nil
}

// UpdateUser changes a profile. A user without a profile is errs.NotFound, and a taken username errs.Exists. A username
// that another request changes at the same time is errs.Conflict. A field that breaks its limit is errs.Invalid. The
// commit includes the writes that also adds.
//
// Cost: 1 write; 1 write more for blockStrangers, and for fields that are not empty; 1 read more for a name or avatar;
// 1 read, 1 write and 1 delete more for another username; 1 read more for an AI model; 2 reads and 2 writes more for an
// uploaded picture.
func (s *Store) UpdateUser(ctx context.Context, uid model.UserID, p model.UserPatch,
	also ...func(*db.Batch)) (err error) {
	defer errs.Wrap(&err, "users.UpdateUser(%q)", uid)
	return s.updateUser(ctx, uid, p, update{moderator: true, also: also})
}

// UpdateOwn is [Store.UpdateUser] for a user's own request. A rename too soon after others changes nothing. It is
// errs.Exhausted with a [model.TooSoon].
func (s *Store) UpdateOwn(ctx context.Context, uid model.UserID, p model.UserPatch, c model.CoolDown) (err error) {
	defer errs.Wrap(&err, "users.UpdateOwn(%q)", uid)
	return s.updateUser(ctx, uid, p, update{coolDown: c})
}

// update is how a profile is changed.
type update struct {
	coolDown  model.CoolDown
	moderator bool // by somebody else: a picture that is taken off goes at once
	also      []func(*db.Batch)
}

// updateAttempts is the number of attempts at a rename, if another process keeps writing the profile.
const updateAttempts = 10

func (s *Store) updateUser(ctx context.Context, uid model.UserID, p model.UserPatch, by update) (err error) {
	if uid.Remote() {
		return remoteUser()
	}
	if p, err = p.Clean(); err != nil {
		return err
	}
	if p.AIModel != nil {
		if err := s.aiModel(ctx, *p.AIModel); err != nil {
			return err
		}
	}
	at := s.db.Time()
	profile, details := changesOf(p, at)
	reads := p.Propagations() || p.HeaderMedia != nil
	for attempt := range updateAttempts {
		b := s.db.Batch()
		var names []firestore.Update
		var same []firestore.Precondition
		if reads {
			var made bool
			if names, same, made, err = s.rename(ctx, b, uid, p, at, by, attempt > 0); made || err != nil {
				return err
			}
		}
		b.Update(s.db.User(uid), slices.Concat(profile, names), same...)
		if details != nil {
			b.Update(s.db.Doc(model.UserDetails, string(uid)), details)
		}
		if p.BlockStrangers != nil {
			b.Set(s.db.Viewer(uid), viewers.BlockStrangers(*p.BlockStrangers), firestore.MergeAll)
		}
		if p.Fields != nil && len(*p.Fields) > 0 {
			s.checkFields(b, uid, at)
		}
		for _, add := range by.also {
			add(b)
		}
		if len(same) > 0 {
			_, err = b.Commit(ctx)
		} else { // without a version, a change would undo a later change
			_, err = s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) { return s.patched(ctx, uid, p, at) })
		}
		s.access.ForgetProfile(uid)
		switch {
		case db.AlreadyExists(err): // the username
			if free, err := s.releaseUsername(ctx, *p.Username); err != nil {
				return err
			} else if free {
				continue
			}
			// If the answer to a commit is lost, the client itself sends the commit again.
			if done, err := s.patched(ctx, uid, p, at); done || err != nil {
				return err
			}
			return errs.New(errs.Exists, "username_taken", "username %q is taken", *p.Username)
		case db.NotFound(err) && !reads:
			return model.NoUser(uid)
		case !db.Outdated(err) && !db.NotFound(err):
			return err
		}
	}
	return renamed()
}

// changesOf returns the changes of a patch to a profile and to its details, at a time. Function rename handles the
// names.
func changesOf(p model.UserPatch, at time.Time) (profile, details []firestore.Update) {
	profile = []firestore.Update{{Path: fields.UpdatedAt, Value: at}}
	set := func(in *[]firestore.Update, path string, value any) {
		*in = append(*in, firestore.Update{Path: path, Value: value})
	}
	if p.AIModel != nil {
		set(&profile, fields.AIModel, *p.AIModel)
	}
	if p.BlockStrangers != nil {
		set(&profile, fields.BlockStrangers, *p.BlockStrangers)
	}
	if p.Locked != nil {
		set(&profile, fields.Locked, *p.Locked)
	}
	if p.HoldReplies != nil {
		set(&profile, fields.HoldReplies, db.OrDelete(*p.HoldReplies, *p.HoldReplies == model.HoldNobody))
	}
	for path, is := range map[string]*bool{fields.Discoverable: p.Discoverable,
		fields.NotSuggested: p.NotSuggested, fields.Bot: p.Bot} {
		if is != nil {
			set(&profile, path, db.OrDelete(true, !*is))
		}
	}
	if p.Language != nil {
		set(&profile, fields.Language, db.OrDelete(*p.Language, *p.Language == ""))
	}
	if p.MessagesFrom != nil {
		set(&profile, fields.MessagesFrom, db.OrDelete(*p.MessagesFrom, *p.MessagesFrom == model.MessagesFromAll))
	}
	if p.Pronouns != nil {
		set(&profile, fields.Pronouns, db.OrDelete(*p.Pronouns, *p.Pronouns == ""))
	}
	if p.Fields != nil {
		none := len(*p.Fields) == 0
		set(&profile, fields.HasFields, db.OrDelete(true, none))
		set(&details, fields.ProfileFields, db.OrDelete(*p.Fields, none))
	}
	if p.PinnedTags != nil {
		set(&profile, fields.PinnedTags, db.OrDelete(*p.PinnedTags, len(*p.PinnedTags) == 0))
	}
	if p.Introduction != nil {
		var u model.User
		u.Introduce(*p.Introduction)
		set(&profile, fields.Snippet, u.Snippet)
		set(&profile, fields.SnippetTree, u.SnippetTree)
		set(&details, fields.Introduction, *p.Introduction)
	}
	if p.AIPersonality != nil {
		set(&details, fields.AIPersonality, *p.AIPersonality)
	}
	return profile, details
}

// User is [access.Store.User].
//
// Cost: 1 read.
func (s *Store) User(ctx context.Context, uid model.UserID) (*model.User, error) {
	return s.access.User(ctx, uid)
}

// Users is [access.Store.Users].
//
// Cost: 1 read for each profile that is not cached.
func (s *Store) Users(ctx context.Context, uids []model.UserID) (map[model.UserID]*model.User, error) {
	return s.access.Users(ctx, uids)
}

// Listed is [access.Store.Listed].
//
// Cost: 1 read for each profile that is not cached.
func (s *Store) Listed(ctx context.Context, uids []model.UserID) (map[model.UserID]*model.User, error) {
	return s.access.Listed(ctx, uids)
}

// FullUser reads a profile with its introduction, in one round trip. A user without a profile is errs.NotFound.
//
// Cost: 2 reads.
func (s *Store) FullUser(ctx context.Context, uid model.UserID) (_ *FullUser, err error) {
	defer errs.Wrap(&err, "users.FullUser(%q)", uid)
	var l db.Lookup
	user, detail := db.Find[model.User](&l, s.db.User(uid)),
		db.Find[model.UserDetail](&l, s.db.Doc(model.UserDetails, string(uid)))
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	if !user.Found {
		return nil, model.NoUser(uid)
	}
	user.Doc.ID = uid
	return &FullUser{User: user.Doc, UserDetail: detail.Doc}, nil
}

// Detail reads the long texts and the fields of a profile. Those of a user who is gone are empty.
//
// Cost: 1 read.
func (s *Store) Detail(ctx context.Context, uid model.UserID) (_ *model.UserDetail, err error) {
	defer errs.Wrap(&err, "users.Detail(%q)", uid)
	var d model.UserDetail
	_, err = s.db.Get(ctx, s.db.Doc(model.UserDetails, string(uid)), &d)
	return &d, err
}

// Email returns the address of a user who sends an ID token. token is the address in the ID token and may be empty. at
// is the time at which the ID token was made. After a change of the address at Firebase Auth, the next token has the
// new address. Email stores it in lower case. An older token changes nothing, and neither does an address of more than
// model.MaxEmail characters: Email returns the one before.
//
// Cost: 1 read; 1 write if the address differs.
func (s *Store) Email(ctx context.Context, uid model.UserID, token string, at time.Time) (_ string, err error) {
	defer errs.Wrap(&err, "users.Email(%q)", uid)
	ref, token := s.db.Doc(model.UserSecrets, string(uid)), model.NormalizeEmail(token)
	var secret model.UserSecret
	found, err := s.db.Get(ctx, ref, &secret)
	if err != nil || !found || secret.Email == token || at.Before(secret.EmailAt) || model.ValidateEmail(token) != nil {
		return secret.Email, err
	}
	b := s.db.Batch()
	b.Update(ref, []firestore.Update{{Path: fields.Email, Value: token}, {Path: fields.EmailAt, Value: at}})
	if _, err := b.Commit(ctx); err != nil && !db.NotFound(err) { // a deleted account has no address
		return "", err
	}
	return token, nil
}
