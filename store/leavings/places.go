package leavings

import (
	"cmp"
	"context"
	"fmt"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/reactions"
)

// place is where documents of a person are. One of find, docs and files says which.
type place struct {
	collection string
	what       string // which documents of the collection; empty for those that belong to the user
	// find finds them, in any order. docs names them.
	find func(*db.DB, model.UserID) firestore.Query
	docs func(*db.DB, model.UserID) []*firestore.DocumentRef
	// files says that they are no documents, but the files of the user's exports.
	files bool
	// bytes is what a document may have at most, with what goes with it and their index entries:
	// docs/model/bounds.md has the bounds. smallest if 0.
	bytes int
	// whole says that remove needs the fields of a document, and not its id alone.
	whole bool
	// remove removes a document, with what belongs to it, in a batch. If nil, the document is
	// deleted. It returns how many documents it removed beside the document.
	remove func(context.Context, *Writer, *db.Batch, *firestore.DocumentSnapshot) (int, error)
}

// smallest is what documents have whose place says nothing.
const smallest = 20 << 10

// together is how many documents one commit removes: what it deletes counts towards its 10 MiB.
func (p place) together() int { return db.Together(cmp.Or(p.bytes, smallest)) }

// places are the places of all documents of a person, in the order of a pass. Followers come
// before tweets: the tweets of an author without followers are in no home timeline, and need
// not be taken out of any. The record of an export comes last, because it may have to stay. Whoever adds a collection adds a place, or says in
// TestEveryCollection why there is none.
var places = []place{
	{collection: model.Exports, what: "files", files: true},
	{collection: model.Relationships, what: "followers", find: where(model.Relationships, "followedId")},
	{collection: model.Relationships, what: "followed users", find: where(model.Relationships, "followerId")},
	{collection: model.FollowRequests, find: where(model.FollowRequests, "followedId")},
	{collection: model.FollowRequests, what: "by the user", find: where(model.FollowRequests, "followerId")},
	{collection: model.Blocks, find: where(model.Blocks, "blockerId")},
	{collection: model.Blocks, what: "by others", find: where(model.Blocks, "blockeeId")},
	{collection: model.HiddenSharers, find: where(model.HiddenSharers, "userId")},
	{collection: model.HiddenSharers, what: "by others", find: where(model.HiddenSharers, "sharerId")},
	{collection: model.FollowerPages, what: "first pages", docs: one(model.FollowerPages, model.FollowerPageKey)},
	{collection: model.FollowerPages, what: "hashed pages", find: keyed(model.FollowerPages), bytes: 1000 << 10},
	{collection: model.Shares, find: where(model.Shares, "userId")},
	{collection: model.Bookmarks, find: where(model.Bookmarks, "userId")},
	{collection: model.PinLists, docs: own(model.PinLists)},
	{collection: model.Drafts, find: keyed(model.Drafts), bytes: 270 << 10},
	{collection: model.Votes, find: where(model.Votes, "userId")},
	{collection: model.Likes, find: where(model.Likes, "userId")},
	{collection: model.Tweets, find: where(model.Tweets, "authorId"), remove: entomb, bytes: 330 << 10, whole: true},
	{collection: model.SearchDocs, find: where(model.SearchDocs, "authorId"), bytes: 520 << 10},
	{collection: model.Tombstones, find: where(model.Tombstones, "authorId"), remove: forgetAuthor},
	{collection: model.Revisions, find: func(d *db.DB, uid model.UserID) firestore.Query {
		return d.Client.CollectionGroup(model.Revisions).Where("authorId", "==", uid)
	}, bytes: 275 << 10},
	{collection: model.Likes, what: "of the user's tweets", find: where(model.Likes, "authorId"), remove: unnote, whole: true},
	{collection: model.Shares, what: "of the user's tweets", find: where(model.Shares, "authorId"), remove: unnote, whole: true},
	{collection: model.Votes, what: "on the user's tweets", find: where(model.Votes, "authorId")},
	{collection: model.Bookmarks, what: "of the user's tweets", find: where(model.Bookmarks, "authorId"), remove: unnote, whole: true},

	{collection: model.Users, docs: own(model.Users)},
	{collection: model.UserDetails, docs: own(model.UserDetails)},
	{collection: model.UserSecrets, docs: own(model.UserSecrets)},
	{collection: model.Usernames, find: where(model.Usernames, "uid")},
	{collection: model.Shards, what: "of the profile", find: func(d *db.DB, uid model.UserID) firestore.Query {
		return d.User(uid).Collection(model.Shards).Query
	}},
	{collection: model.TagUses, find: keyed(model.TagUses), remove: withBelow(model.Shards), bytes: 50 << 10},
	{collection: model.UserRecents, docs: own(model.UserRecents)},
	{collection: model.TweetMonths, find: keyed(model.TweetMonths), bytes: 1010 << 10},
	{collection: model.FollowerMonths, find: keyed(model.FollowerMonths), bytes: 1000 << 10},
	{collection: model.ShareMonths, find: keyed(model.ShareMonths), bytes: 500 << 10},
	{collection: model.Reactions, find: keyed(model.Reactions), bytes: 185 << 10},
	{collection: model.Timelines, find: keyed(model.Timelines), bytes: 710 << 10},
	{collection: model.Homes, docs: own(model.Homes)},
	{collection: model.Wakes, docs: own(model.Wakes)},
	{collection: model.Sleeps, docs: own(model.Sleeps)},
	{collection: model.Sleepers, docs: own(model.Sleepers)},
	{collection: model.Sleepers, what: "pages", find: keyed(model.Sleepers), bytes: 800 << 10},
	{collection: model.Spreads, docs: own(model.Spreads)},
	{collection: model.Notices, find: func(d *db.DB, uid model.UserID) firestore.Query {
		return d.Notices(model.NoticePartitionOf(uid)).Where("userId", "==", uid)
	}},
	{collection: model.Notifications, find: func(d *db.DB, uid model.UserID) firestore.Query {
		return d.User(uid).Collection(model.Notifications).Query
	}, remove: withBelow(model.Actors), bytes: 75 << 10},
	{collection: model.Carts, docs: own(model.Carts)},
	{collection: model.Orders, find: func(d *db.DB, uid model.UserID) firestore.Query {
		return d.User(uid).Collection(model.Orders).Query
	}, remove: endOrder, bytes: 35 << 10, whole: true},
	{collection: model.NoticeSettings, docs: own(model.NoticeSettings)},
	{collection: model.DeviceLists, docs: own(model.DeviceLists)},
	{collection: model.Idempotency, find: keyed(model.Idempotency)},
	{collection: model.Budgets, find: keyed(model.Budgets), bytes: 200 << 10},
	{collection: model.Reports, find: keyed(model.Reports)},
	{collection: model.Reports, what: "of the user", find: where(model.Reports, "userId")},
	{collection: model.UserNotes, find: where(model.UserNotes, "userId")},
	{collection: model.Exports, docs: own(model.Exports), remove: forgetExport},
}

