package users_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/users"
)

// aiModel adds an AI model.
func aiModel(t *testing.T, e *storetest.Env, label string) {
	t.Helper()
	_, err := e.Moderation.PutAIModel(t.Context(), administrator, label, model.AIModel{})
	testenv.Must(t, err)
}

func TestCreateUser(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ctx := t.Context()
	aiModel(t, e, "m")
	n := model.NewUser{
		Username: "ann", Nickname: "Ann ＬＥＥ", Introduction: strings.Repeat("火", 275) + " **" + strings.Repeat("花", 20) + "**",
		Avatar:  "https://example.com/a.png",
		AIModel: "m", AIPersonality: "calm", BlockStrangers: true, Locked: true, Email: "ann@example.com",
	}
	var made *users.FullUser
	testenv.Must(t, storetest.Costs(t, "CreateUser", 2, 6, 0, func(ctx context.Context) (err error) {
		made, err = e.Users.CreateUser(ctx, "uid_1", n)
		return err
	}))
	want := &users.FullUser{
		User: model.User{
			ID: "uid_1", Username: "ann", Nickname: "Ann ＬＥＥ", NicknameLower: "ann lee", Snippet: strings.Repeat("火", 275) +
				" **花花",
			SnippetTree: `[{"T":"p","C":[{"X":"` + strings.Repeat("火", 275) + ` "},{"T":"strong","X":"花花花花"}]}]`,
			Avatar:      "https://example.com/a.png", AIModel: "m", BlockStrangers: true, Locked: true, CreatedAt: e.Clock.Now(),
		},
		UserDetail: model.UserDetail{Introduction: n.Introduction, AIPersonality: "calm"},
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("CreateUser (-want +got):\n%s", diff)
	}
	testenv.Must(t, storetest.Costs(t, "FullUser", 2, 0, 0, func(ctx context.Context) error {
		got, err := e.Users.FullUser(ctx, "uid_1")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("FullUser (-want +got):\n%s", diff)
		}
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "User", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Users.User(ctx, "uid_1")
		if diff := cmp.Diff(&want.User, got); diff != "" {
			t.Errorf("User (-want +got):\n%s", diff)
		}
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "Email", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Users.Email(ctx, "uid_1", "ann@example.com", e.Clock.Now())
		if got != "ann@example.com" {
			t.Errorf("Email = %q", got)
		}
		return err
	}))
	// The address is the one in the newest token. An older token, which is valid for an hour, changes nothing.
	now := e.Clock.Now()
	for _, step := range []struct {
		token string
		at    time.Time
		want  string
	}{
		{"new@example.com", now.Add(-10 * time.Minute), "new@example.com"},
		{"ann@example.com", now.Add(-30 * time.Minute), "new@example.com"},
		{"ann@example.com", now, "ann@example.com"},
	} {
		if got, err := e.Users.Email(t.Context(), "uid_1", step.token, step.at); got != step.want || err != nil {
			t.Errorf("Email of a token with %s = %q, %v, want %q", step.token, got, err, step.want)
		}
	}
	testenv.Must(t, storetest.Costs(t, "UserByUsername", 1, 0, 0, func(ctx context.Context) error {
		got, err := e.Users.UserByUsername(ctx, "ann")
		if got != "uid_1" {
			t.Errorf("UserByUsername = %q", got)
		}
		return err
	}))

	_, err := e.Users.CreateUser(ctx, "uid_1", model.NewUser{Username: "ann_two"})
	storetest.WantErr(t, err, errs.Exists, "user_exists")
	e.Clock.Add(time.Microsecond) // the same profile at the same time would be the same call
	_, err = e.Users.CreateUser(ctx, "uid_1", n)
	storetest.WantErr(t, err, errs.Exists, "user_exists")
	_, err = e.Users.CreateUser(ctx, "uid_2", n)
	storetest.WantErr(t, err, errs.Exists, "username_taken")
	// The email is where only its owner may read it, and no write was partial.
	for collection, want := range map[string][]string{
		model.Users: {"uid_1"}, model.Usernames: {"ann"}, model.UserDetails: {"uid_1"}, model.UserSecrets: {"uid_1"},
	} {
		if got := e.IDs(t, collection); !slices.Equal(got, want) {
			t.Errorf("%s = %v, want %v", collection, got, want)
		}
	}
	if _, ok := e.Doc(t, "users/uid_1")["email"]; ok {
		t.Error("the profile, which anybody may read, holds the email")
	}
}

