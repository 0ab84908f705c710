package users_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// From the commit of the account deletion on, the user is unknown and writes nothing.
func TestLeave(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	tweet := e.Tweet(t, "ann", "x")
	liked := e.Tweet(t, "bob", "x").ID
	testenv.Must(t, e.Reactions.Like(t.Context(), "ann", liked)) // the process remembers ann's profile
	var left *model.DeletionWork
	testenv.Must(t, storetest.Costs(t, "Leave", 3, 2, 4, func(ctx context.Context) (err error) {
		left, err = e.Users.Leave(ctx, "ann")
		return err
	}))
	var again *model.DeletionWork
	testenv.Must(t, storetest.Costs(t, "Leave again", 2, 0, 0, func(ctx context.Context) (err error) {
		again, err = e.Users.Leave(ctx, "ann")
		return err
	}))
	if again.Receipt != left.Receipt || len(left.Receipt) < 20 {
		t.Errorf("the receipts are %q and %q", left.Receipt, again.Receipt)
	}
	testenv.Must(t, storetest.Costs(t, "Leaving", 1, 0, 0, func(ctx context.Context) error {
		found, err := e.Users.AccountDeletion(ctx, left.Receipt)
		if err == nil && found.UserID != "ann" {
			t.Errorf("Leaving = %+v", found)
		}
		return err
	}))
	_, err := e.Users.AccountDeletion(t.Context(), "unknown")
	storetest.WantErr(t, err, errs.NotFound, "leaving_not_found")
	_, err = e.Users.Leave(t.Context(), "nobody")
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")

	_, err = e.Users.User(t.Context(), "ann")
	storetest.WantErr(t, err, errs.NotFound, "user_not_found")
	_, err = e.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "x"}, model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "profile_required")
	storetest.WantErr(t, e.Graph.Follow(t.Context(), "ann", "bob"), errs.Forbidden, "profile_required")
	storetest.WantErr(t, e.Reactions.Like(t.Context(), "ann", e.Tweet(t, "bob", "y").ID), errs.Forbidden,
		"profile_required")
	storetest.WantErr(t, e.Graph.Follow(t.Context(), "bob", "ann"), errs.NotFound, "user_not_found")
	storetest.WantErr(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Nickname: new("A")}), errs.NotFound,
		"user_not_found")
	if d := e.Doc(t, "usernames/ann_u"); d["uid"] != "" {
		t.Errorf("the name is %v", d)
	}
	if _, err := e.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{}); err != nil {
		t.Error(err) // the functions remove it
	}

	// Nobody may take the name for 30 days, and then everybody may. It does not matter whether the database has deleted
	// the document.
	name := "ann_u"
	storetest.WantErr(t, e.Users.UpdateUser(t.Context(), "bob", model.UserPatch{Username: &name}), errs.Exists,
		"username_taken")
	e.Clock.Add(model.UsernameHold + time.Second)
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "bob", model.UserPatch{Username: &name}))
	if d := e.Doc(t, "usernames/ann_u"); d["uid"] != "bob" || d["expireAt"] != nil {
		t.Errorf("the name is %v", d)
	}
}

// A concurrent rename and account deletion end with one name that is held back.
func TestLeaveAndRename(t *testing.T) {
	t.Parallel()
	tries := 4
	if testenv.RunsSlow() {
		tries = 10
	}
	for range tries {
		e := storetest.Open(t, store.Options{})
		e.CreateUsers(t, "ann")
		name := "another"
		testenv.AtOnce(2, func(i int) error {
			if i == 0 {
				return e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{Username: &name})
			}
			_, err := e.Users.Leave(t.Context(), "ann")
			testenv.Must(t, err)
			return nil
		})
		names := e.IDs(t, model.Usernames)
		if len(names) != 1 || e.Doc(t, "usernames/"+names[0])["uid"] != "" || e.Doc(t, "users/ann") != nil {
			t.Errorf("the names are %q", names)
		}
	}
}

// Only an account without a profile and without an account deletion is abandoned, once, and makes no profile then.
func TestAbandon(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob")
	left, err := e.Users.Leave(t.Context(), "bob")
	testenv.Must(t, err)
	abandon := func(want int, reads, writes int64, most int) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, "Abandon", reads, writes, 0, func(ctx context.Context) error {
			n, err := e.Users.Abandon(ctx, []model.UserID{"ann", "bob", "cat", "dan"}, most)
			if n != want {
				t.Errorf("%d account deletions began, want %d", n, want)
			}
			return err
		}))
	}
	abandon(1, 1+2+2, 1, 1)     // cat
	abandon(1, 1+2+2+2, 1, 100) // dan
	abandon(0, 1+2+2+2, 0, 100)
	for _, uid := range []model.UserID{"cat", "dan"} {
		if d := e.Doc(t, "leavings/"+string(uid)); d["userId"] != string(uid) || d["done"] != false || d["receipt"] == "" {
			t.Errorf("the account deletion of %s is %v", uid, d)
		}
		_, err := e.Users.CreateUser(t.Context(), uid, model.NewUser{Username: string(uid) + "_new"})
		storetest.WantErr(t, err, errs.Conflict, "leaving")
	}
	if d := e.Doc(t, "leavings/bob"); d["receipt"] != left.Receipt {
		t.Errorf("the account deletion of bob is %v, want the one that bob began", d)
	}
	if _, err := e.Users.User(t.Context(), "ann"); err != nil {
		t.Errorf("ann, who has a profile: %v", err)
	}
}

// A sign-up at the moment at which the account is abandoned either makes a profile or is refused.
func TestSignUpDuringAbandon(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	other := e.Again(t, store.Options{})
	const pairs = 4 // the emulator takes a second for each, until one of the two gives way
	for i := range pairs {
		uid := model.UserID(fmt.Sprintf("uid_%02d", i))
		for _, err := range testenv.AtOnce(2, func(n int) error {
			if n == 1 {
				_, err := other.Users.Abandon(t.Context(), []model.UserID{uid}, 1)
				return err
			}
			_, err := e.Users.CreateUser(t.Context(), uid, model.NewUser{Username: string(uid)})
			if errs.CodeOf(err) == "leaving" {
				return nil
			}
			return err
		}) {
			testenv.Must(t, err)
		}
	}
	profiles, deletions := e.IDs(t, model.Users), e.IDs(t, model.AccountDeletions)
	for _, uid := range profiles {
		if slices.Contains(deletions, uid) {
			t.Errorf("%s has a profile and an account deletion", uid)
		}
	}
	if n := len(profiles) + len(deletions); n != pairs {
		t.Errorf("%d profiles and %d account deletions, want %d together", len(profiles), len(deletions), pairs)
	}
}
