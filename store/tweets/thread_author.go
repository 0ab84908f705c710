// This file has what authors do to the answers of others: hide a reply, and withdraw a tweet from a quote.

package tweets

import (
	"cmp"
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Fold hides a reply in its thread, or shows it again. Lists keep a folded reply, and clients fold it; no count
// changes, and nobody is notified. If the reply has the requested state already, Fold writes nothing.
//
// Only the author of the thread's root may: any other caller is errs.Forbidden, and so is everybody once the root is
// deleted. A root tweet is errs.Invalid. A deleted reply is errs.Gone, and an unknown or hidden reply errs.NotFound.
//
// Cost: 2 reads and 1 write; 2 reads without a change. 1 read more for a reply that is gone or not for everybody, and 1
// if the process does not remember the caller's profile.
func (s *Store) Fold(ctx context.Context, by model.UserID, id model.TweetID, folded bool) (err error) {
	defer errs.Wrap(&err, "tweets.Fold(%q, %t)", id, folded)
	if err := s.MayWrite(ctx, by); err != nil {
		return err
	}
	viewer, ref := model.Viewer{ID: by, Role: model.Member}, s.db.Tweet(id)
	reply := &model.Tweet{ID: id}
	if err := s.mustSee(ctx, viewer, reply); err != nil {
		return err
	}
	var root *model.Tweet
	if reply.ReplyTo != nil {
		roots, err := s.TweetsNow(ctx, []model.TweetID{reply.RootID})
		if err != nil {
			return err
		}
		root = roots[reply.RootID]
	}
	relationship := model.ViewerRelationship{Follows: model.FollowDecides(viewer, reply)} // the viewer sees the reply
	if err := model.MayFold(by, reply, root, relationship); err != nil || reply.Folded == folded {
		return err
	}
	b := s.db.Batch()
	b.Update(ref, s.db.Stamped(ref, []firestore.Update{{Path: fields.Folded, Value: db.OrDelete(folded, !folded)}}))
	_, err = s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) {
		var is model.Tweet
		found, err := s.db.Get(ctx, ref, &is)
		return found && is.Folded == folded, err
	})
	s.ForgetTweet(id)
	if db.NotFound(err) {
		return s.Gone(ctx, viewer, id)
	}
	return err
}

// WithdrawQuote withdraws a tweet of by from a tweet that quotes it. The quote keeps its text, and quotes nothing from
// then on: no edit brings the quoted tweet back. One commit changes the quote and creates a [model.QuoteWithdrawal],
// whose event counts. A quote from which the tweet is withdrawn already is a success.
//
// A caller other than the author of the quoted tweet is errs.Forbidden. A tweet that does not quote the other is
// errs.NotFound. Of both tweets, a deleted one is errs.Gone, and an unknown or hidden one errs.NotFound. The
// caller need not see the quote: its author cannot keep the quoted tweet by showing the quote to fewer people.
//
// Cost: 2 reads and 2 writes; 2 reads without a change. 1 read more if the quoted tweet is gone or not for everybody or
// the other quotes something else, and 1 if the process does not remember the caller's profile.
func (s *Store) WithdrawQuote(ctx context.Context, by model.UserID, quoted, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "tweets.WithdrawQuote(%q, %q)", quoted, id)
	if err := s.MayWrite(ctx, by); err != nil {
		return err
	}
	viewer, ref := model.Viewer{ID: by, Role: model.Member}, s.db.Tweet(id)
	return s.db.Update(ctx, func(ctx context.Context) error {
		of, quote := &model.Tweet{ID: quoted}, &model.Tweet{ID: id}
		if err := s.mustSee(ctx, viewer, of); err != nil {
			return err
		}
		relationship := model.ViewerRelationship{Follows: model.FollowDecides(viewer, of)}
		if err := model.MayWithdraw(by, of, relationship); err != nil {
			return err
		}
		switch found, err := s.db.Get(ctx, ref, quote); {
		case err != nil:
			return err
		case found && quote.WithdrawnQuote == quoted:
			return nil
		case !found:
			return s.Gone(ctx, viewer, id)
		case quote.QuoteOf != quoted:
			return cmp.Or(s.RequireVisible(ctx, viewer, quote), model.NoQuote(id, quoted))
		}
		b := s.db.Batch()
		b.Update(ref, s.db.Stamped(ref, []firestore.Update{
			{Path: fields.QuoteOf, Value: firestore.Delete}, {Path: fields.QuoteOfAuthorID, Value: firestore.Delete},
			{Path: fields.WithdrawnQuote, Value: quoted},
		}))
		// It locks out a second withdrawal. It comes last, because the event of a withdrawal reads the tweet.
		b.Create(s.db.Doc(model.QuoteWithdrawals, string(id)), quote.Withdrawal(s.db.Time()))
		_, err := b.Commit(ctx)
		s.ForgetTweet(id)
		if db.AlreadyExists(err) || db.NotFound(err) { // withdrawn at the same time, or gone, or the answer was lost
			return db.Late(err)
		}
		return err
	})
}

// mustSee reads a tweet that a viewer must see, by the id that it has.
//
// Cost: 1 read; 1 more for a tweet that is gone or not for everybody.
func (s *Store) mustSee(ctx context.Context, viewer model.Viewer, t *model.Tweet) error {
	found, err := s.db.Get(ctx, s.db.Tweet(t.ID), t)
	switch {
	case err != nil:
		return err
	case !found:
		return s.Gone(ctx, viewer, t.ID)
	}
	return s.RequireVisible(ctx, viewer, t)
}
