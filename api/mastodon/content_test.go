package mastodon_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// link is a link of a content, with the text that a person sees.
type link struct{ Address, Class, Text, Seen string }

// links reads the links of HTML as apps do.
func links(text string) (all []link) {
	var is *link
	hidden, spans := 0, []bool{}
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		switch kind, t := z.Next(), z.Token(); kind {
		case html.ErrorToken:
			return all
		case html.StartTagToken:
			of := map[string]string{}
			for _, a := range t.Attr {
				of[a.Key] = a.Val
			}
			switch t.Data {
			case "a":
				all = append(all, link{Address: of["href"], Class: of["class"]})
				is = &all[len(all)-1]
			case "span":
				if spans = append(spans, of["class"] == "invisible"); of["class"] == "invisible" {
					hidden++
				}
			}
		case html.EndTagToken:
			switch t.Data {
			case "a":
				is = nil
			case "span":
				if spans[len(spans)-1] {
					hidden--
				}
				spans = spans[:len(spans)-1]
			}
		case html.TextToken:
			if is != nil {
				if is.Text += t.Data; hidden == 0 {
					is.Seen += t.Data
				}
			}
		}
	}
}

// Apps find whom a link of a content mentions by its address, and likewise its tag. Of an address they show a part.
func TestContentLinks(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	e.join(t, "bob_b")
	var s struct {
		Content  string
		Mentions []struct{ URL, Acct string }
		Tags     []struct{ Name, URL string }
	}
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "@bob_b @nobody #Spark ＃火花 #été https://b.example/a_b\n" +
		"https://a.example/a/very/long/way/to/b?c=d&e=f&g=h"}).want(t, http.StatusOK, &s)
	all := links(s.Content)
	if len(all) != 6 || len(s.Mentions) != 1 || len(s.Tags) != 3 {
		t.Fatalf("%s has %+v, %+v and %+v", s.Content, all, s.Mentions, s.Tags)
	}
	same(t, "a mention", all[0], link{s.Mentions[0].URL, "u-url mention", "@bob_b", "@bob_b"})
	if !strings.Contains(s.Content, `<span class="h-card" translate="no"><a href="`+s.Mentions[0].URL+`"`) {
		t.Errorf("no h-card in %s", s.Content)
	}
	byName := map[string]string{}
	for _, tag := range s.Tags {
		byName[tag.Name] = tag.URL
	}
	for i, name := range []string{"spark", "火花", "été"} {
		same(t, name, strings.ToLower(all[1+i].Text), "#"+name)
		same(t, name, all[1+i].Address+all[1+i].Class, byName[name]+"mention hashtag")
	}
	same(t, "a short address", all[4], link{"https://b.example/a_b", "", "https://b.example/a_b", "b.example/a_b"})
	const address = "https://a.example/a/very/long/way/to/b?c=d&e=f&g=h"
	same(t, "a long address", all[5], link{address, "", address, "a.example/a/very/long/way/to/b"})

	var own struct{ Note string }
	e.askAs(t, ann, "PATCH /api/v1/accounts/update_credentials?note=see+https%3A%2F%2Fb.example%2Fa+%23Spark", "", nil).
		want(t, http.StatusOK, &own)
	if all := links(own.Note); len(all) != 2 || all[0].Seen != "b.example/a" || all[1].Class != "mention hashtag" {
		t.Errorf("the introduction is %s", own.Note)
	}
}
