// Package viewers keeps a document for each reader with the reader's follows, mutes and blocks. Home pages read it in
// place of the source documents.
//
// The commit of a relationship, mute or block also writes the user's own document, by [Put] and [Remove]. A [Writer]
// writes who blocks the user, because many users may block one within a second. A document that lacks entries is built
// from the source documents when a page needs it.
package viewers

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Store reads and builds readers' documents. Its methods may be called concurrently.
type Store struct {
	db   *db.DB
	most int // entries of a document
}

// New returns the readers' documents of a database. A document has at most most entries.
func New(d *db.DB, most int) *Store { return &Store{d, most} }

// Put returns a merge that adds an entry: field is one of the maps of [model.ViewerGraph], and value the entry's value.
// The context of the commit should be from [Store.Watch].
func Put(field string, other model.UserID, value any) map[string]any {
	return map[string]any{field: map[string]any{string(other): value}, bucket.SizeField: firestore.Increment(1)}
}

// Remove returns a merge that removes an entry. A missing entry stays away.
func Remove(field string, other model.UserID) map[string]any {
	return map[string]any{field: map[string]any{string(other): firestore.Delete}}
}

// Choice returns a merge that replaces the copy of the user's notification settings, with the option of the merge.
func Choice(is *model.NotificationChoice) (merge map[string]any, option firestore.SetOption) {
	return map[string]any{fields.Choice: *is}, firestore.Merge(firestore.FieldPath{fields.Choice})
}

// Filters returns a merge that replaces the copy of the user's filters, with the option of the merge.
func Filters(is *model.Filters) (merge map[string]any, option firestore.SetOption) {
	return map[string]any{fields.Filters: is.Filters}, firestore.Merge(firestore.FieldPath{fields.Filters})
}

// FollowedTags returns a merge that replaces the copy of the tags that the user follows, with the option of the merge.
func FollowedTags(is *model.FollowedTags) (merge map[string]any, option firestore.SetOption) {
	return map[string]any{fields.FollowedTags: is.Tags}, firestore.Merge(firestore.FieldPath{fields.FollowedTags})
}

// Exclusive returns a merge that replaces the copy of the members of an exclusive list, for [firestore.MergeAll]. A
// list that is not exclusive, and one that is deleted, has no copy.
func Exclusive(l *model.PeopleList, deleted bool) map[string]any {
	var members any = firestore.Delete
	if l.Exclusive && !deleted {
		members = l.Members
	}
	return map[string]any{fields.Exclusive: map[string]any{l.ID: members}}
}

// BlockStrangers returns a merge that replaces the copy of the field of the profile.
func BlockStrangers(is bool) map[string]any { return map[string]any{fields.BlockStrangers: is} }

// Watch returns a context for a commit with merges of [Put], and a function to call after the commit. If a reader's
// document has grown too large, the function makes it partial. A failure of that is no error of the commit: the next
// growth tries again.
//
// Cost: nothing; 1 read and 1 write after every 5,000 additions.
func (s *Store) Watch(ctx context.Context) (context.Context, func(uid model.UserID)) {
	watched, grown := bucket.Watch(ctx)
	return watched, func(uid model.UserID) {
		if grown.Of(string(uid), bucket.SizeField) > int64(s.most) {
			_ = s.limit(ctx, uid)
		}
	}
}

// limit makes a document partial if it has too many entries: the follows stay. Otherwise limit corrects the size.
//
// Cost: 1 read and 1 write.
func (s *Store) limit(ctx context.Context, uid model.UserID) error {
	ref := s.db.Viewer(uid)
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var is model.ViewerGraph
		if found, err := db.GetIn(tx, ref, &is); err != nil || !found {
			return err
		}
		if is.Partial || is.Entries() > s.most {
			return tx.Set(ref, documentOf(s.partial(&is)))
		}
		return tx.Update(ref, []firestore.Update{{Path: bucket.SizeField, Value: is.Entries()}})
	})
}

// partial returns a document with the follows and the copies of the settings alone.
func (s *Store) partial(is *model.ViewerGraph) *model.ViewerGraph {
	v := &model.ViewerGraph{Partial: true, Follows: s.Newest(is.Follows), Choice: is.Choice,
		BlockStrangers: is.BlockStrangers, Filters: is.Filters, HasCopies: is.HasCopies,
		FollowedTags: is.FollowedTags, Exclusive: is.Exclusive}
	v.Size = len(v.Follows)
	return v
}

