// Package followerpages stores the pages of followers: the documents in which a fan-out finds an author's followers.
// The pages record which page holds a follower, and which followers are dormant. They do not depend on home timelines.
package followerpages

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/lru"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// FirstPage is the document followerPages/{author}. It says which pages hold the author's followers. The first page
// holds all followers until there are too many. Then a split copies them to hashed pages:
//
//	pages 0                    the first page holds all followers
//	pages 0, splittingUntil    writes go to both, reads go to the first page
//	pages 16                   hashed pages hold all followers; entries on the first page do not count
//
// After a process has written an entry, it checks whether the layout is still the one it wrote for. If the layout
// changed, the process writes again. Entries on a first page that do not count are removed by the next process that
// reads the page.
type FirstPage struct {
	model.FollowerList
	// end of the lease of the process that splits; zero if no process splits
	SplittingUntil time.Time `firestore:"splittingUntil"`

	// PulledMonths holds the months whose tweets are not pushed to followers.
	PulledMonths map[string]PullState `firestore:"pulledMonths"`
}

// PullState says how many of an author's followers are marked to pull the author's tweets of a month.
type PullState string

// These are the states of a month whose tweets are pulled.
const (
	PullMarking PullState = "marking" // some followers are marked; Link marks a new follower at once
	PullMarked  PullState = "marked"  // every follower is marked, or a work document will mark the follower
)

// Pages reads and writes the pages of followers of all authors.
type Pages struct {
	db      *db.DB
	perPage int                             // followers on the first page before it is split
	layouts lru.Cache[model.UserID, layout] // of authors whose layout is not the plain one
}

// layoutsRemembered is the number of large authors whose layout a process remembers.
const layoutsRemembered = 50_000

// New returns the pages of followers of a database. A first page with more than perPage followers is
// split.
func New(d *db.DB, perPage int) *Pages {
	return &Pages{d, perPage, lru.New[model.UserID, layout](layoutsRemembered)}
}

// layout says which pages hold an author's followers.
type layout struct {
	pages     int
	splitting bool
}

func (f FirstPage) layout() layout {
	return layout{pages: f.Pages, splitting: f.Pages == 0 && !f.SplittingUntil.IsZero()}
}

// assume returns the layout that the process remembers for an author, or the plain layout. A wrong memory costs a
// second write.
func (p *Pages) assume(author model.UserID) layout {
	l, _ := p.layouts.Get(author)
	return l
}

// learn reads an author's first page and caches the layout.
//
// Cost: 1 read.
func (p *Pages) learn(ctx context.Context, author model.UserID) (FirstPage, error) {
	first, err := p.readFirst(ctx, author)
	if err != nil {
		return first, err
	}
	if l := first.layout(); l == (layout{}) {
		p.layouts.Remove(author)
	} else {
		p.layouts.Add(author, l)
	}
	return first, nil
}

// splitLease is the time for which one process alone may split an author's page. If that process ends early, another
// process splits after the lease.
const splitLease = time.Minute

// Link makes the entries of some followers on the author's pages agree with the present relationships. For a user who
// no longer follows the author, Link also calls left in the same transaction. It returns the relationships that exist,
// and the first page as it is afterwards.
//
// Cost: 1 read a follower, 1 read of the first page, and 1 write a page that holds a follower.
func (p *Pages) Link(ctx context.Context, author model.UserID, followers []model.UserID,
	left func(tx *firestore.Transaction, follower, author model.UserID) error) (map[model.UserID]*model.Relationship,
	*FirstPage, error) {
	for relieved := false; ; {
		assumed := p.assume(author)
		rels, err := p.tryLink(ctx, author, followers, assumed, left)
		if full := status.Code(err) == codes.InvalidArgument; err != nil && (!full || relieved) {
			return nil, nil, err
		}
		failed := err
		first, err := p.learn(ctx, author)
		if err != nil {
			return nil, nil, err
		}
		if err := p.clear(ctx, author, first); err != nil {
			return nil, nil, err
		}
		if first.layout() != assumed {
			continue
		}
		if first.Pages == 0 && (len(first.Followers) > p.perPage || failed != nil) {
			if err := p.split(ctx, author); err != nil {
				return nil, nil, err
			}
		}
		if failed == nil {
			return rels, &first, nil
		}
		relieved = true // a page that is full may have room after its split
	}
}

