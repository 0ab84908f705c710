package users_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A sign-up waits until an administrator approves it. Meanwhile there is no profile, and the username is reserved.
func TestSignUps(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ask := func(uid model.UserID, name, reason string) error {
		_, err := e.Users.AskToJoin(t.Context(), uid, model.NewUser{Username: name, Email: string(uid) + "@example.com",
			Locked: true}, reason)
		return err
	}
	testenv.Must(t, storetest.Costs(t, "AskToJoin", 5, 2, 0, func(ctx context.Context) error {
		_, err := e.Users.AskToJoin(ctx, "ann", model.NewUser{Username: "ann_u", Introduction: "hi"}, "because")
		return err
	}))
	e.Clock.Add(time.Minute)
	testenv.Must(t, ask("bob", "bob_u", ""))
	e.Clock.Add(time.Minute)
	testenv.Must(t, storetest.Costs(t, "AskToJoin again", 5, 1, 0, func(ctx context.Context) error { // keeps its place
		_, err := e.Users.AskToJoin(ctx, "ann", model.NewUser{Username: "ann_u", Locked: true}, "another reason")
		return err
	}))
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
	testenv.Must(t, storetest.Costs(t, "Approve", 4, 7, 1, func(ctx context.Context) error {
		full, err := e.Moderation.Approve(ctx, administrator, "ann", time.Time{})
		if err == nil {
			u = &full.User
		}
		return err
	}))
	if u.Username != "ann_u" || !u.Locked || e.Doc(t, "signUps/ann") != nil {
		t.Errorf("the profile is %+v", u)
	}
	if again, err := e.Moderation.Approve(t.Context(), administrator, "ann", time.Time{}); err != nil ||
		again.Username != "ann_u" {
		t.Errorf("a second approval is %+v, %v", again, err)
	}
	storetest.WantErr(t, ask("ann", "ann_v", ""), errs.Exists, "user_exists")
	storetest.WantErr(t, ask("cat", "ann_u", ""), errs.Exists, "username_taken")
	_, err = e.Moderation.Approve(t.Context(), administrator, "nobody", time.Time{})
	storetest.WantErr(t, err, errs.NotFound, "sign_up_not_found")

	for range 2 {
		testenv.Must(t, e.Moderation.Refuse(t.Context(), administrator, "bob", "not now"))
	}
	_, err = e.Moderation.Approve(t.Context(), administrator, "bob", time.Time{})
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
	e.WantUsernames(t)
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
			_, err := e.Moderation.Approve(context.WithoutCancel(t.Context()), administrator, "ann", time.Time{})
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

// A user whose sign-up waited makes the profile when no approval is needed any more. The sign-up leaves the list with
// an approval, which writes nothing else.
func TestApprovalNoLongerNeeded(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	_, err := e.Users.AskToJoin(t.Context(), "ann", model.NewUser{Username: "ann_u"}, "")
	testenv.Must(t, err)
	e.CreateUsers(t, "ann")
	e.CoolDown()
	_, err = e.Moderation.Approve(t.Context(), administrator, "ann", time.Time{})
	testenv.Must(t, err)
	if found, err := e.Moderation.SignUps(t.Context(), model.Cursor{}, 10); err != nil || len(found.Items) != 0 {
		t.Errorf("%d sign-ups wait (%v), want none", len(found.Items), err)
	}
	if got := e.IDs(t, model.AdminActions); len(got) != 0 {
		t.Errorf("there are %d entries, want none", len(got))
	}
}

// The username of a sign-up that waits is nobody else's: not of another sign-up, not of a profile, and not of a rename.
// It is free again when the sign-up ends, in each of the ways in which it may end.
func TestSignUpNames(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "zoe")
	name := "wanted"
	ask := func(uid model.UserID, name string) error {
		_, err := e.Users.AskToJoin(t.Context(), uid, model.NewUser{Username: name}, "")
		return err
	}
	taken := func() {
		t.Helper()
		storetest.WantErr(t, ask("bob", name), errs.Exists, "username_taken")
		_, err := e.Users.CreateUser(t.Context(), "bob", model.NewUser{Username: name})
		storetest.WantErr(t, err, errs.Exists, "username_taken")
		storetest.WantErr(t, e.Users.UpdateUser(t.Context(), "zoe", model.UserPatch{Username: &name}), errs.Exists,
			"username_taken")
		_, err = e.Users.UserByUsername(t.Context(), name)
		storetest.WantErr(t, err, errs.NotFound, "username_not_found")
	}
	free := func() {
		t.Helper()
		testenv.Must(t, ask("bob", name))
		testenv.Must(t, e.Users.TakeBack(t.Context(), "bob"))
	}
	for what, end := range map[string]func() error{
		"taken back":   func() error { return e.Users.TakeBack(t.Context(), "ann") },
		"refused":      func() error { return e.Moderation.Refuse(t.Context(), administrator, "ann", "") },
		"another name": func() error { return ask("ann", "other") },
		"profile of another name": func() error {
			_, err := e.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "another", MayWait: true})
			return err
		},
	} {
		t.Log(what)
		testenv.Must(t, ask("ann", name))
		taken()
		testenv.Must(t, end())
		free()
		for _, of := range []string{"users/ann", "usernames/another", "usernames/other", "signUps/ann"} {
			_, err := e.Raw.Doc(of).Delete(t.Context())
			testenv.Must(t, err)
		}
	}

	// A sign-up that has expired holds no name. Its user asks anew, and an approval that comes late finds nothing.
	testenv.Must(t, ask("cat", name))
	e.Clock.Add(model.SignUpWindow - time.Second)
	storetest.WantErr(t, ask("bob", name), errs.Exists, "username_taken")
	e.Clock.Add(time.Second)
	testenv.Must(t, ask("bob", name))
	_, err := e.Moderation.Approve(t.Context(), administrator, "cat", time.Time{})
	storetest.WantErr(t, err, errs.NotFound, "sign_up_not_found")
	storetest.WantErr(t, ask("cat", name), errs.Exists, "username_taken")
	testenv.Must(t, e.Users.TakeBack(t.Context(), "cat")) // bob's reservation stays
	storetest.WantErr(t, ask("cat", name), errs.Exists, "username_taken")
	u, err := e.Moderation.Approve(t.Context(), administrator, "bob", time.Time{})
	if err != nil || u.Username != name {
		t.Errorf("bob is %+v, %v", u, err)
	}
	testenv.Must(t, ask("cat", "cat_u"))
	_, err = e.Users.CreateUser(t.Context(), "cat", model.NewUser{Username: "cat_u", MayWait: true})
	testenv.Must(t, err)
	e.CoolDown()
	e.WantUsernames(t)
	if got := e.IDs(t, model.SignUps); len(got) != 0 {
		t.Errorf("%q wait, want nobody", got)
	}
}

