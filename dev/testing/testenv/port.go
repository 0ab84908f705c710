package testenv

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// FreePort returns a free local port for a program that a test starts later. It is below the ephemeral ports of the
// system, so that no other listener of the tests gets it meanwhile.
func FreePort(t testing.TB) string {
	t.Helper()
	var err error
	for range 100 {
		port := strconv.Itoa(10_000 + rand.IntN(10_000))
		var l net.Listener
		if l, err = net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal(err)
	return ""
}
