// This file keeps the pages of followers: documents in which a fan-out finds the
// followers of an author. Package followers knows where a follower stands, and who is
// dormant. It knows nothing of home timelines.

package timelines

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"
	lru "github.com/hashicorp/golang-lru/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// First is followerPages/{author}. It tells on which pages the author's followers
// stand. All followers stand on the first page until there are too many. Then a split
// copies them to hashed pages:
//
//	pages 0                    all followers stand on the first page
//	pages 0, splittingUntil    writes go to both, reads go to the first page
//	pages 16                   all followers stand on hashed pages; what is on the first does not count
//
// A process that wrote an entry looks afterwards whether the layout is still the one for
// which it wrote. If the layout is another, the process writes again. What stands on a first
// page that does not count is removed by the next process that reads the page.
type firstPage struct {
	model.FollowerList
	// when the lease of the process that splits ends; zero if no process splits
	SplittingUntil time.Time `firestore:"splittingUntil"`

	// PulledMonths are the months whose tweets are not pushed to followers.
	PulledMonths map[string]PullState `firestore:"pulledMonths"`
}

// PullState tells how many followers of an author know that the author's tweets of a
// month are not pushed.
type PullState string

// The states of a month whose tweets are pulled.
const (
	PullMarking PullState = "marking" // some followers know; Link tells a new follower at once
	PullMarked  PullState = "marked"  // every follower knows, or will by a work document
)

// Pages are the pages of followers of all authors.
type followerPages struct {
	db      *db.DB
	perPage int                              // followers on the first page before it is split
	layouts *lru.Cache[model.UserID, layout] // of authors whose layout is not the plain one
}

// layoutsRemembered is for how many large authors a process remembers the layout.
const layoutsRemembered = 50_000

// New returns the pages of followers of a database. A first page with more than perPage
// followers is split.
func newFollowerPages(d *db.DB, perPage int) *followerPages {
	layouts, err := lru.New[model.UserID, layout](layoutsRemembered)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &followerPages{d, perPage, layouts}
}

// layout tells on which pages an author's followers stand.
type layout struct {
	pages     int
	splitting bool
}

func (f firstPage) layout() layout {
	return layout{pages: f.Pages, splitting: f.Pages == 0 && !f.SplittingUntil.IsZero()}
}

// assume returns the layout that the process remembers of an author, or the plain one. A
// wrong memory costs a second write.
func (p *followerPages) assume(author model.UserID) layout {
	l, _ := p.layouts.Get(author)
	return l
}

