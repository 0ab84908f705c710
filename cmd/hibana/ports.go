package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/hibana-sns/hibana/dev/emulators"
)

// partPorts has the ports of a running system's parts, for commands that serve or use them.
type partPorts struct {
	APIPort    int `name:"api-port" default:"8000" help:"Port of the API."`
	AuthPort   int `default:"9099" help:"Port of the Auth emulator."`
	EventsPort int `default:"5001" help:"Port on which the event runner receives events of the Firestore emulator."`
}

// localAddress returns the host:port of a local port.
func localAddress(port int) string {
	return net.JoinHostPort(emulators.DefaultHost, strconv.Itoa(port))
}

// listens reports whether a process listens on host:port.
func listens(ctx context.Context, addr string) bool {
	dialer := net.Dialer{Timeout: 5 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// listen opens a local port. The error names the flag that changes it.
func listen(part, flag string, port int) (net.Listener, error) {
	addr := localAddress(port)
	l, err := net.Listen("tcp", addr)
	if err == nil {
		return l, nil
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err // the address is named already
	}
	return nil, &emulators.PortInUseError{Emulator: part, Addr: addr, Flag: flag, Err: err}
}

// serve serves on any free port. The caller closes the server.
func serve(h http.Handler) (server *http.Server, addr string, err error) {
	l, err := net.Listen("tcp", localAddress(0))
	if err != nil {
		return nil, "", err
	}
	server = &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(l)
	return server, l.Addr().String(), nil
}
