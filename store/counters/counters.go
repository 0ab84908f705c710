// Package counters keeps counts: of followers, tweets, uses of tags, likes, shares and
// replies. A count that moves seldom is incremented in its document. A count that moves
// more than once a second is hot: its increments go to shards, and a roll-up moves them
// into the document about once a second.
package counters

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
	"github.com/hibana-sns/hibana/store/internal/heat"
)

// Store keeps counts. Its methods may be called concurrently. Their errors are those of
// package errs.
type Store struct {
	db      *db.DB
	log     *slog.Logger
	facts   *facts.Store
	heat    *heat.Heat
	every   time.Duration // between two roll-ups of a document
	rollUps *groupcommit.Group[rollUp, struct{}, struct{}]
}

// New returns the counters of a database. Increments of a hot counter wait in its shards
// for every.
func New(d *db.DB, f *facts.Store, h *heat.Heat, every time.Duration, log *slog.Logger) *Store {
	s := &Store{db: d, log: log, facts: f, heat: h, every: every}
	s.rollUps = groupcommit.New(min(askEvery, every), 0, s.askRollUp)
	return s
}

// Effect names what one function does because of one event. An effect is
// committed together with a record of it, so that it happens once however often
// the event is delivered.
type Effect struct {
	EventID  string
	Function string
}

// move is a counter of a document, as a field path, and by how much it moves.
type move struct {
	field firestore.FieldPath
	by    int64
}

// CountFollow moves both users' counts by one up or down: 3 writes.
func (s *Store) CountFollow(ctx context.Context, e Effect, follower, followed model.UserID, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountFollow(%q)", e.EventID)
	_, err = s.count(ctx, e, map[*firestore.DocumentRef][]move{
		s.db.Doc(model.Users, string(follower)): {{firestore.FieldPath{model.FollowedCount}, by}},
		s.db.Doc(model.Users, string(followed)): {{firestore.FieldPath{model.FollowerCount}, by}},
	})
	return err
}

// CountTweet moves the author's count of tweets and of uses of each tag: 2 writes.
func (s *Store) CountTweet(ctx context.Context, e Effect, author model.UserID, tags []string, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountTweet(%q)", e.EventID)
	moves := []move{{firestore.FieldPath{model.TweetCount}, by}}
	for _, tag := range tags {
		moves = append(moves, move{firestore.FieldPath{model.TagsUsed, tag}, by})
	}
	_, err = s.count(ctx, e, map[*firestore.DocumentRef][]move{s.db.Doc(model.Users, string(author)): moves})
	return err
}

// CountTags moves the count of each tag: a write each, and one. If one is used for the
// first time, it costs a read for each of them, and a write for each new one, more.
func (s *Store) CountTags(ctx context.Context, e Effect, by map[string]int64, labels map[string]string) (err error) {
	defer errs.Wrap(&err, "counters.CountTags(%q)", e.EventID)
	moves := map[*firestore.DocumentRef][]move{}
	for tag, n := range by {
		moves[s.db.Tag(tag)] = []move{{firestore.FieldPath{model.TweetCount}, n}}
	}
	shards := s.spread(moves)
	err = s.tryCount(ctx, e, moves, shards)
	if db.NotFound(err) {
		if err := s.ensureTags(ctx, slices.Collect(maps.Keys(by)), labels); err != nil {
			return err
		}
		err = s.tryCount(ctx, e, moves, shards)
	}
	return err
}

// CountReply moves the count of replies of a tweet: 2 writes, or none if the tweet
// is gone.
func (s *Store) CountReply(ctx context.Context, e Effect, parent model.TweetID, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountReply(%q)", e.EventID)
	_, err = s.count(ctx, e, map[*firestore.DocumentRef][]move{s.db.Tweet(parent): {{firestore.FieldPath{model.ReplyCount}, by}}})
	return err
}

// CountLike moves the count of likes of a tweet. A like that came while its tweet was
// being deleted is removed.
//
// Cost: 2 writes; 1 read if the tweet is gone, and what [facts.Store.Unlike] costs.
func (s *Store) CountLike(ctx context.Context, e Effect, l *model.Like, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountLike(%q)", e.EventID)
	return s.countReaction(ctx, e, l, model.LikeCount, by, s.facts.Unlike)
}

