package users_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// invite makes an invitation for a number of people.
func invite(t *testing.T, e *storetest.Env, uses int) model.InvitationCode {
	t.Helper()
	is, err := e.Moderation.Invite(t.Context(), administrator, "", uses, e.Clock.Now().Add(time.Hour))
	testenv.Must(t, err)
	return is.Code
}

// invited is a user who signs up by an invitation.
func invited(name string, code model.InvitationCode) model.NewUser {
	return model.NewUser{Username: name, Invitation: code}
}

// An invitation lets its number of people sign up until it expires or is removed, and knows how many did.
func TestInvitations(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	join := func(uid model.UserID, code model.InvitationCode) error {
		_, err := e.Users.CreateUser(t.Context(), uid, invited(string(uid)+"_u", code))
		return err
	}
	note := strings.Repeat("𝕏", model.MaxInvitationNote)
	made, err := e.Moderation.Invite(t.Context(), administrator, note, 2, e.Clock.Now().Add(time.Hour))
	testenv.Must(t, err)
	testenv.Must(t, storetest.Costs(t, "CreateUser", 2, 7, 0, func(ctx context.Context) error {
		_, err := e.Users.CreateUser(ctx, "ann", invited("ann_u", made.Code))
		return err
	}))
	e.Clock.Add(time.Second) // a repeated request of the same moment succeeds, as its own commit sent again
	storetest.WantErr(t, join("ann", made.Code), errs.Exists, "user_exists")
	testenv.Must(t, join("bob", made.Code))
	storetest.WantErr(t, join("cat", made.Code), errs.Forbidden, "invitation_invalid")
	e.Clock.Add(time.Second)
	storetest.WantErr(t, join("bob", made.Code), errs.Exists, "user_exists") // also with a used-up invitation
	storetest.WantErr(t, join("cat", "AAAABBBBCCCCDDDD"), errs.Forbidden, "invitation_invalid")
	if got := e.Doc(t, "userSecrets/bob")["invitation"]; got != string(made.Code) {
		t.Errorf("bob signed up by %v, want %s", got, made.Code)
	}
	removed, expired := invite(t, e, 5), invite(t, e, 5)
	_, err = e.Users.CreateUser(t.Context(), "dan", invited("ann_u", removed))
	storetest.WantErr(t, err, errs.Exists, "username_taken")
	for range 2 {
		testenv.Must(t, e.Moderation.Uninvite(t.Context(), administrator, removed))
	}
	storetest.WantErr(t, join("cat", removed), errs.Forbidden, "invitation_invalid")
	all, err := e.Moderation.Invitations(t.Context(), model.Cursor{}, 10)
	testenv.Must(t, err)
	for _, i := range all.Items {
		if i.Code == made.Code && (i.Uses != 2 || i.Note != note) || i.Code == expired && i.Uses != 0 || i.Code == removed {
			t.Errorf("the list has %+v", i)
		}
	}
	if len(all.Items) != 2 || len(e.IDs(t, model.AdminActions)) != 4 {
		t.Errorf("there are %d invitations and %d entries, want 2 and 4", len(all.Items), len(e.IDs(t, model.AdminActions)))
	}
	e.Clock.Add(time.Hour)
	storetest.WantErr(t, join("cat", expired), errs.Forbidden, "invitation_invalid")
	for _, bad := range []struct {
		uses int
		life time.Duration
	}{{0, time.Hour}, {model.MaxInvitationUses + 1, time.Hour}, {1, 0}, {1, model.MaxInvitationLife + time.Hour}} {
		_, err := e.Moderation.Invite(t.Context(), administrator, "", bad.uses, e.Clock.Now().Add(bad.life))
		storetest.WantErr(t, err, errs.Invalid, "invalid_invitation")
	}
}

// Many people sign up by an invitation at once, and answers are lost: as many profiles are made as it allows, and no
// use is lost.
func TestInvitationAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	lossy, _ := e.Lossy(t, 0.3)
	const uses, people = 4, 8
	code := invite(t, e, uses)
	failures := make([]error, people)
	var all sync.WaitGroup
	for n := range people {
		all.Go(func() {
			failures[n] = testenv.Patiently(func() error {
				_, err := lossy.Users.CreateUser(t.Context(), model.UserID(fmt.Sprint("u", n)),
					invited(fmt.Sprint("user_", n), code))
				return err
			})
		})
	}
	all.Wait()
	for _, err := range failures {
		if errs.CodeOf(err) != "user_exists" && err != nil {
			storetest.WantErr(t, err, errs.Forbidden, "invitation_invalid")
		}
	}
	if n, used := len(e.IDs(t, model.Users)), e.Doc(t, "invitations/"+string(code))["uses"]; n != uses ||
		used != int64(uses) {
		t.Errorf("%d profiles are there, and %v uses, want %d", n, used, uses)
	}
}
