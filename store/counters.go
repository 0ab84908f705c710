package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Effect names what one function does because of one event. An effect is
// committed together with a record of it, so that it happens once however often
// the event is delivered.
type Effect struct {
	EventID  string
	Function string
}

// change is a counter of a document, as a field path, and by how much it moves.
type change struct {
	field firestore.FieldPath
	by    int64
}

// CountFollow moves both users' counts by one up or down: 3 writes.
func (s *Store) CountFollow(ctx context.Context, e Effect, follower, followed model.UserID, by int64) (err error) {
	defer errs.Wrap(&err, "store.CountFollow(%q)", e.EventID)
	_, err = s.count(ctx, e, map[*firestore.DocumentRef][]change{
		s.doc(model.Users, string(follower)): {{firestore.FieldPath{model.FollowedCount}, by}},
		s.doc(model.Users, string(followed)): {{firestore.FieldPath{model.FollowerCount}, by}},
	})
	return err
}

// CountTweet moves the author's count of tweets and of uses of each tag: 2 writes.
func (s *Store) CountTweet(ctx context.Context, e Effect, author model.UserID, tags []string, by int64) (err error) {
	defer errs.Wrap(&err, "store.CountTweet(%q)", e.EventID)
	changes := []change{{firestore.FieldPath{model.TweetCount}, by}}
	for _, tag := range tags {
		changes = append(changes, change{firestore.FieldPath{model.TagsUsed, tag}, by})
	}
	_, err = s.count(ctx, e, map[*firestore.DocumentRef][]change{s.doc(model.Users, string(author)): changes})
	return err
}

// CountTags moves the count of each tag: a write each, and one. If one is used for the
// first time, it costs a read for each of them, and a write for each new one, more.
func (s *Store) CountTags(ctx context.Context, e Effect, by map[string]int64, labels map[string]string) (err error) {
	defer errs.Wrap(&err, "store.CountTags(%q)", e.EventID)
	changes := map[*firestore.DocumentRef][]change{}
	for tag, n := range by {
		changes[s.tag(tag)] = []change{{firestore.FieldPath{model.TweetCount}, n}}
	}
	shards := s.spread(changes)
	err = s.tryCount(ctx, e, changes, shards)
	if missing(err) {
		if err := s.ensureTags(ctx, slices.Collect(maps.Keys(by)), labels); err != nil {
			return err
		}
		err = s.tryCount(ctx, e, changes, shards)
	}
	return err
}

// CountReply moves the count of replies of a tweet: 2 writes, or none if the tweet
// is gone.
func (s *Store) CountReply(ctx context.Context, e Effect, parent model.TweetID, by int64) (err error) {
	defer errs.Wrap(&err, "store.CountReply(%q)", e.EventID)
	_, err = s.count(ctx, e, map[*firestore.DocumentRef][]change{s.tweet(parent): {{firestore.FieldPath{model.ReplyCount}, by}}})
	return err
}

// CountLike moves the count of likes of a tweet: 2 writes. It tells whether the
// tweet is there; if not, nothing is written.
func (s *Store) CountLike(ctx context.Context, e Effect, id model.TweetID, by int64) (held bool, err error) {
	defer errs.Wrap(&err, "store.CountLike(%q)", e.EventID)
	return s.count(ctx, e, map[*firestore.DocumentRef][]change{s.tweet(id): {{firestore.FieldPath{model.LikeCount}, by}}})
}

// CountShare is CountLike for shares.
func (s *Store) CountShare(ctx context.Context, e Effect, id model.TweetID, by int64) (held bool, err error) {
	defer errs.Wrap(&err, "store.CountShare(%q)", e.EventID)
	return s.count(ctx, e, map[*firestore.DocumentRef][]change{s.tweet(id): {{firestore.FieldPath{model.ShareCount}, by}}})
}

// count applies an effect's changes, leaving out documents that are gone, for
// which there is nothing to count. It tells whether any was there; a repeated
// effect says true.
func (s *Store) count(ctx context.Context, e Effect, changes map[*firestore.DocumentRef][]change) (bool, error) {
	shards := s.spread(changes)
	for {
		err := s.tryCount(ctx, e, changes, shards)
		if !missing(err) {
			return true, err
		}
		left, err := s.onlyExisting(ctx, changes)
		if err != nil || len(left) == 0 {
			return false, err
		}
		changes = left
	}
}

// spread notes that counters move, once for an effect however often it is tried, and
// tells which shard of each document is to be written; cold is the document itself.
func (s *Store) spread(changes map[*firestore.DocumentRef][]change) map[*firestore.DocumentRef]int {
	shards := make(map[*firestore.DocumentRef]int, len(changes))
	for ref, list := range changes {
		shards[ref] = s.heat.shard(ref.Path + "#" + list[0].field[0])
	}
	return shards
}

// tryCount commits the record of the effect and all its increments, and no
// document is read or locked for it. Plus and minus one commute, so only
// repetition could do harm: then the record exists already. A document that is cold
// is incremented itself, and if it is missing the whole fails. For one that is hot a
// shard is, and then somebody must be asked to roll the shards up.
func (s *Store) tryCount(ctx context.Context, e Effect, changes map[*firestore.DocumentRef][]change, shards map[*firestore.DocumentRef]int) error {
	record := s.doc(model.ProcessedEvents, model.EffectKey(e.EventID, e.Function))
	p := processed{ExpireAt: s.time().Add(model.DedupeWindow)}
	b := s.batch()
	for ref, list := range changes {
		if shards[ref] == cold {
			b.Update(ref, s.stamped(ref, increments(list)))
			continue
		}
		p.RollUps = append(p.RollUps, rollUp{Collection: ref.Parent.ID, ID: ref.ID})
		b.Set(shard(ref, shards[ref]), shardMerge(list), firestore.MergeAll)
	}
	b.Create(record, p)
	_, err := b.Commit(ctx)
	if exists(err) {
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
	if _, err := s.get(ctx, record, &p); err != nil {
		return err
	}
	return s.askRollUps(ctx, p.RollUps)
}

// processed is the record of an effect.
type processed struct {
	ExpireAt time.Time `firestore:"expireAt"`
	RollUps  []rollUp  `firestore:"rollUps,omitempty"` // documents whose shards it moved
}

func increments(list []change) []firestore.Update {
	updates := make([]firestore.Update, len(list))
	for i, c := range list {
		updates[i] = firestore.Update{FieldPath: c.field, Value: firestore.Increment(c.by)}
	}
	return updates
}

func (s *Store) onlyExisting(ctx context.Context, changes map[*firestore.DocumentRef][]change) (map[*firestore.DocumentRef][]change, error) {
	refs := slices.Collect(maps.Keys(changes))
	snaps, err := s.fs.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	left := map[*firestore.DocumentRef][]change{}
	for i, snap := range snaps {
		if snap.Exists() {
			left[refs[i]] = changes[refs[i]]
		}
	}
	return left, nil
}
