package facts

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// publicTTL is how old a page of the public timeline may be.
	publicTTL = time.Second

	// publicPages is how many pages are kept for that time.
	publicPages = 128

	// publicAhead is how many tweets more than its share are read of a shard. With
	// 1, a page takes two to three round trips; without, four, and with 4 one or two.
	publicAhead = 1
)

// publicPage names a page of the public timeline.
type publicPage struct {
	replies bool
	from    model.Cursor
	limit   int
}

// Public lists everybody's tweets, newest first: those that begin a thread, or all of
// them with replies. Violative ones are left out. A page is shared by everybody who asks
// for the same within a second, and must not be changed; only the first of them reads.
//
// That costs about n + 2×model.PublicShards reads for a page of n (on average 28 for
// 20 and 112 for 100; seldom above 33 and 126), because each shard is read a little
// beyond its share, and again where it has more than its share of the newest tweets.
func (s *Store) Public(ctx context.Context, replies bool, from model.Cursor, limit int) (_ model.Page[*model.Tweet], err error) {
	defer errs.Wrap(&err, "facts.Public")
	p, _, err := s.public.One(ctx, publicPage{replies, from, limit})
	return p, err
}

func (s *Store) readPublic(ctx context.Context, pages []publicPage) (map[publicPage]model.Page[*model.Tweet], error) {
	read := make(map[publicPage]model.Page[*model.Tweet], len(pages))
	for _, p := range pages {
		var err error
		if read[p], err = s.mergePublic(ctx, p); err != nil {
			return nil, err
		}
	}
	return read, nil
}

// mergePublic merges the shards. A tweet's place is its time and then its id, in each
// shard as in the whole, so that pages meet without a gap where many have one time.
func (s *Store) mergePublic(ctx context.Context, p publicPage) (merged model.Page[*model.Tweet], err error) {
	shards := make([]publicShard, model.PublicShards)
	g, side := errgroup.WithContext(ctx)
	for n := range shards {
		q := s.db.Client.Collection(model.Tweets).Where("publicShard", "==", n).Where("isViolative", "==", false)
		if !p.replies {
			q = q.Where("replyTo", "==", nil)
		}
		shards[n] = publicShard{store: s, query: q, from: p.from}
		g.Go(func() error { return shards[n].read(side, p.limit) })
	}
	if err := g.Wait(); err != nil {
		return merged, err
	}
	for len(merged.Items) < p.limit {
		var newest *publicShard
		for n := range shards {
			shard := &shards[n]
			if len(shard.tweets) == 0 && !shard.ended {
				if err := shard.read(ctx, p.limit-len(merged.Items)); err != nil {
					return merged, err
				}
			}
			if len(shard.tweets) > 0 && (newest == nil || shard.next().After(newest.next())) {
				newest = shard
			}
		}
		if newest == nil {
			merged.Next = model.Cursor{}
			break
		}
		merged.Items = append(merged.Items, newest.tweets[0])
		merged.Next = newest.next()
		newest.tweets = newest.tweets[1:]
	}
	return merged, nil
}

// publicShard is a part of the public timeline while it is merged.
type publicShard struct {
	store  *Store
	query  firestore.Query
	from   model.Cursor
	tweets []*model.Tweet // read and not merged yet
	ended  bool           // there are no more than tweets
}

// read reads a shard's share of the tweets that are needed of all shards.
func (p *publicShard) read(ctx context.Context, needed int) error {
	share := (needed+model.PublicShards-1)/model.PublicShards + publicAhead
	got, err := db.Page(ctx, p.query, firestore.FieldPath{"createdAt"}, firestore.Desc, p.from, share,
		func(snap *firestore.DocumentSnapshot) (*model.Tweet, model.Cursor, error) {
			t, err := p.store.keepTweet(snap)
			return t, publicPlace(t), err
		})
	p.tweets, p.from, p.ended = got.Items, got.Next, got.Next.IsZero()
	return err
}

func (p *publicShard) next() model.Cursor { return publicPlace(p.tweets[0]) }

func publicPlace(t *model.Tweet) model.Cursor { return model.Cursor{At: t.CreatedAt, ID: string(t.ID)} }
