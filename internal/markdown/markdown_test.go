package markdown_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/dev/testing/wordcases"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/words"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct{ source, want string }{
		{"", ""},
		{"Hello World", `[{"T":"p","X":"Hello World"}]`},
		{"a\nb", `[{"T":"p","X":"a\nb"}]`},
		{"a  \nb", `[{"T":"p","C":[{"X":"a"},{"T":"br"},{"X":"b"}]}]`},
		{"# One\n\n## *Two*", `[{"T":"h1","X":"One"},{"T":"h2","C":[{"T":"em","X":"Two"}]}]`},
		{"**a** _b_ ~~c~~ `d`", `[{"T":"p","C":[{"T":"strong","X":"a"},{"X":" "},{"T":"em","X":"b"},{"X":" "},{"T":"del","X":"c"},{"X":" "},{"T":"code","X":"d"}]}]`},
		{"``a ` b``", `[{"T":"p","C":[{"T":"code","X":"a ` + "`" + ` b"}]}]`},
		{"- a\n- b\n  - c", `[{"T":"ul","C":[{"T":"li","X":"a"},{"T":"li","C":[{"X":"b"},{"T":"ul","C":[{"T":"li","X":"c"}]}]}]}]`},
		{"0. a\n1. b", `[{"T":"ol","C":[{"T":"li","X":"a"},{"T":"li","X":"b"}],"N":-1}]`},
		{"7. a", `[{"T":"ol","C":[{"T":"li","X":"a"}],"N":7}]`},
		{"> a\n> > b", `[{"T":"blockquote","C":[{"T":"p","X":"a"},{"T":"blockquote","C":[{"T":"p","X":"b"}]}]}]`},
		{"---", `[{"T":"hr"}]`},
		{"```sql:small\nSELECT 1\n```", `[{"T":"pre","X":"SELECT 1","Z":"small","L":"sql"}]`},
		{"```:xsmall\na\n```", `[{"T":"pre","X":"a","Z":"xsmall"}]`},
		{"```\n<b>\n#include\n```", `[{"T":"pre","X":"<b>\n#include"}]`},
		{"```sql:huge\na\n```", `[{"T":"pre","X":"a","L":"sql"}]`},
		{"![a *b*](/data/a.png){size=large} c",
			`[{"T":"p","C":[{"T":"img","H":"/data/a.png","A":"a b","Z":"large"},{"X":" c"}]}]`},
		{"![a](https://example.com/a.png){size=huge}",
			`[{"T":"p","C":[{"T":"img","H":"https://example.com/a.png","A":"a"}]}]`},
		{"![a](http://example.com/a.png) ![b](/data/../a) ![c](data:image/png;base64,AA)", `[{"T":"p","X":"a b c"}]`},
		{"![a](/data/%2e%2E/logout) ![b](/data/x/.%2e/y) [c](/users/%2F..%5cx)", `[{"T":"p","X":"a b c"}]`},
		{"[火花](wiki-ja)", `[{"T":"p","C":[{"T":"a","X":"火花","H":"https://ja.wikipedia.org/wiki/%E7%81%AB%E8%8A%B1"}]}]`},
		{"[New York](wiki-en)", `[{"T":"p","C":[{"T":"a","X":"New York","H":"https://en.wikipedia.org/wiki/New_York"}]}]`},
		{"[a](/posts/0002000000000013)", `[{"T":"p","C":[{"T":"a","X":"a","H":"/tweets/0002000000000013"}]}]`},
		{"[a](/users/ann)", `[{"T":"p","C":[{"T":"a","X":"a","H":"/users/ann"}]}]`},
		{"[a *b*](https://example.com/?x=1 'title')",
			`[{"T":"p","C":[{"T":"a","C":[{"X":"a "},{"T":"em","X":"b"}],"H":"https://example.com/?x=1"}]}]`},
		{"[a](javascript:alert(1)) [b](#part) [c](/logout) [d](//evil.example) [e](https://u:p@example.com) [f](/users/../x)",
			`[{"T":"p","X":"a b c d e f"}]`},
		{"see https://example.com/#top.",
			`[{"T":"p","C":[{"X":"see "},{"T":"a","X":"https://example.com/#top","H":"https://example.com/#top"},{"X":"."}]}]`},
		{"詳細→https://example.com/a_b_を。",
			`[{"T":"p","C":[{"X":"詳細→"},{"T":"a","X":"https://example.com/a_b_を","H":"https://example.com/a_b_%E3%82%92"},{"X":"。"}]}]`},
		{"https://ja.wikipedia.org/wiki/線香花火",
			`[{"T":"p","C":[{"T":"a","X":"https://ja.wikipedia.org/wiki/線香花火","H":"https://ja.wikipedia.org/wiki/%E7%B7%9A%E9%A6%99%E8%8A%B1%E7%81%AB"}]}]`},
		{"Https://München.Example/A [x](HTTPS://例え.テスト:8080/é)",
			`[{"T":"p","C":[{"T":"a","X":"Https://München.Example/A","H":"https://xn--mnchen-3ya.example/A"},{"X":" "},{"T":"a","X":"x","H":"https://xn--r8jz45g.xn--zckzah:8080/%C3%A9"}]}]`},
		{"[x](https://" + strings.Repeat("é", 80) + ".example) [y](https://-é.example)", `[{"T":"p","X":"x y"}]`},
		{"<https://example.com> ann@example.com",
			`[{"T":"p","C":[{"T":"a","X":"https://example.com","H":"https://example.com"},{"X":" ann@example.com"}]}]`},
		{"<b onclick=x>a</b>", `[{"T":"p","X":"<b onclick=x>a</b>"}]`},
		{"<script>\nalert(1)\n</script>", `[{"T":"p","X":"<script>\nalert(1)\n</script>"}]`},
		{"[a]: https://example.com\n\n[a]",
			`[{"T":"p","C":[{"X":"[a]: "},{"T":"a","X":"https://example.com","H":"https://example.com"}]},{"T":"p","X":"[a]"}]`},
		{`\*a\* &amp; &lt;b&gt; \#c`, `[{"T":"p","X":"*a* & <b> #c"}]`},
		{"a\x00b", `[{"T":"p","X":"a` + "\uFFFD" + `b"}]`},
		{"#Go @Ann", `[{"T":"p","C":[{"T":"hashtag","X":"#Go"},{"X":" "},{"T":"mention","X":"@Ann"}]}]`},
	}
	for _, test := range tests {
		if got := markdown.Compact(markdown.Parse(test.source).Nodes); got != test.want {
			t.Errorf("Parse(%q):\n got %s\nwant %s", test.source, got, test.want)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		source   string
		hashtags string
		names    string
	}{
		{"#go and #Go", "go Go", ""},
		{"`#include` and\n\n    #define\n\n```\n#pragma\n```", "", ""},
		{"[x](#part) [#y](https://example.com)", "", ""},
		{"![#x](/data/a.png)", "", ""},
		{"# Title\n\n#tag\n\n> - **#in** (#here)", "tag in here", ""},
		{`\#go &#35;go it&#39;s`, "", ""},
		{`#a\_b`, "a", ""},
		{"**a**#b", "", ""},
		{"#1 #️⃣ ##go a#b /#c", "", ""},
		{"＃花見 今日は#天気 。#晴れ", "花見 晴れ", ""},
		{"@ann, @Bob_Lee and @ANN", "", "ann bob_lee"},
		{"こんにちは@ann！＠bob", "", "ann bob"},
		{"ann@example.com a@bob https://example.com/@ann", "", ""},
		{"@Ann@Example.com @ann@example.com @ann", "", "ann@example.com ann"},
		{"`@ann` [@bob](https://example.com) \\@cat", "", ""},
		{"@ab @" + strings.Repeat("x", 21) + " @" + strings.Repeat("x", 20), "", strings.Repeat("x", 20)},
		{"**@ann** _@bob_", "", "ann bob"},
		{"@ann_lee_x #go_lang_x", "go_lang_x", "ann_lee_x"},
		{"(@ann) @ann's", "", "ann"},
	}
	for _, test := range tests {
		d := markdown.Parse(test.source)
		if got := strings.Join(d.Hashtags, " "); got != test.hashtags {
			t.Errorf("hashtags of %q = %q, want %q", test.source, got, test.hashtags)
		}
		if got := strings.Join(d.Names, " "); got != test.names {
			t.Errorf("names in %q = %q, want %q", test.source, got, test.names)
		}
	}
}

