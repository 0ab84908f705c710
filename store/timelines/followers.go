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

// An author's followers stand on one page until there are too many, and then on
// hashed ones. The first page tells which. In between both are written and the
// first is read, until every follower has been copied:
//
//	pages 0                    all on the first page
//	pages 0, splittingUntil    written to both, read from the first
//	pages 16                   all on the hashed pages; what is on the first does not count
//
// Whoever writes an entry looks afterwards whether the layout is still the one that
// it wrote for, and otherwise writes again.
type firstPage struct {
	model.FollowerList
	SplittingUntil time.Time `firestore:"splittingUntil"` // when the one who splits is given up; zero if nobody does

	// PulledMonths are those whose tweets are not pushed to followers.
	PulledMonths map[string]pullState `firestore:"pulledMonths"`
}

type layout struct {
	pages     int
	splitting bool
}

func (p firstPage) layout() layout {
	return layout{pages: p.Pages, splitting: p.Pages == 0 && !p.SplittingUntil.IsZero()}
}

// layouts remembers the layouts of authors other than the plain one; a wrong
// memory costs a second write.
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

const splitLease = time.Minute

// link makes the entries of some followers in the author's pages agree with whether their
// relationships are there now. It returns those that are, and the first page as it is
// afterwards. Of those who do not follow, the author's tweets are hidden too. A read for
// each and 1 of the page; a write for each page that they are on, and for each who left one
// for each month of the timeline's window.
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
		if len(first.Followers) > w.followersPerPage && first.Pages == 0 {
			if err := w.split(ctx, author); err != nil {
				return nil, nil, err
			}
		}
		return rels, &first, nil
	}
}

// tryLink is one transaction, which reads the relationships alone and writes blind into
// the shared documents, each once.
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
			// Whoever follows, stops, or comes back is awake as far as this author goes.
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

// pagesOf names the pages of an author on which a follower stands.
func (l layout) pagesOf(author, follower model.UserID) (keys []string) {
	if l.pages == 0 {
		keys = append(keys, model.FollowerPageKey(author))
	}
	if l.pages > 0 || l.splitting {
		keys = append(keys, model.HashedFollowerPageKey(author, model.FollowerPage(follower)))
	}
	return keys
}

// split moves the followers of an author to hashed pages, unless somebody else is
// doing it: a read for each follower, and a write for each page and 2 of the first, once
// in an author's life.
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
		return nil // the page is busy; its next follower tries again
	}
	if err != nil {
		return err
	}
	// Those who were there when the mark was set are known, since nobody wrote in between.
	// Every writer who comes later and has not seen the mark writes again.
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
		{Path: "splittingUntil", Value: firestore.Delete},
	})
	w.layouts.set(author, layout{pages: model.FollowerPageCount})
	return err
}

func (w *Writer) firstPage(ctx context.Context, author model.UserID) (first firstPage, err error) {
	_, err = w.db.Get(ctx, w.db.FollowerPage(author), &first)
	return first, err
}
