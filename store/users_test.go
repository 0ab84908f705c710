package store_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestCreateUser(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	ctx := t.Context()
	n := store.NewUser{
		Username: "ann", Nickname: "Ann ＬＥＥ", Introduction: strings.Repeat("火", 300), Avatar: "🔥",
		AIModel: "m", AIPersonality: "calm", BlockStrangers: true, Email: "ann@example.com",
	}
	var made *store.FullUser
	must(t, costs(t, "CreateUser", 0, 5, 0, func(ctx context.Context) (err error) {
		made, err = e.CreateUser(ctx, "uid_1", n)
		return err
	}))
	want := &store.FullUser{
		User: model.User{
			ID: "uid_1", Username: "ann", Nickname: "Ann ＬＥＥ", NicknameLower: "ann lee", Snippet: strings.Repeat("火", model.MaxSnippet),
			Avatar: "🔥", AIModel: "m", BlockStrangers: true, TagsUsed: map[string]int64{}, CreatedAt: e.clock.now(),
		},
		UserDetail: model.UserDetail{Introduction: n.Introduction, AIPersonality: "calm"},
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("CreateUser (-want +got):\n%s", diff)
	}
	must(t, costs(t, "FullUser", 2, 0, 0, func(ctx context.Context) error {
		got, err := e.FullUser(ctx, "uid_1")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("FullUser (-want +got):\n%s", diff)
		}
		return err
	}))
	must(t, costs(t, "User", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.User(ctx, "uid_1")
		if diff := cmp.Diff(&want.User, got); diff != "" {
			t.Errorf("User (-want +got):\n%s", diff)
		}
		return err
	}))
	must(t, costs(t, "Email", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Email(ctx, "uid_1")
		if got != "ann@example.com" {
			t.Errorf("Email = %q", got)
		}
		return err
	}))
	must(t, costs(t, "UserByUsername", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.UserByUsername(ctx, "ann")
		if got != "uid_1" {
			t.Errorf("UserByUsername = %q", got)
		}
		return err
	}))

	_, err := e.CreateUser(ctx, "uid_1", store.NewUser{Username: "ann_two"})
	wantErr(t, err, errs.Exists, "user_exists")
	_, err = e.CreateUser(ctx, "uid_1", n)
	wantErr(t, err, errs.Exists, "user_exists")
	_, err = e.CreateUser(ctx, "uid_2", n)
	wantErr(t, err, errs.Exists, "username_taken")
	// The email stands where only its owner may read it, and nothing was half written.
	for collection, want := range map[string][]string{
		model.Users: {"uid_1"}, model.Usernames: {"ann"}, model.UserDetails: {"uid_1"}, model.UserSecrets: {"uid_1"}, model.Homes: {"uid_1"},
	} {
		if got := e.ids(t, collection); !slices.Equal(got, want) {
			t.Errorf("%s = %v, want %v", collection, got, want)
		}
	}
	if _, ok := e.doc(t, "users/uid_1")["email"]; ok {
		t.Error("the profile, which anybody may read, holds the email")
	}
}

func TestUserNotFound(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	_, err := e.User(t.Context(), "nobody")
	wantErr(t, err, errs.NotFound, "user_not_found")
	_, err = e.FullUser(t.Context(), "nobody")
	wantErr(t, err, errs.NotFound, "user_not_found")
	_, err = e.UserByUsername(t.Context(), "nobody")
	wantErr(t, err, errs.NotFound, "username_not_found")
	wantErr(t, e.UpdateUser(t.Context(), "nobody", store.UserPatch{Nickname: to("x")}), errs.NotFound, "user_not_found")
	wantErr(t, e.UpdateUser(t.Context(), "nobody", store.UserPatch{Username: to("xyz")}), errs.NotFound, "user_not_found")
	wantErr(t, e.UpdateUser(t.Context(), "nobody", store.UserPatch{Introduction: to("x")}), errs.NotFound, "user_not_found")
	if email, err := e.Email(t.Context(), "nobody"); email != "" || err != nil {
		t.Errorf("Email of nobody = %q, %v", email, err)
	}
	for _, collection := range []string{model.Users, model.Usernames, model.UserDetails, model.UserSecrets} {
		if got := e.ids(t, collection); len(got) > 0 {
			t.Errorf("%s = %v, want none", collection, got)
		}
	}
}

