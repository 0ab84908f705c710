package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/dev/testing/wordcases"
	"github.com/hibana-sns/hibana/internal/words"
)

func TestTag(t *testing.T) {
	t.Parallel()
	for _, c := range wordcases.Read(t).Tags {
		key, fit := words.Tag(*c[0])
		if want := c[1]; fit != (want != nil) || fit && key != *want {
			t.Errorf("Tag(%q) = %q, %v", *c[0], key, fit)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range wordcases.Read(t).Same {
		if a, b := words.Fold(c[0]), words.Fold(c[1]); a != b {
			t.Errorf("Fold(%q) = %q, and Fold(%q) = %q", c[0], a, c[1], b)
		}
	}
	for _, different := range [][2]string{{"ı", "i"}, {"e", "é"}, {"か", "が"}, {"a・b", "ab"}} {
		if a := words.Fold(different[0]); a == words.Fold(different[1]) {
			t.Errorf("%q and %q are both %q", different[0], different[1], a)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range wordcases.Read(t).Cuts {
		if got := words.Cut(c.Text, c.Limit); got != c.Want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.Text, c.Limit, got, c.Want)
		}
	}
	b := words.BoundsOf("a👨\u200d👩b")
	for at, want := range map[int][2]int{0: {0, 0}, 1: {1, 1}, 2: {1, 12}, 11: {1, 12}, 12: {12, 12}, 13: {13, 13}} {
		if b.Before(at) != want[0] || b.After(at) != want[1] {
			t.Errorf("around %d are %d and %d, want %v", at, b.Before(at), b.After(at), want)
		}
	}
}

// A folded text stays as it is. It has no more than one form.
func TestFoldTwice(t *testing.T) {
	t.Parallel()
	one := rapid.SampledFrom([]rune("aAßẞσςΣİıIiǅΐᾳͅ\u0345\u0301\u0307\u00ad\u200d\u200b〜～がか\u3099ﾊﾞﷺ½Ꭰꭰℌ①・🎆\ufe0f한ㄱﾡ٠ﬃ"))
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.OneOf(one, rapid.Rune()), 0, 12).Draw(t, "text"))
		folded := words.Fold(s)
		if again := words.Fold(folded); again != folded {
			t.Fatalf("Fold(%q) = %q, and again %q", s, folded, again)
		}
		if other := words.Fold(norm.NFD.String(s)); other != folded {
			t.Fatalf("Fold(%q) = %q, and in NFD %q", s, folded, other)
		}
		if strings.ContainsFunc(folded, words.Ignorable) {
			t.Fatalf("Fold(%q) = %q, which has what shows nothing", s, folded)
		}
	})
}

// What is found stands in the text as it was typed, and a hashtag is a tag.
func FuzzWords(f *testing.F) {
	for _, c := range wordcases.Read(f).Texts {
		f.Add(c.Text)
	}
	f.Add("https://\xff.ab/\xff#\xff@\xff")
	f.Fuzz(func(t *testing.T, s string) {
		for at, after := 0, rune(0); at < len(s); {
			rest := s[at:]
			if n := words.Hashtag(rest, after); n > 0 {
				if _, fit := words.Tag(rest[:n]); !fit || n > len(rest) {
					t.Fatalf("%q is no tag", rest[:n])
				}
			}
			if n := words.Mention(rest, after); n > len(rest) {
				t.Fatalf("a mention of %d bytes in %q", n, rest)
			}
			if n := words.Address(rest, "*"); n > len(rest) || utf8.ValidString(rest) && !utf8.ValidString(rest[:n]) ||
				strings.ContainsAny(rest[:n], " \n<>\"") {
				t.Fatalf("an address of %d bytes in %q", n, rest)
			}
			r, size := utf8.DecodeRuneInString(rest)
			at, after = at+size, r
		}
	})
}

// A long text is compared with a keyword once for each of its words, and not at each place that looks like the keyword.
func TestContainsTries(t *testing.T) {
	t.Parallel()
	text := words.TextOf(strings.Repeat("a", 65_535) + " " + strings.Repeat("a\u0302", 1000))
	for n := range 500 {
		if text.Contains(strings.Repeat("a", n+1), true) {
			t.Fatalf("%d letters are a word of the text", n+1)
		}
	}
	if got := text.Tries(); got > 500*5 { // two words, the space, and the end
		t.Errorf("500 keywords are compared %d times", got)
	}
}
