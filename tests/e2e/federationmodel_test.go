package e2e

import (
	"fmt"

	"github.com/hibana-sns/hibana/model"
)

// far are the people and posts of two installations as they should be once all that was sent has arrived. Between two
// comparisons, which are an epoch apart, acts are on their way at the same time. What their order decides is open until
// the comparison, and what is there then is taken over: so much is open, and no more.
//
//   - A follow that both its sides changed in one epoch: both sides have to agree.
//   - Who hears of a post, an edit, a deletion, a share or a profile while nobody on the other side follows the author
//     through the whole epoch, but somebody does for a part of it.
//   - What two people do to each other's posts while one blocks the other, or did within the epoch.
//   - What somebody does to a post that is deleted, or that the follow which shows it came or went, within the epoch.
//
// Texts and names of an installation never become older ones.
type far struct {
	people []*someone
	follow map[[2]int]*tie // by follower and followed
	blocks map[[2]int]bool // by blocker and blockee
	barred map[[2]int]bool // pairs, the smaller one first, between whom a block began or ended in this epoch
	posts  []*farPost
}

// someone is a person of one side, 0 or 1.
type someone struct {
	person
	side   int
	locked bool
	iri    string
	names  []string // all nicknames, the present one last
	seen   int      // which of them the other side has
	named  bool     // anew in this epoch
}

// tie is a follow, or a request.
type tie struct {
	follows, asks   bool
	followed, asked bool   // when the epoch began
	acts            [2]int // of the follower, and of the followed, in the epoch
	answered        bool   // the act of the followed was an answer to the request that the follower made
}

// changed reports whether somebody did something about a follow in this epoch.
func (f *tie) changed() bool { return f.acts != [2]int{} }

// certain reports whether it is certain how a follow ends.
func (f *tie) certain() bool {
	return f.acts[0] == 0 || f.acts[1] == 0 || f.acts == [2]int{1, 1} && f.answered && !f.asked && !f.followed
}

// mark is a like, a share or a vote.
type mark struct {
	own, seen int // for the user, and for the other side; 0 for none, an option of a vote, else 1
	changed   bool
}

// farPost is a post.
type farPost struct {
	n          int
	id, iri    string
	by         int
	visibility string
	loose      bool     // at its own side more people than followers may read it
	to         *farPost // the post that it answers
	mentions   int      // a person, or -1
	poll       bool
	versions   int  // how many texts it had
	deleted    bool // by its author
	known      bool // the other side has it
	seen       int  // which version the other side has

	made, edited, ended   bool // in this epoch
	likes, shares, ballot map[int]*mark
}

// text is a word that only one version of one post has.
func (p *farPost) text(version int) string { return fmt.Sprintf("m%dv%d", p.n, version) }

func (p *farPost) open() bool { return p.visibility == "public" || p.visibility == "unlisted" }

func at(marks map[int]*mark, who int) *mark {
	if marks[who] == nil {
		marks[who] = &mark{}
	}
	return marks[who]
}

func (w *far) side(of *farPost) int { return w.people[of.by].side }

// across are the people of the other side than somebody's.
func (w *far) across(who int) (all []int) {
	for i, p := range w.people {
		if p.side != w.people[who].side {
			all = append(all, i)
		}
	}
	return all
}

func (w *far) edge(follower, followed int) *tie {
	key := [2]int{follower, followed}
	if w.follow[key] == nil {
		w.follow[key] = &tie{}
	}
	return w.follow[key]
}

// acted notes an act about a follow by one of its sides.
func (w *far) acted(follower, followed, by int, follows, asks bool) {
	e := w.edge(follower, followed)
	e.follows, e.asks, e.answered = follows, asks, false
	if by == follower {
		e.acts[0]++
	} else {
		e.acts[1]++
	}
}

func pairOf(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// apart reports whether a block is between two people, or was in this epoch.
func (w *far) apart(a, b int) bool {
	return w.blocks[[2]int{a, b}] || w.blocks[[2]int{b, a}] || w.barred[pairOf(a, b)]
}

// heard reports whether the other side certainly hears what somebody says to followers, and whether it may.
func (w *far) heard(by int) (must, may bool) {
	for _, other := range w.across(by) {
		e := w.edge(other, by)
		must = must || e.followed && e.follows && !e.changed() && !w.apart(other, by)
		may = may || e.followed || e.asked || e.follows || e.asks || e.changed()
	}
	return must, may
}

// shows reports whether a post certainly shows to somebody of the other side in the whole epoch.
func (w *far) shows(p *farPost, to int) bool {
	if w.apart(p.by, to) || p.deleted {
		return false
	}
	e := w.edge(to, p.by)
	return p.open() || p.mentions == to || p.visibility == "followers" && e.followed && !e.changed()
}

// reaches reports whether the other side certainly hears of a post and of what becomes of it, and whether it may. A
// post that its server fetches is no part of it, see fetched.
func (w *far) reaches(p *farPost) (must, may bool) {
	if p.visibility != "mentioned" {
		must, may = w.heard(p.by)
	}
	addressed := p.mentions
	for range 2 {
		if addressed >= 0 && w.people[addressed].side != w.side(p) {
			must, may = must || !w.apart(p.by, addressed), true
		}
		if addressed = -1; p.to != nil {
			addressed = p.to.by
		}
	}
	if p.to != nil && w.side(p.to) != w.side(p) && !w.shows(p.to, p.by) {
		must = false // the other side may refuse it as an answer
	}
	return must, may
}

// fetched reports whether the other side certainly asks for a post, and whether it may: because of a share, or of an
// answer below it.
func (w *far) fetched(p *farPost) (must, may bool) {
	if !p.open() {
		return false, false
	}
	for who, s := range p.shares {
		if s.changed && w.people[who].side == w.side(p) {
			hears, mayHear := w.heard(who)
			must, may = must || hears && s.own == 1 && !p.deleted, may || mayHear
		}
	}
	for _, other := range w.posts {
		for up := other.to; up != nil; up = up.to {
			if up == p && (other.made || other.edited || changed(other.shares)) {
				may = true
			}
		}
	}
	return must, may
}

func changed(marks map[int]*mark) bool {
	for _, m := range marks {
		if m.changed {
			return true
		}
	}
	return false
}

// next begins the next epoch.
func (w *far) next() {
	for _, e := range w.follow {
		*e = tie{follows: e.follows, asks: e.asks, followed: e.follows, asked: e.asks}
	}
	clear(w.barred)
	for _, p := range w.people {
		p.named = false
	}
	for _, p := range w.posts {
		p.made, p.edited, p.ended = false, false, false
		for _, marks := range []map[int]*mark{p.likes, p.shares, p.ballot} {
			for _, m := range marks {
				m.changed = false
			}
		}
	}
}

// id is who somebody is for an installation.
func (s *someone) at(side int) model.UserID {
	if s.side == side {
		return model.UserID(s.id)
	}
	return model.RemoteUserID(s.iri)
}
