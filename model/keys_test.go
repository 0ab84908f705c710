package model_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/model"
)

// wantDocumentID checks s against
// https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields.
func wantDocumentID(t interface{ Errorf(string, ...any) }, s string) {
	if s == "" || s == "." || s == ".." || len(s) > 1500 || !utf8.ValidString(s) || strings.Contains(s, "/") ||
		len(s) >= 4 && strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__") {
		t.Errorf("%q is no document id", s)
	}
}

// uids draws user ids that are hard to join and to take apart: short ones of what
// separates and escapes, and ones that look escaped already.
func uids() *rapid.Generator[model.UserID] {
	escaped := rapid.SliceOfN(rapid.SampledFrom([]string{"%", "_", "/", "%25", "%5F", "%2F", "25", "5F", "2F", "a"}), 1, 4)
	return rapid.Custom(func(t *rapid.T) model.UserID {
		s := rapid.OneOf(
			rapid.Map(escaped, func(parts []string) string { return strings.Join(parts, "") }),
			rapid.StringOfN(rapid.RuneFrom([]rune("a_%25F/.é")), 1, 8, -1),
			rapid.StringN(1, model.MaxUserID, -1),
		).Filter(func(s string) bool { return parses(strings.ReplaceAll(s, "/", "_")) }).Draw(t, "uid")
		return model.UserID(s)
	})
}

func parses(s string) bool {
	_, err := model.ParseUserID(s)
	return err == nil
}

// A key can be taken apart again, so that no two pairs share one.
func TestPairKeys(t *testing.T) {
	t.Parallel()
	keys := map[string]func(a, b model.UserID) string{"RelationshipKey": model.RelationshipKey, "BlockKey": model.BlockKey}
	rapid.Check(t, func(t *rapid.T) {
		a, b := uids().Draw(t, "a"), uids().Draw(t, "b")
		for name, key := range keys {
			k := key(a, b)
			wantDocumentID(t, k)
			left, right, _ := strings.Cut(k, "_")
			gotA, errA := url.PathUnescape(left)
			gotB, errB := url.PathUnescape(right)
			if errA != nil || errB != nil || gotA != string(a) || gotB != string(b) {
				t.Errorf("%s(%q, %q) = %q, which is that of %q and %q", name, a, b, k, gotA, gotB)
			}
		}
	})
}

// A key begins with an id that can be read back, whatever follows.
func TestKeyUser(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := uids().Draw(t, "a"), uids().Draw(t, "b")
		month := model.MonthKey(a, "2026-11")
		for name, key := range map[string]string{
			"RelationshipKey": model.RelationshipKey(a, b),
			"BlockKey":        model.BlockKey(a, b),
			"ReactionKey":     model.ReactionKey(a, "3f019a5b6c7d8e9f01"),
			"TagUseKey":       model.TagUsageKey(a, "go_lang"),
			"MonthKey":        month,
			"BucketPageKey":   model.BucketPageKey(month, "1"),
			"IdempotencyKey":  model.IdempotencyKey(a, "k_1"),
		} {
			if got := model.KeyUser(key); got != a {
				t.Errorf("KeyUser(%q) = %q, but %s began with %q", key, got, name, a)
			}
		}
	})
}

// The key of a tag usage can be taken apart again, whatever the tag. It is a document id, and
// so is the key of the work document that asks for its roll-up.
func TestTagUsageKey(t *testing.T) {
	t.Parallel()
	tags := rapid.Map(rapid.OneOf(
		rapid.StringOfN(rapid.RuneFrom([]rune("a_-火é")), 1, model.MaxTagLength, -1),
		rapid.StringOfN(rapid.RuneFrom(nil, unicode.L, unicode.M, unicode.N), 1, 9, -1),
		rapid.Just(strings.Repeat("_", model.MaxTagLength-1)+"a"),
	), func(typed string) string {
		tag, _ := model.NormalizeTag(typed) // empty if it is none
		return tag
	}).Filter(func(tag string) bool { return tag != "" })
	longest := rapid.SampledFrom([]model.UserID{
		model.UserID("a" + strings.Repeat("_", model.MaxUserID-1)),
		model.UserID(strings.Repeat("\U0010fffd", model.MaxUserID)),
	})
	rapid.Check(t, func(t *rapid.T) {
		user, tag := rapid.OneOf(uids(), longest).Draw(t, "user"), tags.Draw(t, "tag")
		key := model.TagUsageKey(user, tag)
		wantDocumentID(t, key)
		wantDocumentID(t, model.RollUpKey(model.TagUsages, key))
		if gotUser, gotTag := model.SplitTagUsageKey(key); gotUser != user || gotTag != tag {
			t.Errorf("SplitTagUseKey(%q) = %q, %q, want %q, %q", key, gotUser, gotTag, user, tag)
		}
	})
}

