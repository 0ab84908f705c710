package htmlmark_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/htmlmark"
	"github.com/hibana-sns/hibana/internal/markdown"
)

// options show ann as a user of this installation, bob as one of another server, and the tags that begin with c.
var options = htmlmark.Options{
	Mention: func(href, _ string) string {
		switch href {
		case "https://here.example/@ann":
			return "@ann"
		case "https://far.example/@bob":
			return `[\@bob\@far.example](/users/ap-1)`
		}
		return ""
	},
	Hashtag: func(name string) bool { return strings.HasPrefix(strings.ToLower(name), "c") },
	Image:   func(src string) bool { return strings.HasPrefix(src, "https://pics.example/") },
}

// The shapes in which servers write posts.
func TestConvert(t *testing.T) {
	t.Parallel()
	quoting := options
	quoting.WithoutQuote = true
	tests := []struct {
		name, html, want string
		o                htmlmark.Options
	}{
		{"Mastodon, paragraphs and lines", "<p>One<br />two<br>three</p><p>Four &amp; &lt;five&gt;</p>",
			"One\ntwo\nthree\n\nFour \\& \\<five\\>", options},
		{"Mastodon, mentions", `<p><span class="h-card" translate="no"><a href="https://here.example/@ann" ` +
			`class="u-url mention">@<span>ann</span></a></span> <span class="h-card"><a href="https://far.example/@bob" ` +
			`class="u-url mention">@<span>bob</span></a></span> <a href="https://far.example/@cho" class="u-url mention">` +
			`@<span>cho</span></a></p>`, `@ann [\@bob\@far.example](/users/ap-1) [\@cho](https://far.example/@cho)`, options},
		{"Mastodon, a hashtag", `<p><a href="https://far.example/tags/Cats" class="mention hashtag" rel="tag">#<span>Cats` +
			`</span></a> <a href="https://far.example/tags/dogs" class="mention hashtag" rel="tag">#<span>dogs</span></a></p>`,
			`#Cats [\#dogs](https://far.example/tags/dogs)`, options},
		{"Mastodon, a short link", `<p><a href="https://long.example/a/b/c?d=e&amp;f=g" target="_blank" rel="nofollow ` +
			`noopener"><span class="invisible">https://</span><span class="ellipsis">long.example/a/b</span>` +
			`<span class="invisible">/c?d=e&amp;f=g</span></a></p>`, "<https://long.example/a/b/c?d=e&f=g>", options},
		{"Mastodon, a quote", `<p class="quote-inline">RE: <a href="https://far.example/1">far.example/1</a></p><p>Yes</p>`,
			"Yes", quoting},
		{"Misskey", `<p><a href="https://here.example/@ann" class="u-url mention">@ann@here.example</a><span> ` +
			`<b>bold</b> <i>it</i> <del>no</del><br>2<br><br>「引用」</span></p>`,
			"@ann **bold** *it* ~~no~~\n2\n\n「引用」", options},
		{"Misskey, ruby and small", `<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby><small>x</small></p>`,
			"漢字(かんじ)x", options},
		{"Misskey, code and a center", `<p><center>c</center><code>a*b</code></p><pre><code>x := 1` + "\n```\n" +
			`y</code></pre>`, "c\n\n`a*b`\n\n````\nx := 1\n```\ny\n````", options},
		{"Pleroma, Markdown", `<h1>Head</h1><ul><li>one</li><li>two<ul><li>deep</li></ul></li></ul><ol><li><p>a</p>` +
			`<p>b</p></li></ol><hr/><blockquote><p>said</p><p>more</p></blockquote>`,
			"# Head\n\n- one\n- two\n\n  - deep\n\n1. a\n\n   b\n\n---\n\n> said\n>\n> more", options},
		{"Pleroma, a custom emoji", `hi <img class="emoji" alt=":blob:" src="https://far.example/blob.png"/>!`,
			"hi :blob:!", options},
		{"GoToSocial", `<p>hello <span class="h-card"><a href="https://here.example/@ann" class="u-url mention" ` +
			`rel="nofollow noreferrer noopener" target="_blank">@<span>ann</span></a></span>b <em>e</em></p>`,
			"hello @ann b *e*", options},
		{"Lemmy", `<p>A post</p>` + "\n" + `<p><strong>Why</strong>: see <a href="https://a.example/x_(y)">it</a></p>` +
			"\n<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2|3</td></tr></tbody></table>\n",
			"A post\n\n**Why**: see [it](https://a.example/x_%28y%29)\n\na \\| b\n\n1 \\| 2\\|3", options},
		{"Lemmy, a picture", `<p><img src="https://pics.example/a.webp" alt="A [cat]"></p><p><img ` +
			`src="https://else.example/b.png" alt="other"></p>`, `![A \[cat\]](https://pics.example/a.webp)` +
			"\n\nother", options},
		{"PeerTube, text", "Line one\nhttps://a.example/b_c_d and (https://x.example/).",
			"Line one <https://a.example/b_c_d> and (<https://x.example/>).", options},
		{"what the dialect would read", "<p># no</p><p>- no</p><p>1. no</p><p>a_b_ *c* [d](e) `f` ~~g~~ @ann #cats @ann@b.c" +
			"</p><p>====</p><p>a<br>---</p>", "\\# no\n\n\\- no\n\n1\\. no\n\n" +
			"a_b\\_ \\*c\\* \\[d\\](e) \\`f\\` \\~\\~g\\~\\~ \\@ann \\#cats " +
			"\\@ann\\@b.c\n\n\\====\n\na\n\\---", options},
		{"no address of the web", `<a href="javascript:alert(1)">a</a> <a href="data:text/html,x">b</a> ` +
			`<a href="/users/me">c</a> <a href="https://u:p@a.example/">d</a> <a href="vbscript:x">e</a>`, "a b c d e", options},
		{"no text", `<script>alert(1)</script><style>p{}</style><p>x</p><iframe src="https://a.example"></iframe>` +
			`<svg><a href="https://a.example">s</a></svg><!-- c --><p onclick="x()">y</p>`, "x\n\ny", options},
		{"unclosed and crossed", `<p><b>a<i>b</b>c</i><p>d<blockquote>e`, "**a*b***c\n\nd\n\n> e", options},
		{"a quoted hashtag grows no longer", `<a href="https://f.example/tags/cat" rel="tag">#cat</a>s`, "#cat s", options},
	}
	for _, test := range tests {
		got, cut := htmlmark.Convert(test.html, test.o)
		if got != test.want || cut {
			t.Errorf("%s:\n got %q\nwant %q, cut %t", test.name, got, test.want, cut)
		}
	}
}

