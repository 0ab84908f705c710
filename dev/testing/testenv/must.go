package testenv

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Patiently retries like a client that got "try again", for a limited time. The emulator makes a write wait for
// the transactions that read the document, and gives up. Patiently does not retry a cancellation.
func Patiently(do func() error) (err error) {
	for until := time.Now().Add(5 * time.Minute); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if err = do(); errs.KindOf(err) != errs.Unavailable || errors.Is(err, context.Canceled) ||
			status.Code(err) == codes.Canceled {
			break
		}
	}
	return err
}

// AtOnce calls f n times, with 0 to n-1. All calls begin together, and each is made
// [Patiently]. AtOnce returns their errors in order.
func AtOnce(n int, f func(i int) error) []error {
	var wg sync.WaitGroup
	start := make(chan struct{})
	failures := make([]error, n)
	for i := range n {
		wg.Go(func() {
			<-start
			failures[i] = Patiently(func() error { return f(i) })
		})
	}
	close(start)
	wg.Wait()
	return failures
}
