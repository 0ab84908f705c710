// Package words defines words, hashtags, mentions and web addresses, and when two texts are equal. Tags, names,
// searches and Markdown use it, so that they agree. The package does no I/O.
//
// The preview of the web client follows the same rules in web/src/lib/words.ts. testdata/cases.json has cases for both.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsWord reports whether a character belongs to a word: a letter, mark or number, or _.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isName(r)
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// isName reports whether usernames may contain a character, in lower case or capitals.
func isName(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// Unspaced reports whether a character belongs to a script without spaces between words: Chinese, Japanese, Thai, Lao,
// Khmer, Burmese and related scripts, and Korean, which joins particles to their word.
func Unspaced(r rune) bool {
	return r >= 0x0E00 && (r == 'ー' || unicode.In(r, unspaced...) && unicode.In(r, unicode.L, unicode.N, unicode.M))
}

// unspaced lists the scripts of [Unspaced], the frequent ones first.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer,
	unicode.Myanmar,
	unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Ahom,
}

// joins reports whether a character joins two parts of a word: a middle dot, the Japanese wave dash, and signs within
// words of Hebrew and Tibetan.
func joins(r rune) bool {
	switch r {
	case '·', '\u0387', '・', '･', '〜', '～', '\u05be', '\u05f3', '\u05f4', '\u0f0b':
		return true
	}
	return false
}

// hides reports whether a character is invisible within a word: the joiners of Persian, Indic scripts and emoji, the
// soft hyphen, and the word joiner. The zero-width space is not included, because it ends a word.
func hides(r rune) bool {
	return r == '\u00ad' || r == '\u200c' || r == '\u200d' || r == '\u2060'
}

// word returns the length of the word at the beginning of a text. A joining character belongs to the word if a
// character of the word follows.
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

	// MaxHandleName is the number of characters that the name in a handle of another server has at most.
	MaxHandleName = 64
	// MaxHandleHost is that of its host with the port.
	MaxHandleHost = 128
)

// BeginsMention reports whether a mention may follow a character; 0 stands for the beginning of a text. An email
// address contains no mention. In scripts without spaces a mention may stand within a sentence.
func BeginsMention(after rune) bool {
	return after == 0 || Unspaced(after) || !IsWord(after) && !strings.ContainsRune("./@＠&+-%#", after)
}

// Mention returns the length of the mention at the beginning of a text with its @, or 0 if there is none: of a
// username, or of a handle with a host, as in @bob@social.example. after is the character before it, see
// [BeginsMention].
func Mention(s string, after rune) int {
	at, size := utf8.DecodeRuneInString(s)
	if at != '@' && at != '＠' || !BeginsMention(after) {
		return 0
	}
	if n := handle(s[size:]); n > 0 {
		return size + n
	}
	end := size
	for end < len(s) && isName(rune(s[end])) {
		end++
	}
	next, width := utf8.DecodeRuneInString(s[end:])
	switch n := end - size; {
	case n < MinName || n > MaxName, next == '@' || next == '＠', IsWord(next) && !Unspaced(next):
		return 0
	case next == '.' && IsWord(after) && end+width < len(s) && isName(rune(s[end+width])): // an email address
		return 0
	}
	return end
}

// handle returns the length of the handle at the beginning of a text, a name with a host, or 0 if there is none. The
// host is in ASCII and may have a port.
func handle(s string) int {
	at := 0
	for at < len(s) && (isName(rune(s[at])) || s[at] == '.' || s[at] == '-') {
		at++
	}
	if at == 0 || at > MaxHandleName || at == len(s) || s[at] != '@' || !isName(rune(s[0])) || !isName(rune(s[at-1])) {
		return 0
	}
	at++
	n := handleHost(s[at:])
	if n == 0 {
		return 0
	}
	if port := digits(s[at+n:]); port > 0 {
		if next, _ := utf8.DecodeRuneInString(s[at+n+port:]); !IsWord(next) || Unspaced(next) {
			n += port
		}
	}
	next, _ := utf8.DecodeRuneInString(s[at+n:])
	if n > MaxHandleHost || next == '@' || next == '＠' || IsWord(next) && !Unspaced(next) {
		return 0
	}
	return at + n
}

// handleHost returns the length of the host at the beginning of a text, or 0 if there is none: a domain of several
// parts in ASCII, or an address of IPv4.
func handleHost(s string) int {
	end := 0
	for end < len(s) && (isName(rune(s[end])) && s[end] != '_' || s[end] == '.' || s[end] == '-') {
		end++
	}
	name, _, _ := strings.Cut(s[:end], "..")
	name = strings.TrimRight(name, ".-")
	parts := strings.Split(name, ".")
	numbers := 0
	for _, part := range parts {
		if part == "" || len(part) > 63 || part[0] == '-' || part[len(part)-1] == '-' {
			return 0
		}
		if strings.Trim(part, "0123456789") == "" {
			numbers++
		}
	}
	last := parts[len(parts)-1]
	if len(parts) < 2 || topLevel(last) != len(last) && (numbers != 4 || len(parts) != 4) {
		return 0
	}
	return len(name)
}
