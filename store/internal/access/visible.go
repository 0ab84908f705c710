package access

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/visibility"
)

// Visible returns which of some tweets a viewer may see. paid has the hidden tweets that have already cost a read, as
// in [visibility.Of].
//
// Cost: the cost of [visibility.Of].
func (s *Store) Visible(ctx context.Context, v model.Viewer, tweets []*model.Tweet) (visible,
	paid map[model.TweetID]bool, err error) {
	defer errs.Wrap(&err, "access.Visible(%d)", len(tweets))
	return visibility.Of(ctx, s.db, v, tweets)
}

// looked is the result of look.
type looked struct {
	seen   map[model.TweetID]*model.Tweet // the tweets that the viewer may see
	hidden []model.TweetID                // the other tweets, each once: hidden, gone or unknown
	loaded []model.TweetID                // tweets that look has read itself, not got from the cache or another caller
	paid   map[model.TweetID]bool         // the hidden tweets for which the second read is done
}

// look reads tweets through the cache, and decides which of them a viewer may see. Each invisible tweet costs the same,
// whatever is cached. So no viewer can tell a hidden tweet from a tweet that is gone or unknown. The first cost is 1
// read of the tweet. look makes that read itself if the tweet came from the cache or from another caller's read. The
// second cost is 1 more read. look has made it for the tweets in paid; for every other tweet the caller reads the
// tombstone.
//
// Cost: 1 read a tweet that is uncached or invisible, and 1 read an author of tweets for followers.
func (s *Store) look(ctx context.Context, v model.Viewer, ids []model.TweetID) (*looked, error) {
	seen, loaded, err := s.tweets.Paid(ctx, ids)
	if err != nil {
		return nil, err
	}
	visible, paid, err := visibility.Of(ctx, s.db, v, slices.Collect(maps.Values(seen)))
	if err != nil {
		return nil, err
	}
	var hidden []model.TweetID
	var again []model.TweetID
	for _, id := range ids {
		if !visible[id] && !slices.Contains(hidden, id) {
			hidden = append(hidden, id)
			if !slices.Contains(loaded, id) {
				again = append(again, id)
			}
		}
	}
	if len(again) > 0 {
		now, err := s.readTweets(ctx, again)
		if err != nil {
			return nil, err
		}
		for id, t := range now {
			s.tweets.Put(id, t)
			// More viewers may see the tweet now, or the tweet exists now.
			seen[id], visible[id] = t, model.Visible(v, t, model.ViewerRelationship{})
		}
		hidden = slices.DeleteFunc(hidden, func(id model.TweetID) bool { return visible[id] })
	}
	maps.DeleteFunc(seen, func(id model.TweetID, _ *model.Tweet) bool { return !visible[id] })
	return &looked{seen, hidden, loaded, paid}, nil
}

// Even makes reads, so that existing tweets that a viewer may not see cost as much as tweets that are gone. The caller
// has read the tweets without a check of visibility. paid has the tweets for which a relationship was read.
//
// Cost: 1 read for each tweet that came from the cache, and 1 for each tweet that is not in paid.
func (s *Store) Even(ctx context.Context, v model.Viewer, hidden []Seen, paid map[model.TweetID]bool) (err error) {
	defer errs.Wrap(&err, "access.Even(%d)", len(hidden))
	var again, second []model.TweetID
	for _, t := range hidden {
		if !t.Loaded {
			again = append(again, t.ID)
		}
		if !paid[t.ID] {
			second = append(second, t.ID)
		}
	}
	if len(again) > 0 {
		if _, err := s.readTweets(ctx, again); err != nil {
			return err
		}
	}
	_, err = s.tombstones(ctx, v, second)
	return err
}

// RequireVisible returns an error unless a viewer may see an existing tweet. Hidden, unknown and deleted tweets cost
// the same. So no viewer can tell one from the other.
//
// Cost: nothing for a visible tweet; 1 read for a tweet that is for followers or hidden.
func (s *Store) RequireVisible(ctx context.Context, v model.Viewer, t *model.Tweet) error {
	switch {
	case model.Visible(v, t, model.ViewerRelationship{}):
		return nil
	case !model.FollowDecides(v, t):
		return s.Gone(ctx, v, t.ID)
	}
	follows, err := s.db.Get(ctx, s.db.Relationship(v.ID, t.AuthorID), nil)
	if err == nil && !follows {
		err = model.NoTweet(t.ID)
	}
	return err
}

// Gone returns the error for a tweet that does not exist. If the viewer may know of the deletion, the error is
// errs.Gone with a [*Deleted] inside. Otherwise it is errs.NotFound. A hidden tweet gets errs.NotFound at the same
// cost, so that no viewer can tell it from an unknown tweet.
//
// Cost: 1 read.
func (s *Store) Gone(ctx context.Context, v model.Viewer, id model.TweetID) error {
	tombs, err := s.tombstones(ctx, v, []model.TweetID{id})
	if err != nil {
		return err
	}
	if tomb := tombs[id]; tomb != nil {
		return &errs.Error{Kind: errs.Gone, Code: "tweet_deleted", Msg: "this tweet was deleted", Err: &Deleted{*tomb}}
	}
	return model.NoTweet(id)
}

// tombstones reads the tombstones of deleted tweets, as far as the viewer may know of them.
//
// Cost: 1 read for each id.
func (s *Store) tombstones(ctx context.Context, v model.Viewer,
	ids []model.TweetID) (map[model.TweetID]*model.Tombstone, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	tombs, err := db.ReadAll(ctx, s.db, model.Tombstones, ids, func(id model.TweetID, t *model.Tombstone) { t.ID = id })
	maps.DeleteFunc(tombs, func(_ model.TweetID, t *model.Tombstone) bool { return !model.VisibleTombstone(v, t) })
	return tombs, err
}

// Deleted is the cause inside the errs.Gone error of a deleted tweet.
type Deleted struct{ model.Tombstone }

func (d *Deleted) Error() string { return fmt.Sprintf("tweet %s was deleted", d.ID) }
