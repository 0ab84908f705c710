package facts

import (
	"context"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/visibility"
)

// Visible tells which of some tweets a viewer may see. paid are the hidden ones that have cost a
// read, as [visibility.Of] has it.
//
// Cost: what [visibility.Of] costs.
func (s *Store) Visible(ctx context.Context, v model.Viewer, tweets []*model.Tweet) (visible,
	paid map[model.TweetID]bool, err error) {
	defer errs.Wrap(&err, "facts.Visible(%d)", len(tweets))
	return visibility.Of(ctx, s.db, v, tweets)
}

// looked is what look has found.
type looked struct {
	seen   map[model.TweetID]*model.Tweet // what the viewer may see
	hidden []model.TweetID                // the others, each once: those that are hidden, gone or unknown
	loaded []model.TweetID                // those that look has read, and not got from the cache or another caller
	paid   map[model.TweetID]bool         // the hidden ones for which a second read is done
}

// look reads tweets through the cache and tells which of them a viewer may see. Each that the
// viewer does not see costs the same, whatever the cache has, so that nobody can tell what is
// hidden from what is gone or unknown: 1 read of the tweet, which look does itself if the cache had
// the tweet or another caller was reading it, and 1 read more. That is done for those in paid; for
// every other one the caller reads its tombstone.
//
// Cost: 1 read for each tweet that is not cached or that the viewer does not see, and 1 for each author of tweets for
// followers among them.
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
			// it is shown to more people now, or there
			seen[id], visible[id] = t, model.Visible(v, t, model.ViewerRelationship{})
		}
		hidden = slices.DeleteFunc(hidden, func(id model.TweetID) bool { return visible[id] })
	}
	maps.DeleteFunc(seen, func(id model.TweetID, _ *model.Tweet) bool { return !visible[id] })
	return &looked{seen, hidden, loaded, paid}, nil
}

// Even reads what makes tweets that are there, and were read whoever may see them, cost as much as
// tweets that are gone, for a viewer who may not see them. paid are those for which a relationship
// was read.
//
// Cost: 1 read for each tweet that came from the cache, and 1 for each that is not in paid.
func (s *Store) Even(ctx context.Context, v model.Viewer, hidden []Seen, paid map[model.TweetID]bool) (err error) {
	defer errs.Wrap(&err, "facts.Even(%d)", len(hidden))
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

// requireVisible returns an error unless a viewer may see a tweet, which is there. Hidden
// tweets, unknown ones and those that are gone have the same cost, so that nobody can tell
// one from the other.
//
// Cost: nothing for a tweet that the viewer may see, unless it is for followers; 1 read for
// one of these, and for a hidden tweet.
func (s *Store) requireVisible(ctx context.Context, v model.Viewer, t *model.Tweet) error {
	switch {
	case model.Visible(v, t, model.ViewerRelationship{}):
		return nil
	case !model.FollowDecides(v, t):
		return s.gone(ctx, v, t.ID)
	}
	follows, err := s.db.Get(ctx, s.db.Relationship(v.ID, t.AuthorID), nil)
	if err == nil && !follows {
		err = model.NoTweet(t.ID)
	}
	return err
}

// gone returns the error that says why a tweet is not there: errs.Gone with a [*Deleted]
// inside, if the viewer may know, or errs.NotFound. A tweet that is there and hidden gets errs.NotFound at the same
// cost, so that nobody can tell it from an unknown one.
//
// Cost: 1 read.
func (s *Store) gone(ctx context.Context, v model.Viewer, id model.TweetID) error {
	tombs, err := s.tombstones(ctx, v, []model.TweetID{id})
	if err != nil {
		return err
	}
	if tomb := tombs[id]; tomb != nil {
		return &errs.Error{Kind: errs.Gone, Code: "tweet_deleted", Msg: "this tweet was deleted", Err: &Deleted{*tomb}}
	}
	return model.NoTweet(id)
}

// tombstones reads the tombstones of tweets that are gone, those that a viewer may know of.
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
