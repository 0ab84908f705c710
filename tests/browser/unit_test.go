package browser

import (
	"path/filepath"
	"testing"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// The state of the web client, which has no page of its own, does what web/unit says.
func TestUnit(t *testing.T) {
	dir := filepath.Join(testenv.Root(), "web")
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, func(msg string) { t.Log(msg) }))
	run(t, dir, []string{"CI=1"}, "npm", "run", "unit")
}
