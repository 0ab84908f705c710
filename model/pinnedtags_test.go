package model_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/model"
)

// A profile keeps a tag as the user spells it, but not characters without end that the key leaves out.
func TestCleanPinnedTags(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("火", model.MaxTagLength)
	typed := []string{" #Go", "Ｇｏ", full, "a" + strings.Repeat("\u200d", 100_000), "b" + strings.Repeat("\u00ad", 49),
		"C" + strings.Repeat("\u2060", 50)}
	got, err := model.CleanPinnedTags(typed)
	want := []string{"Go", full, "a", "b" + strings.Repeat("\u00ad", 49), "c"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("the pinned tags (%v, -want +got):\n%s", err, diff)
	}
	_, err = model.CleanPinnedTags(strings.Fields("a b c d e f g h i j k"))
	wantInvalid(t, err, "too_many_pinned_tags", "10")
}
