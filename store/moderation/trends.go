package moderation

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// TrendReview returns what administrators decided about trends, and the trends of this minute with what waits for a
// decision.
//
// Cost: 2 reads.
func (s *Store) TrendReview(ctx context.Context) (_ *model.TrendReview, _ *model.TrendsNow, err error) {
	defer errs.Wrap(&err, "moderation.TrendReview")
	var l db.Lookup
	usual := db.Find[model.TrendUsual](&l, s.db.Doc(model.Trends, model.TrendUsualKey))
	now := db.Find[model.TrendsNow](&l, s.db.Doc(model.Trends, model.TrendsNowKey))
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, nil, err
	}
	return &usual.Doc.Review, &now.Doc, nil
}

// NeedTrendReview says whether a tag or tweet needs the permission of an administrator to be a trend, with an entry in
// the audit log. The next ranking follows it, so lists show it after two minutes.
//
// Cost: 1 read, and 2 writes if that changes anything.
func (s *Store) NeedTrendReview(ctx context.Context, by Actor, needed bool) (err error) {
	defer errs.Wrap(&err, "moderation.NeedTrendReview")
	yes := map[bool]string{false: "no", true: "yes"}
	return s.reviewTrends(ctx, by, func(r *model.TrendReview, a *model.Action) (bool, error) {
		a.Before, a.After = map[string]string{"needed": yes[r.Needed]}, map[string]string{"needed": yes[needed]}
		changed := r.Needed != needed
		r.Needed = needed
		return changed, nil
	})
}

// ReviewTag keeps a decision about a tag, with an entry in the audit log. Errors are those of [model.NormalizeTag] and
// [model.TrendReview.DecideTag].
//
// Cost: 1 read, and 2 writes if that changes anything.
func (s *Store) ReviewTag(ctx context.Context, by Actor, tag string, d model.TrendDecision) (err error) {
	defer errs.Wrap(&err, "moderation.ReviewTag(%q)", tag)
	name, err := model.NormalizeTag(tag)
	if err != nil {
		return err
	}
	return s.reviewTrends(ctx, by, func(r *model.TrendReview, a *model.Action) (bool, error) {
		was, err := r.DecideTag(name, d)
		a.Before = map[string]string{"decision": string(was)}
		a.After = map[string]string{"tag": name, "decision": string(d)}
		return was != d, err
	})
}

// ReviewTweet keeps a decision about a tweet, with an entry in the audit log. It does not ask whether the tweet is
// there: a deleted one is no trend.
//
// Cost: 1 read, and 2 writes if that changes anything.
func (s *Store) ReviewTweet(ctx context.Context, by Actor, id model.TweetID, d model.TrendDecision) (err error) {
	defer errs.Wrap(&err, "moderation.ReviewTweet(%q)", id)
	return s.reviewTrends(ctx, by, func(r *model.TrendReview, a *model.Action) (bool, error) {
		was := r.DecideTweet(id, d)
		a.TweetID, a.Before, a.After = id, map[string]string{"decision": string(was)},
			map[string]string{"decision": string(d)}
		return was != d, nil
	})
}

// reviewTrends changes the review in one commit with its entry in the audit log. Only the field changes: the document
// also has the usual usage, which functions write meanwhile.
func (s *Store) reviewTrends(ctx context.Context, by Actor,
	change func(*model.TrendReview, *model.Action) (changed bool, err error)) error {
	ref := s.db.Doc(model.Trends, model.TrendUsualKey)
	var entry *model.Action
	err := s.db.TransactOnce(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		entry = nil
		var is model.TrendUsual
		found, err := db.GetIn(tx, ref, &is)
		if err != nil {
			return err
		}
		a := s.entry(by, model.ActReviewTrend, "")
		changed, err := change(&is.Review, a)
		if err != nil || !changed {
			return err
		}
		entry = a
		shorten(a)
		if err := tx.Set(s.db.Doc(model.AdminActions, a.ID), a); err != nil {
			return err
		}
		if !found {
			return tx.Create(ref, is)
		}
		return tx.Update(ref, []firestore.Update{{Path: fields.Review, Value: is.Review}})
	}, s.logged(&entry))
	s.done(ctx, entry, err)
	return err
}
