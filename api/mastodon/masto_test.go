package mastodon_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// withoutMasto says why masto.js cannot call methods that are here.
var withoutMasto = map[string]string{}

// masto.js calls every method that it has. What it asserts is in tests/e2e/testdata/masto/every.mjs, which compares what
// was called with the types of masto.js.
func TestMasto(t *testing.T) {
	testenv.Slow(t, "packages that it installs")
	const dir = "../../tests/e2e/testdata/masto"
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, nil))
	w := newWorld(t, streams)
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
	works := map[string]bool{}
	for _, m := range mastodon.Methods() {
		works[m.Name()] = m.Works()
	}
	for _, what := range sent.Off {
		verb, path, _ := strings.Cut(what, " ")
		if works[methodOf(verb, path)] {
			t.Errorf("%s is here: every-off.mjs does not assert what it answers", what)
		}
	}
	here.lacks(t, withoutMasto)
	here.compare(t, "masto.txt")
}
