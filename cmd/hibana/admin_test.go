package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// The command gives roles and takes them back, by uid and by address, and the audit log has
// each of that.
func TestAdmin(t *testing.T) {
	t.Parallel()
	project, auth, firestore := testenv.Project(t), testenv.AuthHost(t), testenv.FirestoreHost(t)
	ann, bob := testenv.SignUpIn(t, project, ""), testenv.SignUpIn(t, project, "")
	run := func(want int, args ...string) string {
		t.Helper()
		p := hibana(t, []string{firestoreEnv + "=" + firestore, authEnv + "=" + auth},
			append([]string{"admin", "--project=" + project}, args...)...)
		p.ends(want)
		return p.out.String() + p.errout.String()
	}
	wantText(t, run(0, "list"), "No account has a role")
	wantText(t, run(0, "grant", ann.UID, "--by=root", "--reason=first"), ann.UID+" is now administrator")
	wantText(t, run(0, "grant", bob.Email, "--role=moderator"), bob.UID+" is now moderator")
	wantText(t, run(0, "grant", ann.Email, "--role=moderator"), ann.UID)
	var rows []struct {
		UID, Email string
		Roles      []string
	}
	if err := json.Unmarshal([]byte(run(0, "list", "--json")), &rows); err != nil || len(rows) != 2 {
		t.Fatalf("list = %+v, %v", rows, err)
	}
	for _, r := range rows {
		want := map[string]string{ann.UID: ann.Email + " administrator moderator", bob.UID: bob.Email + " moderator"}[r.UID]
		if got := r.Email + " " + strings.Join(r.Roles, " "); got != want {
			t.Errorf("%s is listed as %q, want %q", r.UID, got, want)
		}
	}
	wantText(t, run(0, "revoke", ann.UID), ann.UID+" is no longer administrator")
	wantText(t, run(0, "list"), "UID", "ROLES", "moderator")
	if got := run(0, "list"); strings.Contains(got, "administrator") {
		t.Errorf("after the last administrator went: %s", got)
	}
	wantText(t, run(1, "grant", "nobody"), "there is no account nobody")
	wantText(t, run(1, "grant", "nobody@example.com"), "there is no account")
	wantText(t, run(1, "grant", "a/b"), "not a user id")
	wantText(t, run(1, "grant", ann.UID, "--reason="+strings.Repeat("x", model.MaxReason+1)), "1000")
	wantText(t, run(80, "grant", ann.UID, "--role=emperor"), "administrator")
	wantText(t, run(1, "list", "--auth=127.0.0.1:1"), "no Auth emulator answers")

	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: firestore})
	testenv.Must(t, err)
	defer db.Close()
	page, err := db.Moderation.Actions(t.Context(), moderation.ActionFilter{}, model.Cursor{}, 10)
	testenv.Must(t, err)
	var got []string
	for _, a := range page.Items {
		got = append(got, strings.Join([]string{string(a.By), string(a.Role), string(a.Act), string(a.UserID),
			a.After["role"], a.Reason}, " "))
	}
	want := []string{
		"hibana command revoke_role " + ann.UID + " administrator ",
		"hibana command grant_role " + ann.UID + " moderator ",
		"hibana command grant_role " + bob.UID + " moderator ",
		"root command grant_role " + ann.UID + " administrator first",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("audit log:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A role that is given or taken undoes nothing: neither a freeze of the same moment, nor that
// another role was taken.
func TestAdminUndoesNothing(t *testing.T) {
	t.Parallel()
	project, auth, firestore := testenv.Project(t), testenv.AuthHost(t), testenv.FirestoreHost(t)
	ann := testenv.SignUpIn(t, project, "")
	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: firestore})
	testenv.Must(t, err)
	defer db.Close()
	run := func(args ...string) {
		t.Helper()
		hibana(t, []string{firestoreEnv + "=" + firestore, authEnv + "=" + auth},
			append([]string{"admin", "--project=" + project}, args...)...).ends(0)
	}
	uid, by := model.UserID(ann.UID), moderation.Actor{UID: "root", Role: model.RoleCommand, Reason: "spam"}
	is := func(admin, moderator, frozen bool) {
		t.Helper()
		account, err := accounts.New(project).Account(t.Context(), uid)
		testenv.Must(t, err)
		if account.Admin != admin || account.Moderator != moderator || account.Frozen != frozen {
			t.Errorf("account = %+v, want administrator %v, moderator %v, frozen %v", account, admin, moderator, frozen)
		}
	}
	revoked := func() { // and Firebase Auth has what was read before
		t.Helper()
		testenv.Must(t, db.Moderation.Log(t.Context(), by, model.Action{Act: model.ActRevoke, UserID: uid,
			After: map[string]string{"role": "moderator"}}))
	}
	run("grant", ann.UID)
	run("grant", ann.UID, "--role=moderator")
	is(true, true, false)
	revoked()
	run("grant", ann.UID)
	is(true, false, false)
	run("grant", ann.UID, "--role=moderator") // the last word
	run("grant", ann.UID)
	is(true, true, false)
	revoked()
	_, err = db.Moderation.SetAccountStatus(t.Context(), by, uid, model.ActFreeze)
	testenv.Must(t, err)
	run("grant", ann.UID)
	is(true, false, true)
	_, err = db.Moderation.SetAccountStatus(t.Context(), by, uid, model.ActUnfreeze)
	testenv.Must(t, err)
	run("revoke", ann.UID)
	is(false, false, false)
}
