package model_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// written is a root tweet of ann with its text.
func written(t interface{ Fatal(...any) }, d model.Draft) (*model.Tweet, model.TweetDetail) {
	tweet, detail, err := model.NewTweet(model.NewTweetIDs(func() time.Time { return at }).Next("ann"), ann, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	return tweet, *detail
}

func TestEdit(t *testing.T) {
	t.Parallel()
	tweet, detail := written(t, model.Draft{Content: "#Go and #火花", Summary: "s", Tags: []string{"a-B", "GO"},
		AllowLikes: true, AllowReplies: true})
	tweet.LikeCount = 7
	was := *tweet
	long := "#rust " + strings.Repeat("é", model.MaxSnippet)
	later := at.Add(time.Hour)
	after, text, revision, err := tweet.Edit(detail, model.TweetPatch{Content: &long, AllowLikes: new(false)}, later)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&was, tweet); diff != "" {
		t.Errorf("the tweet itself changed (-want +got):\n%s", diff)
	}
	tags := map[string]time.Time{"rust": at, "a-b": at} // GO was a hashtag, too, and goes with it
	want := was
	want.Snippet, want.Length, want.AllowLikes, want.Revision, want.UpdatedAt = long[:6]+strings.Repeat("é",
		model.MaxSnippet-6), model.MaxSnippet+6, false, 1, &later
	want.Tags, want.RootTags, want.TagLabels = tags, tags, map[string]string{"a-b": "a-B"}
	if diff := cmp.Diff(&want, after); diff != "" {
		t.Errorf("the edited tweet (-want +got):\n%s", diff)
	}
	if text.Content != long {
		t.Errorf("content = %q", text.Content)
	}
	wantRevision := &model.Revision{
		Number: 1, AuthorID: "ann", Content: "#Go and #火花", Summary: "s", Snippet: "#Go and #火花", Length: 11,
		Tags: []string{"a-b", "go", "火花"}, AllowLikes: true, AllowReplies: true, WrittenAt: at, ReplacedAt: later,
	}
	if diff := cmp.Diff(wantRevision, revision, cmpopts.IgnoreFields(model.Revision{}, "Change")); diff != "" {
		t.Errorf("revision (-want +got):\n%s", diff)
	}
	_, _, second, err := after.Edit(text, model.TweetPatch{Summary: new("")}, later.Add(time.Hour))
	if err != nil || second.Number != 2 || second.WrittenAt != later || second.Content != long || second.Summary != "s" {
		t.Errorf("the second revision = %+v, %v", second, err)
	}
}

// Tags beside the hashtags stay until the patch has tags.
func TestEditTags(t *testing.T) {
	t.Parallel()
	tests := []struct {
		content string
		tags    []string
		patch   model.TweetPatch
		want    []string
	}{
		{"#go", []string{"news"}, model.TweetPatch{Content: new("no tag")}, []string{"news"}},
		{"#go", []string{"news"}, model.TweetPatch{Content: new("#rust")}, []string{"news", "rust"}},
		{"#go", []string{"news"}, model.TweetPatch{Tags: &[]string{}}, []string{"go"}},
		{"#go", []string{"news"}, model.TweetPatch{Tags: &[]string{"old", "Go"}}, []string{"go", "old"}},
		{"#go", []string{"news"}, model.TweetPatch{Content: new("x"), Tags: &[]string{}}, nil},
		{"#go", []string{"news"}, model.TweetPatch{Summary: new("x")}, []string{"go", "news"}},
		{"x", []string{"go"}, model.TweetPatch{Content: new("#go")}, []string{"go"}},
	}
	for _, test := range tests {
		tweet, detail := written(t, model.Draft{Content: test.content, Tags: test.tags})
		after, _, _, err := tweet.Edit(detail, test.patch, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(after.Tags)); !slices.Equal(got, test.want) {
			t.Errorf("%q with %q, after %+v: %q, want %q", test.content, test.tags, test.patch, got, test.want)
		}
	}
	parent := &model.Tweet{ID: "3f019a5b6c7d8e9f01", AuthorID: "bob", RootID: "3f019a5b6c7d8e9f01",
		Visibility: model.Public}
	reply, detail, err := model.NewTweet("3f019a5b6c7d8e9f02", ann, parent, model.Draft{Content: "#go"})
	if err != nil {
		t.Fatal(err)
	}
	after, _, _, err := reply.Edit(*detail, model.TweetPatch{Content: new("#rust")}, at)
	if err != nil || len(after.Tags) != 1 || len(after.RootTags) != 0 || after.RootTags == nil || after.RepliedAt == nil {
		t.Errorf("an edited reply = %+v, %v", after, err)
	}
}

func TestEditLimits(t *testing.T) {
	t.Parallel()
	tweet, detail := written(t, model.Draft{Content: "#go", Tags: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}})
	for code, p := range map[string]model.TweetPatch{
		"too_long":         {Content: new(strings.Repeat("火", model.MaxContent+1))},
		"content_required": {Content: new(" \u2800")},
		"invalid_text":     {Summary: new("\xff")},
		"too_many_tags":    {Content: new("#go #rust")},
		"invalid_tag":      {Tags: &[]string{"a b"}},
	} {
		after, _, revision, err := tweet.Edit(detail, p, at)
		if errs.KindOf(err) != errs.Invalid || errs.CodeOf(err) != code || after != nil || revision != nil {
			t.Errorf("%+v: %v, want %s", p, err, code)
		}
	}
}

