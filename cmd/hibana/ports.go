package main

import (
	"errors"
	"net"
	"strconv"

	"github.com/hibana-sns/hibana/internal/local/emulators"
)

// listen takes a port of this machine. The error names the flag that changes it.
func listen(part, flag string, port int) (net.Listener, error) {
	addr := net.JoinHostPort(emulators.DefaultHost, strconv.Itoa(port))
	l, err := net.Listen("tcp", addr)
	if err == nil {
		return l, nil
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err // the address is named already
	}
	return nil, &emulators.PortInUseError{Emulator: part, Addr: addr, Flag: flag, Err: err}
}
