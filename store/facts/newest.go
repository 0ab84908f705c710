package facts

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Newest gives the tweets of several queries one by one, newest first. Each query is read a
// little at a time: only queries whose tweets come next are read on.
type Newest struct {
	store *Store
	parts []newestPart
	ahead int // tweets beyond its share that are read of a query
	begun bool
}

// newestPart is one query while it is merged.
type newestPart struct {
	query  firestore.Query
	from   model.Cursor
	tweets []*model.Tweet // read and not given yet
	ended  bool           // the database has no more than tweets
}

// queriesAtOnce is how many queries of a Newest run side by side.
const queriesAtOnce = 64

func (s *Store) newest(queries []firestore.Query, from model.Cursor, ahead int) *Newest {
	n := &Newest{store: s, parts: make([]newestPart, len(queries)), ahead: ahead}
	for i, q := range queries {
		n.parts[i] = newestPart{query: q, from: from}
	}
	return n
}

// authorsPerQuery is how many values one query compares a field with at most.
const authorsPerQuery = 30

// TweetsOf gives the tweets of authors, newest first, or those that are no newer than
// before if before is not empty. Violative tweets are among them. Tweets of one moment come
// in no promised order, and so may some of the moment of before.
//
// Cost of the first n tweets of many authors: 1 read for 30 authors, and about n reads.
// Cost for up to 30 authors: n reads, at least 1.
func (s *Store) TweetsOf(authors []model.UserID, before model.TweetID) *Newest {
	var queries []firestore.Query
	for part := range slices.Chunk(authors, authorsPerQuery) {
		queries = append(queries, s.db.Client.Collection(model.Tweets).Where("authorId", "in", part))
	}
	var from model.Cursor
	if before != "" {
		from = model.Cursor{At: before.Time().Add(time.Millisecond), ID: "0"} // an id holds the time in milliseconds
	}
	return s.newest(queries, from, 0)
}

// Next gives the next tweet; nil at the end. The caller needs about needed tweets more,
// this one included.
//
// Cost: 1 read a tweet that Next reads ahead, at least 1 a query.
func (n *Newest) Next(ctx context.Context, needed int) (_ *model.Tweet, err error) {
	defer errs.Wrap(&err, "facts.Newest.Next")
	if !n.begun {
		g, side := errgroup.WithContext(ctx)
		g.SetLimit(queriesAtOnce)
		for i := range n.parts {
			g.Go(func() error { return n.read(side, &n.parts[i], needed) })
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		n.begun = true
	}
	var newest *newestPart
	for i := range n.parts {
		part := &n.parts[i]
		if len(part.tweets) == 0 && !part.ended {
			if err := n.read(ctx, part, needed); err != nil {
				return nil, err
			}
		}
		if len(part.tweets) > 0 && (newest == nil || place(part.tweets[0]).After(place(newest.tweets[0]))) {
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

// read reads a query's share of the tweets that are needed of all queries.
func (n *Newest) read(ctx context.Context, part *newestPart, needed int) error {
	share := (needed+len(n.parts)-1)/len(n.parts) + n.ahead
	got, err := db.Page(ctx, part.query, firestore.FieldPath{"createdAt"}, firestore.Desc, part.from, share,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := n.store.keepTweet(snap)
			return t, place(t), err
		})
	part.tweets, part.from, part.ended = got.Items, got.Next, got.Next.IsZero()
	return err
}

// place returns the place of a tweet among the newest.
func place(t *model.Tweet) model.Cursor { return model.Cursor{At: t.CreatedAt, ID: string(t.ID)} }

// TweetsBetween counts the tweets that an author wrote between two times.
//
// Cost: 1 read for 1,000 tweets, at least 1.
func (s *Store) TweetsBetween(ctx context.Context, author model.UserID, after, before time.Time) (_ int64, err error) {
	defer errs.Wrap(&err, "facts.TweetsBetween(%q)", author)
	q := s.db.Client.Collection(model.Tweets).Where("authorId", "==", author).Where("createdAt", ">", after).Where("createdAt", "<", before).
		OrderBy("createdAt", firestore.Desc) // the order of the index
	result, err := q.NewAggregationQuery().WithCount("n").Get(ctx)
	if err != nil {
		return 0, err
	}
	n, _ := result["n"].(*firestorepb.Value)
	return n.GetIntegerValue(), nil
}
