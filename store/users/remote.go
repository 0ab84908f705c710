package users

import (
	"context"
	"errors"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// remoteUser is the error of a request to make or change the profile of a person of another server.
func remoteUser() error {
	return errs.New(errs.Forbidden, "remote_user", "this user has an account on another server, which alone changes the "+
		"profile")
}

// PutRemote writes the profile of a person of another server: it makes the user, or changes what differs. Another name
// or avatar is written into the person's tweets, as for every user. A user whose deletion is in progress is
// errs.Conflict (leaving).
//
// Two actors may have one handle, because servers reuse names and some lie. The actor whom the server of the handle
// confirms gets the username. An actor without a confirmation does not take it from another one. Who does not get it
// has [model.OtherUsername].
//
// Cost: 4 reads and 5 writes for a new user; 4 reads and 1 write for a known one, 1 write more for another introduction
// or fields, and for another name or avatar; 1 write and 1 delete more for another username, and
// 1 write for another inbox. A taken handle costs 1
// read more, and 4 writes if the present holder loses it.
func (s *Store) PutRemote(ctx context.Context, p model.RemotePerson) (_ *model.User, err error) {
	uid := p.User.ID
	defer errs.Wrap(&err, "users.PutRemote(%q)", uid)
	var made model.User
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		u := p.User
		var l db.Lookup
		is, detail := db.Find[model.User](&l, s.db.User(uid)),
			db.Find[model.UserDetail](&l, s.db.Doc(model.UserDetails, string(uid)))
		name := db.Find[model.Username](&l, s.db.Doc(model.Usernames, u.Username))
		left := db.Find[model.DeletionWork](&l, s.db.AccountDeletion(uid))
		if err := l.ReadIn(tx); err != nil {
			return err
		}
		if left.Found && !left.Doc.Done {
			return errs.New(errs.Conflict, "leaving", "the user is being deleted")
		}
		var writes []func() error
		if holder := name.Doc.UID; name.Found && holder != "" && holder != uid {
			if p.Confirmed {
				if writes, err = s.yield(tx, holder, u.Username); err != nil {
					return err
				}
			} else {
				u.Username = model.OtherUsername(u.Username, uid)
			}
		}
		if is.Found {
			writes = append(writes, s.changeRemote(tx, &is.Doc, &u, &detail.Doc, p.Detail))
		} else {
			writes = append(writes, s.createRemote(tx, &u, p.Detail))
			if left.Found {
				writes = append(writes, func() error { return tx.Delete(s.db.AccountDeletion(uid)) })
			}
		}
		for _, write := range writes {
			if err := write(); err != nil {
				return err
			}
		}
		made = u
		return nil
	})
	s.access.ForgetProfile(uid)
	if err != nil {
		return nil, err
	}
	s.db.SawThere(uid)
	return &made, nil
}

// createRemote returns the writes of a new user. A user with a record of an earlier deletion comes back.
func (s *Store) createRemote(tx *firestore.Transaction, u *model.User, d model.UserDetail) func() error {
	return func() error {
		return errors.Join(
			tx.Create(s.db.User(u.ID), *u),
			tx.Set(s.db.Doc(model.Usernames, u.Username), model.Username{UID: u.ID}),
			tx.Set(s.db.Doc(model.UserDetails, string(u.ID)), d),
			tx.Set(s.db.Viewer(u.ID), model.ViewerGraph{Whole: true, FormerWhole: true, HasCopies: true,
				Choice: &model.NotificationChoice{}, BlockStrangers: new(false)}),
			tx.Set(s.db.Head(u.ID), model.NewHead(u.ID)),
		)
	}
}

// changeRemote returns the writes of what differs. It gives u what the user keeps.
func (s *Store) changeRemote(tx *firestore.Transaction, is, u *model.User, had *model.UserDetail,
	d model.UserDetail) func() error {
	at := s.db.Time()
	changes := []firestore.Update{{Path: fields.Remote, Value: u.Remote}}
	set := func(path string, value any) { changes = append(changes, firestore.Update{Path: path, Value: value}) }
	if is.Nickname != u.Nickname {
		set(fields.Nickname, u.Nickname)
		set(fields.NicknameLower, u.NicknameLower)
	}
	if is.Avatar != u.Avatar {
		set(fields.Avatar, u.Avatar)
	}
	if is.Header != u.Header {
		set(fields.Header, db.OrDelete(u.Header, u.Header == ""))
	}
	if is.Snippet != u.Snippet || is.SnippetTree != u.SnippetTree {
		set(fields.Snippet, u.Snippet)
		set(fields.SnippetTree, u.SnippetTree)
	}
	if is.Locked != u.Locked {
		set(fields.Locked, u.Locked)
	}
	if is.Bot != u.Bot {
		set(fields.Bot, db.OrDelete(true, !u.Bot))
	}
	if is.HasFields != u.HasFields {
		set(fields.HasFields, db.OrDelete(true, !u.HasFields))
	}
	renamed := is.Username != u.Username
	if renamed {
		set(fields.Username, u.Username)
	}
	spread := is.Author() != u.Author()
	if spread {
		set(model.RenamedAt, firestore.ServerTimestamp)
	}
	u.FollowerCount, u.FollowedCount, u.TweetCount = is.FollowerCount, is.FollowedCount, is.TweetCount
	u.CreatedAt, u.UpdatedAt = is.CreatedAt, is.UpdatedAt
	if len(changes) > 1 { // the time of the fetch alone is no change that others hear of
		set(fields.UpdatedAt, at)
		u.UpdatedAt = &at
	}
	return func() error {
		err := tx.Update(s.db.User(u.ID), changes)
		if renamed {
			err = errors.Join(err, tx.Delete(s.db.Doc(model.Usernames, is.Username)),
				tx.Set(s.db.Doc(model.Usernames, u.Username), model.Username{UID: u.ID}))
		}
		if is.Remote != nil && is.Remote.DeliverTo() != u.Remote.DeliverTo() {
			err = errors.Join(err, tx.Set(s.db.Doc(model.RemoteMoves, model.InboxMoveKey(u.ID)), model.RemoteMove{From: u.ID,
				Inbox: true, ExpireAt: s.db.WorkExpiry()}))
		}
		if spread {
			err = errors.Join(err, tx.Set(s.db.Doc(model.Propagations, string(u.ID)), s.propagation(u.ID)))
		}
		if had.Introduction != d.Introduction || !slices.Equal(had.Fields, d.Fields) {
			err = errors.Join(err, tx.Set(s.db.Doc(model.UserDetails, string(u.ID)), d))
		}
		return err
	}
}

// yield returns the writes by which the present holder of a username gets another one.
//
// Cost: 1 read, and 3 writes. The username itself is written by its new holder.
func (s *Store) yield(tx *firestore.Transaction, holder model.UserID, username string) ([]func() error, error) {
	var is model.User
	found, err := db.GetIn(tx, s.db.User(holder), &is)
	if err != nil || !found || is.Username != username || !holder.Remote() {
		return nil, err
	}
	other := model.OtherUsername(username, holder)
	return []func() error{func() error {
		return errors.Join(
			tx.Update(s.db.User(holder), []firestore.Update{{Path: fields.Username, Value: other},
				{Path: model.RenamedAt, Value: firestore.ServerTimestamp}, {Path: fields.UpdatedAt, Value: s.db.Time()}}),
			tx.Set(s.db.Doc(model.Usernames, other), model.Username{UID: holder}),
			tx.Set(s.db.Doc(model.Propagations, string(holder)), s.propagation(holder)))
	}}, nil
}
