package snapshot

import (
	"context"
	"errors"
	"iter"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/iterator"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// Owners lists the users who have profiles, reserved names or projections. The list
// has no order, and names some users several times.
//
// Cost: 1 read a document.
func (r *Reader) Owners(ctx context.Context) iter.Seq2[model.UserID, error] {
	plain := func(id string, _ *model.Username) model.UserID { return model.UserID(id) }
	keyed := func(id string, _ *model.Username) model.UserID { return model.KeyUser(id) }
	return func(yield func(model.UserID, error) bool) {
		for _, c := range []struct {
			collection string
			owner      func(id string, n *model.Username) model.UserID
		}{
			{model.Users, plain}, {model.Heads, plain}, {model.Viewers, plain}, {model.FollowerLists, plain},
			{model.TweetMonths, keyed}, {model.FollowerMonths, keyed}, {model.ShareMonths, keyed},
			{model.Reactions, keyed}, {model.TagUsages, keyed},
			{model.Usernames, func(_ string, n *model.Username) model.UserID { return n.UID }},
		} {
			for snap, err := range documents(ctx, r.db.Client.Collection(c.collection).Select(fields.UID)) {
				var n model.Username
				if err == nil {
					err = snap.DataTo(&n)
				}
				if err != nil {
					yield("", err)
					return
				}
				if !yield(c.owner(snap.Ref.ID, &n), nil) {
					return
				}
			}
		}
	}
}

// TagNames lists the tags that have a document.
//
// Cost: 1 read a tag.
func (r *Reader) TagNames(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for snap, err := range documents(ctx, r.db.Client.Collection(model.Tags).Select()) {
			name := ""
			if err == nil {
				name = snap.Ref.ID
			}
			if !yield(name, err) || err != nil {
				return
			}
		}
	}
}

// Leavers lists the users whose account deletion is under way or over.
//
// Cost: 1 read an account deletion.
func (r *Reader) Leavers(ctx context.Context) iter.Seq2[model.UserID, error] {
	return func(yield func(model.UserID, error) bool) {
		for snap, err := range documents(ctx, r.db.Client.Collection(model.AccountDeletions).Select()) {
			var uid model.UserID
			if err == nil {
				uid = model.UserID(snap.Ref.ID)
			}
			if !yield(uid, err) || err != nil {
				return
			}
		}
	}
}

// OrphanedShards lists documents that are gone but still have shards, as collection and
// id.
//
// Cost: 1 read a shard, and 1 read a document that has shards.
func (r *Reader) OrphanedShards(ctx context.Context) iter.Seq2[[2]string, error] {
	return func(yield func([2]string, error) bool) {
		var last string
		for snap, err := range documents(ctx, r.db.Client.CollectionGroup(model.Shards).Select()) {
			if err != nil {
				yield([2]string{}, err)
				return
			}
			parent := snap.Ref.Parent.Parent
			if parent == nil || parent.Path == last { // the shards of one document follow each other
				continue
			}
			last = parent.Path
			found, err := r.db.Get(ctx, parent, nil)
			if err != nil {
				yield([2]string{}, err)
				return
			}
			if !found && !yield([2]string{parent.Parent.ID, parent.ID}, nil) {
				return
			}
		}
	}
}

// documents runs a query and yields its documents.
func documents(ctx context.Context, q firestore.Query) iter.Seq2[*firestore.DocumentSnapshot, error] {
	return func(yield func(*firestore.DocumentSnapshot, error) bool) {
		it := q.Documents(ctx)
		defer it.Stop()
		for {
			snap, err := it.Next()
			if errors.Is(err, iterator.Done) || !yield(snap, err) || err != nil {
				return
			}
		}
	}
}