// clear removes the entries on the first page of an author who has hashed pages. A process wrote them before it knew
// the new layout.
//
// Cost: nothing without entries; otherwise 1 write.
func (p *Pages) clear(ctx context.Context, author model.UserID, first FirstPage) error {
	if first.Pages == 0 || len(first.Followers)+len(first.Dormant) == 0 {
		return nil
	}
	_, err := p.db.FollowerPage(author).Update(ctx, []firestore.Update{
		{Path: fields.Followers, Value: map[string]any{}}, {Path: fields.Asleep, Value: map[string]any{}},
	})
	return err
}

// MarkDormant marks followers on an author's pages as dormant, except followers who are active again or no longer
// follow. A missing mark causes needless writes and no other harm.
//
// Cost: 3 reads a follower, 1 read of the first page, and 1 write a page.
func (p *Pages) MarkDormant(ctx context.Context, author model.UserID, followers []model.UserID) error {
	for {
		assumed := p.assume(author)
		if err := p.trySleep(ctx, author, followers, assumed); err != nil {
			return err
		}
		first, err := p.learn(ctx, author)
		if err != nil {
			return err
		}
		if err := p.clear(ctx, author, first); err != nil || first.layout() == assumed {
			return err
		}
	}
}

// trySleep marks followers as dormant for an assumed layout, in one transaction. The transaction reads no shared
// document. During a split the mark goes to both pages.
func (p *Pages) trySleep(ctx context.Context, author model.UserID, followers []model.UserID, l layout) error {
	return p.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var lookup db.Lookup
		read := make([]struct{ home, rebuild, rel *db.Found[struct{}] }, len(followers))
		for i, f := range followers {
			read[i].home = db.Find[struct{}](&lookup, p.db.Home(f))
			read[i].rebuild = db.Find[struct{}](&lookup, p.db.Doc(model.Rebuilds, string(f)))
			read[i].rel = db.Find[struct{}](&lookup, p.db.Relationship(f, author))
		}
		if err := lookup.ReadIn(tx); err != nil {
			return err
		}
		pages := map[string]map[string]any{}
		for i, f := range followers {
			if is := read[i]; is.home.Found || is.rebuild.Found || !is.rel.Found {
				continue
			}
			for _, page := range l.pagesOf(author, f) {
				if pages[page] == nil {
					pages[page] = map[string]any{}
				}
				pages[page][string(f)] = true
			}
		}
		for page, dormant := range pages {
			if err := tx.Set(p.db.Doc(model.FollowerPages, page), map[string]any{fields.Asleep: dormant},
				firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
}

// tryLink links for an assumed layout, in one transaction. The transaction reads only the relationships. It writes each
// shared document once, without a read.
func (p *Pages) tryLink(ctx context.Context, author model.UserID, followers []model.UserID, l layout,
	left func(tx *firestore.Transaction, follower, author model.UserID) error) (rels map[model.UserID]*model.Relationship,
	err error) {
	followers = slices.Compact(slices.Sorted(slices.Values(followers)))
	err = p.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var lookup db.Lookup
		read := make([]*db.Found[model.Relationship], len(followers))
		for i, f := range followers {
			read[i] = db.Find[model.Relationship](&lookup, p.db.Relationship(f, author))
		}
		if err := lookup.ReadIn(tx); err != nil {
			return err
		}
		rels = map[model.UserID]*model.Relationship{}
		pages := map[string]map[string]any{}
		for i, f := range followers {
			var entry any = firestore.Delete
			if rel := read[i]; rel.Found {
				rels[f], entry = &rel.Doc, rel.Doc.CreatedAt
			} else if err := left(tx, f, author); err != nil {
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
			// A user who follows, unfollows or comes back counts as active on this author's pages.
			active := make(map[string]any, len(entries))
			for f := range entries {
				active[f] = firestore.Delete
			}
			merge := map[string]any{fields.Followers: entries, fields.Asleep: active}
			if err := tx.Set(p.db.Doc(model.FollowerPages, page), merge, firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	return rels, err
}

// pagesOf returns the pages of an author that hold a follower. During a split there are two.
func (l layout) pagesOf(author, follower model.UserID) (keys []string) {
	if l.pages == 0 {
		keys = append(keys, model.FollowerPageKey(author))
	}
	if l.pages > 0 || l.splitting {
		keys = append(keys, model.HashedFollowerPageKey(author, model.FollowerPage(follower)))
	}
	return keys
}

// split moves an author's followers to hashed pages, unless another process splits already. An author is split once and
// for good.
//
// Cost: 1 read and 2 writes of the first page, 1 read a follower, and 1 write a hashed page.
func (p *Pages) split(ctx context.Context, author model.UserID) error {
	ref := p.db.FollowerPage(author)
	first, err := db.As[FirstPage](ref.Get(ctx))
	if err != nil {
		return err
	}
	if first.Doc.Pages > 0 || p.db.Now().Before(first.Doc.SplittingUntil) {
		return nil
	}
	_, err = ref.Update(ctx, []firestore.Update{{Path: fields.SplittingUntil, Value: p.db.Time().Add(splitLease)}},
		firestore.LastUpdateTime(first.Snap.UpdateTime))
	if db.Outdated(err) {
		return nil // another process wrote the page; the author's next follower tries again
	}
	if err != nil {
		return err
	}
	// No process wrote between the read and the mark, so first has all followers from before the mark. A process that
	// writes later without having seen the mark writes again.
	byPage := map[int][]model.UserID{}
	for f := range first.Doc.Followers {
		n := model.FollowerPage(f)
		byPage[n] = append(byPage[n], f)
	}
	for _, followers := range byPage {
		for part := range slices.Chunk(followers, 500) {
			if _, err := p.tryLink(ctx, author, part, layout{pages: model.FollowerPageCount}, stay); err != nil {
				return err
			}
		}
	}
	_, err = ref.Update(ctx, []firestore.Update{
		{Path: fields.Pages, Value: model.FollowerPageCount},
		{Path: fields.Followers, Value: map[string]any{}},
		{Path: fields.Asleep, Value: map[string]any{}},
		{Path: fields.SplittingUntil, Value: firestore.Delete},
	})
	p.layouts.Add(author, layout{pages: model.FollowerPageCount})
	return err
}

// stay does nothing: the user's own unfollow event updates the user's home timeline.
func stay(*firestore.Transaction, model.UserID, model.UserID) error { return nil }

// readFirst reads an author's first page of followers.
//
// Cost: 1 read.
func (p *Pages) readFirst(ctx context.Context, author model.UserID) (first FirstPage, err error) {
	_, err = p.db.Get(ctx, p.db.FollowerPage(author), &first)
	return first, err
}

// OnPage returns the active followers on one hashed page.
//
// Cost: 1 read.
func (p *Pages) OnPage(ctx context.Context, author model.UserID, n int) ([]model.UserID, error) {
	var list model.FollowerList
	_, err := p.db.Get(ctx, p.db.HashedFollowerPage(author, n), &list)
	return active(list), err
}

// SetPull writes the state of an author's month to the first page of followers.
//
// Cost: 1 write.
func (p *Pages) SetPull(ctx context.Context, author model.UserID, m model.Month, state PullState) error {
	_, err := p.db.FollowerPage(author).Set(ctx, map[string]any{fields.PulledMonths: map[string]any{string(m): state}},
		firestore.MergeAll)
	return err
}

// active returns the active followers on a page.
func active(list model.FollowerList) []model.UserID {
	followers := make([]model.UserID, 0, len(list.Followers))
	for f := range list.Followers {
		if !list.Dormant[f] {
			followers = append(followers, f)
		}
	}
	return followers
}
