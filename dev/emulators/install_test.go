package emulators

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// small is an npm package without dependencies, which npm installs without a network.
var small = []packageFile{
	{"package.json", []byte(`{"name":"small","version":"1.0.0"}`)},
	{"package-lock.json", []byte(
		`{"name":"small","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"small","version":"1.0.0"}}}`)},
}

func TestInstallOnceForAll(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache", "small")
	// An installation that was killed may leave this.
	if err := os.MkdirAll(dir+".tmp/node_modules/half", 0o755); err != nil {
		t.Fatal(err)
	}
	var installs atomic.Int32
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			err := install(t.Context(), dir, small, func(msg string) {
				if strings.HasPrefix(msg, "installing") {
					installs.Add(1)
				}
			})
			if err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "package-lock.json")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := installs.Load(); got != 1 {
		t.Errorf("installed %d times, want once", got)
	}
	for _, gone := range []string{dir + ".tmp", dir + "/node_modules/half"} {
		if _, err := os.Stat(gone); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v, want it gone", gone, err)
		}
	}
}

func TestInstallFails(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "small")
	broken := []packageFile{small[0], {"package-lock.json", []byte("{")}}
	if err := install(t.Context(), dir, broken, func(string) {}); err == nil || !strings.Contains(err.Error(),
		"npm error") {
		t.Errorf("install = %v, want what npm said", err)
	}

	// ctx ends while npm runs, and while another process has the lock.
	ctx, cancel := context.WithCancel(t.Context())
	err := install(ctx, dir, small, func(string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("install = %v, want %v", err, context.Canceled)
	}
	unlock, err := lock(t.Context(), dir+".lock", func() { t.Error("nobody else has the lock") })
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel = context.WithCancel(t.Context())
	if err := install(ctx, dir, small, func(string) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("install = %v, want %v", err, context.Canceled)
	}

	for _, path := range []string{dir, dir + ".tmp"} {
		if isDir(path) {
			t.Errorf("%s is left behind", path)
		}
	}
}

func TestInstalledNeedsNothing(t *testing.T) {
	want, err := Install(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", "") // no npm, no node
	got, err := Install(t.Context(), func(msg string) { t.Errorf("second Install says %q", msg) })
	if err != nil || got != want {
		t.Errorf("second Install = %q, %v, want %q", got, err, want)
	}
	if !installed() {
		t.Error("installed() = false")
	}
}

func TestLockFilePinsEverything(t *testing.T) {
	t.Parallel()
	content, err := firebaseTools.ReadFile("firebase-tools/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Resolved, Integrity string }
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		t.Fatal(err)
	}
	if len(lock.Packages) < 100 {
		t.Errorf("the lock file names %d packages, want all", len(lock.Packages))
	}
	for name, p := range lock.Packages {
		if name != "" && (p.Version == "" || p.Integrity == "" || p.Resolved != "") {
			t.Errorf("%s: %+v, want a version, a checksum and no address", name, p)
		}
	}
	if got, want := firebaseToolsVersion(), lock.Packages["node_modules/firebase-tools"].Version; got != want {
		t.Errorf("package.json asks for firebase-tools %q, the lock file has %q", got, want)
	}
}

// A lock is free as soon as it is unlocked, also while a child that is being started still has its file.
func TestUnlock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.lock")
	unlock, err := lock(t.Context(), path, func() { t.Error("nobody else has the lock") })
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(files) == 0 {
		t.Skip("this system does not list the files of a process")
	}
	for _, file := range files {
		if name, _ := os.Readlink(file); name != path {
			continue
		}
		n, err := strconv.Atoi(filepath.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		child, err := syscall.Dup(n) // as a child has it between fork and exec
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Close(child) })
	}
	unlock()
	again, err := lock(t.Context(), path, func() { t.Error("the lock is still held") })
	if err != nil {
		t.Fatal(err)
	}
	again()
}
