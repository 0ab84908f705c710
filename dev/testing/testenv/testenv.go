// Package testenv gives tests the real emulators, and each test a project of its own in the emulators.
//
// `make test` starts the emulators once, and names them in FIRESTORE_EMULATOR_HOST, FIREBASE_AUTH_EMULATOR_HOST and
// HIBANA_EVENTS_HOST. Then every test binary shares these emulators. Without HIBANA_EVENTS_HOST they are emulators of
// another program, such as `firebase emulators:start`, that send no events: see [Listening]. Without any of the
// variables, as in a plain `go test ./store`, the first use of an emulator starts an emulator for this test binary. It
// also sets the variable, because the Go clients of Firestore and Auth read the variable. A package that uses testenv
// has
//
//	func TestMain(m *testing.M) { Main(m) }
//
// Main stops the emulators that the test binary started.
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

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/repository"
)

// Environment variables that name shared emulators, each as host:port.
const (
	FirestoreEnv = "FIRESTORE_EMULATOR_HOST"
	AuthEnv      = "FIREBASE_AUTH_EMULATOR_HOST"
	EventsEnv    = "HIBANA_EVENTS_HOST"
)

// shared reports whether the Firestore emulator ran before this test binary started. If not, the test binary starts its
// own relay too, because another relay would get no events.
var shared = os.Getenv(FirestoreEnv) != ""

// Main runs the tests, stops the emulators that the tests started, and exits. An interrupt
// stops the emulators too.
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

// RunMain is the environment variable that makes the test binary of a program be that program, race
// detector and all.
const RunMain = "HIBANA_TEST_RUN_MAIN"

// Program is [Main] for the tests of a program. If [RunMain] is set, it runs the program instead of the tests.
func Program(m *testing.M, main func()) {
	if os.Getenv(RunMain) != "" {
		main()
		return
	}
	Main(m)
}

// FirestoreHost returns the host:port of the Firestore emulator. The emulator has the rules
// of firestore.rules in the module root.
func FirestoreHost(t testing.TB) string {
	t.Helper()
	return must(t, documents)
}

// AuthHost returns the host:port of the Auth emulator. All tests share the emulator's users
// of [emulators.DefaultProject].
func AuthHost(t testing.TB) string {
	t.Helper()
	return must(t, auth)
}

// Listening reports whether the Firestore emulator belongs to another program and sends no events. A stack then uses
// listeners, as `hibana dev` does. [NeedEvents] skips a test that needs more.
func Listening() bool { return shared && os.Getenv(EventsEnv) == "" }

// NeedEvents skips a test that listeners cannot serve, if [Listening]. why completes "it ...".
// In `make test`, and in a plain `go test`, NeedEvents skips nothing.
func NeedEvents(t testing.TB, why string) {
	t.Helper()
	if Listening() {
		t.Skipf("%s needs the event runner of make test, which the emulator at %s does not know: it %s", t.Name(),
			os.Getenv(FirestoreEnv), why)
	}
}

// EventsAddr returns the host:port of the relay to which the Firestore emulator sends its
// events, an [eventarc.Relay]. A test gives this address to [eventarc.Route] to receive the
// events of a project. EventsAddr skips the test where there is no relay, see [NeedEvents].
func EventsAddr(t testing.TB) string {
	t.Helper()
	NeedEvents(t, "takes events from the emulator itself")
	return must(t, events)
}

// Root returns the directory of go.mod.
func Root() string {
	path, err := repository.File("go.mod") // go test runs in the directory of the package
	if err != nil {
		panic("testenv: " + err.Error())
	}
	return filepath.Dir(path)
}

// must ends the test if an emulator cannot be started.
func must(t testing.TB, start func() (string, error)) string {
	t.Helper()
	addr, err := start()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

// documents starts the Firestore emulator at its first use.
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

// auth starts the Auth emulator at its first use.
var auth = sync.OnceValues(func() (string, error) {
	if addr := os.Getenv(AuthEnv); addr != "" {
		return addr, nil
	}
	p, err := emulators.StartAuth(context.Background(), emulators.AuthOptions{})
	return started(AuthEnv, p, err)
})

// events starts the relay at its first use.
var events = sync.OnceValues(func() (string, error) {
	if shared {
		return os.Getenv(EventsEnv), nil
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

// started names an emulator in the environment, and stops the emulator at the end.
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

// AtEnd runs f when the test binary ends. The function of the latest call runs first.
func AtEnd(f func()) {
	endMu.Lock()
	defer endMu.Unlock()
	end = append(end, f)
}

// stop runs the functions of AtEnd.
func stop() {
	endMu.Lock()
	defer endMu.Unlock()
	for _, f := range slices.Backward(end) {
		f()
	}
	end = nil
}
