package push

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/hibana-sns/hibana/internal/outbound"
)

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
		if !outbound.Public(to.Addr()) || to.Port() != 443 {
			return fmt.Errorf("%s: %w, on port 443", address, outbound.ErrForbidden)
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
