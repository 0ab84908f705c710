package discovery_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/counters"
)

func TestTags(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uses := map[string]int64{"go": 3, "火花": 2, "a_b": 2, "x-y": 2, "gone": 1, "once": 1}
	labels := map[string]string{"go": "Go"}
	testenv.Must(t, e.Counters.CountTags(t.Context(), counters.IdempotencyRecord{EventID: "1", Function: "f"}, "ann", uses,
		labels))
	e.CoolDown()
	testenv.Must(t, e.Counters.CountTags(t.Context(), counters.IdempotencyRecord{EventID: "2", Function: "f"}, "ann",
		map[string]int64{"gone": -1}, nil))

	testenv.Must(t, storetest.Costs(t, "Tag", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Tags.Tag(ctx, "go")
		if diff := cmp.Diff(&model.Tag{Name: "go", Content: "Go", TweetCount: 3}, got); diff != "" {
			t.Errorf("Tag (-want +got):\n%s", diff)
		}
		return err
	}))
	for _, name := range []string{"gone", "never"} {
		_, err := e.Tags.Tag(t.Context(), name)
		storetest.WantErr(t, err, errs.NotFound, "tag_not_found")
	}
	for limit := 1; limit <= 6; limit++ {
		var got []string
		for from := (model.Cursor{}); ; {
			page, err := e.Tags.List(t.Context(), from, limit)
			testenv.Must(t, err)
			for _, tag := range page.Items {
				got = append(got, fmt.Sprint(tag.TweetCount, " ", tag.Name, " ", tag.Content))
			}
			if from = page.Next; from.IsZero() || len(got) > 5 {
				break
			}
		}
		if want := []string{"3 go Go", "2 火花 火花", "2 x-y x-y", "2 a_b a_b", "1 once once"}; !slices.Equal(got, want) {
			t.Errorf("Tags by %d = %q, want %q", limit, got, want)
		}
	}
	e.Clock.Add(time.Minute) // no earlier result is shared
	testenv.Must(t, storetest.Costs(t, "Tags", 3, 0, 0, func(ctx context.Context) error {
		_,
			err := e.Tags.List(ctx, model.Cursor{}, 3)
		return err
	}))
}

// The list has the tags of one user, and no other user's tags.
func TestTagsOf(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	count := func(uid model.UserID, uses map[string]int64) {
		t.Helper()
		e.CoolDown()
		event := counters.IdempotencyRecord{EventID: fmt.Sprint(e.Clock.Now()), Function: "f"}
		testenv.Must(t, e.Counters.CountTags(t.Context(), event, uid, uses, map[string]string{"go": "Go"}))
	}
	count("ann", map[string]int64{"go": 3, "火花": 2, "a_b": 2, "x-y": 2, "gone": 1, "once": 1})
	count("ann", map[string]int64{"gone": -1, "late": -1})
	count("ann_2", map[string]int64{"go": 5, "other": 1})

	for limit := 1; limit <= 6; limit++ {
		var got []string
		for from := (model.Cursor{}); ; {
			page, err := e.Tags.UsedBy(t.Context(), "ann", from, limit)
			testenv.Must(t, err)
			for _, u := range page.Items {
				got = append(got, fmt.Sprint(u.UserID, " ", u.TweetCount, " ", u.Name, " ", u.Content))
			}
			if from = page.Next; from.IsZero() || len(got) > 5 {
				break
			}
		}
		if want := []string{"ann 3 go Go", "ann 2 火花 火花", "ann 2 x-y x-y", "ann 2 a_b a_b", "ann 1 once once"}; !slices.Equal(
			got, want) {
			t.Errorf("TagsOf by %d = %q, want %q", limit, got, want)
		}
	}
	testenv.Must(t, storetest.Costs(t, "TagsOf", 3, 0, 0, func(ctx context.Context) error {
		_, err := e.Tags.UsedBy(ctx, "ann", model.Cursor{}, 3)
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "TagsOf nobody", 1, 0, 0, func(ctx context.Context) error {
		page, err := e.Tags.UsedBy(ctx, "nobody", model.Cursor{}, 3)
		if len(page.Items) > 0 {
			t.Errorf("nobody uses %v", page.Items)
		}
		return err
	}))
}

// The first page of all tags is read once in 10 minutes, however many callers there are; each caller reads the
// following pages.
func TestListIsShared(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{WriteEvery: time.Second})
	for i := range 3 {
		_, err := e.Raw.Collection(model.Tags).Doc(fmt.Sprint("tag", i)).
			Set(t.Context(), map[string]any{"content": "tag", "tweetCount": 9 - i})
		testenv.Must(t, err)
	}
	first := func(ctx context.Context) error {
		page, err := e.Tags.List(ctx, model.Cursor{}, 2)
		if err == nil && (len(page.Items) != 2 || page.Items[0].Name != "tag0") {
			t.Errorf("the first page is %v", page.Items)
		}
		return err
	}
	testenv.Must(t, storetest.Costs(t, "a first page", 2, 0, 0, first))
	testenv.Must(t, storetest.Costs(t, "the same again", 0, 0, 0, first))
	e.Clock.Add(10 * time.Minute)
	testenv.Must(t, storetest.Costs(t, "the same within 10 minutes", 0, 0, 0, first))
	e.Clock.Add(time.Second)
	testenv.Must(t, storetest.Costs(t, "the same after 10 minutes", 2, 0, 0, first))
}

// A profile shows tags in the user's order and spelling, each once, with the number of the user's tweets.
func TestPinnedTags(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	testenv.Must(t, e.Counters.CountTags(t.Context(), counters.IdempotencyRecord{EventID: "1", Function: "f"}, "ann",
		map[string]int64{"go": 3}, nil))
	want := func(reads int64, want ...string) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Pinned", reads, 0, 0, func(ctx context.Context) error {
			all, err := e.Tags.Pinned(ctx, "ann")
			got := []string{}
			for _, one := range all {
				got = append(got, fmt.Sprint(one.Name, " ", one.Content, " ", one.TweetCount))
			}
			if !slices.Equal(got, want) {
				t.Errorf("the tags are %q, want %q", got, want)
			}
			return err
		}))
	}
	want(1)
	pin := func(tags ...string) error {
		return e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{PinnedTags: &tags})
	}
	testenv.Must(t, pin("#Rust", "Go", "gO"))
	want(3, "rust Rust 0", "go Go 3")
	testenv.Must(t, pin())
	want(1)
	if _, there := e.Doc(t, "users/ann")["pinnedTags"]; there {
		t.Error("a profile without tags has the field")
	}
	storetest.WantErr(t, pin("a b"), errs.Invalid, "invalid_tag")
	storetest.WantErr(t, pin("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"), errs.Invalid, "too_many_pinned_tags")
	_, err := e.Tags.Pinned(t.Context(), "nobody")
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")
}