// CountShare moves the count of shares of a tweet, as CountLike does for likes.
//
// Cost: 2 writes; 1 read and 1 delete if the tweet is gone.
func (s *Store) CountShare(ctx context.Context, e Effect, l *model.Like, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountShare(%q)", e.EventID)
	return s.countReaction(ctx, e, l, model.ShareCount, by, s.facts.Unshare)
}

func (s *Store) countReaction(ctx context.Context, e Effect, l *model.Like, field string, by int64,
	remove func(context.Context, model.UserID, model.TweetID) error) error {
	there, err := s.count(ctx, e, map[*firestore.DocumentRef][]move{s.db.Tweet(l.TweetID): {{firestore.FieldPath{field}, by}}})
	if err != nil || there || by < 0 {
		return err
	}
	return remove(ctx, l.UserID, l.TweetID)
}

// count applies an effect's moves, leaving out documents that are gone, for
// which there is nothing to count. It tells whether any was there; a repeated
// effect says true.
func (s *Store) count(ctx context.Context, e Effect, moves map[*firestore.DocumentRef][]move) (bool, error) {
	shards := s.spread(moves)
	for {
		err := s.tryCount(ctx, e, moves, shards)
		if !db.NotFound(err) {
			return true, err
		}
		left, err := s.onlyExisting(ctx, moves)
		if err != nil || len(left) == 0 {
			return false, err
		}
		moves = left
	}
}

// spread notes that counters move, once for an effect however often it is tried, and
// tells which shard of each document is to be written; cold is the document itself.
func (s *Store) spread(moves map[*firestore.DocumentRef][]move) map[*firestore.DocumentRef]int {
	shards := make(map[*firestore.DocumentRef]int, len(moves))
	for ref, list := range moves {
		shards[ref] = s.heat.Shard(ref.Path + "#" + list[0].field[0])
	}
	return shards
}

// tryCount commits the record of the effect and all its increments, and no
// document is read or locked for it. Plus and minus one commute, so only
// repetition could do harm: then the record exists already. A document that is cold
// is incremented itself, and if it is missing the whole fails. For one that is hot a
// shard is, and then somebody must be asked to roll the shards up.
func (s *Store) tryCount(ctx context.Context, e Effect, moves map[*firestore.DocumentRef][]move, shards map[*firestore.DocumentRef]int) error {
	record := s.db.Doc(model.ProcessedEvents, model.EffectKey(e.EventID, e.Function))
	p := processed{ExpireAt: s.db.Time().Add(model.DedupeWindow)}
	b := s.db.Batch()
	for ref, list := range moves {
		if shards[ref] == heat.Cold {
			b.Update(ref, s.db.Stamped(ref, increments(list)))
			continue
		}
		p.RollUps = append(p.RollUps, rollUp{Collection: ref.Parent.ID, ID: ref.ID})
		b.Set(db.Shard(ref, shards[ref]), shardMerge(list), firestore.MergeAll)
	}
	b.Create(record, p)
	_, err := b.Commit(ctx)
	if db.AlreadyExists(err) {
		return s.resumeRollUps(ctx, record)
	}
	if err != nil {
		return err
	}
	return s.askRollUps(ctx, p.RollUps)
}

// resumeRollUps finishes an effect that was committed before: whoever did it may have
// ended before asking for a roll-up. 1 read.
func (s *Store) resumeRollUps(ctx context.Context, record *firestore.DocumentRef) error {
	var p processed
	if _, err := s.db.Get(ctx, record, &p); err != nil {
		return err
	}
	return s.askRollUps(ctx, p.RollUps)
}

// processed is the record of an effect.
type processed struct {
	ExpireAt time.Time `firestore:"expireAt"`
	RollUps  []rollUp  `firestore:"rollUps,omitempty"` // documents whose shards it moved
}

func increments(list []move) []firestore.Update {
	updates := make([]firestore.Update, len(list))
	for i, m := range list {
		updates[i] = firestore.Update{FieldPath: m.field, Value: firestore.Increment(m.by)}
	}
	return updates
}

func (s *Store) onlyExisting(ctx context.Context, moves map[*firestore.DocumentRef][]move) (map[*firestore.DocumentRef][]move, error) {
	refs := slices.Collect(maps.Keys(moves))
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	left := map[*firestore.DocumentRef][]move{}
	for i, snap := range snaps {
		if snap.Exists() {
			left[refs[i]] = moves[refs[i]]
		}
	}
	return left, nil
}