// Newest returns the newest follows, as many as a document has room for.
func (s *Store) Newest(follows map[model.UserID]time.Time) map[model.UserID]time.Time {
	if len(follows) <= s.most {
		return follows
	}
	newest := slices.SortedFunc(maps.Keys(follows), func(a, b model.UserID) int {
		return cmp.Or(follows[b].Compare(follows[a]), strings.Compare(string(a), string(b)))
	})
	some := make(map[model.UserID]time.Time, s.most)
	for _, other := range newest[:s.most] {
		some[other] = follows[other]
	}
	return some
}

// Read returns a reader's document, see [Store.Complete].
//
// Cost: 1 read; without entries the cost of [Store.Complete].
func (s *Store) Read(ctx context.Context, uid model.UserID) (*model.ViewerGraph, error) {
	v, err := s.Peek(ctx, uid)
	if err != nil {
		return v, err
	}
	return s.Complete(ctx, uid, v)
}

// Complete returns a reader's document that was just read as v. If the document lacks entries, Complete builds it once.
// If the document lacks only the copies of followed tags and exclusive lists, Complete adds them once. A result without
// Whole has the follows and the copies alone, and the caller reads mutes and blocks from the source documents: there
// are too many entries for one document. A user without a profile has no entries and no document.
//
// Another transaction may hold documents that Complete reads or writes; that of a killed process holds them for up to a
// minute. Then Complete waits for [lockTime], and returns what the source documents say. It writes nothing, and a later
// page builds the document.
//
// Cost: nothing; to build it 7 reads, 1 read an entry, at most 5,001, 1 read an exclusive list, at least 1, and 1
// write; to add the copies 2 reads, 1 read an exclusive list, at least 1, and 1 write. The
// reads come twice, and no write, while another transaction holds the documents.
func (s *Store) Complete(ctx context.Context, uid model.UserID, v *model.ViewerGraph) (*model.ViewerGraph, error) {
	if isBuilt(v) && v.HasCopies {
		return v, nil
	}
	return s.complete(ctx, uid)
}

// Peek reads a user's document as it is. A missing document, and one of a user from before there were such documents,
// is without Whole, and says nothing.
//
// Cost: 1 read; nothing if the context is from [Remember] and the document was read with it.
func (s *Store) Peek(ctx context.Context, uid model.UserID) (*model.ViewerGraph, error) {
	if v := remembered(ctx, uid); v != nil {
		return v, nil
	}
	v := &model.ViewerGraph{}
	_, err := s.db.Get(ctx, s.db.Viewer(uid), v)
	if err == nil {
		Note(ctx, uid, v)
	}
	return v, err
}

// Restore builds a document anew, also a partial one, with copies of the settings. It deletes the document of a user
// without a profile.
//
// Cost: 6 reads, 1 read an entry, at most 5,001, and 1 write or 1 delete.
func (s *Store) Restore(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "viewers.Restore(%q)", uid)
	ref := s.db.Viewer(uid)
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		if _, err := db.GetIn(tx, ref, nil); err != nil {
			return err
		}
		switch _, save, err := s.sources(tx, uid); {
		case err != nil:
			return err
		case save == nil:
			return tx.Delete(ref)
		default:
			return save()
		}
	})
}

// Roomy is the number of entries at which a partial document should become whole again. It is below the limit, so that
// a reader at the limit does not change the document again and again.
func (s *Store) Roomy() int { return s.most - s.most/10 }

// lockTime is how long a page waits for another transaction that holds its reader's document, or a source of that.
const lockTime = 3 * time.Second

// isBuilt reports whether a document has entries, or is one that has too many.
func isBuilt(v *model.ViewerGraph) bool { return v.Whole || v.Partial }

