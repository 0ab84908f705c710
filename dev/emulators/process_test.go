package emulators

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// startShell runs a shell script whose processes all hold the write end of a pipe, as
// file descriptor 3. Reading from alive ends when the last process is gone.
func startShell(t *testing.T, script string) (p *Process, alive io.Reader) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	cmd := exec.Command("sh", "-c", script)
	cmd.ExtraFiles = []*os.File{w}
	p, err = start("shell", "", cmd, nil)
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(context.Background()) })
	return p, r
}

// waitFor reads want, or fails the test.
func waitFor(t *testing.T, r io.Reader, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != want {
		t.Fatalf("read %q, %v; want %q", got, err, want)
	}
}

func TestStopEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script string }{
		{"child left behind", `sleep 1000 & echo up >&3; trap 'exit 0' TERM; wait`},
		{"deaf to SIGTERM", `trap '' TERM; sleep 1000 & echo up >&3; while :; do sleep 1000; done`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, alive := startShell(t, test.script)
			waitFor(t, alive, "up\n")
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			if err := p.Stop(ctx); err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(alive); err != nil || len(rest) > 0 {
				t.Errorf("ReadAll = %q, %v, want nothing but the end", rest, err)
			}
			if err := p.Err(); err != nil {
				t.Errorf("Err after Stop = %v, want nil", err)
			}
			if err := p.Stop(t.Context()); err != nil {
				t.Errorf("second Stop = %v, want nil", err)
			}
		})
	}
}

func TestErrHoldsTheLastOutput(t *testing.T) {
	t.Parallel()
	p, _ := startShell(t, `i=0; while [ $i -lt 1000 ]; do echo line $i; i=$((i+1)); done; echo "no such luck" >&2; exit 7`)
	<-p.Done()
	got := p.Err().Error()
	for _, want := range []string{"shell ended: exit status 7", "line 999", "no such luck"} {
		if !strings.Contains(got, want) {
			t.Errorf("Err() = %q, want it to contain %q", got, want)
		}
	}
	if strings.Contains(got, "line 1\n") || len(got) > tailSize+100 {
		t.Errorf("Err() holds %d bytes, want only the end of the output", len(got))
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	if err := run(t.Context(), exec.Command("sh", "-c", "exit 0")); err != nil {
		t.Errorf("run = %v, want nil", err)
	}
	if err := run(t.Context(), exec.Command("sh", "-c", "echo broken; exit 3")); err == nil ||
		!strings.Contains(err.Error(), "broken") {
		t.Errorf("run = %v, want the output", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, exec.Command("sleep", "1000")); !errors.Is(err, context.Canceled) {
		t.Errorf("run = %v, want %v", err, context.Canceled)
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	p, err := start("shell", "", exec.Command("sh", "-c", "echo out; echo err >&2"), &log)
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if got, want := log.String(), "out\nerr\n"; got != want {
		t.Errorf("log = %q, want %q", got, want)
	}
}
