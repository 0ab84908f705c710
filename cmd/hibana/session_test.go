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

// playSession runs the commands in a shell. What they print last is a timeline with
// the tweet, and the author's profile.
func playSession(t *testing.T, commands string) {
	t.Helper()
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
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var timeline struct {
		Items []struct {
			Content   string
			LikeCount int
			Liked     bool
			Author    struct{ Nickname string }
		}
	}
	var ben struct{ FollowerCount, TweetCount int }
	if len(lines) < 2 {
		t.Fatalf("session printed:\n%s", out)
	}
	for i, to := range []any{&timeline, &ben} {
		if err := json.Unmarshal([]byte(lines[len(lines)-2+i]), to); err != nil {
			t.Fatalf("%v in:\n%s", err, out)
		}
	}
	if len(timeline.Items) != 1 || !strings.Contains(timeline.Items[0].Content, "Sparks fly") || timeline.Items[0].LikeCount != 1 ||
		!timeline.Items[0].Liked || timeline.Items[0].Author.Nickname != "Ben" {
		t.Errorf("timeline = %+v, want Ben's one tweet, liked once, by the reader", timeline.Items)
	}
	if ben.FollowerCount != 1 || ben.TweetCount != 1 {
		t.Errorf("Ben = %+v, want 1 follower and 1 tweet", ben)
	}
}
