// Package words knows what a word, a hashtag, a mention and an address of the web are, and which
// texts are the same. Tags, names, searches and Markdown ask it, so that they agree. There is no
// I/O.
//
// The web client draws its preview by the same rules, in web/src/words.ts. testdata/cases.json has cases for both.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsWord tells whether a character is a part of a word: a letter, mark or number, or _.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isName(r)
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// isName tells whether usernames have a character, in lower case or capitals.
func isName(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// Unspaced tells whether a character is of a script whose words are not told apart: Chinese,
// Japanese, Thai, Lao, Khmer, Burmese and their neighbors, and Korean, where particles are written
// together with their word.
func Unspaced(r rune) bool {
	return r >= 0x0E00 && (r == 'ー' || unicode.In(r, unspaced...) && unicode.In(r, unicode.L, unicode.N, unicode.M))
}

// unspaced are the scripts of [Unspaced], the frequent ones first.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer,
	unicode.Myanmar,
	unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Ahom,
}

// joins tells whether a character between two others of a word makes one word of them: a middle dot, the wave dash of
// Japanese, and signs within words of Hebrew and Tibetan.
func joins(r rune) bool {
	switch r {
	case '·', '\u0387', '・', '･', '〜', '～', '\u05be', '\u05f3', '\u05f4', '\u0f0b':
		return true
	}
	return false
}

// hides tells whether a character within a word shows nothing there: the joiners of Persian, Indic
// scripts and emoji, the soft hyphen, and the word joiner. The space of zero width is none of them:
// it ends a word.
func hides(r rune) bool {
	return r == '\u00ad' || r == '\u200c' || r == '\u200d' || r == '\u2060'
}

// word is the length of the word at the beginning of a text. A joining character is a part of the
// word where a character of the word follows.
func word(s string) (end int) {
	joined := true // a joining character may not come next
	for at, r := range s {
		switch {
		case IsWord(r):
			joined, end = false, at+utf8.RuneLen(r)
		case hides(r) && end > 0:
		case joins(r) && !joined:
			joined = true
		default:
			return end
		}
	}
	return end
}

const (
	// MinName is the number of characters that a username has at least.
	MinName = 3
	// MaxName is the number of characters that a username has at most.
	MaxName = 20
)

// BeginsMention tells whether a mention may follow a character; 0 stands for the beginning of a
// text. Addresses of e-mail have none. Scripts without spaces have mentions within a sentence.
func BeginsMention(after rune) bool {
	return after == 0 || Unspaced(after) || !IsWord(after) && !strings.ContainsRune("./@＠&+-%#", after)
}

// Mention is the length of the mention at the beginning of a text, with its @; 0 if there is none.
// after is the character before it, see [BeginsMention].
func Mention(s string, after rune) int {
	at, size := utf8.DecodeRuneInString(s)
	if at != '@' && at != '＠' || !BeginsMention(after) {
		return 0
	}
	end := size
	for end < len(s) && isName(rune(s[end])) {
		end++
	}
	next, width := utf8.DecodeRuneInString(s[end:])
	switch n := end - size; {
	case n < MinName || n > MaxName, next == '@' || next == '＠', IsWord(next) && !Unspaced(next):
		return 0
	case next == '.' && IsWord(after) && end+width < len(s) && isName(rune(s[end+width])): // an address of e-mail
		return 0
	}
	return end
}
