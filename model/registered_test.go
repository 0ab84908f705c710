package model_test

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/model"
)

func TestRegisteredDomain(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{"far.example": "far.example", "a.b.far.example": "far.example",
		"a.far.co.uk": "far.co.uk", "a.far.example:8443": "far.example", "127.0.0.1:8080": "127.0.0.1:8080",
		"[::1]:80": "[::1]:80", "localhost": "localhost", "localhost:1": "localhost", "": "", "co.uk": "co.uk"} {
		if got := model.RegisteredDomain(host); got != want {
			t.Errorf("RegisteredDomain(%q) = %q, want %q", host, got, want)
		}
	}
}

// The part of an id in the name of somebody whose handle is another's has 64 bits at least.
func TestOtherUsername(t *testing.T) {
	t.Parallel()
	uid := model.RemoteUserID("https://far.example/users/bob")
	for _, name := range []string{"bob", strings.Repeat("b", model.MaxRemoteName)} {
		got := model.OtherUsername(name+"@far.example", uid)
		short, host, _ := strings.Cut(got, "@")
		if _, err := model.RemoteUsername(short, host); err != nil {
			t.Errorf("%s: %v", got, err)
		}
		if part := short[strings.LastIndex(short, "-")+1:]; len(part) < 16 || !strings.Contains(string(uid), part) {
			t.Errorf("%s has %q of %s", got, part, uid)
		}
	}
}
