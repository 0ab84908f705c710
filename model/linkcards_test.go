package model

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLinkAddress(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://Example.COM":               "https://example.com/",
		"HTTPS://example.com:443/a?b=c#d":   "https://example.com/a?b=c",
		"http://example.com:80/":            "http://example.com/",
		"http://example.com:8080/":          "http://example.com:8080/",
		"https://例え.jp/":                    "https://xn--r8jz45g.jp/",
		"https://example.com/%E3%81%82#あ":   "https://example.com/%E3%81%82",
		"ftp://example.com/":                "",
		"mailto:ann@example.com":            "",
		"https://ann:secret@example.com/":   "",
		"https:///x":                        "",
		"/tweets/aa0000000000000001":        "",
		"":                                  "",
		"https://example.com/" + long(1000): "",
	} {
		if got, err := LinkAddress(in); got != want || (err == nil) != (want != "") {
			t.Errorf("LinkAddress(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

// Only tweets that everybody sees, without media, have a link to be fetched.
func TestLink(t *testing.T) {
	t.Parallel()
	tests := []struct {
		content, want string
		change        func(*Tweet)
	}{
		{"see https://example.com/a and https://example.com/b", "https://example.com/a", nil},
		{"see [this](https://example.com/a)", "https://example.com/a", nil},
		{"> **[this](https://Example.com)**", "https://example.com/", nil},
		{"![a picture](https://example.com/a.png)", "", nil},
		{"`https://example.com/a`", "", nil},
		{"@ann #tag [own](/users/ann)", "", nil},
		{"https://example.com/a", "", func(t *Tweet) { t.Visibility = Followers }},
		{"https://example.com/a", "", func(t *Tweet) { t.Visibility = Mentioned }},
		{"https://example.com/a", "https://example.com/a", func(t *Tweet) { t.Visibility = Unlisted }},
		{"https://example.com/a", "", func(t *Tweet) { t.IsViolative = true }},
		{"https://example.com/a", "", func(t *Tweet) { t.Media = []TweetMedia{{ID: "m"}} }},
	}
	for _, tt := range tests {
		tweet, _, err := NewTweet("aa0000000000000001", &User{ID: "ann"}, nil, Draft{Content: tt.content, Visibility: Public})
		if err != nil {
			t.Fatal(err)
		}
		if tt.change != nil {
			tt.change(tweet)
		}
		if got := tweet.Link(); got != tt.want {
			t.Errorf("Link() of %q = %q, want %q", tt.content, got, tt.want)
		}
	}
	if (*Tweet)(nil).Link() != "" {
		t.Error("no tweet has a link")
	}
}

// A page is kept for its max-age within bounds. Failures back off, and keep the page from before if that is allowed.
func TestCardOfPage(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	page := LinkPage{Title: "A title"}
	for age, want := range map[time.Duration]time.Duration{0: time.Hour, time.Minute: time.Hour, day: day,
		900 * day: 30 * day} {
		p := page
		p.MaxAge = age
		if c := p.Card("a", nil, at); !c.FreshUntil.Equal(at.Add(want)) || c.Stale(at.Add(want-1)) || !c.Stale(at.Add(want)) {
			t.Errorf("max-age %v: fresh until %v", age, c.FreshUntil)
		}
	}
	good := page.Card("a", nil, at)
	if good.Shown(at.Add(LinkCardWindow-1)) != good || good.Shown(at.Add(LinkCardWindow)) != nil {
		t.Error("a card shows for another time than its window")
	}
	failed, now := good, at
	for n, wait := range []time.Duration{time.Hour, 2 * time.Hour, 4 * time.Hour} {
		now = now.Add(day)
		failed = LinkPage{Failure: LinkUnreachable}.Card("a", failed, now)
		if failed.Shown(now) == nil || failed.Failures != n+1 || failed.FreshUntil.Sub(now) != wait ||
			!failed.ExpireAt.Equal(good.ExpireAt) {
			t.Errorf("failure %d: %+v", n+1, failed)
		}
	}
	if again := page.Card("a", failed, now); again.Failures != 0 {
		t.Errorf("a page after failures has %d", again.Failures)
	}
	for _, failure := range []string{LinkNotKept, LinkNoPage, LinkRemoved} {
		if c := (LinkPage{Failure: failure}).Card("a", good, at); c.Shown(at) != nil || c.Title != "" {
			t.Errorf("%s shows %+v", failure, c)
		}
	}
	var last *LinkCard
	for range 40 {
		last = LinkPage{Failure: LinkRefused}.Card("a", last, at)
	}
	want := &LinkCard{Address: "a", LinkPage: LinkPage{Failure: LinkRefused}, Failures: 40, FetchedAt: at,
		FreshUntil: at.Add(time.Hour << 9), ExpireAt: at.Add(30 * day)}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("after 40 failures (-want +got):\n%s", diff)
	}
}
