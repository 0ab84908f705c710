package main

import (
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/internal/config"
)

// The keys that the command prints are those that a service takes.
func TestVAPID(t *testing.T) {
	t.Parallel()
	p := hibana(t, nil, "vapid")
	p.ends(0)
	environment := map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "VAPID_CONTACT": "ops@example.com"}
	for line := range strings.Lines(p.out.String()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		environment[name] = value
	}
	cfg, err := config.ReadService(environment)
	if err != nil || cfg.VAPIDPrivateKey == "" || cfg.VAPIDPublicKey == "" {
		t.Errorf("a service with %q: %v, %v", p.out.String(), cfg, err)
	}
}