// Shifting a part of one id into the other is what breaks careless keys.
func TestPairKeysAreNotShifted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.SliceOfN(rapid.RuneFrom([]rune("a_%25F/")), 3, 9).Draw(t, "joined")
		seen := map[string]int{}
		for i := 1; i < len(runes)-1; i++ {
			for _, skip := range []int{0, 1} { // with or without the rune at the border
				a, b := model.UserID(runes[:i]), model.UserID(runes[i+skip:])
				n := 2*i + skip
				if before, ok := seen[model.RelationshipKey(a, b)]; ok {
					t.Errorf("cuts %d and %d of %q have one key", before, n, string(runes))
				}
				seen[model.RelationshipKey(a, b)] = n
			}
		}
	})
}

func TestKeysOfOneUser(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := uids().Draw(t, "a"), uids().Draw(t, "b")
		const tweet = model.TweetID("3f019a5b6c7d8e9f01")
		pairs := map[string][2]string{
			"ReactionKey":    {model.ReactionKey(a, tweet), model.ReactionKey(b, tweet)},
			"MonthKey":       {model.MonthKey(a, "2026-11"), model.MonthKey(b, "2026-11")},
			"IdempotencyKey": {model.IdempotencyKey(a, "k_1"), model.IdempotencyKey(b, "k_1")},
		}
		for name, keys := range pairs {
			wantDocumentID(t, keys[0])
			if (keys[0] == keys[1]) != (a == b) {
				t.Errorf("%s of %q and %q: %q, %q", name, a, b, keys[0], keys[1])
			}
		}
	})
}

func TestKeys(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, got, want string }{
		{"RelationshipKey", model.RelationshipKey("ann", "bob"), "ann_bob"},
		{"RelationshipKey", model.RelationshipKey("a_n", "b/%"), "a%5Fn_b%2F%25"},
		{"BlockKey", model.BlockKey("ann", "bob"), "ann_bob"},
		{"ReactionKey", model.ReactionKey("ann", "3f019a5b6c7d8e9f01"), "ann_3f019a5b6c7d8e9f01"},
		{"TagUseKey", model.TagUsageKey("a_n", "go_lang"), "a%5Fn_go%5Flang"},
		{"TagUseKey", model.TagUsageKey("ann", "_"), "ann_%5F"},
		{"MonthKey", model.MonthKey("ann", "2026-11"), "ann_2026-11"},
		{"IdempotencyKey", model.IdempotencyKey("ann", "k_1"), "ann_k_1"},
		{"BucketPageKey", model.BucketPageKey("ann_2026-11", "2"), "ann_2026-11_2"},
		{"SpillKey", model.OverflowKey("tweetMonths", "a%5Fb_2026-11"), "tweetMonths_a%255Fb%5F2026-11"},
		{"RollUpKey", model.RollUpKey("tags", "a_b"), "tags_a%5Fb"},
		{"RollUpKey", model.RollUpKey("tagUses", "a_b%5Fc"), "tagUses_a%5Fb%255Fc"},
		{"EffectKey", model.IdempotencyRecordKey("a_b/c", "CountLike"), "a%5Fb%2Fc_CountLike"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s = %q, want %q", test.name, test.got, test.want)
		}
	}
}
