package httpserver

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// service is the variable in which a test names the program that a copy of itself is.
const service = "HIBANA_TEST_SERVICE"

// TestMain makes the process a service if a test started it as one.
func TestMain(m *testing.M) {
	if os.Getenv(service) == "" {
		os.Exit(m.Run())
	}
	read := func(environment map[string]string) (string, error) {
		if environment[service] == "misconfigured" {
			return "", errors.New("PORT is not a number")
		}
		return environment[service], nil
	}
	Main("sparks", read, func(ctx context.Context, cfg string, log *slog.Logger) error {
		if cfg == "broken" {
			return errors.New("no database")
		}
		log.InfoContext(ctx, cfg)
		<-ctx.Done()
		return nil
	})
	os.Exit(0)
}

func TestMainFails(t *testing.T) {
	t.Parallel()
	tests := map[string]string{"misconfigured": "sparks: PORT is not a number\n", "broken": "sparks: no database\n"}
	for kind, want := range tests {
		_, err := start(t, kind).Output()
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.ExitCode() != 1 || string(exit.Stderr) != want {
			t.Errorf("a service that is %s ended with %v and %+v, want status 1 and %q", kind, err, exit, want)
		}
	}
}

func TestMainStops(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		cmd := start(t, "running")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); !strings.Contains(line, `"message":"running"`) {
			t.Errorf("logged %q, %v", line, err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("after %v: %v", signal, err)
		}
	}
}

// start is a copy of the test that is a service.
func start(t *testing.T, kind string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), service+"="+kind)
	return cmd
}

// A program prints its build, without any configuration.
func TestMainVersion(t *testing.T) {
	t.Parallel()
	cmd := start(t, "misconfigured")
	cmd.Args = append(cmd.Args, "--version")
	out, err := cmd.Output()
	if err != nil || !strings.HasPrefix(string(out), "sparks ") || !strings.Contains(string(out), runtime.Version()) {
		t.Errorf("--version prints %q, %v", out, err)
	}
}
