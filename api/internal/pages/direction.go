package pages

import (
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// direction is the side from which what is around a text goes: rtl or ltr by its first letter, and auto for a text
// without one. Names, tags and addresses in it have no say.
func direction(text string) string {
	for word := range strings.FieldsSeq(text) {
		if strings.HasPrefix(word, "@") || strings.HasPrefix(word, "#") || strings.HasPrefix(word, "https://") {
			continue
		}
		for _, r := range word {
			of, _ := bidi.LookupRune(r)
			switch of.Class() {
			case bidi.R, bidi.AL:
				return "rtl"
			case bidi.L:
				return "ltr"
			}
		}
	}
	return "auto"
}

// Dir is the direction of what the page shows of a tweet.
func (p Post) Dir() string { return direction(p.headline()) }

// Dir is the direction of what the page shows of a person.
func (p Person) Dir() string { return direction(p.Nickname + " " + p.About) }
