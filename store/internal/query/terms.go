package query

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/segment"
	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/internal/words"
	"github.com/hibana-sns/hibana/model"
)

// A term is a key of [model.SearchDoc.Terms]. The first character is the kind: = of a word, ~ of a part of one, and #
// of a tag. The terms of a filter begin with its name: from:, title:, is: and has:.
const (
	wordTerm  = "="
	tagTerm   = "#"
	FromTerm  = "from:" // a username follows
	replyTerm = "is:reply"
	MediaTerm = "has:media"
)

// folded is a text in the form in which texts are compared: that of [words.Fold], with one kind of apostrophe and
// without repeated spaces.
type folded struct {
	text string
	at   []int // for each byte of text, and for its end: the offset in the original
}

// apostrophes are different characters on different keyboards, in the same word.
var apostrophes = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'")

// fold folds a text. A character and its combining marks are folded together.
func fold(s string) folded {
	var b strings.Builder
	f := folded{at: make([]int, 0, len(s)+1)}
	space := false // whether the last written character is a space
	seen, from := seen(s)
	var it norm.Iter
	for it.InitString(norm.NFKC, seen); !it.Done(); {
		start := from[it.Pos()]
		for _, r := range apostrophes.Replace(words.Fold(string(it.Next()))) {
			if r == ' ' && space { // NFKC makes many spaces this one
				continue
			}
			space = r == ' '
			n, _ := b.WriteRune(r)
			for range n {
				f.at = append(f.at, start)
			}
		}
	}
	f.text, f.at = b.String(), append(f.at, len(s))
	return f
}

// seen returns a text without invisible characters, and the offset from which each byte comes. Two visible characters
// may become one when an invisible one between them is removed.
func seen(s string) (seen string, from []int) {
	var b strings.Builder
	from = make([]int, 0, len(s)+1)
	for at, r := range s {
		if shown := words.Shown(string(r)); shown != "" {
			n, _ := b.WriteString(shown)
			for range n {
				from = append(from, at)
			}
		}
	}
	return b.String(), append(from, len(s))
}

// to returns the end, in the original, of a part of the folded text: after the character of its last byte.
func (f folded) to(end int) int {
	for end > 0 && end < len(f.text) && f.at[end] == f.at[end-1] {
		end++
	}
	return f.at[end]
}

// token is a part of a folded text: a word, or a run of characters of a script without spaces
// between words.
type token struct {
	start, end int // bytes of the folded text
	run        bool
}

// tokens cuts a folded text into runs, and the rest into words. A text that the tokenizer does not know is a run too:
// emoji and other symbols, and letters of scripts that are newer than its tables. Punctuation and spaces are in no
// token.
func tokens(text string) (all []token) {
	for start := 0; start < len(text); {
		end, run := start, false
		for i, r := range text[start:] {
			if now := words.Unspaced(r); i == 0 {
				run = now
			} else if now != run {
				break
			}
			end = start + i + utf8.RuneLen(r)
		}
		if run {
			all = append(all, token{start, end, true})
		} else {
			from := start
			at := start // by the word rules of Unicode (UAX 29)
			for segments := segment.NewWordSegmenterDirect([]byte(text[start:end])); segments.Segment(); {
				to := at + len(segments.Bytes())
				if segments.Type() != segment.None {
					all = append(unknown(all, text, from, at), token{at, to, false})
					from = to
				}
				at = to
			}
			all = unknown(all, text, from, end)
		}
		start = end
	}
	return all
}

// unknown adds runs for a part of a text in which the tokenizer found no word.
func unknown(all []token, text string, from, to int) []token {
	begin := -1 // of a run
	for i, r := range text[from:to] {
		switch at := from + i; {
		case !unicode.In(r, unicode.P, unicode.Z, unicode.Cc, unicode.Cf):
			if begin < 0 {
				begin = at
			}
		case begin >= 0:
			all, begin = append(all, token{begin, at, true}), -1
		}
	}
	if begin >= 0 {
		all = append(all, token{begin, to, true})
	}
	return all
}

// termsOf yields the terms of a token: a word, or each character of a run and each pair. start is the beginning of the
// word, or of the last character.
func termsOf(text string, t token) iter.Seq2[string, int] {
	return func(yield func(term string, start int) bool) {
		if !t.run {
			yield(wordTerm+cut(text[t.start:t.end]), t.start)
			return
		}
		before := t.start
		for i, r := range text[t.start:t.end] {
			at := t.start + i
			end := at + utf8.RuneLen(r)
			if !yield(wordTerm+text[at:end], at) || i > 0 && !yield(wordTerm+text[before:end], at) {
				return
			}
			before = at
		}
	}
}

// cut returns the part of a word that its term has.
func cut(word string) string {
	n := 0
	for i := range word {
		if n == model.MaxTermLength {
			return word[:i]
		}
		n++
	}
	return word
}

// DocOf returns the document by which a search finds a tweet with a content; nil if no search does.
func DocOf(t *model.Tweet, content string) *model.SearchDoc {
	if !t.Searchable() {
		return nil
	}
	text, media := t.Plain(content)
	d := &model.SearchDoc{AuthorID: t.AuthorID, Terms: map[string]bool{FromTerm + string(t.AuthorID): true},
		Revision: t.Revision}
	for tag := range t.Tags {
		d.Terms[tagTerm+tag] = true
	}
	if t.ReplyTo != nil {
		d.Terms[replyTerm] = true
	}
	fill(d, text, media)
	addTitle(d, t.Title(content))
	addParts(d, fold(d.Text).text)
	return d
}

// DocOfText returns what a search compares of a plain text, with or without media: words and has:media.
func DocOfText(text string, media bool) *model.SearchDoc {
	return fill(&model.SearchDoc{Terms: map[string]bool{}}, strings.Join(strings.Fields(text), " "), media)
}

// fill adds to a document the text and its terms, as far as the document has room.
func fill(d *model.SearchDoc, text string, media bool) *model.SearchDoc {
	if utf8.RuneCountInString(text) > model.MaxSearchText {
		text = model.Snippet(text, model.MaxSearchText)
		if space := strings.LastIndexByte(text, ' '); space > 0 { // not within a word
			text = text[:space]
		}
	}
	if media {
		d.Terms[MediaTerm] = true
	}
	f := fold(text)
	for _, token := range tokens(f.text) {
		for term, start := range termsOf(f.text, token) {
			if !d.Terms[term] && len(d.Terms) == model.MaxSearchTerms {
				d.Text = text[:f.at[start]]
				return d
			}
			d.Terms[term] = true
		}
	}
	d.Text = text
	return d
}
