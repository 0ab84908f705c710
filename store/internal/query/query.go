// Package query reads what users search tweets by, makes the terms by which tweets are found, and cuts excerpts.
package query

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
	"github.com/hibana-sns/hibana/model"
)

// Query is what tweets are searched by. Tweets must have all of it.
type Query struct {
	Text string // the typed text, folded: two queries with one Text are one query

	From    string    // a username; empty for any author
	Filters []string  // terms of filters
	Words   []string  // terms of words and runs
	Parts   []string  // terms of parts of words; exact has the parts
	Since   time.Time // zero for none
	Before  time.Time // zero for none

	marked  map[string]bool // terms of the words that are followed and preceded by no word character
	exact   []exact
	without []exact // texts that a tweet must not have
}

// exact is a text that a tweet must have unchanged.
type exact struct {
	text         string
	begins, ends bool // it begins, and it ends, where words do
}

// Parse reads a query. It has words, symbols and "exact phrases", -word and -"phrase" for texts that a tweet must not
// have, parts of words (spark*, *park and *par*), and the filters from:username, #tag, title:word, is:reply, has:media,
// since:2026-01-31 and until:2026-02-28. Days are in UTC; the day of until does not count. A filter that no tweet can
// have as a hashtag, as #½price, is a word. Punctuation counts in phrases alone. Errors are errs.Invalid.
func Parse(typed string) (*Query, error) {
	if !utf8.ValidString(typed) {
		return nil, errs.New(errs.Invalid, "invalid_text", "q is not UTF-8")
	}
	if n := utf8.RuneCountInString(typed); n > model.MaxSearchQuery {
		return nil, errs.New(errs.Invalid, "too_long", "q has %d characters; the limit is %d", n, model.MaxSearchQuery)
	}
	text := strings.Join(strings.Fields(quotes.Replace(fold(typed).text)), " ")
	q := &Query{Text: text, marked: map[string]bool{}}
	for rest := text; rest != ""; rest = strings.TrimPrefix(rest, " ") {
		var part string
		if phrase, ok := strings.CutPrefix(rest, `"`); ok {
			part, rest, _ = strings.Cut(phrase, `"`)
			q.phrase(strings.TrimSpace(part))
			continue
		}
		if phrase, ok := strings.CutPrefix(rest, `-"`); ok {
			part, rest, _ = strings.Cut(phrase, `"`)
			q.leaveOut(strings.TrimSpace(part), true)
			continue
		}
		end := strings.IndexAny(rest, ` "`)
		if end < 0 {
			end = len(rest)
		}
		part, rest = rest[:end], rest[end:]
		if err := q.part(part); err != nil {
			return nil, err
		}
	}
	q.Filters = slices.Compact(slices.Sorted(slices.Values(q.Filters)))
	q.Words = slices.Compact(slices.Sorted(slices.Values(q.Words)))
	q.Parts = slices.Compact(slices.Sorted(slices.Values(q.Parts)))
	if q.From == "" && len(q.Filters)+len(q.Words)+len(q.Parts) == 0 {
		return nil, errs.New(errs.Invalid, "empty_query", "q has no word or symbol to look for, and none of from:, #tag, "+
			"is: and has:; what is left out by - does not count")
	}
	return q, nil
}

// quotes are the quotation marks that people type.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`)

// part reads the text between two spaces.
func (q *Query) part(part string) (err error) {
	if left, ok := strings.CutPrefix(part, "-"); ok {
		name, _, filter := strings.Cut(left, ":")
		if strings.HasPrefix(left, "#") || filter && slices.Contains([]string{"from", "since", "until", "is", "has", "title"},
			name) {
			return errs.New(errs.Invalid, "invalid_query", "- leaves out words and phrases, and not %q", model.Snippet(left, 50))
		}
		q.leaveOut(left, false)
		return nil
	}
	name, value, ok := strings.Cut(part, ":")
	switch {
	case ok && name == "from":
		if q.From != "" {
			return errs.New(errs.Invalid, "invalid_query", "from: may stand in q once")
		}
		if q.From = strings.TrimPrefix(value, "@"); q.From == "" {
			return errs.New(errs.Invalid, "invalid_query", "from: needs a username")
		}
	case ok && name == "since":
		q.Since, err = day(name, value)
	case ok && name == "until":
		q.Before, err = day(name, value)
	case part == replyTerm, part == MediaTerm:
		q.Filters = append(q.Filters, part)
	case ok && name == "title":
		err = q.title(value)
	case ok && (name == "is" || name == "has"):
		return errs.New(errs.Invalid, "invalid_query", "q may have is:reply and has:media, and not %q",
			model.Snippet(part, 50))
	default:
		if tag, fit := words.Tag(part); fit && strings.HasPrefix(part, "#") {
			q.Filters = append(q.Filters, tagTerm+tag)
		} else if starred(part) {
			err = q.wordPart(part)
		} else {
			q.text(part, false)
		}
	}
	return err
}

