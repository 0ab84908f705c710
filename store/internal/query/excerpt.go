package query

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/words"
	"github.com/hibana-sns/hibana/model"
)

// Part is a part of an excerpt.
type Part struct {
	Text string
	Hit  bool // the query matches it
}

// Sizes of an excerpt, in characters.
const (
	excerptBefore = 40 // before the first hit
	excerptLength = 160
)

// Excerpt is the text of a tweet around the first match of the query, with all matches marked. Without a match it is
// the beginning of the text. The excerpt and the marks begin and end between user-perceived characters.
func (q *Query) Excerpt(d *model.SearchDoc) (parts []Part) {
	f, bounds := fold(d.Text), words.BoundsOf(d.Text)
	hits := q.hits(f.text)
	first, at := 0, 0 // the beginning of the excerpt, in bytes of the text
	if len(hits) > 0 {
		at = bounds.Before(f.at[hits[0].start])
	}
	for first = at; first > 0 && utf8.RuneCountInString(d.Text[first:at]) < excerptBefore; {
		_, size := utf8.DecodeLastRuneInString(d.Text[:first])
		first -= size
	}
	first = bounds.After(first)
	end := first + len(words.Cut(d.Text[first:], excerptLength))
	add := func(to int, hit bool) {
		if to = min(to, end); to > first {
			parts = append(parts, Part{d.Text[first:to], hit})
			first = to
		}
	}
	for _, h := range hits {
		add(bounds.Before(f.at[h.start]), false)
		add(bounds.After(f.to(h.end)), true)
	}
	add(end, false)
	return parts
}

// hits are the matches of the query in a folded text, in their order. Overlapping matches are one.
func (q *Query) hits(text string) (hits []token) {
	for _, t := range tokens(text) {
		if !t.run && q.marked[wordTerm+cut(text[t.start:t.end])] {
			hits = append(hits, t)
		}
	}
	for _, e := range q.exact {
		for from := 0; from < len(text); {
			start, end := e.find(text, from)
			if start < 0 {
				break
			}
			hits = append(hits, token{start: start, end: end})
			from = end
		}
	}
	slices.SortFunc(hits, func(a, b token) int { return cmp.Compare(a.start, b.start) })
	joint := hits[:0]
	for _, h := range hits {
		if last := len(joint) - 1; last >= 0 && h.start < joint[last].end {
			joint[last].end = max(joint[last].end, h.end)
			continue
		}
		joint = append(joint, h)
	}
	return joint
}
