package access

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Check holds the documents that decide whether an actor may react to a tweet.
type Check struct {
	Tweet               *model.Tweet
	Author              *model.User // has BlockStrangers alone; empty for the actor's own tweet, and without strangers
	ViewerRelationships model.ViewerRelationship

	// AllowedAt is the database time at which neither the author nor the actor blocked the other, and the author's
	// settings, policy and mutes took notifications of the reaction. It is zero if one of that was not so, or is not
	// known.
	AllowedAt time.Time
}

// CheckReaction is [Store.MayWrite] and [Store.Check] for a reaction of a kind. It also reads the document of the
// actor's graph: this has whom the actor blocks, and an actor with a whole one has a profile.
//
// Cost: 3 reads; 1 read for the actor's own tweet, and 1 more if the process does not remember the actor's profile. If
// a graph is not whole, up to 4 reads more.
func (s *Store) CheckReaction(ctx context.Context, actor model.UserID, id model.TweetID, kind model.NotificationKind,
	strangers bool) (Check, error) {
	e, member, err := s.check(ctx, actor, id, strangers, kind)
	if !member {
		if failure := s.MayWrite(ctx, actor); failure != nil {
			return Check{}, failure
		}
	}
	return e, err
}

// Check reads a tweet, and whether its author blocks the actor. If strangers is true, it also reads whether the author
// blocks strangers, and follows the actor. The document of the author's graph has all of that, as it is now. Check
// reads whether the actor follows the author only for a tweet for followers, and reads that first. A tweet that is gone
// is errs.Gone. An unknown tweet is errs.NotFound, and so is a tweet that the actor may not see.
//
// If the tweet is cached, Check knows its author and reads everything in one round trip. Otherwise Check reads the
// tweet first. Check takes no lock, so the answer may miss a change of the same moment.
//
// Cost: 2 reads; 1 read for the actor's own tweet. If the author's graph is not whole, up to 3 reads more.
func (s *Store) Check(ctx context.Context, actor model.UserID, id model.TweetID, strangers bool) (Check, error) {
	e, _, err := s.check(ctx, actor, id, strangers, "")
	return e, err
}

// check is Check. For a reaction of a kind it also reads the document of the actor's graph, and sets AllowedAt. member
// says that the actor is known to have a profile.
func (s *Store) check(ctx context.Context, actor model.UserID, id model.TweetID, strangers bool,
	kind model.NotificationKind) (e Check, member bool, err error) {
	viewer := model.Viewer{ID: actor, Role: model.Member} // every actor has the rights of a member
	e.Tweet, e.Author = &model.Tweet{ID: id}, &model.User{}
	var l db.Lookup
	var cached *db.Found[model.Tweet] // the tweet as it is now; nil if the tweet was read first
	var author model.UserID
	known, ok := s.tweets.Peek(id)
	if ok && model.Visible(viewer, known, model.ViewerRelationship{}) {
		author, cached = known.AuthorID, db.Find[model.Tweet](&l, s.db.Tweet(id))
	} else {
		found, err := s.db.Get(ctx, s.db.Tweet(id), e.Tweet)
		if err != nil {
			return e, false, err
		}
		if !found {
			return e, false, s.Gone(ctx, viewer, id)
		}
		if err := s.RequireVisible(ctx, viewer, e.Tweet); err != nil {
			return e, false, err
		}
		author = e.Tweet.AuthorID
	}
	graph, own := &db.Found[model.ViewerGraph]{}, &db.Found[model.ViewerGraph]{}
	if author != actor {
		graph = db.Find[model.ViewerGraph](&l, s.db.Viewer(author))
		if kind != "" {
			own = db.Find[model.ViewerGraph](&l, s.db.Viewer(actor))
		}
	} else if cached == nil { // the actor's own tweet
		return e, false, nil
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return e, false, err
	}
	if cached != nil {
		e.Tweet, cached.Doc.ID = &cached.Doc, id
		if !cached.Found {
			s.tweets.Forget(id)
			return e, false, s.Gone(ctx, viewer, id)
		}
		if err := s.RequireVisible(ctx, viewer, e.Tweet); err != nil {
			s.tweets.Forget(id)
			return e, false, err
		}
	}
	if n := (&model.NotificationEvent{Type: kind}); graph.Doc.Whole && own.Doc.Whole && !graph.Doc.Blocks[actor] &&
		!own.Doc.Blocks[author] && graph.Doc.Choice != nil && graph.Doc.Choice.Wants(n) &&
		!graph.Doc.Choice.Policy.Acts(kind) &&
		!graph.Doc.Muted[actor].Silences(n, s.db.Now()) {
		e.AllowedAt = s.db.Server.ReadAt(own.Snap) // of both, as one round trip has one time
	}
	err = s.relate(ctx, &e, viewer, author, &graph.Doc, strangers)
	return e, own.Doc.Whole, err
}

// CheckRoot reads the root of the thread of a tweet, which holds replies, and how the author of the root and an actor
// are related. Tweet is nil if the root is gone.
//
// Cost: 2 reads. If the author's graph is not whole, up to 3 reads more.
func (s *Store) CheckRoot(ctx context.Context, actor model.UserID, t *model.Tweet) (e Check, err error) {
	var l db.Lookup
	root := db.Find[model.Tweet](&l, s.db.Tweet(t.RootID))
	graph := db.Find[model.ViewerGraph](&l, s.db.Viewer(t.RepliesHeldBy))
	if err := s.db.Read(ctx, &l); err != nil || !root.Found {
		return e, err
	}
	e.Tweet = &root.Doc
	e.Tweet.ID = t.RootID
	err = s.relate(ctx, &e, model.Viewer{ID: actor, Role: model.Member}, t.RepliesHeldBy, &graph.Doc, true)
	return e, err
}

// relate decides from the author's graph how the author and the actor are related. What the graph lacks is read.
//
// Cost: nothing, or up to 3 reads.
func (s *Store) relate(ctx context.Context, e *Check, viewer model.Viewer, author model.UserID,
	graph *model.ViewerGraph, strangers bool) error {
	e.ViewerRelationships.Follows = model.FollowDecides(viewer, e.Tweet)
	if author == viewer.ID {
		return nil
	}
	_, follows := graph.Follows[viewer.ID]
	blocked, followed := &db.Found[struct{}]{Found: graph.Blocks[viewer.ID]}, &db.Found[struct{}]{Found: follows}
	profile := &db.Found[model.User]{}
	var l db.Lookup
	if !graph.Whole {
		blocked = db.Find[struct{}](&l, s.db.Block(author, viewer.ID))
	}
	if strangers && !graph.Whole {
		followed = db.Find[struct{}](&l, s.db.Relationship(author, viewer.ID))
	}
	if strangers && graph.BlockStrangers == nil {
		profile = db.Find[model.User](&l, s.db.User(author))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	if e.Author = &profile.Doc; strangers && graph.BlockStrangers != nil {
		e.Author.BlockStrangers = *graph.BlockStrangers
	}
	e.ViewerRelationships.Blocked, e.ViewerRelationships.Followed = blocked.Found, followed.Found
	return nil
}
