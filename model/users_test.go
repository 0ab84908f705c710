package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/model"
)

func TestValidateUsername(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"abc", "a_b", "_ab", "__a", "007", "x_1_y", strings.Repeat("a", model.MaxUsername), "mee"} {
		if err := model.ValidateUsername(s); err != nil {
			t.Errorf("ValidateUsername(%q) = %v", s, err)
		}
	}
	tests := []struct {
		in, code string
		texts    []string
	}{
		{"", "invalid_username", []string{"0", "3", "20"}},
		{"ab", "invalid_username", []string{"2", "3", "20"}},
		{"me", "invalid_username", []string{"3"}},
		{strings.Repeat("a", model.MaxUsername+1), "invalid_username", []string{"21", "20"}},
		{strings.Repeat("火", model.MaxUsername), "invalid_username", []string{"a–z"}},
		{"Alice", "invalid_username", []string{"a–z"}},
		{"a-b", "invalid_username", []string{"a–z"}},
		{"a b", "invalid_username", []string{"a–z"}},
		{"abé", "invalid_username", []string{"a–z"}},
		{"a/b", "invalid_username", []string{"a–z"}},
		{"abc\xff", "invalid_username", []string{"a–z"}},
		{"__a__", "invalid_username", []string{"underscores"}},
		{"____", "invalid_username", []string{"underscores"}},
		{"admin", "reserved_username", []string{"admin"}},
		{"hibana", "reserved_username", []string{"hibana"}},
	}
	for _, test := range tests {
		wantInvalid(t, model.ValidateUsername(test.in), test.code, test.texts...)
	}
}

func FuzzValidateUsername(f *testing.F) {
	for _, s := range []string{"", "alice", "me", "__a__", "Alice", "火花火花", "\xff\xff\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if model.ValidateUsername(s) != nil {
			return
		}
		wantDocumentID(t, s)
		if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || len(s) < 3 || len(s) > 20 || slices.Contains(model.ReservedUsernames, s) {
			t.Errorf("ValidateUsername(%q) = nil", s)
		}
	})
}

// Every word that is reserved would otherwise pass, or the list has grown stale.
func TestReservedUsernames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, name := range model.ReservedUsernames {
		if seen[name] {
			t.Errorf("%q is reserved twice", name)
		}
		seen[name] = true
		if len(name) >= model.MinUsername {
			wantInvalid(t, model.ValidateUsername(name), "reserved_username", name)
		}
	}
	if !slices.IsSorted(model.ReservedUsernames) {
		t.Errorf("ReservedUsernames are not sorted: %v", model.ReservedUsernames)
	}
}

func TestValidateNickname(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"A", "火花 🔥", " a ", strings.Repeat("火", model.MaxNickname)} {
		if err := model.ValidateNickname(s); err != nil {
			t.Errorf("ValidateNickname(%q) = %v", s, err)
		}
	}
	for _, s := range []string{"", " ", "\u3000", "\n", strings.Repeat("火", model.MaxNickname+1)} {
		wantInvalid(t, model.ValidateNickname(s), "invalid_nickname", "50")
	}
	for _, s := range []string{"a\nb", "a\x00", "a\u0085b"} {
		wantInvalid(t, model.ValidateNickname(s), "invalid_nickname", "control")
	}
}

func TestValidateLength(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "火花", "🔥🔥🔥"} {
		if err := model.ValidateLength("avatar", s, 3); err != nil {
			t.Errorf("ValidateLength(%q) = %v", s, err)
		}
	}
	wantInvalid(t, model.ValidateLength("avatar", "火花🔥x", 3), "too_long", "avatar", "4", "3")
}

func TestNormalizeNickname(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"Ann LEE": "ann lee", "Ａｎｎ": "ann", "ﾋﾊﾞﾅ": "ヒバナ", "e\u0301": "é", "": ""} {
		if got := model.NormalizeNickname(in); got != want {
			t.Errorf("NormalizeNickname(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAuthor(t *testing.T) {
	t.Parallel()
	u := &model.User{ID: "ann", Username: "ann_lee", Nickname: "Ann", Avatar: "🔥", Snippet: "hello"}
	if got, want := u.Author(), (model.Author{Username: "ann_lee", Nickname: "Ann", Avatar: "🔥"}); got != want {
		t.Errorf("Author() = %+v, want %+v", got, want)
	}
}
