package facts

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// profileKnown is for how long a process remembers that a user has a profile.
const profileKnown = time.Minute

// Encounter is what decides whether an actor may do something with a tweet.
type Encounter struct {
	Tweet  *model.Tweet
	Author *model.User // empty for the actor's own tweet, and unless wanted
	Ties   model.Ties
}

// Encounter reads a tweet and what stands between an actor and its author: whether the
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
func (s *Store) Encounter(ctx context.Context, actor model.UserID, id model.TweetID, strangers bool) (e Encounter, err error) {
	viewer := model.Viewer{ID: actor, Role: model.Member} // whoever acts has the rights of a member
	e.Tweet, e.Author = &model.Tweet{ID: id}, &model.User{}
	var refs []*firestore.DocumentRef
	var author model.UserID
	known, ok := s.tweets.Peek(id)
	if ok && model.Visible(viewer, known, model.Ties{}) {
		author, refs = known.AuthorID, []*firestore.DocumentRef{s.db.Tweet(id)}
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
	if author != actor {
		refs = append(refs, s.db.Block(author, actor))
		if strangers {
			refs = append(refs, s.db.Relationship(author, actor), s.db.User(author))
		}
	}
	if len(refs) == 0 { // the actor's own tweet
		return e, nil
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return e, err
	}
	if refs[0].Parent.ID == model.Tweets {
		found, err := db.Decode(snaps[0], nil)(e.Tweet)
		if err != nil {
			return e, err
		}
		if !found {
			s.tweets.Forget(id)
			return e, s.gone(ctx, viewer, id)
		}
		if err := s.requireVisible(ctx, viewer, e.Tweet); err != nil {
			s.tweets.Forget(id)
			return e, err
		}
		snaps = snaps[1:]
	}
	e.Ties.Follows = model.FollowDecides(viewer, e.Tweet)
	if author != actor {
		e.Ties.Blocked = snaps[0].Exists()
		if strangers {
			e.Ties.Followed = snaps[1].Exists()
			_, err = db.Decode(snaps[2], nil)(e.Author)
		}
	}
	return e, err
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
