package query

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
	"github.com/hibana-sns/hibana/model"
)

// A tweet is found by a part of a word by the three characters that begin at each place of the word.
const (
	partTerm  = "~"
	titleTerm = "title:" // a word of the title follows
	partSize  = 3
)

// partsOf yields the terms of the parts of a word: none of a word of fewer than partSize characters.
func partsOf(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		word = cut(word)
		starts := make([]int, 0, len(word)+1)
		for i := range word {
			starts = append(starts, i)
		}
		starts = append(starts, len(word))
		for n := 0; n+partSize < len(starts); n++ {
			if !yield(partTerm + word[starts[n]:starts[n+partSize]]) {
				return
			}
		}
	}
}

// addParts adds the terms of the parts of all words of a folded text, as far as there is room for them.
func addParts(d *model.SearchDoc, text string) {
	room := model.MaxSearchParts
	for _, t := range tokens(text) {
		if t.run {
			continue // its characters and pairs are terms
		}
		for term := range partsOf(text[t.start:t.end]) {
			if d.Terms[term] {
				continue
			}
			if room--; room < 0 {
				return
			}
			d.Terms[term] = true
		}
	}
}

// addTitle adds the terms of the words of a title, as far as there is room for them.
func addTitle(d *model.SearchDoc, title string) {
	text, room := fold(title).text, model.MaxTitleTerms
	for _, t := range tokens(text) {
		for term := range termsOf(text, t) {
			if room--; room < 0 {
				return
			}
			d.Terms[titleTerm+strings.TrimPrefix(term, wordTerm)] = true
		}
	}
}

// title adds the words that the title of a tweet must have. The words of a run must stand side by side in the tweet.
func (q *Query) title(text string) error {
	all := tokens(text)
	for _, t := range all {
		for term := range termsOf(text, t) {
			q.Filters = append(q.Filters, titleTerm+strings.TrimPrefix(term, wordTerm))
		}
		q.exact = append(q.exact, exact{text[t.start:t.end], !t.run, !t.run})
	}
	if len(all) == 0 {
		return errs.New(errs.Invalid, "invalid_query", "title: needs a word of the title, as title:news")
	}
	return nil
}

// wordPart adds a text that may go on where it has a star: spark* begins a word, *park ends one, and *par* is a part of
// one. At least one of its words must have three characters, so that few tweets have them.
func (q *Query) wordPart(typed string) error {
	text := strings.Trim(typed, "*")
	all := tokens(text)
	if len(all) == 0 {
		return nil // punctuation
	}
	e := exact{"", !strings.HasPrefix(typed, "*"), !strings.HasSuffix(typed, "*")}
	text = text[all[0].start:all[len(all)-1].end]
	enough := false
	for i, t := range tokens(text) {
		word := text[t.start:t.end]
		open := i == 0 && !e.begins || i == len(all)-1 && !e.ends
		switch {
		case t.run || !open:
			for term := range termsOf(text, t) {
				q.Words = append(q.Words, term)
			}
			enough = true
		case utf8.RuneCountInString(word) >= partSize:
			for term := range partsOf(word) {
				q.Parts = append(q.Parts, term)
			}
			enough = true
		}
	}
	if !enough {
		return errs.New(errs.Invalid, "part_too_short", "%q is too short: a part of a word has %d characters at least",
			model.Snippet(typed, 50), partSize)
	}
	e.text = text
	q.exact = append(q.exact, e)
	return nil
}

// starred reports whether a text has a star at its beginning or end.
func starred(text string) bool {
	return strings.HasPrefix(text, "*") || strings.HasSuffix(text, "*")
}

// splits reports whether a position is within a word.
func splits(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return at > 0 && at < len(text) && inWord(before) && inWord(after)
}

func inWord(r rune) bool { return !words.Unspaced(r) && (isLetter(r) || r == '_') }
