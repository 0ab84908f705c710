package users_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestSignUpsForOneUsername(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	failures := testenv.AtOnce(10, func(i int) error {
		_, err := e.Users.CreateUser(t.Context(), model.UserID(fmt.Sprint("uid", i)), model.NewUser{Username: "wanted"})
		return err
	})
	winner := storetest.OnlyWinner(t, failures, errs.Exists, "username_taken")
	for _, collection := range []string{model.Users, model.UserDetails, model.UserSecrets} {
		if got, want := e.IDs(t, collection), []string{fmt.Sprint("uid", winner)}; !slices.Equal(got, want) {
			t.Errorf("%s = %v, want %v", collection, got, want)
		}
	}
	e.WantUsernames(t)
}

func TestSignUpsOfOneUser(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	failures := testenv.AtOnce(10, func(i int) error {
		_, err := e.Users.CreateUser(t.Context(), "uid", model.NewUser{Username: fmt.Sprint("name", i)})
		return err
	})
	winner := storetest.OnlyWinner(t, failures, errs.Exists, "user_exists")
	if got, want := e.IDs(t, model.Usernames), []string{fmt.Sprint("name", winner)}; !slices.Equal(got, want) {
		t.Errorf("usernames = %v, want %v", got, want)
	}
	e.WantUsernames(t)
}

func TestRenamesToOneUsername(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uids := []model.UserID{"u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"}
	e.CreateUsers(t, uids...)
	failures := testenv.AtOnce(len(uids), func(i int) error {
		return e.Users.UpdateUser(t.Context(), uids[i], model.UserPatch{Username: new("wanted")})
	})
	winner := storetest.OnlyWinner(t, failures, errs.Exists, "username_taken")
	if uid, err := e.Users.UserByUsername(t.Context(), "wanted"); err != nil || uid != uids[winner] {
		t.Errorf("UserByUsername = %q, %v, want %q", uid, err, uids[winner])
	}
	e.WantUsernames(t)
}

// Several users rename themselves among a few names, each with several concurrent requests. So a request may be about
// to free a name that another user has by now.
func TestRandomRenames(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	uids := []model.UserID{"ann", "bob", "cat"}
	names := []string{"red", "blue", "green", "black", "white"}
	e.CreateUsers(t, uids...)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	renames := 20
	if testenv.RunsSlow() {
		renames = 60
	}
	var g errgroup.Group
	for i := range 12 {
		g.Go(func() error {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			for range renames {
				name := names[rng.IntN(len(names))]
				err := testenv.Patiently(func() error {
					return e.Users.UpdateUser(t.Context(), uids[i%len(uids)], model.UserPatch{Username: &name})
				})
				if code := errs.CodeOf(err); err != nil && code != "username_taken" && code != "concurrent_rename" {
					return err
				}
			}
			return nil
		})
	}
	testenv.Must(t, g.Wait())
	e.WantUsernames(t)
}

// Any number of users may have the same nickname, but only one user a username.
func TestNicknamesAreShared(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	for _, name := range []string{"ann", "anna"} {
		u, err := e.Users.CreateUser(t.Context(), model.UserID(name), model.NewUser{Username: name, Nickname: "Ann"})
		if err != nil || u.Nickname != "Ann" {
			t.Errorf("%s has the nickname of another user: %v, %v", name, u, err)
		}
	}
	if _, err := e.Users.CreateUser(t.Context(), "third", model.NewUser{Username: "ann", Nickname: "Ann"}); errs.KindOf(
		err) != errs.Exists {
		t.Errorf("a second user has the username ann: %v", err)
	}
}
