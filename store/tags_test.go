package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestTags(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	uses := map[string]int64{"go": 3, "火花": 2, "a_b": 2, "x-y": 2, "gone": 1, "once": 1}
	labels := map[string]string{"go": "Go"}
	must(t, e.CountTags(t.Context(), store.Effect{EventID: "1", Function: "f"}, uses, labels))
	e.coolDown()
	must(t, e.CountTags(t.Context(), store.Effect{EventID: "2", Function: "f"}, map[string]int64{"gone": -1}, nil))

	must(t, costs(t, "Tag", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Tag(ctx, "go")
		if diff := cmp.Diff(&model.Tag{Name: "go", Content: "Go", TweetCount: 3}, got); diff != "" {
			t.Errorf("Tag (-want +got):\n%s", diff)
		}
		return err
	}))
	for _, name := range []string{"gone", "never"} {
		_, err := e.Tag(t.Context(), name)
		wantErr(t, err, errs.NotFound, "tag_not_found")
	}
	for limit := 1; limit <= 6; limit++ {
		var got []string
		for from := (store.Cursor{}); ; {
			page, err := e.Tags(t.Context(), from, limit)
			must(t, err)
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
	must(t, costs(t, "Tags", 3, 0, 0, func(ctx context.Context) error { _, err := e.Tags(ctx, store.Cursor{}, 3); return err }))
}
