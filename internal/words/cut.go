package words

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Cut returns the beginning of a text with at most limit characters. It cuts between displayed characters: the grapheme
// clusters of UAX 29, such as a family emoji, a flag, or a letter with its marks.
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

// Bounds are the indexes at which displayed characters of a text begin, and its end.
type Bounds struct {
	before []int // for each byte, the start of its character; nil for an ASCII text
	end    int
}

// BoundsOf finds the bounds of a text.
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

// Before returns the last bound that is not behind at.
func (b Bounds) Before(at int) int {
	if b.before == nil || at >= b.end {
		return min(at, b.end)
	}
	return b.before[at]
}

// After returns the first bound that is not before at.
func (b Bounds) After(at int) int {
	for b.before != nil && at < b.end && b.before[at] != at {
		at++
	}
	return min(at, b.end)
}