// What stands in a text is what the shared cases say.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, c := range wordcases.Read(t).Texts {
		d := markdown.Parse(c.Text)
		var tags []string
		for _, typed := range d.Hashtags {
			if tag, _ := words.Tag(typed); !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
		if !slices.Equal(tags, c.Tags) || !slices.Equal(d.Names, c.Names) {
			t.Errorf("%q has the tags %q and names %q, want %q and %q", c.Text, tags, d.Names, c.Tags, c.Names)
		}
		if got := addresses(d.Nodes); !slices.Equal(got, c.Links) {
			t.Errorf("%q has the links %q, want %q", c.Text, got, c.Links)
		}
	}
}

func addresses(nodes []markdown.Node) (all []string) {
	for _, n := range nodes {
		if n.Tag == "a" {
			all = append(all, n.Text)
		}
		all = append(all, addresses(n.Nodes)...)
	}
	return all
}

func TestWithUsers(t *testing.T) {
	t.Parallel()
	nodes := markdown.Parse("Hi @Ann and **@bob** @cat.").Nodes
	got := markdown.Compact(markdown.WithUsers(nodes, map[string]string{"ann": "uid1", "cat": "uid3"}))
	if want := `[{"T":"p","C":[{"X":"Hi "},{"T":"mention","X":"@Ann","U":"uid1"},{"X":" and "},{"T":"strong","X":"@bob"},{"X":" "},{"T":"mention","X":"@cat","U":"uid3"},{"X":"."}]}]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The compact form and the long form say the same.
func TestCompact(t *testing.T) {
	t.Parallel()
	var vector markdown.Element
	const long, short = `{"type":"element","tag":"p","text":"Hello World"}`, `[{"T":"p","X":"Hello World"}]`
	if err := json.Unmarshal([]byte(long), &vector); err != nil {
		t.Fatal(err)
	}
	if got := markdown.Compact(markdown.Nodes([]markdown.Element{vector})); got != short {
		t.Errorf("the compact form of %s is %s, want %s", long, got, short)
	}
	nodes, err := markdown.Expand(short)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(markdown.Elements(nodes)[0]); err != nil || string(text) != long {
		t.Errorf("the long form of %s is %s, %v", short, text, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := markdown.Parse(source.Draw(t, "source"))
		nodes := markdown.WithUsers(d.Nodes, map[string]string{"ann": "uid1"})
		if diff := cmp.Diff(nodes, markdown.Nodes(markdown.Elements(nodes)), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the long form loses something (-want +got):\n%s", diff)
		}
		back, err := markdown.Expand(markdown.Compact(nodes))
		if diff := cmp.Diff(nodes, back, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatalf("the compact form loses something: %v (-want +got):\n%s", err, diff)
		}
	})
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	tests := []struct {
		source       string
		limit, bytes int
		want         string
	}{
		{"Hello World", 5, 1000, `[{"T":"p","X":"Hello"}]`},
		{"in #hibana", 6, 1000, `[{"T":"p","X":"in #hi"}]`},
		{"Hello World", 11, 1000, `[{"T":"p","X":"Hello World"}]`},
		{"**Hello** World", 3, 1000, `[{"T":"p","C":[{"T":"strong","X":"Hel"}]}]`},
		{"**Hello** World", 7, 1000, `[{"T":"p","C":[{"T":"strong","X":"Hello"},{"X":" W"}]}]`},
		{"- one\n- two", 4, 1000, `[{"T":"ul","C":[{"T":"li","X":"one"},{"T":"li","X":"t"}]}]`},
		{"[a link](https://example.com) b", 3, 1000, `[{"T":"p","C":[{"T":"a","X":"a l","H":"https://example.com"}]}]`},
		{"か\u3099き", 1, 1000, ""},
		{"か\u3099き", 2, 1000, `[{"T":"p","X":"か` + "\u3099" + `"}]`},
		{"a\n\n---\n\nb", 2, 1000, `[{"T":"p","X":"a"},{"T":"hr"}]`},
		{"Hello World", 11, 20, `[{"T":"p","X":"He"}]`},
		{"Hello World", 11, 10, ""},
		{"[a](https://example.com/" + strings.Repeat("x", 300) + ") b", 9, 1000, `[{"T":"p","X":"a b"}]`},
		{"![a](https://example.com/" + strings.Repeat("x", 300) + ")", 9, 1000, `[{"T":"p","X":"a"}]`},
	}
	for _, test := range tests {
		if got := markdown.Compact(markdown.Snippet(markdown.Parse(test.source).Nodes, test.limit,
			test.bytes)); got != test.want {
			t.Errorf("Snippet(%q, %d, %d) = %s, want %s", test.source, test.limit, test.bytes, got, test.want)
		}
	}
}

// source draws texts of pieces that mean something.
var source = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"*", "**", "_", "~~", "`", "``", "```", "```go:small\n", "[", "]", "(", ")", "![", "](", "](wiki-ja)",
		"](https://example.com)", "](/data/a.png)", "{size=large}",
		"# ", "## ", "> ", "- ", "1. ", "0. ", "    ", "\t", "\n", "\n\n", "  \n", "---\n", "===\n", "\\", "&amp;", "&#35;",
		"&#0;", "<", ">", "<b>", "<script>", "</p>", "\"", "'",
		"#go", "＃花見", "@ann", "＠Ann", "https://example.com/a?b=c#d", "javascript:x", "a", "b c", "火花", "か\u3099", "\u0301",
		"🔥", "é", "\x00", "\xff", "\r\n", "|", "+ ",
	})
	return strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "")
})

