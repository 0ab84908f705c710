package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/verify"
)

// wrong says what is not as it should be.
func (h *farHistory) wrong(format string, args ...any) {
	h.t.Helper()
	h.t.Errorf(format, args...)
}

// documents are the ids of the documents of a collection at an installation.
func (h *farHistory) documents(side int, collection string) map[string]bool {
	h.t.Helper()
	all := map[string]bool{}
	for _, snap := range h.all(side, collection) {
		all[snap.Ref.ID] = true
	}
	return all
}

// compare compares both installations with the model, takes over what was open, and begins the next epoch.
func (h *farHistory) compare() {
	h.t.Helper()
	for side, e := range h.on {
		found, err := e.stack.Store.Audit.All(h.t.Context(), verify.Options{})
		if err != nil {
			h.t.Fatal(err)
		}
		for _, d := range found {
			h.wrong("verify at %d: %s %s is %v, want %v", side, d.Document, d.Field, d.Have, d.Want)
		}
	}
	h.compareFollows()
	h.compareNames()
	for _, p := range h.posts {
		h.comparePost(p)
	}
	h.compareMarks(model.Likes, func(p *farPost) map[int]*mark { return p.likes })
	h.compareMarks(model.Shares, func(p *farPost) map[int]*mark { return p.shares })
	h.compareVotes()
	for _, p := range h.posts {
		h.compareReaders(p)
	}
	if h.t.Failed() {
		h.t.Logf("in this epoch:\n%s", strings.Join(h.log, "\n"))
	}
	h.log = nil
	h.next()
}

// compareFollows compares follows, requests and blocks, which both sides have, and counts.
func (h *farHistory) compareFollows() {
	h.t.Helper()
	var follows, asks, blocks [2]map[string]bool
	for side := range h.on {
		follows[side] = h.documents(side, model.Relationships)
		asks[side] = h.documents(side, model.FollowRequests)
		blocks[side] = h.documents(side, model.Blocks)
	}
	for f, follower := range h.people {
		for u, followed := range h.people {
			if f == u {
				continue
			}
			e := h.edge(f, u)
			sides := []int{followed.side}
			if follower.side != followed.side {
				sides = []int{followed.side, follower.side}
			}
			key := func(side int) string { return model.RelationshipKey(follower.at(side), followed.at(side)) }
			if !e.certain() {
				h.seen[settled]++
				e.follows, e.asks = follows[sides[0]][key(sides[0])], asks[sides[0]][key(sides[0])]
			}
			for _, side := range sides {
				if got, asked := follows[side][key(side)], asks[side][key(side)]; got != e.follows || asked != e.asks {
					h.wrong("at %d %s follows %s: %v, and asks: %v, want %v and %v; %+v", side, follower.name, followed.name, got,
						asked, e.follows, e.asks, *e)
				}
				if got, want := blocks[side][key(side)], h.blocks[[2]int{f, u}]; got != want {
					h.wrong("at %d %s blocks %s: %v, want %v", side, follower.name, followed.name, got, want)
				}
			}
		}
	}
	for i, is := range h.people {
		var followers, followed int
		for j := range h.people {
			followers += boolInt(h.edge(j, i).follows)
			followed += boolInt(h.edge(i, j).follows)
		}
		got := h.on[is.side].user(h.t, is.person)
		if got.FollowerCount != followers || got.FollowedCount != followed {
			h.wrong("%s has %d followers and follows %d, want %d and %d", is.name, got.FollowerCount, got.FollowedCount,
				followers, followed)
		}
	}
}

// compareNames compares profiles with what the other side shows.
func (h *farHistory) compareNames() {
	h.t.Helper()
	for i, is := range h.people {
		far, err := h.on[1-is.side].stack.Store.Users.Users(h.t.Context(), []model.UserID{is.at(1 - is.side)})
		if err != nil || far[is.at(1-is.side)] == nil {
			h.t.Fatalf("%s is not known: %v", is.name, err)
		}
		got := far[is.at(1-is.side)].Nickname
		must, _ := h.heard(i)
		least := is.seen
		if must && is.named {
			least = len(is.names) - 1
		}
		at := -1
		for n, name := range is.names {
			if n >= least && name == got {
				at = n
			}
		}
		if at < 0 {
			h.wrong("the other side calls %s %q, want one of %q", is.name, got, is.names[least:])
			continue
		}
		is.seen = at
	}
}

