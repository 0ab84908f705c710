package emulators

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net"
	"os/exec"
)

// AuthOptions configures [StartAuth]. The zero value starts an emulator on a free port.
type AuthOptions struct {
	Host      string           // address to listen on; default [DefaultHost]
	Port      int              // 0 picks a free one
	ProjectID string           // project of clients that send an API key; default [DefaultProject]
	Log       io.Writer        // takes the emulator's output, such as the links of e-mails; default none
	Progress  func(msg string) // receives progress messages if firebase-tools must be installed first; default none
}

// StartAuth starts the Firebase Auth emulator and returns when the emulator answers. If necessary, StartAuth installs
// firebase-tools first (see [Install]). ctx limits installation and start only: the emulator then runs until
// [Process.Stop].
//
// Errors: *[MissingTool] when Node.js or npm is not installed, *[PortInUseError], and the errors of [Install]. When the
// emulator ends before it is ready, or is not ready after 90 seconds, the error holds the last lines of its output.
func StartAuth(ctx context.Context, opts AuthOptions) (*Process, error) {
	const name = "Auth emulator"
	node, err := findNode(ctx)
	if err != nil {
		return nil, err
	}
	addr, err := choosePort(name, AuthPortFlag, cmp.Or(opts.Host, DefaultHost), opts.Port)
	if err != nil {
		return nil, err
	}
	dir, err := Install(ctx, opts.Progress)
	if err != nil {
		return nil, err
	}
	host, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(node, "start-auth.js", host, port, cmp.Or(opts.ProjectID, DefaultProject))
	cmd.Dir = dir
	p, err := start(name, addr, cmd, opts.Log)
	if err != nil {
		return nil, err
	}
	if err := p.waitReady(ctx,
		func(body []byte) bool { return bytes.Contains(body, []byte("authEmulator")) }); err != nil {
		return nil, err
	}
	return p, nil
}
