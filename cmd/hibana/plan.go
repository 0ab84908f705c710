package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The sizes of a plan.
const (
	seedFollows = 100
	seedTweets  = 200
	seedLikes   = 400
)

// plan lists the actions of the users in the seed. An index identifies a user or a tweet.
type plan struct {
	follows []act
	tweets  []draft
	likes   []act
}

type act struct{ who, what int }

type draft struct {
	author  int
	content string
	summary string
	tags    []string
	replyTo int // -1 for none
}

// newPlan returns the same plan each time. Users and tweets with a low index are more popular, and replies answer
// recent tweets.
func newPlan() *plan {
	r := rand.New(rand.NewPCG(0x68616e61, 0x6269))
	popular := func(n int) int { return min(r.IntN(n), r.IntN(n)) }
	p := &plan{}
	p.follows = distinct(seedFollows, func() (act, bool) {
		a := act{r.IntN(len(people)), popular(len(people))}
		return a, a.who != a.what
	})
	var roots, replies deck
	for i := range seedTweets {
		t := draft{author: r.IntN(len(people)), replyTo: -1}
		if i > 5 && r.IntN(5) < 2 {
			t.replyTo = i - 1 - popular(min(i, 30))
			t.content = replies.draw(r, retorts)
		} else {
			t.content = roots.draw(r, topics)
		}
		t.content = fill(r, t.content)
		if label, text, ok := strings.Cut(t.content, "||"); ok {
			t.summary, t.content = label, text
		}
		if r.IntN(6) == 0 {
			t.tags = []string{moreTags[r.IntN(len(moreTags))]}
		}
		p.tweets = append(p.tweets, t)
	}
	p.likes = distinct(seedLikes, func() (act, bool) {
		a := act{r.IntN(len(people)), popular(seedTweets)}
		return a, a.who != p.tweets[a.what].author
	})
	return p
}

// replies returns the number of tweets that reply to another one.
func (p *plan) replies() (n int) {
	for _, t := range p.tweets {
		if t.replyTo >= 0 {
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
