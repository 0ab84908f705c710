package testenv

import (
	"os"
	"testing"
)

// SlowEnv is the environment variable that makes `go test` run the slow tests too. `make test-slow` sets it.
const SlowEnv = "HIBANA_SLOW"

// Slow skips a test that takes more than about 10 s of CPU, unless [SlowEnv] is set. why says what the time goes
// into. `make test` leaves the test to `make test-slow`, which finds every test that calls Slow.
func Slow(t testing.TB, why string) {
	t.Helper()
	if !RunsSlow() {
		t.Skipf("slow, because of %s: make test-slow runs it", why)
	}
}

// RunsSlow reports whether slow tests run.
func RunsSlow() bool { return os.Getenv(SlowEnv) != "" }
