package words

// eastAsian lists the Unicode blocks of Chinese, Japanese and Korean, with their punctuation and full-width forms.
var eastAsian = [][2]rune{
	{0x1100, 0x11ff}, {0x2e80, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7ff}, {0xf900, 0xfaff}, {0xfe10, 0xfe1f},
	{0xfe30, 0xfe6f}, {0xff00, 0xffef},
	{0x16fe0, 0x18dff}, {0x1aff0, 0x1b2ff}, {0x1f200, 0x1f2ff}, {0x20000, 0x3ffff},
}

// EastAsian reports whether a character belongs to Chinese, Japanese or Korean text, as a letter or punctuation.
// Emphasis beside it needs no space.
func EastAsian(r rune) bool {
	if r < eastAsian[0][0] {
		return false
	}
	for _, block := range eastAsian {
		if r <= block[1] {
			return r >= block[0]
		}
	}
	return false
}
