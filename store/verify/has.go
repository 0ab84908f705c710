package verify

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// HasUser reports whether a uid has a profile.
//
// Cost: 1 read.
func (a *Auditor) HasUser(ctx context.Context, uid model.UserID) (_ bool, err error) {
	defer errs.Wrap(&err, "verify.HasUser(%q)", uid)
	return a.db.Get(ctx, a.db.User(uid), nil)
}

// HasTweet reports whether an id has, or had, a tweet.
//
// Cost: 1 read, and 1 more without a tweet.
func (a *Auditor) HasTweet(ctx context.Context, id model.TweetID) (_ bool, err error) {
	defer errs.Wrap(&err, "verify.HasTweet(%q)", id)
	if found, err := a.db.Get(ctx, a.db.Tweet(id), nil); err != nil || found {
		return found, err
	}
	return a.db.Get(ctx, a.db.Doc(model.Tombstones, string(id)), nil)
}

// HasTag reports whether a tag has a document.
//
// Cost: 1 read.
func (a *Auditor) HasTag(ctx context.Context, tag string) (_ bool, err error) {
	defer errs.Wrap(&err, "verify.HasTag(%q)", tag)
	return a.db.Get(ctx, a.db.Doc(model.Tags, tag), nil)
}
