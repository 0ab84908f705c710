package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// sessions counts those that were played.
var sessions atomic.Int64

// audience is what a second user does after the session: Ben follows its user, likes the tweet, and waits until the
// functions have delivered and counted. The first %s signs Ben up.
const audience = `
first() { sed -n 's/^[^"]*\({"items":\[\)*{"id":"\([^"]*\)".*/\2/p'; }
for i in $(seq 60); do TWEET=$(call timeline | first); [ -n "$TWEET" ] && break; sleep 1; done
ANN=$(call users/me | first)
%s
call users -d "{\"username\":\"ben$N\",\"nickname\":\"Ben\"}"
call "users/$ANN/follow" -X PUT
call "tweets/$TWEET/like" -X PUT
for i in $(seq 60); do
  call timeline | grep -q '"likeCount":1' &&
    call "users/$ANN" | grep -q '"followerCount":1,.*"tweetCount":1' && break; sleep 1
done
call timeline
call "users/$ANN"
`

// playSession runs the commands in a shell, and then those of an audience. What is printed last is the
// audience's timeline with the tweet, and the author's profile.
func playSession(t *testing.T, commands string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(commands), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[1], "TOKEN=") {
		t.Fatalf("the session has %d lines, want 5, the second of which signs up", len(lines))
	}
	commands += fmt.Sprintf(audience, strings.ReplaceAll(lines[1], "ann$N", "ben$N"))
	// Two sessions that begin in the same second at one Auth emulator are different people.
	const names = "N=$(date +%s)"
	if !strings.Contains(commands, names) {
		t.Fatalf("the session has no %s", names)
	}
	commands = strings.Replace(commands, names, fmt.Sprint("N=", time.Now().Unix()*100+sessions.Add(1)), 1)
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-u")
	cmd.Stdin = strings.NewReader(commands)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("session: %v\n%s", err, out)
	}
	lines = strings.Split(strings.TrimSpace(string(out)), "\n")
	var timeline struct {
		Items []struct {
			Content   string
			LikeCount int
			Liked     bool
			Author    struct{ Nickname string }
		}
	}
	var author struct{ FollowerCount, TweetCount int }
	if len(lines) < 2 {
		t.Fatalf("session printed:\n%s", out)
	}
	for i, to := range []any{&timeline, &author} {
		if err := json.Unmarshal([]byte(lines[len(lines)-2+i]), to); err != nil {
			t.Fatalf("%v in:\n%s", err, out)
		}
	}
	if len(timeline.Items) != 1 || !strings.Contains(timeline.Items[0].Content, "Sparks fly") ||
		timeline.Items[0].LikeCount != 1 ||
		!timeline.Items[0].Liked || timeline.Items[0].Author.Nickname != "Ann" {
		t.Errorf("timeline = %+v, want Ann's one tweet, liked once, by the reader", timeline.Items)
	}
	if author.FollowerCount != 1 || author.TweetCount != 1 {
		t.Errorf("Ann = %+v, want 1 follower and 1 tweet", author)
	}
}
