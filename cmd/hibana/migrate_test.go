package main

import (
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
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
	run(1, "1 of 1 documents lack the field", "check", "tweet-language")
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
	run(0, "0 of 1 documents lack the field", "check", "tweet-language")
}
