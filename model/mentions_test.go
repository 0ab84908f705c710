package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/model"
)

func names(t *testing.T, d model.Draft) []string {
	t.Helper()
	clean, err := d.Clean()
	if err != nil {
		t.Fatal(err)
	}
	return clean.Names()
}

func newNames(t *testing.T, tweet *model.Tweet, is model.TweetDetail, p model.TweetPatch) []string {
	t.Helper()
	draft, err := tweet.Patched(is, p)
	if err != nil {
		t.Fatal(err)
	}
	return tweet.NewNames(is, draft)
}

func TestMentions(t *testing.T) {
	t.Parallel()
	found := map[string]model.UserID{"bob": "uid_b", "cat": "uid_c"}
	tweet, detail := written(t, model.Draft{Content: "@Bob and @nobody `@cat`", Found: found})
	if diff := cmp.Diff(map[string]time.Time{"uid_b": at}, tweet.Mentions); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]model.UserID{"bob": "uid_b"}, tweet.MentionNames); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if want := `[{"T":"p","C":[{"T":"mention","X":"@Bob","U":"uid_b"},{"X":" and @nobody "},{"T":"code","X":"@cat"}]}]`; tweet.SnippetTree != want {
		t.Errorf("the snippet is %s, want %s", tweet.SnippetTree, want)
	}
	// Bob has another name by the time of the edit, and somebody else has his. Only new names
	// are looked up.
	later := at.Add(time.Hour)
	p := model.TweetPatch{Content: new("@bob @cat @robert"), Found: map[string]model.UserID{"bob": "uid_x", "cat": "uid_c",
		"robert": "uid_b"}}
	if got := newNames(t, tweet, detail, p); !slices.Equal(got, []string{"cat", "robert"}) {
		t.Errorf("new names = %q", got)
	}
	after, text, _, err := tweet.Edit(detail, p, later)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]time.Time{"uid_b": at, "uid_c": later}, after.Mentions); diff != "" {
		t.Errorf("mentions of the edited tweet (-want +got):\n%s", diff)
	}
	if got := after.Mentioned(tweet); !slices.Equal(got, []model.UserID{"uid_c"}) {
		t.Errorf("%q hear of the edit, want uid_c alone", got)
	}
	if n := model.MentionNotificationEvent(after, "uid_c"); !n.At.Equal(later) ||
		n.ID != model.MentionNotificationEvent(&model.Tweet{ID: after.ID, CreatedAt: at}, "uid_c").ID {
		t.Errorf("the notice is %+v", n)
	}
	if again, _, revision, err := after.Edit(text, model.TweetPatch{Summary: new("s")},
		later.Add(time.Hour)); err != nil || revision == nil || !cmp.Equal(again.Mentions, after.Mentions) ||
		!cmp.Equal(again.MentionNames, after.MentionNames) {
		t.Errorf("an edit of the summary: %v, %v, %v", again.Mentions, again.MentionNames, err)
	}
	if nobody, _, _, err := after.Edit(text, model.TweetPatch{Content: new("x")}, later); err != nil ||
		nobody.Mentions != nil || nobody.MentionNames != nil || nobody.SnippetTree != "" {
		t.Errorf("without a name: %v, %v, %s, %v", nobody.Mentions, nobody.MentionNames, nobody.SnippetTree, err)
	}
	if got := (&model.Tweet{AuthorID: "a", ReplyToAuthorID: "b", Mentions: map[string]time.Time{"a": at, "b": at,
		"c": at}}).Mentioned(nil); !slices.Equal(got, []model.UserID{"b", "c"}) {
		t.Errorf("a reply mentions %q, want b and c", got)
	}
	parent := model.TweetID("3f019a5b6c7d8e9f02")
	reply := &model.Tweet{ID: after.ID, AuthorID: "a", ReplyTo: &parent, ReplyToAuthorID: "b",
		Mentions: map[string]time.Time{"b": at, "c": at}}
	for _, of := range []struct {
		uid   model.UserID
		off   []model.NotificationKind
		wants bool
	}{
		{"b", nil, false}, {"b", []model.NotificationKind{model.NotificationReply}, true},
		{"b", []model.NotificationKind{model.NotificationReply, model.NotificationMention}, false},
		{"c", nil, true}, {"c", []model.NotificationKind{model.NotificationReply}, true},
		{"c", []model.NotificationKind{model.NotificationMention}, false},
	} {
		n := model.MentionNotificationEvent(reply, of.uid)
		choice := model.NotificationChoice{Off: of.off}
		if n.BesideReply() != (of.uid == "b") || choice.Wants(n) != of.wants {
			t.Errorf("%s, who wants no %q, is told of the mention %v, want %v", of.uid, of.off, choice.Wants(n), of.wants)
		}
	}
}

