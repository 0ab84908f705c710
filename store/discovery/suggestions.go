// This file suggests people to follow. A computation of the clock leaves candidates in a document a user, and a request
// checks each of them against the present: nobody is suggested whom the user follows, mutes or has a block with, nobody
// who is locked, left, or is withheld by moderators, and nobody who does not want it (docs/adr/0060-suggestions.md).

package discovery

import (
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/graph"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Suggestions reads and dismisses suggestions. Its methods may be called concurrently. Their errors are those of
// package errs.
type Suggestions struct {
	db        *db.DB
	access    *access.Store
	graph     *graph.Store
	viewers   *viewers.Store
	directory *Directory
	tags      *Tags
	taggers   readcache.Values[string, []model.UserID] // users of a tag, for users without suggestions
}

// taggersEvery is for how many writes of a count a process knows the users of a tag.
const taggersEvery = 600

// NewSuggestions returns the suggestions of a database. every is about the time between two writes of a document.
func NewSuggestions(d *db.DB, a *access.Store, g *graph.Store, v *viewers.Store, dir *Directory, t *Tags,
	every time.Duration) *Suggestions {
	s := &Suggestions{db: d, access: a, graph: g, viewers: v, directory: dir, tags: t}
	taggers := readcache.New(d.Now, taggersEvery*every, 1<<20, func(ids []model.UserID) int { return 100 * len(ids) },
		func(ctx context.Context, tags []string) (map[string][]model.UserID, error) {
			found := map[string][]model.UserID{}
			for _, tag := range tags {
				page, err := t.Users(ctx, tag, model.Cursor{}, model.SuggestStarters)
				if err != nil {
					return nil, err
				}
				for _, u := range page.Items {
					found[tag] = append(found[tag], u.UserID)
				}
			}
			return found, nil
		})
	taggers.Name = "taggers"
	s.taggers = taggers
	return s
}

// Suggestion is somebody whom a user may want to follow, with the reasons. Without one the person is in the directory.
type Suggestion struct {
	*model.User
	FollowedBy []*model.User // some followed users who follow the person, at most model.MaxNamed
	Others     int           // how many more of the followed users do
	Tags       []string      // that both use
	Language   string        // the language of both; empty if they differ
}

// For suggests at most limit people to a user, who may have a language without saying so in the profile. It notes at
// most once a day, and after one of the first follows, that the user asked: computations are for those who ask.
// With fewer than 5 computed people to show, users of the same tag and popular people of the directory follow.
//
// The user's own acts show at once, a block by another some seconds later, and an edited or deleted profile within 5
// minutes.
//
// Cost: 2 reads, 1 for account statuses, at least, and 1 for each profile that is not cached, at most 42. 1 write once
// a day. 1 read, at least, for follow requests to people whose profiles changed since the computation. With people of
// the directory 1 read more for follow requests, 1 for the user's tag, and what is not cached of 10 users of the tag
// and of two pages of 10 people. Without a whole graph also the cost of [graph.Store.ViewerRelationshipsOf] and
// [graph.Store.Quiet] of 25 people, and the latter of at most 16 more whom reasons name.
func (s *Suggestions) For(ctx context.Context, v model.Viewer, language string, limit int) (all []Suggestion,
	err error) {
	defer errs.Wrap(&err, "discovery.Suggestions.For(%q)", v.ID)
	uid := v.Account()
	if uid == "" {
		return nil, nil
	}
	limit = min(limit, model.MaxSuggested)
	var is model.Suggestions
	var own *model.ViewerGraph
	var mine map[model.UserID]*model.User
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) {
		_, err = s.db.Get(side, s.db.Suggestions(uid), &is)
		return err
	})
	g.Go(func() (err error) {
		own, err = s.viewers.Peek(side, uid)
		return err
	})
	g.Go(func() (err error) {
		mine, err = s.access.Listed(side, []model.UserID{uid})
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	me := mine[uid]
	if me == nil {
		return nil, nil
	}
	if err := s.want(ctx, v, &is, me, own); err != nil {
		return nil, err
	}
	if language == "" {
		language = me.Language
	}
	p := &picker{s: s, uid: uid, own: own, me: me, is: &is, language: language, limit: limit, had: map[model.UserID]bool{}}
	if all, err = p.pick(ctx, is.People, nil); err != nil || len(all) >= model.SuggestFew {
		return all, err
	}
	if p.limit -= len(all); p.limit == 0 {
		return all, nil
	}
	more, known, err := s.starters(ctx, me, own, language)
	if err != nil {
		return nil, err
	}
	rest, err := p.pick(ctx, more, known)
	return append(all, rest...), err
}

// want notes that a user asks. A user without follows and tweets is not noted: there is nothing to compute.
//
// Cost: nothing, or 1 write.
func (s *Suggestions) want(ctx context.Context, v model.Viewer, is *model.Suggestions, me *model.User,
	own *model.ViewerGraph) error {
	if model.MayWrite(v.Role) != nil || len(own.Follows) == 0 && me.TweetCount == 0 ||
		!is.Want(s.db.Time(), len(own.Follows)) {
		return nil
	}
	_, err := s.db.Suggestions(v.ID).Set(ctx, map[string]any{fields.WantedAt: is.WantedAt, fields.DueAt: is.DueAt},
		firestore.MergeAll)
	if db.Contended(err) { // the user dismisses somebody at this moment; the next time notes it
		err = nil
	}
	return err
}

// starters returns people for a user of whom nothing is computed yet: users of the tag that the user uses most, and the
// popular people of the directory, those of the user's language first. The profiles of the latter are with them.
//
// Cost: 1 read for a user with tweets, and the reads of what is not cached.
func (s *Suggestions) starters(ctx context.Context, me *model.User, own *model.ViewerGraph,
	language string) (all []model.Candidate, known map[model.UserID]*model.User, err error) {
	known = map[model.UserID]*model.User{}
	if me.TweetCount > 0 && len(own.Follows) < model.SuggestFew {
		used, err := s.tags.UsedBy(ctx, me.ID, model.Cursor{}, 1)
		if err != nil {
			return nil, nil, err
		}
		for _, tag := range used.Items {
			users, _, err := s.taggers.One(ctx, tag.Name)
			if err != nil {
				return nil, nil, err
			}
			for _, uid := range users {
				all = append(all, model.Candidate{ID: uid, Tags: []string{tag.Content}})
			}
		}
	}
	for _, l := range slices.Compact([]string{language, ""}) {
		page, _, err := s.directory.first.One(ctx, directoryPage{DirectoryPopular, l, model.SuggestStarters})
		if err != nil {
			return nil, nil, err
		}
		for _, u := range page.Items {
			known[u.ID] = u
			all = append(all, model.Candidate{ID: u.ID})
		}
	}
	return all, known, nil
}

// picker picks the candidates who may be suggested now.
type picker struct {
	s        *Suggestions
	uid      model.UserID
	own      *model.ViewerGraph
	me       *model.User
	is       *model.Suggestions
	language string
	limit    int
	had      map[model.UserID]bool // who was looked at
}

// pick returns the first candidates who may be suggested now. known has profiles that were read already; those
// candidates were not checked by a computation.
func (p *picker) pick(ctx context.Context, candidates []model.Candidate,
	known map[model.UserID]*model.User) (all []Suggestion, err error) {
	var some []model.Candidate
	quiet := p.own.Quiet(p.uid, p.s.db.Now())
	for _, c := range candidates {
		_, follows := p.own.Follows[c.ID]
		if c.ID == p.uid || follows || p.had[c.ID] || p.own.Whole && quiet.Hides(c.ID) ||
			slices.Contains(p.is.Dismissed, c.ID) {
			continue
		}
		p.had[c.ID] = true
		some = append(some, c)
	}
	some = some[:min(len(some), p.limit+model.SuggestMore)]
	if len(some) == 0 {
		return nil, nil
	}
	profiles, err := p.profiles(ctx, some, known)
	if err != nil {
		return nil, err
	}
	var fit, ask []model.UserID
	for _, c := range some {
		u := profiles[c.ID]
		if u == nil || u.Locked || u.NotSuggested {
			continue
		}
		// A computation left out whom the user asks to follow. Since then only somebody who was locked can have been asked.
		if fit = append(fit, c.ID); known != nil || !p.is.Checked ||
			u.UpdatedAt != nil && u.UpdatedAt.After(p.is.ComputedAt.Add(-clocks)) {
			ask = append(ask, c.ID)
		}
	}
	var named []model.UserID // by the reasons
	for _, c := range some {
		for _, by := range c.FollowedBy {
			if slices.Contains(fit, c.ID) && !slices.Contains(named, by) {
				named = append(named, by)
			}
		}
	}
	hidden, quiet, err := p.hidden(ctx, fit, ask, named)
	if err != nil {
		return nil, err
	}
	for _, c := range some {
		if len(all) == p.limit || !slices.Contains(fit, c.ID) || hidden[c.ID] {
			continue
		}
		all = append(all, p.suggestion(c, profiles, quiet))
	}
	return all, nil
}

// clocks is the largest assumed difference between the clocks of two processes, with the time of a computation.
const clocks = 2 * time.Minute

// profiles reads the profiles of candidates, and of those whom their reasons name.
//
// Cost: 1 read for each profile that is neither known nor cached.
func (p *picker) profiles(ctx context.Context, some []model.Candidate,
	known map[model.UserID]*model.User) (map[model.UserID]*model.User, error) {
	var ids []model.UserID
	for _, c := range some {
		for _, uid := range append([]model.UserID{c.ID}, c.FollowedBy...) {
			if known[uid] == nil && !slices.Contains(ids, uid) {
				ids = append(ids, uid)
			}
		}
	}
	found, err := p.s.access.Listed(ctx, ids)
	if err != nil {
		return nil, err
	}
	for uid, u := range known {
		found[uid] = u
	}
	return found, nil
}

// hidden returns whom of the people no answer shows: accounts that moderators withhold, and those whom the user asks to
// follow. Without a whole graph it also has those whom the user follows, mutes, or has a block with.
// quiet is what the user does not see of the people, and of those whom reasons name.
func (p *picker) hidden(ctx context.Context, fit, ask, named []model.UserID) (out map[model.UserID]bool,
	quiet *model.Quiet, err error) {
	var held, asked map[model.UserID]bool
	out = map[model.UserID]bool{}
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) {
		held, err = p.s.directory.withheld(side, fit)
		return err
	})
	if p.own.Whole {
		quiet = p.own.Quiet(p.uid, p.s.db.Now())
		g.Go(func() (err error) {
			asked, err = p.s.requested(side, p.uid, ask)
			return err
		})
	} else {
		g.Go(func() (err error) {
			ties, err := p.s.graph.ViewerRelationshipsOf(side, p.uid, fit)
			if err != nil {
				return err
			}
			if quiet, err = p.s.viewers.QuietBy(side, p.uid, p.own, slices.Concat(fit, named)); err != nil {
				return err
			}
			for _, uid := range fit {
				t := ties[uid]
				out[uid] = t.Follows || t.Requested || t.Blocks || quiet.Hides(uid)
			}
			return nil
		})
	}
	err = g.Wait()
	for _, uid := range fit {
		out[uid] = out[uid] || held[uid] || asked[uid]
	}
	return out, quiet, err
}

