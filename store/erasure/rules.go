package erasure

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
	"github.com/hibana-sns/hibana/store/internal/viewerstate"
	"github.com/hibana-sns/hibana/store/messages"
)

// rule is where documents of a person are: a collection, with a way to find the person's
// documents in it. One of find, docs and files says which way.
type rule struct {
	model.Owned
	special
	// find is the query for them, in any order. docs names them.
	find func(*db.DB, model.UserID) firestore.Query
	docs func(*db.DB, model.UserID) []*firestore.DocumentRef
	// files says that the rule is for the files of the user's exports, not for documents.
	files bool
}

// special is the part of a rule that the registry does not have.
type special struct {
	// beside is how many bytes the commit has besides a document.
	beside int
	// whole says that remove needs the fields of a document, besides its id.
	whole bool
	// remove removes a document, and the documents that belong to it, in a batch. If nil, the document is deleted. It
	// returns how many documents it removed besides the document.
	remove func(context.Context, *Writer, *db.Batch, *firestore.DocumentSnapshot) (int, error)
	// stays takes the user out of a document of somebody else, which stays. It may run again, and must be right then.
	stays func(*Writer, *db.Batch, *firestore.DocumentSnapshot, model.UserID) error
	// alone takes the user out of a document that others write at the same moment, in commits of its own. It returns how
	// many documents it changed. It may leave a rest for the next pass, and does so once over returns true.
	alone func(ctx context.Context, d *db.DB, uid model.UserID, id string, over func() bool) (int, error)
}

// smallest is the fewest bytes that a commit reserves for a document.
const smallest = 20 << 10

// together is how many documents one commit removes: the bytes of deleted documents count towards its 10 MiB.
func (p rule) together() int { return db.Together(max(smallest, p.Bound.Size()+p.beside)) }

// at is a way to find documents in a collection.
type at struct {
	collection string
	by         model.By
}

// specials are the rules whose documents are not only deleted.
var specials = map[at]special{
	{model.Tweets, "authorId"}: {remove: entomb, whole: true, beside: size(model.TweetDetails) +
		size(model.Polls) + size(model.Tombstones)},
	{model.Tombstones, "authorId"}:            {remove: forgetAuthor, whole: true},
	{model.Likes, "authorId"}:                 {remove: unnote(model.ReactionLike), whole: true},
	{model.Shares, "authorId"}:                {remove: unnote(model.ReactionShare), whole: true},
	{model.Bookmarks, "authorId"}:             {remove: unnote(model.ReactionBookmark), whole: true},
	{model.TagUsages, model.ByPrefix}:         {remove: withBelow(model.Shards), beside: fewBelow * size(model.Shards)},
	{model.NotificationLists, model.ByParent}: {remove: withActors, whole: true},
	{model.Notifications, model.ByParent}:     {remove: withBelow(model.Actors), beside: fewBelow * size(model.Actors)},
	{model.Orders, model.ByParent}:            {remove: endOrder, whole: true, beside: size(model.StockRuns)},
	{model.Exports, model.ByKey}:              {remove: forgetExport},
	{model.Relationships, "followedId"}:       {remove: unfollow, whole: true},
	{model.Blocks, "blockerId"}:               {remove: unblock, whole: true},
	{model.Blocks, "blockeeId"}:               {remove: unblockLeaver, whole: true},
	{model.MutedSharers, "sharerId"}:          {remove: unmute, whole: true},
	{model.MutedUsers, "mutedId"}:             {remove: unmuteLeaver, whole: true},
	{model.Conversations, model.ByCode}:       {alone: messages.Forget},
	{model.Lists, model.ByCode}:               {stays: takeOffList, whole: true},
}

// size is how many bytes the largest document of a collection has.
func size(collection string) int { return model.Row(collection).Bound.Size() }