// What is read again by the dialect has the text, and none of its own marks.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"*a* _b_ __c__ `d` ~~e~~", "<b> &amp; &lt; \\ \\* !", "![a](https://b.example/c)",
		"https://a.example/_b_c", "1) a", "> a", "+ b", "a | b", "＠ann ＃tag @ann #tag", "&#64;ann &copy;", "htt\\ps://a.b",
		"xhttps://a.example", "~~~", "***", "- - -", "a@b.c"} {
		got := markdown.Text(markdown.Parse(htmlmark.Text(s)).Nodes)
		if d := markdown.Parse(htmlmark.Text(s)); got != s && got != strings.TrimSpace(s) ||
			len(d.Names)+len(d.Hashtags) > 0 {
			t.Errorf("%q is read as %q by %q, with %v %v", s, got, htmlmark.Text(s), d.Names, d.Hashtags)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	got, cut := htmlmark.Convert("<p>"+strings.Repeat("<b>", 500)+"deep"+strings.Repeat("</b>", 500)+"</p><p>after</p>",
		htmlmark.Options{})
	if !strings.Contains(got, "deep") || !strings.HasSuffix(got, "\n\nafter") || cut {
		t.Errorf("a deep text is %q", got)
	}
	got, cut = htmlmark.Convert("<p>one <b>two</b> three</p><p>four</p>", htmlmark.Options{Limit: 8})
	if got != "one **two**" || !cut {
		t.Errorf("a cut text is %q, %t", got, cut)
	}
	for _, hard := range []string{strings.Repeat("<a href='https://a.example'>", 50_000), strings.Repeat("<", 400_000),
		strings.Repeat("<blockquote>", 40_000) + "x", strings.Repeat("<svg>", 50_000), strings.Repeat("a\u0301", 200_000),
		strings.Repeat("&", 400_000), strings.Repeat("<ul><li>", 40_000), strings.Repeat("https://", 60_000),
		"<p title='" + strings.Repeat("x", 1<<20)} {
		begun := time.Now()
		text, _ := htmlmark.Convert(hard, htmlmark.Options{Limit: 10_000})
		if took := time.Since(begun); took > 5*time.Second || utf8.RuneCountInString(text) > 100_000 {
			t.Errorf("%.20q takes %s for %d characters", hard, took, utf8.RuneCountInString(text))
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for html, want := range map[string]string{"<b>A</b> &amp; B<br>c": "A & B c", "<p>a</p><p>b</p>": "a b",
		"plain": "plain"} {
		if got := htmlmark.Plain(html); got != want {
			t.Errorf("Plain(%q) = %q, want %q", html, got, want)
		}
	}
	for html, want := range map[string]string{`<a href="https://a.example/">a.example</a>`: "https://a.example/",
		`see <a href="https://a.example/">a</a>`: "", `<a href="javascript:x">a</a>`: "", "text": ""} {
		if got := htmlmark.Link(html); got != want {
			t.Errorf("Link(%q) = %q, want %q", html, got, want)
		}
	}
}

// FuzzConvert demands of any HTML that the dialect reads nothing in the result but links to the web and allowed images.
func FuzzConvert(f *testing.F) {
	for _, s := range []string{`<p>a <a href="https://a.example/?b=(c)">d</a></p>`, `<a href="JavaScript:x">[y](z)</a>`,
		"<pre>```</pre>", `<img src="https://pics.example/a" alt="](javascript:x)">`, "<li>1.<br>-", "&#64;ann &#35;x",
		`<b>a<blockquote>b</b></blockquote>`, "![x](/data/a.png)", "[a](wiki-ja)", "[a](/posts/0123456789abcdef)", `<a href="https://a.example/\">x</a>`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, _ := htmlmark.Convert(s, options)
		if !utf8.ValidString(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
		d := markdown.Parse(text)
		for _, name := range d.Names {
			if name != "ann" {
				t.Errorf("%q mentions %q", text, name)
			}
		}
		for _, tag := range d.Hashtags {
			if !options.Hashtag(tag) {
				t.Errorf("%q has the tag %q", text, tag)
			}
		}
		check(t, text, d.Nodes)
	})
}

func check(t *testing.T, text string, nodes []markdown.Node) {
	t.Helper()
	for _, n := range nodes {
		switch to := n.Address; {
		case n.Tag == "img" && !strings.HasPrefix(to, "https://pics.example/"):
			t.Errorf("%q shows %q", text, to)
		case n.Tag == "a" && !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "http://") && to != "/users/ap-1",
			n.Tag != "img" && n.Tag != "a" && to != "":
			t.Errorf("%q leads to %q", text, to)
		}
		check(t, text, n.Nodes)
	}
}
