// Package viewerstate keeps the months of reactions: the tweets of one month that a user likes, shares and bookmarks,
// in one document. The API writes a month in the commit of the like, share or bookmark, so that it is right at once.
//
// A month holds a limited number of each of the three. Every like increments the month's size, and the answer to the
// commit has the new size. So a process learns of a saturated month without a read. From then on the process writes
// that the month is saturated, instead of the like. A saturated month stays saturated. Shares and bookmarks do the same
// with sizes of their own.
//
// A process that does not know of a saturated month writes one like too many into it, and learns of it from the answer.
package viewerstate

import (
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// fullMonths is how many saturated months a process caches.
const fullMonths = 10_000

// monthFields are the fields of a month for one kind of reaction.
type monthFields struct{ tweets, size, full string }

// kinds are the kinds of reactions that a month has, with their fields.
var kinds = map[model.ReactionKind]monthFields{
	model.ReactionLike:     {"tweets", bucket.SizeField, "full"},
	model.ReactionShare:    {"shares", "sharesSize", "sharesFull"},
	model.ReactionBookmark: {"bookmarks", "bookmarksSize", "bookmarksFull"},
}

// Store reads and writes months of reactions. Its methods may be called concurrently.
type Store struct {
	db   *db.DB
	most int                         // likes in a saturated month, and as many shares and bookmarks
	full lru.Cache[string, struct{}] // saturated months, by kind and key
}

// New returns the months of a database.
func New(d *db.DB, most int) *Store {
	s := &Store{db: d, most: most}
	s.full = lru.New[string, struct{}](fullMonths)
	return s
}

// Note adds a new like, share or bookmark to the month, in a batch.
func (s *Store) Note(b *db.Batch, kind model.ReactionKind, uid model.UserID, id model.TweetID) {
	b.Set(s.db.ReactionMonth(uid, id.Month()), s.noted(kind, uid, id), firestore.MergeAll)
}

func (s *Store) noted(kind model.ReactionKind, uid model.UserID, id model.TweetID) map[string]any {
	f, merge := kinds[kind], map[string]any{fields.UserID: uid, fields.Month: id.Month()}
	if s.full.Contains(monthOf(kind, uid, id)) {
		merge[f.full] = true
	} else {
		merge[f.tweets], merge[f.size] = map[string]any{string(id): true}, firestore.Increment(1)
	}
	return merge
}

// monthOf names a month of one kind of reactions.
func monthOf(kind model.ReactionKind, uid model.UserID, id model.TweetID) string {
	return string(kind) + "/" + model.MonthKey(uid, id.Month())
}

// Unnote removes a like, share or bookmark from the month, in a batch. The size stays, because a saturated month may
// not have it. A vote is in no month.
func Unnote(d *db.DB, b *db.Batch, kind model.ReactionKind, uid model.UserID, id model.TweetID) {
	if f, ok := kinds[kind]; ok {
		b.Set(d.ReactionMonth(uid, id.Month()), unnoted(f, uid, id), firestore.MergeAll)
	}
}

func unnoted(f monthFields, uid model.UserID, id model.TweetID) map[string]any {
	return map[string]any{fields.UserID: uid, fields.Month: id.Month(), f.tweets: map[string]any{
		string(id): firestore.Delete}}
}

// Learn caches that a month is saturated, if the answer to a commit says so.
func (s *Store) Learn(kind model.ReactionKind, uid model.UserID, id model.TweetID, sizes *bucket.Sizes) {
	if sizes.Of(model.MonthKey(uid, id.Month()), kinds[kind].size) >= int64(s.most) {
		s.full.Add(monthOf(kind, uid, id), struct{}{})
	}
}

// Of returns a viewer's reactions to some tweets. An empty viewer is signed out and has none.
//
// Cost: 1 read for each month of the tweets.
func (s *Store) Of(ctx context.Context, viewer model.UserID, ids []model.TweetID) (map[model.TweetID]model.ViewerState,
	error) {
	if viewer == "" || len(ids) == 0 {
		return nil, nil
	}
	var l db.Lookup
	months := map[model.Month]*model.ReactionMonth{}
	for _, id := range ids {
		if m := id.Month(); months[m] == nil {
			months[m] = &db.Find[model.ReactionMonth](&l, s.db.ReactionMonth(viewer, m)).Doc
		}
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	return s.marks(ctx, viewer, ids, months)
}

// In is [Store.Of] for tweets of one month whose reactions the caller has read.
//
// Cost: nothing but what a saturated month costs.
func (s *Store) In(ctx context.Context, viewer model.UserID, month *model.ReactionMonth,
	ids []model.TweetID) (map[model.TweetID]model.ViewerState, error) {
	months := map[model.Month]*model.ReactionMonth{}
	for _, id := range ids {
		months[id.Month()] = month
	}
	return s.marks(ctx, viewer, ids, months)
}

// marks reads the source documents of reactions that a saturated month may not have.
func (s *Store) marks(ctx context.Context, viewer model.UserID, ids []model.TweetID,
	months map[model.Month]*model.ReactionMonth) (map[model.TweetID]model.ViewerState, error) {
	has, unsure := map[model.ReactionKind]map[model.TweetID]bool{}, map[model.ReactionKind][]model.TweetID{}
	for kind := range kinds {
		has[kind] = map[model.TweetID]bool{}
		for _, id := range ids {
			month := months[id.Month()]
			if _, full := month.Held(kind); full {
				s.full.Add(monthOf(kind, viewer, id), struct{}{})
			}
			if is, known := month.Has(kind, id); known {
				has[kind][id] = is
			} else if !slices.Contains(unsure[kind], id) {
				unsure[kind] = append(unsure[kind], id)
			}
		}
	}
	g, ctx := safely.WithContext(ctx)
	for kind, some := range unsure {
		g.Go(func() error { return s.ask(ctx, kind, viewer, some, has[kind]) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	marks := make(map[model.TweetID]model.ViewerState, len(ids))
	for _, id := range ids {
		marks[id] = model.ViewerState{Liked: has[model.ReactionLike][id], Shared: has[model.ReactionShare][id],
			Bookmarked: has[model.ReactionBookmark][id]}
	}
	return marks, nil
}

// ask reads which documents of a kind exist.
func (s *Store) ask(ctx context.Context, kind model.ReactionKind, viewer model.UserID, ids []model.TweetID,
	has map[model.TweetID]bool) error {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = model.ReactionKey(viewer, id)
	}
	there, err := s.db.There(ctx, kind.Collection(), keys)
	for i, id := range ids {
		has[id] = there[keys[i]]
	}
	return err
}

// Reconcile makes the month of a user's reactions agree with the present like, share or bookmark of a tweet.
//
// Cost: 1 read and 1 write.
func (s *Store) Reconcile(ctx context.Context, kind model.ReactionKind, uid model.UserID, id model.TweetID) error {
	ctx, sizes := bucket.Watch(ctx)
	err := s.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		there, err := db.GetIn(tx, s.db.Doc(kind.Collection(), model.ReactionKey(uid, id)), nil)
		if err != nil {
			return err
		}
		merge := unnoted(kinds[kind], uid, id)
		if there {
			merge = s.noted(kind, uid, id)
		}
		return tx.Set(s.db.ReactionMonth(uid, id.Month()), merge, firestore.MergeAll)
	})
	s.Learn(kind, uid, id, sizes)
	return err
}
