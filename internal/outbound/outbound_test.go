package outbound

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Every range that is not of the public internet is refused, also within IPv6.
func TestPublic(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.8.8", "169.254.169.254",
		"172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
		"198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
		"64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:20::1", "2001:db8::1",
		"2002:7f00:1::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
		"2606:4700::1%eth0",
	} {
		if Public(netip.MustParseAddr(s)) {
			t.Errorf("Public(%s) = true, want false", s)
		}
	}
	for _, s := range []string{"8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1", "198.20.0.1",
		"223.255.255.255", "::ffff:8.8.8.8", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1"} {
		if !Public(netip.MustParseAddr(s)) {
			t.Errorf("Public(%s) = false, want true", s)
		}
	}
}

// The control of the dialer refuses what must not be dialed, whatever the address in the request was.
func TestControl(t *testing.T) {
	t.Parallel()
	tests := []struct {
		address         string
		strict, relaxed bool
	}{
		{"8.8.8.8:443", true, true}, {"8.8.8.8:80", true, true}, {"[2606:4700::1111]:443", true, true},
		{"8.8.8.8:22", false, false}, {"8.8.8.8:8080", false, false}, {"10.0.0.1:443", false, false},
		{"169.254.169.254:80", false, false}, {"[fd00:ec2::254]:80", false, false},
		{"127.0.0.1:80", false, true}, {"127.0.0.1:9099", false, true}, {"[::1]:8080", false, true},
		{"[::ffff:127.0.0.1]:80", false, true}, {"nonsense", false, false},
	}
	for _, tt := range tests {
		if got := (Options{}).control("tcp", tt.address, nil) == nil; got != tt.strict {
			t.Errorf("control(%s) = %v, want %v", tt.address, got, tt.strict)
		}
		if got := (Options{AllowLoopback: true}).control("tcp", tt.address, nil) == nil; got != tt.relaxed {
			t.Errorf("control(%s) with loopback = %v, want %v", tt.address, got, tt.relaxed)
		}
	}
}

// Addresses that are refused before any name is resolved.
func TestAddresses(t *testing.T) {
	t.Parallel()
	c := Client(Options{})
	for _, s := range []string{"ftp://example.com/", "file:///etc/passwd", "gopher://example.com/",
		"http://a:b@example.com/",
		"http://example.com:8080/", "https://example.com:22/", "http://127.0.0.1/", "http://[::1]/", "http://0x7f.1/",
		"http://169.254.169.254/computeMetadata/v1/", "http://[::ffff:10.0.0.1]/", "https://[64:ff9b::a00:1]/"} {
		r, err := c.Get(s) //nolint:noctx // it dials nothing
		if err == nil {
			_ = r.Body.Close()
		}
		if s != "http://0x7f.1/" && !errors.Is(err, ErrForbidden) || err == nil {
			t.Errorf("Get(%s) = %v, want ErrForbidden", s, err)
		}
	}
}

func get(t *testing.T, c *http.Client, address string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Do(r)
	if err == nil {
		t.Cleanup(func() { _ = got.Body.Close() })
	}
	return got, err
}

// The client follows three redirects, and each one passes the checks.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Referer")+r.Header.Get("Cookie") != "" || r.UserAgent() != "Hibana/1 (+https://h.example)" {
			t.Errorf("a request has the header %v", r.Header)
		}
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		n, _ := strconv.Atoi(r.URL.Path[1:])
		if n > 0 {
			http.Redirect(w, r, "/"+strconv.Itoa(n-1), http.StatusFound)
		}
	}))
	t.Cleanup(s.Close)
	c := Client(Options{AllowLoopback: true, Redirects: 3, UserAgent: UserAgent("1", "https://h.example")})
	if r, err := get(t, c, s.URL+"/3"); err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("three redirects: %v", err)
	}
	asked.Store(0)
	if _, err := get(t, c, s.URL+"/9"); !errors.Is(err, ErrRedirects) || asked.Load() != 4 {
		t.Errorf("nine redirects: %v after %d requests", err, asked.Load())
	}
	for _, to := range []string{"http://10.0.0.1/", "http://169.254.169.254/", "file:///etc/passwd", "ftp://127.0.0.1/",
		"http://a:b@127.0.0.1/", "http://[::ffff:192.168.0.1]/"} {
		if _, err := get(t, c, s.URL+"/?to="+url.QueryEscape(to)); !errors.Is(err, ErrForbidden) {
			t.Errorf("a redirect to %s: %v, want ErrForbidden", to, err)
		}
	}
	none := Client(Options{AllowLoopback: true, UserAgent: UserAgent("1", "https://h.example")})
	if r, err := get(t, none, s.URL+"/1"); err != nil || r.StatusCode != http.StatusFound {
		t.Errorf("a client that follows none: %v", err)
	}
	asked.Store(0)
	if _, err := get(t, Client(Options{}), s.URL+"/0"); !errors.Is(err, ErrForbidden) || asked.Load() > 0 {
		t.Errorf("loopback in production: %v after %d requests", err, asked.Load())
	}
}