var textOf = regexp.MustCompile(`m(\d+)v(\d+)`)

// comparePost compares a post with its copy at the other side.
func (h *farHistory) comparePost(p *farPost) {
	h.t.Helper()
	name := fmt.Sprintf("post %d of %s (%s, answers %v)", p.n, h.people[p.by].name, p.visibility, p.to != nil)
	if got, ok := h.version(h.side(p), p); ok == p.deleted || ok && got != p.versions-1 {
		h.wrong("%s is there: %v, version %d; want %v, version %d", name, ok, got, !p.deleted, p.versions-1)
	}
	must, may := h.reaches(p)
	mustFetch, mayFetch := h.fetched(p)
	got, there := h.version(1-h.side(p), p)
	was, old := p.known, p.seen
	acted := p.made || p.edited || p.ended
	want := ""
	switch {
	case there && !was && p.deleted && !p.ended:
		want = "stay deleted"
	case there && p.ended && must:
		want = "be deleted"
	case !there && !p.deleted && was:
		want = "stay"
	case !there && !p.deleted && (p.made && must || mustFetch):
		want = "be there"
	case there && !was && !mayFetch && !(acted && may):
		want = "not be there"
	case !there && was && p.ended && !may && !mayFetch:
		want = "stay, of whose deletion nobody there hears"
	case there && got < old:
		want = fmt.Sprintf("be version %d at least", old)
	case there && got != p.versions-1 && !p.deleted && (p.made || p.edited) && must:
		want = fmt.Sprintf("be version %d", p.versions-1)
	case there && was && got != old && !(p.edited && may) && !mayFetch:
		want = fmt.Sprintf("be version %d still", old)
	}
	if want != "" {
		h.wrong("the copy of %s, known before: %v, is there: %v, version %d; it should %s; %+v", name, was, there, got, want,
			*p)
	}
	if acted && may && !must {
		h.seen[settled]++
	}
	p.known, p.seen = there, max(got, old)
	if there && p.to != nil && h.side(p.to) != h.side(p) {
		h.compareAnswer(name, 1-h.side(p), p)
	}
}

// compareAnswer looks at which post a copy answers.
func (h *farHistory) compareAnswer(name string, side int, p *farPost) {
	h.t.Helper()
	is, err := h.on[side].stack.Store.Tweets.TweetsNow(h.t.Context(), []model.TweetID{model.TweetID(h.id(side, p))})
	if err != nil {
		h.t.Fatal(err)
	}
	if t := is[model.TweetID(h.id(side, p))]; t == nil || t.ReplyTo == nil || string(*t.ReplyTo) != p.to.id {
		h.wrong("the copy of %s answers another post than %s", name, p.to.id)
	}
}

// version is which text of a post an installation has.
func (h *farHistory) version(side int, p *farPost) (n int, there bool) {
	h.t.Helper()
	id := h.id(side, p)
	if id == "" {
		return -1, false
	}
	is, err := h.on[side].stack.Store.Tweets.Tweet(h.t.Context(), model.TweetID(id), model.Viewer{ID: "admin",
		Role: model.Administrator})
	if err != nil {
		return -1, false
	}
	text := textOf.FindStringSubmatch(is.Content)
	if text == nil || text[1] != strconv.Itoa(p.n) {
		h.wrong("post %d is %q at %d", p.n, is.Content, side)
		return -1, true
	}
	n, _ = strconv.Atoi(text[2])
	return n, true
}