// An edit that comes again finds nothing to change, whatever it changes.
func TestEditAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"x", "#go", "#Go #go", "#GO y", "#é", "#e\u0301", "#Ｇo ", "x #火花", "#go #rust"})
		tags := rapid.SliceOfN(rapid.SampledFrom([]string{"go", "Go", "GO", "#go", "é", "e\u0301", "news", "rust"}), 0, 4)
		tweet, detail := written(t, model.Draft{Content: text.Draw(t, "content"), Summary: text.Draw(t, "summary"),
			Tags: tags.Draw(t, "tags")})
		for range 3 {
			var p model.TweetPatch
			if rapid.Bool().Draw(t, "edit content") {
				p.Content = new(text.Draw(t, "new content"))
			}
			if rapid.Bool().Draw(t, "edit summary") {
				p.Summary = new(text.Draw(t, "new summary"))
			}
			if rapid.Bool().Draw(t, "edit tags") {
				p.Tags = new(tags.Draw(t, "new tags"))
			}
			if rapid.Bool().Draw(t, "edit likes") {
				p.AllowLikes = new(rapid.Bool().Draw(t, "allow"))
			}
			after, text, revision, err := tweet.Edit(detail, p, at)
			if err != nil {
				t.Fatal(err)
			}
			if same := cmp.Equal(after, tweet) && text.Equal(detail); same != (revision == nil) {
				t.Fatalf("%+v of %+v changed nothing: %v, but made the revision %+v", p, tweet, same, revision)
			}
			again, _, second, err := after.Edit(text, p, at.Add(time.Second))
			if err != nil || second != nil || !cmp.Equal(again, after) {
				t.Fatalf("%+v of %+v, again: %+v, %v", p, after, second, err)
			}
			tweet, detail = after, text
		}
	})
}

func TestRevisionKey(t *testing.T) {
	t.Parallel()
	for n, key := range map[int]string{1: "000001", 100: "000100", 1234567: "1234567"} {
		if got := model.RevisionKey(n); got != key || model.RevisionNumber(key) != n {
			t.Errorf("RevisionKey(%d) = %s, which is %d", n, got, model.RevisionNumber(got))
		}
	}
	for _, key := range []string{"", "1", "000000", "-00001", "00001x", "0000001"} {
		if got := model.RevisionNumber(key); got != 0 {
			t.Errorf("RevisionNumber(%q) = %d, want 0", key, got)
		}
	}
}

// What functions do after an edit follows from the revision as it would from both versions of the tweet.
func TestVersions(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)
	ids := model.NewTweetIDs(func() time.Time { return at })
	parent := &model.Tweet{ID: ids.Next("bob"), AuthorID: "bob"}
	quoted := ids.Next("cat")
	for what, visibility := range map[string]model.Audience{"public": model.Public, "for followers": model.Followers} {
		before := &model.Tweet{ID: ids.Next("ann"), AuthorID: "ann", ReplyTo: &parent.ID, ReplyToAuthorID: "bob",
			RootID: parent.ID, QuoteOf: quoted, QuoteOfAuthorID: "cat", Visibility: model.Public, CreatedAt: at,
			Tags:      map[string]time.Time{"go": at, "news": at},
			TagLabels: map[string]string{"go": "Go"}, Language: "en",
			Mentions: map[string]time.Time{"dan": at}, MentionNames: map[string]model.UserID{"dan_u": "dan"}}
		before.CreatedAt = before.ID.Time()
		after, _, r, err := before.Edit(model.TweetDetail{Content: "#Go #news @dan_u"}, model.TweetPatch{
			Content: new("#Rust @eve_u こんにちは、元気ですか"), Visibility: &visibility,
			Found: map[string]model.UserID{"eve_u": "eve"}}, at.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		was, is := r.Versions(before.ID)
		causes := func(before, after *model.Tweet) any {
			by, labels := model.TagDiff(before, after)
			type change struct {
				By                   map[string]int64
				Labels               map[string]string
				Mentioned, Former    []model.UserID
				Events               []*model.NotificationEvent
				AudiencePartitions   []model.AudiencePartition
				Searchable, WasFound bool
				Uses                 []model.TrendUse
			}
			c := change{By: by, Labels: labels, Mentioned: after.Mentioned(before), Former: before.Mentioned(after),
				AudiencePartitions: model.AudiencePartitions(before, after), Searchable: after.Searchable(),
				WasFound: before.Searchable(), Uses: model.TrendUses(before.ID, before, after, at)}
			slices.SortFunc(c.Uses, func(a, b model.TrendUse) int {
				return strings.Compare(a.Tag+string(a.Tweet), b.Tag+string(b.Tweet))
			})
			for _, uid := range c.Mentioned {
				c.Events = append(c.Events, model.MentionNotificationEvent(after, uid))
			}
			for _, uid := range c.Former {
				c.Events = append(c.Events, model.MentionNotificationEvent(before, uid))
			}
			return c
		}
		if diff := cmp.Diff(causes(before, after), causes(was, is),
			cmpopts.IgnoreFields(model.NotificationEvent{}, "About")); diff != "" {
			t.Errorf("an edit that makes a tweet %s (-by the tweet +by the revision):\n%s", what, diff)
		}
	}
	if before, after := (&model.Revision{AuthorID: "ann"}).Versions(parent.ID); before != nil || after != nil {
		t.Errorf("a revision without a change has the versions %v and %v", before, after)
	}
}