// where finds the documents of a collection in which a field has the user.
func where(collection, field string) func(*db.DB, model.UserID) firestore.Query {
	return func(d *db.DB, uid model.UserID) firestore.Query {
		return d.Client.Collection(collection).Where(field, "==", uid)
	}
}

// keyed finds the documents of a collection with a composite key that begins with the user.
func keyed(collection string) func(*db.DB, model.UserID) firestore.Query {
	return func(d *db.DB, uid model.UserID) firestore.Query { return d.Keyed(collection, uid) }
}

// own names the document of a collection that has the user's id.
func own(collection string) func(*db.DB, model.UserID) []*firestore.DocumentRef {
	return one(collection, func(uid model.UserID) string { return string(uid) })
}

// one names the document of a collection with a key of the user.
func one(collection string, key func(model.UserID) string) func(*db.DB, model.UserID) []*firestore.DocumentRef {
	return func(d *db.DB, uid model.UserID) []*firestore.DocumentRef {
		return []*firestore.DocumentRef{d.Doc(collection, key(uid))}
	}
}

// entomb deletes a tweet and its text, and leaves a tombstone without an author. The
// tombstone expires. A reply with replies keeps its place in the thread until then. If the commit comes
// twice, the reply may be answered in between: so the tombstone is merged, and a place stays that it has.
func entomb(_ context.Context, w *Writer, b *db.Batch, tweet *firestore.DocumentSnapshot) (removed int, err error) {
	t := model.Tweet{ID: model.TweetID(tweet.Ref.ID)}
	if err := tweet.DataTo(&t); err != nil {
		return 0, err
	}
	now := w.db.Time()
	stone := t.Tombstone(now)
	merge := map[string]any{
		"formerType": stone.FormerType, "authorId": "", "deletedAt": now, "expireAt": now.Add(model.TombstoneWindow), "changedAt": firestore.ServerTimestamp,
	}
	if stone.Hidden {
		merge["hidden"] = true
	}
	if stone.ReplyTo != "" {
		merge["replyTo"] = stone.ReplyTo
	}
	if stone.RepliedAt != nil {
		merge["repliedAt"] = stone.RepliedAt
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

// forgetAuthor takes the author off a tombstone, and lets the tombstone expire.
func forgetAuthor(_ context.Context, w *Writer, b *db.Batch, tombstone *firestore.DocumentSnapshot) (int, error) {
	b.Update(tombstone.Ref, []firestore.Update{
		{Path: "authorId", Value: ""}, {Path: "expireAt", Value: w.db.Time().Add(model.TombstoneWindow)},
	})
	return 0, nil
}

// endOrder deletes an order that holds nothing of the stock. It cancels an order that was not
// shipped, and asks for what the order holds to be given back; a later pass then deletes it.
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
	return 0, w.db.AskStock(ctx, o.Waits())
}

// forgetExport deletes the record of an export. The record says that there may be files. So a
// process without a bucket, which finds no files, leaves it and fails: everything else is
// removed by then, and the leaving goes on once the process has its bucket.
func forgetExport(ctx context.Context, w *Writer, b *db.Batch, export *firestore.DocumentSnapshot) (int, error) {
	if !w.Exports.Reachable {
		w.Log.ErrorContext(ctx, "a leaving cannot remove the files of an export: EXPORT_BUCKET is not set for the functions")
		return 0, errs.New(errs.Unavailable, "", "the user has an export, and EXPORT_BUCKET is not set for the functions")
	}
	b.Delete(export.Ref)
	return 0, nil
}

// unnote deletes a like, share or bookmark of one of the user's tweets, and takes it out of the
// month of the reactions of the user who made it.
func unnote(_ context.Context, w *Writer, b *db.Batch, mark *firestore.DocumentSnapshot) (int, error) {
	var l model.Like
	if err := mark.DataTo(&l); err != nil {
		return 0, fmt.Errorf("%s: %w", mark.Ref.Path, err)
	}
	b.Delete(mark.Ref)
	reactions.Unnote(w.db, b, mark.Ref.Parent.ID, l.UserID, l.TweetID)
	return 0, nil
}

// fewBelow is how many small documents below a document go in its own commit.
const fewBelow = 20

// deleteOne deletes a document.
func deleteOne(b *db.Batch, snap *firestore.DocumentSnapshot) error {
	b.Delete(snap.Ref)
	return nil
}

// withBelow deletes a document, and the documents of a collection below it. Each of these is small.
// If they are many, they go before the document, in commits of their own.
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
