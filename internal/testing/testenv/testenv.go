// Package testenv gives tests the real emulators, and a project of their own in them.
//
// `make test` starts the emulators once and names them in FIRESTORE_EMULATOR_HOST, FIREBASE_AUTH_EMULATOR_HOST and
// HIBANA_EVENTS_HOST; every test binary then shares them. Without these variables, as in a plain `go test ./store`, the first use
// of an emulator starts one for this test binary and sets the variable, because the Go clients of Firestore and Auth read it. A
// package that uses testenv says so with
//
//	func TestMain(m *testing.M) { testenv.Main(m) }
//
// which stops at the end what was started.
package testenv

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/hibana-sns/hibana/internal/local/emulators"
	"github.com/hibana-sns/hibana/internal/local/eventarc"
)

// Environment variables that name shared emulators, each as host:port.
const (
	FirestoreEnv = "FIRESTORE_EMULATOR_HOST"
	AuthEnv      = "FIREBASE_AUTH_EMULATOR_HOST"
	EventsEnv    = "HIBANA_EVENTS_HOST"
)

// shared tells whether the emulators were there before this test binary started. Without a shared Firestore emulator, a relay
// from elsewhere would get no events.
var shared = os.Getenv(FirestoreEnv) != ""

// Main runs the tests, stops the emulators that they started, also when interrupted, and exits.
func Main(m *testing.M) {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupted
		stop()
		os.Exit(130)
	}()
	code := m.Run()
	stop()
	os.Exit(code)
}

// FirestoreHost gives the host:port of the Firestore emulator. It has the rules of firestore.rules in the module root.
func FirestoreHost(t testing.TB) string {
	t.Helper()
	return must(t, documents)
}

// AuthHost gives the host:port of the Auth emulator. Its users of [emulators.DefaultProject] are shared by all tests.
func AuthHost(t testing.TB) string {
	t.Helper()
	return must(t, auth)
}

// EventsAddr gives the host:port of the relay that the Firestore emulator sends its events to, an [eventarc.Relay]. Give it to
// [eventarc.Route] to receive those of a project.
func EventsAddr(t testing.TB) string {
	t.Helper()
	return must(t, events)
}

// Root gives the directory of go.mod.
func Root() string {
	dir, err := os.Getwd() // go test runs in the directory of the package
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	panic("testenv: no go.mod above the working directory")
}

func must(t testing.TB, start func() (string, error)) string {
	t.Helper()
	addr, err := start()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

var documents = sync.OnceValues(func() (string, error) {
	if shared {
		return os.Getenv(FirestoreEnv), nil
	}
	relay, err := events()
	if err != nil {
		return "", err
	}
	opts := emulators.FirestoreOptions{EventsHost: relay, RulesFile: filepath.Join(Root(), "firestore.rules")}
	if _, err := os.Stat(opts.RulesFile); err != nil {
		opts.RulesFile = ""
	}
	p, err := emulators.StartFirestore(context.Background(), opts)
	return started(FirestoreEnv, p, err)
})

var auth = sync.OnceValues(func() (string, error) {
	if addr := os.Getenv(AuthEnv); addr != "" {
		return addr, nil
	}
	p, err := emulators.StartAuth(context.Background(), emulators.AuthOptions{})
	return started(AuthEnv, p, err)
})

var events = sync.OnceValues(func() (string, error) {
	if shared {
		if addr := os.Getenv(EventsEnv); addr != "" {
			return addr, nil
		}
		return "", fmt.Errorf("%s is set but %s is not: run the tests with make test, or without both", FirestoreEnv, EventsEnv)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	relay := eventarc.NewRelay(slog.Default())
	server := &http.Server{Handler: relay}
	go server.Serve(l)
	AtEnd(func() {
		server.Close()
		relay.Close()
	})
	return l.Addr().String(), nil
})

func started(env string, p *emulators.Process, err error) (string, error) {
	if err != nil {
		return "", err
	}
	AtEnd(func() {
		if err := p.Stop(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "testenv:", err)
		}
	})
	return p.Addr(), os.Setenv(env, p.Addr())
}

var (
	endMu sync.Mutex
	end   []func()
)

// AtEnd runs f when the test binary ends, the latest first.
func AtEnd(f func()) {
	endMu.Lock()
	defer endMu.Unlock()
	end = append(end, f)
}

// stop ends what was started, the latest first.
func stop() {
	endMu.Lock()
	defer endMu.Unlock()
	for _, f := range slices.Backward(end) {
		f()
	}
	end = nil
}
