package emulators

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// PortInUseError reports that an emulator cannot listen on its address.
type PortInUseError struct {
	Emulator string // "Firestore emulator" or "Auth emulator"
	Addr     string // host:port
	Flag     string // the flag of the hibana command that chooses another port
	Err      error  // the error of the attempt to listen
}

// Error names the address and the flag that changes it.
func (e *PortInUseError) Error() string {
	return fmt.Sprintf("%s: cannot listen on %s (%v): stop the program that uses it, or choose another port with %s",
		e.Emulator, e.Addr, e.Err, e.Flag)
}

// Unwrap returns the error of the attempt to listen.
func (e *PortInUseError) Unwrap() error { return e.Err }

// choosePort checks that nothing listens on host:port. For port 0 it picks a free port.
func choosePort(emulator, flag, host string, port int) (addr string, err error) {
	if port != 0 {
		addr = net.JoinHostPort(host, strconv.Itoa(port))
		if err := listenable(addr); err != nil {
			return "", &PortInUseError{Emulator: emulator, Addr: addr, Flag: flag, Err: err}
		}
		return addr, nil
	}
	// The emulator listens about a second after it got its port. Meanwhile the system may assign its ephemeral ports (from
	// 32768 on Linux, 49152 on macOS) to other processes. choosePort therefore picks a lower port, and a random one to
	// keep concurrent starters apart.
	for range 100 {
		addr = net.JoinHostPort(host, strconv.Itoa(20000+rand.IntN(12000)))
		if err = listenable(addr); err == nil {
			return addr, nil
		}
	}
	return "", fmt.Errorf("%s: no free port on %s: %w", emulator, host, err)
}

// listenable returns the error of listening on an address, if any.
func listenable(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err == nil {
		return l.Close()
	}
	// The error is only the cause ("bind: address already in use"), because the caller names the address.
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err
	}
	return err
}
