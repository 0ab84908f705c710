package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxTag is the largest number of characters of a tag.
const MaxTag = 50

// Tag returns the normal form of a typed tag, with or without its #: the form of [Fold]. fit is false for a text that
// cannot be a tag. A tag has 1 to MaxTag characters: letters, digits, marks, _ and -, and between them characters that
// join words. A tag may not both begin and end with two underscores, because it is a document id.
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

// TrimHash returns a typed tag without surrounding spaces and without its #.
func TrimHash(typed string) string {
	typed = strings.TrimSpace(typed)
	typed = strings.TrimPrefix(typed, "#")
	return strings.TrimPrefix(typed, "＃")
}

// BeginsHashtag reports whether a hashtag may follow a character; 0 stands for the beginning of a text. A hashtag
// begins where a word begins, so "a#b" and "/page#part" have none.
func BeginsHashtag(after rune) bool {
	return after == 0 || !IsWord(after) && !strings.ContainsRune("/&#＃", after)
}

// Hashtag returns the length of the hashtag at the beginning of a text with its #, or 0 if there is none. after is the
// character before it, see [BeginsHashtag]. A hashtag has a letter, so "#1" and the keycap emoji are not hashtags. A
// text that cannot be a [Tag] is not a hashtag either.
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

// maxExpansion is the largest number of bytes that fold into one character of a tag: a base with three marks, or with
// joiners. A longer text is not folded: it has too many characters for a tag, or is made to mislead.
const maxExpansion = 24

// FormerTag returns the tag that earlier versions extracted from a hashtag without its #, if it differs. Earlier
// versions ended a hashtag before joining and invisible characters.
func FormerTag(body string) (key string, ok bool) {
	end := strings.IndexFunc(body, func(r rune) bool { return !IsWord(r) })
	if end <= 0 {
		return "", false
	}
	return Tag(body[:end])
}
