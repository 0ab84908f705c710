// Package followerlists keeps a document for each user with the user's newest followers. Lists of followers read it in
// place of a query.
//
// A list follows from the relationships as they are. So duplicated, late and reordered events end in the same list. See
// [Writer.Reconcile].
package followerlists

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

const (
	// tries is how often a call writes a list before it asks for a rebuild, because other processes write the list, too.
	tries = 2

	// contendedFor is how long a process then asks for rebuilds of that list, and does not write it.
	contendedFor = 30 * time.Second

	// contendedRemembered is for how many lists a process knows that.
	contendedRemembered = 10_000
)

// Writer makes lists agree with relationships. Its methods may be called concurrently.
type Writer struct {
	db        *db.DB
	most      int
	every     time.Duration
	changes   groupcommit.Queue[model.UserID, change, struct{}] // by the followed user
	contended lru.Cache[model.UserID, time.Time]                // since when
}

// change is a relationship that began or ended.
type change struct {
	follower model.UserID
	began    bool
}

// NewWriter returns the lists of a database. A list has at most most followers. every is about the shortest time
// between two writes of one list by this process, and between two rebuilds that were asked for.
func NewWriter(d *db.DB, most int, every time.Duration) *Writer {
	w := &Writer{db: d, most: most, every: every, contended: lru.New[model.UserID, time.Time](contendedRemembered)}
	changes := groupcommit.New(every, 0, w.write)
	changes.Aside = true // many follows of one user leave places to other events
	w.changes = changes
	return w
}

// Most is how many followers a list has at most.
func (w *Writer) Most() int { return w.most }

// Refill is the number of followers below which a list is filled up with older ones.
func (w *Writer) Refill() int { return (w.most + 1) / 2 }

// Reconcile makes the list of a followed user agree with the present relationship of a follower, which began or ended.
// Calls for one user within a second share a write. If other processes write the list at the same moment, Reconcile
// asks for a rebuild, which one of them does about once a second for all of them.
//
// A missing list stays missing when a relationship ends. A relationship that begins makes the list.
//
// A relationship that ended always writes the list, and so does one that began unless the list has it. So another
// process that has read an earlier relationship, with the same list, fails its condition and starts again. If the list
// has the relationship, and was written since the relationship began, that process has read it, too.
//
// Cost: 2 reads and 1 write; 1 read for each further follower of the same second. If the list then has fewer than
// [Writer.Refill] followers and is not whole, 1 read a follower, at most 201. A new list costs as much, and 1 write.
// During contention 1 write, or none.
func (w *Writer) Reconcile(ctx context.Context, followed, follower model.UserID, began bool) (err error) {
	defer errs.Wrap(&err, "followerlists.Reconcile(%q, %q)", followed, follower)
	_, err = w.changes.Do(ctx, followed, change{follower, began})
	return err
}

// write makes a list agree with the relationships of some followers.
func (w *Writer) write(ctx context.Context, uid model.UserID, changes []change) ([]struct{}, error) {
	done := make([]struct{}, len(changes))
	if since, ok := w.contended.Get(uid); ok && time.Since(since) < contendedFor {
		return done, w.ask(ctx, uid)
	}
	for range tries {
		if err := w.try(ctx, uid, changes); !late(err) {
			return done, err
		}
	}
	w.contended.Add(uid, time.Now())
	return done, w.ask(ctx, uid)
}

// late reports whether a commit failed because another process wrote the list.
func late(err error) bool {
	return db.AlreadyExists(err) || db.NotFound(err) || db.Outdated(err) || db.Contended(err)
}

// try is one try of write. Its error is late if another process wrote the list since try read it.
func (w *Writer) try(ctx context.Context, uid model.UserID, changes []change) error {
	var l db.Lookup
	list := db.Find[model.FollowerList](&l, w.db.FollowerList(uid))
	is := map[model.UserID]*db.Found[model.Relationship]{}
	for _, c := range changes {
		if is[c.follower] == nil {
			is[c.follower] = db.Find[model.Relationship](&l, w.db.Relationship(c.follower, uid))
		}
	}
	if err := w.db.Read(ctx, &l); err != nil {
		return err
	}
	changed := false
	for _, c := range changes {
		rel := is[c.follower]
		_, has := list.Doc.Followers[c.follower]
		if list.Found {
			// A relationship that began again at the same time is younger than the list, and its end may take it off.
			changed = changed || !c.began || has != rel.Found || rel.Found && (!list.Doc.Has(rel.Doc) ||
				rel.Snap.CreateTime.After(list.Snap.UpdateTime))
		} else {
			changed = changed || c.began && rel.Found
		}
	}
	if !changed {
		return nil
	}
	written := list.Snap.UpdateTime
	if !list.Found {
		// A process that ends a relationship after the query finds a list to write.
		result, err := w.db.FollowerList(uid).Create(ctx, document(&model.FollowerList{}))
		if err != nil {
			return err
		}
		written = result.UpdateTime
	}
	for follower, rel := range is {
		if list.Doc.Remove(follower); rel.Found {
			list.Doc.Put(rel.Doc)
		}
	}
	next := &list.Doc
	if next.Trim(uid, w.most); !next.Whole && len(next.Followers) < w.Refill() {
		var err error
		if next, err = w.build(ctx, uid); err != nil {
			return err
		}
	}
	return w.replace(ctx, uid, next, written)
}

