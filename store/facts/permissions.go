package facts

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// permission reads what decides whether actor may like a tweet or reply to a tweet: the
// tweet, its author's profile, whether the author blocked the actor, and whether the
// author follows the actor. The refusal is empty if the author lets the actor. The caller
// checks what the tweet itself allows.
//
// If the tweet is cached, its author is known, and one round trip reads all. Otherwise the
// tweet is read first. Nothing is locked: permission may miss a switch that changes at
// this very moment.
//
// Cost: 4 reads; 1 read for the actor's own tweet.
// A tweet that is gone costs 2 reads; 5 reads if the tweet is still cached.
func (s *Store) permission(ctx context.Context, actor model.UserID, id model.TweetID) (t *model.Tweet, refusal string, err error) {
	var author model.UserID
	t = &model.Tweet{ID: id}
	refs := []*firestore.DocumentRef{}
	if known, ok := s.tweets.Peek(id); ok {
		author = known.AuthorID
		refs = append(refs, s.db.Tweet(id))
	} else {
		found, err := s.db.Get(ctx, s.db.Tweet(id), t)
		if err != nil {
			return nil, "", err
		}
		if !found {
			return nil, "", s.gone(ctx, id)
		}
		author = t.AuthorID
	}
	var profile model.User
	blocked, followed := false, true
	if author != actor {
		refs = append(refs, s.db.Doc(model.Users, string(author)), s.db.Block(author, actor), s.db.Relationship(author, actor))
	}
	if len(refs) > 0 {
		snaps, err := s.db.Client.GetAll(ctx, refs)
		if err != nil {
			return nil, "", err
		}
		if refs[0].Parent.ID == model.Tweets {
			found, err := db.Decode(snaps[0], nil)(t)
			if err != nil {
				return nil, "", err
			}
			if !found {
				s.tweets.Forget(id)
				return nil, "", s.gone(ctx, id)
			}
			snaps = snaps[1:]
		}
		if author != actor {
			if _, err := db.Decode(snaps[0], nil)(&profile); err != nil {
				return nil, "", err
			}
			blocked, followed = snaps[1].Exists(), snaps[2].Exists()
		}
	}
	switch {
	case blocked:
		refusal = "blocked"
	case profile.BlockStrangers && !followed:
		refusal = "strangers_blocked"
	}
	return t, refusal, nil
}

// refuse returns the error of a refusal of permission, or of the tweet itself.
func refuse(code, action string) error {
	switch code {
	case "blocked":
		return errs.New(errs.Forbidden, code, "the author has blocked you, so you cannot %s", action)
	case "strangers_blocked":
		return errs.New(errs.Forbidden, code, "the author lets only people whom they follow %s", action)
	}
	return errs.New(errs.Forbidden, code, "the author lets nobody %s", action)
}
