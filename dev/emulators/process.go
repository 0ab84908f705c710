package emulators

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hibana-sns/hibana/dev/child"
)

const (
	// startTimeout is generous: a laptop that compiles at the same time needs ten times the usual second or two.
	startTimeout = 90 * time.Second
	// stopGrace is the time that a process has to end by itself. Both emulators need less than half a second.
	stopGrace = 5 * time.Second
	// tailSize is the number of bytes of the last output in an error.
	tailSize = 2000
)

// Process is a running emulator. Its methods may be called from several goroutines.
type Process struct {
	name string
	addr string
	pid  int
	tail *tail
	done chan struct{}

	mu      sync.Mutex
	stopped bool
	err     error
}

// Addr returns the host:port on which the emulator listens.
func (p *Process) Addr() string { return p.addr }

// Done returns a channel that is closed when the process has ended for any reason.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns the reason why the process ended, with its last lines of output. Err is nil while the process runs, and
// after Stop.
func (p *Process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Stop ends the process and all its child processes, and returns when they have ended. Stop sends SIGTERM first. After
// five seconds, or when ctx ends, Stop sends SIGKILL to the remaining ones. Stopping an ended process does nothing. An
// error means that the process could not be killed.
func (p *Process) Stop(ctx context.Context) error {
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()

	ctx, cancel := context.WithTimeout(ctx, stopGrace)
	defer cancel()
	if err := signalGroup(p.pid, syscall.SIGTERM); err != nil {
		return fmt.Errorf("%s: stop: %w", p.name, err)
	}
	select {
	case <-p.done:
	case <-ctx.Done():
	}
	// A process that has ended may have left children behind.
	if err := signalGroup(p.pid, syscall.SIGKILL); err != nil {
		return fmt.Errorf("%s: kill: %w", p.name, err)
	}
	<-p.done
	return nil
}

// start runs cmd in a process group of its own and copies its output to log. The process ends
// with this one.
func start(name, addr string, cmd *exec.Cmd, log io.Writer) (*Process, error) {
	p := &Process{name: name, addr: addr, tail: &tail{}, done: make(chan struct{})}
	out := io.MultiWriter(p.tail, cmp.Or[io.Writer](log, io.Discard))
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := child.Start(cmd); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.pid = cmd.Process.Pid
	go func() { p.ended(cmd.Wait()) }()
	return p, nil
}

// ended records that the process has ended.
func (p *Process) ended(err error) {
	p.mu.Lock()
	if !p.stopped {
		p.err = fmt.Errorf("%s ended: %w", p.name, withOutput(cmp.Or(err, errors.New("exit status 0")), p.tail))
	}
	p.mu.Unlock()
	close(p.done)
}

// waitReady returns when ready accepts the body of GET /. If that does not happen,
// waitReady stops the process, and the error holds the last output.
func (p *Process) waitReady(ctx context.Context, ready func(body []byte) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("not ready after %v", startTimeout))
	defer cancel()
	// Each try makes its own connection, without a proxy, because the emulator is on this
	// machine.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		if body, err := get(ctx, &client, "http://"+p.addr+"/"); err == nil && ready(body) {
			return nil
		}
		select {
		case <-p.done:
			return p.Err()
		case <-ctx.Done():
			stopErr := p.Stop(context.WithoutCancel(ctx)) // Stop comes first, so that the error has all of the output
			return errors.Join(fmt.Errorf("%s: %w", p.name, withOutput(context.Cause(ctx), p.tail)), stopErr)
		case <-tick.C:
		}
	}
}

func get(ctx context.Context, client *http.Client, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(io.LimitReader(resp.Body, 1<<16))
}

// run waits for cmd. When ctx ends, cmd ends with all its child processes. The error holds the last output.
func run(ctx context.Context, cmd *exec.Cmd) error {
	p, err := start(cmd.Args[0], "", cmd, nil)
	if err != nil {
		return err
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		return errors.Join(context.Cause(ctx), p.Stop(context.WithoutCancel(ctx)))
	}
	if cmd.ProcessState.Success() {
		return nil
	}
	return p.Err()
}

// signalGroup signals every process of the group that pid leads. A missing group is not an error.
func signalGroup(pid int, sig syscall.Signal) error {
	if err := syscall.Kill(-pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// withOutput adds the last output of a process to its error.
func withOutput(err error, t *tail) error {
	if out := t.String(); out != "" {
		return fmt.Errorf("%w; its last output:\n%s", err, out)
	}
	return err
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(b)
	t.buf.Next(max(0, t.buf.Len()-tailSize))
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(t.buf.String(), ""))
}
