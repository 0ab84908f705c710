package words

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Cut is the beginning of a text, at most limit characters. It ends between characters as people see them: the grapheme
// clusters of UAX 29, as an emoji of a family, a flag, or a letter with its marks.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n, end := 0, 0
	for g := graphemes.FromString(s); g.Next(); {
		if r, _ := utf8.DecodeRuneInString(s[g.Start():]); !unicode.Is(unicode.M, r) { // a few marks begin a cluster
			end = g.Start()
		}
		if n += utf8.RuneCountInString(g.Value()); n > limit {
			return s[:end]
		}
	}
	return s
}

// Bounds are the places at which characters of a text begin as people see them, and its end.
type Bounds struct {
	before []int // of each byte, where the character that it is of begins; nil in a text of ASCII
	end    int
}

// BoundsOf finds the places.
func BoundsOf(s string) Bounds {
	b := Bounds{end: len(s)}
	if ascii(s) {
		return b
	}
	b.before = make([]int, 0, len(s))
	for g := graphemes.FromString(s); g.Next(); {
		for range len(g.Value()) {
			b.before = append(b.before, g.Start())
		}
	}
	return b
}

// Before is the last place that is not behind at.
func (b Bounds) Before(at int) int {
	if b.before == nil || at >= b.end {
		return min(at, b.end)
	}
	return b.before[at]
}

// After is the first place that is not before at.
func (b Bounds) After(at int) int {
	for b.before != nil && at < b.end && b.before[at] != at {
		at++
	}
	return min(at, b.end)
}
