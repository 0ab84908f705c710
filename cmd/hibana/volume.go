package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// The shape of a volume: how many of 100 acts are of a kind. What is left over are likes.
var shape = []struct {
	name  string
	share int
}{{"people", 3}, {"tweets", 25}, {"replies", 12}, {"follows", 18}, {"likes", 33}, {"blocks", 1}, {"edits", 4},
	{"unfollows", 2}, {"unlikes", 2}}

// Limits of a volume. With fewer acts there are not enough people for the follows.
const (
	minVolume   = 100
	maxVolume   = 1_000_000
	minPeople   = 20
	volumeDays  = 30 // of tweets
	volumeEpoch = time.DateOnly
)

// volumeAct is one request.
type volumeAct struct {
	method, path string
	body         map[string]any
}

// volumePhase is a part of a volume. Its acts are independent of each other, and need those of the phases before.
type volumePhase struct {
	name string
	acts []volumeAct
}

// volume makes the acts of n requests, the same each time for one seed and one epoch. Its tweets are from before the
// epoch. Users and tweets with a low index are more popular.
//
// A user or a tweet has the same id each time, and every other act says how something is. A follow that ends is no part
// of the phase of follows alone: a repetition of the whole volume follows again, and ends it again. Blocks are between
// users who do nothing to each other, because a block refuses such acts.
func volume(n int, seed uint64, epoch time.Time) []volumePhase {
	r := rand.New(rand.NewPCG(seed, 0x766f6c756d65))
	v := &volumePlan{r: r, seed: seed, epoch: epoch, pairs: map[act]bool{}}
	count := map[string]int{}
	left := n
	for _, s := range shape {
		count[s.name] = n * s.share / 100
		left -= count[s.name]
	}
	more := max(0, minPeople-count["people"])
	count["people"] += more
	count["likes"] += left - more
	v.makePeople(count["people"])
	v.makeTweets(count["tweets"], count["replies"])
	v.makeTies(count)
	return v.phases
}

type volumePlan struct {
	r       *rand.Rand
	seed    uint64
	epoch   time.Time
	phases  []volumePhase
	uids    []string
	authors []int // of tweets
	ids     []string
	pairs   map[act]bool // of users who did something to each other
}

func (v *volumePlan) add(name string, acts []volumeAct) {
	v.phases = append(v.phases, volumePhase{name, acts})
}

func (v *volumePlan) popular(n int) int { return min(v.r.IntN(n), v.r.IntN(n)) }

func (v *volumePlan) makePeople(n int) {
	acts := make([]volumeAct, n)
	for i := range acts {
		uid := fmt.Sprintf("volume-%d-%06d", v.seed, i)
		v.uids = append(v.uids, uid)
		p := people[i%len(people)]
		acts[i] = volumeAct{http.MethodPost, "/v1/admin/users", map[string]any{"uid": uid,
			"username": fmt.Sprintf("v%d_%06d", v.seed, i), "nickname": fmt.Sprintf("%s %d", p.nickname, i),
			"introduction": p.introduction}}
	}
	v.add("people", acts)
}

// makeTweets makes threads. Replies come in the order of time after what they answer, in at most three phases: to
// tweets, to replies, and to those.
func (v *volumePlan) makeTweets(roots, replies int) {
	const levels = 3
	total := roots + replies
	level := make([]int, total)
	acts := make([][]volumeAct, levels+1)
	var decks [2]deck
	gap := volumeDays * 24 * time.Hour / time.Duration(total+1)
	for i := range total {
		author, parent := v.r.IntN(len(v.uids)), -1
		if i > 0 && v.r.IntN(total) < replies {
			if parent = i - 1 - v.popular(min(i, 50)); level[parent] == levels {
				parent = -1
			}
		}
		at := v.epoch.Add(-time.Duration(total-i) * gap)
		id, err := model.ImportID(model.UserID(v.uids[author]), fmt.Sprintf("%016x", at.UnixMilli()<<20|int64(i&0xfffff)))
		if err != nil {
			panic(err) // of a time after 1970
		}
		body := map[string]any{"id": string(id)}
		text := decks[0].draw(v.r, topics)
		if parent >= 0 {
			text = decks[1].draw(v.r, retorts)
			body["replyTo"], level[i] = v.ids[parent], level[parent]+1
			v.pairs[act{author, v.authors[parent]}] = true
		}
		if label, content, ok := strings.Cut(text, "||"); ok {
			body["summary"], text = label, content
		}
		body["content"] = fill(v.r, text)
		v.ids, v.authors = append(v.ids, string(id)), append(v.authors, author)
		acts[level[i]] = append(acts[level[i]], volumeAct{http.MethodPost, "/v1/admin/users/" + v.uids[author] + "/tweets",
			body})
	}
	v.add("tweets", acts[0])
	for i, some := range acts[1:] {
		if len(some) > 0 {
			v.add(fmt.Sprintf("replies %d", i+1), some)
		}
	}
}

// do is an act in the name of a user.
func (v *volumePlan) do(who int, kind, target string) volumeAct {
	return volumeAct{http.MethodPost, "/v1/admin/users/" + v.uids[who] + "/acts", map[string]any{"kind": kind,
		"target": target}}
}

func (v *volumePlan) makeTies(count map[string]int) {
	follows := distinct(count["follows"], func() (act, bool) {
		a := act{v.r.IntN(len(v.uids)), v.popular(len(v.uids))}
		return a, a.who != a.what
	})
	likes := distinct(count["likes"], func() (act, bool) {
		a := act{v.r.IntN(len(v.uids)), v.popular(len(v.ids))}
		return a, a.who != v.authors[a.what]
	})
	for _, f := range follows {
		v.pairs[f] = true
	}
	for _, l := range likes {
		v.pairs[act{l.who, v.authors[l.what]}] = true
	}
	toUser := func(kind string, all []act) (acts []volumeAct) {
		for _, a := range all {
			acts = append(acts, v.do(a.who, kind, v.uids[a.what]))
		}
		return acts
	}
	toTweet := func(kind string, all []act) (acts []volumeAct) {
		for _, a := range all {
			acts = append(acts, v.do(a.who, kind, v.ids[a.what]))
		}
		return acts
	}
	v.add("follows", toUser("follow", follows))
	v.add("likes", toTweet("like", likes))
	v.add("blocks", toUser("block", v.strangers(count["blocks"])))
	var edits []volumeAct
	for i, which := range v.r.Perm(len(v.ids))[:count["edits"]] {
		edits = append(edits, volumeAct{http.MethodPatch, "/v1/admin/tweets/" + v.ids[which], map[string]any{
			"content": fmt.Sprintf("%s (edit %d)", fill(v.r, topics[v.r.IntN(len(topics))]), i)}})
	}
	v.add("edits", edits)
	v.add("unfollows", toUser("unfollow", follows[:count["unfollows"]]))
	v.add("unlikes", toTweet("unlike", likes[:count["unlikes"]]))
}

// strangers returns at most n pairs of users who did nothing to each other. Among few people there may be fewer.
func (v *volumePlan) strangers(n int) (all []act) {
	for range 100 * n {
		a := act{v.r.IntN(len(v.uids)), v.r.IntN(len(v.uids))}
		if len(all) == n {
			break
		}
		if back := (act{a.what, a.who}); a.who != a.what && !v.pairs[a] && !v.pairs[back] {
			v.pairs[a], all = true, append(all, a)
		}
	}
	return all
}
