package api

import (
	"context"
	"net/http"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/activitypub"
	"github.com/hibana-sns/hibana/internal/fediverse"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/profiles"
)

// ownActor answers the actor of the installation itself, which signs its requests. It is open to everybody: a server
// that checks a signature has no key to sign with before it knows this one.
//
// Cost: that of [federation.Store.Key].
func (s *service) ownActor(ctx context.Context) (*fediverseAnswer, error) {
	a, err := s.documents().Own(ctx)
	if err != nil {
		return nil, err
	}
	return answered(http.StatusOK, a)
}

// actor answers the actor that a user is.
//
// Cost: that of fediverseUser, 1 read for the whole texts, and that of [federation.Store.Key]: 4 reads at most, and 3
// more and 1 write at the user's first.
func (s *service) actor(ctx context.Context, in *FediverseUser) (*fediverseAnswer, error) {
	u, err := s.fediverseUser(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	a, err := s.documents().Actor(ctx, u)
	if err != nil {
		return nil, err
	}
	return answered(http.StatusOK, a)
}

// listOf answers a collection, or the page of it for which in asks. read returns the items from a place on, and the
// place at which the next page begins. hidden is whether nobody sees the items.
func listOf[P comparable](s *service, id, page string, total int64, hidden bool,
	read func(from P) ([]any, P, error)) (*fediverseAnswer, error) {
	c := activitypub.Collection{Context: activitypub.Context, ID: id, Type: "OrderedCollection", TotalItems: &total}
	if page == "" {
		if !hidden {
			c.First = id + "?page=true"
		}
		return answered(http.StatusOK, c)
	}
	c.Type, c.PartOf, c.ID = "OrderedCollectionPage", id, id+"?page="+page
	items := []any{}
	if !hidden {
		if page == "true" {
			page = ""
		}
		found, err := server.Page(s.Server, "fediverse "+id, server.Paging{PageToken: page}, read, nil)
		if err != nil {
			return nil, err
		}
		items = append(items, found.Items...)
		if found.Next != "" {
			c.Next = id + "?page=" + found.Next
		}
	}
	c.OrderedItems = &items
	return answered(http.StatusOK, c)
}

// outbox answers the activities by which a user posted what the public page of the profile lists, newest first. They
// name the posts by address.
//
// Cost: that of fediverseUser; for a page that of publicTweets.
func (s *service) outbox(ctx context.Context, in *fediverseUserPage) (*fediverseAnswer, error) {
	u, err := s.fediverseUser(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	site := s.fediverse()
	id := site.User(u.ID)
	return listOf(s, fediverse.Of(id, "outbox"), in.Page, u.TweetCount, u.Locked,
		func(before model.TweetID) (items []any, next model.TweetID, err error) {
			var found []profiles.PreviewOf
			found, next, err = s.Cards.TweetsBy(ctx, model.Viewer{}, u.ID, before, fediversePage)
			for _, p := range found {
				if p.Visibility == "" || p.Visibility == model.Public {
					items = append(items, s.documents().PublicCreation(u.ID, p.ID))
				}
			}
			return items, next, err
		})
}

// actorFollowers answers who follows a user, newest first. Those of a locked user are a number alone.
//
// Cost: that of fediverseUser; for a page that of [graph.Store.Followers].
func (s *service) actorFollowers(ctx context.Context, in *fediverseUserPage) (*fediverseAnswer, error) {
	return s.relationsOf(ctx, in, "followers", s.Graph.Followers, func(u *model.User) int64 { return u.FollowerCount },
		func(r model.Relationship) model.UserID { return r.FollowerID })
}

// actorFollowing answers whom a user follows, as actorFollowers does.
//
// Cost: that of fediverseUser; for a page that of [graph.Store.Following].
func (s *service) actorFollowing(ctx context.Context, in *fediverseUserPage) (*fediverseAnswer, error) {
	return s.relationsOf(ctx, in, "following", s.Graph.Following, func(u *model.User) int64 { return u.FollowedCount },
		func(r model.Relationship) model.UserID { return r.FollowedID })
}

func (s *service) relationsOf(ctx context.Context, in *fediverseUserPage, part string,
	read func(context.Context, model.UserID, model.Cursor, int) (model.Page[model.Relationship], error),
	count func(*model.User) int64, who func(model.Relationship) model.UserID) (*fediverseAnswer, error) {
	u, err := s.fediverseUser(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	site := s.fediverse()
	return listOf(s, fediverse.Of(site.User(u.ID), part), in.Page, count(u), u.Locked,
		func(from model.Cursor) (items []any, next model.Cursor, err error) {
			found, err := read(ctx, u.ID, from, fediversePage)
			if err != nil {
				return nil, next, err
			}
			iris, err := s.documents().UserIRIs(ctx, each(found.Items, who))
			for _, iri := range iris {
				items = append(items, iri)
			}
			return items, found.Next, err
		})
}

// featured answers the posts that a user pinned, as far as everybody may see them.
//
// Cost: that of fediverseUser, 1 read for the pins, and for each, at most 5, 1 if it is not cached, 2 if it is hidden
// or gone.
func (s *service) featured(ctx context.Context, in *FediverseUser) (*fediverseAnswer, error) {
	u, err := s.fediverseUser(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	items := []any{}
	if !u.Locked {
		pinned, err := s.Pins.Of(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		seen, err := s.Tweets.Batch(ctx, each(pinned, func(p model.Pinned) model.TweetID { return p.TweetID }),
			model.Viewer{})
		if err != nil {
			return nil, err
		}
		for _, t := range seen {
			if t.Tweet != nil {
				items = append(items, s.fediverse().Post(t.ID))
			}
		}
	}
	total := int64(len(items))
	return answered(http.StatusOK, activitypub.Collection{Context: activitypub.Context,
		ID:   fediverse.Of(s.fediverse().User(u.ID), "featured"),
		Type: "OrderedCollection", TotalItems: &total, OrderedItems: &items})
}
