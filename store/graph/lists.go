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
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Lists keeps lists of people, one document each. Its methods may be called concurrently. Their errors are those of
// package errs. A private list of another user is errs.NotFound (list_not_found), as an unknown one is.
type Lists struct {
	db      *db.DB
	access  *access.Store
	viewers *viewers.Store
}

// NewLists returns the lists of people of a database.
func NewLists(d *db.DB, a *access.Store, v *viewers.Store) *Lists { return &Lists{d, a, v} }

// Create makes an empty list, with the fields of a patch. A title that shows nothing, a missing one and another field
// of another form are errs.Invalid, a user without a profile errs.Forbidden, and more than model.MaxLists, or
// [model.MaxExclusiveLists], are errs.Conflict; requests at the same moment may pass the limit by their number. A
// second request with the same key gets the list of the first, as the list is then. With another hash it is
// errs.Conflict.
//
// Cost: 1 read and 1 write; 1 read more if the request has a key, and if this process does not remember the profile; 1
// read and 1 write more for an exclusive list.
func (s *Lists) Create(ctx context.Context, uid model.UserID, p model.ListPatch, r model.Request) (_ *model.PeopleList,
	err error) {
	defer errs.Wrap(&err, "graph.Create(%q)", uid)
	if p.Title == nil {
		p.Title = new("")
	}
	l := &model.PeopleList{UserID: uid, Members: []model.UserID{}, Request: r.Hash}
	if _, err := l.Patch(p); err != nil {
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
	if l.Exclusive {
		if err := s.roomForExclusive(ctx, uid); err != nil {
			return nil, err
		}
	}
	l.ID, l.CreatedAt = model.NewListID(uid, key), s.db.Time()
	b := s.db.Batch()
	b.Create(s.ref(uid, l.ID), l)
	s.copy(b, uid, l, false)
	if _, err = s.db.CommitOnce(ctx, b, s.db.Made(s.ref(uid, l.ID))); db.AlreadyExists(err) {
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
	return s.of(ctx, s.db.Keyed(model.Lists, uid))
}

// of returns the lists that a query finds, newest first.
//
// Cost: 1 read for each list, at least 1.
func (s *Lists) of(ctx context.Context, q firestore.Query) (all []*model.PeopleList, err error) {
	snaps, err := q.Documents(ctx).GetAll()
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

// Seen reads a list for a viewer who need not be its owner, and may be signed out. Another's list is errs.NotFound
// unless it is public, and while there is a block between its owner and the viewer.
//
// Cost: 1 read, and for another's list that of [Lists.hides].
func (s *Lists) Seen(ctx context.Context, viewer, owner model.UserID, id string) (_ *model.PeopleList, err error) {
	defer errs.Wrap(&err, "graph.Seen(%q, %q)", owner, id)
	l, err := s.List(ctx, owner, id)
	if err != nil || viewer == owner {
		return l, err
	}
	if !l.IsPublic() {
		return nil, model.NoList(id)
	}
	hidden, err := s.hides(ctx, viewer, owner)
	if err == nil && hidden {
		err = model.NoList(id)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// SeenOf returns the lists of a user that a viewer may see, newest first: all of the viewer's own lists, and the public
// ones of another. While there is a block between the two, there is none.
//
// Cost: 1 read for each list, at least 1, and for another's lists that of [Lists.hides].
func (s *Lists) SeenOf(ctx context.Context, viewer, owner model.UserID) (_ []*model.PeopleList, err error) {
	defer errs.Wrap(&err, "graph.SeenOf(%q)", owner)
	if viewer == owner {
		return s.Of(ctx, owner)
	}
	if hidden, err := s.hides(ctx, viewer, owner); hidden || err != nil {
		return nil, err
	}
	return s.of(ctx, s.db.Keyed(model.Lists, owner).Where(fields.Visibility, "==", model.PublicList))
}

// SeenMembers returns the members of a list that a viewer sees, the newest first. The owner sees all of them. Another
// viewer does not see those with a block between them and the viewer, nor those with a block between them and the
// owner: nobody stands on a public list of a user whom one blocks. Only an owner with too many entries for a whole
// graph still shows the latter.
//
// Cost: nothing for the owner; otherwise that of [viewers.Store.Peek] for the owner, and with a viewer again and that
// of [viewers.Store.BlocksBy].
func (s *Lists) SeenMembers(ctx context.Context, viewer model.UserID, l *model.PeopleList) (_ []model.UserID,
	err error) {
	defer errs.Wrap(&err, "graph.SeenMembers(%q)", l.ID)
	members := slices.Clone(l.Members)
	slices.Reverse(members)
	if viewer == l.UserID {
		return members, nil
	}
	owner, err := s.viewers.Peek(ctx, l.UserID)
	if err != nil {
		return nil, err
	}
	members = slices.DeleteFunc(members, owner.BlockWith)
	if viewer == "" {
		return members, nil
	}
	graph, err := s.viewers.Peek(ctx, viewer)
	if err != nil {
		return nil, err
	}
	quiet, err := s.viewers.BlocksBy(ctx, viewer, graph, members)
	return slices.DeleteFunc(members, quiet.Blocks), err
}

// hides reports whether there is a block between a viewer and the owner of lists. A viewer who is signed out has none.
//
// Cost: that of [viewers.Store.Peek], and of [viewers.Store.BlocksBy] for one user; nothing without a viewer.
func (s *Lists) hides(ctx context.Context, viewer, owner model.UserID) (bool, error) {
	if viewer == "" {
		return false, nil
	}
	graph, err := s.viewers.Peek(ctx, viewer)
	if err != nil {
		return false, err
	}
	quiet, err := s.viewers.BlocksBy(ctx, viewer, graph, []model.UserID{owner})
	return quiet.Blocks(owner), err
}

// Change changes a list of a user. A field of another form is errs.Invalid. More than [model.MaxExclusiveLists] lists
// that are exclusive are errs.Conflict; requests at the same moment may pass the limit by their number.
//
// Cost: 1 read, and 1 write if something changes; 1 write more for an exclusive list, and 1 read more if it becomes so.
func (s *Lists) Change(ctx context.Context, uid model.UserID, id string, p model.ListPatch) (_ *model.PeopleList,
	err error) {
	defer errs.Wrap(&err, "graph.Change(%q, %q)", uid, id)
	return s.change(ctx, uid, id, func(ctx context.Context, l *model.PeopleList) (bool, error) {
		was := l.Exclusive
		changed, err := l.Patch(p)
		if err == nil && l.Exclusive && !was {
			err = s.roomForExclusive(ctx, uid)
		}
		return changed, err
	})
}

// roomForExclusive returns errs.Conflict if a user has as many exclusive lists as one may have.
//
// Cost: 1 read.
func (s *Lists) roomForExclusive(ctx context.Context, uid model.UserID) error {
	n, err := db.Count(ctx, s.db.Keyed(model.Lists, uid).Where(fields.Exclusive, "==",
		true).Limit(model.MaxExclusiveLists))
	if err == nil && n >= model.MaxExclusiveLists {
		err = errs.New(errs.Conflict, "too_many_exclusive_lists", "%d of your lists are exclusive; the limit is %d", n,
			model.MaxExclusiveLists)
	}
	return err
}

// Delete removes a list of a user. Without the list it changes nothing.
//
// Cost: 1 read, and 1 delete if the list is there; 1 write more for an exclusive list.
func (s *Lists) Delete(ctx context.Context, uid model.UserID, id string) (err error) {
	defer errs.Wrap(&err, "graph.Delete(%q, %q)", uid, id)
	return s.db.Update(ctx, func(ctx context.Context) error {
		var lookup db.Lookup
		l := db.Find[model.PeopleList](&lookup, s.ref(uid, id))
		if err := s.db.Read(ctx, &lookup); err != nil || !l.Found {
			return err
		}
		l.Doc.ID = id
		b := s.db.Batch()
		b.Delete(s.ref(uid, id), firestore.LastUpdateTime(l.Snap.UpdateTime))
		s.copy(b, uid, &l.Doc, true)
		_, err := b.Commit(ctx)
		return db.Late(err)
	})
}

// Add puts a user on a list. A member stays where the member is. A user without a profile is errs.NotFound. While the
// owner blocks the user, or the user the owner, it is errs.Forbidden (not_allowed), as following is. A list of
// model.MaxListMembers members takes no more: errs.Conflict.
//
// Cost: 3 reads and 1 write, and 1 read for a profile that is not cached; 1 write more for an exclusive list. A member
// costs 1 read.
func (s *Lists) Add(ctx context.Context, uid model.UserID, id string, member model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Add(%q, %q, %q)", uid, id, member)
	_, err = s.change(ctx, uid, id, func(ctx context.Context, l *model.PeopleList) (bool, error) {
		switch n := len(l.Members); {
		case l.Has(member):
			return false, nil
		case n >= model.MaxListMembers:
			return false, errs.New(errs.Conflict, "too_many_list_members", "the list has %d members; the limit is %d", n,
				model.MaxListMembers)
		}
		var lookup db.Lookup
		blocks := db.Find[struct{}](&lookup, s.db.Block(uid, member))
		blocked := db.Find[struct{}](&lookup, s.db.Block(member, uid))
		if err := s.db.Read(ctx, &lookup); err != nil {
			return false, err
		}
		if err := s.access.RequireUser(ctx, member); err != nil {
			return false, err
		}
		l.Members = append(l.Members, member)
		return true, model.MayList(model.ViewerRelationship{Blocks: blocks.Found, Blocked: blocked.Found})
	})
	return err
}

// Remove takes a user off a list. A user who is no member changes nothing.
//
// Cost: 1 read, and 1 write for a member; 1 write more for an exclusive list.
func (s *Lists) Remove(ctx context.Context, uid model.UserID, id string, member model.UserID) (err error) {
	defer errs.Wrap(&err, "graph.Remove(%q, %q, %q)", uid, id, member)
	_, err = s.change(ctx, uid, id, func(_ context.Context, l *model.PeopleList) (bool, error) {
		n := len(l.Members)
		l.Members = slices.DeleteFunc(l.Members, func(uid model.UserID) bool { return uid == member })
		return len(l.Members) < n, nil
	})
	return err
}

// change changes a list, and the copy of its members in the owner's graph if it is exclusive or was so. The commit
// fails if the list changed since it was read, and is tried again: so the copy has the members of the list. to returns
// whether something changed. It may run again after its own commit, and then finds that nothing changes.
//
// Cost: 1 read, and 1 write with a change; 1 write more for an exclusive list.
func (s *Lists) change(ctx context.Context, uid model.UserID, id string, to func(context.Context,
	*model.PeopleList) (bool, error)) (is *model.PeopleList, err error) {
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var lookup db.Lookup
		l := db.Find[model.PeopleList](&lookup, s.ref(uid, id))
		if err := s.db.Read(ctx, &lookup); err != nil {
			return err
		}
		if !l.Found {
			return model.NoList(id)
		}
		is = &l.Doc
		is.ID = id
		was := is.Exclusive
		changed, err := to(ctx, is)
		if err != nil || !changed {
			return err
		}
		b := s.db.Batch()
		b.Update(l.Snap.Ref, []firestore.Update{
			{Path: fields.Title, Value: is.Title}, {Path: fields.Members, Value: is.Members},
			{Path: fields.Description, Value: db.OrDelete(is.Description, is.Description == "")},
			{Path: fields.Visibility, Value: db.OrDelete(is.Visibility, is.Visibility == "")},
			{Path: fields.RepliesPolicy, Value: db.OrDelete(is.RepliesPolicy, is.RepliesPolicy == "")},
			{Path: fields.Exclusive, Value: db.OrDelete(true, !is.Exclusive)},
		}, firestore.LastUpdateTime(l.Snap.UpdateTime))
		if was || is.Exclusive {
			b.Set(s.db.Viewer(uid), viewers.Exclusive(is, false), firestore.MergeAll)
		}
		_, err = b.Commit(ctx)
		return db.Late(err) // a change came in between, or the answer to this commit was lost
	})
	return is, err
}

// copy adds to a commit the copy of the members of an exclusive list in the owner's graph.
func (s *Lists) copy(b *db.Batch, uid model.UserID, l *model.PeopleList, deleted bool) {
	if l.Exclusive {
		b.Set(s.db.Viewer(uid), viewers.Exclusive(l, deleted), firestore.MergeAll)
	}
}

// ref names a list.
func (s *Lists) ref(uid model.UserID, id string) *firestore.DocumentRef {
	return s.db.Doc(model.Lists, model.ListKey(uid, id))
}
