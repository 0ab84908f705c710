package timelines

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// firstPage is followerPages/{author}. It tells on which pages the author's followers
// stand. All followers stand on the first page until there are too many. Then a split
// copies them to hashed pages:
//
//	pages 0                    all followers stand on the first page
//	pages 0, splittingUntil    writes go to both, reads go to the first page
//	pages 16                   all followers stand on hashed pages; what is on the first does not count
//
// A process that wrote an entry looks afterwards whether the layout is still the one for
// which it wrote. If the layout has changed, the process writes again.
type firstPage struct {
	model.FollowerList
	SplittingUntil time.Time `firestore:"splittingUntil"` // when the lease of the process that splits ends; zero if no process splits

	// PulledMonths are the months whose tweets are not pushed to followers.
	PulledMonths map[string]pullState `firestore:"pulledMonths"`
}

// layout tells on which pages an author's followers stand.
type layout struct {
	pages     int
	splitting bool
}

func (p firstPage) layout() layout {
	return layout{pages: p.Pages, splitting: p.Pages == 0 && !p.SplittingUntil.IsZero()}
}

// layouts remembers the authors whose layout is not the plain one. A wrong memory costs a
// second write.
type layouts struct {
	mu sync.Mutex
	of map[model.UserID]layout
}

func (l *layouts) get(author model.UserID) layout {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.of[author]
}

func (l *layouts) set(author model.UserID, now layout) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[model.UserID]layout{}
	}
	if now == (layout{}) {
		delete(l.of, author)
	} else {
		l.of[author] = now
	}
}

// splitLease is for how long a process that splits an author's page has the split to
// itself. If the process ended meanwhile, another process splits after the lease.
const splitLease = time.Minute

// link makes the entries of some followers on the author's pages agree with the
// relationships as they are now. For a user who left, link also hides the author in the
// user's home timeline. It returns the relationships that exist, and the first page as it
// is afterwards. A process that did not know of a split, perhaps this one, left its
// entries on the first page. There they count for nothing, and link removes them.
//
// Cost: 1 read a follower, 1 read of the first page, and 1 write a page on which a
// follower stands; 1 write more if the first page is to be cleared.
// A user who left costs 1 write a month of the window more.
func (w *Writer) link(ctx context.Context, author model.UserID, followers []model.UserID) (map[model.UserID]*model.Relationship, *firstPage, error) {
	for {
		assumed := w.layouts.get(author)
		rels, err := w.tryLink(ctx, author, followers, assumed)
		if err != nil {
			return nil, nil, err
		}
		first, err := w.firstPage(ctx, author)
		if err != nil {
			return nil, nil, err
		}
		w.layouts.set(author, first.layout())
		if first.layout() != assumed {
			continue
		}
		if first.Pages > 0 && len(first.Followers)+len(first.Asleep) > 0 {
			if err := w.clearFirstPage(ctx, author); err != nil {
				return nil, nil, err
			}
		}
		if len(first.Followers) > w.followersPerPage && first.Pages == 0 {
			if err := w.split(ctx, author); err != nil {
				return nil, nil, err
			}
		}
		return rels, &first, nil
	}
}

// tryLink links for an assumed layout, in one transaction. The transaction reads the
// relationships alone, and writes blind into the shared documents, each once.
func (w *Writer) tryLink(ctx context.Context, author model.UserID, followers []model.UserID, l layout) (rels map[model.UserID]*model.Relationship, err error) {
	followers = slices.Compact(slices.Sorted(slices.Values(followers)))
	refs := make([]*firestore.DocumentRef, len(followers))
	for i, f := range followers {
		refs[i] = w.db.Relationship(f, author)
	}
	err = w.db.Client.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		rels = map[model.UserID]*model.Relationship{}
		pages := map[string]map[string]any{}
		for i, f := range followers {
			var rel model.Relationship
			var entry any = firestore.Delete
			found, err := db.Decode(snaps[i], nil)(&rel)
			if err != nil {
				return err
			}
			if found {
				rels[f], entry = &rel, rel.CreatedAt
			} else if err := w.drop(tx, f, author); err != nil {
				return err
			}
			for _, page := range l.pagesOf(author, f) {
				if pages[page] == nil {
					pages[page] = map[string]any{}
				}
				pages[page][string(f)] = entry
			}
		}
		for page, entries := range pages {
			// A user who follows, leaves or comes back counts as awake on this author's
			// pages.
			awake := make(map[string]any, len(entries))
			for f := range entries {
				awake[f] = firestore.Delete
			}
			merge := map[string]any{"followers": entries, "asleep": awake}
			if err := tx.Set(w.db.Doc(model.FollowerPages, page), merge, firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	return rels, err
}

// pagesOf names the pages of an author on which a follower stands. During a split there
// are two.
func (l layout) pagesOf(author, follower model.UserID) (keys []string) {
	if l.pages == 0 {
		keys = append(keys, model.FollowerPageKey(author))
	}
	if l.pages > 0 || l.splitting {
		keys = append(keys, model.HashedFollowerPageKey(author, model.FollowerPage(follower)))
	}
	return keys
}

// split moves an author's followers to hashed pages, unless another process does. It
// happens once in an author's life.
//
// Cost: 1 read and 2 writes of the first page, 1 read a follower, and 1 write a hashed
// page.
func (w *Writer) split(ctx context.Context, author model.UserID) error {
	ref := w.db.FollowerPage(author)
	snap, err := ref.Get(ctx)
	var first firstPage
	if _, err := db.Decode(snap, err)(&first); err != nil {
		return err
	}
	if first.Pages > 0 || w.db.Now().Before(first.SplittingUntil) {
		return nil
	}
	_, err = ref.Update(ctx, []firestore.Update{{Path: "splittingUntil", Value: w.db.Time().Add(splitLease)}}, firestore.LastUpdateTime(snap.UpdateTime))
	if db.Outdated(err) {
		return nil // another process wrote the page; the author's next follower tries again
	}
	if err != nil {
		return err
	}
	// No process wrote between the reading and the mark, so first has all followers from
	// before the mark. A process that writes later without having seen the mark writes
	// again.
	byPage := map[int][]model.UserID{}
	for f := range first.Followers {
		n := model.FollowerPage(f)
		byPage[n] = append(byPage[n], f)
	}
	for _, followers := range byPage {
		for part := range slices.Chunk(followers, 500) {
			if _, err := w.tryLink(ctx, author, part, layout{pages: model.FollowerPageCount}); err != nil {
				return err
			}
		}
	}
	_, err = ref.Update(ctx, []firestore.Update{
		{Path: "pages", Value: model.FollowerPageCount},
		{Path: "followers", Value: map[string]any{}},
		{Path: "asleep", Value: firestore.Delete},
		{Path: "splittingUntil", Value: firestore.Delete},
	})
	w.layouts.set(author, layout{pages: model.FollowerPageCount})
	return err
}

// clearFirstPage removes what is left on the first page of an author who has hashed
// pages. Such an author never has all followers on the first page again.
//
// Cost: 1 write.
func (w *Writer) clearFirstPage(ctx context.Context, author model.UserID) error {
	_, err := w.db.FollowerPage(author).Update(ctx, []firestore.Update{
		{Path: "followers", Value: map[string]any{}}, {Path: "asleep", Value: firestore.Delete},
	})
	return err
}

// firstPage reads an author's first page of followers.
//
// Cost: 1 read.
func (w *Writer) firstPage(ctx context.Context, author model.UserID) (first firstPage, err error) {
	_, err = w.db.Get(ctx, w.db.FollowerPage(author), &first)
	return first, err
}
