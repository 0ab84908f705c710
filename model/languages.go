package model

import (
	"unicode"

	"golang.org/x/text/language"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Undetermined is the language of a text in an unknown language.
const Undetermined = "und"

// MaxLanguage is how many characters a language tag has.
const MaxLanguage = 35

// ParseLanguage reads a BCP 47 language tag, and returns its standard spelling: "ja", "pt-BR", "zh-Hant". A text that
// is no tag, or that names no language, is errs.Invalid.
func ParseLanguage(text string) (string, error) {
	if len(text) > MaxLanguage {
		return "", errs.New(errs.Invalid, "invalid_language", "language has %d characters; a tag has at most %d", len(text),
			MaxLanguage)
	}
	tag, err := language.Parse(text)
	if err != nil || len(tag.String()) > MaxLanguage {
		return "", errs.New(errs.Invalid, "invalid_language", "language %q is no BCP 47 tag, such as ja, en or pt-BR",
			Snippet(text, MaxLanguage))
	}
	return tag.String(), nil
}

// cleanLanguage is [ParseLanguage] for a tag that may be left out.
func cleanLanguage(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	return ParseLanguage(text)
}

// BaseLanguage is the language of a tag without its region and script, of two or three
// letters: "pt" for pt-BR. Trends are by such languages.
func BaseLanguage(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil {
		return Undetermined
	}
	base, _, _ := parsed.Raw()
	return base.String()
}

// scripts are scripts that only one language uses, or nearly so.
var scripts = []struct {
	language string
	table    *unicode.RangeTable
}{
	{"ja", unicode.Hiragana}, {"ja", unicode.Katakana}, {"ko", unicode.Hangul}, {"th", unicode.Thai},
	{"he", unicode.Hebrew},
	{"el", unicode.Greek}, {"hy", unicode.Armenian}, {"ka", unicode.Georgian}, {"ta", unicode.Tamil},
	{"te", unicode.Telugu},
	{"bn", unicode.Bengali}, {"km", unicode.Khmer}, {"lo", unicode.Lao}, {"my", unicode.Myanmar}, {"si", unicode.Sinhala},
}

// DetectLanguage returns the language of a text, if only one language uses a script and half of the letters are of it.
// Otherwise it returns [Undetermined]. Chinese characters count for Japanese if the text has kana. Languages that share
// a script, as those of Latin, Cyrillic and Arabic letters, are not distinguished; their authors name them.
func DetectLanguage(content string) string {
	letters, han := 0, 0
	of := map[string]int{}
	for _, r := range content {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		if unicode.Is(unicode.Han, r) {
			han++
			continue
		}
		if r < 0x370 { // Latin
			continue
		}
		for _, s := range scripts {
			if unicode.Is(s.table, r) {
				of[s.language]++
				break
			}
		}
	}
	if of["ja"] > 0 {
		of["ja"] += han
	}
	for tag, n := range of {
		if 2*n > letters {
			return tag
		}
	}
	return Undetermined
}
