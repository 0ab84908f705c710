package model

import "testing"

// A reaction is one emoji, and no text in symbols.
func TestParseEmoji(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"👍", "👍🏽", "❤️", "❤", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇯🇵", "1️⃣", "#⃣", "🏳️‍🌈", "🧑🏽‍🚀", "🎆", "‼️",
		"©️", "🤦🏼‍♀️", "❤️‍🔥"} {
		if got, err := ParseEmoji(s); err != nil || got != s {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{"", "a", "1", "👍👍", "⠓⠑⠇⠇⠕", "ⓗⓔⓨ", "🅰🅱", "──", "┌", "🇯", "🇯🇵🇯🇵", "👍1", "1⃣2⃣", "👍\u200d",
		"\u200d",
		"👍\U000e0068\U000e007f", "🏴\U000e0068", "🏽", "⣿", "+", "👍 "} {
		if _, err := ParseEmoji(s); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
}
