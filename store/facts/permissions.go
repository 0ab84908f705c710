package facts

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// profileKnown is for how long a process remembers that a user has a profile.
const profileKnown = time.Minute

// AccessCheck is what decides whether an actor may do something with a tweet.
type AccessCheck struct {
	Tweet               *model.Tweet
	Author              *model.User // empty for the actor's own tweet, and unless wanted
	ViewerRelationships model.ViewerRelationship
}

// AccessCheck reads a tweet and what stands between an actor and its author: whether the
// author blocks the actor, and, if strangers is true, the author's profile and whether the
// author follows the actor. A tweet that is gone is errs.Gone, and an unknown tweet
// errs.NotFound, as is a tweet that the actor may not see. Whether the actor follows the
// author is known only for a tweet for followers, and read first.
//
// If the tweet is cached, its author is known, and one round trip reads all. Otherwise the
// tweet is read first. Nothing is locked: the answer may miss a switch that changes at this
// very moment.
//
// Cost: 2 reads; 4 reads with strangers; 1 read for the actor's own tweet. 1 read more for a
// tweet for followers that is not the actor's own.
// A tweet that is gone or hidden costs 2 reads; if the tweet is still cached, 1 read more
// than one that is there.
func (s *Store) AccessCheck(ctx context.Context, actor model.UserID, id model.TweetID, strangers bool) (e AccessCheck,
	err error) {
	viewer := model.Viewer{ID: actor, Role: model.Member} // whoever acts has the rights of a member
	e.Tweet, e.Author = &model.Tweet{ID: id}, &model.User{}
	var l db.Lookup
	var cached *db.Found[model.Tweet] // as it is now; nil if the tweet was read first
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
			return e, s.gone(ctx, viewer, id)
		}
		if err := s.requireVisible(ctx, viewer, e.Tweet); err != nil {
			return e, err
		}
		author = e.Tweet.AuthorID
	}
	blocked, followed, profile := &db.Found[struct{}]{}, &db.Found[struct{}]{}, &db.Found[model.User]{}
	if author != actor {
		blocked = db.Find[struct{}](&l, s.db.Block(author, actor))
		if strangers {
			followed, profile = db.Find[struct{}](&l, s.db.Relationship(author, actor)),
				db.Find[model.User](&l, s.db.User(author))
		}
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
			return e, s.gone(ctx, viewer, id)
		}
		if err := s.requireVisible(ctx, viewer, e.Tweet); err != nil {
			s.tweets.Forget(id)
			return e, err
		}
	}
	e.Author = &profile.Doc
	e.ViewerRelationships = model.ViewerRelationship{Follows: model.FollowDecides(viewer, e.Tweet), Blocked: blocked.Found,
		Followed: followed.Found}
	return e, nil
}

// MayWrite returns errs.Forbidden for a user without a profile. A process remembers for
// profileKnown that a user has a profile.
//
// Cost: nothing, or 1 read if the process does not remember the user's profile.
func (s *Store) MayWrite(ctx context.Context, uid model.UserID) error {
	if _, found, err := s.members.One(ctx, uid); err != nil || found {
		return err
	}
	return model.MayWrite(model.NoProfile)
}

// readMembers loads for the cache which users have profiles.
//
// Cost: 1 read for each profile that is not cached.
func (s *Store) readMembers(ctx context.Context, uids []model.UserID) (map[model.UserID]struct{}, error) {
	users, err := s.users.All(ctx, uids)
	members := make(map[model.UserID]struct{}, len(users))
	for uid := range users {
		members[uid] = struct{}{}
	}
	return members, err
}