func TestUpdateUser(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	created, err := e.CreateUser(t.Context(), "ann", store.NewUser{Username: "ann", Nickname: "Ann", Email: "ann@example.com"})
	must(t, err)
	e.users(t, "bob")
	want := *created
	tests := []struct {
		name                   string
		patch                  store.UserPatch
		change                 func(*store.FullUser)
		reads, writes, deletes int64
	}{
		{"nickname", store.UserPatch{Nickname: to("ÄNN")}, func(u *store.FullUser) { u.Nickname, u.NicknameLower = "ÄNN", "änn" }, 0, 1, 0},
		{"avatar", store.UserPatch{Avatar: to("🔥")}, func(u *store.FullUser) { u.Avatar = "🔥" }, 0, 1, 0},
		{"strangers", store.UserPatch{BlockStrangers: to(true)}, func(u *store.FullUser) { u.BlockStrangers = true }, 0, 1, 0},
		{"model", store.UserPatch{AIModel: to("m")}, func(u *store.FullUser) { u.AIModel = "m" }, 0, 1, 0},
		{"introduction", store.UserPatch{Introduction: to("hello")}, func(u *store.FullUser) { u.Introduction, u.Snippet = "hello", "hello" }, 0, 2, 0},
		{"personality", store.UserPatch{AIPersonality: to("calm")}, func(u *store.FullUser) { u.AIPersonality = "calm" }, 0, 2, 0},
		{"emptied", store.UserPatch{Introduction: to(""), BlockStrangers: to(false)},
			func(u *store.FullUser) { u.Introduction, u.Snippet, u.BlockStrangers = "", "", false }, 0, 2, 0},
		{"nothing", store.UserPatch{}, func(*store.FullUser) {}, 0, 1, 0},
		{"username", store.UserPatch{Username: to("ann_lee")}, func(u *store.FullUser) { u.Username = "ann_lee" }, 2, 2, 1},
		{"the same username", store.UserPatch{Username: to("ann_lee")}, func(*store.FullUser) {}, 1, 1, 0},
		{"everything", store.UserPatch{Username: to("ann"), Nickname: to("Ann"), Introduction: to("hi")},
			func(u *store.FullUser) {
				u.Username, u.Nickname, u.NicknameLower, u.Introduction, u.Snippet = "ann", "Ann", "ann", "hi", "hi"
			}, 2, 3, 1},
	}
	for _, test := range tests {
		e.clock.add(time.Second)
		cached, err := e.Users(t.Context(), []model.UserID{"ann"})
		must(t, err)
		if diff := cmp.Diff(&want.User, cached["ann"]); diff != "" {
			t.Errorf("before %s: cached (-want +got):\n%s", test.name, diff)
		}
		must(t, costs(t, test.name, test.reads, test.writes, test.deletes, func(ctx context.Context) error {
			return e.UpdateUser(ctx, "ann", test.patch)
		}))
		test.change(&want)
		want.UpdatedAt = to(e.clock.now())
		got, err := e.FullUser(t.Context(), "ann")
		must(t, err)
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		// The process that changed a profile sees the change at once.
		cached, err = e.Users(t.Context(), []model.UserID{"ann"})
		must(t, err)
		if diff := cmp.Diff(&want.User, cached["ann"]); diff != "" {
			t.Errorf("after %s: cached (-want +got):\n%s", test.name, diff)
		}
		if uid, err := e.UserByUsername(t.Context(), want.Username); err != nil || uid != "ann" {
			t.Errorf("%s: UserByUsername(%q) = %q, %v", test.name, want.Username, uid, err)
		}
	}
	if got, want := e.ids(t, model.Usernames), []string{"ann", "bob_u"}; !slices.Equal(got, want) {
		t.Errorf("reserved usernames = %v, want %v", got, want)
	}

	before := e.doc(t, "users/ann")
	err = e.UpdateUser(t.Context(), "ann", store.UserPatch{Username: to("bob_u"), Nickname: to("Bob"), Introduction: to("I am Bob")})
	wantErr(t, err, errs.Exists, "username_taken")
	if diff := cmp.Diff(before, e.doc(t, "users/ann")); diff != "" {
		t.Errorf("a refused change was half written (-want +got):\n%s", diff)
	}
	if got := e.doc(t, "userDetails/ann")["introduction"]; got != "hi" {
		t.Errorf("a refused change wrote the introduction %q", got)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	e.users(t, "ann", "bob")
	ask := []model.UserID{"bob", "nobody", "ann", "bob"}
	must(t, costs(t, "Users", 3, 0, 0, func(ctx context.Context) error {
		got, err := e.Users(ctx, ask)
		if ids := slices.Sorted(maps.Keys(got)); !slices.Equal(ids, []model.UserID{"ann", "bob"}) || got["ann"].ID != "ann" || got["bob"].Username != "bob_u" {
			t.Errorf("Users = %v", got)
		}
		return err
	}))
	must(t, costs(t, "Users, cached", 1, 0, 0, func(ctx context.Context) error { // nobody may have signed up
		_, err := e.Users(ctx, ask)
		return err
	}))
	must(t, costs(t, "no users", 0, 0, 0, func(ctx context.Context) error {
		_, err := e.Users(ctx, nil)
		return err
	}))
}
