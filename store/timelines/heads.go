package timelines

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
)

// aheadMost is how far the time of a post may be ahead.
const aheadMost = time.Hour

// headsTogether is the largest number of heads that one request reads. A head may have 300 KB, of which the process
// keeps the positions.
const headsTogether = 100

// head has the positions in a [model.Head]. A process keeps it in memory.
type head struct {
	positions []model.Position                 // newest first
	shares    map[model.TweetID]model.Position // of each shared tweet, the newest
	from      model.Position                   // the head has everything from here on; empty if it has everything
	version   readcache.Version
}

// newHead returns the positions of a head.
func newHead(h *model.Head, v readcache.Version) *head {
	own := &head{positions: make([]model.Position, 0, h.Len()), version: v}
	for id := range h.Tweets {
		own.positions = append(own.positions, id.Position())
	}
	for id := range h.ForFollowers {
		own.positions = append(own.positions, id.Position())
	}
	for position := range h.Shares {
		own.positions = append(own.positions, position)
		if own.shares == nil {
			own.shares = make(map[model.TweetID]model.Position, len(h.Shares))
		}
		if id := position.Tweet(); own.shares[id] == "" || own.shares[id].Compare(position) < 0 {
			own.shares[id] = position
		}
	}
	slices.SortFunc(own.positions, func(a, b model.Position) int { return b.Compare(a) })
	if !h.Whole {
		own.from = model.OldestAt(h.Since).Position()
	}
	return own
}

// newHeads returns the cache of heads. A process asks for changed heads at most once in the TTL. So a post is on the
// pages of its followers within the TTL after its function.
func (r *Reader) newHeads(o Options) *readcache.Fresh[model.UserID, *head] {
	heads := readcache.New(r.db.Now, o.CacheTTL, o.CacheBytes*3/16, readcache.Size, r.readHeads)
	heads.Name = "heads"
	source := readcache.Source[model.UserID, *head]{
		Now:     r.db.Server.Now,
		Version: func(h *head) readcache.Version { return h.version },
		Changed: r.changedHeads,
		// A head goes with its account. Then nobody follows the author, and the tweets are gone.
		Removed:  func(context.Context, time.Time) ([]model.UserID, error) { return nil, nil },
		Outdated: func(context.Context, time.Time) (func(*head) bool, bool, error) { return nil, false, nil },
		Failed:   func(err error) { o.Log.Warn("changed heads could not be read", "error", err) },
	}
	if o.Digests != nil {
		source.Listed = o.Digests.Heads
	}
	fresh := readcache.NewFresh(heads, source)
	fresh.Patience, fresh.Every = o.Patience, o.CacheTTL
	return fresh
}

// decodeHead decodes a head from a snapshot. Without a head, the author's posts are in months alone. That is cached
// like a head.
func (r *Reader) decodeHead(snap *firestore.DocumentSnapshot) (*head, error) {
	v := readcache.Version{Read: r.db.Server.ReadAt(snap)}
	h := model.Head{Since: r.db.Now().Truncate(time.Hour).Add(time.Hour + aheadMost)} // so one request opens many
	if snap.Exists() {
		h.Since, v.Updated = time.Time{}, snap.UpdateTime
		if err := snap.DataTo(&h); err != nil {
			return nil, err
		}
	}
	return newHead(&h, v), nil
}

// readHeads loads heads for the cache.
//
// Cost: 1 read for each author.
func (r *Reader) readHeads(ctx context.Context, authors []model.UserID) (map[model.UserID]*head, error) {
	heads := make(map[model.UserID]*head, len(authors))
	for some := range slices.Chunk(authors, headsTogether) {
		refs := make([]*firestore.DocumentRef, len(some))
		for i, author := range some {
			refs[i] = r.db.Head(author)
		}
		snaps, err := r.db.Client.GetAll(ctx, refs)
		if err != nil {
			return nil, err
		}
		for i, snap := range snaps {
			if heads[some[i]], err = r.decodeHead(snap); err != nil {
				return nil, err
			}
		}
	}
	return heads, nil
}

// changedHeads reads the first [readcache.Limit] heads that changed since a time.
//
// Cost: 1 read for each head, at least 1.
func (r *Reader) changedHeads(ctx context.Context, since time.Time) (map[model.UserID]*head, error) {
	snaps, err := r.db.Changed(ctx, model.Heads, since, readcache.Limit)
	if err != nil {
		return nil, err
	}
	changed := make(map[model.UserID]*head, len(snaps))
	for _, snap := range snaps {
		if changed[model.UserID(snap.Ref.ID)], err = r.decodeHead(snap); err != nil {
			return nil, err
		}
	}
	return changed, nil
}

// RebuildHead is [profiles.Writer.RebuildHead], after which home pages of this process read the head.
//
// Cost: that of [profiles.Writer.RebuildHead].
func (w *Writer) RebuildHead(ctx context.Context, author model.UserID) error {
	err := w.previews.RebuildHead(ctx, author)
	w.heads.Forget(author)
	return err
}
