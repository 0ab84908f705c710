package pages_test

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/api/internal/pages"
	"github.com/hibana-sns/hibana/model"
)

var site = pages.Site{URL: "https://hibana.test"}

// hostile draws a text that may try to leave its place.
func hostile() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{`"><script>alert(1)</script>`,
		`</script><img src=x onerror=x>`, `</style><b>`, `' onload='x`, `javascript:alert(1)`, `{{.}}`, "]]>", "\u2028",
		"<!--", `&quot;><i>`, "火花 🎆", "\x00"}))
}

func drawn(t *rapid.T) (pages.Person, pages.Post) {
	text := func(name string) string { return hostile().Draw(t, name) }
	p := pages.Person{ID: model.UserID(text("id")), Username: "ann", Nickname: text("nickname"), Avatar: text("avatar"),
		About: text("about"), AboutHTML: "<p>about</p>", Language: "ja", Since: time.Unix(0, 0), Listed: true,
		Pronouns: text("pronouns"), Bot: true, Fields: []pages.Field{{Name: text("field"), Value: text("value"), Link: true,
			Verified: true}}}
	return p, pages.Post{ID: "3f019a5b6c7d8e9f01", Author: p, Warning: text("warning"), Text: text("text"),
		HTML: `<p>text <a href="/tags/go">#go</a></p>`, Cut: true, Language: "en", Counted: true, At: time.Unix(0, 0),
		Pictures: []pages.Picture{{Address: text("picture"), Video: text("video"), Alt: text("alt")}},
		ReplyTo:  "3f019a5b6c7d8e9f02", QuoteOf: "3f019a5b6c7d8e9f03",
		Quoted: &pages.Quoted{ID: "3f019a5b6c7d8e9f03", Author: p, HTML: "<p>quoted</p>"},
		Votes:  &pages.Poll{Options: []pages.Option{{Text: text("option"), Votes: 3}}, Counted: true}}
}

// No text of a user becomes a script, a handler of events or an element of a page, and data stay readable.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		person, post := drawn(t)
		profile, err := site.ProfilePage(person, []pages.Post{post}, "", "token")
		wantPage(t, profile, err)
		single, err := site.PostPage(post, true)
		wantPage(t, single, err)
		feed, err := site.JSONFeedOf(person, []pages.Post{post})
		if err != nil || !json.Valid(feed) {
			t.Fatalf("%v: %s", err, feed)
		}
		embed, err := site.OEmbed(post, 0, 300)
		if err != nil || !json.Valid(embed) {
			t.Fatalf("%v: %s", err, embed)
		}
		rss, err := site.RSSFeed(person, []pages.Post{post})
		if err == nil {
			err = xml.Unmarshal(rss, new(struct{}))
		}
		if err != nil {
			t.Fatalf("%v: %s", err, rss)
		}
	})
}

var known = " html head meta title link style script body header a main section img h1 p bdi div dl dt dd article b " +
	"time details summary span blockquote ul li "

func wantPage(t *rapid.T, page []byte, err error) {
	if err != nil {
		t.Fatalf("%v", err)
	}
	scripts := 0
	for z := html.NewTokenizer(strings.NewReader(string(page))); ; {
		kind := z.Next()
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			if scripts != 1 {
				t.Fatalf("%d scripts:\n%s", scripts, page)
			}
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			if !strings.Contains(known, " "+token.Data+" ") {
				t.Fatalf("the element %s:\n%s", token.Data, page)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") || (a.Key == "href" || a.Key == "src") &&
					strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
					t.Fatalf("the attribute %s=%q:\n%s", a.Key, a.Val, page)
				}
			}
			if token.Data == "script" {
				scripts++
				if z.Next(); !json.Valid(z.Text()) {
					t.Fatalf("the script is no JSON:\n%s", page)
				}
			}
		}
	}
}

// The index has each month once, also when the months before are shorter.
func TestSitemapIndex(t *testing.T) {
	t.Parallel()
	text, err := site.SitemapIndex(time.Date(2027, 3, 31, 23, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	var index struct {
		Maps []struct {
			Location string `xml:"loc"`
		} `xml:"sitemap"`
	}
	if err := xml.Unmarshal(text, &index); err != nil || len(index.Maps) != pages.Months {
		t.Fatalf("%v, %d months: %s", err, len(index.Maps), text)
	}
	for n, want := range map[int]string{0: "2027-03", 1: "2027-02", 2: "2027-01", 119: "2017-04"} {
		if got := index.Maps[n].Location; got != "https://hibana.test/sitemap.xml?month="+want {
			t.Errorf("month %d = %s, want %s", n, got, want)
		}
	}
}
