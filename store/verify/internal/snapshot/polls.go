package snapshot

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Polls are polls and their votes, at one moment.
type Polls struct {
	Counted map[model.TweetID]*Counted[model.PollCounts]
	Votes   map[model.TweetID][]model.Vote
}

// Polls reads the polls and votes in which a field has a value. The field is tweetId for the poll of a tweet, and
// authorId for the polls of all tweets of an author.
//
// Cost: 3 reads; 1 read a poll and shard, at least 1 for each poll, and 1 read a vote but the first.
func (r *Reader) Polls(ctx context.Context, field string, value any) (_ *Polls, err error) {
	defer errs.Wrap(&err, "snapshot.Polls(%s, %q)", field, value)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	p := &Polls{Counted: map[model.TweetID]*Counted[model.PollCounts]{}, Votes: map[model.TweetID][]model.Vote{}}
	err = each(ctx, m, r.db.Client.Collection(model.Polls).Where(field, "==", value),
		func(snap *firestore.DocumentSnapshot, c *model.PollCounts) (err error) {
			p.Counted[c.TweetID], err = readCounted[model.PollCounts](ctx, m, snap)
			return err
		})
	if err != nil {
		return nil, err
	}
	return p, each(ctx, m, r.db.Client.Collection(model.Votes).Where(field, "==", value),
		func(_ *firestore.DocumentSnapshot, v *model.Vote) error {
			p.Votes[v.TweetID] = append(p.Votes[v.TweetID], *v)
			return nil
		})
}