// leaveOut adds a text that a tweet must not have: a phrase unchanged, or a word without the punctuation around it.
func (q *Query) leaveOut(text string, phrase bool) {
	all := tokens(text)
	if len(all) == 0 {
		return
	}
	e := exact{text, true, true}
	if !phrase { // a star leaves out all words with this part
		e = exact{text[all[0].start:all[len(all)-1].end], !strings.HasPrefix(text, "*"), !strings.HasSuffix(text, "*")}
	}
	q.without = append(q.without, e)
}

// phrase adds a text that a tweet must have unchanged.
func (q *Query) phrase(phrase string) {
	if q.text(phrase, true) {
		q.exact = append(q.exact, exact{phrase, true, true})
	}
}

// text adds the words of a text, and returns whether there are any. A tweet must have a run unchanged, because the
// pairs of the run may occur apart. phrase says that a tweet must have all of the text.
func (q *Query) text(text string, phrase bool) bool {
	all := tokens(text)
	for _, t := range all {
		for term := range termsOf(text, t) {
			q.Words = append(q.Words, term)
			if !t.run && !phrase {
				q.marked[term] = true
			}
		}
		if t.run && !phrase {
			q.exact = append(q.exact, exact{text[t.start:t.end], false, false})
		}
	}
	return len(all) > 0
}

func day(name, value string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, value)
	if err != nil || t.Year() < 1970 || t.Year() > 2500 { // ids of tweets have room for no more
		return time.Time{}, errs.New(errs.Invalid, "invalid_query",
			"%s: needs a day as 2026-01-31, from 1970 to 2500, and not %q", name, model.Snippet(value, 50))
	}
	return t, nil
}

// Indexed returns the terms that Firestore compares: so many that few tweets have them all. The longest words come
// first, because long words are rare.
func (q *Query) Indexed() []string {
	const most = 8
	terms := slices.Clone(q.Words)
	slices.SortStableFunc(terms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	terms = slices.Concat(q.Filters, terms, q.Parts)
	return terms[:min(len(terms), most)]
}

// Matches reports whether a document matches the query, author and days excepted.
func (q *Query) Matches(d *model.SearchDoc) bool {
	for _, terms := range [][]string{q.Filters, q.Words} {
		for _, term := range terms {
			if !d.Terms[term] {
				return false
			}
		}
	}
	return q.Stands(d.Text)
}

// Stands reports whether a text has all required exact texts, and no excluded one.
func (q *Query) Stands(in string) bool {
	if !q.Compares() {
		return true
	}
	text := fold(in).text
	for _, e := range q.exact {
		if start, _ := e.find(text, 0); start < 0 {
			return false
		}
	}
	for _, e := range q.without {
		if start, _ := e.find(text, 0); start >= 0 {
			return false
		}
	}
	return true
}

// Compares reports whether the query needs the texts of tweets.
func (q *Query) Compares() bool { return len(q.exact)+len(q.without) > 0 }

// find returns the first match in a folded text at or after from; start is negative if there is none.
func (e exact) find(text string, from int) (start, end int) {
	for {
		i := strings.Index(text[from:], e.text)
		if i < 0 {
			return -1, -1
		}
		start, end = from+i, from+i+len(e.text)
		if (!e.begins || !splits(text, start)) && (!e.ends || !splits(text, end)) {
			return start, end
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		from = start + size
	}
}

func isLetter(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }
