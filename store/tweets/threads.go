// This file reads conversations: what a tweet answers, and the tree of what answers it.

package tweets

import (
	"context"
	"errors"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Threads reads threads. Its methods may be called concurrently. Their errors are those of
// package errs.
type Threads struct {
	db    *db.DB
	facts *facts.Store
}

// NewThreads returns the threads of a database.
func NewThreads(d *db.DB, f *facts.Store) *Threads { return &Threads{db: d, facts: f} }

// ThreadNode is a tweet in its place in a thread, with some of its replies, oldest first. A
// deleted tweet keeps its place. So does a tweet that the viewer may not see, if the viewer
// sees tweets below it; it is as one that is unknown.
type ThreadNode struct {
	facts.Seen
	Replies []*ThreadNode
	More    bool         // there are replies that Replies does not have
	Next    model.Cursor // where those begin; zero if they begin with the first reply

	depth   int
	replies int64 // how many replies it seems to have
}

// Thread is a tweet with what it answers and what answers it.
type Thread struct {
	Ancestors []facts.Seen // from the root of the thread, or the oldest that is known, down to the parent
	// a tweet between the first and the second of Ancestors which is left out, with those above it; empty if none is
	Gap   model.TweetID
	Tweet *facts.FullTweet // nil if the tweet was deleted, or the viewer may not see it
	Node  *ThreadNode
}

// ThreadPage says which part of the tree is read.
type ThreadPage struct {
	From  model.Cursor // where the replies to the tweet itself begin
	Size  int          // how many of those are read, at most model.MaxThreadReplies
	Depth int          // levels of replies, 1 or more; a reply that not everybody sees is no level of its own
}

// Thread reads the thread around a tweet. Below a reply to the tweet it reads as many replies
// as it finds within model.ThreadReads; whoever wants more opens that reply. A page that does
// not begin at the first reply has no ancestors. An unknown tweet is errs.NotFound, and so is one
// that the viewer may not see. But if the page has a reply that the viewer sees, the hidden tweet
// keeps its place above it, without ancestors, since the reply names it anyway; and so it does on a
// later page before the last, whose token somebody got when there was something to see.
//
// Cost: what [facts.Store.Tweet] costs, 1 read for each ancestor that is not cached, 2 for one
// that is gone or hidden, at most model.ThreadReads for the replies, 1 read for each author of tweets for
// followers among all of these, and what [facts.Store.Marks] costs
// for the tweets that are found.
func (r *Threads) Thread(ctx context.Context, id model.TweetID, viewer model.Viewer, p ThreadPage) (_ *Thread,
	err error) {
	defer errs.Wrap(&err, "tweets.Thread(%q)", id)
	t := &Thread{Node: &ThreadNode{Seen: facts.Seen{ID: id}}}
	var above, root model.TweetID // empty if unknown
	t.Tweet, err = r.facts.Tweet(ctx, id, viewer)
	var deleted *facts.Deleted
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

// seen lists what a thread has beside the tweet itself.
func (t *Thread) seen() (seen []*facts.Seen) {
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

// hide takes the tweets out of a thread that the viewer may not see, and the tombstones of those
// that the viewer may not know of. A hidden tweet above costs what one that is gone costs.
func (r *Threads) hide(ctx context.Context, t *Thread, viewer model.Viewer) error {
	seen := t.seen()
	var tweets []*model.Tweet
	for _, s := range seen {
		if s.Tweet != nil {
			tweets = append(tweets, s.Tweet)
		}
	}
	visible, paid, err := r.facts.Visible(ctx, viewer, tweets)
	if err != nil {
		return err
	}
	var hidden []facts.Seen // among what the tweet answers, where the tweet names it
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
	return r.facts.Even(ctx, viewer, hidden, paid)
}

// mark notes which tweets of a thread the viewer likes, shares and keeps.
func (r *Threads) mark(ctx context.Context, t *Thread, viewer model.Viewer) error {
	seen := t.seen()
	var ids []model.TweetID
	for _, s := range seen {
		if s.Tweet != nil {
			ids = append(ids, s.ID)
		}
	}
	marks, err := r.facts.ViewerState(ctx, viewer.Account(), ids)
	for _, s := range seen {
		s.ViewerState = marks[s.ID]
	}
	return err
}

// look reads tweets and tombstones whoever may see them. It also tells what each of them
// answers.
func (r *Threads) look(ctx context.Context, ids []model.TweetID) (_ []facts.Seen, above []model.TweetID, err error) {
	seen, err := r.facts.Batch(ctx, ids, model.Viewer{Role: model.Moderator})
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

// ancestors walks up from a tweet, and reads the root of the thread, if it is known, beside the first step. A
// tweet that is deleted and does not tell what it answered ends the walk.
func (r *Threads) ancestors(ctx context.Context, id, root model.TweetID) (up []facts.Seen, gap model.TweetID,
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

// grow reads the tree below a tweet: the tweet's own replies, then theirs, in rounds. The
// reads of a round run at the same time. Nothing is opened that might cost more than is left
// of model.ThreadReads.
func (r *Threads) grow(ctx context.Context, top *ThreadNode, p ThreadPage) error {
	size, left, closed := min(p.Size, model.MaxThreadReplies), model.ThreadReads, []*ThreadNode{top}
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

// open reads the next replies to a tweet, and the tombstones of those that were deleted and
// had replies themselves. It returns how many reads that was.
func (r *Threads) open(ctx context.Context, n *ThreadNode, size int) (reads int, err error) {
	var found model.Page[*model.Tweet]
	var tombs model.Page[*model.Tombstone]
	work, within := safely.WithContext(ctx)
	work.Go(func() (err error) {
		found, err = r.facts.Replies(within, n.ID, n.Next, size)
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
			depth++ // a tweet that is hidden shows only above what answers it, which is read with it
		}
		n.Replies = append(n.Replies, &ThreadNode{Seen: facts.Seen{ID: t.ID, Tweet: t}, depth: depth, replies: t.ReplyCount})
	}
	for _, t := range tombs.Items {
		n.Replies = append(n.Replies, &ThreadNode{Seen: facts.Seen{ID: t.ID, Tombstone: t}, depth: n.depth + 1, replies: 1})
	}
	// A tweet that came back beside its tombstone, see DeleteTweet, is there once.
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

// place is where a reply is among the replies to one tweet.
func place(id model.TweetID) model.Cursor { return model.Cursor{At: id.Time(), ID: string(id)} }

// tombstones reads the tombstones of replies that had replies, oldest reply first.
//
// Cost: 1 read for each, at least 1.
func (r *Threads) tombstones(ctx context.Context, id model.TweetID, from model.Cursor,
	limit int) (model.Page[*model.Tombstone], error) {
	q := r.db.Client.Collection(model.Tombstones).Where("replyTo", "==", id)
	return db.Page(ctx, q, firestore.FieldPath{"repliedAt"}, firestore.Asc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.Tombstone, model.Cursor, error) {
			t := &model.Tombstone{ID: model.TweetID(snap.Ref.ID)}
			return t, place(t.ID), snap.DataTo(t)
		})
}

// prune removes tweets that the viewer may not see, unless the viewer sees replies below
// them.
func prune(n *ThreadNode) {
	for _, reply := range n.Replies {
		prune(reply)
	}
	n.Replies = slices.DeleteFunc(n.Replies, func(reply *ThreadNode) bool {
		return reply.Tweet == nil && len(reply.Replies) == 0 && (reply.Tombstone == nil || !reply.More)
	})
}
