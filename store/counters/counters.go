// Package counters keeps counts: of followers, tweets, likes, shares, replies, quotes and votes, and of tag usages
// by everybody and by each user. A counter that changes seldom is cold: its document is incremented. A counter that
// changes more than once a second is hot: the changes of a process share an increment, or its shards are incremented. A
// roll-up moves the sums of the shards into the document, about once a second.
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
	"github.com/hibana-sns/hibana/store/internal/digests"
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
	digests    *digests.Writer
	every      time.Duration // between two roll-ups of a document
	rollUps    groupcommit.Queue[rollUp, struct{}, struct{}]
	crowds     groupcommit.Queue[string, *Effect, bool] // by path of a hot document, see commitTogether
	places     chan struct{}                            // of the roll-ups that this process does without an event
}

// New returns the counters of a database. Increments of a hot counter wait in the shards for every. Roll-ups that fail
// without a caller are logged to log.
func New(d *db.DB, r *reactions.Store, h *contention.Tracker, w *digests.Writer, every time.Duration,
	log *slog.Logger) *Store {
	s := &Store{db: d, digests: w, log: log, reactions: r, contention: h, every: every, Resting: resting,
		places: make(chan struct{}, soonAtOnce)}
	s.rollUps = groupcommit.New(min(askEvery, every), 0, s.askRollUp)
	crowds := groupcommit.NewCrowds(every, writesTogether, s.commitTogether)
	crowds.Weigh = func(f *Effect) int { return 1 + len(f.deltas) }
	s.crowds = crowds
	return s
}

// IdempotencyRecord names what one function does for one event. The commit of the increments also creates the record.
// So an event counts once, however often it is delivered. The record lives for model.DedupeWindow, as long as events
// are redelivered.
//
// Cost: 1 read for a repeated event; 1 write more for a hot counter whose roll-up is not enqueued; for a tweet that of
// [digests.Writer.ListAgain].
type IdempotencyRecord struct {
	EventID  string
	Function string
}

// delta is by how much a counter of a document moves.
type delta struct {
	ref   *firestore.DocumentRef
	field string
	by    int64
	shard int    // to increment, or [contention.Cold]: drawn once, however often the effect is tried
	label string // of a tag or tag usage: the tag as its author typed it; empty for other documents
	// gone is called before the commit if the document is gone and the commit has no delta of it; nil calls nothing.
	gone func(context.Context) error
}

// update returns a delta as an update of a document that exists.
func (m delta) update() firestore.Update {
	return firestore.Update{Path: m.field, Value: firestore.Increment(m.by)}
}

// merge returns a delta as a merge, which creates a missing document. A counter with a dot is one field here, as shards
// have it, and a path in update.
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

// CountFollow changes the follower's followedCount and the followed user's followerCount.
//
// Cost: 3 writes. If one user is gone: 2 reads and 2 writes, and 2 writes alone once this process knows.
func (s *Store) CountFollow(ctx context.Context, e IdempotencyRecord, follower, followed model.UserID,
	by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountFollow(%q)", e.EventID)
	return s.count(ctx, e, []delta{
		{ref: s.db.User(follower), field: model.FollowedCount, by: by},
		{ref: s.db.User(followed), field: model.FollowerCount, by: by},
	})
}

// CountTweet changes the author's count of tweets, the counts of the tweet's tags, the count of replies to the tweet
// that it answers, and the count of quotes of the tweet that it quotes. If the answered tweet was deleted before the
// reply was counted, it keeps its position in the thread, see keepPlace.
//
// Cost: 2 writes; 2 more for each tag, and 1 more for a reply and for a quote. If a document is gone: 1 read for each
// document, and 1 write more for a reply to a deleted tweet.
func (s *Store) CountTweet(ctx context.Context, e IdempotencyRecord, t *model.Tweet, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountTweet(%q)", e.EventID)
	deltas := []delta{{ref: s.db.User(t.AuthorID), field: model.TweetCount, by: by}}
	if t.ReplyTo != nil {
		deltas = append(deltas, delta{ref: s.db.Tweet(*t.ReplyTo), field: model.ReplyCount, by: by,
			gone: func(ctx context.Context) error {
				if by < 0 {
					return nil
				}
				return s.keepPlace(ctx, *t.ReplyTo)
			}})
	}
	if t.QuoteOf != "" {
		deltas = append(deltas, delta{ref: s.db.Tweet(t.QuoteOf), field: model.QuoteCount, by: by})
	}
	tags := make(map[string]int64, len(t.Tags))
	for tag := range t.Tags {
		tags[tag] = by
	}
	return s.count(ctx, e, append(deltas, s.tagDeltas(t.AuthorID, tags, t.TagLabels)...))
}

// CountQuote changes the count of quotes of a tweet, for a quote that stays and quotes it no more.
//
// Cost: 2 writes. If the tweet is gone: 1 read and 1 write.
func (s *Store) CountQuote(ctx context.Context, e IdempotencyRecord, quoted model.TweetID, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountQuote(%q)", e.EventID)
	return s.count(ctx, e, []delta{{ref: s.db.Tweet(quoted), field: model.QuoteCount, by: by}})
}