// requested returns whom of some users a user asks to follow.
//
// Cost: of each 30 users, 1 read for each request, at least 1; nothing for no users.
func (s *Suggestions) requested(ctx context.Context, uid model.UserID,
	others []model.UserID) (map[model.UserID]bool, error) {
	keys := make([]string, len(others))
	for i, o := range others {
		keys[i] = model.FollowRequestKey(uid, o)
	}
	there, err := s.db.There(ctx, model.FollowRequests, keys)
	asked := map[model.UserID]bool{}
	for i, o := range others {
		asked[o] = there[keys[i]]
	}
	return asked, err
}

// suggestion returns a candidate with the reasons that still hold for the user: whom the user follows no more, or
// mutes, is no reason. That somebody still follows the candidate is as old as the computation.
func (p *picker) suggestion(c model.Candidate, profiles map[model.UserID]*model.User, quiet *model.Quiet) Suggestion {
	is := Suggestion{User: profiles[c.ID], Tags: c.Tags, Others: max(0, c.Followers-len(c.FollowedBy))}
	for _, by := range c.FollowedBy {
		_, follows := p.own.Follows[by]
		if u := profiles[by]; u != nil && follows && !quiet.Hides(by) {
			is.FollowedBy = append(is.FollowedBy, u)
		}
	}
	if len(is.FollowedBy) == 0 {
		is.Others = 0 // others than nobody
	}
	if is.User.Language != "" && is.User.Language == p.language {
		is.Language = p.language
	}
	return is
}

// Dismiss takes somebody out of a user's suggestions, for good. The oldest of more than [model.MaxDismissedPeople]
// dismissals ends. Another user than one of the suggested may be dismissed, too. A user without a profile is
// errs.Forbidden.
//
// Cost: 1 read and 1 write; 1 read if there is nothing to change; 1 read more if the process does not remember the
// user's profile.
func (s *Suggestions) Dismiss(ctx context.Context, uid, other model.UserID) (err error) {
	defer errs.Wrap(&err, "discovery.Dismiss(%q, %q)", uid, other)
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return err
	}
	ref := s.db.Suggestions(uid)
	return s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		var is model.Suggestions
		if _, err := db.GetIn(tx, ref, &is); err != nil || slices.Contains(is.Dismissed, other) {
			return err
		}
		is.Dismiss(other)
		return tx.Set(ref, map[string]any{fields.Dismissed: is.Dismissed, fields.People: is.People}, firestore.MergeAll)
	})
}
