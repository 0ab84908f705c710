package render_test

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/dev/testing/wordcases"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/markdown/render"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	tests := []struct{ source, want string }{
		{"", ""},
		{"a **b** <i>", "<p>a <strong>b</strong> &lt;i&gt;</p>"},
		{"# a\n- b\n- c", "<h1>a</h1><ul><li>b</li><li>c</li></ul>"},
		{"3. a", `<ol start="3"><li>a</li></ol>`},
		{"0. a", `<ol start="0"><li>a</li></ol>`},
		{"```sql:small\na < b\n```", `<pre data-language="sql" data-size="small"><code>a &lt; b</code></pre>`},
		{"![a \"b\"](/data/a.png){size=large}", `<p><img src="/data/a.png" alt="a &#34;b&#34;" data-size="large"></p>`},
		{"[a](https://example.com/?a=1&b=2)",
			`<p><a href="https://example.com/?a=1&amp;b=2" rel="nofollow ugc noopener noreferrer">a</a></p>`},
		{"[a](/tweets/3f019a5b6c7d8e9f01)", `<p><a href="/tweets/3f019a5b6c7d8e9f01">a</a></p>`},
		{"[火](wiki-ja)", `<p><a href="https://ja.wikipedia.org/wiki/%E7%81%AB" rel="nofollow ugc noopener noreferrer">火</a></p>`},
		{"#Ｇo @Ann @bob", `<p><a href="/tags/go" class="hashtag">#Ｇo</a> <a href="/users/u%2F1" class="mention">@Ann</a> @bob</p>`},
		{"@Bob@Social.example @ann@social.example", `<p><a href="/users/ap-b" class="mention">@Bob@Social.example</a> ` +
			`@ann@social.example</p>`},
		{"a  \nb\n\n---", "<p>a<br>b</p><hr>"},
		{"[a](javascript:alert(1)) <script>alert(1)</script>", "<p>a &lt;script&gt;alert(1)&lt;/script&gt;</p>"},
	}
	for _, test := range tests {
		nodes := markdown.WithUsers(markdown.Parse(test.source).Nodes, map[string]string{"ann": "u/1",
			"bob@social.example": "ap-b"})
		if got := render.HTML(nodes); got != test.want {
			t.Errorf("HTML(%q) = %s\nwant %s", test.source, got, test.want)
		}
	}
}

// The HTML of the shared cases is what the preview of the web client shows, but for attributes.
func TestCases(t *testing.T) {
	t.Parallel()
	attributes := regexp.MustCompile(`<(\w+)( [a-z-]+="[^"]*")+>`)
	for _, c := range wordcases.Read(t).HTML {
		got := attributes.ReplaceAllString(render.HTML(markdown.Parse(c.Text).Nodes), "<$1>")
		if got != c.HTML {
			t.Errorf("HTML(%q) = %s\nwant %s", c.Text, got, c.HTML)
		}
		parsed := markdown.Parse(c.Text).Nodes
		if back := markdown.Nodes(markdown.Elements(parsed)); render.HTML(back) != render.HTML(parsed) {
			t.Errorf("the tree of %q gives %s", c.Text, render.HTML(back))
		}
	}
}

var allowed = map[string]string{
	"p": "", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "", "blockquote": "", "ul": "", "ol": "start",
	"li": "", "pre": "data-language data-size", "code": "",
	"em": "", "strong": "", "del": "", "br": "", "hr": "", "a": "href rel class", "img": "src alt data-size",
}