// complete is [Store.Complete] for a document that lacks something. A document that is complete by now stays.
func (s *Store) complete(ctx context.Context, uid model.UserID) (is *model.ViewerGraph, err error) {
	within, end := context.WithCancel(ctx)
	defer end()
	err = s.db.Transact(within, func(_ context.Context, tx *firestore.Transaction) error {
		var save func() error
		if is, save, err = s.read(tx, uid); err != nil {
			return err
		}
		if save == nil {
			return nil
		}
		endAfter(within, lockTime, end) // the reads of a large document may take longer
		return save()
	}, firestore.MaxAttempts(1))
	if err == nil || ctx.Err() != nil || errs.KindOf(err) != errs.Unavailable {
		return is, err
	}
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		is, _, err = s.read(tx, uid)
		return err
	}, firestore.ReadOnly) // which waits for no other transaction
	return is, err
}

// endAfter calls end after a time, unless ctx ends before.
func endAfter(ctx context.Context, d time.Duration, end context.CancelFunc) {
	safely.Go(func() error {
		select {
		case <-time.After(d):
			end()
		case <-ctx.Done():
		}
		return nil
	}, func(error) { end() })
}

// read reads a document and completes what was read. save writes what the document lacked; it is nil if the document
// lacked nothing.
func (s *Store) read(tx *firestore.Transaction, uid model.UserID) (is *model.ViewerGraph, save func() error,
	err error) {
	is = &model.ViewerGraph{}
	if _, err := db.GetIn(tx, s.db.Viewer(uid), is); err != nil {
		return nil, nil, err
	}
	switch {
	case !isBuilt(is):
		return s.sources(tx, uid)
	case !is.HasCopies:
		save, err = s.copies(tx, uid, is)
		return is, save, err
	}
	return is, nil, nil
}

// copies adds the copies of followed tags and exclusive lists to a document that is whole or partial. save writes them.
//
// Cost: 1 read, 1 read an exclusive list, at least 1, and 1 write.
func (s *Store) copies(tx *firestore.Transaction, uid model.UserID, is *model.ViewerGraph) (save func() error,
	err error) {
	var tags model.FollowedTags
	if _, err := db.GetIn(tx, s.db.FollowedTags(uid), &tags); err != nil {
		return nil, err
	}
	is.HasCopies, is.FollowedTags = true, tags.Tags
	if is.Exclusive, err = s.exclusive(tx, uid); err != nil {
		return nil, err
	}
	return func() error {
		return tx.Update(s.db.Viewer(uid), []firestore.Update{{Path: fields.Copies, Value: true},
			{Path: fields.FollowedTags, Value: db.OrDelete(is.FollowedTags, len(is.FollowedTags) == 0)},
			{Path: fields.Exclusive, Value: db.OrDelete(is.Exclusive, len(is.Exclusive) == 0)}})
	}, nil
}

// exclusive reads the members of a user's exclusive lists, by the ids of the lists.
//
// Cost: 1 read a list, at least 1.
func (s *Store) exclusive(tx *firestore.Transaction, uid model.UserID) (map[string][]model.UserID, error) {
	snaps, err := tx.Documents(s.db.Keyed(model.Lists, uid).Where(fields.Exclusive, "==", true)).GetAll()
	if err != nil || len(snaps) == 0 {
		return nil, err
	}
	members := make(map[string][]model.UserID, len(snaps))
	for _, snap := range snaps {
		var l model.PeopleList
		if err := snap.DataTo(&l); err != nil {
			return nil, err
		}
		members[model.ListID(snap.Ref.ID)] = l.Members
	}
	return members, nil
}

// sources returns a document as the source documents have it. save writes it; it is nil for a user without a profile,
// who has no document.
func (s *Store) sources(tx *firestore.Transaction, uid model.UserID) (built *model.ViewerGraph, save func() error,
	err error) {
	var l db.Lookup
	user := db.Find[model.User](&l, s.db.User(uid))
	choice := db.Find[model.NotificationChoice](&l, s.db.NotificationSettings(uid))
	filters := db.Find[model.Filters](&l, s.db.UserFilters(uid))
	tags := db.Find[model.FollowedTags](&l, s.db.FollowedTags(uid))
	if err := l.ReadIn(tx); err != nil {
		return nil, nil, err
	} else if !user.Found {
		return &model.ViewerGraph{Whole: true, HasCopies: true}, nil, nil
	}
	built = &model.ViewerGraph{Choice: &choice.Doc, BlockStrangers: &user.Doc.BlockStrangers,
		Filters: filters.Doc.Filters, HasCopies: true, FollowedTags: tags.Doc.Tags}
	if err := s.collect(tx, uid, built); err != nil {
		return nil, nil, err
	}
	if built.Exclusive, err = s.exclusive(tx, uid); err != nil {
		return nil, nil, err
	}
	if built.Size = built.Entries(); built.Size > s.most {
		built = s.partial(built)
	} else {
		built.Whole = true
	}
	return built, func() error { return tx.Set(s.db.Viewer(uid), documentOf(built)) }, nil
}

