// Package counters keeps counts: of followers, tweets, likes, shares, replies, quotes and votes, of tag usages by
// everybody and by each user, and of all documents of some collections. A counter that changes seldom is cold: its
// document is incremented. A counter that changes more than once a second is hot: its shards are incremented. A roll-up
// moves the sums of the shards into the document, about once a second.
//
// At any moment the true count is the field of the document, plus the sum of the field over all shards, minus the field
// in the document's map "rolled". That map holds what roll-ups have moved so far.
package counters

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/contention"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
	"github.com/hibana-sns/hibana/store/reactions"
)

// Store keeps counts. Its methods may be called concurrently. Their errors are errors of package errs.
type Store struct {
	// Resting is the age of a shard's last increment at which a roll-up deletes the shard; 10 s unless a caller sets
	// another age before the first use.
	Resting time.Duration

	db         *db.DB
	log        *slog.Logger
	reactions  *reactions.Store
	contention *contention.Tracker
	every      time.Duration // between two roll-ups of a document
	rollUps    groupcommit.Queue[rollUp, struct{}, struct{}]
	places     chan struct{} // of the roll-ups that this process does without an event
}

// New returns the counters of a database. Increments of a hot counter wait in the shards for every. Roll-ups that fail
// without a caller are logged to log.
func New(d *db.DB, r *reactions.Store, h *contention.Tracker, every time.Duration, log *slog.Logger) *Store {
	s := &Store{db: d, log: log, reactions: r, contention: h, every: every, Resting: resting,
		places: make(chan struct{}, soonAtOnce)}
	s.rollUps = groupcommit.New(min(askEvery, every), 0, s.askRollUp)
	return s
}

// IdempotencyRecord names what one function does for one event. The commit of the increments also creates the record.
// So an event counts once, however often it is delivered. The record lives for model.DedupeWindow, as long as events
// are redelivered.
//
// Cost: 1 read for a repeated event; 1 write more for a hot counter whose roll-up is not enqueued.
type IdempotencyRecord struct {
	EventID  string
	Function string
}

// delta is by how much a counter of a document moves. An effect moves one counter of each
// document.
type delta struct {
	field string
	by    int64
	label string // of a tag or tag usage: the tag as its author typed it; empty for other documents
}

// updates returns a delta as the updates of a document that exists.
func (m delta) updates() []firestore.Update {
	return []firestore.Update{{Path: m.field, Value: firestore.Increment(m.by)}}
}

// merge returns a delta as a merge, which creates a missing document. A counter with a dot is one field here, as shards
// have it, and a path in updates.
func (m delta) merge() map[string]any {
	merge := map[string]any{m.field: firestore.Increment(m.by)}
	if m.label != "" {
		merge[labelField] = m.label
	}
	return merge
}

// labelField of a tag, a tag usage, and their shards is the tag as its author typed it. A roll-up creates a missing
// document from it.
const labelField = fields.Content

// CountFollow changes the follower's followedCount, the followed user's followerCount, and the total of relationships.
//
// Cost: 4 writes. If one user is gone: 2 reads and 3 writes, and 3 writes alone once this process knows.
func (s *Store) CountFollow(ctx context.Context, e IdempotencyRecord, follower, followed model.UserID,
	by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountFollow(%q)", e.EventID)
	return s.count(ctx, e, map[*firestore.DocumentRef]delta{
		s.db.Doc(model.Users, string(follower)): {field: model.FollowedCount, by: by},
		s.db.Doc(model.Users, string(followed)): {field: model.FollowerCount, by: by},
		s.total(model.Relationships):            {field: model.TotalCount, by: by},
	}, nil)
}

// CountUser changes the total of users.
//
// Cost: 2 writes.
func (s *Store) CountUser(ctx context.Context, e IdempotencyRecord, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountUser(%q)", e.EventID)
	return s.count(ctx, e, map[*firestore.DocumentRef]delta{s.total(model.Users): {field: model.TotalCount, by: by}}, nil)
}

// total names the document with the number of documents of a collection.
func (s *Store) total(collection string) *firestore.DocumentRef {
	return s.db.Doc(model.Totals, collection)
}

// CountTweet changes the author's count of tweets, and the total of tweets.
//
// Cost: 3 writes. If the author is gone: 2 writes, and 1 read once a minute and process.
func (s *Store) CountTweet(ctx context.Context, e IdempotencyRecord, author model.UserID, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountTweet(%q)", e.EventID)
	return s.count(ctx, e, map[*firestore.DocumentRef]delta{
		s.db.Doc(model.Users, string(author)): {field: model.TweetCount, by: by},
		s.total(model.Tweets):                 {field: model.TotalCount, by: by},
	}, nil)
}