// compareMarks compares likes or shares.
func (h *farHistory) compareMarks(collection string, of func(*farPost) map[int]*mark) {
	h.t.Helper()
	got := [2]map[string]bool{h.documents(0, collection), h.documents(1, collection)}
	for _, p := range h.posts {
		if p.deleted {
			continue
		}
		home := h.side(p)
		for who, is := range h.people {
			m := at(of(p), who)
			has := func(side int) int {
				id := h.id(side, p)
				return boolInt(id != "" && got[side][model.ReactionKey(is.at(side), model.TweetID(id))])
			}
			what := fmt.Sprintf("post %d in %s by %s", p.n, collection, is.name)
			if is.side == home {
				if has(home) != m.own {
					h.wrong("%s: %d, want %d", what, has(home), m.own)
				}
				h.compareHeard(what, has(1-home), p, who, m, collection == model.Shares)
				continue
			}
			// Somebody of the other side.
			shows := h.shows(p, who)
			if shows && p.known && has(is.side) != m.own {
				h.wrong("%s, at the side of the user: %d, want %d", what, has(is.side), m.own)
			}
			want := m.seen
			if m.changed {
				want = m.own
			}
			if shows && has(home) != want {
				h.wrong("%s, at the side of the post: %d, want %d", what, has(home), want)
			}
			if !shows && has(home) != want {
				h.seen[settled]++
			}
			m.own, m.seen = has(is.side), has(home)
		}
	}
}

// compareHeard looks at what the other side knows of a like or a share of a post by somebody of the post's side: of
// likes nothing, and of shares what followers heard.
func (h *farHistory) compareHeard(what string, got int, p *farPost, who int, m *mark, shared bool) {
	h.t.Helper()
	must, may := h.heard(who)
	switch {
	case !shared:
		if got != 0 {
			h.wrong("%s: the other side knows of it", what)
		}
	case m.changed && must && p.known && p.open() && got != m.own, !m.changed && got != m.seen,
		m.changed && !may && got != m.seen:
		h.wrong("%s, as the other side heard: %d, want %d or %d", what, got, m.own, m.seen)
	}
	m.seen = got
}

// compareVotes compares votes.
func (h *farHistory) compareVotes() {
	h.t.Helper()
	var votes [2]map[string]int
	for side := range h.on {
		votes[side] = map[string]int{}
		for _, snap := range h.all(side, model.Votes) {
			n, _ := snap.Data()["option"].(int64)
			votes[side][fmt.Sprint(snap.Data()["userId"], snap.Data()["tweetId"])] = int(n)
		}
	}
	for _, p := range h.posts {
		if !p.poll || p.deleted {
			continue
		}
		for who, is := range h.people {
			m := at(p.ballot, who)
			has := func(side int) int {
				return votes[side][fmt.Sprint(is.at(side), h.id(side, p))]
			}
			certain := is.side == h.side(p) || h.shows(p, who)
			if certain && (has(h.side(p)) != m.own || is.side != h.side(p) && has(is.side) != m.own) {
				h.wrong("%s chose %d in post %d, and %d at its side, want %d", is.name, has(is.side), p.n, has(h.side(p)),
					m.own)
			}
			m.own = has(is.side)
		}
	}
}

// compareReaders looks at who may read a post.
func (h *farHistory) compareReaders(p *farPost) {
	h.t.Helper()
	for side, e := range h.on {
		id := h.id(side, p)
		if id == "" || p.deleted && side == h.side(p) || p.loose && side == h.side(p) {
			continue
		}
		visitor := e.do(h.t, person{}, "GET /v1/tweets/"+id, nil).status
		if (visitor == http.StatusOK) != (p.open() && !p.deleted || visitor == http.StatusOK && p.open()) {
			h.wrong("a visitor of %d reads post %d (%s): %d", side, p.n, p.visibility, visitor)
		}
		for who, is := range h.people {
			if is.side != side || h.apart(who, p.by) || p.deleted || p.to != nil && p.to.by == who {
				continue
			}
			want := p.open() || who == p.by || p.mentions == who || p.visibility == "followers" && h.edge(who, p.by).follows
			if got := e.do(h.t, is.person, "GET /v1/tweets/"+id, nil).status; (got == http.StatusOK) != want {
				h.wrong("%s reads post %d (%s) of %s: %d, want %v", is.name, p.n, p.visibility, h.people[p.by].name, got, want)
			}
		}
	}
}
