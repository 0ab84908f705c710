package graph

import (
	"context"
	"crypto/rand"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Lists keeps private lists of people, one document each. Its methods may be called concurrently. Their errors are
// those of package errs. The list of another user is errs.NotFound (list_not_found), as an unknown one is.
type Lists struct {
	db     *db.DB
	access *access.Store
}

// NewLists returns the lists of people of a database.
func NewLists(d *db.DB, a *access.Store) *Lists { return &Lists{d, a} }

// Create makes an empty list. A title that shows nothing or is too long is errs.Invalid, a user without a profile
// errs.Forbidden, and more than model.MaxLists are errs.Conflict; requests at the same moment may pass the limit by
// their number. A second request with the same key gets the list of the first, as the list is then. With another hash
// it is errs.Conflict.
//
// Cost: 1 read and 1 write; 1 read more if the request has a key, and if this process does not remember the profile.
func (s *Lists) Create(ctx context.Context, uid model.UserID, title string, r model.Request) (_ *model.PeopleList,
	err error) {
	defer errs.Wrap(&err, "graph.Create(%q)", uid)
	if title, err = model.ListTitle(title); err != nil {
		return nil, err
	}
	key := r.Key
	if key == "" {
		key = rand.Text()
	} else if made, err := s.made(ctx, uid, r); made != nil || err != nil {
		return made, err
	}
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return nil, err
	}
	n, err := db.Count(ctx, s.db.Keyed(model.Lists, uid).Limit(model.MaxLists))
	if err != nil {
		return nil, err
	}
	if n >= model.MaxLists {
		return nil, errs.New(errs.Conflict, "too_many_lists", "you have %d lists; the limit is %d", n, model.MaxLists)
	}
	l := &model.PeopleList{ID: model.NewListID(uid, key), UserID: uid, Title: title, Members: []model.UserID{},
		Request: r.Hash, CreatedAt: s.db.Time()}
	if err = s.db.CreateOnce(ctx, s.ref(uid, l.ID), l); db.AlreadyExists(err) {
		// The same request came in twice at once, or the answer to this commit was lost.
		r.Key = key
		if made, err := s.made(ctx, uid, r); made != nil || err != nil {
			return made, err
		}
		return nil, model.NoList(l.ID) // deleted at this very moment
	}
	return l, err
}

// made finds the list that an earlier request with the same key made; nil if there is none.
//
// Cost: 1 read.
func (s *Lists) made(ctx context.Context, uid model.UserID, r model.Request) (*model.PeopleList, error) {
	l, err := s.List(ctx, uid, model.NewListID(uid, r.Key))
	if errs.KindOf(err) == errs.NotFound {
		return nil, nil
	}
	if err == nil && l.Request != r.Hash {
		return nil, errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
	}
	return l, err
}

// Of returns all lists of a user, newest first.
//
// Cost: 1 read for each list, at least 1.
func (s *Lists) Of(ctx context.Context, uid model.UserID) (all []*model.PeopleList, err error) {
	defer errs.Wrap(&err, "graph.Of(%q)", uid)
	snaps, err := s.db.Keyed(model.Lists, uid).Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	for _, snap := range snaps {
		l := &model.PeopleList{ID: model.ListID(snap.Ref.ID)}
		if err := snap.DataTo(l); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b *model.PeopleList) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return all, nil
}

// List reads a list of a user.
//
// Cost: 1 read.
func (s *Lists) List(ctx context.Context, uid model.UserID, id string) (_ *model.PeopleList, err error) {
	defer errs.Wrap(&err, "graph.List(%q, %q)", uid, id)
	l := &model.PeopleList{ID: id}
	found, err := s.db.Get(ctx, s.ref(uid, id), l)
	if err == nil && !found {
		err = model.NoList(id)
	}
	return l, err
}

// Rename gives a list of a user another title.
//
// Cost: 1 write.
func (s *Lists) Rename(ctx context.Context, uid model.UserID, id, title string) (err error) {
	defer errs.Wrap(&err, "graph.Rename(%q, %q)", uid, id)
	if title, err = model.ListTitle(title); err != nil {
		return err
	}
	return s.update(ctx, uid, id, firestore.Update{Path: fields.Title, Value: title})
}

// Delete removes a list of a user. Without the list it changes nothing.
//
// Cost: 1 delete.
func (s *Lists) Delete(ctx context.Context, uid model.UserID, id string) (err error) {
	defer errs.Wrap(&err, "graph.Delete(%q, %q)", uid, id)
	_, err = s.ref(uid, id).Delete(ctx)
	return err
}

// Add puts a user on a list. A member stays where the member is. A user without a profile is errs.NotFound. While the
// owner blocks the user, or the user the owner, it is errs.Forbidden (not_allowed), as following is. A list of
// model.MaxListMembers members takes no more: errs.Conflict.
//
// Cost: 3 reads and 1 write, and 1 read for a profile that is not cached. A member costs 3 reads.
func (s *Lists) Add(ctx context.Context, uid model.UserID, id string, member model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Add(%q, %q, %q)", uid, id, member)
	return s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		list := db.Find[model.PeopleList](&l, s.ref(uid, id))
		blocks := db.Find[struct{}](&l, s.db.Block(uid, member))
		blocked := db.Find[struct{}](&l, s.db.Block(member, uid))
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		switch n := len(list.Doc.Members); {
		case !list.Found:
			return model.NoList(id)
		case list.Doc.Has(member):
			return nil
		case n >= model.MaxListMembers:
			return errs.New(errs.Conflict, "too_many_list_members", "the list has %d members; the limit is %d", n,
				model.MaxListMembers)
		}
		if err := s.access.RequireUser(ctx, member); err != nil {
			return err
		}
		if err := model.MayList(model.ViewerRelationship{Blocks: blocks.Found, Blocked: blocked.Found}); err != nil {
			return err
		}
		_, err := list.Snap.Ref.Update(ctx, []firestore.Update{{Path: fields.Members, Value: firestore.ArrayUnion(member)}},
			firestore.LastUpdateTime(list.Snap.UpdateTime))
		return db.Late(err) // a change came in between, or the answer to this commit was lost
	})
}

// Remove takes a user off a list. A user who is no member changes nothing.
//
// Cost: 1 write.
func (s *Lists) Remove(ctx context.Context, uid model.UserID, id string, member model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Remove(%q, %q, %q)", uid, id, member)
	return s.update(ctx, uid, id, firestore.Update{Path: fields.Members, Value: firestore.ArrayRemove(member)})
}

// update makes an update that may be repeated.
func (s *Lists) update(ctx context.Context, uid model.UserID, id string, u firestore.Update) error {
	_, err := s.ref(uid, id).Update(ctx, []firestore.Update{u})
	if db.NotFound(err) {
		return model.NoList(id)
	}
	return err
}

// ref names a list.
func (s *Lists) ref(uid model.UserID, id string) *firestore.DocumentRef {
	return s.db.Doc(model.Lists, model.ListKey(uid, id))
}
