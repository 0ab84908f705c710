package model_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/wordcases"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

func TestNormalizeTag(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"go", "go"}, {"Go", "go"}, {"#Go", "go"}, {"＃Ｇｏ", "go"}, {"#＃go", "go"}, {" go ", "go"},
		{"火花", "火花"}, {"ﾋﾊﾞﾅ", "ヒバナ"}, {"か\u3099", "が"}, {"e\u0301te\u0301", "été"}, {"İ\u0301", "í"}, {"STRASSE", "strasse"},
		{"Ω", "ω"}, {"①", "1"}, {"ﬁn", "fin"}, {"go-lang", "go-lang"}, {"a_b", "a_b"}, {"_a_", "_a_"}, {"__a", "__a"},
		{"2026", "2026"},
		{strings.Repeat("火", model.MaxTagLength), strings.Repeat("火", model.MaxTagLength)},
		{strings.Repeat("e\u0301", model.MaxTagLength), strings.Repeat("é", model.MaxTagLength)},
	}
	for _, test := range tests {
		if got, err := model.NormalizeTag(test.in); err != nil || got != test.want {
			t.Errorf("NormalizeTag(%q) = %q, %v, want %q", test.in, got, err, test.want)
		}
	}
	long := strings.Repeat("火", model.MaxTagLength+1)
	for _, in := range []string{"", "#", " ", "＃", long, "㍿" + strings.Repeat("x", model.MaxTagLength-3)} {
		_, err := model.NormalizeTag(in)
		wantInvalid(t, err, "invalid_tag", fmt.Sprint(model.MaxTagLength))
	}
	for _, in := range []string{"a b", "a.b", "a/b", "##a", "🔥", "a#b", "__a__", "____", "a\x00", "\xff", "ﷺ"} {
		_, err := model.NormalizeTag(in)
		wantInvalid(t, err, "invalid_tag", "letters", fmt.Sprintf("%q", in))
	}
}

func FuzzNormalizeTag(f *testing.F) {
	for _, s := range []string{"", "#Go", "＃Ｇｏ", "か\u3099", "İstanbul", "ǅ", "ﷺ", "__a__", "\xff", "K"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tag, err := model.NormalizeTag(s)
		if err != nil {
			wantInvalid(t, err, "invalid_tag")
			return
		}
		wantDocumentID(t, tag)
		if n := utf8.RuneCountInString(tag); n > model.MaxTagLength {
			t.Errorf("NormalizeTag(%q) has %d characters", s, n)
		}
		for _, same := range []string{tag, "#" + tag, "＃" + tag, " " + tag} {
			if again, err := model.NormalizeTag(same); err != nil || again != tag {
				t.Errorf("NormalizeTag(%q) = %q, %v, want %q as for %q", same, again, err, tag, s)
			}
		}
	})
}

func TestTagsOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, content string
		list          []string
		want          map[string]string
	}{
		{"none", "no tags here", nil, map[string]string{}},
		{"words", "#go and #Firestore", nil, map[string]string{"go": "go", "firestore": "Firestore"}},
		{"lines", "#one\n#two\t#three", nil, map[string]string{"one": "one", "two": "two", "three": "three"}},
		{"punctuation", "(#go), “#rust”! #c++ #x.", nil, map[string]string{"go": "go", "rust": "rust", "c": "c", "x": "x"}},
		{"Japanese", "今日は#天気 です。#日本語、#火花！（#猫）", nil, map[string]string{"日本語": "日本語", "火花": "火花", "猫": "猫"}},
		{"full width", "＃Ｇｏ ＃花見", nil, map[string]string{"go": "Ｇｏ", "花見": "花見"}},
		{"long vowels and repetition", "#ラーメン #時々", nil, map[string]string{"ラーメン": "ラーメン", "時々": "時々"}},
		{"combining marks", "#e\u0301te\u0301 #か\u3099", nil, map[string]string{"été": "e\u0301te\u0301", "が": "か\u3099"}},
		{"Devanagari", "#हिन्दी", nil, map[string]string{"हिन्दी": "हिन्दी"}},
		{"in a word", "a#b 1#c 火#花 x_#y", nil, map[string]string{}},
		{"URLs", "https://example.com/#top https://example.com/page#part http://example.com/a/#/b", nil, map[string]string{}},
		{"entities", "it&#39;s &#x27;so&#x27;", nil, map[string]string{}},
		{"digits only", "#1 #2026 #１２ #① #_ #1_2 #2nd", nil, map[string]string{"2nd": "2nd"}},
		{"keycaps", "press #️⃣ or #1️⃣", nil, map[string]string{}},
		{"doubled", "##go ＃＃go #＃go", nil, map[string]string{}},
		{"headings", "# Title\n## Part\n#tag", nil, map[string]string{"tag": "tag"}},
		{"hyphen ends", "#go-lang", nil, map[string]string{"go": "go"}},
		{"once", "#Go #go #GO", nil, map[string]string{"go": "Go"}},
		{"list", "", []string{"#Go", "go-lang", " 火花 "}, map[string]string{"go": "Go", "go-lang": "go-lang", "火花": "火花"}},
		{"list first", "#go #rust", []string{"GO"}, map[string]string{"go": "GO", "rust": "rust"}},
		{"digits in the list", "", []string{"2026"}, map[string]string{"2026": "2026"}},
		{"50 characters", "#" + strings.Repeat("火", 50), nil, map[string]string{strings.Repeat("火", 50): strings.Repeat("火",
			50)}},
	}
	for _, test := range tests {
		got, err := model.TagsOf(test.content, test.list)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestTagsOfLimits(t *testing.T) {
	t.Parallel()
	var content strings.Builder
	var list []string
	for i := range model.MaxTags + 1 {
		fmt.Fprintf(&content, "#tag%d ", i)
		list = append(list, fmt.Sprint("tag", i))
	}
	last := strings.LastIndex(content.String(), "#")
	if got, err := model.TagsOf(content.String()[:last], nil); err != nil || len(got) != model.MaxTags {
		t.Errorf("%d hashtags: %v, %v", model.MaxTags, got, err)
	}
	if got, err := model.TagsOf(content.String()[:last], list[:model.MaxTags]); err != nil || len(got) != model.MaxTags {
		t.Errorf("%d tags, all twice: %v, %v", model.MaxTags, got, err)
	}
	_, err := model.TagsOf(content.String(), nil)
	wantInvalid(t, err, "too_many_tags", "10")
	_, err = model.TagsOf("", list)
	wantInvalid(t, err, "too_many_tags", "10")
	_, err = model.TagsOf("#more", list[:model.MaxTags])
	wantInvalid(t, err, "too_many_tags", "10")
	_, err = model.TagsOf("", []string{strings.Repeat("火", 51)})
	wantInvalid(t, err, "invalid_tag", "51", "50")
	_, err = model.TagsOf("", []string{"two words"})
	wantInvalid(t, err, "invalid_tag", "letters", "two words")
	_, err = model.TagsOf("", []string{"½price"})
	wantInvalid(t, err, "invalid_tag", "½price")
	if got, err := model.TagsOf("#"+strings.Repeat("火", 51)+" #½price #__a__ #go", nil); err != nil || len(got) != 1 ||
		got["go"] == "" {
		t.Errorf("beside hashtags that cannot be tags: %v, %v, want go alone", got, err)
	}
}

func FuzzTagsOf(f *testing.F) {
	for _, s := range []string{"", "#go #火花", "＃Ｇｏ", "a#b&#39;#️⃣", "https://example.com/#top", "#e\u0301", "#ﷺ",
		"\xff#\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		tags, err := model.TagsOf(content, nil)
		if err != nil {
			if code := errs.CodeOf(err); errs.KindOf(err) != errs.Invalid || code != "too_many_tags" {
				t.Errorf("TagsOf(%q): %v (%s)", content, err, code)
			}
			return
		}
		if len(tags) > model.MaxTags {
			t.Errorf("TagsOf(%q) has %d tags", content, len(tags))
		}
		for tag, label := range tags {
			if !strings.Contains(content, "#"+label) && !strings.Contains(content, "＃"+label) {
				t.Errorf("TagsOf(%q): the label %q of %q is not in it", content, label, tag)
			}
			if got, err := model.NormalizeTag(label); err != nil || got != tag {
				t.Errorf("TagsOf(%q): the label %q normalizes to %q, %v, want %q", content, label, got, err, tag)
			}
		}
	})
}

