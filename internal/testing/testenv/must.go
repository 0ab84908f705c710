package testenv

import (
	"sync"
	"testing"
)

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// AtOnce calls f n times, with 0 to n-1. All calls begin together. AtOnce returns their
// errors in order.
func AtOnce(n int, f func(i int) error) []error {
	var wg sync.WaitGroup
	start := make(chan struct{})
	failures := make([]error, n)
	for i := range n {
		wg.Go(func() {
			<-start
			failures[i] = f(i)
		})
	}
	close(start)
	wg.Wait()
	return failures
}