// Of many users who ask for one name at the same moment, one waits with it. A user who asks many times waits once.
func TestSignUpsAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	got := 0
	for _, err := range testenv.AtOnce(6, func(i int) error {
		_, err := e.Users.AskToJoin(t.Context(), model.UserID(fmt.Sprint("u", i/2)), model.NewUser{Username: "wanted"}, "")
		return err
	}) {
		if err == nil {
			got++
		} else {
			storetest.WantErr(t, err, errs.Exists, "username_taken")
		}
	}
	if all := e.IDs(t, model.SignUps); len(all) != 1 || got != 2 {
		t.Errorf("%q wait after %d requests with success, want one with 2", all, got)
	}
}

// An approval and a refusal at the same moment: one of them counts, and the audit log has that one.
func TestDecideAtOnce(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	const n = 8
	for i := range n {
		uid := model.UserID(fmt.Sprint("u", i))
		_, err := e.Users.AskToJoin(t.Context(), uid, model.NewUser{Username: "name_" + string(uid)}, "")
		testenv.Must(t, err)
		decided := testenv.AtOnce(2, func(k int) error {
			if k == 1 {
				return e.Moderation.Refuse(t.Context(), administrator, uid, "")
			}
			_, err := e.Moderation.Approve(t.Context(), administrator, uid, time.Time{})
			return err
		})
		approved, refused := e.Doc(t, "users/"+string(uid)) != nil, e.Doc(t, "signUps/"+string(uid)) != nil
		if approved == refused || approved != (decided[0] == nil) || refused != (decided[1] == nil) {
			t.Errorf("%s is approved: %t, refused: %t; the answers are %v", uid, approved, refused, decided)
		}
	}
	if got := e.IDs(t, model.AdminActions); len(got) != n {
		t.Errorf("there are %d entries, want %d", len(got), n)
	}
	e.WantUsernames(t)
}