// The first names count, and the others are text.
func TestManyMentions(t *testing.T) {
	t.Parallel()
	var content strings.Builder
	found := map[string]model.UserID{}
	for i := range model.MaxMentions + 1 {
		fmt.Fprintf(&content, "@user_%02d @user_%02d ", i, i)
		found[fmt.Sprintf("user_%02d", i)] = model.UserID(fmt.Sprint("uid", i))
	}
	d := model.Draft{Content: content.String(), Found: found}
	if got := names(t, d); len(got) != model.MaxMentions || got[9] != "user_09" {
		t.Errorf("names = %q", got)
	}
	tweet, _ := written(t, d)
	if len(tweet.Mentions) != model.MaxMentions || tweet.MentionNames["user_10"] != "" {
		t.Errorf("the tweet mentions %v", tweet.MentionNames)
	}
}

// What no user can be called is text. It takes no place among the names that count.
func TestNoNames(t *testing.T) {
	t.Parallel()
	found := map[string]model.UserID{"bob": "uid_b", "____": "uid_x", "__ab__": "uid_y"}
	tweet, detail := written(t, model.Draft{Content: "x"})
	for content, want := range map[string][]string{"@____": nil, "@__ab__は x": nil, "@__Init__, @bob and @__bob": {"bob",
		"__bob"}, "@______ @a_1 @__a__": {"a_1"}} {
		d := model.Draft{Content: content, Found: found}
		if got := names(t, d); !slices.Equal(got, want) {
			t.Errorf("%q has the names %q, want %q", content, got, want)
		}
		if got := newNames(t, tweet, detail, model.TweetPatch{Content: &content}); !slices.Equal(got, want) {
			t.Errorf("an edit to %q has the new names %q, want %q", content, got, want)
		}
		if got, _ := written(t, d); len(got.Mentions) != min(1, len(got.MentionNames)) || got.MentionNames["____"] != "" ||
			got.MentionNames["__ab__"] != "" {
			t.Errorf("%q mentions %v", content, got.MentionNames)
		}
	}
	var content strings.Builder
	for i := range model.MaxMentions {
		fmt.Fprintf(&content, "@__%d__ ", i)
	}
	if got := names(t, model.Draft{Content: content.String() + "@bob"}); !slices.Equal(got, []string{"bob"}) {
		t.Errorf("after names that nobody can have the names are %q, want bob", got)
	}
}

// Whom an edit mentions newly does not see what a tweet was for fewer people.
func TestMentionedLater(t *testing.T) {
	t.Parallel()
	found := map[string]model.UserID{"bob": "uid_b", "cat": "uid_c"}
	for audience, hidden := range map[model.Audience]int{model.Public: 0, model.Unlisted: 0, model.Followers: 2,
		model.Mentioned: 2} {
		tweet, detail := written(t, model.Draft{Content: "@bob", Found: found, Visibility: audience})
		for i, content := range []string{"@bob!", "@bob @cat", "@cat"} {
			after, text, _, err := tweet.Edit(detail, model.TweetPatch{Content: &content, Found: found}, at.Add(time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			if want := []int{0, hidden, hidden}[i]; after.HiddenRevisions != want {
				t.Errorf("%s, edit %d: %d hidden revisions, want %d", audience, i+1, after.HiddenRevisions, want)
			}
			for uid, want := range map[model.UserID]bool{"uid_b": i < 2, "uid_c": i > 0, "uid_x": false} {
				if want = want || audience == model.Public || audience == model.Unlisted; model.Visible(model.Viewer{ID: uid,
					Role: model.Member}, after, model.ViewerRelationship{}) != want {
					t.Errorf("%s, edit %d: %s sees the tweet: %v", audience, i+1, uid, !want)
				}
			}
			tweet, detail = after, text
		}
	}
}