// learn reads an author's first page and remembers the layout.
//
// Cost: 1 read.
func (p *followerPages) learn(ctx context.Context, author model.UserID) (firstPage, error) {
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

// splitLease is for how long a process that splits an author's page has the split to
// itself. If the process ended meanwhile, another process splits after the lease.
const splitLease = time.Minute

// Link makes the entries of some followers on the author's pages agree with the
// relationships as they are now. For a user who left, it also calls left in the same
// transaction. It returns the relationships that exist, and the first page as it is
// afterwards.
//
// Cost: 1 read a follower, 1 read of the first page, and 1 write a page on which a
// follower stands.
func (p *followerPages) Link(ctx context.Context, author model.UserID, followers []model.UserID,
	left func(tx *firestore.Transaction, follower, author model.UserID) error) (map[model.UserID]*model.Relationship,
	*firstPage, error) {
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

// clear removes what stands on the first page of an author who has hashed pages: a process
// wrote there before it knew.
//
// Cost: nothing if nothing stands there; otherwise 1 write.
func (p *followerPages) clear(ctx context.Context, author model.UserID, first firstPage) error {
	if first.Pages == 0 || len(first.Followers)+len(first.Dormant) == 0 {
		return nil
	}
	_, err := p.db.FollowerPage(author).Update(ctx, []firestore.Update{
		{Path: "followers", Value: map[string]any{}}, {Path: "asleep", Value: map[string]any{}},
	})
	return err
}

// Sleep marks followers on an author's pages as dormant, unless a follower is active again
// or has left. A mark that is missing costs needless writes and nothing else.
//
// Cost: 3 reads a follower, 1 read of the first page, and 1 write a page.
func (p *followerPages) Sleep(ctx context.Context, author model.UserID, followers []model.UserID) error {
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

// trySleep marks followers as dormant for an assumed layout, in one transaction. The
// transaction reads nothing that is shared. During a split the mark goes to both pages.
func (p *followerPages) trySleep(ctx context.Context, author model.UserID, followers []model.UserID, l layout) error {
	var refs []*firestore.DocumentRef
	for _, f := range followers {
		refs = append(refs, p.db.Home(f), p.db.Doc(model.Rebuilds, string(f)), p.db.Relationship(f, author))
	}
	return p.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		pages := map[string]map[string]any{}
		for i, f := range followers {
			if snaps[3*i].Exists() || snaps[3*i+1].Exists() || !snaps[3*i+2].Exists() {
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
			if err := tx.Set(p.db.Doc(model.FollowerPages, page), map[string]any{"asleep": dormant},
				firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
}

// tryLink links for an assumed layout, in one transaction. The transaction reads the
// relationships alone, and writes blind into the shared documents, each once.
func (p *followerPages) tryLink(ctx context.Context, author model.UserID, followers []model.UserID, l layout,
	left func(tx *firestore.Transaction, follower, author model.UserID) error) (rels map[model.UserID]*model.Relationship,
	err error) {
	followers = slices.Compact(slices.Sorted(slices.Values(followers)))
	refs := make([]*firestore.DocumentRef, len(followers))
	for i, f := range followers {
		refs[i] = p.db.Relationship(f, author)
	}
	err = p.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
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
			// A user who follows, leaves or comes back counts as active on this author's
			// pages.
			active := make(map[string]any, len(entries))
			for f := range entries {
				active[f] = firestore.Delete
			}
			merge := map[string]any{"followers": entries, "asleep": active}
			if err := tx.Set(p.db.Doc(model.FollowerPages, page), merge, firestore.MergeAll); err != nil {
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
func (p *followerPages) split(ctx context.Context, author model.UserID) error {
	ref := p.db.FollowerPage(author)
	snap, err := ref.Get(ctx)
	var first firstPage
	if _, err := db.Decode(snap, err)(&first); err != nil {
		return err
	}
	if first.Pages > 0 || p.db.Now().Before(first.SplittingUntil) {
		return nil
	}
	_, err = ref.Update(ctx, []firestore.Update{{Path: "splittingUntil", Value: p.db.Time().Add(splitLease)}},
		firestore.LastUpdateTime(snap.UpdateTime))
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
			if _, err := p.tryLink(ctx, author, part, layout{pages: model.FollowerPageCount}, stay); err != nil {
				return err
			}
		}
	}
	_, err = ref.Update(ctx, []firestore.Update{
		{Path: "pages", Value: model.FollowerPageCount},
		{Path: "followers", Value: map[string]any{}},
		{Path: "asleep", Value: map[string]any{}},
		{Path: "splittingUntil", Value: firestore.Delete},
	})
	p.layouts.Add(author, layout{pages: model.FollowerPageCount})
	return err
}

// stay leaves the home timeline of a user who left to that user's own event.
func stay(*firestore.Transaction, model.UserID, model.UserID) error { return nil }

// readFirst reads an author's first page of followers.
//
// Cost: 1 read.
func (p *followerPages) readFirst(ctx context.Context, author model.UserID) (first firstPage, err error) {
	_, err = p.db.Get(ctx, p.db.FollowerPage(author), &first)
	return first, err
}

// OnPage lists the followers on one hashed page who are active.
//
// Cost: 1 read.
func (p *followerPages) OnPage(ctx context.Context, author model.UserID, n int) ([]model.UserID, error) {
	var list model.FollowerList
	_, err := p.db.Get(ctx, p.db.HashedFollowerPage(author, n), &list)
	return active(list), err
}

// SetPull notes the state of an author's month on the first page of followers.
//
// Cost: 1 write.
func (p *followerPages) SetPull(ctx context.Context, author model.UserID, m model.Month, state PullState) error {
	_, err := p.db.FollowerPage(author).Set(ctx, map[string]any{"pulledMonths": map[string]any{string(m): state}},
		firestore.MergeAll)
	return err
}

// active lists the followers on a page who are active.
func active(list model.FollowerList) []model.UserID {
	followers := make([]model.UserID, 0, len(list.Followers))
	for f := range list.Followers {
		if !list.Dormant[f] {
			followers = append(followers, f)
		}
	}
	return followers
}
