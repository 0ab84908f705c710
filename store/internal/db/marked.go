package db

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// Marked tells of which tweets a user has a document in a collection of shares or bookmarks.
//
// Cost: 1 read a tweet.
func (d *DB) Marked(ctx context.Context, collection string, uid model.UserID, ids []model.TweetID) (map[model.TweetID]bool, error) {
	marked, refs := map[model.TweetID]bool{}, make([]*firestore.DocumentRef, len(ids))
	for i, id := range ids {
		refs[i] = d.Doc(collection, model.ReactionKey(uid, id))
	}
	snaps, err := d.Client.GetAll(ctx, refs)
	for i, snap := range snaps {
		marked[ids[i]] = snap.Exists()
	}
	return marked, err
}
