package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// hibana seed fills what another process runs, and what it says is there when it ends.
func TestSeed(t *testing.T) {
	t.Parallel()
	dev := hibana(t, nil, append([]string{"dev", "--quiet"}, anyPort...)...)
	out := dev.waitFor("Ctrl-C stops everything")
	api, auth, events := address(t, out, "API"), address(t, out, "Auth"), address(t, out, "Events")
	for range 2 { // the second time changes nothing
		p := hibana(t, nil, "seed", "--api-port="+port(t, api), "--auth-port="+port(t, auth), "--events-port="+port(t, events))
		p.ends(0)
		wantText(t, p.out.String(), "Seeded 20 people")
		if strings.Contains(p.out.String(), "No event runner") {
			t.Error("it did not wait for the event runner")
		}
		checkSeed(t, &client{api: "http://" + api, auth: "http://" + auth})
	}

	p := hibana(t, []string{authEnv + "=" + auth}, "seed", "--api-port="+port(t, api), "--auth-port=1", "--events-port="+freePort(t))
	p.ends(0)
	wantText(t, p.out.String(), "No event runner answers")
	p = hibana(t, nil, "seed", "--api-port="+port(t, api), "--auth-port="+port(t, api))
	p.ends(1)
	wantText(t, p.errout.String(), "no Auth emulator answers at "+api)
	dev.signal(os.Interrupt)
	dev.ends(0)
}

func TestSeedNothingRuns(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	tests := []struct {
		name, port string
		want       []string
	}{
		{"nothing", freePort(t), []string{"connection refused"}},
		{"another server", port(t, strings.TrimPrefix(other.URL, "http://")), []string{"something else", "404"}},
	}
	for _, test := range tests {
		p := hibana(t, nil, "seed", "--api-port="+test.port)
		p.ends(1)
		wantText(t, p.errout.String(), append(test.want, "no API of Hibana answers at 127.0.0.1:"+test.port, "hibana dev", "--api-port")...)
		if out := p.out.String(); out != "" {
			t.Errorf("%s: it began all the same:\n%s", test.name, out)
		}
	}
}

// port is that of host:port.
func port(t *testing.T, addr string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return port
}
