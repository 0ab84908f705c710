package main

import (
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// The command has addresses where something answers, gets the signals, and its exit
// status is that of hibana.
func TestExec(t *testing.T) {
	testenv.Slow(t, "emulators that it starts and ends")
	t.Parallel()
	p := hibana(t, nil, "exec", "--", "sh", "-c",
		`trap 'kill $!; exit 7' TERM; env; read line; echo "got $line"; sleep 1000 & wait $!`)
	if _, err := p.in.Write([]byte("spark\n")); err != nil {
		t.Fatal(err)
	}
	out := p.waitFor("got spark\n")
	firestore, auth, events := after(t, out, firestoreEnv+"="), after(t, out, authEnv+"="), after(t, out, eventsEnv+"=")
	if err := answers(t.Context(), firestoreEnv, firestore); err != nil {
		t.Error(err)
	}
	if err := answers(t.Context(), authEnv, auth); err != nil {
		t.Error(err)
	}
	files := after(t, out, storage.Env+"=")
	if err := storage.Create(t.Context(), files, "exec"); err != nil {
		t.Error(err)
	}
	if err := eventarc.Route(t.Context(), events, "demo-exec", "http://127.0.0.1:1"); err != nil {
		t.Error(err)
	}
	if project := after(t, out, "GOOGLE_CLOUD_PROJECT="); project != emulators.DefaultProject {
		t.Errorf("GOOGLE_CLOUD_PROJECT = %s, want %s", project, emulators.DefaultProject)
	}

	p.signal(syscall.SIGTERM)
	p.ends(7) // as the command does on SIGTERM
	for _, addr := range []string{firestore, auth, events, files} {
		isFree(t, addr)
	}
}

// Ctrl-C is an interrupt. Where the command has no terminal of its own, it comes by hibana.
func TestExecInterrupted(t *testing.T) {
	testenv.Slow(t, "emulators that it starts and ends")
	t.Parallel()
	p := hibana(t, nil, "exec", "--", "sh", "-c", `trap 'kill $!; exit 9' INT; echo "events=$`+eventsEnv+
		`"; sleep 1000 & echo up; wait $!`)
	events := after(t, p.waitFor("up\n"), "events=")
	p.signal(syscall.SIGINT)
	p.ends(9) // as the command does on SIGINT
	isFree(t, events)
}

// A command that lost its emulators is of no use: it does not outlive a hibana that is killed.
func TestExecKilled(t *testing.T) {
	testenv.Slow(t, "starts both emulators")
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux kills the children of a process that is killed")
	}
	p := hibana(t, nil, "exec", "--", "sh", "-c", "echo up; exec sleep 1000")
	p.waitFor("up\n")
	p.signal(syscall.SIGKILL)
	p.ends(-1) // which waits for the end of its output, and so for the command
}

func TestExecUnknownCommand(t *testing.T) {
	t.Parallel()
	p := hibana(t, nil, "exec", "--", "no-such-command-here")
	p.ends(1)
	wantText(t, p.errout.String(), "no-such-command-here")
	if strings.Contains(p.errout.String(), "ready") {
		t.Error("it started something")
	}
}
