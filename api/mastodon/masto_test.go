package mastodon_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/model"
)

// withoutMasto says why masto.js cannot call methods that are here.
var withoutMasto = func() map[string]string {
	const (
		newer  = "of a Mastodon that is newer than its types"
		older  = "of a Mastodon that is older than its types"
		patch  = "it sends PUT"
		stream = "it hears by a WebSocket alone"
		login  = "it leaves the sign-in to the app"
	)
	all := map[string]string{
		"GET /.well-known/oauth-authorization-server":                login,
		"GET /oauth/userinfo":                                        login,
		"POST /oauth/userinfo":                                       login,
		"GET /api/v1/instance/rules":                                 "it reads them from the instance",
		"GET /api/v1/instance/terms_of_service":                      newer,
		"GET /api/v1/instance/terms_of_service/:date":                newer,
		"DELETE /api/v1/media/:id":                                   newer,
		"PUT /api/v1/statuses/:id/interaction_policy":                newer,
		"POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke": newer,
		"POST /api/v1/notifications/dismiss":                         older,
		"GET /api/v1/notifications/policy":                           older,
		"PATCH /api/v1/notifications/policy":                         older,
		"PUT /api/v1/notifications/policy":                           older + ": that of masto.js 6 has it",
		"GET /api/v1/trends":                                         older,
		"GET /api/v2/admin/accounts":                                 "it has that of v1",
		"PATCH /api/v1/profile":                                      patch,
		"PATCH /api/v2/notifications/policy":                         patch,
	}
	for _, m := range mastodon.Methods() {
		if strings.HasPrefix(m.Path, "/api/v1/streaming/") {
			all[m.Name()] = stream
		}
	}
	return all
}()

// masto.js calls every method that it has. What it asserts is in tests/e2e/testdata/masto/every.mjs, which compares
// what was called with the types of masto.js.
func TestMastoMethods(t *testing.T) {
	testenv.Slow(t, "packages that it installs")
	const dir = "../../tests/e2e/testdata/masto"
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, nil))
	w := newWorld(t, streams)
	w.ask(t, w.people["ruth"], "PATCH /v1/admin/instance", map[string]any{"languages": []string{"ja"}}).
		want(t, http.StatusOK, nil)
	// The role of who lets an app in is that at Auth.
	testenv.Must(t, accounts.New(emulators.DefaultProject).SetRole(t.Context(), model.UserID(w.people["ruth"].id),
		model.RoleAdministrator, true))
	tokens := map[string]string{}
	for _, name := range []string{"ann", "bob", "cid", "ruth"} {
		tokens[name] = w.people[name].token
	}
	world, err := json.Marshal(map[string]any{"tokens": tokens, "ids": w.ids, "picture": picture(),
		"keys": subscription()["keys"]})
	testenv.Must(t, err)
	cmd := exec.CommandContext(t.Context(), "node", "--experimental-websocket", "--import", "./node20.mjs", "every.mjs")
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(os.Environ(), "HIBANA_URL="+w.url, "HIBANA_WORLD="+string(world)),
		10*time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var sent struct{ Here, Off []string }
	testenv.Must(t, json.Unmarshal([]byte(lines[len(lines)-1]), &sent))
	t.Log(strings.Join(lines[:len(lines)-1], "\n"))
	here := &driven{}
	for _, what := range sent.Here {
		verb, path, _ := strings.Cut(what, " ")
		here.request(verb, path)
	}
	here.request("GET", "/api/v1/streaming") // a WebSocket, by which streams heard
	for _, what := range sent.Off {
		verb, path, _ := strings.Cut(what, " ")
		if m, ok := methodOf(verb, path); ok && m.Works() {
			t.Errorf("%s is here: every-off.mjs does not assert what it answers", what)
		}
	}
	here.lacks(t, withoutMasto)
	here.compare(t, "masto.txt")
}