func TestUserNotFound(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	_, err := e.Users.User(t.Context(), "nobody")
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")
	_, err = e.Users.FullUser(t.Context(), "nobody")
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")
	_, err = e.Users.UserByUsername(t.Context(), "nobody")
	storetest.WantErr(t, err, errs.NotFound, "username_not_found")
	storetest.WantErr(t, e.Users.UpdateUser(t.Context(), "nobody", model.UserPatch{Nickname: new("x")}), errs.NotFound,
		"user_not_found")
	storetest.WantErr(t, e.Users.UpdateUser(t.Context(), "nobody", model.UserPatch{Username: new("xyz")}), errs.NotFound,
		"user_not_found")
	storetest.WantErr(t, e.Users.UpdateUser(t.Context(), "nobody", model.UserPatch{Introduction: new("x")}), errs.NotFound,
		"user_not_found")
	if email, err := e.Users.Email(t.Context(), "nobody", "nobody@example.com", e.Clock.Now()); email != "" || err != nil {
		t.Errorf("Email of nobody = %q, %v", email, err)
	}
	for _, collection := range []string{model.Users, model.Usernames, model.UserDetails, model.UserSecrets} {
		if got := e.IDs(t, collection); len(got) > 0 {
			t.Errorf("%s = %v, want none", collection, got)
		}
	}
}

