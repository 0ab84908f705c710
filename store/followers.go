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

// link makes the follower's entry in the author's pages agree with whether the
// relationship is there now, and returns that, nil if it is not, and the first page as
// it is afterwards. Of one who does not follow, the author's tweets are hidden too. 2
// reads; 1 write, and for an unfollow one for each month of the timeline's window.
func (s *Store) link(ctx context.Context, follower, author model.UserID) (*model.Relationship, *firstPage, error) {
	for {
		assumed := s.layouts.get(author)
		rel, err := s.tryLink(ctx, follower, author, assumed)
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
		return rel, &first, nil
	}
}

// tryLink is one transaction, which reads the relationship alone and writes blind into
// the shared documents.
func (s *Store) tryLink(ctx context.Context, follower, author model.UserID, l layout) (rel *model.Relationship, err error) {
	err = s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		rel = &model.Relationship{}
		var entry any = firestore.Delete
		held, err := decode(tx.Get(s.relationship(follower, author)))(rel)
		if err != nil {
			return err
		}
		if held {
			entry = rel.CreatedAt
		} else {
			rel = nil
			if err := s.drop(tx, follower, author); err != nil {
				return err
			}
		}
		return s.setFollower(tx, author, l, follower, entry)
	})
	return rel, err
}

func (s *Store) setFollower(tx *firestore.Transaction, author model.UserID, l layout, follower model.UserID, entry any) error {
	// Whoever follows, stops, or comes back is awake as far as this author goes.
	merge := map[string]any{
		"followers": map[string]any{string(follower): entry},
		"asleep":    map[string]any{string(follower): firestore.Delete},
	}
	if l.pages == 0 {
		if err := tx.Set(s.followerPage(author), merge, firestore.MergeAll); err != nil {
			return err
		}
	}
	if l.pages > 0 || l.splitting {
		return tx.Set(s.hashedFollowerPage(author, model.FollowerPage(follower)), merge, firestore.MergeAll)
	}
	return nil
}

// split moves the followers of an author to hashed pages, unless somebody else is
// doing it: a read and two writes for each follower, once in an author's life.
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
	// From here on every writer that has not seen the mark writes again.
	if first, err = s.firstPage(ctx, author); err != nil {
		return err
	}
	followers := make([]model.UserID, 0, len(first.Followers))
	for f := range first.Followers {
		followers = append(followers, f)
	}
	for part := range slices.Chunk(followers, 100) {
		if err := s.copyFollowers(ctx, author, part); err != nil {
			return err
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

// copyFollowers makes the hashed pages agree with the relationships of some
// followers as they are now.
func (s *Store) copyFollowers(ctx context.Context, author model.UserID, followers []model.UserID) error {
	return s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		refs := make([]*firestore.DocumentRef, len(followers))
		for i, f := range followers {
			refs[i] = s.relationship(f, author)
		}
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		byPage := map[int]map[string]any{}
		for i, f := range followers {
			var rel model.Relationship
			var entry any = firestore.Delete
			if held, err := decode(snaps[i], nil)(&rel); err != nil {
				return err
			} else if held {
				entry = rel.CreatedAt
			}
			n := model.FollowerPage(f)
			if byPage[n] == nil {
				byPage[n] = map[string]any{}
			}
			byPage[n][string(f)] = entry
		}
		for n, entries := range byPage {
			if err := tx.Set(s.hashedFollowerPage(author, n), map[string]any{"followers": entries}, firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
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
