package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which tags, names and words are compared: NFKC with case folding, and without invisible
// characters. "ＳＴＲＡẞＥ" and "strasse" become one text, and so do "Σίσυφος" and "ΣΊΣΥΦΟΣ". Both wave dashes become one.
// Folding a folded text changes nothing.
func Fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	if r, size := utf8.DecodeRuneInString(s); size == len(s) && unicode.Is(unicode.Lo, r) && !Ignorable(r) &&
		norm.NFKC.IsNormalString(s) && !unicode.Is(unicode.Cherokee, r) {
		return s // it has neither case nor another form
	}
	for range 4 { // NFKC may produce characters that fold, and folding may produce characters that compose
		before := s
		s = strings.ReplaceAll(norm.NFKC.String(Shown(s)), "İ", "i") // one letter with i in Turkish
		s = norm.NFKC.String(Shown(caseFold.String(norm.NFD.String(s))))
		if s == before {
			break
		}
	}
	return s
}

// caseFold has no state.
var caseFold = cases.Fold()

// Shown returns a text without [Ignorable] characters, and with one kind of wave dash.
func Shown(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '～':
			return '〜'
		case Ignorable(r):
			return -1
		}
		return r
	}, s)
}

// Ignorable reports whether a character is invisible in a font that lacks it: Unicode's Default_Ignorable_Code_Point,
// as DerivedCoreProperties.txt derives it.
func Ignorable(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return true
	case r >= 0xfff9 && r <= 0xfffb, r >= 0x13430 && r <= 0x13440, unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.Is(unicode.Cf, r)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