func TestUpdateUser(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	aiModel(t, e, "m")
	created, err := e.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann", Nickname: "Ann",
		Email: "ann@example.com"})
	testenv.Must(t, err)
	e.CreateUsers(t, "bob")
	want, long := *created, strings.Repeat("a", model.MaxSnippet)
	tests := []struct {
		name                   string
		patch                  model.UserPatch
		change                 func(*users.FullUser)
		reads, writes, deletes int64
	}{
		{"nickname", model.UserPatch{Nickname: new("ÄNN")}, func(u *users.FullUser) {
			u.Nickname, u.NicknameLower = "ÄNN",
				"änn"
		}, 1, 2, 0},
		{"avatar", model.UserPatch{Avatar: new("https://example.com/b.png")},
			func(u *users.FullUser) { u.Avatar = "https://example.com/b.png" }, 1, 2, 0},
		{"open", model.UserPatch{Locked: new(false)}, func(u *users.FullUser) { u.Locked = false }, 0, 1, 0},
		{"strangers", model.UserPatch{BlockStrangers: new(true)}, func(u *users.FullUser) { u.BlockStrangers = true }, 0, 2,
			0},
		{"model", model.UserPatch{AIModel: new("m")}, func(u *users.FullUser) { u.AIModel = "m" }, 1, 1, 0},
		{"introduction", model.UserPatch{Introduction: new("hello")}, func(u *users.FullUser) {
			u.Introduction,
				u.Snippet = "hello", "hello"
		}, 0, 2, 0},
		{"long introduction", model.UserPatch{Introduction: new("**" + long + "**")}, func(u *users.FullUser) {
			u.Introduction, u.Snippet, u.SnippetTree = "**"+long+"**", "**"+long[2:], `[{"T":"p","C":[{"T":"strong","X":"`+long+
				`"}]}]`
		}, 0, 2, 0},
		{"personality", model.UserPatch{AIPersonality: new("calm")}, func(u *users.FullUser) { u.AIPersonality = "calm" }, 0,
			2, 0},
		{"emptied", model.UserPatch{Introduction: new(""), BlockStrangers: new(false)},
			func(u *users.FullUser) {
				u.Introduction, u.Snippet, u.SnippetTree, u.BlockStrangers = "", "", "", false
			}, 0, 3, 0},
		{"nothing", model.UserPatch{}, func(*users.FullUser) {}, 0, 1, 0},
		{"username", model.UserPatch{Username: new("ann_lee")}, func(u *users.FullUser) { u.Username = "ann_lee" }, 2, 3, 1},
		{"the same avatar", model.UserPatch{Avatar: new("https://example.com/b.png")}, func(*users.FullUser) {}, 1, 1, 0},
		{"the same username", model.UserPatch{Username: new("ann_lee")}, func(*users.FullUser) {}, 1, 1, 0},
		{"everything", model.UserPatch{Username: new("ann"), Nickname: new("Ann"), Introduction: new("hi")},
			func(u *users.FullUser) {
				u.Username, u.Nickname, u.NicknameLower, u.Introduction, u.Snippet = "ann", "Ann", "ann", "hi", "hi"
			}, 2, 4, 1},
	}
	for _, test := range tests {
		e.Clock.Add(time.Second)
		cached, err := e.Users.Users(t.Context(), []model.UserID{"ann"})
		testenv.Must(t, err)
		if diff := cmp.Diff(&want.User, cached["ann"]); diff != "" {
			t.Errorf("before %s: cached (-want +got):\n%s", test.name, diff)
		}
		testenv.Must(t, storetest.Costs(t, test.name, test.reads, test.writes, test.deletes, func(ctx context.Context) error {
			return e.Users.UpdateUser(ctx, "ann", test.patch)
		}))
		test.change(&want)
		want.UpdatedAt = new(e.Clock.Now())
		got, err := e.Users.FullUser(t.Context(), "ann")
		testenv.Must(t, err)
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		// The process that changed a profile sees the change at once.
		cached, err = e.Users.Users(t.Context(), []model.UserID{"ann"})
		testenv.Must(t, err)
		if diff := cmp.Diff(&want.User, cached["ann"]); diff != "" {
			t.Errorf("after %s: cached (-want +got):\n%s", test.name, diff)
		}
		if uid, err := e.Users.UserByUsername(t.Context(), want.Username); err != nil || uid != "ann" {
			t.Errorf("%s: UserByUsername(%q) = %q, %v", test.name, want.Username, uid, err)
		}
	}
	if got, want := e.IDs(t, model.Usernames), []string{"ann", "bob_u"}; !slices.Equal(got, want) {
		t.Errorf("reserved usernames = %v, want %v", got, want)
	}

	before := e.Doc(t, "users/ann")
	err = e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Username: new("bob_u"), Nickname: new("Bob"),
		Introduction: new("I am Bob")})
	storetest.WantErr(t, err, errs.Exists, "username_taken")
	if diff := cmp.Diff(before, e.Doc(t, "users/ann")); diff != "" {
		t.Errorf("a refused change was half written (-want +got):\n%s", diff)
	}
	if got := e.Doc(t, "userDetails/ann")["introduction"]; got != "hi" {
		t.Errorf("a refused change wrote the introduction %q", got)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	ask := []model.UserID{"bob", "nobody", "ann", "bob"}
	testenv.Must(t, storetest.Costs(t, "Users", 3, 0, 0, func(ctx context.Context) error {
		got, err := e.Users.Users(ctx, ask)
		if ids := slices.Sorted(maps.Keys(got)); !slices.Equal(ids, []model.UserID{"ann", "bob"}) || got["ann"].ID != "ann" ||
			got["bob"].Username != "bob_u" {
			t.Errorf("Users = %v", got)
		}
		return err
	}))
	// the user nobody may have signed up since
	testenv.Must(t, storetest.Costs(t, "Users, cached", 1, 0, 0, func(ctx context.Context) error {
		_, err := e.Users.Users(ctx, ask)
		return err
	}))
	testenv.Must(t, storetest.Costs(t, "no users", 0, 0, 0, func(ctx context.Context) error {
		_, err := e.Users.Users(ctx, nil)
		return err
	}))
}
