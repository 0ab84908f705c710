// This file reads conversations: the ancestors of a tweet, and the tree of its replies.

package tweets

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Threads reads threads. Its methods may be called concurrently. Their errors are errors of package errs.
type Threads struct {
	db     *db.DB
	tweets *Store
}

// NewThreads returns the threads of a database.
func NewThreads(d *db.DB, t *Store) *Threads { return &Threads{db: d, tweets: t} }

// ThreadNode is a tweet at its position in a thread, with some of its replies, oldest first. A deleted tweet keeps its
// position. A hidden tweet keeps its position if the viewer sees tweets below it, and looks like an unknown tweet.
type ThreadNode struct {
	access.Seen
	Replies []*ThreadNode
	More    bool         // there are more replies than in Replies
	Next    model.Cursor // start of the further replies; zero if they begin with the first reply

	depth   int
	replies int64 // about how many replies the tweet has
}

// Thread is a tweet with its ancestors and its replies.
type Thread struct {
	Ancestors []access.Seen // from the root of the thread, or its oldest known tweet, down to the parent
	// id of a tweet between the first two Ancestors, left out with the tweets above it; empty if none is left out
	Gap   model.TweetID
	Tweet *FullTweet // nil if the tweet was deleted, or the viewer may not see it
	Node  *ThreadNode
}

// ThreadPage selects the part of the tree to read.
type ThreadPage struct {
	From  model.Cursor // start of the replies to the tweet itself
	Size  int          // how many of these replies are read, at most model.MaxThreadReplies
	Depth int          // levels of replies, 1 or more; a reply that not everybody sees is not a level
	Reads int          // how many reads the replies cost, at least twice Size; model.ThreadReads if 0
}

