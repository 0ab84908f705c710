package push

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// errForbidden marks an address that must not be dialed.
var errForbidden = errors.New("not an address of the public internet")

// networks lists address ranges that Go does not count as private and that contain no push service: shared, test and
// reserved networks, and ranges that embed an arbitrary IPv4 address.
var networks = func() (all []netip.Prefix) {
	for _, s := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}()

// global is the address range of the public internet.
var global = netip.MustParsePrefix("2000::/3")

// public reports whether an address belongs to the public internet.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !global.Contains(a) {
		return false
	}
	for _, n := range networks {
		if n.Contains(a) {
			return false
		}
	}
	return true
}

// allow returns an error for an address that must not be dialed. The dialer calls it with the address of the
// connection, so an earlier DNS result makes no difference.
func allow(loopback bool) func(network, address string, _ syscall.RawConn) error {
	return func(network, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if loopback && to.Addr().IsLoopback() {
			return nil
		}
		if !public(to.Addr()) || to.Port() != 443 {
			return fmt.Errorf("%s: %w, on port 443", address, errForbidden)
		}
		return nil
	}
}

// client connects to addresses that users supply. It follows no redirects, uses no proxy, and limits the time and the
// size of an answer.
func client(loopback bool, config *tls.Config) *http.Client {
	dialer := &net.Dialer{Timeout: 2 * time.Second, Control: allow(loopback)}
	return &http.Client{
		Timeout:       attempt,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, address)
			},
			TLSClientConfig:     config,
			TLSHandshakeTimeout: 2 * time.Second, ResponseHeaderTimeout: attempt, MaxResponseHeaderBytes: 16 << 10,
			MaxIdleConns: 100, MaxConnsPerHost: 20, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		},
	}
}
