// Package outbound makes requests to addresses that users supply: links in posts, webhooks, devices. Its client reaches
// the public internet alone, so that a user cannot use the service to reach its own network (server-side request
// forgery).
package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// Errors of requests. An error of the client wraps them.
var (
	// ErrForbidden marks an address that must not be asked.
	ErrForbidden = errors.New("not an address of the public web")
	// ErrRedirects marks an answer that redirects once too often.
	ErrRedirects = errors.New("too many redirects")
)

// Defaults of [Options].
const (
	DefaultTimeout = 5 * time.Second
	MaxRedirects   = 3
)

// Options configure a [Client].
type Options struct {
	// AllowLoopback allows loopback addresses with any port too. Only development and tests set it.
	AllowLoopback bool
	// HTTPSOnly refuses http, also where a page of https redirects to it.
	HTTPSOnly bool
	// UserAgent is the User-Agent of requests that set none. See [UserAgent].
	UserAgent string
	// Timeout limits a request with its redirects and the body of its answer; DefaultTimeout if 0.
	Timeout time.Duration
	// Redirects is how many redirects the client follows, at most MaxRedirects. With 0 the caller gets the redirect as the
	// answer.
	Redirects int
	TLS       *tls.Config   // nil for the roots of the system
	Resolver  *net.Resolver // nil for the resolver of the system
}

// UserAgent returns the User-Agent of a deployment. publicURL is the address of its pages; it may be empty.
func UserAgent(version, publicURL string) string {
	if publicURL == "" {
		return "Hibana/" + version
	}
	return "Hibana/" + version + " (+" + publicURL + ")"
}

// Client returns a client for addresses of users.
//
// It asks http and https addresses alone, on the ports 80 and 443, and none with a user or password. It checks the
// address of each connection after the name was resolved, so a later answer of a name server makes no difference. Each
// redirect passes the same checks. The client knows no proxies and cookies, and sends no Referer. Its caller limits the
// body, by [Read].
func Client(o Options) *http.Client {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	dialer := &net.Dialer{Timeout: 2 * time.Second, Control: o.control, Resolver: o.Resolver}
	return &http.Client{
		Timeout: o.Timeout,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			switch {
			case o.Redirects <= 0:
				return http.ErrUseLastResponse
			case len(via) > min(o.Redirects, MaxRedirects):
				return ErrRedirects
			}
			return nil
		},
		Transport: &transport{o, &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, address)
			},
			TLSClientConfig: o.TLS, TLSHandshakeTimeout: 2 * time.Second, ResponseHeaderTimeout: o.Timeout,
			MaxResponseHeaderBytes: 16 << 10, MaxIdleConns: 20, MaxConnsPerHost: 10, IdleConnTimeout: 30 * time.Second,
			ForceAttemptHTTP2: true,
		}},
	}
}

// transport checks the address of each request and redirect.
type transport struct {
	Options
	next *http.Transport
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.check(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Del("Referer")
	r.Header.Del("Cookie")
	if r.Header.Get("User-Agent") == "" && t.UserAgent != "" {
		r.Header.Set("User-Agent", t.UserAgent)
	}
	return t.next.RoundTrip(r)
}

// CloseIdleConnections closes the connections that no request uses.
func (t *transport) CloseIdleConnections() { t.next.CloseIdleConnections() }

// check refuses an address that the client may not ask whatever its host resolves to.
func (o Options) check(u *url.URL) error {
	switch port := u.Port(); {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("scheme %q: %w", u.Scheme, ErrForbidden)
	case o.HTTPSOnly && u.Scheme != "https":
		return fmt.Errorf("no TLS: %w", ErrForbidden)
	case u.User != nil:
		return fmt.Errorf("user in the address: %w", ErrForbidden)
	case u.Hostname() == "":
		return fmt.Errorf("no host: %w", ErrForbidden)
	case !o.AllowLoopback && port != "" && port != "80" && port != "443":
		return fmt.Errorf("port %s: %w", port, ErrForbidden)
	}
	return nil
}

// control refuses a connection to an address outside the public internet. The dialer calls it for each resolved
// address, before it connects.
func (o Options) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	switch {
	case err != nil:
		return err
	case o.AllowLoopback && to.Addr().Unmap().IsLoopback():
		return nil
	case !Public(to.Addr()) || to.Port() != 80 && to.Port() != 443:
		return fmt.Errorf("%s: %w", address, ErrForbidden)
	}
	return nil
}

// Read returns the beginning of a body of at most limit bytes, after decompression. whole reports whether that is all.
// It does not close the body.
func Read(body io.Reader, limit int64) (data []byte, whole bool, err error) {
	data, err = io.ReadAll(io.LimitReader(body, limit+1))
	if int64(len(data)) > limit {
		return data[:limit], false, nil
	}
	return data, err == nil, err
}
