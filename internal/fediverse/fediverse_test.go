package fediverse_test

import (
	"testing"

	"github.com/hibana-sns/hibana/internal/fediverse"
)

// Servers refuse a name with a port: GoToSocial does not take an actor with one.
func TestOwnName(t *testing.T) {
	t.Parallel()
	for of, want := range map[fediverse.Site]string{
		{URL: "https://hibana.example"}:                        "hibana.example",
		{URL: "http://127.0.0.1:8000"}:                         "127.0.0.1",
		{URL: "https://social.example", Domain: "example.com"}: "example.com",
	} {
		if got := of.OwnName(); got != want {
			t.Errorf("%+v is called %q, want %q", of, got, want)
		}
	}
}