// check checks what is true of every text.
func check(t interface{ Fatalf(string, ...any) }, source string, limit, bytes int) {
	d := markdown.Parse(source)
	wantFit(t, source, d.Nodes, 0)
	for _, tag := range d.Hashtags {
		if !strings.Contains(source, "#"+tag) && !strings.Contains(source, "＃"+tag) {
			t.Fatalf("Parse(%q): there is no hashtag %q", source, tag)
		}
	}
	for _, name := range d.Names {
		if !strings.Contains(strings.ToLower(source), "@"+name) && !strings.Contains(strings.ToLower(source), "＠"+name) {
			t.Fatalf("Parse(%q): there is no mention of %q", source, name)
		}
	}
	cut := markdown.Snippet(d.Nodes, limit, bytes)
	wantFit(t, source, cut, 0)
	if n := displayed(cut); n > limit {
		t.Fatalf("Snippet(%q, %d) shows %d characters: %s", source, limit, n, markdown.Compact(cut))
	}
	if text := markdown.Compact(cut); len(text) > bytes {
		t.Fatalf("Snippet(%q, %d, %d) has %d bytes: %s", source, limit, bytes, len(text), text)
	}
	if all := displayed(d.Nodes); all <= limit && !strings.Contains(source, "](") &&
		len(markdown.Compact(d.Nodes)) <= bytes && markdown.Compact(cut) != markdown.Compact(d.Nodes) {
		t.Fatalf("Snippet(%q, %d, %d) = %s, though all has room", source, limit, bytes, markdown.Compact(cut))
	}
	if whole, part := markdown.Text(d.Nodes), markdown.Text(cut); len(part) > len(whole)+limit*4 {
		t.Fatalf("Snippet(%q) shows %q, which is not there", source, part)
	}
}

