package e2e

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// The TypeScript client fits the API: its types are those of the OpenAPI document, it compiles,
// and its own tests pass against this API.
func TestTypeScriptClient(t *testing.T) {
	testenv.Slow(t, "packages that it installs and builds")
	dir := typeScriptClient(t)
	schema := func() string {
		text, err := os.ReadFile(filepath.Join(dir, "src", "schema.ts"))
		testenv.Must(t, err)
		return string(text)
	}
	e := newMediaEnv(t)
	before := schema()
	run(t, dir, nil, "npm", "run", "generate")
	if schema() != before {
		t.Error("src/schema.ts is not made from api/openapi.json; it is now")
	}
	run(t, dir, []string{"HIBANA_URL=" + e.url, "HIBANA_TOKENS=" + signUp(t).token + "," + signUp(t).token}, "npm", "test")
}

// The package works where the repository is not: it is packed and installed in an empty folder,
// the program of its README compiles there with both ways to find modules, and runs against this API.
func TestTypeScriptPackage(t *testing.T) {
	testenv.Slow(t, "packages that it installs and builds")
	dir, web := typeScriptClient(t), filepath.Join(testenv.Root(), "web")
	testenv.Must(t, emulators.InstallWeb(t.Context(), web, nil))
	away := t.TempDir()
	run(t, dir, nil, "npm", "pack", "--silent", "--pack-destination", away)
	write := func(name, text string) {
		testenv.Must(t, os.WriteFile(filepath.Join(away, name), []byte(text), 0o644))
	}
	write("package.json", `{"name":"away","private":true,"type":"module"}`)
	packed, err := filepath.Glob(filepath.Join(away, "*.tgz"))
	if err != nil || len(packed) != 1 {
		t.Fatalf("npm pack made %q, %v", packed, err)
	}
	// --legacy-peer-deps: Firebase is there already, with the web client.
	run(t, away, nil, "npm", "install", "--prefer-offline", "--legacy-peer-deps", "--no-audit", "--no-fund", packed[0])
	testenv.Must(t, os.Symlink(filepath.Join(web, "node_modules", "firebase"),
		filepath.Join(away, "node_modules", "firebase")))
	for _, name := range []string{"LICENSE", "README.md", "dist/index.d.ts"} {
		if _, err := os.Stat(filepath.Join(away, "node_modules", "@hibana", "client", name)); err != nil {
			t.Error(err)
		}
	}

	e := newEnv(t)
	program := sample(t, filepath.Join(dir, "README.md"), "ts")
	host, port, err := net.SplitHostPort(testenv.FirestoreHost(t))
	testenv.Must(t, err)
	for _, change := range [][2]string{
		{`"http://127.0.0.1:8000"`, `"` + e.url + `"`},
		{`"http://127.0.0.1:9099"`, `"http://` + testenv.AuthHost(t) + `"`},
		{`"127.0.0.1", 8080`, `"` + host + `", ` + port},
		{`"demo-hibana"`, `"` + e.stack.Project + `"`},
	} {
		program = swap(t, program, change[0], change[1])
	}
	write("sample.ts", program+"\nawait firestore.terminate(db);\nconsole.log('the sample ran');\n")
	write("rest.ts", `import { matchFilters } from "@hibana/client/filters";
import { upload, UploadError } from "@hibana/client/upload";
import type { components } from "@hibana/client/schema";
import { createClient, type Tweet } from "@hibana/client";

const hibana = createClient({ baseUrl: "https://api.example.com" });
export const same: (tweet: Tweet) => components["schemas"]["Tweet"] = (tweet) => tweet;
export const all = [matchFilters, upload, UploadError];
// @ts-expect-error: there is no such path
await hibana.GET("/v1/nothing", {});
// @ts-expect-error: the content of a tweet is a text
await hibana.POST("/v1/tweets", { body: { content: 1 } });
`)
	tsc := filepath.Join(dir, "node_modules", "typescript", "bin", "tsc")
	for _, flags := range [][]string{
		{"--module", "esnext", "--moduleResolution", "bundler", "--noEmit"},
		{"--module", "node16", "--moduleResolution", "node16"},
	} {
		flags = append([]string{tsc, "--strict", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"}, flags...)
		run(t, away, nil, "node", append(flags, "rest.ts")...)
		run(t, away, nil, "node", append(flags, "sample.ts", "--skipLibCheck")...) // Firebase's own types need newer ones
	}
	if out := run(t, away, nil, "node", "sample.js"); !strings.Contains(out, "Ann Sparks fly #hibana") ||
		!strings.Contains(out, "too late") || !strings.Contains(out, "the sample ran") {
		t.Errorf("the sample said\n%s", out)
	}
}

// typeScriptClient returns the folder of the TypeScript client, with its packages installed.
// Callers are not parallel, because npm writes there.
func typeScriptClient(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(testenv.Root(), "clients", "typescript")
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, nil))
	return dir
}

// run runs a program in a folder with some variables, and returns what the program said. A failure
// ends the test, and so do 15 minutes.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 10 * time.Second
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// sample returns the blocks of a language in a document, as one program.
func sample(t *testing.T, path, language string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	testenv.Must(t, err)
	var program strings.Builder
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		program.WriteString(block[1])
	}
	if program.Len() == 0 {
		t.Fatalf("%s has no sample", path)
	}
	return program.String()
}

// swap replaces what must stand in a text.
func swap(t *testing.T, text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("the sample has no %s", from)
	}
	return strings.ReplaceAll(text, from, to)
}
