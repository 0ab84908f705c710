package functions_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/local/stack"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/store"
)

// buildFunctions builds cmd/functions once.
var buildFunctions = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hibana")
	if err != nil {
		return "", err
	}

	testenv.AtEnd(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "functions")
	out, err := exec.Command("go", "build", "-o", path, "github.com/hibana-sns/hibana/cmd/functions").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// killAndRestart runs the functions of a stack in a process of their own, which is
// killed at random points, in the middle of what it does, and started again, until the
// test ends. Some processes are frozen first, as Cloud Run may freeze a process, and then go
// on.
func killAndRestart(t *testing.T, s *stack.Stack, o store.Options, seed uint64, seen *ingredients) {
	t.Helper()
	path, err := buildFunctions()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	started := make(chan struct{})
	go func() {
		defer close(ended)
		for first := true; ctx.Err() == nil; first = false {
			cmd, url := startFunctions(t, path, s.Project, o)
			s.Runner.SetFunctionsURL(url)
			lifetime := 500*time.Millisecond + time.Duration(rng.Int64N(int64(4*time.Second)))
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

func startFunctions(t *testing.T, path, project string, o store.Options) (*exec.Cmd, string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return exec.Command("true"), ""
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), "PORT="+port, "GOOGLE_CLOUD_PROJECT="+project,
		"FIRESTORE_EMULATOR_HOST="+testenv.FirestoreHost(t), "FIREBASE_AUTH_EMULATOR_HOST=127.0.0.1:1", // unused; keeps it on loopback
		"FOLLOWERS_PER_PAGE="+strconv.Itoa(o.FollowersPerPage), "PULL_ABOVE="+strconv.Itoa(o.PullAbove),
		"ENTRIES_PER_BUCKET="+strconv.Itoa(o.EntriesPerBucket), "CARDS_PER_BUCKET="+strconv.Itoa(o.CardsPerBucket),
		"WRITE_EVERY="+o.WriteEvery.String(), "DRAIN_AFTER="+o.DrainAfter.String(), "STALE_AFTER="+o.StaleAfter.String(),
	)
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return exec.Command("true"), ""
	}
	url := "http://" + addr
	for range 200 {
		if resp, err := http.Get(url + "/health"); err == nil {
			resp.Body.Close()
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return cmd, url
}