// displayed counts the displayed characters of nodes.
func displayed(nodes []markdown.Node) (n int) {
	for _, node := range nodes {
		if node.Tag != "" && node.Text == "" && len(node.Nodes) == 0 {
			n++
		}
		n += utf8.RuneCountInString(node.Text) + displayed(node.Nodes)
	}
	return n
}

// wantFit checks that nodes are well formed.
func wantFit(t interface{ Fatalf(string, ...any) }, source string, nodes []markdown.Node, depth int) {
	if depth > 40 {
		t.Fatalf("Parse(%q) is %d deep", source, depth)
	}
	for i, n := range nodes {
		switch {
		case n.Tag == "" && (n.Text == "" || n.Nodes != nil || n.Address != ""):
			t.Fatalf("Parse(%q) has the text %+v", source, n)
		case n.Tag == "" && i > 0 && nodes[i-1].Tag == "":
			t.Fatalf("Parse(%q) has two texts side by side", source)
		case n.Text != "" && n.Nodes != nil, len(n.Nodes) == 1 && n.Nodes[0].Tag == "":
			t.Fatalf("Parse(%q): %+v is not in its short form", source, n)
		case !utf8.ValidString(n.Text+n.Alt+n.Address) || strings.Contains(n.Text+n.Alt, "\x00"):
			t.Fatalf("Parse(%q): %+v is no text", source, n)
		case n.Tag == "a" && (n.Address == "" || links(n.Nodes)):
			t.Fatalf("Parse(%q): the link %+v", source, n)
		}
		wantFit(t, source, n.Nodes, depth+1)
	}
}

