package config

import (
	"maps"
	"strings"
	"testing"
)

// The fediverse needs an address and a key, and each mistake has its sentence.
func TestFederation(t *testing.T) {
	t.Parallel()
	const kms = "projects/p/locations/l/keyRings/r/cryptoKeys/k"
	on := map[string]string{"FEDERATION": "on", "PUBLIC_URL": "https://hibana.example", "ACTOR_KEY": key}
	with := func(more map[string]string) map[string]string {
		all := maps.Clone(on)
		maps.Copy(all, more)
		return all
	}
	tests := []struct {
		environment map[string]string
		want        string // a part of the mistake; empty for none
	}{
		{on, ""},
		{with(map[string]string{"FEDERATION": "allow"}), ""},
		{nil, ""},
		{map[string]string{"FEDERATION": "yes"}, "none of off, on and allow"},
		{map[string]string{"FEDERATION": "on", "ACTOR_KEY": key}, "PUBLIC_URL is not set"},
		{with(map[string]string{"ACTOR_KEY": ""}), "neither ACTOR_KEY nor KMS_KEY"},
		{with(map[string]string{"ACTOR_KEY": "", "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"}), ""},
		{with(map[string]string{"ACTOR_KEY": "", "KMS_KEY": kms}), ""},
		{with(map[string]string{"KMS_KEY": "k"}), "KMS_KEY"},
		{with(map[string]string{"ACTOR_KEY": "short"}), "ACTOR_KEY has 5 bytes"},
		{with(map[string]string{"PUBLIC_URL": "http://hibana.example", "K_SERVICE": "api", "PAGE_TOKEN_KEY": key}),
			"not https"},
		{with(map[string]string{"HANDLE_DOMAIN": "example.com", "SIGNED_FETCH": "true", "SINGLE_USER": "ann"}), ""},
		{with(map[string]string{"HANDLE_DOMAIN": "https://example.com"}), "HANDLE_DOMAIN"},
		{with(map[string]string{"HANDLE_DOMAIN": "Example.com"}), "HANDLE_DOMAIN"},
		{map[string]string{"HANDLE_DOMAIN": "example.com"}, "FEDERATION is not on"},
		{map[string]string{"SIGNED_FETCH": "true"}, "FEDERATION is not on"},
		{map[string]string{"SINGLE_USER": "ann"}, ""},
		{map[string]string{"SINGLE_USER": "admin"}, "SINGLE_USER"},
	}
	for _, tt := range tests {
		environment := map[string]string{"GOOGLE_CLOUD_PROJECT": "p"}
		maps.Copy(environment, tt.environment)
		c, err := ReadAPI(environment)
		switch {
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%v: %v, want %q", tt.environment, err, tt.want)
		case err != nil && strings.Contains(err.Error(), key):
			t.Errorf("%v: the error has the key", tt.environment)
		case err == nil && c.Federates() != (environment["FEDERATION"] != ""):
			t.Errorf("%v: Federates() = %v", tt.environment, c.Federates())
		}
	}
}
