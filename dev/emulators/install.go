package emulators

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// firebaseTools is the npm package that pins firebase-tools, and the script that starts
// the Auth emulator of firebase-tools. The lock file names no registry: npm takes the
// packages from the configured registry and compares their checksums.
//
//go:embed firebase-tools/package.json firebase-tools/package-lock.json firebase-tools/start-auth.js
var firebaseTools embed.FS

// Install makes sure that firebase-tools is installed, and returns its directory. The directory is below
// [os.UserCacheDir] and is named after a hash of the lock file. If the directory is there already, Install takes no
// time. Otherwise npm needs the network, about 250 MB of disk, and 15 to 90 seconds. Of concurrent callers, also in
// other processes, one installs and the others wait. An installation that was cut short leaves nothing that looks like
// a complete one.
//
// Install reports each step to progress, if progress is not nil. Errors: *[MissingTool] when Node.js or npm is needed
// and missing, and the output of npm when it failed.
func Install(ctx context.Context, progress func(msg string)) (dir string, err error) {
	dir, err = installDir()
	if err != nil {
		return "", err
	}
	if progress == nil {
		progress = func(string) {}
	}
	if err := install(ctx, dir, packageFiles(), progress); err != nil {
		return "", err
	}
	return dir, nil
}

// installed reports whether firebase-tools is already installed.
func installed() bool {
	dir, err := installDir()
	return err == nil && isDir(dir)
}

// installDir returns the directory of this version of firebase-tools.
func installDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("install firebase-tools: %w", err)
	}
	sum := sha256.New()
	for _, f := range packageFiles() {
		sum.Write(f.content)
	}
	return filepath.Join(cache, "hibana", fmt.Sprintf("firebase-tools-%x", sum.Sum(nil)[:6])), nil
}

// install creates an npm package from files in dir, and installs the packages of its lock file.
func install(ctx context.Context, dir string, files []packageFile, progress func(msg string)) (err error) {
	if isDir(dir) {
		return nil
	}
	if _, err := findNode(ctx); err != nil {
		return err
	}
	npm, err := findNPM()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("install firebase-tools: %w", err)
		}
	}()
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	unlock, err := lock(ctx, dir+".lock", func() { progress("waiting for another installation of firebase-tools") })
	if err != nil {
		return err
	}
	defer unlock()
	if isDir(dir) { // another installation finished first
		return nil
	}

	// The package is installed beside its final location and then renamed. The location therefore holds either the whole
	// package or nothing. Only the holder of the lock works there, so leftovers come from an earlier holder that was
	// killed.
	tmp := dir + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.Mkdir(tmp, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(tmp, f.name), f.content, 0o644); err != nil {
			return err
		}
	}
	begun := time.Now()
	progress("installing firebase-tools " + firebaseToolsVersion() + " with npm (once, 250 MB, about a minute)")
	if err := installPackages(ctx, npm, tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil {
		return err
	}
	progress(fmt.Sprintf("installed firebase-tools in %v", time.Since(begun).Round(time.Second)))
	return nil
}

// installPackages installs the packages of the lock file in dir, below dir.
func installPackages(ctx context.Context, npm, dir string) error {
	cmd := exec.Command(npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier",
		"--loglevel=error", "--prefer-offline")
	cmd.Dir = dir
	return run(ctx, cmd)
}

// packageFile is a file of an npm package.
type packageFile struct {
	name    string
	content []byte
}

// packageFiles returns the files of the npm package, sorted by name.
func packageFiles() []packageFile {
	entries, err := firebaseTools.ReadDir("firebase-tools")
	if err != nil {
		panic("emulators: " + err.Error())
	}
	var files []packageFile
	for _, e := range entries {
		content, err := firebaseTools.ReadFile("firebase-tools/" + e.Name())
		if err != nil {
			panic("emulators: " + err.Error())
		}
		files = append(files, packageFile{e.Name(), content})
	}
	return files
}

// firebaseToolsVersion returns the pinned version of firebase-tools.
func firebaseToolsVersion() string {
	content, err := firebaseTools.ReadFile("firebase-tools/package.json")
	var pkg struct{ Dependencies map[string]string }
	if err = cmp.Or(err, json.Unmarshal(content, &pkg)); err != nil {
		panic("emulators: embedded package.json: " + err.Error())
	}
	return pkg.Dependencies["firebase-tools"]
}

// lock takes the lock on a file. If another process has the lock, it calls wait once and waits. The kernel releases the
// lock when its holder dies.
func lock(ctx context.Context, path string, wait func()) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for waiting := false; ; waiting = true {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() {
				// A child that is being started may have the file until it runs, so closing it would not unlock it.
				_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
				f.Close()
			}, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if !waiting {
			wait()
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
