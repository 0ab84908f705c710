package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/verify"
)

func TestVerifyTable(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := (&verifyCmd{}).print(&out, []verify.Difference{
		{Kind: "users", Document: "users/ann", Field: "followerCount", Have: 2, Want: 3, Repaired: true},
		{Kind: "usernames", Document: "usernames/old", Field: "uid", Have: "ann"},
		{Kind: "tweets", Document: "tweets/1", Field: "author.nickname", Have: "", Want: strings.Repeat("long\n", 20)},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `KIND       DOCUMENT       FIELD            HAVE  WANT                                       REPAIRED
users      users/ann      followerCount    2     3                                          yes
usernames  usernames/old  uid              ann   –                                          
tweets     tweets/1       author.nickname  –     long long long long long long long long …  
3 differences, 1 repaired.
`
	if out.String() != want {
		t.Errorf("table:\n%s\nwant:\n%s", out.String(), want)
	}
}

// TestVerify runs the command as an operator would, against an emulator: first a
// snapshot for later, then a verification against it that repairs.
func TestVerify(t *testing.T) {
	t.Parallel()
	emulator, project := testenv.FirestoreHost(t), testenv.Project(t)
	db, err := store.Open(t.Context(), project, "", store.Options{Emulator: emulator})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann", Nickname: "Ann"}); err != nil {
		t.Fatal(err)
	}
	run := func(status int, args ...string) string {
		t.Helper()
		// The flag goes before the variable, which the client library reads too.
		p := hibana(t, []string{firestoreEnv + "=127.0.0.1:1", "GOOGLE_CLOUD_PROJECT=" + project},
			append([]string{"verify", "--firestore=" + emulator}, args...)...)
		p.ends(status)
		out, _ := p.out.next()
		return out
	}
	if got := run(0); got != "No differences.\n" {
		t.Errorf("verify of a clean database prints %q", got)
	}
	opts, err := meter.ClientOptions(emulator, meter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := firestore.NewClient(t.Context(), project, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Doc("users/ann").Update(t.Context(), []firestore.Update{{Path: "tweetCount", Value: 5}}); err != nil {
		t.Fatal(err)
	}

	snapshot := run(1, "--settle=0", "--json")
	var line struct {
		Kind, Document, Field, Version string
		Have, Want                     int
		Repaired                       bool
	}
	if err := json.Unmarshal([]byte(snapshot), &line); err != nil {
		t.Fatalf("%v in %s", err, snapshot)
	}
	if line.Kind != "users" || line.Document != "users/ann" || line.Field != "tweetCount" || line.Have != 5 ||
		line.Want != 0 || line.Version == "" || line.Repaired {
		t.Errorf("a line of JSON is %s", snapshot)
	}
	file := filepath.Join(t.TempDir(), "earlier.jsonl")
	if err := os.WriteFile(file, []byte(snapshot), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(1, "--user=ann", "--against="+file, "--repair"); !strings.Contains(got, "1 differences, 1 repaired.") {
		t.Errorf("repair prints:\n%s", got)
	}
	if u, err := db.Users.User(t.Context(), "ann"); err != nil || u.TweetCount != 0 {
		t.Errorf("tweetCount = %d after the repair, want 0 (%v)", u.TweetCount, err)
	}
	begun := time.Now()
	run(0, "--user=ann", "--settle=10m")
	if took := time.Since(begun); took > patience {
		t.Errorf("nothing differs, and yet it waited for %v", took)
	}
	if got := run(0, "--part=1", "--settle=0"); got != "No differences.\n" {
		t.Errorf("verify in parts prints %q", got)
	}
	run(0, "--after=zoe", "--settle=0")
	for _, nobody := range []string{"--user=nosuch", "--timeline=nosuch", "--tweet=3f1111111111111111", "--tag=nosuch"} {
		if got := run(2, nobody, "--settle=0"); got != "" {
			t.Errorf("verify %s prints %q", nobody, got)
		}
	}
	run(2, "--part=-1")
	run(2, "--part=1", "--user=ann")
	run(2, "--settle=0", "--repair")
	run(2, "--tweet=nonsense")
}
