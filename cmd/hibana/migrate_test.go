package main

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// TestMigrate finds a tweet from before there were languages, migrates it, and finds none.
func TestMigrate(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{})
	emulator := testenv.FirestoreHost(t)
	_, err := s.Store.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann_u"})
	testenv.Must(t, err)
	tweet, err := s.Store.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "花火がきれい"}, model.Request{})
	testenv.Must(t, err)
	_, err = testenv.Client(t, s.Project).Doc("tweets/"+string(tweet.Tweet.ID)).
		Update(t.Context(), []firestore.Update{{Path: "language", Value: firestore.Delete}})
	testenv.Must(t, err)
	run := func(status int, want string, args ...string) {
		t.Helper()
		p := hibana(t, []string{"GOOGLE_CLOUD_PROJECT=" + s.Project},
			append([]string{"migrate"}, append(args, "--firestore="+emulator)...)...)
		p.ends(status)
		wantText(t, p.out.String()+p.errout.String(), want)
	}
	run(0, "not started")
	run(1, "1 of 1 documents need the change", "check", "tweet-language")
	run(1, `no migration is named "nonsense"`, "check", "nonsense")
	run(1, "1 to 400 documents a second", "start", "tweet-language", "--rate=0")
	run(0, "tweet-language starts, at 100 documents a second", "start", "tweet-language")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if work, _, err := s.Store.Migrations.Status(t.Context(), "tweet-language"); err != nil || time.Now().
			After(deadline) {
			t.Fatalf("the migration is %+v, %v", work, err)
		} else if work.Done {
			break
		}
	}
	run(0, "done")
	run(0, "0 of 1 documents need the change", "check", "tweet-language")
}

// TestMigrateLayout plans the steps from version 0.1.0, runs them, and deletes what that version left. It goes back
// then, by force alone.
func TestMigrateLayout(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{})
	emulator, raw := testenv.FirestoreHost(t), testenv.Client(t, s.Project)
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := s.Store.Users.CreateUser(t.Context(), uid, model.NewUser{Username: string(uid) + "_u"})
		testenv.Must(t, err)
	}
	stacktest.Idle(t, s)
	storetest.Former(t, raw)
	run := func(status int, want string, args ...string) {
		t.Helper()
		p := hibana(t, []string{"GOOGLE_CLOUD_PROJECT=" + s.Project},
			append([]string{"migrate"}, append(args, "--firestore="+emulator)...)...)
		p.ends(status)
		wantText(t, p.out.String()+p.errout.String(), want)
	}
	_, err := raw.Doc(model.RollUps+"/polls_a").Set(t.Context(), model.RollUpWork{Collection: model.Polls, ID: "a"})
	testenv.Must(t, err)
	run(1, "1 documents of work are in rollups", "quiet")
	_, err = raw.Doc(model.RollUps + "/polls_a").Delete(t.Context())
	testenv.Must(t, err)
	stacktest.Idle(t, s)
	run(0, "no work left", "quiet")

	run(0, "builds the newest posts and shares of each user", "plan")
	run(1, "heads: 2 of 2 documents need the change", "check")
	run(1, "viewers is not started", "start", "--delete-former")
	run(1, "leave the name out", "start", "heads", "--again")
	run(1, "back-heads is a step of hibana migrate back", "start", "back-heads")
	run(1, "former-timelines is a step of hibana migrate start --delete-former", "start", "former-timelines")
	run(0, "viewers runs, at most at 400", "start", "--rate=400")
	stacktest.Idle(t, s) // each step is the event of the next
	run(0, "heads: 0 of 2 documents need the change", "check")
	run(0, "All steps are done", "start")
	run(0, "former-timelines runs", "start", "--delete-former")
	stacktest.Idle(t, s)
	run(0, "All steps are done", "start", "--delete-former")
	_, err = raw.Doc(model.Migrations + "/heads").Delete(t.Context())
	testenv.Must(t, err)
	run(1, "heads is not started", "start", "--delete-former", "--again")
	run(1, "former-timelines was started", "back")
	run(0, "hibana verify --repair of version 0.1.0", "back", "--force")
	run(1, "heads: 2 of 2 documents need the change", "check")
	run(0, "viewers runs", "start")
}