// CountTags changes the count of each tag, and the author's count of usages of each tag. Labels are the tags as the
// author typed them, where the two differ. A label becomes the content of a new tag, and of the author's tag usage.
//
// The increment creates a missing tag usage. A tag usage stays when its count falls to 0, and may be below 0 while an
// event is late. So events of one tag count right in any order, and no event reads a tag usage. The tag usages of a
// deleted account are not counted.
//
// Cost: 2 writes for each tag, and 1 write; nothing without tags.
func (s *Store) CountTags(ctx context.Context, e IdempotencyRecord, author model.UserID, by map[string]int64,
	labels map[string]string) (err error) {
	defer errs.Wrap(&err, "counters.CountTags(%q)", e.EventID)
	if len(by) == 0 {
		return nil
	}
	return s.count(ctx, e, s.tagDeltas(author, by, labels))
}

func (s *Store) tagDeltas(author model.UserID, by map[string]int64, labels map[string]string) (deltas []delta) {
	left := s.db.KnowsGone(author)
	for tag, n := range by {
		deltas = append(deltas, delta{ref: s.db.Tag(tag), field: model.TweetCount, by: n, label: labels[tag]})
		if !left {
			deltas = append(deltas, delta{ref: s.db.TagUsage(author, tag), field: model.TweetCount, by: n,
				label: cmp.Or(labels[tag], tag)})
		}
	}
	return deltas
}

// CountVote changes the count of an option of a poll. A vote that came after the poll closed is not counted. CountVote
// removes it, and a new vote in a poll that is gone.
//
// Cost: 2 writes. If the poll is gone: 1 read and 1 write, and 1 delete for a new vote. A late vote costs 1 delete.
func (s *Store) CountVote(ctx context.Context, e IdempotencyRecord, v *model.Vote, by int64) (err error) {
	defer errs.Wrap(&err, "counters.CountVote(%q)", e.EventID)
	remove := s.remove(model.ReactionVote, v.UserID, v.TweetID, by)
	if !v.InTime() {
		return remove(ctx)
	}
	return s.count(ctx, e, []delta{{ref: s.db.Doc(model.Polls, string(v.TweetID)),
		field: model.VoteCounter(v.Option), by: by, gone: remove}})
}

// remove returns a function that removes a new reaction. It removes nothing if the reaction is deleted already.
func (s *Store) remove(kind model.ReactionKind, uid model.UserID, id model.TweetID,
	by int64) func(context.Context) error {
	return func(ctx context.Context) error {
		if by < 0 {
			return nil
		}
		return s.reactions.Remove(ctx, kind, uid, id)
	}
}

// count commits the deltas of an event alone, see [Effect.Commit].
func (s *Store) count(ctx context.Context, e IdempotencyRecord, deltas []delta) error {
	return s.effect(e, deltas).Commit(ctx)
}

// counter names the counter of a delta.
func (m delta) counter() string { return m.ref.Path + "#" + m.field }

// processed is an idempotency record.
type processed struct {
	ExpireAt time.Time `firestore:"expireAt"`
	RollUps  []rollUp  `firestore:"rollUps,omitempty"` // documents whose shards the event incremented
}

// onlyExisting leaves out the deltas of documents that are gone, and calls their gone. It creates missing tags.
//
// Cost: 1 read for each document but tag usages, and 1 write for each new tag.
func (s *Store) onlyExisting(ctx context.Context, deltas []delta) (left []delta, err error) {
	refs := map[string]*firestore.DocumentRef{}
	for _, m := range deltas {
		if m.ref.Parent.ID != model.TagUsages {
			refs[m.ref.Path] = m.ref
		}
	}
	snaps, err := s.db.Client.GetAll(ctx, slices.Collect(maps.Values(refs)))
	if err != nil {
		return nil, err
	}
	exists := make(map[string]bool, len(snaps))
	for _, snap := range snaps {
		exists[snap.Ref.Path] = snap.Exists()
	}
	for _, m := range deltas {
		switch {
		case m.ref.Parent.ID == model.TagUsages, exists[m.ref.Path]:
			left = append(left, m)
		case m.ref.Parent.ID == model.Tags:
			if err := create(ctx, m.ref, model.Tag{Content: cmp.Or(m.label, m.ref.ID)}); err != nil {
				return nil, err
			}
			left = append(left, m)
		default:
			s.db.SawGone(m.ref)
			if m.gone != nil {
				if err := m.gone(ctx); err != nil {
					return nil, err
				}
			}
		}
	}
	return left, nil
}

// withoutGone leaves out the deltas of profiles that this process knows to be gone. A hot counter would be counted in
// shards that no process reads.
func (s *Store) withoutGone(deltas []delta) []delta {
	return slices.DeleteFunc(deltas, func(m delta) bool {
		return m.ref.Parent.ID == model.Users && s.db.KnowsGone(model.UserID(m.ref.ID))
	})
}