// rules are the places of all documents of a person, in the order of a pass, as the registry
// has them. The record of an export comes last, because it may have to stay.
//
// A special that the registry has no row for is a mistake in the code, and panics at once.
var rules = func() (all []rule) {
	unused := maps.Clone(specials)
	for _, o := range model.Erased() {
		p := rule{Owned: o, special: specials[at{o.Name, o.By}]}
		switch {
		case o.By.Field() != "":
			p.find = where(o)
		case o.By == model.ByKey:
			p.docs = one(o.Name, func(uid model.UserID) string { return string(uid) })
		case o.By == model.ByPrefix:
			p.find = func(d *db.DB, uid model.UserID) firestore.Query { return d.Keyed(o.Name, uid) }
		case o.By == model.ByParent:
			p.find = func(d *db.DB, uid model.UserID) firestore.Query { return d.User(uid).Collection(o.Name).Query }
		default:
			byCode(&p)
		}
		ways := 0
		for _, way := range []bool{p.find != nil, p.docs != nil, p.files} {
			if way {
				ways++
			}
		}
		if ways != 1 {
			panic(fmt.Sprintf("erasure: %s (%s) has %d ways to find documents, want 1", o.Name, o.Owner.What, ways))
		}
		delete(unused, at{o.Name, o.By})
		all = append(all, p)
	}
	if len(unused) > 0 {
		panic(fmt.Sprintf("erasure: the registry has no row for the specials %v", unused))
	}
	return all
}()

// byCode sets how documents are found that the registry leaves to code.
func byCode(p *rule) {
	switch p.Name {
	case model.Exports:
		p.files = true
	case model.Lists:
		p.find = func(d *db.DB, uid model.UserID) firestore.Query {
			return d.Client.Collection(model.Lists).Where(fields.Members, "array-contains", uid)
		}
	case model.Conversations:
		p.find = func(d *db.DB, uid model.UserID) firestore.Query {
			return d.Client.Collection(model.Conversations).Where(fields.Participants, "array-contains", string(uid))
		}
	case model.NotificationEvents:
		p.find = func(d *db.DB, uid model.UserID) firestore.Query {
			return d.NotificationEvents(model.NotificationEventPartitionOf(uid)).Where(fields.UserID, "==", uid)
		}
	}
}

// where returns the query for the documents in which a field has the user. The documents are in one collection, or in
// all subcollections of the name.
func where(o model.Owned) func(*db.DB, model.UserID) firestore.Query {
	return func(d *db.DB, uid model.UserID) firestore.Query {
		if o.Group() {
			return d.Client.CollectionGroup(o.Name).Where(o.By.Field(), "==", uid)
		}
		return d.Client.Collection(o.Name).Where(o.By.Field(), "==", uid)
	}
}

// one names the document of a collection with a key of the user.
func one(collection string, key func(model.UserID) string) func(*db.DB, model.UserID) []*firestore.DocumentRef {
	return func(d *db.DB, uid model.UserID) []*firestore.DocumentRef {
		return []*firestore.DocumentRef{d.Doc(collection, key(uid))}
	}
}

// entomb deletes a tweet and its text, and leaves a tombstone without an author. The tombstone expires, unless the
// tweet was imported: an administrator could import it again, with the same id. A reply with replies keeps its position
// in the thread until then. If the commit comes twice, the reply may be answered in between. So the tombstone is
// merged, and keeps a position that it has.
func entomb(_ context.Context, w *Writer, b *db.Batch, tweet *firestore.DocumentSnapshot) (removed int, err error) {
	t := model.Tweet{ID: model.TweetID(tweet.Ref.ID)}
	if err := tweet.DataTo(&t); err != nil {
		return 0, err
	}
	now := w.db.Time()
	stone := t.Tombstone(now)
	merge := map[string]any{
		fields.FormerType: stone.FormerType, fields.AuthorID: "", fields.DeletedAt: now,
		fields.ExpireAt: now.Add(model.TombstoneWindow), fields.ChangedAt: firestore.ServerTimestamp,
	}
	if stone.Imported {
		merge[fields.Imported] = true
		delete(merge, fields.ExpireAt)
	}
	if stone.Hidden {
		merge[fields.Hidden] = true
	}
	if stone.ReplyTo != "" {
		merge[fields.ReplyTo] = stone.ReplyTo
	}
	if stone.RepliedAt != nil {
		merge[fields.RepliedAt] = stone.RepliedAt
	}
	b.Set(w.db.Doc(model.Tombstones, tweet.Ref.ID), merge, firestore.MergeAll)
	b.Delete(tweet.Ref) // after the tombstone, see db.Batch
	b.Delete(w.db.Doc(model.TweetDetails, tweet.Ref.ID))
	if t.Poll != nil {
		b.Delete(w.db.Doc(model.Polls, tweet.Ref.ID))
		removed++
	}
	return removed + 1, nil
}

