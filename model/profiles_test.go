package model_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/model"
)

func TestNewUserClean(t *testing.T) {
	t.Parallel()
	in := model.NewUser{
		Username: "ann", Nickname: "Rene\u0301", Introduction: "cafe\u0301", Avatar: "https://example.com/a.png?x=1#y",
		AIModel: "e\u0301", AIPersonality: "u\u0308", BlockStrangers: true, Locked: true, Email: "ann@example.com",
	}
	got, err := in.Clean()
	if err != nil {
		t.Fatal(err)
	}
	want := in
	want.Nickname, want.Introduction, want.AIModel, want.AIPersonality = "René", "café", "é", "ü"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Clean() (-want +got):\n%s", diff)
	}
	if got, err := (model.NewUser{Username: "ann"}).Clean(); err != nil || got.Nickname != "ann" {
		t.Errorf("Clean() without a nickname = %+v, %v", got, err)
	}
}

// Every limit of a profile is checked here, for every caller: at the limit a text passes, in a
// form that is longer before NFC too.
func TestUserPatchClean(t *testing.T) {
	t.Parallel()
	texts := []struct {
		field  string
		limit  int
		patch  func(s string) model.UserPatch
		code   string
		change func(p model.UserPatch) string
	}{
		{"nickname", model.MaxNickname, func(s string) model.UserPatch { return model.UserPatch{Nickname: &s} },
			"invalid_nickname", func(p model.UserPatch) string { return *p.Nickname }},
		{"introduction", model.MaxIntroduction, func(s string) model.UserPatch { return model.UserPatch{Introduction: &s} },
			"too_long", func(p model.UserPatch) string { return *p.Introduction }},
		{"aiModel", model.MaxAIModel, func(s string) model.UserPatch { return model.UserPatch{AIModel: &s} }, "too_long",
			func(p model.UserPatch) string { return *p.AIModel }},
		{"aiPersonality", model.MaxAIPersonality, func(s string) model.UserPatch {
			return model.UserPatch{AIPersonality: &s}
		}, "too_long", func(p model.UserPatch) string { return *p.AIPersonality }},
	}
	for _, test := range texts {
		got, err := test.patch(strings.Repeat("e\u0301", test.limit)).Clean()
		if err != nil || test.change(got) != strings.Repeat("é", test.limit) {
			t.Errorf("%s of %d characters in NFC: %v", test.field, test.limit, err)
		}
		_, err = test.patch(strings.Repeat("é", test.limit+1)).Clean()
		wantInvalid(t, err, test.code, test.field)
		_, err = test.patch(strings.Repeat("\u0958", test.limit)).Clean() // two characters each in NFC
		wantInvalid(t, err, test.code, test.field)
		_, err = test.patch("a\xff").Clean()
		if wantInvalid(t, err, map[string]string{"too_long": "invalid_text",
			"invalid_nickname": "invalid_nickname"}[test.code], test.field); err == nil {
			t.Errorf("%s that is not UTF-8 passed", test.field)
		}
	}
	_, err := model.UserPatch{Username: new("adm1n")}.Clean()
	wantInvalid(t, err, "reserved_username", "admin")
	if got, err := (model.UserPatch{}).Clean(); err != nil || got != (model.UserPatch{}) {
		t.Errorf("Clean() of nothing = %+v, %v", got, err)
	}
}

func TestAvatars(t *testing.T) {
	t.Parallel()
	long := "https://" + strings.Repeat("a", model.MaxAvatar-len("https://"))
	for _, s := range []string{"", "https://example.com/a.png", "https://example.com:8443/a?b=c&d=%E7%81%AB#e",
		"https://[2001:db8::1]/a", long} {
		if got, err := (model.UserPatch{Avatar: &s}).Clean(); err != nil || *got.Avatar != s {
			t.Errorf("avatar %q: %v", s, err)
		}
	}
	for _, s := range []string{
		"🔥", "a.png", "/a.png", "//example.com/a.png", "http://example.com/a.png", "HTTP://example.com",
		"ftp://example.com/a", "https:example.com",
		"https://", "https:///a.png", "https://:443/", "https://ann@example.com/", "https://ann:secret@example.com/",
		"https://@example.com/",
		"https://exämple.com/", "https://example.com/ä", "https://example.com/a b", "https://example.com/\n",
		"https://example.com/\"onload=", "https://example.com/%zz",
		"javascript:alert(1)", "data:image/png;base64,AA", " https://example.com/", "https://example.com/\\x",
		"https://example.com/<x>",
	} {
		_, err := (model.UserPatch{Avatar: &s}).Clean()
		wantInvalid(t, err, "invalid_avatar", "https")
	}
	_, err := (model.UserPatch{Avatar: new(long + "a")}).Clean()
	wantInvalid(t, err, "too_long", "avatar", "2049", "2048")
}

// What passes keeps its limits, is in NFC, and stays what it is when it is cleaned again.
func FuzzUserPatch(f *testing.F) {
	f.Add("Ann", "hello", "https://example.com/a.png", "m")
	f.Add("e\u0301", "\u0958", "https://ann@example.com", "\xff")
	f.Add("\u202eann", "", "", "")
	f.Fuzz(func(t *testing.T, nickname, introduction, avatar, aiModel string) {
		p, err := model.UserPatch{Nickname: &nickname, Introduction: &introduction, Avatar: &avatar,
			AIModel: &aiModel}.Clean()
		if err != nil {
			return
		}
		for _, text := range []struct {
			s     string
			limit int
		}{{*p.Nickname, model.MaxNickname}, {*p.Introduction, model.MaxIntroduction}, {*p.Avatar, model.MaxAvatar},
			{*p.AIModel, model.MaxAIModel}} {
			if !utf8.ValidString(text.s) || !norm.NFC.IsNormalString(text.s) || utf8.RuneCountInString(text.s) > text.limit {
				t.Errorf("%q passed", text.s)
			}
		}
		if strings.ContainsFunc(*p.Nickname, func(r rune) bool {
			return unicode.In(r, unicode.Cc, unicode.Bidi_Control,
				unicode.Zl, unicode.Zp)
		}) {
			t.Errorf("nickname %q passed", *p.Nickname)
		}
		if *p.Avatar != "" && !strings.HasPrefix(strings.ToLower(*p.Avatar), "https://") {
			t.Errorf("avatar %q passed", *p.Avatar)
		}
		again, err := p.Clean()
		if err != nil || *again.Nickname != *p.Nickname || *again.Introduction != *p.Introduction {
			t.Errorf("Clean twice: %v", err)
		}
	})
}
