package discovery_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/discovery"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// join signs users up, each with username and nickname.
func join(t *testing.T, e *storetest.Env, names map[string]string) {
	t.Helper()
	for username, nickname := range names {
		_, err := e.Users.CreateUser(t.Context(), model.UserID("id_"+username), model.NewUser{Username: username,
			Nickname: nickname})
		testenv.Must(t, err)
	}
}

// people reads all pages of a search, and returns the usernames.
func people(t *testing.T, e *storetest.Env, query string, limit int) (names []string) {
	t.Helper()
	folded, err := discovery.Folded(query)
	testenv.Must(t, err)
	for from, pages := (discovery.PersonPosition{}), 0; ; pages++ {
		found, next, err := e.Search.People(t.Context(), folded, from, limit)
		testenv.Must(t, err)
		for _, u := range found {
			names = append(names, u.Username)
		}
		if from = next; next == (discovery.PersonPosition{}) {
			return names
		}
		if pages > 100 {
			t.Fatalf("People(%q) has no end", query)
		}
	}
}

// A scan of all profiles finds the same people, however long the pages are.
func TestPeople(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	all := map[string]string{
		"ann": "Ann Lee", "anna_b": "ÅNN", "anders": "花火", "bob": "annabel", "bob2": "Ａｎｎ", "carl": "花火大会", "dora": "花",
		"an_x": "@ann",
		"eve":  "Ｅｖｅ", "sam": "Straße", "kay": "İstanbul", "zed": "%_`'", "yan": "an\\",
	}
	join(t, e, all)
	for _, query := range []string{"an", "AN", "ann", " ann ", "@ann", "@AN", "花", "花火", "ｅ", "b", "z", "å", "stra",
		"i\u0307", "%", "%_`", "an\\", "\U0010FFFF", "nobody"} {
		folded := strings.TrimSpace(model.NormalizeNickname(query))
		var byName, byNickname []string
		for username, nickname := range all {
			switch {
			case strings.HasPrefix(username, strings.TrimPrefix(folded, "@")):
				byName = append(byName, username)
			case !strings.HasPrefix(folded, "@") && strings.HasPrefix(model.NormalizeNickname(nickname), folded):
				byNickname = append(byNickname, username)
			}
		}
		slices.Sort(byName)
		slices.SortFunc(byNickname, func(a, b string) int {
			if n := strings.Compare(model.NormalizeNickname(all[a]), model.NormalizeNickname(all[b])); n != 0 {
				return n
			}
			return strings.Compare(a, b)
		})
		want := append(byName, byNickname...)
		for _, limit := range []int{1, 2, 3, 100} {
			if got := people(t, e, query, limit); !slices.Equal(got, want) {
				t.Errorf("People(%q) by %d = %q, want %q", query, limit, got, want)
			}
		}
	}

	cost := func(query string, limit int, reads int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, fmt.Sprintf("People(%q, %d)", query, limit), reads, 0, 0,
			func(ctx context.Context) error {
				_, _, err := e.Search.People(ctx, query, discovery.PersonPosition{}, limit)
				return err
			}))
	}
	cost("an", 2, 2)      // the page is full of usernames
	cost("an", 100, 8)    // 4 by username, and 4 by nickname, of whom 1 is the same user
	cost("nobody", 50, 2) // each list is read
	cost("@nobody", 50, 1)
}

// A user who takes another name, or deletes the account, is found by the present profile.
func TestPeopleFollowProfiles(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	join(t, e, map[string]string{"ann": "Ann", "bob": "Bob"})
	err := e.Users.UpdateUser(t.Context(), "id_ann", model.UserPatch{Username: new("zoe"), Nickname: new("Ｚｏë")})
	testenv.Must(t, err)
	if got := people(t, e, "ann", 10); len(got) > 0 {
		t.Errorf("former name finds %q", got)
	}
	if got := people(t, e, "zoë", 10); !slices.Equal(got, []string{"zoe"}) {
		t.Errorf("new nickname finds %q", got)
	}
	_, err = e.Users.Leave(t.Context(), "id_bob")
	testenv.Must(t, err)
	if got := people(t, e, "bob", 10); len(got) > 0 {
		t.Errorf("the name of a user who left finds %q", got)
	}
}

func TestFolded(t *testing.T) {
	t.Parallel()
	for query, code := range map[string]string{
		"": "empty_query", " \u3000": "empty_query", "@": "empty_query", "＠ ": "empty_query", "\xff": "invalid_text",
		strings.Repeat("あ", model.MaxNickname+1): "too_long",
	} {
		_, err := discovery.Folded(query)
		storetest.WantErr(t, err, errs.Invalid, code)
	}
	if got, err := discovery.Folded(" Ａｎｎ "); got != "ann" || err != nil {
		t.Errorf("Folded = %q, %v", got, err)
	}
}
