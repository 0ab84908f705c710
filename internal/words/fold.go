package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold is the form in which tags, names and words are compared: NFKC with case folding, and without
// characters that show nothing. So "ＳＴＲＡẞＥ" and "strasse" are one text, and so are "Σίσυφος" and
// "ΣΊΣΥΦΟΣ". Both wave dashes are one. Folding a folded text changes nothing.
func Fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	if r, size := utf8.DecodeRuneInString(s); size == len(s) && unicode.Is(unicode.Lo, r) && !Ignorable(r) &&
		norm.NFKC.IsNormalString(s) && !unicode.Is(unicode.Cherokee, r) {
		return s // has neither case nor another form
	}
	for range 4 { // NFKC may bring characters that fold, and folding such as compose
		before := s
		s = strings.ReplaceAll(norm.NFKC.String(Shown(s)), "İ", "i") // in Turkish one letter with i
		s = norm.NFKC.String(Shown(caseFold.String(norm.NFD.String(s))))
		if s == before {
			break
		}
	}
	return s
}

// caseFold has no state.
var caseFold = cases.Fold()

// Shown is a text without what [Ignorable] names, and with one kind of wave dash.
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

// Ignorable reports whether a character shows nothing where a font does not know it: Unicode's
// Default_Ignorable_Code_Point, as DerivedCoreProperties.txt derives it.
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
