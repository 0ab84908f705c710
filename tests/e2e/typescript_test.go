package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// The TypeScript client fits the API: its types are those of the OpenAPI document, it compiles,
// and its own tests pass against this API.
func TestTypeScriptClient(t *testing.T) {
	testenv.Slow(t, "packages that it installs and builds")
	t.Parallel()
	dir := filepath.Join(testenv.Root(), "clients", "typescript")
	schema := func() string {
		text, err := os.ReadFile(filepath.Join(dir, "src", "schema.ts"))
		testenv.Must(t, err)
		return string(text)
	}
	e := newMediaEnv(t)
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HIBANA_URL="+e.url, "HIBANA_TOKENS="+signUp(t).token+","+signUp(t).token)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	run("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")
	before := schema()
	run("npm", "run", "generate")
	if schema() != before {
		t.Error("src/schema.ts is not made from api/openapi.json; it is now")
	}
	run("npm", "run", "build")
	run("npm", "test")
}