// What the user changed since the administrator looked is not approved: also not if the user changes it between the
// reading and the commit of the approval.
func TestApproveChanged(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	ask := func(introduction string) *model.SignUp {
		t.Helper()
		e.Clock.Add(time.Minute)
		is, err := e.Users.AskToJoin(t.Context(), "ann", model.NewUser{Username: "ann_u", Introduction: introduction}, "")
		testenv.Must(t, err)
		return is
	}
	seen := ask("kind")
	ask("unkind")
	_, err := e.Moderation.Approve(t.Context(), administrator, "ann", seen.AskedAt)
	storetest.WantErr(t, err, errs.Conflict, "sign_up_changed")
	_, err = e.Users.Approve(t.Context(), seen)
	storetest.WantErr(t, err, errs.Conflict, "sign_up_changed")
	if e.Doc(t, "users/ann") != nil {
		t.Error("there is a profile")
	}
	_, err = e.Moderation.Approve(t.Context(), administrator, "ann", ask("kind").AskedAt)
	testenv.Must(t, err)
}

// A user who was refused does not come in by an invitation. A user who waits does, and waits no longer.
func TestSignUpAndInvitation(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	code := invite(t, e, 5)
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := e.Users.AskToJoin(t.Context(), uid, model.NewUser{Username: string(uid) + "_u"}, "")
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Moderation.Refuse(t.Context(), administrator, "bob", ""))
	join := func(ctx context.Context, uid model.UserID) error {
		n := invited(string(uid)+"_u", code)
		n.MayWait = true
		_, err := e.Users.CreateUser(ctx, uid, n)
		return err
	}
	storetest.WantErr(t, join(t.Context(), "bob"), errs.Forbidden, "sign_up_refused")
	testenv.Must(t, storetest.Costs(t, "CreateUser of a user who waits", 4, 7, 1, func(ctx context.Context) error {
		return join(ctx, "ann")
	}))
	if e.Doc(t, "signUps/ann") != nil || e.Doc(t, "users/bob") != nil {
		t.Error("ann waits, or bob has a profile")
	}
	if uses := e.Doc(t, "invitations/"+string(code))["uses"]; uses != int64(1) {
		t.Errorf("the invitation has %v uses, want 1", uses)
	}
	e.WantUsernames(t)
}

// At most MaxSignUps wait. Those who wait may change theirs, and one who leaves makes room.
func TestMostSignUps(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	b := e.Raw.BulkWriter(t.Context())
	for i := range model.MaxSignUps - 1 {
		is, err := model.NewSignUp("", model.NewUser{Username: fmt.Sprint("name_", i)}, "", e.Clock.Now())
		testenv.Must(t, err)
		_, err = b.Create(e.Raw.Doc(fmt.Sprint("signUps/u", i)), is)
		testenv.Must(t, err)
	}
	b.End()
	ask := func(uid model.UserID) error {
		_, err := e.Users.AskToJoin(t.Context(), uid, model.NewUser{Username: string(uid) + "_u"}, "")
		return err
	}
	testenv.Must(t, ask("ann"))
	storetest.WantErr(t, ask("bob"), errs.Exhausted, "too_many_sign_ups")
	testenv.Must(t, ask("ann"))
	testenv.Must(t, e.Moderation.Refuse(t.Context(), administrator, "u7", ""))
	testenv.Must(t, ask("bob"))
	storetest.WantErr(t, ask("cat"), errs.Exhausted, "too_many_sign_ups")

	seen, from := map[model.UserID]bool{}, model.Cursor{}
	for pages := 1; ; pages++ {
		found, err := e.Moderation.SignUps(t.Context(), from, 100)
		testenv.Must(t, err)
		for _, is := range found.Items {
			seen[is.UserID] = true
		}
		if from = found.Next; from.IsZero() || pages > 11 {
			break
		}
	}
	if len(seen) != model.MaxSignUps || !seen["ann"] || seen["u7"] {
		t.Errorf("the pages have %d sign-ups, want %d", len(seen), model.MaxSignUps)
	}
	e.Clock.Add(model.SignUpWindow)
	testenv.Must(t, ask("cat"))
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
