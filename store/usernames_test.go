package store_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestSignUpsForOneUsername(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	failures := atOnce(10, func(i int) error {
		_, err := e.CreateUser(t.Context(), model.UserID(fmt.Sprint("uid", i)), store.NewUser{Username: "wanted"})
		return err
	})
	winner := onlyWinner(t, failures, errs.Exists, "username_taken")
	for _, collection := range []string{model.Users, model.UserDetails, model.UserSecrets, model.Homes} {
		if got, want := e.ids(t, collection), []string{fmt.Sprint("uid", winner)}; !slices.Equal(got, want) {
			t.Errorf("%s = %v, want %v", collection, got, want)
		}
	}
	wantConsistentUsernames(t, e)
}

func TestSignUpsOfOneUser(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	failures := atOnce(10, func(i int) error {
		_, err := e.CreateUser(t.Context(), "uid", store.NewUser{Username: fmt.Sprint("name", i)})
		return err
	})
	winner := onlyWinner(t, failures, errs.Exists, "user_exists")
	if got, want := e.ids(t, model.Usernames), []string{fmt.Sprint("name", winner)}; !slices.Equal(got, want) {
		t.Errorf("usernames = %v, want %v", got, want)
	}
	wantConsistentUsernames(t, e)
}

func TestRenamesToOneUsername(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	uids := []model.UserID{"u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"}
	e.users(t, uids...)
	failures := atOnce(len(uids), func(i int) error {
		return e.UpdateUser(t.Context(), uids[i], store.UserPatch{Username: to("wanted")})
	})
	winner := onlyWinner(t, failures, errs.Exists, "username_taken")
	if uid, err := e.UserByUsername(t.Context(), "wanted"); err != nil || uid != uids[winner] {
		t.Errorf("UserByUsername = %q, %v, want %q", uid, err, uids[winner])
	}
	wantConsistentUsernames(t, e)
}

// Several people rename themselves within a handful of names, each with several
// requests at once: one may be about to give up a name that is somebody else's by now.
func TestRandomRenames(t *testing.T) {
	t.Parallel()
	e := open(t, store.Options{})
	uids := []model.UserID{"ann", "bob", "cat"}
	names := []string{"red", "blue", "green", "black", "white"}
	e.users(t, uids...)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var g errgroup.Group
	for i := range 12 {
		g.Go(func() error {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			for range 60 {
				name := names[rng.IntN(len(names))]
				err := e.UpdateUser(t.Context(), uids[i%len(uids)], store.UserPatch{Username: &name})
				if code := errs.CodeOf(err); err != nil && code != "username_taken" && code != "concurrent_rename" {
					return err
				}
			}
			return nil
		})
	}
	must(t, g.Wait())
	wantConsistentUsernames(t, e)
}

// onlyWinner checks that all failed but one, and how, and returns which one.
func onlyWinner(t *testing.T, failures []error, kind errs.Kind, code string) int {
	t.Helper()
	winner := -1
	for i, err := range failures {
		switch {
		case err != nil:
			wantErr(t, err, kind, code)
		case winner >= 0:
			t.Errorf("%d and %d both succeeded", winner, i)
		default:
			winner = i
		}
	}
	if winner < 0 {
		t.Fatal("none succeeded")
	}
	return winner
}

// wantConsistentUsernames checks that exactly those names are reserved that
// profiles have, each by its profile.
func wantConsistentUsernames(t *testing.T, e *env) {
	t.Helper()
	want, got := map[string]string{}, map[string]string{}
	for _, uid := range e.ids(t, model.Users) {
		want[e.doc(t, "users/"+uid)["username"].(string)] = uid
	}
	for _, name := range e.ids(t, model.Usernames) {
		got[name] = e.doc(t, "usernames/"+name)["uid"].(string)
	}
	if !maps.Equal(got, want) {
		t.Errorf("reserved usernames = %v, but the profiles have %v", got, want)
	}
}
