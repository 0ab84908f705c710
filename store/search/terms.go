package search

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	unicodewords "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/model"
)

// A term is a key of [model.SearchDoc.Terms]. The first character tells the kind: = of a word,
// and # of a tag. The terms of a filter begin with its name: from:, is: and has:.
const (
	wordTerm  = "="
	tagTerm   = "#"
	fromTerm  = "from:"
	replyTerm = "is:reply"
	mediaTerm = "has:media"
)

// folded is a text in the form in which texts are compared: NFKC, in lower case, with one kind of apostrophe, and with no
// space after another.
type folded struct {
	text string
	at   []int // of each byte of text, and of its end: where it comes from
}

// apostrophes are written in one word by one keyboard, and by the next in another way.
var apostrophes = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'")

// fold folds a text. A character and its combining marks are folded together.
func fold(s string) folded {
	var b strings.Builder
	f := folded{at: make([]int, 0, len(s)+1)}
	space := false // is what was written last
	var it norm.Iter
	for it.InitString(norm.NFKC, s); !it.Done(); {
		start := it.Pos()
		for _, r := range apostrophes.Replace(model.NormalizeNickname(string(it.Next()))) {
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

// to is where a part of the folded text ends that ends at a place: behind the character that the last byte comes from.
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

// words cuts by the rules for words of Unicode (UAX 29).
var words = unicodewords.NewUnicodeTokenizer()

// tokens cuts a folded text into runs, and what stands between them into words. What is neither
// letter nor digit is in no token.
func tokens(text string) (all []token) {
	for start := 0; start < len(text); {
		end, run := start, false
		for i, r := range text[start:] {
			if now := joined(r); i == 0 {
				run = now
			} else if now != run {
				break
			}
			end = start + i + utf8.RuneLen(r)
		}
		if run {
			all = append(all, token{start, end, true})
		} else {
			for _, word := range words.Tokenize([]byte(text[start:end])) {
				all = append(all, token{start + word.Start, start + word.End, false})
			}
		}
		start = end
	}
	return all
}

// joined tells whether a character is of a script whose words are not told apart: Chinese,
// Japanese, Thai, Lao, Khmer, Burmese and their neighbours, and Korean, where particles are
// written together with their word. The tables of words leave out most of these.
func joined(r rune) bool {
	return r >= 0x0E00 && (r == 'ー' || unicode.In(r, scripts...) && unicode.In(r, unicode.L, unicode.N, unicode.M))
}

// scripts are those of [joined], the frequent ones first.
var scripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Ahom,
}

// termsOf gives the terms of a token one by one: a word, or each character of a run and each
// pair. start is where the word begins, or the last character.
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

// cut is the part of a word that its term has.
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

// DocOf is the document by which a search finds a tweet with a content; nil if none does.
func DocOf(t *model.Tweet, content string) *model.SearchDoc {
	if !t.Searchable() {
		return nil
	}
	text, media := t.Plain(content)
	if utf8.RuneCountInString(text) > model.MaxSearchText {
		text = model.Snippet(text, model.MaxSearchText)
		if space := strings.LastIndexByte(text, ' '); space > 0 { // not within a word
			text = text[:space]
		}
	}
	d := &model.SearchDoc{AuthorID: t.AuthorID, Terms: map[string]bool{fromTerm + string(t.AuthorID): true}, Text: text, Revision: t.Revision}
	for tag := range t.Tags {
		d.Terms[tagTerm+tag] = true
	}
	if t.ReplyTo != nil {
		d.Terms[replyTerm] = true
	}
	if media {
		d.Terms[mediaTerm] = true
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
	return d
}
