package access

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Check holds the documents that decide whether an actor may react to a tweet.
type Check struct {
	Tweet               *model.Tweet
	Author              *model.User // has BlockStrangers alone; empty for the actor's own tweet, and without strangers
	ViewerRelationships model.ViewerRelationship
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
func (s *Store) Check(ctx context.Context, actor model.UserID, id model.TweetID, strangers bool) (e Check, err error) {
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
			return e, err
		}
		if !found {
			return e, s.Gone(ctx, viewer, id)
		}
		if err := s.RequireVisible(ctx, viewer, e.Tweet); err != nil {
			return e, err
		}
		author = e.Tweet.AuthorID
	}
	graph := &db.Found[model.ViewerGraph]{}
	if author != actor {
		graph = db.Find[model.ViewerGraph](&l, s.db.Viewer(author))
	} else if cached == nil { // the actor's own tweet
		return e, nil
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return e, err
	}
	if cached != nil {
		e.Tweet, cached.Doc.ID = &cached.Doc, id
		if !cached.Found {
			s.tweets.Forget(id)
			return e, s.Gone(ctx, viewer, id)
		}
		if err := s.RequireVisible(ctx, viewer, e.Tweet); err != nil {
			s.tweets.Forget(id)
			return e, err
		}
	}
	err = s.relate(ctx, &e, viewer, author, &graph.Doc, strangers)
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
