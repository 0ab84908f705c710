package e2e

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/internal/idtoken"
	"github.com/hibana-sns/hibana/store"
)

// journalOfAll is the log of all services.
type journalOfAll struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *journalOfAll) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// The logs of the API and of the functions name nobody and repeat nothing that people
// wrote, sent or are.
func TestLogsNameNobody(t *testing.T) {
	t.Parallel()
	testenv.AuthHost(t)
	logs := &journalOfAll{}
	log := gcplog.New(logs, slog.LevelDebug)
	s := stacktest.Run(t, stack.Options{Log: log, Store: store.Options{
		WriteEvery: 10 * time.Millisecond, FlushAfter: 10 * time.Millisecond, Log: log,
	}})
	verifier, err := idtoken.New(t.Context(), emulators.DefaultProject)
	testenv.Must(t, err)
	served := httptest.NewServer(api.New(api.Options{
		Stores: wiring.API(s.Store),
		Options: server.Options{
			Verifier: verifier, Log: log, PageTokenKey: []byte("thirty-two bytes for page tokens"), Project: "demo",
		},
	}))
	t.Cleanup(served.Close)
	e := &env{stack: s, url: served.URL}

	one, two := testenv.SignUp(t, ""), testenv.SignUp(t, "")
	ann, ben := person{id: one.UID, token: one.IDToken}, person{id: two.UID, token: two.IDToken}
	header := []string{"X-Forwarded-For", "203.0.113.77, 2001:db8::77", "User-Agent", "zorilla-agent", "Idempotency-Key",
		"zorilla-key", "Cookie", "zorilla=cookie", "Referer", "https://zorilla.example.com"}
	for i, p := range []person{ann, ben} {
		name := []string{"zorilla_a", "zorilla_b"}[i]
		e.do(t, p, "POST /v1/users", map[string]any{"username": name, "nickname": "Zorilla Nick",
			"introduction": "zorilla intro"}, header...).want(t, http.StatusCreated, nil)
	}
	e.do(t, ben, "PUT /v1/users/"+ann.id+"/follow", nil, header...)
	var made tweet
	e.do(t, ann, "POST /v1/tweets", map[string]any{"content": "zorilla words #zorillatag", "summary": "zorilla summary",
		"tags": []string{"zorillatag"}}, header...).want(t, http.StatusCreated, &made)
	e.do(t, ben, "POST /v1/tweets", map[string]any{"content": "zorilla reply", "replyTo": made.ID}).
		want(t, http.StatusCreated, nil)
	e.do(t, ben, "PUT /v1/tweets/"+made.ID+"/like", nil, header...)
	e.do(t, ann, "PATCH /v1/users/me", map[string]any{"nickname": "Zorilla Renamed"}, header...).
		want(t, http.StatusOK, nil)
	e.idle(t)
	for _, request := range []string{
		"GET /v1/usernames/zorilla_a", "GET /v1/usernames/zorilla_missing", "GET /v1/tags/zorillatag",
		"GET /v1/tags/zorillatag/tweets", "GET /v1/timeline",
		"GET /v1/users/me", "GET /v1/users/me/tweets?pageToken=zorilla", "GET /zorilla/zorilla?zorilla=zorilla",
		"POST /v1/tweets",
	} {
		e.do(t, ben, request, nil, header...)
	}
	e.do(t, person{token: "zorilla.zorilla.zorilla"}, "GET /v1/tags", nil).want(t, http.StatusUnauthorized, nil)
	e.do(t, ann, "DELETE /v1/tweets/"+made.ID, nil).want(t, http.StatusNoContent, nil)
	e.idle(t)

	logs.mu.Lock()
	defer logs.mu.Unlock()
	text := strings.ToLower(logs.b.String())
	for _, there := range []string{`"message":"request"`, `"message":"event handled"`, `"function":"tweetchanged"`,
		`"user":"`, `"code":"username_not_found"`} {
		if !strings.Contains(text, there) {
			t.Errorf("the log lacks %s", there)
		}
	}
	for _, secret := range []string{
		"zorilla", "203.0.113.77", "2001:db8", "127.0.0.1", one.IDToken, two.IDToken, one.Email, two.Email, ann.id, ben.id,
	} {
		for line := range strings.Lines(text) {
			if strings.Contains(line, strings.ToLower(secret)) {
				t.Errorf("the log holds %q: %s", secret, line)
			}
		}
	}
}
