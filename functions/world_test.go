package functions_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// world is the sequential model: what is, if everything happened at once and in
// order.
type world struct {
	users   []model.UserID
	follows map[[2]model.UserID]*follow // follower, followed
	tweets  map[model.TweetID]*tweet
	order   []model.TweetID                   // of tweets, those that exist, for picking
	cards   map[model.UserID]map[string]*card // slot_term
}

type tweet struct {
	author model.UserID
	doc    *model.Tweet
	likes  map[model.UserID]bool
	shares map[model.UserID]bool
}

type follow struct {
	at     time.Time
	before []model.TweetID // what the followed had written by then, newest first
}

// card is a notification card.
type card struct {
	users  map[model.UserID]bool
	newest map[model.Record]bool // by user and reply, with the latest time
	tweets int64
}

func newWorld(users int) *world {
	w := &world{follows: map[[2]model.UserID]*follow{}, tweets: map[model.TweetID]*tweet{}, cards: map[model.UserID]map[string]*card{}}
	for i := range users {
		w.users = append(w.users, model.UserID(fmt.Sprintf("user_%d", i)))
	}
	return w
}

// follow tells whether it is new.
func (w *world) follow(u, v model.UserID, at time.Time) bool {
	k := [2]model.UserID{u, v}
	if w.follows[k] != nil {
		return false
	}
	w.follows[k] = &follow{at: at, before: w.by(v)}
	return true
}

var tokyo = time.FixedZone("", 9*60*60)

func (w *world) notify(notified model.UserID, slot string, by model.UserID, reply model.TweetID, at time.Time) {
	if notified == by {
		return
	}
	if w.cards[notified] == nil {
		w.cards[notified] = map[string]*card{}
	}
	key := slot + "_" + at.In(tokyo).Format(time.DateOnly)
	c := w.cards[notified][key]
	if c == nil {
		c = &card{users: map[model.UserID]bool{}, newest: map[model.Record]bool{}}
		w.cards[notified][key] = c
	}
	c.users[by] = true
	if reply != "" {
		c.tweets++
	}
	for r := range c.newest {
		if r.UserID == by && r.TweetID == reply {
			delete(c.newest, r)
		}
	}
	c.newest[model.Record{At: at.UTC(), UserID: by, TweetID: reply}] = true
}

func (w *world) unfollow(u, v model.UserID) { delete(w.follows, [2]model.UserID{u, v}) }

func (w *world) add(t *model.Tweet) {
	w.tweets[t.ID] = &tweet{author: t.AuthorID, doc: t, likes: map[model.UserID]bool{}, shares: map[model.UserID]bool{}}
	w.order = append(w.order, t.ID)
}

func (w *world) delete(id model.TweetID) {
	delete(w.tweets, id)
	w.order = slices.DeleteFunc(w.order, func(other model.TweetID) bool { return other == id })
}

func (w *world) pickTweet(rng *rand.Rand) (model.TweetID, bool) {
	if len(w.order) == 0 {
		return "", false
	}
	return pick(rng, w.order), true
}

// by lists what an author has written, newest first.
func (w *world) by(author model.UserID) []model.TweetID {
	own := maps.Clone(w.tweets)
	maps.DeleteFunc(own, func(_ model.TweetID, t *tweet) bool { return t.author != author })
	return model.Newest(own, 0)
}

func (w *world) count(what func(id model.TweetID, t *tweet) bool) (n int64) {
	for id, t := range w.tweets {
		if what(id, t) {
			n++
		}
	}
	return n
}

// timeline tells which tweets a user's home timeline must show, and which it may. Of
// the tweets from before a follow it shows the newest twenty that were there when the
// follow took effect. Some may have been deleted by then, so that others moved up.
func (w *world) timeline(u model.UserID) (must, may map[model.TweetID]bool) {
	must, may = map[model.TweetID]bool{}, map[model.TweetID]bool{}
	for k, f := range w.follows {
		if k[0] != u {
			continue
		}
		// One from just before the follow may not have reached its author's month when
		// the follow took effect; an older one was taken in its place, and it came too.
		left := 0
		for _, id := range f.before {
			if id.Time().After(f.at.Add(-time.Minute)) {
				left--
			}
		}
		for i, id := range f.before {
			if w.tweets[id] == nil {
				continue
			}
			if i < model.RecentTweets {
				must[id] = true
			}
			if left < model.RecentTweets {
				may[id] = true
			}
			left++
		}
		for _, id := range w.by(k[1]) {
			if !slices.Contains(f.before, id) {
				must[id], may[id] = true, true
			}
		}
	}
	return must, may
}