// wantSafe checks HTML with a parser of its own.
func wantSafe(t interface{ Fatalf(string, ...any) }, source, text string) {
	open := []string{}
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := z.Next()
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Fatalf("HTML(%q) leaves %q open: %s", source, open, text)
			}
			return
		case html.StartTagToken:
			attributes, ok := allowed[token.Data]
			if !ok {
				t.Fatalf("HTML(%q) has the element %q: %s", source, token.Data, text)
			}
			for _, a := range token.Attr {
				if !strings.Contains(" "+attributes+" ", " "+a.Key+" ") {
					t.Fatalf("HTML(%q) has the attribute %q: %s", source, a.Key, text)
				}
				if (a.Key == "href" || a.Key == "src") && !strings.HasPrefix(a.Val, "https://") &&
					!strings.HasPrefix(a.Val, "http://") &&
					(!strings.HasPrefix(a.Val, "/") || strings.HasPrefix(a.Val, "//") || strings.Contains(a.Val, "/../") ||
						strings.Contains(strings.ToLower(a.Val), "%2e")) {
					t.Fatalf("HTML(%q) has the address %q: %s", source, a.Val, text)
				}
			}
			if token.Data != "br" && token.Data != "hr" && token.Data != "img" {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("HTML(%q) closes %q, of %q: %s", source, token.Data, open, text)
			}
			open = open[:len(open)-1]
		case html.CommentToken, html.DoctypeToken, html.SelfClosingTagToken:
			t.Fatalf("HTML(%q) has %q: %s", source, token, text)
		}
	}
}

var source = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"*", "**", "_", "~~", "`", "```\n", "[", "]", "(", ")", "![", "](", "](wiki-ja)", "](https://example.com/\"x)",
		"](/data/a.png)", "](javascript:alert(1))", "](JaVaScRiPt&colon;x)", "](//evil.example)",
		"](data:text/html,x)", "](/users/..%2f..)", "{size=large}", "# ", "> ", "- ", "1. ", "\n", "\n\n", "  \n", "---\n",
		"|a|b|\n", "|-|:-:|\n", "|",
		"\\", "&lt;", "&#60;", "&#x6a;avascript:", "<", ">", "<b>", "<script>alert(1)</script>",
		"<img src=x onerror=alert(1)>", "</p>", "<!--", "-->", "<![CDATA[", "\"", "'", " onclick=", "#go", "@ann",
		"https://example.com/<x>", "a", "火花", "\x00", "\xff", "\u2028", "</pre>", "</code>",
	})
	return strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "pieces"), "")
})

// check checks that a text and its snippet give safe HTML.
func check(t interface{ Fatalf(string, ...any) }, source string, limit int) {
	nodes := markdown.WithUsers(markdown.Parse(source).Nodes, map[string]string{"ann": `"><script>`})
	wantSafe(t, source, render.HTML(nodes))
	wantSafe(t, source, render.HTML(markdown.Snippet(nodes, limit, 400)))
}

func TestAnyHTML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { check(t, source.Draw(t, "source"), rapid.IntRange(0, 60).Draw(t, "limit")) })
}

// Nodes that no parser made, as of a document that somebody tampered with, give safe HTML
// too.
func TestForgedNodes(t *testing.T) {
	t.Parallel()
	for _, forged := range []string{
		`[{"T":"script","X":"alert(1)"}]`, `[{"T":"a","H":"javascript:alert(1)","X":"a"}]`,
		`[{"T":"img","H":"data:text/html,x"}]`,
		`[{"T":"p onclick=alert(1)","X":"a"}]`, `[{"T":"pre","L":"\"><script>","X":"a"}]`,
		`[{"T":"iframe","C":[{"T":"p","X":"a"}]}]`,
	} {
		nodes, err := markdown.Expand(forged)
		if err != nil {
			t.Fatal(err)
		}
		if got := render.HTML(nodes); strings.Contains(got, "script") && !strings.Contains(got, "&lt;script") ||
			strings.Contains(got, "onclick") || strings.Contains(got, "iframe") || strings.Contains(got, "data:") {
			t.Errorf("HTML(%s) = %s", forged, got)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{"", "<script>", "[a](javascript:x)", "![a](/data/a.png)", "`<b>`", "\"'<>&"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) { check(t, s, limit&(1<<10-1)) })
}
