package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/model"
)

func TestValidateUsername(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"abc", "a_b", "_ab", "__a", "007", "x_1_y", strings.Repeat("a", model.MaxUsername), "mee",
		"hiba", "modern", "supporter", "h0me", "horne", "vvvvvv", "teams", "badminton", "administer", "user_5", "mee_24"} {
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
		{"adm1n", "reserved_username", []string{`"adm1n"`, `"admin"`}},
		{"_admin_", "reserved_username", []string{"admin"}},
		{"adrnin", "reserved_username", []string{"admin"}},
		{"ad_r_n1n", "reserved_username", []string{"admin"}},
		{"aclmin", "reserved_username", []string{"admin"}},
		{"4drn1ni5tr4t0r", "reserved_username", []string{"administrator"}},
		{"r00t", "reserved_username", []string{"root"}},
		{"rnoderator", "reserved_username", []string{"moderator"}},
		{"vvebrn4ster", "reserved_username", []string{"webmaster"}},
		{"ann_support", "reserved_username", []string{"support"}},
		{"5upp0rt_24", "reserved_username", []string{"support"}},
		{"admin24", "reserved_username", []string{"admin"}},
		{"the_0fficial_ann", "reserved_username", []string{"official"}},
		{"h1bana_team", "reserved_username", []string{"hibana"}},
		{"myhiba_na", "reserved_username", []string{"hibana"}},
	}
	for _, test := range tests {
		wantInvalid(t, model.ValidateUsername(test.in), test.code, test.texts...)
	}
}

func FuzzValidateUsername(f *testing.F) {
	for _, s := range []string{"", "alice", "me", "__a__", "Alice", "火花火花", "\xff\xff\xff", "adrn1n", "h1bana", "c1",
		"a_5upport"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if model.ValidateUsernameForm(s) == nil {
			wantSkeleton(t, s)
		}
		if model.ValidateUsername(s) != nil {
			return
		}
		wantDocumentID(t, s)
		if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || len(s) < 3 || len(s) > 20 ||
			slices.Contains(model.ReservedUsernames, s) {
			t.Errorf("ValidateUsername(%q) = nil", s)
		}
	})
}

// wantSkeleton checks that a skeleton is its own skeleton, and that no character that the
// skeleton puts in the place of another makes a name that passes for a reserved one usable.
func wantSkeleton(t *testing.T, s string) {
	t.Helper()
	sk := model.Skeleton(s)
	if again := model.Skeleton(sk); again != sk {
		t.Errorf("skeleton(%q) = %q, whose skeleton is %q", s, sk, again)
	}
	for _, name := range model.OfficialUsernames {
		if sk == model.Skeleton(name) && model.ValidateUsername(s) == nil {
			t.Errorf("ValidateUsername(%q) = nil, and it looks like %q", s, name)
		}
	}
}

// Every word that is reserved would otherwise pass, or the list has grown stale.
func TestReservedUsernames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, name := range slices.Concat(model.ReservedUsernames, model.OfficialUsernames) {
		if seen[name] {
			t.Errorf("%q is reserved twice", name)
		}
		seen[name] = true
		if len(name) >= model.MinUsername {
			wantInvalid(t, model.ValidateUsername(name), "reserved_username", name)
		}
	}
	if !slices.IsSorted(model.ReservedUsernames) || !slices.IsSorted(model.OfficialUsernames) {
		t.Errorf("the lists are not sorted: %v, %v", model.ReservedUsernames, model.OfficialUsernames)
	}
}

func TestValidateNickname(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"A", "火花 🔥", " a ", strings.Repeat("火", model.MaxNickname), "a\u0301", "\u0301a", // marks
		"👩\u200d🚀", "می\u200cخواهم", // joiners
		"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", // the flag of England
		"❤\ufe0f", "سنة \u0601١٢", "?", "1",
	} {
		if err := model.ValidateNickname(s); err != nil {
			t.Errorf("ValidateNickname(%q) = %v", s, err)
		}
	}
	for _, s := range []string{
		"", " ", "\u3000", "\n", strings.Repeat("火", model.MaxNickname+1),
		"\u200d", "\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u034f", "\ufe0f", "\U000e0067", "\u0301", "\ue000",
		"\u200b",
	} {
		wantInvalid(t, model.ValidateNickname(s), "invalid_nickname", "50")
	}
	for s, name := range map[string]string{
		"a\nb": "U+000A", "a\x00": "U+0000", "a\u0085b": "U+0085", "a\u2028b": "U+2028", "a\u202eb": "U+202E",
		"a\u2066b": "U+2066",
		"\u200fa":  "U+200F", "a\u200bb": "U+200B", "a\u00adb": "U+00AD", "a\ufeff": "U+FEFF", "a\ufff9": "U+FFF9",
		"a\uffff": "U+FFFF",
	} {
		wantInvalid(t, model.ValidateNickname(s), "invalid_nickname", name)
	}
	wantInvalid(t, model.ValidateNickname("a\xff"), "invalid_nickname", "UTF-8")
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
	u := &model.User{ID: "ann", Username: "ann_lee", Nickname: "Ann", Avatar: "https://example.com/a.png",
		Snippet: "hello"}
	if got, want := u.Author(),
		(model.Author{Username: "ann_lee", Nickname: "Ann", Avatar: "https://example.com/a.png"}); got != want {
		t.Errorf("Author() = %+v, want %+v", got, want)
	}
}

// A profile keeps the structure of its introduction where the first characters by themselves show
// something else, and only there. Names in it are text.
func TestIntroduce(t *testing.T) {
	t.Parallel()
	a, here := strings.Repeat("a", model.MaxSnippet), "[here](https://example.com/"+strings.Repeat("b", 200)+")"
	tests := []struct{ introduction, snippet, tree string }{
		{"", "", ""},
		{"Hello **world**, @bob and #go", "Hello **world**, @bob and #go", ""},
		{a + "more", a, ""},
		{"**" + a + "**", "**" + a[2:], `[{"T":"p","C":[{"T":"strong","X":"` + a + `"}]}]`},
		{"**" + a[:100] + "** " + here + " @bob", "**" + a[:100] + "** " + here[:175],
			`[{"T":"p","C":[{"T":"strong","X":"` + a[:100] + `"},{"X":" "},{"T":"a","X":"here","H":"https://example.com/` +
				strings.Repeat("b", 200) + `"},{"X":" @bob"}]}]`},
	}
	for _, test := range tests {
		u := model.User{Snippet: "before", SnippetTree: "before"}
		if u.Introduce(test.introduction); u.Snippet != test.snippet || u.SnippetTree != test.tree {
			t.Errorf("Introduce(%q) makes %q and %s, want %q and %s", test.introduction, u.Snippet, u.SnippetTree, test.snippet,
				test.tree)
		}
	}
}
