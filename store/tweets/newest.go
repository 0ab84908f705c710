package tweets

import (
	"context"
	"sync/atomic"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// newestTweets returns the tweets of several queries one by one, newest first. It reads each query in small portions,
// and continues only the queries whose tweets come next.
type newestTweets struct {
	store *Store
	parts []newestPart
	left  atomic.Int64 // reads that may still be billed; at 0 the tweets end where the next read would be
}

// newestPart is one query during the merge.
type newestPart struct {
	query  firestore.Query
	from   model.Cursor
	tweets []*model.Tweet // read and not returned yet
	ended  bool           // the database has no more than tweets
}

func (s *Store) newest(queries []firestore.Query, from model.Cursor, most int) *newestTweets {
	n := &newestTweets{store: s, parts: make([]newestPart, len(queries))}
	n.left.Store(int64(most))
	for i, q := range queries {
		n.parts[i] = newestPart{query: q, from: from}
	}
	return n
}

// next returns the next tweet, or nil at the end or without a read left. The caller needs about needed more tweets,
// including this one.
//
// Cost: 1 read a tweet that next reads ahead, at least 1 a query.
func (n *newestTweets) next(ctx context.Context, needed int) (*model.Tweet, error) {
	g, side := safely.WithContext(ctx)
	for i := range n.parts {
		if part := &n.parts[i]; len(part.tweets) == 0 && !part.ended {
			g.Go(func() error { return n.read(side, part, needed) })
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var newest *newestPart
	for i := range n.parts {
		part := &n.parts[i]
		if len(part.tweets) == 0 && !part.ended {
			return nil, nil // no read is left
		}
		if len(part.tweets) > 0 && (newest == nil || placeOf(part.tweets[0]).After(placeOf(newest.tweets[0]))) {
			newest = part
		}
	}
	if newest == nil {
		return nil, nil
	}
	t := newest.tweets[0]
	newest.tweets = newest.tweets[1:]
	return t, nil
}

// read reads a query's part of the tweets that all queries need together.
func (n *newestTweets) read(ctx context.Context, part *newestPart, needed int) error {
	share := min((needed+len(n.parts)-1)/len(n.parts)+publicAhead, int(n.left.Load()))
	if share <= 0 {
		return nil
	}
	got, err := db.Page(ctx, part.query, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, part.from, share,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := n.store.KeepTweet(snap)
			return t, placeOf(t), err
		})
	part.tweets, part.from, part.ended = got.Items, got.Next, got.Next.IsZero()
	n.left.Add(-int64(max(1, len(got.Items))))
	return err
}

// placeOf returns the position of a tweet among the newest.
func placeOf(t *model.Tweet) model.Cursor { return model.Cursor{At: t.CreatedAt, ID: string(t.ID)} }