// documentOf returns a document in the form that the client writes: it takes maps by strings alone.
func documentOf(v *model.ViewerGraph) map[string]any {
	doc := map[string]any{bucket.SizeField: v.Size, fields.Complete: v.Whole, fields.Limited: v.Partial,
		fields.Whole: v.Whole, fields.Partial: v.Partial, fields.Copies: v.HasCopies}
	if v.Choice != nil {
		doc[fields.Choice] = *v.Choice
	}
	if v.BlockStrangers != nil {
		doc[fields.BlockStrangers] = *v.BlockStrangers
	}
	if len(v.Filters) > 0 {
		doc[fields.Filters] = v.Filters
	}
	if len(v.FollowedTags) > 0 {
		doc[fields.FollowedTags] = v.FollowedTags
	}
	if len(v.Exclusive) > 0 {
		doc[fields.Exclusive] = v.Exclusive
	}
	muted := make(map[string]any, len(v.Muted))
	for other, mute := range v.Muted {
		muted[string(other)] = mute
	}
	doc[fields.Muted] = muted
	follows := make(map[string]any, len(v.Follows))
	for other, since := range v.Follows {
		follows[string(other)] = since
	}
	doc[fields.Follows] = follows
	for field, others := range map[string]map[model.UserID]bool{fields.Mutes: v.Mutes, fields.Blocks: v.Blocks,
		fields.BlockedBy: v.BlockedBy} {
		entries := make(map[string]any, len(others))
		for other := range others {
			entries[string(other)] = true
		}
		doc[field] = entries
	}
	return doc
}

// collect reads the entries of a document, at most one more than it may have.
func (s *Store) collect(tx *firestore.Transaction, uid model.UserID, v *model.ViewerGraph) error {
	v.Follows, v.Mutes = map[model.UserID]time.Time{}, map[model.UserID]bool{}
	v.Blocks, v.BlockedBy = map[model.UserID]bool{}, map[model.UserID]bool{}
	v.Muted = map[model.UserID]model.Mute{}
	for _, of := range []struct {
		collection, field string
		add               func(*firestore.DocumentSnapshot) error
	}{
		{model.Relationships, fields.FollowerID, func(snap *firestore.DocumentSnapshot) error {
			var r model.Relationship
			err := snap.DataTo(&r)
			v.Follows[r.FollowedID] = r.CreatedAt
			return err
		}},
		{model.MutedSharers, fields.UserID, func(snap *firestore.DocumentSnapshot) error {
			var m model.MutedSharer
			err := snap.DataTo(&m)
			v.Mutes[m.SharerID] = true
			return err
		}},
		{model.MutedUsers, fields.UserID, func(snap *firestore.DocumentSnapshot) error {
			var m model.MutedUser
			err := snap.DataTo(&m)
			v.Muted[m.MutedID] = m.Mute()
			return err
		}},
		{model.Blocks, fields.BlockerID, func(snap *firestore.DocumentSnapshot) error {
			var b model.Block
			err := snap.DataTo(&b)
			v.Blocks[b.BlockeeID] = true
			return err
		}},
		{model.Blocks, fields.BlockeeID, func(snap *firestore.DocumentSnapshot) error {
			var b model.Block
			err := snap.DataTo(&b)
			v.BlockedBy[b.BlockerID] = true
			return err
		}},
	} {
		room := s.most + 1 - v.Entries()
		if room <= 0 {
			return nil
		}
		q := s.db.Client.Collection(of.collection).Where(of.field, "==", uid).Limit(room)
		if of.collection == model.Relationships {
			q = q.OrderBy(fields.CreatedAt, firestore.Desc) // a partial document has the newest
		}
		snaps, err := tx.Documents(q).GetAll()
		if err != nil {
			return err
		}
		for _, snap := range snaps {
			if err := of.add(snap); err != nil {
				return err
			}
		}
	}
	return nil
}
