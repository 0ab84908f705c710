package verify

import (
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// polls is the unit of the polls of a tweet, or of all tweets of an author. It compares their counts, and finds votes
// that do not count, because the poll is gone or had closed.
func (v *verifier) polls(field string, value any) *unit {
	return &unit{func(ctx context.Context) (ds []Difference, err error) {
		p, err := v.read.Polls(ctx, field, value)
		if err != nil {
			return nil, err
		}
		for _, id := range slices.Sorted(maps.Keys(p.Votes)) {
			for _, vote := range p.Votes[id] {
				if p.Counted[id] == nil || !vote.InTime() {
					ds = append(ds, strayVote(v.Auditor, vote)...)
				}
			}
		}
		for _, id := range slices.Sorted(maps.Keys(p.Counted)) {
			ds = append(ds, pollCounts(v.Auditor, p.Counted[id], p.Votes[id])...)
		}
		return ds, nil
	}}
}

// pollCounts compares the counts of a poll with its votes.
func pollCounts(a *Auditor, c *snapshot.Counted[model.PollCounts], votes []model.Vote) []Difference {
	have, want := map[string]int64{}, map[string]int64{}
	for i, n := range c.Doc.Of(model.MaxPollOptions) {
		have[model.VoteCounter(i+1)], want[model.VoteCounter(i+1)] = n, 0
	}
	for _, v := range votes {
		if v.InTime() {
			want[model.VoteCounter(v.Option)]++
		}
	}
	return counts(a, model.Polls, string(c.Doc.TweetID), c, have, want)
}

// strayVote is the difference of a vote that does not count.
func strayVote(a *Auditor, vote model.Vote) (ds []Difference) {
	path := at(model.Votes, model.ReactionKey(vote.UserID, vote.TweetID))
	add(&ds, model.Votes, path, "", vote.CreatedAt, nil,
		&fix{path, func(ctx context.Context) error { return a.removeStrayVote(ctx, vote) }})
	return ds
}

// removeStrayVote deletes a vote that came after its poll closed, and a vote whose poll is gone.
//
// Cost: 1 read and 1 delete.
func (a *Auditor) removeStrayVote(ctx context.Context, vote model.Vote) (err error) {
	defer errs.Wrap(&err, "verify.removeStrayVote(%q, %q)", vote.UserID, vote.TweetID)
	if found, err := a.db.Get(ctx, a.db.Doc(model.Polls, string(vote.TweetID)), nil); err != nil || found &&
		vote.InTime() {
		return err
	}
	return a.reactions.Remove(ctx, model.ReactionVote, vote.UserID, vote.TweetID)
}