// Thread reads the thread around a tweet. Below a reply to the tweet, it reads as many replies as it finds within
// p.Reads. For more replies, a client opens the thread of that reply. A page that does not begin at the first
// reply has no ancestors.
//
// An unknown tweet is errs.NotFound, and so is a hidden tweet. But if the page has a visible reply, the hidden tweet
// keeps its position above the reply. It has no ancestors then. The reply names the hidden tweet anyway. It also keeps
// its position on a later page before the last one: the page token comes from a page with a visible reply.
//
// Cost: [Store.Tweet], 1 or 2 reads an ancestor, and at most p.Reads for the replies.
func (r *Threads) Thread(ctx context.Context, id model.TweetID, viewer model.Viewer, p ThreadPage) (_ *Thread,
	err error) {
	defer errs.Wrap(&err, "tweets.Thread(%q)", id)
	t := &Thread{Node: &ThreadNode{Seen: access.Seen{ID: id}}}
	var above, root model.TweetID // empty if unknown
	t.Tweet, err = r.tweets.Tweet(ctx, id, viewer)
	var deleted *access.Deleted
	var unknown error
	switch {
	case err == nil:
		t.Node.Tweet, t.Node.ViewerState, root = t.Tweet.Tweet, t.Tweet.ViewerState, t.Tweet.RootID
		if t.Tweet.ReplyTo != nil {
			above = *t.Tweet.ReplyTo
		}
	case errors.As(err, &deleted):
		t.Node.Tombstone, above = &deleted.Tombstone, deleted.ReplyTo
	case errs.KindOf(err) == errs.NotFound:
		unknown = err
	default:
		return nil, err
	}
	work, within := safely.WithContext(ctx)
	work.Go(func() error { return r.grow(within, t.Node, p) })
	if p.From.IsZero() && above != "" {
		work.Go(func() (err error) {
			t.Ancestors, t.Gap, err = r.ancestors(within, above, root)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	if err := r.hide(ctx, t, viewer); err != nil {
		return nil, err
	}
	prune(t.Node)
	if unknown != nil && len(t.Node.Replies) == 0 && (p.From.IsZero() || !t.Node.More) {
		return nil, unknown
	}
	return t, r.mark(ctx, t, viewer)
}

// seen returns all entries of a thread except the tweet itself.
func (t *Thread) seen() (seen []*access.Seen) {
	for i := range t.Ancestors {
		seen = append(seen, &t.Ancestors[i])
	}
	var walk func(*ThreadNode)
	walk = func(n *ThreadNode) {
		for _, reply := range n.Replies {
			seen = append(seen, &reply.Seen)
			walk(reply)
		}
	}
	walk(t.Node)
	return seen
}

// hide removes the tweets from a thread that the viewer may not see, and the tombstones that the viewer may not know
// of. A hidden ancestor costs as much as an ancestor that is gone.
func (r *Threads) hide(ctx context.Context, t *Thread, viewer model.Viewer) error {
	seen := t.seen()
	var tweets []*model.Tweet
	for _, s := range seen {
		if s.Tweet != nil {
			tweets = append(tweets, s.Tweet)
		}
	}
	visible, paid, err := r.tweets.Visible(ctx, viewer, tweets)
	if err != nil {
		return err
	}
	var hidden []access.Seen // hidden ancestors that the tweet names
	for _, s := range t.Ancestors {
		if s.Tweet != nil && !visible[s.ID] {
			hidden = append(hidden, s)
		}
	}
	for _, s := range seen {
		if !visible[s.ID] {
			s.Tweet = nil
		}
		if s.Tombstone != nil && !model.VisibleTombstone(viewer, s.Tombstone) {
			s.Tombstone = nil
		}
	}
	return r.tweets.Even(ctx, viewer, hidden, paid)
}

// mark stores in a thread which tweets the viewer likes, shares and bookmarks.
func (r *Threads) mark(ctx context.Context, t *Thread, viewer model.Viewer) error {
	seen := t.seen()
	var ids []model.TweetID
	for _, s := range seen {
		if s.Tweet != nil {
			ids = append(ids, s.ID)
		}
	}
	marks, err := r.tweets.ViewerState(ctx, viewer.Account(), ids)
	for _, s := range seen {
		s.ViewerState = marks[s.ID]
	}
	return err
}

// look reads tweets and tombstones without a check of visibility. above has the parent of each of them.
func (r *Threads) look(ctx context.Context, ids []model.TweetID) (_ []access.Seen, above []model.TweetID, err error) {
	seen, err := r.tweets.Batch(ctx, ids, model.Viewer{Role: model.Moderator})
	above = make([]model.TweetID, len(seen))
	for i := range seen {
		switch s := &seen[i]; {
		case s.Tombstone != nil:
			above[i] = s.Tombstone.ReplyTo
		case s.Tweet != nil:
			if s.Tweet.ReplyTo != nil {
				above[i] = *s.Tweet.ReplyTo
			}
		}
	}
	return seen, above, err
}

// ancestors reads the tweets above a tweet, one step at a time. If the root of the thread is known, ancestors reads it
// together with the first step. A deleted tweet without its parent's id ends the walk.
func (r *Threads) ancestors(ctx context.Context, id, root model.TweetID) (up []access.Seen, gap model.TweetID,
	err error) {
	first := []model.TweetID{id}
	if root != "" && root != id {
		first = append(first, root)
	}
	seen, above, err := r.look(ctx, first)
	if err != nil {
		return nil, "", err
	}
	up, id = append(up, seen[0]), above[0]
	for id != "" && id != root && len(up) < model.MaxAncestors-1 {
		next, above, err := r.look(ctx, []model.TweetID{id})
		if err != nil {
			return nil, "", err
		}
		up, id = append(up, next[0]), above[0]
	}
	if len(seen) > 1 {
		if id != root {
			gap = id
		}
		up = append(up, seen[1])
	}
	slices.Reverse(up)
	return up, gap, nil
}

// grow reads the tree below a tweet in rounds: the tweet's own replies, then their replies, and so on. The reads of a
// round run at the same time. grow opens no tweet whose replies might cost more than the rest of p.Reads.
func (r *Threads) grow(ctx context.Context, top *ThreadNode, p ThreadPage) error {
	size, left, closed := min(p.Size, model.MaxThreadReplies), cmp.Or(p.Reads, model.ThreadReads), []*ThreadNode{top}
	top.Next = p.From
	for len(closed) > 0 && left >= 2*size {
		open := closed[:min(len(closed), left/(2*size))]
		closed = closed[len(open):]
		reads := make([]int, len(open))
		work, within := safely.WithContext(ctx)
		for i, n := range open {
			work.Go(func() (err error) {
				reads[i], err = r.open(within, n, size)
				return err
			})
		}
		if err := work.Wait(); err != nil {
			return err
		}
		for i, n := range open {
			left -= reads[i]
			for _, reply := range n.Replies {
				if reply.More = reply.replies > 0; reply.More && reply.depth < p.Depth {
					closed = append(closed, reply)
				}
			}
		}
		size = model.ThreadBranch
	}
	return nil
}

// open reads the next replies to a tweet, and the tombstones of deleted replies that had replies themselves. It returns
// the number of reads.
func (r *Threads) open(ctx context.Context, n *ThreadNode, size int) (reads int, err error) {
	var found model.Page[*model.Tweet]
	var tombs model.Page[*model.Tombstone]
	work, within := safely.WithContext(ctx)
	work.Go(func() (err error) {
		found, err = r.tweets.Replies(within, n.ID, n.Next, size)
		return err
	})
	work.Go(func() (err error) {
		tombs, err = r.tombstones(within, n.ID, n.Next, size)
		return err
	})
	if err := work.Wait(); err != nil {
		return 0, err
	}
	for _, t := range found.Items {
		depth := n.depth
		if t.AudiencePartition() == model.OpenAudiencePartition {
			depth++ // a hidden tweet shows only above its replies, so they are read with it
		}
		n.Replies = append(n.Replies, &ThreadNode{Seen: access.Seen{ID: t.ID, Tweet: t}, depth: depth, replies: t.ReplyCount})
	}
	for _, t := range tombs.Items {
		n.Replies = append(n.Replies, &ThreadNode{Seen: access.Seen{ID: t.ID, Tombstone: t}, depth: n.depth + 1, replies: 1})
	}
	// A tweet may come back beside its tombstone, see DeleteTweet. It must be there only once.
	slices.SortStableFunc(n.Replies, func(a, b *ThreadNode) int { return place(a.ID).Compare(place(b.ID)) })
	n.Replies = slices.CompactFunc(n.Replies, func(a, b *ThreadNode) bool { return a.ID == b.ID })
	n.More = !found.Next.IsZero() || !tombs.Next.IsZero()
	if len(n.Replies) > size {
		n.Replies, n.More = n.Replies[:size], true
	}
	n.Next = model.Cursor{}
	if n.More {
		n.Next = place(n.Replies[len(n.Replies)-1].ID)
	}
	return max(len(found.Items), 1) + max(len(tombs.Items), 1), nil
}

// place returns the position of a reply among the replies to one tweet.
func place(id model.TweetID) model.Cursor { return model.Cursor{At: id.Time(), ID: string(id)} }

// tombstones reads the tombstones of replies that had replies, oldest reply first.
//
// Cost: 1 read for each, at least 1.
func (r *Threads) tombstones(ctx context.Context, id model.TweetID, from model.Cursor,
	limit int) (model.Page[*model.Tombstone], error) {
	q := r.db.Client.Collection(model.Tombstones).Where(fields.ReplyTo, "==", id)
	return db.Page(ctx, q, firestore.FieldPath{fields.RepliedAt}, firestore.Asc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tombstone, model.Cursor, error) {
			t := &model.Tombstone{ID: model.TweetID(snap.Ref.ID)}
			return t, place(t.ID), snap.DataTo(t)
		})
}

// prune removes tweets that the viewer may not see, unless the viewer sees replies below them.
func prune(n *ThreadNode) {
	for _, reply := range n.Replies {
		prune(reply)
	}
	n.Replies = slices.DeleteFunc(n.Replies, func(reply *ThreadNode) bool {
		return reply.Tweet == nil && len(reply.Replies) == 0 && (reply.Tombstone == nil || !reply.More)
	})
}
