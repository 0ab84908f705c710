package audit

import (
	"context"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// HasUser tells whether a uid has a profile.
//
// Cost: 1 read.
func (a *Auditor) HasUser(ctx context.Context, uid model.UserID) (_ bool, err error) {
	defer errs.Wrap(&err, "audit.HasUser(%q)", uid)
	return has(ctx, a.db.User(uid))
}

// HasTweet tells whether an id has, or had, a tweet.
//
// Cost: 1 read, and 1 more without a tweet.
func (a *Auditor) HasTweet(ctx context.Context, id model.TweetID) (_ bool, err error) {
	defer errs.Wrap(&err, "audit.HasTweet(%q)", id)
	if found, err := has(ctx, a.db.Tweet(id)); err != nil || found {
		return found, err
	}
	return has(ctx, a.db.Doc(model.Tombstones, string(id)))
}

// HasTag tells whether a tag has a document.
//
// Cost: 1 read.
func (a *Auditor) HasTag(ctx context.Context, tag string) (_ bool, err error) {
	defer errs.Wrap(&err, "audit.HasTag(%q)", tag)
	return has(ctx, a.db.Doc(model.Tags, tag))
}

func has(ctx context.Context, ref *firestore.DocumentRef) (bool, error) {
	_, err := ref.Get(ctx)
	if status.Code(err) == codes.NotFound {
		return false, nil
	}
	return err == nil, err
}
