package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	story "github.com/hibana-sns/hibana/dev/seed"
)

// The sizes of a plan.
const (
	seedFollows = 120
	seedLikes   = 400
	seedShares  = 24
)

type person struct{ username, nickname, introduction string }

// seedPeople and seedTweets are what the files of dev/seed have, and people the same users in short.
var (
	seedPeople, seedTweets = loadSeed()
	people                 = inShort(seedPeople)
)

// loadSeed reads the files of the seed, which are part of the program: its tests see to it that they are right.
func loadSeed() ([]story.Person, []story.Tweet) {
	people, tweets, err := story.Load()
	if err != nil {
		panic(err)
	}
	return people, tweets
}

func inShort(all []story.Person) (people []person) {
	for _, p := range all {
		people = append(people, person{p.Username, p.Nickname, p.Introduction})
	}
	return people
}

// plan lists the actions of the users in the seed. An index identifies a user or a tweet.
type plan struct {
	follows []act
	tweets  []story.Tweet
	likes   []act
	shares  []act
}

type act struct{ who, what int }

// newPlan returns the same plan each time. Users with a low index are more popular, and so are tweets that begin a
// thread.
func newPlan() *plan {
	r := rand.New(rand.NewPCG(0x68616e61, 0x6269))
	popular := func(n int) int { return min(r.IntN(n), r.IntN(n)) }
	p := &plan{tweets: seedTweets}
	talking := friends() // who follows the first person gets messages, and no requests
	p.follows = distinct(seedFollows, func() (act, bool) {
		if len(talking) > 0 {
			a := act{talking[0], 0}
			talking = talking[1:]
			return a, true
		}
		a := act{r.IntN(len(people)), popular(len(people))}
		if r.IntN(6) == 0 { // so that the home timeline of the first is full
			a = act{0, r.IntN(len(people))}
		}
		return a, a.who != a.what
	})
	var liked, begins []int
	for i, t := range p.tweets {
		liked = append(liked, i)
		if t.ReplyTo >= 0 {
			continue
		}
		liked = append(liked, i, i, i, i, i)
		if t.Age > 0 { // so that home begins with new tweets, and not with shares of them
			begins = append(begins, i)
		}
	}
	p.likes = distinct(seedLikes, func() (act, bool) {
		a := act{r.IntN(len(people)), liked[r.IntN(len(liked))]}
		return a, a.who != p.tweets[a.what].Author
	})
	p.shares = distinct(seedShares, func() (act, bool) {
		a := act{r.IntN(len(people)), begins[r.IntN(len(begins))]}
		return a, a.who != p.tweets[a.what].Author
	})
	return p
}

// replies returns the number of tweets that reply to another one.
func (p *plan) replies() (n int) {
	for _, t := range p.tweets {
		if t.ReplyTo >= 0 {
			n++
		}
	}
	return n
}

// distinct collects n different acts.
func distinct(n int, next func() (act, bool)) []act {
	seen := map[act]bool{}
	var all []act
	for len(all) < n {
		if a, ok := next(); ok && !seen[a] {
			seen[a] = true
			all = append(all, a)
		}
	}
	return all
}

// deck returns every text once before it repeats one.
type deck struct{ left []int }

func (d *deck) draw(r *rand.Rand, texts []string) string {
	if len(d.left) == 0 {
		d.left = r.Perm(len(texts))
	}
	i := d.left[0]
	d.left = d.left[1:]
	return texts[i]
}

// fill replaces each placeholder by a word of its kind.
func fill(r *rand.Rand, text string) string {
	text = strings.ReplaceAll(text, "{n}", fmt.Sprint(2+r.IntN(48)))
	for _, w := range words {
		for strings.Contains(text, w.kind) {
			text = strings.Replace(text, w.kind, w.choice[r.IntN(len(w.choice))], 1)
		}
	}
	return text
}
