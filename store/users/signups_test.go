package users_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A sign-up waits until an administrator approves it. Meanwhile there is no profile, and the username is free.
func TestSignUps(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ask := func(uid model.UserID, name, reason string) error {
		_, err := e.Users.AskToJoin(t.Context(), uid, model.NewUser{Username: name, Email: string(uid) + "@example.com",
			Locked: true}, reason)
		return err
	}
	testenv.Must(t, storetest.Costs(t, "AskToJoin", 4, 1, 0, func(ctx context.Context) error {
		_, err := e.Users.AskToJoin(ctx, "ann", model.NewUser{Username: "ann_u", Introduction: "hi"}, "because")
		return err
	}))
	e.Clock.Add(time.Minute)
	testenv.Must(t, ask("bob", "bob_u", ""))
	e.Clock.Add(time.Minute)
	testenv.Must(t, ask("ann", "ann_u", "another reason")) // keeps its place
	storetest.WantErr(t, ask("cat", "cat_u", strings.Repeat("x", model.MaxSignUpReason+1)), errs.Invalid, "too_long")
	_, err := e.Users.AskToJoin(t.Context(), "cat", model.NewUser{Username: "cat_u",
		Introduction: strings.Repeat("x", model.MaxSignUpText+1)}, "")
	storetest.WantErr(t, err, errs.Invalid, "too_long")
	waiting := func() (all []model.UserID) {
		t.Helper()
		found, err := e.Moderation.SignUps(t.Context(), model.Cursor{}, 10)
		testenv.Must(t, err)
		for _, is := range found.Items {
			all = append(all, is.UserID)
		}
		return all
	}
	if got := waiting(); len(got) != 2 || got[0] != "ann" {
		t.Errorf("%q wait, want ann and bob", got)
	}

	var u *model.User
	testenv.Must(t, storetest.Costs(t, "Approve", 2, 7, 1, func(ctx context.Context) error {
		full, err := e.Moderation.Approve(ctx, administrator, "ann")
		if err == nil {
			u = &full.User
		}
		return err
	}))
	if u.Username != "ann_u" || !u.Locked || e.Doc(t, "signUps/ann") != nil {
		t.Errorf("the profile is %+v", u)
	}
	if again, err := e.Moderation.Approve(t.Context(), administrator, "ann"); err != nil || again.Username != "ann_u" {
		t.Errorf("a second approval is %+v, %v", again, err)
	}
	storetest.WantErr(t, ask("ann", "ann_v", ""), errs.Exists, "user_exists")
	storetest.WantErr(t, ask("cat", "ann_u", ""), errs.Exists, "username_taken")
	_, err = e.Moderation.Approve(t.Context(), administrator, "nobody")
	storetest.WantErr(t, err, errs.NotFound, "sign_up_not_found")

	for range 2 {
		testenv.Must(t, e.Moderation.Refuse(t.Context(), administrator, "bob", "not now"))
	}
	_, err = e.Moderation.Approve(t.Context(), administrator, "bob")
	storetest.WantErr(t, err, errs.Conflict, "sign_up_refused")
	storetest.WantErr(t, ask("bob", "bob_u", ""), errs.Forbidden, "sign_up_refused")
	testenv.Must(t, e.Users.TakeBack(t.Context(), "bob"))
	if is, err := e.Users.SignUp(t.Context(), "bob"); err != nil || !is.Refused || is.Answer != "not now" {
		t.Errorf("bob sees %+v, %v", is, err)
	}
	if got := waiting(); len(got) != 0 {
		t.Errorf("%q wait, want nobody", got)
	}
	if got := e.IDs(t, model.AdminActions); len(got) != 2 {
		t.Errorf("there are %d entries, want those of an approval and a refusal", len(got))
	}
	e.Clock.Add(model.SignUpWindow)
	testenv.Must(t, ask("bob", "bob_u", ""))
	testenv.Must(t, e.Users.TakeBack(t.Context(), "bob"))
	if e.Doc(t, "signUps/bob") != nil {
		t.Error("a sign-up that was taken back is there")
	}
}

// Administrators who decide at once, and lost answers, make one profile with one entry.
func TestApproveAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	_, err := e.Users.AskToJoin(t.Context(), "ann", model.NewUser{Username: "ann_u"}, "")
	testenv.Must(t, err)
	done := make(chan error, 4)
	for range cap(done) {
		go func() {
			_, err := e.Moderation.Approve(context.WithoutCancel(t.Context()), administrator, "ann")
			done <- err
		}()
	}
	for range cap(done) {
		testenv.Must(t, <-done)
	}
	if got := e.IDs(t, model.AdminActions); len(got) != 1 {
		t.Errorf("there are %d entries, want 1", len(got))
	}
}

// A user whose sign-up waited makes the profile when no approval is needed any more. The sign-up leaves the list with an
// approval, which writes nothing else.
func TestApprovalNoLongerNeeded(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	_, err := e.Users.AskToJoin(t.Context(), "ann", model.NewUser{Username: "ann_u"}, "")
	testenv.Must(t, err)
	e.CreateUsers(t, "ann")
	e.CoolDown()
	_, err = e.Moderation.Approve(t.Context(), administrator, "ann")
	testenv.Must(t, err)
	if found, err := e.Moderation.SignUps(t.Context(), model.Cursor{}, 10); err != nil || len(found.Items) != 0 {
		t.Errorf("%d sign-ups wait (%v), want none", len(found.Items), err)
	}
	if got := e.IDs(t, model.AdminActions); len(got) != 0 {
		t.Errorf("there are %d entries, want none", len(got))
	}
}

// The longest sign-up is within its bound.
func TestLargestSignUp(t *testing.T) {
	t.Parallel()
	is, err := model.NewSignUp("u", model.NewUser{Username: strings.Repeat("u", model.MaxUsername),
		Nickname: strings.Repeat("𝕏", model.MaxNickname), Introduction: strings.Repeat("𝕏", model.MaxSignUpText),
		AIPersonality: strings.Repeat("𝕏", model.MaxSignUpText), Avatar: strings.Repeat("a", model.MaxAvatar),
		AIModel: strings.Repeat("𝕏", model.MaxAIModel), Email: strings.Repeat("e", model.MaxEmail)},
		strings.Repeat("𝕏", model.MaxSignUpReason), time.Now())
	testenv.Must(t, err)
	size := 4*model.MaxSignUpReason + 500 // the answer, and the names and small fields
	for _, text := range []string{is.Username, is.Nickname, is.Introduction, is.AIPersonality, is.Avatar, is.AIModel,
		is.Email, is.Reason} {
		size += len(text)
	}
	if most := model.Row(model.SignUps).Bound.Bytes; size > most {
		t.Errorf("a sign-up has %d bytes, and its bound is %d", size, most)
	}
}