// forgetAuthor removes the author of a tombstone, and lets the tombstone expire unless it is of an import.
func forgetAuthor(_ context.Context, w *Writer, b *db.Batch, tombstone *firestore.DocumentSnapshot) (int, error) {
	updates := []firestore.Update{{Path: fields.AuthorID, Value: ""}}
	if imported, _ := tombstone.Data()[fields.Imported].(bool); !imported {
		updates = append(updates, firestore.Update{Path: fields.ExpireAt, Value: w.db.Time().Add(model.TombstoneWindow)})
	}
	b.Update(tombstone.Ref, updates)
	return 0, nil
}

// endOrder deletes an order that reserves nothing in the stock. It cancels an order that was not shipped, and enqueues
// the return of the reserved items; a later pass then deletes the order.
//
// Cost: 1 delete, or 1 write, and 1 write for the work.
func endOrder(ctx context.Context, w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot) (int, error) {
	o := model.Order{ID: model.OrderID(snap.Ref.ID)}
	if err := snap.DataTo(&o); err != nil {
		return 0, fmt.Errorf("%s: %w", snap.Ref.Path, err)
	}
	if o.Status == model.OrderPending || o.Status == model.OrderConfirmed {
		o.Become(model.OrderCancelled, w.db.Time(), o.UserID)
	}
	if o.Queue == "" {
		b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))
		return 0, nil
	}
	b.Update(snap.Ref, db.OrderUpdates(&o), firestore.LastUpdateTime(snap.UpdateTime))
	return 0, w.db.EnqueueStock(ctx, o.Waits())
}

// unfollow deletes a relationship, and takes the followed user out of the follower's document of the graph. The
// leaver's own document needs no update: another rule deletes it.
func unfollow(_ context.Context, w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot) (int, error) {
	var r model.Relationship
	return 0, takeOut(w, b, snap, &r, func() (of, other model.UserID, field string) {
		return r.FollowerID, r.FollowedID, fields.Follows
	})
}

// unblock deletes a block by the leaver.
func unblock(_ context.Context, w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot) (int, error) {
	var block model.Block
	return 0, takeOut(w, b, snap, &block, func() (of, other model.UserID, field string) {
		return block.BlockeeID, block.BlockerID, fields.BlockedBy
	})
}

// unblockLeaver deletes a block of the leaver.
func unblockLeaver(_ context.Context, w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot) (int, error) {
	var block model.Block
	return 0, takeOut(w, b, snap, &block, func() (of, other model.UserID, field string) {
		return block.BlockerID, block.BlockeeID, fields.Blocks
	})
}

// unmute deletes a mute of the leaver.
func unmute(_ context.Context, w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot) (int, error) {
	var m model.MutedSharer
	return 0, takeOut(w, b, snap, &m, func() (of, other model.UserID, field string) {
		return m.UserID, m.SharerID, fields.Mutes
	})
}

// unmuteLeaver deletes a mute of the leaver by another user.
func unmuteLeaver(_ context.Context, w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot) (int, error) {
	var m model.MutedUser
	return 0, takeOut(w, b, snap, &m, func() (of, other model.UserID, field string) {
		return m.UserID, m.MutedID, fields.Muted
	})
}

// takeOut deletes a source document, and takes its entry out of the other user's document of the graph.
func takeOut(w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot, source any,
	entry func() (of, other model.UserID, field string)) error {
	if err := snap.DataTo(source); err != nil {
		return fmt.Errorf("%s: %w", snap.Ref.Path, err)
	}
	b.Delete(snap.Ref)
	if of, other, field := entry(); of != "" && other != "" { // a damaged document has no entry
		b.Set(w.db.Viewer(of), viewers.Remove(field, other), firestore.MergeAll)
	}
	return nil
}

// takeOffList takes a member off a list, and out of its copy in the graph of the owner. The commit fails if an
// exclusive list changed since it was read, because the copy would lose the change; then each list gets a commit of its
// own. A list that became exclusive since keeps the member in its copy, where a user who has left does no harm.
func takeOffList(w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot, uid model.UserID) error {
	l := model.PeopleList{ID: model.ListID(snap.Ref.ID)}
	if err := snap.DataTo(&l); err != nil {
		return fmt.Errorf("%s: %w", snap.Ref.Path, err)
	}
	without := []firestore.Update{{Path: fields.Members, Value: firestore.ArrayRemove(uid)}}
	if !l.Exclusive || l.UserID == "" {
		b.Update(snap.Ref, without)
	} else {
		b.Update(snap.Ref, without, firestore.LastUpdateTime(snap.UpdateTime))
		l.Members = slices.DeleteFunc(l.Members, func(member model.UserID) bool { return member == uid })
		b.Set(w.db.Viewer(l.UserID), viewers.Exclusive(&l, false), firestore.MergeAll)
	}
	return nil
}

