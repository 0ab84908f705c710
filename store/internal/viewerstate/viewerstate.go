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
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// fullMonths is how many saturated months a process caches.
const fullMonths = 10_000

// kind is one of the three kinds of reactions, by the fields of a month.
type kind struct{ tweets, size, full string }

// kinds are the kinds of reactions, by the collection of their source documents.
var kinds = map[string]kind{
	model.Likes:     {"tweets", bucket.SizeField, "full"},
	model.Shares:    {"shares", "sharesSize", "sharesFull"},
	model.Bookmarks: {"bookmarks", "bookmarksSize", "bookmarksFull"},
}

// Collections are the collections whose documents a month of reactions has.
var Collections = []string{model.Likes, model.Shares, model.Bookmarks}

// Store reads and writes months of reactions. Its methods may be called concurrently.
type Store struct {
	db   *db.DB
	most int                          // likes in a saturated month, and as many shares and bookmarks
	full *lru.Cache[string, struct{}] // saturated months, by collection and key
}

// New returns the months of a database.
func New(d *db.DB, most int) *Store {
	s := &Store{db: d, most: most}
	s.full, _ = lru.New[string, struct{}](fullMonths) // fails only for a size below 1
	return s
}

// Note adds a new like, share or bookmark to the month, in a batch.
func (s *Store) Note(b *db.Batch, collection string, uid model.UserID, id model.TweetID) {
	b.Set(s.db.ReactionMonth(uid, id.Month()), s.noted(collection, uid, id), firestore.MergeAll)
}

func (s *Store) noted(collection string, uid model.UserID, id model.TweetID) map[string]any {
	k, merge := kinds[collection], map[string]any{"userId": uid, "month": id.Month()}
	if s.full.Contains(monthOf(collection, uid, id)) {
		merge[k.full] = true
	} else {
		merge[k.tweets], merge[k.size] = map[string]any{string(id): true}, firestore.Increment(1)
	}
	return merge
}

// monthOf names a month of one kind of reactions.
func monthOf(collection string, uid model.UserID, id model.TweetID) string {
	return collection + "/" + model.MonthKey(uid, id.Month())
}

// Unnote removes a like, share or bookmark from the month, in a batch. The size stays, because a saturated month may
// not have it. Documents of other collections are in no month.
func Unnote(d *db.DB, b *db.Batch, collection string, uid model.UserID, id model.TweetID) {
	if k, ok := kinds[collection]; ok {
		b.Set(d.ReactionMonth(uid, id.Month()), unnoted(k, uid, id), firestore.MergeAll)
	}
}

func unnoted(k kind, uid model.UserID, id model.TweetID) map[string]any {
	return map[string]any{"userId": uid, "month": id.Month(), k.tweets: map[string]any{string(id): firestore.Delete}}
}

// Learn caches that a month is saturated, if the answer to a commit says so.
func (s *Store) Learn(collection string, uid model.UserID, id model.TweetID, sizes *bucket.Sizes) {
	if sizes.Of(model.MonthKey(uid, id.Month()), kinds[collection].size) >= int64(s.most) {
		s.full.Add(monthOf(collection, uid, id), struct{}{})
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
	months := map[model.Month]*model.ReactionMonth{}
	var refs []*firestore.DocumentRef
	var read []*model.ReactionMonth // of refs
	for _, id := range ids {
		if m := id.Month(); months[m] == nil {
			months[m] = &model.ReactionMonth{}
			refs, read = append(refs, s.db.ReactionMonth(viewer, m)), append(read, months[m])
		}
	}
	snaps, err := s.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i, snap := range snaps {
		if _, err := db.Decode(snap, nil)(read[i]); err != nil {
			return nil, err
		}
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
	has, unsure := map[string]map[model.TweetID]bool{}, map[string][]model.TweetID{}
	for _, collection := range Collections {
		has[collection] = map[model.TweetID]bool{}
		for _, id := range ids {
			month := months[id.Month()]
			if _, full := month.Held(collection); full {
				s.full.Add(monthOf(collection, viewer, id), struct{}{})
			}
			if is, known := month.Has(collection, id); known {
				has[collection][id] = is
			} else if !slices.Contains(unsure[collection], id) {
				unsure[collection] = append(unsure[collection], id)
			}
		}
	}
	g, ctx := safely.WithContext(ctx)
	for collection, some := range unsure {
		g.Go(func() error { return s.ask(ctx, collection, viewer, some, has[collection]) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	marks := make(map[model.TweetID]model.ViewerState, len(ids))
	for _, id := range ids {
		marks[id] = model.ViewerState{Liked: has[model.Likes][id], Shared: has[model.Shares][id],
			Bookmarked: has[model.Bookmarks][id]}
	}
	return marks, nil
}

// ask reads which documents of a collection exist.
func (s *Store) ask(ctx context.Context, collection string, viewer model.UserID, ids []model.TweetID,
	has map[model.TweetID]bool) error {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = model.ReactionKey(viewer, id)
	}
	there, err := s.db.There(ctx, collection, keys)
	for i, id := range ids {
		has[id] = there[keys[i]]
	}
	return err
}

// Reconcile makes the month of a user's reactions agree with the present like, share or bookmark of a tweet.
//
// Cost: 1 read and 1 write.
func (s *Store) Reconcile(ctx context.Context, collection string, uid model.UserID, id model.TweetID) error {
	ctx, sizes := bucket.Watch(ctx)
	err := s.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		there, err := db.Decode(tx.Get(s.db.Doc(collection, model.ReactionKey(uid, id))))(nil)
		if err != nil {
			return err
		}
		merge := unnoted(kinds[collection], uid, id)
		if there {
			merge = s.noted(collection, uid, id)
		}
		return tx.Set(s.db.ReactionMonth(uid, id.Month()), merge, firestore.MergeAll)
	})
	s.Learn(collection, uid, id, sizes)
	return err
}