// CountTags changes the count of each tag, and the author's count of usages of each tag. Labels are the tags as the
// author typed them, where the two differ. A label becomes the content of a new tag, and of the author's tag usage.
//
// The increment creates a missing tag usage. A tag usage stays when its count falls to 0, and may be below 0 while an
// event is late. So events of one tag count right in any order, and no event reads a tag usage. The tag usages of a
// deleted account are not counted.
//
// Cost: 2 writes for each tag, and 1 write.
func (s *Store) CountTags(ctx context.Context, e IdempotencyRecord, author model.UserID, by map[string]int64,
	labels map[string]string) (err error) {
	defer errs.Wrap(&err, "counters.CountTags(%q)", e.EventID)
	deltas := map[*firestore.DocumentRef]delta{}
	left := s.db.KnowsGone(author)
	for tag, n := range by {
		deltas[s.db.Tag(tag)] = delta{model.TweetCount, n, labels[tag]}
		if !left {
			deltas[s.db.TagUsage(author, tag)] = delta{model.TweetCount, n, cmp.Or(labels[tag], tag)}
		}
	}
	shards := s.propagate(deltas)
	err = s.tryCount(ctx, e, deltas, shards)
	if db.NotFound(err) {
		if err := s.ensureTags(ctx, slices.Collect(maps.Keys(by)), labels); err != nil {
			return err
		}
		err = s.tryCount(ctx, e, deltas, shards)
	}
	return err
}

// CountReply changes the count of replies to a tweet. If the tweet was deleted before a reply to it was counted, the
// tweet keeps its position in the thread, see keepPlace.
//
// Cost: 2 writes. If the tweet is gone: 1 read and 1 write, and 1 write more for a new reply.
func (s *Store) CountReply(ctx context.Context, e IdempotencyRecord, parent model.TweetID, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountReply(%q)", e.EventID)
	return s.count(ctx, e, map[*firestore.DocumentRef]delta{s.db.Tweet(parent): {field: model.ReplyCount, by: by}},
		func() error {
			if by < 0 {
				return nil
			}
			return s.keepPlace(ctx, parent)
		})
}

// CountQuote changes the count of quotes of a tweet.
//
// Cost: 2 writes. If the tweet is gone: 1 read and 1 write.
func (s *Store) CountQuote(ctx context.Context, e IdempotencyRecord, quoted model.TweetID, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountQuote(%q)", e.EventID)
	return s.count(ctx, e, map[*firestore.DocumentRef]delta{s.db.Tweet(quoted): {field: model.QuoteCount, by: by}}, nil)
}

// CountLike changes the count of likes of a tweet, and the total of likes. If the tweet is gone, the like was written
// while the tweet was deleted. Then CountLike removes the like.
//
// Cost: 3 writes. If the tweet is gone: 1 read, 2 writes, and what [reactions.Store.Remove] costs.
func (s *Store) CountLike(ctx context.Context, e IdempotencyRecord, l *model.Like, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountLike(%q)", e.EventID)
	return s.countReaction(ctx, e, l, model.LikeCount, by)
}

// CountShare changes the count of shares of a tweet, as [Store.CountLike] does for likes.
//
// Cost: what [Store.CountLike] costs.
func (s *Store) CountShare(ctx context.Context, e IdempotencyRecord, l *model.Share, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountShare(%q)", e.EventID)
	return s.countReaction(ctx, e, l, model.ShareCount, by)
}

// CountVote changes the count of an option of a poll. A vote that came after the poll closed is not counted. CountVote
// removes it, and a new vote in a poll that is gone.
//
// Cost: 2 writes. If the poll is gone: 1 read and 1 write, and 1 delete for a new vote. A late vote costs 1 delete.
func (s *Store) CountVote(ctx context.Context, e IdempotencyRecord, v *model.Vote, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountVote(%q)", e.EventID)
	remove := func() error {
		if by < 0 {
			return nil
		}
		return s.reactions.Remove(ctx, model.ReactionVote, v.UserID, v.TweetID)
	}
	if !v.InTime() {
		return remove()
	}
	return s.count(ctx, e, map[*firestore.DocumentRef]delta{s.db.Doc(model.Polls, string(v.TweetID)): {
		field: model.VoteCounter(v.Option), by: by}}, remove)
}

// countReaction changes a count of a tweet, and the total of the kind. If the tweet is gone and the reaction is
// new, countReaction removes the reaction. The tweets of a deleted account are deleted too, or are gone.
func (s *Store) countReaction(ctx context.Context, e IdempotencyRecord, l model.AnyReaction, field string,
	by int64) error {
	kind, r := l.Kind(), l.Base()
	deltas := map[*firestore.DocumentRef]delta{s.total(kind.Collection()): {field: model.TotalCount, by: by}}
	if !s.db.KnowsGone(r.AuthorID) {
		deltas[s.db.Tweet(r.TweetID)] = delta{field: field, by: by}
	}
	return s.count(ctx, e, deltas, func() error {
		if by < 0 {
			return nil
		}
		return s.reactions.Remove(ctx, kind, r.UserID, r.TweetID)
	})
}

