package verify

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/fielddiff"
)

// reconcileUsername makes the reservation of a name agree with the profiles. The name belongs to claimant if the
// claimant's profile has it. Otherwise the name stays with its present owner, if that user's profile has it. If neither
// profile has the name, the reservation is deleted. Two profiles with the name are errs.Conflict.
//
// Cost: at most 3 reads, and 1 write or 1 delete.
func (a *Auditor) reconcileUsername(ctx context.Context, name string, claimant model.UserID) (err error) {
	defer errs.Wrap(&err, "verify.settleUsername(%q, %q)", name, claimant)
	ref := a.db.Doc(model.Usernames, name)
	return a.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		has := func(uid model.UserID) (bool, error) {
			var u model.User
			found, err := db.GetIn(tx, a.db.Doc(model.Users, string(uid)), &u)
			return found && u.Username == name, err
		}
		var now model.Username
		reserved, err := db.GetIn(tx, ref, &now)
		if err != nil {
			return err
		}
		claimed, err := has(claimant)
		if err != nil {
			return err
		}
		owned := claimed
		if reserved && now.UID != "" && now.UID != claimant { // the name of a deleted account has no owner
			if owned, err = has(now.UID); err != nil {
				return err
			}
			if owned && claimed {
				return errs.New(errs.Conflict, "", "%q and %q both have the username %q", claimant, now.UID, name)
			}
		}
		switch {
		case claimed && !(reserved && now.UID == claimant):
			return tx.Set(ref, model.Username{UID: claimant})
		case reserved && !claimed && !owned:
			return tx.Delete(ref)
		}
		return nil
	})
}

// restoreText writes the fields that follow from the text of a tweet: snippet, length and tags. No event follows, as it
// would after an edit. So restoreText also writes the tweet's previews and search document, and counts its tags.
//
// Cost: 2 reads. If something differs 1 write, and what [profiles.Writer.Update], [discovery.SearchWriter.Index] and
// [counters.Store.CountTags] cost.
func (a *Auditor) restoreText(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "verify.restoreText(%q)", id)
	var before, after *model.Tweet
	err = a.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		before, after = nil, nil
		t := model.Tweet{ID: id}
		var d model.TweetDetail
		if found, err := db.GetIn(tx, a.db.Tweet(id), &t); err != nil || !found {
			return err
		}
		if found, err := db.GetIn(tx, a.db.Doc(model.TweetDetails, string(id)), &d); err != nil || !found {
			return err
		}
		want := t.FromText(d)
		for range fielddiff.Of(t, *want) {
			before, after = &t, want
			return tx.Update(a.db.Tweet(id), a.db.Stamped(a.db.Tweet(id), []firestore.Update{
				{Path: fields.Snippet, Value: want.Snippet}, {Path: fields.SnippetTree, Value: want.SnippetTree},
				{Path: fields.Length, Value: want.Length}, {Path: fields.HasMedia, Value: want.HasMedia},
				{Path: fields.Tags, Value: want.Tags}, {Path: fields.RootTags, Value: want.RootTags},
				{Path: fields.TagLabels, Value: want.TagLabels},
				{Path: fields.UnlistedTags, Value: want.UnlistedTags}, {Path: fields.PublicShard, Value: want.PublicShard},
				{Path: fields.Mentions, Value: db.OrDelete(want.Mentions, len(want.Mentions) == 0)},
				{Path: fields.MentionNames, Value: db.OrDelete(want.MentionNames, len(want.MentionNames) == 0)},
			}))
		}
		return nil
	})
	a.access.ForgetTweet(id)
	if err != nil || after == nil {
		return err
	}
	by, labels := model.TagDiff(before, after)
	record := counters.IdempotencyRecord{EventID: rand.Text(), Function: "restoreText"} // no process repeats this one
	return errors.Join(a.previews.Update(ctx, id, nil, after), a.search.Index(ctx, id),
		a.counters.CountTags(ctx, record, after.AuthorID, by, labels))
}

