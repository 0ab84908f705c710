package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// two are two people, mostly of two sides.
func (h *farHistory) two() (a, b int) {
	a = h.rng.IntN(len(h.people))
	if b = pickOf(h.rng, h.across(a)); h.rng.IntN(6) == 0 {
		b = (a/3)*3 + (a+1)%3
	}
	return a, b
}

func pickOf[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

func (h *farHistory) of(who, other int, path string) string {
	return "/v1/users/" + string(h.people[other].at(h.people[who].side)) + path
}

func (h *farHistory) doFollow(f, u int) bool {
	if !h.request(f, "PUT "+h.of(f, u, "/follow"), nil) {
		return false
	}
	e := h.edge(f, u)
	h.acted(f, u, f, e.follows || !h.people[u].locked, !e.follows && h.people[u].locked)
	return true
}

func (h *farHistory) unfollow() bool {
	var some [][2]int
	for _, pair := range h.pairs() {
		if e := h.follow[pair]; e.follows || e.asks {
			some = append(some, pair)
		}
	}
	f, u := h.two()
	if len(some) > 0 {
		pair := pickOf(h.rng, some)
		f, u = pair[0], pair[1]
	} else if !h.doFollow(f, u) {
		return false
	}
	if !h.request(f, "DELETE "+h.of(f, u, "/follow"), nil) {
		return false
	}
	h.acted(f, u, f, false, false)
	if h.rng.IntN(3) == 0 { // and again, at once
		h.doFollow(f, u)
	}
	return true
}

// pairs are the pairs between whom there is or was a follow, in an order.
func (h *farHistory) pairs() [][2]int {
	return slices.SortedFunc(maps.Keys(h.follow), func(a, b [2]int) int { return a[0]*10 + a[1] - b[0]*10 - b[1] })
}

// answer lets somebody who is locked accept or refuse a request, which is made if there is none.
func (h *farHistory) answer(accept bool) bool {
	u := []int{2, 5}[h.rng.IntN(2)]
	f := pickOf(h.rng, h.across(u))
	waits := func() bool {
		snap, err := h.raw[h.people[u].side].Collection(model.FollowRequests).Doc(model.FollowRequestKey(
			h.people[f].at(h.people[u].side), h.people[u].at(h.people[u].side))).Get(h.t.Context())
		return err == nil && snap.Exists()
	}
	for _, other := range h.across(u) {
		if h.edge(other, u).asked && !h.edge(other, u).changed() {
			f = other
		}
	}
	if !waits() && !h.doFollow(f, u) {
		return false
	}
	for range 5 {
		if waits() {
			break
		}
		h.idle()
		h.pass(3 * time.Minute)
		h.idle()
	}
	if !waits() {
		return false
	}
	method := "DELETE"
	if accept {
		method = "PUT"
	}
	if !h.request(u, method+" /v1/users/me/followRequests/"+string(h.people[f].at(h.people[u].side)), nil) {
		return false
	}
	h.acted(f, u, u, accept, false)
	h.edge(f, u).answered = true
	return true
}

// drop lets somebody remove a follower.
func (h *farHistory) drop() bool {
	for _, i := range h.rng.Perm(len(h.pairs())) {
		pair := h.pairs()[i]
		f, u := pair[0], pair[1]
		if !h.follow[pair].follows || h.people[f].side == h.people[u].side {
			continue
		}
		if h.request(u, "DELETE /v1/users/me/followers/"+string(h.people[f].at(h.people[u].side)), nil) {
			h.acted(f, u, u, false, false)
			return true
		}
	}
	return false
}

// handle is how somebody calls another one.
func (h *farHistory) handle(who, other int) string {
	is := h.people[other]
	if is.side == h.people[who].side {
		return "@" + is.name
	}
	return "@" + is.name + "@" + h.on[is.side].host()
}

// write posts.
func (h *farHistory) write(by int, body map[string]any, to *farPost, mentions int, poll bool) bool {
	p := &farPost{n: len(h.posts), by: by, to: to, mentions: mentions, poll: poll, versions: 1, made: true,
		likes: map[int]*mark{}, shares: map[int]*mark{}, ballot: map[int]*mark{}}
	body["content"] = h.content(p)
	var made struct{ ID, Visibility string }
	if !h.request(by, "POST /v1/tweets", body, &made) {
		return false
	}
	p.id, p.visibility, p.iri = made.ID, made.Visibility, h.on[h.people[by].side].url+"/posts/"+made.ID
	if h.people[by].locked && p.open() { // as the other side gets it
		p.visibility, p.loose = "followers", true
	}
	h.posts = append(h.posts, p)
	return true
}

// content is the present text of a post.
func (h *farHistory) content(p *farPost) string {
	if p.mentions >= 0 {
		return h.handle(p.by, p.mentions) + " " + p.text(p.versions-1)
	}
	return p.text(p.versions - 1)
}

func (h *farHistory) post(visibility string) bool {
	by, mentions := h.rng.IntN(len(h.people)), -1
	if visibility == "mentioned" || h.rng.IntN(4) == 0 {
		mentions = pickOf(h.rng, h.across(by))
	}
	if visibility == "poll" {
		return h.write(by, map[string]any{"poll": map[string]any{"options": []string{"yes", "no"}, "minutes": 10_080}}, nil,
			-1, true)
	}
	return h.write(by, map[string]any{"visibility": visibility}, nil, mentions, false)
}

// id is the id of a post at an installation; empty if it is not there.
func (h *farHistory) id(side int, p *farPost) string {
	h.t.Helper()
	if h.side(p) == side {
		return p.id
	}
	is, err := h.on[side].stack.Store.Tweets.RemotePost(h.t.Context(), p.iri)
	testenv.Must(h.t, err)
	if is == nil || is.Deleted {
		return ""
	}
	return string(is.TweetID)
}

// some is a post that somebody's installation has, with its id there.
func (h *farHistory) some(who int, fits func(*farPost) bool) (*farPost, string) {
	var latest []*farPost
	for _, p := range h.posts {
		if !p.deleted && fits(p) {
			latest = append(latest, p)
		}
	}
	h.rng.Shuffle(len(latest), func(i, j int) { latest[i], latest[j] = latest[j], latest[i] })
	slices.SortStableFunc(latest, func(a, b *farPost) int { // mostly of the other side
		return boolInt(h.side(a) == h.people[who].side) - boolInt(h.side(b) == h.people[who].side)
	})
	if len(latest) > 0 && h.rng.IntN(4) == 0 {
		slices.Reverse(latest)
	}
	for _, p := range latest {
		if id := h.id(h.people[who].side, p); id != "" {
			return p, id
		}
	}
	return nil, ""
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (h *farHistory) reply() bool {
	by := h.rng.IntN(len(h.people))
	p, id := h.some(by, func(*farPost) bool { return true })
	return p != nil && h.write(by, map[string]any{"replyTo": id}, p, -1, false)
}

// react lets somebody like or share, or end that.
func (h *farHistory) react(what string, on bool) bool {
	marks := func(p *farPost) map[int]*mark {
		if what == "like" {
			return p.likes
		}
		return p.shares
	}
	for range 10 {
		who := h.rng.IntN(len(h.people))
		var p *farPost
		var id string
		if on || h.rng.IntN(2) == 0 {
			p, id = h.some(who, func(p *farPost) bool {
				is := marks(p)[who]
				return on == (is == nil || is.own == 0) && p.by != who
			})
		}
		if p == nil && !on { // one that ends at once
			if p, id = h.some(who, func(p *farPost) bool { return p.by != who }); p != nil &&
				!h.request(who, "PUT /v1/tweets/"+id+"/"+what, nil) {
				continue
			}
			h.idle()
		}
		if p == nil || !h.request(who, map[bool]string{true: "PUT", false: "DELETE"}[on]+" /v1/tweets/"+id+"/"+what, nil) {
			continue
		}
		m := at(marks(p), who)
		m.own, m.changed = boolInt(on), true
		return true
	}
	return false
}

func (h *farHistory) vote() bool {
	for try := range 6 {
		who := h.rng.IntN(len(h.people))
		p, id := h.some(who, func(p *farPost) bool { return p.poll && p.by != who && at(p.ballot, who).own == 0 })
		if p == nil && try == 0 {
			h.post("poll")
			h.idle()
		}
		option := 1 + h.rng.IntN(2)
		if p != nil && h.request(who, "PUT /v1/tweets/"+id+"/vote", map[string]any{"option": option}) {
			*at(p.ballot, who) = mark{own: option, seen: at(p.ballot, who).seen, changed: true}
			return true
		}
	}
	return false
}

// mine is a post that is there, at random.
func (h *farHistory) mine() *farPost {
	var all []*farPost
	for _, p := range h.posts {
		if !p.deleted {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return pickOf(h.rng, all)
}

func (h *farHistory) edit() bool {
	p := h.mine()
	if p == nil {
		return false
	}
	p.versions++
	if !h.request(p.by, "PATCH /v1/tweets/"+p.id, map[string]any{"content": h.content(p)}) {
		p.versions--
		return false
	}
	p.edited = true
	return true
}

func (h *farHistory) remove() bool {
	p := h.mine()
	if p == nil || !h.request(p.by, "DELETE /v1/tweets/"+p.id, nil) {
		return false
	}
	p.deleted, p.ended = true, true
	return true
}

func (h *farHistory) block() bool {
	a, b := h.two()
	if !h.request(a, "PUT "+h.of(a, b, "/block"), nil) {
		return false
	}
	h.blocks[[2]int{a, b}], h.barred[pairOf(a, b)] = true, true
	h.acted(a, b, a, false, false)
	h.acted(b, a, a, false, false)
	return true
}

func (h *farHistory) unblock() bool {
	a, b := h.two()
	if len(h.blocks) == 0 && !h.block() {
		return false
	}
	for _, pair := range slices.SortedFunc(maps.Keys(h.blocks), func(a, b [2]int) int {
		return a[0]*10 + a[1] - b[0]*10 - b[1]
	}) {
		a, b = pair[0], pair[1]
	}
	if !h.request(a, "DELETE "+h.of(a, b, "/block"), nil) {
		return false
	}
	delete(h.blocks, [2]int{a, b})
	h.barred[pairOf(a, b)] = true
	return true
}

func (h *farHistory) rename() bool {
	who := h.rng.IntN(len(h.people))
	is := h.people[who]
	name := fmt.Sprintf("%s the %d", is.name, len(is.names))
	if !h.request(who, "PATCH /v1/users/me", map[string]any{"nickname": name}) {
		return false
	}
	is.names, is.named = append(is.names, name), true
	return true
}
