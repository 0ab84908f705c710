package audit

import (
	"context"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/timelines"
)

// settleUsername makes the reservation of a name agree with the profiles: it belongs to
// claimant if their profile has it, otherwise it stays with whoever has it in theirs, and
// goes if nobody does. If two profiles have the name, it is errs.Conflict. At most 3 reads and 1
// write.
func (a *Auditor) settleUsername(ctx context.Context, name string, claimant model.UserID) (err error) {
	defer errs.Wrap(&err, "audit.settleUsername(%q, %q)", name, claimant)
	ref := a.db.Doc(model.Usernames, name)
	return a.db.Client.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		has := func(uid model.UserID) (bool, error) {
			var u model.User
			found, err := db.Decode(tx.Get(a.db.Doc(model.Users, string(uid))))(&u)
			return found && u.Username == name, err
		}
		var now model.Username
		reserved, err := db.Decode(tx.Get(ref))(&now)
		if err != nil {
			return err
		}
		claimed, err := has(claimant)
		if err != nil {
			return err
		}
		owned := claimed
		if reserved && now.UID != claimant {
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

// restoreCard makes the card of a tweet in its author's month agree with the tweet, and
// removes it from those documents of months of author, given by their ids, where it can
// never belong: what SettleCard costs, and a write for each.
func (a *Auditor) restoreCard(ctx context.Context, author model.UserID, id model.TweetID, documents []string) (err error) {
	defer errs.Wrap(&err, "audit.restoreCard(%q, %q)", author, id)
	t, err := a.facts.TweetsNow(ctx, []model.TweetID{id})
	if err != nil {
		return err
	}
	theirs := t[id] != nil && t[id].AuthorID == author
	if theirs || t[id] == nil {
		if _, err := a.cards.SettleCard(ctx, author, id); err != nil {
			return err
		}
	}
	for _, document := range documents {
		if theirs && strings.HasPrefix(document, model.MonthKey(author, id.Month())) {
			continue
		}
		if err := removeField(ctx, a.db.Doc(model.TweetMonths, document), firestore.FieldPath{"tweets", string(id)}); err != nil {
			return err
		}
	}
	return nil
}

// restoreEntry makes a home timeline agree with whether its owner follows the author of a
// tweet, as LinkTimeline does, and removes entries of the tweet that no following could
// explain: what LinkTimeline costs, a read, and a write for each.
func (a *Auditor) restoreEntry(ctx context.Context, uid, author model.UserID, id model.TweetID, entries []timelines.ShownEntry) (err error) {
	defer errs.Wrap(&err, "audit.restoreEntry(%q, %q)", uid, id)
	if err := a.timelines.Link(ctx, uid, author); err != nil {
		return err
	}
	for _, e := range entries {
		err := a.db.Client.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
			found, err := db.Decode(tx.Get(a.db.Relationship(uid, author)))(nil)
			if err != nil {
				return err
			}
			if found && e.AuthorID == author && e.Document == model.MonthKey(uid, id.Month()) {
				return nil
			}
			merge := map[string]any{"entries": map[string]any{string(id): firestore.Delete}}
			return tx.Set(a.db.Doc(model.Timelines, e.Document), merge, firestore.MergeAll)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// removeStrayFollower removes a follower from a page where they can never belong: 1 write.
func (a *Auditor) removeStrayFollower(ctx context.Context, page string, follower model.UserID) (err error) {
	defer errs.Wrap(&err, "audit.removeStrayFollower(%q, %q)", page, follower)
	return removeField(ctx, a.db.Doc(model.FollowerPages, page), firestore.FieldPath{"followers", string(follower)})
}

func removeField(ctx context.Context, ref *firestore.DocumentRef, at firestore.FieldPath) error {
	_, err := ref.Update(ctx, []firestore.Update{{FieldPath: at, Value: firestore.Delete}})
	if db.NotFound(err) {
		return nil
	}
	return err
}

// removeStrayLike deletes a like whose tweet is gone: 1 read, a write and a delete.
func (a *Auditor) removeStrayLike(ctx context.Context, uid model.UserID, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "audit.removeStrayLike(%q, %q)", uid, id)
	if found, err := a.facts.TweetExists(ctx, id); err != nil || found {
		return err
	}
	return a.facts.Unlike(ctx, uid, id)
}
