package notifications

import (
	"context"
	"errors"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/visibility"
)

const (
	// endedTogether is how many ended polls one query reads.
	endedTogether = 100

	// pollsAtOnce is how many polls are processed concurrently, so a poll with many voters does not delay the others.
	pollsAtOnce = 4

	// votersTogether is how many votes one query reads. After each query the poll records the last notified vote.
	votersTogether = 100
)

// PollEnded hears of a poll that ended: of the next of its voters of other servers, and whether they are the last.
type PollEnded func(ctx context.Context, t *model.Tweet, voters []model.UserID, last bool) error

// NotifyPolls notifies the authors and the voters of ended polls until over returns true. The oldest poll comes first.
// It returns how many polls are complete. A poll with many voters records how far it is, and the next call continues
// there. However often and however concurrently NotifyPolls is called, each user is notified of a poll once. The next
// call retries failures until the poll ended model.MaxLate ago.
//
// PollEnded, unless it is nil, hears of each poll, too: in some calls of voters of other servers who voted in time, and
// in the last one, with the rest of them, that there are no more. It may hear the same again.
//
// A poll whose tweet is flagged or gone notifies no user. Nor does a voter hear of it who may no longer see the tweet.
// A vote that came after the poll closed does not count.
//
// Cost: 1 read, 2 reads for each poll, 1 read for each vote, and what [Writer.Notify] costs for each user.
func (s *Writer) NotifyPolls(ctx context.Context, over func() bool, hears PollEnded) (ended int, err error) {
	defer errs.Wrap(&err, "notifications.NotifyPolls")
	shards := make([]int, model.DueShards)
	for i := range shards {
		shards[i] = i
	}
	q := s.db.Client.Collection(model.Polls).Where(fields.EndShard, "in", shards).
		Where(fields.ClosesAt, "<=", s.db.Time().Add(-model.PollReconciles)).
		OrderBy(fields.ClosesAt, firestore.Asc).OrderBy(firestore.DocumentID, firestore.Asc).Limit(endedTogether)
	var failures []error
	for page := q; !over(); {
		snaps, err := page.Documents(ctx).GetAll()
		if err != nil {
			return ended, errors.Join(append(failures, err)...)
		}
		all, failed := sideBySide(pollsAtOnce, snaps, func(snap *firestore.DocumentSnapshot) (bool, error) {
			return s.endPoll(ctx, snap, over, hears)
		})
		ended += all
		failures = append(failures, failed)
		if len(snaps) < endedTogether {
			break
		}
		last := snaps[len(snaps)-1]
		at, err := last.DataAt(fields.ClosesAt)
		if err != nil {
			return ended, errors.Join(append(failures, err)...)
		}
		page = q.StartAfter(at, last.Ref.ID)
	}
	return ended, errors.Join(failures...)
}

// endPoll notifies the author and the voters of an ended poll until over returns true. It returns whether all of them
// are notified.
func (s *Writer) endPoll(ctx context.Context, snap *firestore.DocumentSnapshot, over func() bool,
	hears PollEnded) (done bool, err error) {
	if over() {
		return false, nil
	}
	var p model.PollCounts
	if err := snap.DataTo(&p); err != nil {
		return false, err
	}
	t := model.Tweet{ID: p.TweetID}
	found, err := s.db.Get(ctx, s.db.Tweet(p.TweetID), &t)
	if err != nil {
		return false, err
	}
	if found && t.Poll != nil && !t.IsViolative && s.db.Time().Sub(p.ClosesAt) < model.MaxLate {
		if done, err := s.tellPoll(ctx, snap.Ref, &t, &p, over, hears); err != nil || !done {
			return false, err
		}
	}
	_, err = snap.Ref.Update(ctx, []firestore.Update{{Path: fields.EndShard, Value: firestore.Delete},
		{Path: fields.ToldTo, Value: firestore.Delete}})
	if db.NotFound(err) { // the tweet was deleted meanwhile
		return false, nil
	}
	return err == nil, err
}

// tellPoll notifies the author and the voters of a poll, the earliest voter first.
func (s *Writer) tellPoll(ctx context.Context, ref *firestore.DocumentRef, t *model.Tweet, p *model.PollCounts,
	over func() bool, hears PollEnded) (done bool, err error) {
	q := s.db.Client.Collection(model.Votes).Where(fields.TweetID, "==", t.ID).
		OrderBy(fields.CreatedAt, firestore.Asc).OrderBy(firestore.DocumentID, firestore.Asc).Limit(votersTogether)
	page := q.Where(fields.CreatedAt, ">=", p.ToldTo) // another vote may have the same time
	if p.ToldTo.IsZero() {
		page = q
		if err := s.Notify(ctx, model.PollNotificationEvent(t, t.AuthorID)); err != nil {
			return false, err
		}
	}
	for {
		snaps, err := page.Documents(ctx).GetAll()
		if err != nil {
			return false, err
		}
		var last model.Vote
		votes := make([]model.Vote, len(snaps))
		for i, snap := range snaps {
			if err := snap.DataTo(&votes[i]); err != nil {
				return false, err
			}
			last = votes[i]
		}
		_, err = sideBySide(toldAtOnce, votes, func(v model.Vote) (bool, error) { return true, s.tellVoter(ctx, t, &v) })
		if err != nil {
			return false, err
		}
		if hears != nil {
			var remote []model.UserID
			for _, v := range votes {
				if v.UserID.Remote() && v.InTime() {
					remote = append(remote, v.UserID)
				}
			}
			if err := hears(ctx, t, remote, len(snaps) < votersTogether); err != nil {
				return false, err
			}
		}
		if len(snaps) < votersTogether {
			return true, nil
		}
		if _, err := ref.Update(ctx, []firestore.Update{{Path: fields.ToldTo, Value: last.CreatedAt}}); err != nil {
			if db.NotFound(err) { // the tweet was deleted meanwhile
				return false, nil
			}
			return false, err
		}
		if over() {
			return false, nil
		}
		page = q.StartAfter(last.CreatedAt, snaps[len(snaps)-1].Ref.ID)
	}
}

// tellVoter notifies a voter of an ended poll if the voter may see its tweet.
func (s *Writer) tellVoter(ctx context.Context, t *model.Tweet, v *model.Vote) error {
	if !v.InTime() {
		return nil
	}
	sees, _, err := visibility.Of(ctx, s.db, model.Viewer{ID: v.UserID, Role: model.Member}, []*model.Tweet{t})
	if err != nil || !sees[t.ID] {
		return err
	}
	return s.Notify(ctx, model.PollNotificationEvent(t, v.UserID))
}

// sideBySide calls do for all items, at most limit at once, and counts the calls that returned true. A failing call
// does not stop the others.
func sideBySide[T any](limit int, all []T, do func(T) (bool, error)) (n int, err error) {
	done, failed := make([]bool, len(all)), make([]error, len(all))
	var g safely.Group
	g.SetLimit(limit)
	for i, one := range all {
		g.Go(func() error {
			failed[i] = safely.Do(func() (err error) { done[i], err = do(one); return err })
			return nil
		})
	}
	_ = g.Wait()
	for _, is := range done {
		if is {
			n++
		}
	}
	return n, errors.Join(failed...)
}
