package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxTag is how many characters a tag has at most.
const MaxTag = 50

// Tag is the normal form of a tag as typed, with or without its #: that of [Fold]. fit is false for
// what cannot be a tag. A tag has 1 to MaxTag characters: letters, digits, marks, _ and -, and
// between them characters that join words. It does not both begin and end with two underscores,
// because it is the id of a document.
func Tag(typed string) (key string, fit bool) {
	typed = TrimHash(typed)
	key = Fold(typed)
	n, joined := 0, true
	for _, r := range key {
		switch n++; {
		case IsWord(r) || r == '-':
			joined = false
		case joins(r) && !joined:
			joined = true
		default:
			return key, false
		}
	}
	disguised := strings.ContainsFunc(typed, func(r rune) bool { return unicode.Is(unicode.Cf, r) && !hides(r) })
	return key, n > 0 && n <= MaxTag && !joined && !disguised && utf8.ValidString(typed) &&
		!(strings.HasPrefix(key, "__") && strings.HasSuffix(key, "__"))
}

// TrimHash is a tag as typed without spaces around it and without its #.
func TrimHash(typed string) string {
	typed = strings.TrimSpace(typed)
	typed = strings.TrimPrefix(typed, "#")
	return strings.TrimPrefix(typed, "＃")
}

// BeginsHashtag reports whether a hashtag may follow a character; 0 stands for the beginning of a text. A hashtag
// begins where a word begins, so that "a#b" and "/page#part" have none.
func BeginsHashtag(after rune) bool {
	return after == 0 || !IsWord(after) && !strings.ContainsRune("/&#＃", after)
}

// Hashtag is the length of the hashtag at the beginning of a text, with its #; 0 if there is none.
// after is the character before it, see [BeginsHashtag]. A hashtag has a letter, so that "#1" and
// the keycap emoji are none. What cannot be a [Tag] is none either.
func Hashtag(s string, after rune) int {
	hash, size := utf8.DecodeRuneInString(s)
	if hash != '#' && hash != '＃' || !BeginsHashtag(after) {
		return 0
	}
	body := s[size:][:word(s[size:])]
	if !strings.ContainsFunc(body, unicode.IsLetter) || len(body) > MaxTag*maxExpansion {
		return 0
	}
	if _, fit := Tag(body); !fit {
		return 0
	}
	return size + len(body)
}

// maxExpansion is how many bytes a character of a tag comes from at most: a base with three marks,
// or joiners between. A longer text is not folded: it has more characters than a tag, or is written
// to mislead.
const maxExpansion = 24

// FormerTag is the tag that versions before this package saw in a hashtag without its #, if it was
// another: they ended a hashtag before characters that join or hide.
func FormerTag(body string) (key string, ok bool) {
	end := strings.IndexFunc(body, func(r rune) bool { return !IsWord(r) })
	if end <= 0 {
		return "", false
	}
	return Tag(body[:end])
}
