package model_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// long is a draft whose content takes long to parse.
var long = model.Draft{Content: strings.Repeat("**bold** _text_ of `code` [link](https://example.com)\n\n", 150) +
	"#tag @bob", Tags: []string{"more"}}

// post is what a request makes of a draft: it looks for the names, and makes the tweet, perhaps again
// because the first commit came too late.
func post(tb testing.TB, clean *model.CleanDraft) (tweets [2]*model.Tweet) {
	found := map[string]model.UserID{}
	for _, name := range clean.Names() {
		found[name] = model.UserID("uid_" + name)
	}
	for i := range tweets {
		var err error
		if tweets[i], _, err = clean.Tweet("3f019a5b6c7d8e9f02", &model.User{ID: "ann"}, nil, found); err != nil {
			tb.Fatal(err)
		}
	}
	return tweets
}

// A clean draft makes the same tweet however often, and stays as it is.
func TestCleanDraft(t *testing.T) {
	t.Parallel()
	clean, err := long.Clean()
	if err != nil {
		t.Fatal(err)
	}
	made := post(t, clean)
	if diff := cmp.Diff(made[0], made[1]); diff != "" {
		t.Errorf("the second tweet of a draft (-first +second):\n%s", diff)
	}
	if made[0].MentionNames["bob"] != "uid_bob" || len(made[0].Tags) != 2 {
		t.Errorf("the tweet mentions %v and has the tags %v", made[0].MentionNames, made[0].Tags)
	}
	again, _, err := model.NewTweet("3f019a5b6c7d8e9f02", &model.User{ID: "ann"}, nil, model.Draft{Content: long.Content,
		Tags: long.Tags, Found: map[string]model.UserID{"bob": "uid_bob"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(again, made[0]); diff != "" {
		t.Errorf("NewTweet of the same draft (-want +got):\n%s", diff)
	}
	if _, err := (model.Draft{Content: " "}).Clean(); errs.CodeOf(err) != "content_required" {
		t.Errorf("Clean() of an empty draft = %v", err)
	}
}

// A content is parsed when its draft is cleaned, and not again: what follows allocates a small part of
// what the parser does. The parser takes each bracket for the beginning of a link, but the tree is one text.
func TestParsedOnce(t *testing.T) {
	brackets := model.Draft{Content: strings.Repeat("a [ b ", 1500)}
	clean, err := brackets.Clean()
	if err != nil {
		t.Fatal(err)
	}
	parsing := testing.AllocsPerRun(5, func() { _, _ = brackets.Clean() })
	posting := testing.AllocsPerRun(5, func() { post(t, clean) })
	t.Logf("cleaning makes %.0f allocations, posting %.0f", parsing, posting)
	if posting > parsing*3/4 {
		t.Errorf("to clean a draft makes %.0f allocations, and to post it %.0f more; want less than three quarters", parsing,
			posting)
	}
}

// A post parses its content once; of two tries the second takes no parser.
func BenchmarkPost(b *testing.B) {
	for b.Loop() {
		clean, err := long.Clean()
		if err != nil {
			b.Fatal(err)
		}
		post(b, clean)
	}
}
