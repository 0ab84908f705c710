package main

import (
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/searchtest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestSearchRebuild fills an engine with the tweets of a database.
func TestSearchRebuild(t *testing.T) {
	t.Parallel()
	emulator, project := testenv.FirestoreHost(t), testenv.Project(t)
	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: emulator})
	testenv.Must(t, err)
	defer db.Close()
	_, err = db.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann_u", Nickname: "N"})
	testenv.Must(t, err)
	tweet, err := db.Tweets.CreateTweet(t.Context(), "ann", model.Draft{Content: "spark"}, model.Request{})
	testenv.Must(t, err)
	engine := searchtest.New(t)
	env := []string{"GOOGLE_CLOUD_PROJECT=" + project, "SEARCH_URL=" + engine.URL, "SEARCH_INDEX=" + searchtest.Index,
		"SEARCH_LOGIN=" + searchtest.Username + ":" + searchtest.Password}
	p := hibana(t, env, "search", "rebuild", "--firestore="+emulator)
	p.ends(0)
	if out, _ := p.out.next(); out != "2 tweets and documents compared\n" {
		t.Errorf("hibana search rebuild prints %q", out)
	}
	if got := engine.IDs(); len(got) != 1 || got[0] != string(tweet.ID) {
		t.Errorf("the engine has %v", got)
	}
	hibana(t, env[:1], "search", "rebuild", "--firestore="+emulator).ends(1) // there is no engine
	hibana(t, env, "search", "rebuild", "--from=nowhere", "--firestore="+emulator).ends(1)
}