// forgetExport deletes the record of an export. The record says that there may be files. A process without a bucket
// finds no files, so it leaves the record and fails. All other documents are removed by then, and the account deletion
// goes on when the process has its bucket.
func forgetExport(ctx context.Context, w *Writer, b *db.Batch, export *firestore.DocumentSnapshot) (int, error) {
	if !w.Exports.Reachable {
		w.Log.ErrorContext(ctx, "an account deletion cannot remove the files of an export: EXPORT_BUCKET is not set")
		return 0, errs.New(errs.Unavailable, "", "the user has an export, and EXPORT_BUCKET is not set for the functions")
	}
	b.Delete(export.Ref)
	return 0, nil
}

// unnote deletes a like, share or bookmark of one of the user's tweets, and removes it from the month of reactions of
// its user.
func unnote(kind model.ReactionKind) func(context.Context, *Writer, *db.Batch, *firestore.DocumentSnapshot) (int,
	error) {
	return func(_ context.Context, w *Writer, b *db.Batch, mark *firestore.DocumentSnapshot) (int, error) {
		var r model.Reaction
		if err := mark.DataTo(&r); err != nil {
			return 0, fmt.Errorf("%s: %w", mark.Ref.Path, err)
		}
		b.Delete(mark.Ref)
		viewerstate.Unnote(w.db, b, kind, r.UserID, r.TweetID)
		return 0, nil
	}
}

// fewBelow is how many small documents below a document go in its own commit.
const fewBelow = 20

// deleteOne deletes a document.
func deleteOne(b *db.Batch, snap *firestore.DocumentSnapshot) error {
	b.Delete(snap.Ref)
	return nil
}

// withActors deletes a list of notifications, and the documents of their actors.
//
// Cost: 1 read for each notification, 1 read and 1 delete for each actor with a document, and 1 delete.
func withActors(ctx context.Context, w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot) (removed int,
	err error) {
	var list model.NotificationList
	if err := snap.DataTo(&list); err != nil {
		return 0, fmt.Errorf("%s: %w", snap.Ref.Path, err)
	}
	for id, n := range list.Notifications {
		if len(n.Actors) > 0 && len(n.Actors) < model.EmbeddedActors {
			continue // all actors are in the list
		}
		actors := snap.Ref.Parent.Parent.Collection(model.Notifications).Doc(id).Collection(model.Actors)
		for {
			snaps, err := actors.Select().Limit(together).Documents(ctx).GetAll()
			if err != nil {
				return 0, err
			}
			if _, err := (db.Parts[*firestore.DocumentSnapshot]{Add: deleteOne}).Commit(ctx, w.db, snaps); err != nil {
				return 0, err
			}
			if removed += len(snaps); len(snaps) < together {
				break
			}
		}
	}
	b.Delete(snap.Ref)
	return removed, nil
}

// withBelow deletes a document, and the documents of a collection below it. Each of these is small. Many of them are
// deleted before the document, in commits of their own.
//
// Cost: 1 read and 1 delete for each document below, at least 1 read.
func withBelow(collection string) func(context.Context, *Writer, *db.Batch, *firestore.DocumentSnapshot) (int, error) {
	return func(ctx context.Context, w *Writer, b *db.Batch, snap *firestore.DocumentSnapshot) (int, error) {
		below := snap.Ref.Collection(collection)
		for removed := 0; ; {
			snaps, err := below.Select().Limit(together).Documents(ctx).GetAll()
			if err != nil {
				return 0, err
			}
			if len(snaps) <= fewBelow {
				for _, s := range snaps {
					b.Delete(s.Ref)
				}
				b.Delete(snap.Ref)
				return removed + len(snaps), nil
			}
			if _, err := (db.Parts[*firestore.DocumentSnapshot]{Add: deleteOne}).Commit(ctx, w.db, snaps); err != nil {
				return 0, err
			}
			if removed += len(snaps); len(snaps) < together {
				b.Delete(snap.Ref)
				return removed, nil
			}
		}
	}
}
