package main

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestDeletions deletes a user whose account is gone, and another user on request.
func TestDeletions(t *testing.T) {
	t.Parallel()
	emulator, project := testenv.FirestoreHost(t), testenv.Project(t)
	auth := authEnv + "=" + testenv.AuthHost(t)
	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: emulator})
	testenv.Must(t, err)
	defer db.Close()
	stays := model.UserID(testenv.SignUpIn(t, project, "").UID)
	for _, uid := range []model.UserID{stays, "gone"} {
		_, err := db.Users.CreateUser(t.Context(), uid, model.NewUser{Username: strings.ToLower(string(uid))[:4] + "_u",
			Nickname: "N"})
		testenv.Must(t, err)
	}
	run := func(status int, env string, args ...string) string {
		t.Helper()
		p := hibana(t, []string{env, "GOOGLE_CLOUD_PROJECT=" + project},
			append([]string{"deletions"}, append(args, "--firestore="+emulator)...)...)
		p.ends(status)
		out, _ := p.out.next()
		return out
	}
	run(1, authEnv+"=", "orphans") // every user would be an orphan
	for range 2 {
		if got := run(0, auth, "orphans"); got != "gone\n" {
			t.Errorf("hibana deletions orphans prints %q", got)
		}
	}
	run(1, auth, "orphans", "--apply", "--most=0") // lost accounts start no deletion
	if left, err := db.Users.Profiles(t.Context(), "", 10); err != nil || len(left) != 2 {
		t.Errorf("profiles after a refusal: %q, %v", left, err)
	}
	run(0, auth, "orphans", "--apply")
	if got := run(0, auth, "start", string(stays)); !strings.HasPrefix(got, "/v1/leavings/") {
		t.Errorf("hibana deletions start prints %q", got)
	}
	if left, err := db.Users.Profiles(t.Context(), "", 10); err != nil || len(left) > 0 {
		t.Errorf("profiles are left: %q, %v", left, err)
	}
}
