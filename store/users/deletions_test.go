package users_test

import (
	"context"
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
