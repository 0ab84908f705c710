package model_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/model"
)

func TestSnippet(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"abc", 0, ""},
		{"火花が散る", 2, "火花"}, {"🔥🔥🔥", 2, "🔥🔥"},
		{"ae\u0301x", 3, "ae\u0301"}, {"ae\u0301x", 2, "a"}, {"e\u0301x", 1, ""}, {"ae\u0301\u0302x", 3, "a"},
		{"\u0301\u0302", 1, ""}, {"か\u3099き", 2, "か\u3099"},
	}
	for _, test := range tests {
		if got := model.Snippet(test.in, test.limit); got != test.want {
			t.Errorf("Snippet(%q, %d) = %q, want %q", test.in, test.limit, got, test.want)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("", 0)
	f.Add("火花が散る", 3)
	f.Add("ae\u0301\u0302\u0303", 3)
	f.Add("\u0301\u0301", 1)
	f.Add("a\xffb", 2)
	f.Fuzz(func(t *testing.T, content string, limit int) {
		limit &= 1<<10 - 1
		got := model.Snippet(content, limit)
		if !strings.HasPrefix(content, got) {
			t.Fatalf("Snippet(%q, %d) = %q, no beginning of it", content, limit, got)
		}
		if n := utf8.RuneCountInString(got); n > limit {
			t.Errorf("Snippet(%q, %d) has %d characters", content, limit, n)
		}
		if utf8.ValidString(content) && !utf8.ValidString(got) {
			t.Errorf("Snippet(%q, %d) = %q, which is not UTF-8", content, limit, got)
		}
		if next, _ := utf8.DecodeRuneInString(content[len(got):]); got != "" && unicode.Is(unicode.M, next) {
			t.Errorf("Snippet(%q, %d) = %q, cut before the mark %q", content, limit, got, next)
		}
		if utf8.RuneCountInString(content) <= limit && got != content {
			t.Errorf("Snippet(%q, %d) = %q, though all has room", content, limit, got)
		}
	})
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	family := "👨\u200d👩\u200d👧"
	for content, want := range map[string]string{
		"a **spark**\n\n* one\n* two": "a spark one two", "![](https://example.com/a.png)": "",
		"<b>x</b> & y":            "<b>x</b> & y",
		strings.Repeat("é ", 200): strings.TrimSpace(strings.Repeat("é ", model.MaxExcerpt/2)), family: family,
	} {
		tweet, _, err := model.NewTweet("3f019a5b6c7d8e9f02", &model.User{ID: "ann"}, nil, model.Draft{Content: content})
		if err != nil {
			t.Fatal(err)
		}
		if got := tweet.Excerpt(); got != want {
			t.Errorf("the excerpt of %q is %q, want %q", content, got, want)
		}
		if tweet.Summary = "of " + content; !strings.HasPrefix(tweet.Excerpt(), "of ") {
			t.Errorf("with a summary the excerpt of %q is %q", content, tweet.Excerpt())
		}
	}
}
