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
		if code := p.exitCode(); code != 0 {
			t.Fatalf("exit status %d, want 0", code)
		}
		if text := p.out.String(); !strings.Contains(text, "Seeded 20 people") || strings.Contains(text, "No event runner") {
			t.Errorf("hibana seed prints:\n%s", text)
		}
		checkSeed(t, &client{api: "http://" + api, auth: "http://" + auth})
	}

	p := hibana(t, []string{authEnv + "=" + auth}, "seed", "--api-port="+port(t, api), "--auth-port=1", "--events-port="+freePort(t))
	if code := p.exitCode(); code != 0 {
		t.Errorf("without an event runner: exit status %d, want 0", code)
	}
	if !strings.Contains(p.out.String(), "No event runner answers") {
		t.Error("it does not say that nobody was waited for")
	}
	p = hibana(t, nil, "seed", "--api-port="+port(t, api), "--auth-port="+port(t, api))
	if code := p.exitCode(); code != 1 {
		t.Errorf("with the port of the API for the Auth emulator: exit status %d, want 1", code)
	}
	if !strings.Contains(p.errout.String(), "no Auth emulator answers at "+api) {
		t.Error("it does not say that there is no Auth emulator")
	}
	dev.signal(os.Interrupt)
	if code := dev.exitCode(); code != 0 {
		t.Errorf("hibana dev ends with status %d", code)
	}
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
		if code := p.exitCode(); code != 1 {
			t.Errorf("%s: exit status %d, want 1", test.name, code)
		}
		for _, text := range append(test.want, "no API of Hibana answers at 127.0.0.1:"+test.port, "hibana dev", "--api-port") {
			if !strings.Contains(p.errout.String(), text) {
				t.Errorf("%s: no word of %q", test.name, text)
			}
		}
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
