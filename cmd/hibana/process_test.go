package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/child"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// patience is how long anything may take before a test fails: the machine may be
// compiling at the same time.
const patience = 3 * time.Minute

// process is a running hibana.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *output
	errout *output
	done   chan struct{}
}

// hibana starts the command with an environment that names no emulators, but what is
// given. When the test ends, it is gone.
func hibana(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, out: newOutput(), errout: newOutput(), done: make(chan struct{})}
	p.cmd = exec.Command(os.Args[0], args...)
	p.cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == firestoreEnv || name == authEnv || name == eventsEnv || name == "GOOGLE_CLOUD_PROJECT" ||
			name == "FIRESTORE_DATABASE"
	})
	p.cmd.Env = append(append(p.cmd.Env, testenv.RunMain+"=1"), env...)
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.errout
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := child.Start(p.cmd); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // the state is looked at
		close(p.done)
	}()
	t.Cleanup(func() {
		select {
		case <-p.done:
		default:
			_ = p.cmd.Process.Signal(syscall.SIGTERM)
			p.exitCode()
		}
		if t.Failed() {
			t.Logf("hibana %s\nstdout:\n%s\nstderr:\n%s", strings.Join(args, " "), p.out, p.errout)
		}
	})
	return p
}

// exitCode waits for the end.
func (p *process) exitCode() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		p.t.Fatalf("hibana does not end")
	}
	return p.cmd.ProcessState.ExitCode()
}

// ends waits for the end, which should have this status.
func (p *process) ends(want int) {
	p.t.Helper()
	if got := p.exitCode(); got != want {
		p.t.Errorf("hibana %s ended with status %d, want %d", strings.Join(p.cmd.Args[1:], " "), got, want)
	}
}

// waitFor waits for a text on standard output, and gives all of the output up to then.
func (p *process) waitFor(text string) string {
	p.t.Helper()
	limit := time.After(patience)
	for {
		out, more := p.out.next()
		if strings.Contains(out, text) {
			return out
		}
		select {
		case <-more:
		case <-p.done:
			if out := p.out.String(); strings.Contains(out, text) {
				return out
			}
			p.t.Fatalf("hibana ended with status %d before it printed %q", p.exitCode(), text)
		case <-limit:
			p.t.Fatalf("hibana does not print %q", text)
		}
	}
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// after gives what follows a label on its line, such as an address after its name.
func after(t *testing.T, out, label string) string {
	t.Helper()
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), label); ok {
			return strings.TrimSpace(rest)
		}
	}
	t.Fatalf("no line begins with %q in:\n%s", label, out)
	return ""
}

// address gives host:port of a part, from what hibana dev printed.
func address(t *testing.T, out, part string) string {
	t.Helper()
	_, list, _ := strings.Cut(out, "Hibana is ready")
	return strings.TrimPrefix(after(t, list, part+" "), "http://")
}

// isFree fails the test if something listens on host:port, and goes on: another test may have been
// given the port meanwhile, for a moment.
func isFree(t *testing.T, addr string) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		l, err := net.Listen("tcp", addr)
		if err == nil {
			l.Close()
			return
		}
		if time.Since(begun) > 30*time.Second {
			t.Errorf("something was left running: %v", err)
			return
		}
	}
}

// taken occupies a port.
func taken(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return port(t, l.Addr().String())
}

// recordPIDs makes a JAVA_HOME whose java writes its process id into the file.
func recordPIDs(t *testing.T, file string) (javaHome string) {
	t.Helper()
	java, err := exec.LookPath(filepath.Join(os.Getenv("JAVA_HOME"), "bin", "java"))
	if os.Getenv("JAVA_HOME") == "" || err != nil {
		if java, err = exec.LookPath("java"); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\necho $$ >'%s'\nexec '%s' \"$@\"\n", file, java)
	if err := os.WriteFile(filepath.Join(dir, "bin", "java"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// output keeps what is written and signals when there is more.
type output struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	more chan struct{}
}

func newOutput() *output { return &output{more: make(chan struct{})} }

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.more)
	o.more = make(chan struct{})
	return o.buf.Write(b)
}

// next gives what there is, and a channel that is closed when there is more.
func (o *output) next() (string, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String(), o.more
}

func (o *output) String() string {
	text, _ := o.next()
	return text
}

// wantText fails the test unless all the texts are in what was printed.
func wantText(t *testing.T, printed string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(printed, text) {
			t.Errorf("no word of %q in:\n%s", text, printed)
		}
	}
}

// startEmulator starts a Firestore emulator for the test, and gives its host:port.
func startEmulator(t *testing.T) string {
	t.Helper()
	e, err := emulators.StartFirestore(t.Context(), emulators.FirestoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return e.Addr()
}

// port is that of host:port.
func port(t *testing.T, addr string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return port
}
