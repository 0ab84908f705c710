package functions_test

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/store"
)

// killAndRestart runs the functions of a stack in a process of their own, which is
// killed at random points, in the middle of what it does, and started again, until the
// test ends. Some processes are frozen first, as Cloud Run may freeze a process, and then go
// on.
func killAndRestart(t *testing.T, s *stack.Stack, o store.Options, seed uint64, seen *faultCoverage) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	started := make(chan struct{})
	go func() {
		defer close(ended)
		for first := true; ctx.Err() == nil; first = false {
			cmd, url := startFunctions(t, s.Project, o)
			s.Runner.SetFunctionsURL(url)
			lifetime := 500*time.Millisecond + time.Duration(rng.Int64N(int64(*longest)))
			if first {
				close(started)
				lifetime = 500 * time.Millisecond // before a short history ends
			}
			wait := func(d time.Duration) bool {
				select {
				case <-time.After(d):
					return true
				case <-ctx.Done():
					return false
				}
			}
			if rng.IntN(3) == 0 && wait(lifetime/2) {
				cmd.Process.Signal(syscall.SIGSTOP)
				seen.add(frozenProcess, 1)
				wait(*frozen)
				cmd.Process.Signal(syscall.SIGCONT)
			}
			if wait(lifetime) {
				seen.add(killedProcess, 1)
			}
			cmd.Process.Kill()
			cmd.Wait()
		}
	}()
	<-started
	t.Cleanup(func() {
		stop()
		<-ended
	})
}

func startFunctions(t *testing.T, project string, o store.Options) (*exec.Cmd, string) {
	return stacktest.Process(t, project, nil,
		"SHARES_PER_BUCKET="+strconv.Itoa(o.SharesPerBucket), "CARDS_PER_BUCKET="+strconv.Itoa(o.PreviewsPerBucket),
		"WRITE_EVERY="+o.WriteEvery.String(), "DRAIN_AFTER="+o.FlushAfter.String(), "STALE_AFTER="+o.StaleAfter.String(),
		"UPLOADS_BUCKET="+o.UploadsBucket, "MEDIA_BUCKET="+o.MediaBucket,
	)
}
