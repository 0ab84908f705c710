package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/store/verify"
)

// administered is an API with its functions, and what hibana needs to be its administrator.
type administered struct {
	*stack.Stack
	url, token string
}

func administer(t *testing.T) *administered {
	t.Helper()
	s := stacktest.Run(t, stack.Options{})
	testenv.AuthHost(t)
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	testenv.Must(t, err)
	served := httptest.NewServer(api.New(api.Options{Stores: wiring.API(s.Store),
		Accounts: accounts.New(emulators.DefaultProject), Options: server.Options{Verifier: verifier,
			Log:          gcplog.New(io.Discard, slog.LevelInfo),
			PageTokenKey: []byte("a key of thirty-two bytes or more")}}))
	t.Cleanup(served.Close)
	chief := testenv.SignUp(t, "").UID
	testenv.AccountUpdate(t, map[string]any{"localId": chief, "validSince": "1"})
	token := testenv.Token(emulators.DefaultProject, map[string]any{"sub": chief, "admin": true})
	return &administered{s, served.URL, token}
}

// seed runs hibana seed against the API.
func (a *administered) seed(t *testing.T, args ...string) *process {
	t.Helper()
	return hibana(t, []string{tokenEnv + "=" + a.token}, append([]string{"seed", "--api=" + a.url}, args...)...)
}

// counts are the documents of each source, and how often tweets were edited.
func (a *administered) counts(t *testing.T) map[string]int {
	t.Helper()
	client, all := testenv.Client(t, a.Project), map[string]int{}
	for _, c := range []string{"users", "tweets", "relationships", "likes", "blocks"} {
		docs, err := client.Collection(c).Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		all[c] = len(docs)
	}
	docs, err := client.CollectionGroup("revisions").Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	all["revisions"] = len(docs)
	return all
}

// verified fails if a projection differs from its sources.
func (a *administered) verified(t *testing.T) {
	t.Helper()
	stacktest.Idle(t, a.Stack)
	found, err := a.Store.Audit.All(t.Context(), verify.Options{})
	testenv.Must(t, err)
	for _, d := range found {
		t.Errorf("verify finds %s %s: have %v, want %v", d.Document, d.Field, d.Have, d.Want)
	}
}

// TestSeedResumes kills hibana seed --volume in the middle, three times. The run that goes on, and one that repeats all
// of it, leave what one run would have made.
func TestSeedResumes(t *testing.T) {
	t.Parallel()
	a, cursor := administer(t), filepath.Join(t.TempDir(), "cursor")
	args := []string{"--volume=300", "--rate=500", "--seed=" + uniqueSeed(),
		"--epoch=" + time.Now().UTC().Format(time.DateOnly)}
	for range 3 {
		p := a.seed(t, append(args, "--resume="+cursor)...)
		p.waitFor(" of ") // a line of progress
		testenv.Must(t, p.cmd.Process.Kill())
		<-p.done
	}
	p := a.seed(t, append(args, "--resume="+cursor)...)
	p.ends(0)
	// 20 people, 75 tweets and 36 replies, 54 follows and 88 likes, of which 6 each end, 3 blocks, 12 edits
	want := map[string]int{"users": 20, "tweets": 111, "relationships": 54 - 6, "likes": 88 - 6, "blocks": 3,
		"revisions": 12}
	if diff := cmp.Diff(want, a.counts(t)); diff != "" {
		t.Errorf("after the resumed run (-want +got):\n%s", diff)
	}
	a.seed(t, args...).ends(0)
	if diff := cmp.Diff(want, a.counts(t)); diff != "" {
		t.Errorf("after a repetition (-want +got):\n%s", diff)
	}
	again := a.seed(t, append(args, "--resume="+cursor)...)
	again.ends(0)
	wantText(t, again.out.String(), "Acts of this run: 0;")
	a.verified(t)
	other := a.seed(t, "--volume=301", "--resume="+cursor)
	other.ends(1)
	wantText(t, other.errout.String(), cursor+" is of --volume=300")
}

// uniqueSeed is a seed that no other test has: all share the Auth emulator.
func uniqueSeed() string { return fmt.Sprint(os.Getpid() % 9000) }

// A volume has its number of acts and is the same each time. No act of a phase refers to what a later one makes, and
// blocks are between users who do nothing to each other.
func TestVolume(t *testing.T) {
	t.Parallel()
	epoch := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	for _, n := range []int{minVolume, 1000, 30_000} {
		phases := volume(n, 1, epoch)
		if diff := cmp.Diff(fmt.Sprint(phases), fmt.Sprint(volume(n, 1, epoch))); diff != "" {
			t.Errorf("the volume of %d differs the second time", n)
		}
		total, made, touched := 0, map[string]bool{}, map[string]bool{}
		text := regexp.MustCompile(`volume-1-\d{6}|^[0-9a-f]{18}$`)
		for _, p := range phases {
			var now []string
			for _, act := range p.acts {
				total++
				who := strings.Split(act.path+"///", "/")[4]
				for _, id := range []string{who, fmt.Sprint(act.body["replyTo"]), fmt.Sprint(act.body["target"])} {
					if text.MatchString(id) && !made[id] {
						t.Fatalf("%s %s: %s is not there yet", p.name, act.path, id)
					}
				}
				for _, id := range []string{"uid", "id"} {
					if made := fmt.Sprint(act.body[id]); text.MatchString(made) {
						now = append(now, made)
					}
				}
				pair := who + " " + fmt.Sprint(act.body["target"])
				if p.name == "blocks" && touched[pair] {
					t.Errorf("the block %s is between users who follow", pair)
				}
				touched[pair] = true
			}
			for _, id := range now {
				if made[id] {
					t.Fatalf("%s makes %s twice", p.name, id)
				}
				made[id] = true
			}
		}
		if total < n-n/100 || total > n {
			t.Errorf("the volume of %d has %d acts", n, total)
		}
	}
}