// links reports whether there is something among nodes that is not to be in a link.
func links(nodes []markdown.Node) bool {
	for _, n := range nodes {
		if n.Tag == "a" || n.Tag == markdown.Hashtag || n.Tag == markdown.Mention || links(n.Nodes) {
			return true
		}
	}
	return false
}

func TestAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		check(t, source.Draw(t, "source"), rapid.IntRange(0, 60).Draw(t, "limit"), rapid.IntRange(0, 400).Draw(t, "bytes"))
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "# a\n> - *b* `#c` [d](https://example.com) ![e](/data/e.png){size=large}",
		"@ann #go\n\n```go:small\n#x\n```", "\\#a&#35;b", "\xff\x00"} {
		f.Add(s, 10, 100)
	}
	f.Fuzz(func(t *testing.T, s string, limit, bytes int) {
		check(t, s, limit&(1<<10-1), bytes&(1<<13-1))
	})
}

// Texts that are hard to parse have no more nodes than characters, and are not nested
// deeper than other texts. What takes long takes the test's time.
func TestHardTexts(t *testing.T) {
	t.Parallel()
	const n = 65_535
	for _, piece := range []string{
		">", "> ", "- ", "* ", "1. ", "[", "![", "[](", "[a](", "](", "*", "**", "*a ", "a* ", "*a_ ", "_a*", "**a *a ",
		"~~a ", "`", "`a``b", "<", "<a ", "&", "&a", "\\", "\\!",
		"#", "#a ", "#a#", "@", "@ann ", "@ann@", "http://", "https://a.b/_", "(http://a.bc/", "_a", "h", "\t", " ", "\n",
		"\n>", "\n- ", "\n    a", "a\n===\n", "---\n", "|", "|a", "|a\n", "|a\n|-\n",
		"|a|\n|-|\n|b|c|\n\n", "{", "\r", "\u0301", "[a]: /b\n", "[a]",
	} {
		for _, s := range []string{strings.Repeat(piece, n/len(piece)), strings.Repeat(piece, n/2/len(piece)) +
			strings.Repeat("a\n", n/4), strings.Repeat("*a ", n/6) + strings.Repeat(piece, n/2/len(piece))} {
			check(t, s, 280, 1600)
		}
	}
	var codes strings.Builder
	for i := 1; codes.Len() < n; i++ {
		codes.WriteString(strings.Repeat("`", i) + "a")
	}
	check(t, codes.String(), 280, 1600)
}
