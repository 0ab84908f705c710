package model

import (
	"strings"
	"unicode"

	"github.com/hibana-sns/hibana/internal/errs"
)

// maxEmojiBytes has room for families and flags of regions.
const maxEmojiBytes = 40

// ParseEmoji accepts one emoji: a picture, with a color of skin or joined to other pictures, a flag, or a keycap. Any
// other text is errs.Invalid.
func ParseEmoji(s string) (string, error) {
	rest, ok := s, len(s) <= maxEmojiBytes
	for joined := true; joined && ok; {
		rest, ok = cutPicture(rest)
		rest, joined = strings.CutPrefix(rest, "\u200d")
	}
	if !ok || rest != "" {
		return "", errs.New(errs.Invalid, "invalid_emoji", "a reaction is one emoji")
	}
	return s, nil
}

// cutPicture returns what follows a part of an emoji that could stand alone.
func cutPicture(s string) (rest string, ok bool) {
	all := []rune(s)
	if len(all) == 0 {
		return s, false
	}
	first, all := all[0], all[1:]
	next := func(is func(rune) bool) bool {
		found := len(all) > 0 && is(all[0])
		if found {
			all = all[1:]
		}
		return found
	}
	one := func(want rune) func(rune) bool { return func(r rune) bool { return r == want } }
	switch {
	case strings.ContainsRune("0123456789#*", first):
		next(one(0xfe0f))
		ok = next(one(0x20e3))
	case unicode.Is(unicode.Regional_Indicator, first):
		ok = next(func(r rune) bool { return unicode.Is(unicode.Regional_Indicator, r) })
	case unicode.Is(pictures, first):
		ok = true
		if !next(func(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }) {
			next(one(0xfe0f))
		}
		if first == 0x1f3f4 && next(isTag) { // the flag of a region
			for next(isTag) {
			}
			ok = next(one(0xe007f))
		}
	}
	return string(all), ok
}

func isTag(r rune) bool { return r >= 0xe0020 && r < 0xe007f }

// pictures are the characters with which an emoji may begin.
var pictures = &unicode.RangeTable{R16: []unicode.Range16{
	{0xa9, 0xa9, 1}, {0xae, 0xae, 1}, {0x203c, 0x203c, 1}, {0x2049, 0x2049, 1}, {0x2122, 0x2122, 1}, {0x2139, 0x2139, 1},
	{0x2194, 0x2199, 1}, {0x21a9, 0x21aa, 1}, {0x231a, 0x231b, 1}, {0x2328, 0x2328, 1}, {0x23cf, 0x23cf, 1},
	{0x23e9, 0x23f3, 1}, {0x23f8, 0x23fa, 1}, {0x24c2, 0x24c2, 1}, {0x25aa, 0x25ab, 1}, {0x25b6, 0x25b6, 1},
	{0x25c0, 0x25c0, 1}, {0x25fb, 0x25fe, 1}, {0x2600, 0x2775, 1}, {0x2795, 0x2797, 1}, {0x27a1, 0x27a1, 1},
	{0x27b0, 0x27b0, 1}, {0x27bf, 0x27bf, 1}, {0x2934, 0x2935, 1}, {0x2b05, 0x2b07, 1}, {0x2b1b, 0x2b1c, 1},
	{0x2b50, 0x2b50, 1}, {0x2b55, 0x2b55, 1}, {0x3030, 0x3030, 1}, {0x303d, 0x303d, 1}, {0x3297, 0x3297, 1},
	{0x3299, 0x3299, 1},
}, R32: []unicode.Range32{
	{0x1f004, 0x1f004, 1}, {0x1f0cf, 0x1f0cf, 1}, {0x1f170, 0x1f171, 1}, {0x1f17e, 0x1f17f, 1}, {0x1f18e, 0x1f18e, 1},
	{0x1f191, 0x1f19a, 1}, {0x1f201, 0x1f202, 1}, {0x1f21a, 0x1f21a, 1}, {0x1f22f, 0x1f22f, 1}, {0x1f232, 0x1f23a, 1},
	{0x1f250, 0x1f251, 1}, {0x1f300, 0x1f3fa, 1}, {0x1f400, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f7e0, 0x1f7f0, 1},
	{0x1f90c, 0x1f9ff, 1}, {0x1fa70, 0x1faff, 1},
}, LatinOffset: 2}