// restoreProfile writes the fields that follow from the nickname and the introduction of a profile.
//
// Cost: 2 reads, and 1 write if something differs.
func (a *Auditor) restoreProfile(ctx context.Context, uid model.UserID) (err error) {
	defer errs.Wrap(&err, "verify.restoreProfile(%q)", uid)
	return a.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		u := model.User{ID: uid}
		var d model.UserDetail
		if found, err := db.GetIn(tx, a.db.User(uid), &u); err != nil || !found {
			return err
		}
		if found, err := db.GetIn(tx, a.db.Doc(model.UserDetails, string(uid)), &d); err != nil || !found {
			return err
		}
		want := u.FromSources(d)
		for range fielddiff.Of(u, want) {
			return tx.Update(a.db.User(uid), []firestore.Update{
				{Path: fields.NicknameLower, Value: want.NicknameLower}, {Path: fields.Snippet, Value: want.Snippet},
				{Path: fields.SnippetTree, Value: want.SnippetTree},
			})
		}
		return nil
	})
}

// restorePreview makes the preview of a tweet in its author's month in an audience partition agree with the tweet.
// documents are ids of the author's month documents that hold the preview. restorePreview removes the preview from
// documents in which it can never belong.
//
// Cost: 1 read, what [profiles.Writer.ReconcilePreview] costs, and 1 write a document.
func (a *Auditor) restorePreview(ctx context.Context, author model.UserID, id model.TweetID,
	audiencePartition model.AudiencePartition, documents []string) (err error) {
	defer errs.Wrap(&err, "verify.restoreCard(%q, %q)", author, id)
	t, err := a.access.TweetsNow(ctx, []model.TweetID{id})
	if err != nil {
		return err
	}
	theirs := t[id] != nil && t[id].AuthorID == author
	if theirs || t[id] == nil {
		if _, err := a.previews.ReconcilePreview(ctx, author, id, audiencePartition); err != nil {
			return err
		}
	}
	for _, document := range documents {
		if theirs && strings.HasPrefix(document, model.MonthKey(author, id.Month())) {
			continue
		}
		if err := removeFields(ctx, a.db.Doc(audiencePartition.Months(), document),
			firestore.FieldPath{fields.Tweets, string(id)}); err != nil {
			return err
		}
	}
	return nil
}

// removeFields deletes fields of a document. A document that is gone stays gone.
//
// Cost: 1 write.
func removeFields(ctx context.Context, ref *firestore.DocumentRef, paths ...firestore.FieldPath) error {
	var updates []firestore.Update
	for _, at := range paths {
		updates = append(updates, firestore.Update{FieldPath: at, Value: firestore.Delete})
	}
	_, err := ref.Update(ctx, updates)
	if db.NotFound(err) {
		return nil
	}
	return err
}

// removeStrayMark deletes a like, share or bookmark whose tweet is gone.
//
// Cost: 1 read, 1 write and 1 delete.
func (a *Auditor) removeStrayMark(ctx context.Context, kind model.ReactionKind, uid model.UserID,
	id model.TweetID) (err error) {
	defer errs.Wrap(&err, "verify.removeStrayMark(%s, %q, %q)", kind, uid, id)
	if found, err := a.access.TweetExists(ctx, id); err != nil || found {
		return err
	}
	return a.reactions.Remove(ctx, kind, uid, id)
}

// removeStrayRevisions deletes the revisions of a tweet that is gone.
//
// Cost: 2 reads, and 1 read and 1 delete for each revision.
func (a *Auditor) removeStrayRevisions(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "verify.removeStrayRevisions(%q)", id)
	if found, err := a.access.TweetExists(ctx, id); err != nil || found {
		return err
	}
	_, err = a.counters.RemoveRevisions(ctx, id, func() bool { return false })
	return err
}
