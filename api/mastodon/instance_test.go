package mastodon_test

import (
	"bytes"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// Connections go to the process and not to the address of the pages: Firebase Hosting brings no WebSockets, and events
// at the end alone.
func TestStreamingAddress(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams, func(o *api.Options) { o.PublicURL = "https://pages.example" })
	var v2 struct {
		Domain        string
		Configuration struct{ URLs struct{ Streaming string } }
	}
	e.ask(t, person{}, "GET /api/v2/instance", nil).want(t, http.StatusOK, &v2)
	var v1 struct {
		URLs struct {
			Streaming string `json:"streaming_api"`
		}
	}
	e.ask(t, person{}, "GET /api/v1/instance", nil).want(t, http.StatusOK, &v1)
	at := "ws" + strings.TrimPrefix(e.url, "http")
	same(t, "addresses", []string{v2.Domain, v2.Configuration.URLs.Streaming, v1.URLs.Streaming},
		[]string{"pages.example", at, at})
}

// An installation says what clients ask for first, also without a token, and then for caches.
func TestInstance(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	root := e.join(t, "ruth").as("admin")
	e.ask(t, root, "PATCH /v1/admin/instance", map[string]any{"name": "Fireworks", "rules": []string{"Be kind"},
		"description": "**Sparks**", "languages": []string{"ja"}, "contactUser": root.id, "terms": "No fire"}).
		want(t, http.StatusOK, nil)
	var i struct {
		Title, Version string
		Configuration  struct {
			Statuses struct {
				Most    int `json:"max_characters"`
				Address int `json:"characters_reserved_per_url"`
			}
		}
		Contact       struct{ Account struct{ Acct string } }
		Rules         []struct{ Text string }
		Registrations struct{ Enabled bool }
	}
	e.ask(t, root, "GET /api/v2/instance", nil).want(t, http.StatusOK, &i)
	if i.Title != "Fireworks" || !strings.HasPrefix(i.Version, "4.5.0 (compatible; Hibana ") ||
		i.Configuration.Statuses.Most != 65_535 || i.Contact.Account.Acct != "ruth" ||
		len(i.Rules) != 1 || i.Rules[0].Text != "Be kind" || !i.Registrations.Enabled {
		t.Errorf("the instance is %+v", i)
	}
	// as apps count: an address for so many characters
	address := "https://a.example/"
	address += strings.Repeat("b", i.Configuration.Statuses.Address-len(address))
	text := strings.Repeat("a", i.Configuration.Statuses.Most-len(address)-1) + " " + address
	e.ask(t, root, "POST "+statuses, map[string]any{"status": text}).want(t, http.StatusOK, nil)
	e.ask(t, root, "POST "+statuses, map[string]any{"status": "a" + text}).want(t, http.StatusUnprocessableEntity, nil)
	v1, err := root.GetInstance(t.Context())
	testenv.Must(t, err)
	same(t, "users", v1.Stats.UserCount >= 0 && v1.Title == "Fireworks", true)
	for _, path := range []string{"/api/v1/instance", "/api/v2/instance", "/api/v1/instance/rules",
		"/api/v1/instance/terms_of_service", "/avatars/original/missing.png", "/headers/original/missing.png",
		"/avatars/missing.png", "/headers/missing.png"} {
		a := e.ask(t, person{}, "GET "+path, nil).want(t, http.StatusOK, nil)
		if got := a.Header.Get("Cache-Control"); !strings.HasPrefix(got, "public, max-age=") {
			t.Errorf("caches get %q of %s", got, path)
		}
		if strings.HasSuffix(path, ".png") {
			if _, err := png.Decode(bytes.NewReader(a.text)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if got := e.ask(t, root, "GET /api/v2/instance", nil).Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("caches get %q of an answer for one caller", got)
	}
}