// build returns a user's list as the relationships say.
//
// Cost: 1 read for each follower, at least 1 and at most 201.
func (w *Writer) build(ctx context.Context, uid model.UserID) (*model.FollowerList, error) {
	snaps, err := w.db.Client.Collection(model.Relationships).Where(fields.FollowedID, "==", uid).
		OrderBy(fields.CreatedAt, firestore.Desc).OrderBy(firestore.DocumentID, firestore.Desc).Limit(w.most + 1).
		Documents(ctx).GetAll()
	if err != nil {
		return nil, err
	}
	list := &model.FollowerList{Whole: true}
	for _, snap := range snaps {
		var r model.Relationship
		if err := snap.DataTo(&r); err != nil {
			return nil, err
		}
		list.Put(r)
	}
	list.Trim(uid, w.most)
	return list, nil
}

// document returns a list in the form that the client writes: it takes maps by strings alone.
func document(l *model.FollowerList) map[string]any {
	followers := make(map[string]any, len(l.Followers))
	for follower, since := range l.Followers {
		followers[string(follower)] = since
	}
	return map[string]any{fields.Followers: followers, fields.Whole: l.Whole, fields.ChangedAt: firestore.ServerTimestamp}
}

// replace writes a list, if no process wrote it since a time.
//
// Cost: 1 write.
func (w *Writer) replace(ctx context.Context, uid model.UserID, l *model.FollowerList, since time.Time) error {
	var updates []firestore.Update
	for field, value := range document(l) {
		updates = append(updates, firestore.Update{Path: field, Value: value})
	}
	_, err := w.db.FollowerList(uid).Update(ctx, updates, firestore.LastUpdateTime(since))
	return err
}

// rebuild builds a list anew. A missing list stays missing.
//
// Cost: 1 read, 1 read for each follower, at least 1 and at most 201, and 1 write.
func (w *Writer) rebuild(ctx context.Context, uid model.UserID) error {
	return w.db.Update(ctx, func(ctx context.Context) error {
		is, err := w.db.FollowerList(uid).Get(ctx)
		if db.NotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		list, err := w.build(ctx, uid)
		if err != nil {
			return err
		}
		return db.Late(w.replace(ctx, uid, list, is.UpdateTime))
	})
}

// ask asks for a rebuild.
//
// Cost: what [db.DB.Ask] costs.
func (w *Writer) ask(ctx context.Context, uid model.UserID) error {
	_, err := w.db.Ask(ctx, w.db.Doc(model.RollUps, model.RollUpKey(model.FollowerLists, string(uid))),
		model.RollUpWork{Collection: model.FollowerLists, ID: string(uid), ExpireAt: w.db.WorkExpiry()})
	return err
}

// RebuildAsked does the work of a work document: it rebuilds a list. It waits, so that all changes of a second share
// the rebuild. A change that the rebuild misses leaves another work document, because the work document goes first. If
// the document is gone, the event came twice, or the process of the first delivery ended before the rebuild.
//
// Cost: 1 delete, and 1 read, 1 read for each follower, at least 1 and at most 201, and 1 write.
func (w *Writer) RebuildAsked(ctx context.Context, work model.RollUpWork) (err error) {
	defer errs.Wrap(&err, "followerlists.RebuildAsked(%q)", work.ID)
	if err := db.Pause(ctx, w.every); err != nil {
		return err
	}
	ref := w.db.Doc(model.RollUps, model.RollUpKey(work.Collection, work.ID))
	if _, err := w.db.Take(ctx, ref, work.WrittenAt); err != nil {
		return err
	}
	return w.rebuild(ctx, model.UserID(work.ID))
}

// Restore builds a list anew. It deletes the list of a user without a profile. A missing list stays missing.
//
// Cost: 2 reads, 1 read for each follower, at least 1 and at most 201, and 1 write or delete.
func (w *Writer) Restore(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "followerlists.Restore(%q)", uid)
	if found, err := w.db.Get(ctx, w.db.User(uid), nil); err != nil {
		return err
	} else if !found {
		_, err := w.db.FollowerList(uid).Delete(ctx)
		return err
	}
	return w.rebuild(ctx, uid)
}