// A name server answers with a loopback address where a name had a public one before. The connection is refused.
func TestRebinding(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(s.Close)
	resolver := names(t, [4]byte{127, 0, 0, 1})
	addresses, err := resolver.LookupNetIP(t.Context(), "ip4", "rebind.example")
	if err != nil || len(addresses) != 1 || addresses[0].Unmap().String() != "127.0.0.1" {
		t.Fatalf("the name server answers %v, %v", addresses, err)
	}
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	open := Client(Options{AllowLoopback: true, Resolver: resolver})
	if _, err := get(t, open, "http://rebind.example"+port+"/"); err != nil || asked.Load() != 1 {
		t.Fatalf("where loopback is allowed: %v after %d requests", err, asked.Load())
	}
	for _, o := range []Options{{Resolver: resolver}, {Resolver: names(t, [4]byte{10, 1, 2, 3}), AllowLoopback: true}} {
		if _, err := get(t, Client(o), "http://rebind.example/"); !errors.Is(err, ErrForbidden) {
			t.Errorf("a name of a private address: %v, want ErrForbidden", err)
		}
	}
}

// names returns a resolver whose name server answers each question with one IPv4 address.
func names(t *testing.T, answer [4]byte) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		for buffer := make([]byte, 512); ; {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			m.Response, m.RCode, m.Additionals = true, dnsmessage.RCodeSuccess, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.AResource{A: answer},
				}}
			}
			if packed, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(packed, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("udp", server.LocalAddr().String()) //nolint:noctx // loopback
	}}
}

// The environment's proxy is not asked: it could reach what the client may not.
func TestNoProxy(t *testing.T) {
	t.Parallel()
	if c := Client(Options{}); c.Transport.(*transport).next.Proxy != nil || c.Jar != nil {
		t.Error("the client has a proxy or cookies")
	}
}

// A compressed body of any size is read up to the limit, and a body that never ends is left at the timeout.
func TestBodies(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := io.CopyN(z, zeros{}, 64<<20); err != nil {
		t.Fatal(err)
	}
	_ = z.Close()
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		case "/slow":
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-stop
		default:
			_, _ = io.WriteString(w, "small")
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(stop) })
	c := Client(Options{AllowLoopback: true})
	r, err := get(t, c, s.URL+"/bomb")
	if err != nil {
		t.Fatal(err)
	}
	if data, whole, err := Read(r.Body, 1000); len(data) != 1000 || whole || err != nil {
		t.Errorf("a bomb gives %d bytes, %v, %v", len(data), whole, err)
	}
	if r, err = get(t, c, s.URL+"/"); err != nil {
		t.Fatal(err)
	}
	if data, whole, err := Read(r.Body, 5); string(data) != "small" || !whole || err != nil {
		t.Errorf("a small body gives %q, %v, %v", data, whole, err)
	}
	if r, err = get(t, Client(Options{AllowLoopback: true, Timeout: 300 * time.Millisecond}), s.URL+"/slow"); err != nil {
		t.Fatal(err)
	}
	if _, whole, err := Read(r.Body, 5); whole || err == nil {
		t.Errorf("a body that never ends gives %v, %v", whole, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