// count applies the deltas of an event. It leaves out deleted documents, because they have no counts. If no document is
// left but totals, count calls gone before it commits. If gone fails or the process is killed, the event comes again
// and finds no record.
//
// Even if nothing is left to count, count commits the record. An earlier delivery may have counted in a shard and have
// ended before it enqueued the roll-up. Then the record exists, and count enqueues the roll-up. A delivery that is
// still under way can no longer count.
func (s *Store) count(ctx context.Context, e IdempotencyRecord, deltas map[*firestore.DocumentRef]delta,
	gone func() error) error {
	deltas = s.withoutGone(deltas)
	shards := s.propagate(deltas)
	again := false
	return s.db.Update(ctx, func(ctx context.Context) (err error) {
		if again {
			if deltas, err = s.onlyExisting(ctx, deltas); err != nil {
				return err
			}
		}
		again = true
		if gone != nil && onlyTotals(deltas) {
			if err := gone(); err != nil {
				return err
			}
		}
		if err = s.tryCount(ctx, e, deltas, shards); db.NotFound(err) {
			return db.Late(err)
		}
		return err
	})
}

// onlyTotals reports whether all deltas are of totals.
func onlyTotals(deltas map[*firestore.DocumentRef]delta) bool {
	for ref := range deltas {
		if ref.Parent.ID != model.Totals {
			return false
		}
	}
	return true
}

// propagate notes that counters move, and returns for each document the shard to increment, or
// [contention.Cold]. The caller calls propagate once for an effect, however often it tries the
// effect.
func (s *Store) propagate(deltas map[*firestore.DocumentRef]delta) map[*firestore.DocumentRef]int {
	shards := make(map[*firestore.DocumentRef]int, len(deltas))
	for ref, m := range deltas {
		shards[ref] = s.contention.Shard(ref.Path + "#" + m.field)
	}
	return shards
}

// tryCount commits the idempotency record together with all increments of an event. tryCount reads and locks no
// document. Increments and decrements commute, so only repetition could do harm. For a repeated event the record exists
// already, and the commit fails.
//
// A cold counter is incremented in its document. If the document is missing, the whole commit fails. The commit creates
// a missing tag usage or total. A hot counter is incremented in a shard, and tryCount then enqueues a roll-up. The
// commit of a hot counter does not show a missing document; the roll-up finds it.
func (s *Store) tryCount(ctx context.Context, e IdempotencyRecord, deltas map[*firestore.DocumentRef]delta,
	shards map[*firestore.DocumentRef]int) error {
	record := s.db.Doc(model.ProcessedEvents, model.IdempotencyRecordKey(e.EventID, e.Function))
	p := processed{ExpireAt: s.db.Time().Add(model.DedupeWindow)}
	b := s.db.Batch()
	for ref, m := range deltas {
		switch {
		case shards[ref] != contention.Cold:
			p.RollUps = append(p.RollUps, rollUp{Collection: ref.Parent.ID, ID: ref.ID})
			b.Set(db.Shard(ref, shards[ref]), m.merge(), firestore.MergeAll)
		case ref.Parent.ID == model.Totals:
			b.Set(ref, m.merge(), firestore.MergeAll)
		case ref.Parent.ID == model.TagUsages:
			b.Set(ref, tagUsageMerge(ref, m), firestore.MergeAll)
		default:
			b.Update(ref, s.db.Stamped(ref, m.updates()))
		}
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

// resumeRollUps finishes an event that was committed before. The process that committed may have ended before it
// enqueued the roll-ups.
//
// Cost: 1 read, and what askRollUps costs.
func (s *Store) resumeRollUps(ctx context.Context, record *firestore.DocumentRef) error {
	var p processed
	if _, err := s.db.Get(ctx, record, &p); err != nil {
		return err
	}
	return s.askRollUps(ctx, p.RollUps)
}

// processed is an idempotency record.
type processed struct {
	ExpireAt time.Time `firestore:"expireAt"`
	RollUps  []rollUp  `firestore:"rollUps,omitempty"` // documents whose shards the event incremented
}

// onlyExisting leaves out the deltas of documents that are gone. A total is never gone.
//
// Cost: 1 read for each document but totals.
func (s *Store) onlyExisting(ctx context.Context,
	deltas map[*firestore.DocumentRef]delta) (map[*firestore.DocumentRef]delta, error) {
	left := map[*firestore.DocumentRef]delta{}
	var refs []*firestore.DocumentRef
	for ref, m := range deltas {
		if ref.Parent.ID == model.Totals {
			left[ref] = m
		} else {
			refs = append(refs, ref)
		}
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i, snap := range snaps {
		if snap.Exists() {
			left[refs[i]] = deltas[refs[i]]
		} else {
			s.db.SawGone(refs[i])
		}
	}
	return left, nil
}

// withoutGone leaves out the deltas of profiles that this process knows to be gone. A hot counter would be counted in
// shards that no process reads.
func (s *Store) withoutGone(deltas map[*firestore.DocumentRef]delta) map[*firestore.DocumentRef]delta {
	left := make(map[*firestore.DocumentRef]delta, len(deltas))
	for ref, m := range deltas {
		if ref.Parent.ID != model.Users || !s.db.KnowsGone(model.UserID(ref.ID)) {
			left[ref] = m
		}
	}
	return left
}
