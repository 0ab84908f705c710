package model_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/model"
)

var (
	ann = &model.User{ID: "ann", Username: "ann_lee", Nickname: "Ann", Avatar: "https://example.com/a.png"}
	at  = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)
)

func TestNewTweet(t *testing.T) {
	t.Parallel()
	id := model.NewTweetIDs(func() time.Time { return at }).Next("ann")
	content := "#Go and #火花 " + strings.Repeat("é", model.MaxSnippet)
	tweet, detail, err := model.NewTweet(id, ann, nil, model.Draft{Content: content, Summary: "long",
		Tags: []string{"news"}, AllowLikes: true})
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]time.Time{"go": at, "火花": at, "news": at}
	want := &model.Tweet{
		ID: id, AuthorID: "ann", Author: model.Author{Username: "ann_lee", Nickname: "Ann",
			Avatar: "https://example.com/a.png"},
		Summary: "long", Snippet: "#Go and #火花 " + strings.Repeat("é", model.MaxSnippet-12), Length: model.MaxSnippet + 12,
		RootID: id,
		Tags:   tags, RootTags: tags, TagLabels: map[string]string{"go": "Go"},
		AllowLikes: true, Visibility: "public", Language: "und", PublicShard: id.PublicShard(), ChangeShard: id.ChangeShard(),
		CreatedAt: at,
	}
	if diff := cmp.Diff(want, tweet); diff != "" {
		t.Errorf("tweet (-want +got):\n%s", diff)
	}
	if detail.Content != content {
		t.Errorf("content = %q", detail.Content)
	}
}

func TestNewReply(t *testing.T) {
	t.Parallel()
	ids := model.NewTweetIDs(func() time.Time { return at })
	parent := &model.Tweet{ID: ids.Next("bob"), AuthorID: "bob", RootID: ids.Next("cat"), Visibility: model.Public}
	tweet, _, err := model.NewTweet(ids.Next("ann"), ann, parent, model.Draft{Content: "#go", ReplyTo: &parent.ID,
		AllowReplies: true})
	if err != nil {
		t.Fatal(err)
	}
	if tweet.RootID != parent.RootID || *tweet.ReplyTo != parent.ID || tweet.ReplyToAuthorID != "bob" ||
		tweet.AllowLikes || !tweet.AllowReplies {
		t.Errorf("reply = %+v", tweet)
	}
	if len(tweet.Tags) != 1 || tweet.RootTags == nil || len(tweet.RootTags) != 0 {
		t.Errorf("Tags = %v, RootTags = %#v, want one and an empty map", tweet.Tags, tweet.RootTags)
	}
}

func TestNewTweetLimits(t *testing.T) {
	t.Parallel()
	const id = model.TweetID("3f019a5b6c7d8e9f01")
	full := model.Draft{Content: strings.Repeat("火", model.MaxContent), Summary: strings.Repeat("火", model.MaxSummary)}
	if tweet, _, err := model.NewTweet(id, ann, nil, full); err != nil || tweet.Length != model.MaxContent {
		t.Errorf("a tweet at its limits: %v", err)
	}
	typed := model.Draft{Content: strings.Repeat("e\u0301", model.MaxContent-6) + " #cafe\u0301",
		Summary: strings.Repeat("e\u0301", model.MaxSummary)}
	tweet, detail, err := model.NewTweet(id, ann, nil, typed)
	if err != nil || tweet.Length != model.MaxContent || !strings.HasSuffix(detail.Content, "éé #café") ||
		tweet.Summary != strings.Repeat("é", model.MaxSummary) ||
		len(tweet.Tags) != 1 || tweet.Tags["café"].IsZero() || len(tweet.TagLabels) != 0 {
		t.Errorf("a tweet at its limits in NFC: %v, %+v", err, tweet)
	}
	tests := []struct {
		name  string
		draft model.Draft
		code  string
		texts []string
	}{
		{"empty", model.Draft{}, "content_required", []string{"content", "1", "65535"}},
		{"spaces", model.Draft{Content: " \n\u3000"}, "content_required", []string{"content"}},
		{"nothing to see", model.Draft{Content: "\u200b\u3164"}, "content_required", []string{"seen"}},
		{"not UTF-8", model.Draft{Content: "a\xff"}, "invalid_text", []string{"content", "UTF-8"}},
		{"longer in NFC", model.Draft{Content: "x", Summary: strings.Repeat("\u0958", model.MaxSummary)}, "too_long",
			[]string{"summary", "1000", "500"}},
		{"content", model.Draft{Content: strings.Repeat("火", model.MaxContent+1)}, "too_long",
			[]string{"content", "65536", "65535"}},
		{"summary", model.Draft{Content: "x", Summary: strings.Repeat("x", model.MaxSummary+1)}, "too_long",
			[]string{"summary", "501", "500"}},
		{"tag", model.Draft{Content: "x", Tags: []string{strings.Repeat("x", 51)}}, "invalid_tag", []string{"51", "50"}},
		{"tags", model.Draft{Content: "#a #b #c #d #e #f", Tags: []string{"g", "h", "i", "j", "k"}}, "too_many_tags",
			[]string{"10"}},
	}
	for _, test := range tests {
		tweet, detail, err := model.NewTweet(id, ann, nil, test.draft)
		wantInvalid(t, err, test.code, test.texts...)
		if tweet != nil || detail != nil {
			t.Errorf("%s: got documents beside the error", test.name)
		}
	}
}
