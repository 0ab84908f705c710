package markdown_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/internal/markdown"
)

// What people type in apps that know no Markdown, with the Markdown that shows it.
func TestFromPlain(t *testing.T) {
	t.Parallel()
	tests := []struct{ plain, want string }{
		{"", ""},
		{"Hello #spark @ann, see https://a.example/b_c_d*e!", "Hello #spark @ann, see https://a.example/b_c_d*e!"},
		{"*bold* _it_ a_b_c ~~no~~ 10~12 `x`", "\\*bold\\* \\_it\\_ a_b_c \\~\\~no\\~\\~ 10~12 \\`x\\`"},
		{"# no\n#yes\n- a\n+ b\n1. c\n2) d\n> e\n====\n---\n|--|--|", "\\# no\n#yes\n\\- a\n\\+ b\n1\\. c\n2\\) d\n" +
			"\\> e\n\\====\n\\---\n\\|--|--|"},
		{"a  \n  b\r\nc\n\n\nd\n\n", "a\n&#32;&#32;b\nc\n\n\nd"},
		{"[a](b) [x] ![c](d)", "[a\\](b) [x] ![c\\](d)"},
		{`¯\_(ツ)_/¯ I <3 u & <b>&amp;</b>`, `¯\\\_(ツ)\_/¯ I \<3 u & \<b>\&amp;\</b>`},
		{"@ann_b @_a_ #a_b", `@ann_b @\_a\_ #a_b`},
	}
	for _, test := range tests {
		if got := markdown.FromPlain(test.plain); got != test.want {
			t.Errorf("FromPlain(%q)\n  = %q\nwant %q", test.plain, got, test.want)
		}
	}
	for source, want := range map[string]bool{"plain, #tag and @ann": true, "a *b*": false, "# a": false, `a \*b\*`: true,
		"[a](https://b.example)": false, "a\\\nb": false, "&copy;": false, `\a`: false, `a\.`: false, "a  \nb": true} {
		if _, ok := markdown.ToPlain(source); ok != want {
			t.Errorf("ToPlain(%q) is %t, want %t", source, ok, want)
		}
	}
}

var gaps = regexp.MustCompile(`\n{2,}`)

// asTyped fails unless the Markdown of a plain text shows that text, line by line, and gives it back.
func asTyped(t interface{ Fatalf(string, ...any) }, text string) {
	source := markdown.FromPlain(text)
	doc := markdown.Parse(source)
	var paragraphs []string
	for _, p := range doc.Nodes {
		var b strings.Builder
		var walk func(markdown.Node)
		walk = func(n markdown.Node) {
			if !slices.Contains([]string{"", "p", "a", markdown.Hashtag, markdown.Mention}, n.Tag) {
				t.Fatalf("%q has an element %s: %q", text, n.Tag, source)
			}
			b.WriteString(n.Text)
			for _, k := range n.Nodes {
				walk(k)
			}
		}
		walk(p)
		paragraphs = append(paragraphs, b.String())
	}
	clean := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(strings.ToValidUTF8(text, "\uFFFD"))
	lines := strings.Split(clean, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\v\f")
	}
	clean = strings.Trim(strings.Join(lines, "\n"), "\n")
	if got, want := strings.Join(paragraphs, "\n\n"), gaps.ReplaceAllString(clean, "\n\n"); got != want {
		t.Fatalf("%q shows\n     %q\nwant %q by\n     %q", text, got, want, source)
	}
	if back, ok := markdown.ToPlain(source); !ok || back != clean {
		t.Fatalf("%q comes back as %q, %t, from %q", text, back, ok, source)
	}
}

// Texts of marks, words and spaces show as they were typed.
func TestPlainShows(t *testing.T) {
	t.Parallel()
	parts := []string{" ", "  ", "\n", "\n\n", "\t", "\r\n", "a", "b1", "火花", "é", "。", "#", "# ", "#tag", "＃", "@",
		"@ann",
		"@_a_", "@b_", "@bob@c.example", "https://a.example/x_y", "http://b.example", "https://", "://", "*", "**", "_", "__",
		"~", "~~", "~~~", "`", "```", "[", "]", "(", ")", "](", "![", "<", ">", "<a@b.c>", "&", "&amp;", "&#35;", "\\", "\\\\",
		"-", "- ", "---", "+ ", "=", "===", "1. ", "2)", ":", "|", "|-|-|", ":-:", "{size=large}", "!", "/", ".", "\u3000",
		"\u00a0", "\v", "\x00", "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		asTyped(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 14).Draw(t, "parts"), ""))
	})
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"*a*", "@_a @b_", "https://a.example/_b_", "a\n---", "\\", "1. a\n\n    b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { asTyped(t, text) })
}
