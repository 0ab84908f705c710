package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is a folded text in which keywords are looked for, see [Fold]. It finds once where words begin and end. It must
// not be used concurrently.
type Text struct {
	folded string
	breaks []int // where a word may begin or end, in order, see [between]; nil until a whole word is looked for
	tries  int   // how often a whole word was compared
}

// TextOf folds a text.
func TextOf(s string) *Text { return &Text{folded: Fold(s)} }

// Contains reports whether the text has a folded keyword. With whole the keyword must begin and end between words. An
// empty keyword is in no text.
//
// A whole word is compared at the beginnings of words alone, so it costs at most a comparison for each word of the
// text.
//
// clients/typescript/src/filters.ts follows the same rules. model/testdata/filters.json has cases for both.
func (t *Text) Contains(keyword string, whole bool) bool {
	switch {
	case keyword == "" || !whole:
		return keyword != "" && strings.Contains(t.folded, keyword)
	case t.breaks == nil:
		t.breaks = breaksOf(t.folded)
	}
	for i, at := range t.breaks {
		t.tries++
		if !strings.HasPrefix(t.folded[at:], keyword) {
			continue
		}
		if _, ends := slices.BinarySearch(t.breaks[i:], at+len(keyword)); ends {
			return true
		}
	}
	return false
}

// breaksOf returns where a word may begin or end, in time proportional to the length of the text.
func breaksOf(text string) (all []int) {
	for at := range text {
		if between(text, at) {
			all = append(all, at)
		}
	}
	return append(all, len(text))
}

// between reports whether a word may begin or end at an index of a folded text. The rules are those of UAX 29 with
// these differences:
//
//   - A character of a script without spaces is a word by itself, see [Unspaced]. So a keyword of Chinese, Japanese,
//     Korean or Thai is found in a longer word. Katakana is the exception: its characters stay together, as in UAX 29,
//     so パン is no word of ジャパン.
//   - A low line joins nothing, because Markdown emphasizes with it.
//   - A full stop and a colon do not join letters, because many texts lack the space after them.
func between(text string, at int) bool {
	before, width := utf8.DecodeLastRuneInString(text[:at])
	after, size := utf8.DecodeRuneInString(text[at:])
	if at == 0 || at == len(text) {
		return true
	}
	if unicode.Is(unicode.M, after) { // a mark belongs to the character before it
		return false
	}
	prior := text[:at-width]
	for unicode.Is(unicode.M, before) && prior != "" {
		before, width = utf8.DecodeLastRuneInString(prior)
		prior = prior[:len(prior)-width]
	}
	a, b := kindOf(before), kindOf(after)
	switch {
	case a != noWord && b != noWord:
		return a != b || a == alone
	case a != noWord: // before a sign within a word
		next, _ := utf8.DecodeRuneInString(text[at+size:])
		return !within(before, after, next)
	case b != noWord: // after a sign within a word
		first, _ := utf8.DecodeLastRuneInString(prior)
		for unicode.Is(unicode.M, first) && prior != "" {
			prior = prior[:len(prior)-utf8.RuneLen(first)]
			first, _ = utf8.DecodeLastRuneInString(prior)
		}
		return !within(first, before, after)
	}
	return true
}

// kind says how a character joins others to a word.
type kind int

const (
	noWord   kind = iota
	spaced        // a letter or digit of a script with spaces
	katakana      // joins Katakana
	alone         // a word by itself
)

func kindOf(r rune) kind {
	switch {
	case r == 'ー' || unicode.Is(unicode.Katakana, r):
		return katakana
	case Unspaced(r):
		return alone
	case unicode.In(r, unicode.L, unicode.N):
		return spaced
	}
	return noWord
}

// within reports whether a sign between two characters is a part of a word: an apostrophe, middle dot or Hebrew sign
// between letters, or a comma or full stop between digits.
func within(before, sign, after rune) bool {
	switch sign {
	case '\'', '’', '·', '\u0387', '\u05f3', '\u05f4':
		return letter(before) && letter(after)
	case '.', ',':
		return unicode.Is(unicode.Nd, before) && unicode.Is(unicode.Nd, after)
	}
	return false
}

func letter(r rune) bool { return kindOf(r) == spaced && unicode.IsLetter(r) }
