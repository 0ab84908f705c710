package emulators

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// WebPortFlag is the flag of the hibana command that chooses the port of the web client.
const WebPortFlag = "--web-port"

// WebOptions configures [StartWeb].
type WebOptions struct {
	Dir       string // the folder web of the repository
	Port      int    // 0 picks a free one
	ProjectID string // of the emulators
	API       string // host:port of the API
	Firestore string // host:port of the Firestore emulator
	Auth      string // host:port of the Auth emulator
	Log       io.Writer
	Progress  func(msg string) // called with what happens if packages must be installed first; default none
}

// StartWeb serves the web client as its source is, with changes at once, and returns when it
// answers. If need be, StartWeb installs the packages of the web client first (see
// [InstallWeb]). The server runs until [Process.Stop].
//
// Errors: those of InstallWeb, *[PortInUseError], and what the server said when it ended
// or was not ready after 90 seconds.
func StartWeb(ctx context.Context, opts WebOptions) (*Process, error) {
	const name = "Web client"
	node, err := findNode(ctx)
	if err != nil {
		return nil, err
	}
	addr, err := choosePort(name, WebPortFlag, DefaultHost, opts.Port)
	if err != nil {
		return nil, err
	}
	if err := InstallWeb(ctx, opts.Dir, opts.Progress); err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(node, filepath.Join("node_modules", "vite", "bin", "vite.js"))
	cmd.Dir = opts.Dir
	cmd.Env = append(os.Environ(), "HIBANA_WEB_PORT="+port, "HIBANA_PROJECT="+cmp.Or(opts.ProjectID, DefaultProject),
		"HIBANA_API=http://"+opts.API, "HIBANA_AUTH="+opts.Auth, "HIBANA_FIRESTORE="+opts.Firestore,
		"VITE_MEDIA_URL=http://"+opts.API)
	p, err := start(name, addr, cmd, opts.Log)
	if err != nil {
		return nil, err
	}
	if err := p.waitReady(ctx,
		func(body []byte) bool { return bytes.Contains(body, []byte("/src/main.tsx")) }); err != nil {
		return nil, err
	}
	return p, nil
}

// InstallWeb installs the packages that the lock file in dir names, below dir, if they are not
// there. npm then needs the network, 400 MB of disk, and about a minute; another clone of the repository takes what was
// installed, in seconds and without further room. Of concurrent callers, also in other processes, one installs and the
// others wait.
//
// Errors: *[MissingTool] when Node.js or npm is not installed, and what npm said when it failed.
func InstallWeb(ctx context.Context, dir string, progress func(msg string)) (err error) {
	text, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return err
	}
	// npm removes the folder when it begins, and with it the mark of a complete installation: an installation that was cut
	// short has none.
	stamp, sum := filepath.Join(dir, "node_modules", ".hibana"), fmt.Sprintf("%x", sha256.Sum256(text))
	done := func() bool {
		have, err := os.ReadFile(stamp)
		return err == nil && string(have) == sum
	}
	if done() {
		return nil
	}
	if _, err := findNode(ctx); err != nil {
		return err
	}
	npm, err := findNPM()
	if err != nil {
		return err
	}
	if progress == nil {
		progress = func(string) {}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(cache, "hibana"), 0o755); err != nil {
		return err
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("web-%x.lock", sha256.Sum256([]byte(absolute)))[:16]
	unlock, err := lock(ctx, filepath.Join(cache, "hibana", name),
		func() { progress("waiting for another installation of the web client's packages") })
	if err != nil {
		return err
	}
	defer unlock()
	if done() {
		return nil
	}
	if takePackages(ctx, cache, sum, dir) {
		progress("took the packages of the web client from another clone")
		return os.WriteFile(stamp, []byte(sum), 0o644)
	}
	begun := time.Now()
	progress("installing the packages of the web client with npm (once, 400 MB, about a minute)")
	if err := installPackages(ctx, npm, dir); err != nil {
		return fmt.Errorf("install the packages of the web client: %w", err)
	}
	progress(fmt.Sprintf("installed the packages of the web client in %v", time.Since(begun).Round(time.Second)))
	keepPackages(ctx, cache, sum, dir)
	return os.WriteFile(stamp, []byte(sum), 0o644)
}
