package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
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
func (s *Store) link(ctx context.Context, author model.UserID, followers []model.UserID) (map[model.UserID]*model.Relationship, *firstPage, error) {
	for {
		assumed := s.layouts.get(author)
		rels, err := s.tryLink(ctx, author, followers, assumed)
		if err != nil {
			return nil, nil, err
		}
		first, err := s.firstPage(ctx, author)
		if err != nil {
			return nil, nil, err
		}
		s.layouts.set(author, first.layout())
		if first.layout() != assumed {
			continue
		}
		if len(first.Followers) > s.followersPerPage && first.Pages == 0 {
			if err := s.split(ctx, author); err != nil {
				return nil, nil, err
			}
		}
		return rels, &first, nil
	}
}

// tryLink is one transaction, which reads the relationships alone and writes blind into
// the shared documents, each once.
func (s *Store) tryLink(ctx context.Context, author model.UserID, followers []model.UserID, l layout) (rels map[model.UserID]*model.Relationship, err error) {
	followers = slices.Compact(slices.Sorted(slices.Values(followers)))
	refs := make([]*firestore.DocumentRef, len(followers))
	for i, f := range followers {
		refs[i] = s.relationship(f, author)
	}
	err = s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		rels = map[model.UserID]*model.Relationship{}
		pages := map[string]map[string]any{}
		for i, f := range followers {
			var rel model.Relationship
			var entry any = firestore.Delete
			held, err := decode(snaps[i], nil)(&rel)
			if err != nil {
				return err
			}
			if held {
				rels[f], entry = &rel, rel.CreatedAt
			} else if err := s.drop(tx, f, author); err != nil {
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
			if err := tx.Set(s.doc(model.FollowerPages, page), merge, firestore.MergeAll); err != nil {
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
func (s *Store) split(ctx context.Context, author model.UserID) error {
	ref := s.followerPage(author)
	snap, err := ref.Get(ctx)
	var first firstPage
	if _, err := decode(snap, err)(&first); err != nil {
		return err
	}
	if first.Pages > 0 || s.now().Before(first.SplittingUntil) {
		return nil
	}
	_, err = ref.Update(ctx, []firestore.Update{{Path: "splittingUntil", Value: s.time().Add(splitLease)}}, firestore.LastUpdateTime(snap.UpdateTime))
	if outdated(err) {
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
			if _, err := s.tryLink(ctx, author, part, layout{pages: model.FollowerPageCount}); err != nil {
				return err
			}
		}
	}
	_, err = ref.Update(ctx, []firestore.Update{
		{Path: "pages", Value: model.FollowerPageCount},
		{Path: "followers", Value: map[string]any{}},
		{Path: "splittingUntil", Value: firestore.Delete},
	})
	s.layouts.set(author, layout{pages: model.FollowerPageCount})
	return err
}

// Audience is to whom a tweet of a month goes.
type Audience struct {
	Followers []model.UserID // those who are awake; none if Pages is not zero
	Pages     int            // hashed pages on which they are instead
	Pull      bool           // the author has too many followers to push to
	Pulled    bool           // and they all know it
}

// Audience reads an author's first page of followers: 1 read, and for an author with
// hashed pages 1 of the profile.
func (s *Store) Audience(ctx context.Context, author model.UserID, m model.Month) (a Audience, err error) {
	defer errs.Wrap(&err, "store.Audience(%q)", author)
	first, err := s.firstPage(ctx, author)
	if err != nil {
		return a, err
	}
	state := first.PulledMonths[string(m)]
	a.Pulled, a.Pull = state == pullMarked, state != ""
	if first.Pages == 0 {
		a.Followers = awake(first.FollowerList)
		a.Pull = a.Pull || len(first.Followers) > s.pullAbove
		return a, nil
	}
	a.Pages = first.Pages
	if !a.Pull {
		var u model.User
		if _, err := s.get(ctx, s.doc(model.Users, string(author)), &u); err != nil {
			return a, err
		}
		a.Pull = u.FollowerCount > int64(s.pullAbove)
	}
	return a, nil
}

// pullState says how far the followers of a month's author know that its tweets are
// not pushed.
type pullState string

const (
	pullMarking pullState = "marking" // some do; who follows now is told at once
	pullMarked  pullState = "marked"  // all do, or will by the work documents that there are
)

// BeginPull decides that an author's tweets of a month are not pushed any more, before
// anybody is told: 1 write. New followers see it from now on; so those who are told
// afterwards, from the pages as they are then, are all the others.
func (s *Store) BeginPull(ctx context.Context, author model.UserID, m model.Month) (err error) {
	defer errs.Wrap(&err, "store.BeginPull(%q, %q)", author, m)
	return s.setPull(ctx, author, m, pullMarking)
}

// EndPull notes that every follower is told, or will be by a work document: 1 write.
func (s *Store) EndPull(ctx context.Context, author model.UserID, m model.Month) (err error) {
	defer errs.Wrap(&err, "store.EndPull(%q, %q)", author, m)
	return s.setPull(ctx, author, m, pullMarked)
}

func (s *Store) setPull(ctx context.Context, author model.UserID, m model.Month, state pullState) error {
	_, err := s.followerPage(author).Set(ctx, map[string]any{"pulledMonths": map[string]any{string(m): state}}, firestore.MergeAll)
	return err
}

// FollowersOnPage reads who is awake on one hashed page: 1 read.
func (s *Store) FollowersOnPage(ctx context.Context, author model.UserID, n int) (_ []model.UserID, err error) {
	defer errs.Wrap(&err, "store.FollowersOnPage(%q, %d)", author, n)
	var list model.FollowerList
	_, err = s.get(ctx, s.hashedFollowerPage(author, n), &list)
	return awake(list), err
}

func awake(list model.FollowerList) []model.UserID {
	followers := make([]model.UserID, 0, len(list.Followers))
	for f := range list.Followers {
		if !list.Asleep[f] {
			followers = append(followers, f)
		}
	}
	return followers
}

func (s *Store) firstPage(ctx context.Context, author model.UserID) (first firstPage, err error) {
	_, err = s.get(ctx, s.followerPage(author), &first)
	return first, err
}

func (s *Store) followerPage(author model.UserID) *firestore.DocumentRef {
	return s.doc(model.FollowerPages, model.FollowerPageKey(author))
}

func (s *Store) hashedFollowerPage(author model.UserID, n int) *firestore.DocumentRef {
	return s.doc(model.FollowerPages, model.HashedFollowerPageKey(author, n))
}
