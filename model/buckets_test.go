package model_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/model"
)

func TestPreview(t *testing.T) {
	t.Parallel()
	parent, edited := model.TweetID("3f019a5b6c7d8e9f01"), at.Add(time.Hour)
	tweet := &model.Tweet{
		ID: "3f019a5b6c7d8e9f02", AuthorID: "ann", Summary: "s", Snippet: "text", Length: 4, ReplyTo: &parent, RootID: parent,
		Tags: map[string]time.Time{"b": at, "a": at, "火": at}, AllowLikes: true, AllowReplies: true, IsViolative: true,
		Revision: 2, LikeCount: 7, UpdatedAt: &edited,
	}
	want := model.TweetPreview{
		Summary: "s", Snippet: "text", Length: 4, ReplyTo: &parent, RootID: parent, Tags: []string{"a", "b", "火"},
		AllowLikes: true, AllowReplies: true, IsViolative: true, Revision: 2, UpdatedAt: &edited,
	}
	if diff := cmp.Diff(want, tweet.Preview()); diff != "" {
		t.Errorf("Card (-want +got):\n%s", diff)
	}
	if got := (&model.Tweet{}).Preview().Tags; got == nil || len(got) != 0 {
		t.Errorf("Card().Tags = %#v, want an empty list, which Firestore keeps as one", got)
	}
}

// A preview has a bound, so it may have less of a description than its tweet. It says so then.
func TestPreviewOfDescriptions(t *testing.T) {
	t.Parallel()
	media := func(alts ...string) (all []model.TweetMedia) {
		for _, alt := range alts {
			all = append(all, model.TweetMedia{Alt: alt})
		}
		return all
	}
	few := &model.Tweet{Snippet: "text", Media: media("one", "", "two")}
	for i, m := range few.Preview().Media {
		if m.AltCut || m.Alt != few.Media[i].Alt {
			t.Errorf("with few texts, the preview has %+v", m)
		}
	}
	full := &model.Tweet{Snippet: strings.Repeat("s", model.MaxPreviewText-10),
		Media: media("a long description", "", "two")}
	got := full.Preview().Media
	if len(got[0].Alt) != 3 || !got[0].AltCut || got[1].AltCut || got[2].Alt != "two" || got[2].AltCut {
		t.Errorf("with much text, the preview has %+v", got)
	}
	if full.Media[0].AltCut {
		t.Error("the preview changes its tweet")
	}
}

// Every field matters, also one that is added later.
func TestPreviewEqual(t *testing.T) {
	t.Parallel()
	var zero model.TweetPreview
	for i := range reflect.TypeFor[model.TweetPreview]().NumField() {
		field := reflect.TypeFor[model.TweetPreview]().Field(i)
		a, b := somePreview(t, field.Name), somePreview(t, field.Name)
		if !a.Equal(b) || !b.Equal(a) {
			t.Errorf("%s: equal values at different places are unequal: %+v, %+v", field.Name, a, b)
		}
		if a.Equal(zero) || zero.Equal(a) {
			t.Errorf("%s does not matter", field.Name)
		}
	}
	here, there := at, at.In(time.FixedZone("JST", 9*60*60))
	if !(model.TweetPreview{UpdatedAt: &here}).Equal(model.TweetPreview{UpdatedAt: &there}) {
		t.Error("one moment in two time zones is unequal")
	}
	if !(model.TweetPreview{Tags: []string{}}).Equal(zero) {
		t.Error("an empty list of tags differs from none")
	}
}

// somePreview is a preview with one field set.
func somePreview(t *testing.T, name string) (c model.TweetPreview) {
	t.Helper()
	set := func(v reflect.Value) {
		switch v.Interface().(type) {
		case string, model.TweetID, model.Audience, model.Policy:
			v.SetString("3f019a5b6c7d8e9f01")
		case int:
			v.SetInt(7)
		case bool:
			v.SetBool(true)
		case []string:
			v.Set(reflect.ValueOf([]string{"a"}))
		case []model.TweetMedia:
			v.Set(reflect.ValueOf([]model.TweetMedia{{ID: "a"}}))
		case time.Time:
			v.Set(reflect.ValueOf(at))
		default:
			t.Fatalf("a field of the type %s: say here how to set it", v.Type())
		}
	}
	v := reflect.ValueOf(&c).Elem().FieldByName(name)
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	set(v)
	return c
}

// A bucket expires once its last moment is outside the window.
func TestTimelineExpiry(t *testing.T) {
	t.Parallel()
	if got, want := model.TimelineExpiry("2026-12"), date(2027, 1, 31); !got.Equal(want) {
		t.Errorf("TimelineExpiry = %v, want %v", got, want)
	}
}

func TestNewest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Map(rapid.StringMatching(`[0-9a-f]{2}0{14}[0-9a-f]{2}`),
			func(s string) model.TweetID { return model.TweetID(s) })).Draw(t, "ids")
		limit := rapid.IntRange(0, 12).Draw(t, "limit")
		tweets := map[model.TweetID]bool{}
		for _, id := range ids {
			tweets[id] = true
		}
		got := model.Newest(tweets, limit)
		if want := len(tweets); limit > 0 && len(got) != min(limit, want) || limit == 0 && len(got) != want {
			t.Fatalf("Newest(%d ids, %d) has %d", want, limit, len(got))
		}
		if !slices.IsSortedFunc(got, func(a, b model.TweetID) int { return b.Compare(a) }) {
			t.Errorf("Newest = %v, not newest first", got)
		}
		for _, id := range got {
			delete(tweets, id)
		}
		for left := range tweets { // none twice, and none of those left out is newer
			if len(got) > 0 && left.Compare(got[len(got)-1]) > 0 {
				t.Errorf("Newest = %v leaves out %v", got, left)
			}
		}
	})
}
