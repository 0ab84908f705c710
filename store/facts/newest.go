package facts

import (
	"context"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// newestTweets gives the tweets of several queries one by one, newest first. Each query is read a
// little at a time: only queries whose tweets come next are read on.
type newestTweets struct {
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

// queriesAtOnce is how many queries of a newestTweets run side by side.
const queriesAtOnce = 64

func (s *Store) newest(queries []firestore.Query, from model.Cursor, ahead int) *newestTweets {
	n := &newestTweets{store: s, parts: make([]newestPart, len(queries)), ahead: ahead}
	for i, q := range queries {
		n.parts[i] = newestPart{query: q, from: from}
	}
	return n
}

// next gives the next tweet; nil at the end. The caller needs about needed tweets more,
// this one included.
//
// Cost: 1 read a tweet that next reads ahead, at least 1 a query.
func (n *newestTweets) next(ctx context.Context, needed int) (*model.Tweet, error) {
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
func (n *newestTweets) read(ctx context.Context, part *newestPart, needed int) error {
	share := (needed+len(n.parts)-1)/len(n.parts) + n.ahead
	got, err := db.Page(ctx, part.query, firestore.FieldPath{"createdAt"}, firestore.Desc, part.from, share,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := n.store.KeepTweet(snap)
			return t, place(t), err
		})
	part.tweets, part.from, part.ended = got.Items, got.Next, got.Next.IsZero()
	return err
}

// place returns the place of a tweet among the newest.
func place(t *model.Tweet) model.Cursor { return model.Cursor{At: t.CreatedAt, ID: string(t.ID)} }