// Flags that do not go together, another machine, and a missing token are refused before the first request.
func TestSeedFlags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--volume=1000", "--api=https://api.example.com"}, "--yes-production"},
		{[]string{"--volume=1000", "--api=http://10.0.0.1"}, "by https only"},
		{[]string{"--volume=1000", "--api=ftp://x"}, "is no URL of an API"},
		{[]string{"--volume=99"}, "a volume has 100 to"},
		{[]string{"--volume=1000", "--import", "x"}, "exclude each other"},
		{[]string{"--import"}, "needs files"},
		{[]string{"--api=http://127.0.0.1:1"}, "go with --import or --volume"},
		{[]string{"--volume=1000", "--api=http://127.0.0.1:1"}, "set " + tokenEnv},
		{[]string{"--volume=1000", "--rate=501"}, "500 at most"},
	} {
		p := hibana(t, nil, append([]string{"seed"}, test.args...)...)
		p.ends(1)
		wantText(t, p.errout.String(), test.want)
	}
}

// Fixtures keep their ids and owners. A run that was killed, runs that repeat, and runs of one file after the other
// make each fixture once; links lead to fixtures of earlier runs.
func TestSeedImport(t *testing.T) {
	t.Parallel()
	a, dir := administer(t), t.TempDir()
	owner := fmt.Sprintf("0001%012x", time.Now().UnixNano()&0xffffffffffff)
	write := func(name, id, owner, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		testenv.Must(t, os.WriteFile(name, fmt.Appendf(nil, "id: %s\nownedBy: %s\nallowLikes: false\ntags: help\n"+
			"content:<<E\n%s\nE\n", id, owner, text), 0o644))
		return name
	}
	first := write("first", "0002000000000012", owner, "# First")
	second := write("second", "0002000000000013", owner, "[the first](/posts/0002000000000012)")
	refused := func(want string, args ...string) {
		t.Helper()
		before := a.counts(t)
		p := a.seed(t, append([]string{"--import"}, args...)...)
		p.ends(1)
		wantText(t, p.errout.String(), "nothing is posted:", want)
		if diff := cmp.Diff(before, a.counts(t)); diff != "" {
			t.Errorf("%s: it wrote something (-before +after):\n%s", want, diff)
		}
	}
	refused("there is no owner "+owner, first)
	refused("it links to /posts/0002000000000012", "--create-owners", second)
	refused("is in the future", "--create-owners", first, write("future", "7002000000000012", owner, "x"))
	refused("a tweet id is 18", "--create-owners", first, write("wrong", "f002000000000012", owner, "x"))

	for range 2 {
		a.seed(t, "--import", "--create-owners", first).ends(0)
	}
	for range 2 {
		p := a.seed(t, "--import", second, first)
		p.ends(0)
		wantText(t, p.out.String(), "0002000000000013  /tweets/", "Fixtures imported: 2; new owners: 0;")
	}
	if n := a.counts(t); n["tweets"] != 2 || n["users"] != 1 || n["revisions"] != 0 {
		t.Errorf("there are %v, want 2 tweets of 1 user, never edited", n)
	}
	if _, err := a.Store.Users.UserByUsername(t.Context(), "o"+owner); err != nil {
		t.Errorf("the owner has not the username of an import: %v", err)
	}
	var list struct {
		Items []struct{ ID, Snippet string }
	}
	c := &client{api: a.url}
	stacktest.Idle(t, a.Stack)
	testenv.Must(t, c.call(t.Context(), a.token, "GET", "/v1/users/"+owner+"/tweets", "", nil, &list))
	if len(list.Items) != 2 || !strings.HasSuffix(list.Items[0].ID, "0002000000000013") ||
		!strings.Contains(list.Items[0].Snippet, "/tweets/"+list.Items[1].ID) {
		t.Errorf("the owner's tweets are %+v", list.Items)
	}
	changed := a.seed(t, "--import", write("changed", "0002000000000012", owner, "# Other"))
	changed.ends(1)
	wantText(t, changed.errout.String(), "another text")
	if strings.Contains(changed.errout.String()+changed.out.String(), a.token) {
		t.Error("the output has the token")
	}
	a.verified(t)
}