// The tags are those of the shared cases.
func TestTagCases(t *testing.T) {
	t.Parallel()
	for _, c := range wordcases.Read(t).Texts {
		got, err := model.TagsOf(c.Text, nil)
		if tags := slices.Sorted(maps.Keys(got)); err != nil || !slices.Equal(tags, slices.Sorted(slices.Values(c.Tags))) {
			t.Errorf("TagsOf(%q) = %q, %v, want %q", c.Text, tags, err, c.Tags)
		}
	}
}

// A tweet from before case folding has the tags that it had in another form, and hashtags that
// ended at a joiner. It keeps no tag of these beside those of its text, by an edit and by a repair.
func TestFormerTags(t *testing.T) {
	t.Parallel()
	const content = "#Straße #کتاب\u200cها #マリ・アンナ #go"
	tweet, detail := written(t, model.Draft{Content: content})
	former := *tweet
	former.Tags = map[string]time.Time{"straße": at, "کتاب": at, "マリ": at, "go": at, "ελλάς": at}
	former.TagLabels = map[string]string{"straße": "Straße", "ελλάς": "Ελλάς"}
	want := []string{"go", "strasse", "ελλάσ", "マリ・アンナ", "کتابها"}
	slices.Sort(want)
	if got := former.FromText(detail).TagNames(); !slices.Equal(got, want) {
		t.Errorf("repaired, it has the tags %q, want %q", got, want)
	}
	edited, _, _, err := former.Edit(detail, model.TweetPatch{Content: new("no more")}, at.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if got := edited.TagNames(); !slices.Equal(got, []string{"ελλάσ"}) {
		t.Errorf("edited, it has the tags %q", got)
	}
}

func TestTagDiff(t *testing.T) {
	t.Parallel()
	tagged := func(tags ...string) *model.Tweet {
		tweet := &model.Tweet{Tags: map[string]time.Time{}}
		for _, tag := range tags {
			tweet.Tags[tag] = time.Now()
		}
		return tweet
	}
	tests := []struct {
		name           string
		before, after  *model.Tweet
		added, removed []string
	}{
		{"created", nil, tagged("a", "b"), []string{"a", "b"}, nil},
		{"deleted", tagged("a", "b"), nil, nil, []string{"a", "b"}},
		{"edited", tagged("a", "b"), tagged("b", "c"), []string{"c"}, []string{"a"}},
		{"the same, at other times", tagged("a"), tagged("a"), nil, nil},
		{"without tags", tagged(), &model.Tweet{}, nil, nil},
		{"neither", nil, nil, nil, nil},
	}
	for _, test := range tests {
		by, _ := model.TagDiff(test.before, test.after)
		var added, removed []string
		for _, tag := range slices.Sorted(maps.Keys(by)) {
			if by[tag] > 0 {
				added = append(added, tag)
			} else {
				removed = append(removed, tag)
			}
		}
		if !slices.Equal(added, test.added) || !slices.Equal(removed, test.removed) {
			t.Errorf("%s: TagDiff = %v, %v, want %v, %v", test.name, added, removed, test.added, test.removed)
		}
	}
}
