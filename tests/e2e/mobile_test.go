package e2e

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// The Kotlin client compiles without a warning, and its sample signs up, posts, reads home and
// understands a refusal.
func TestKotlinClient(t *testing.T) {
	testenv.Slow(t, "a compiler that it installs, and a minute of it")
	e, tools, away := newEnv(t), clientTools(t), t.TempDir()
	kotlin := filepath.Join(testenv.Root(), "clients", "kotlin")
	compiler := filepath.Join(tools, "node_modules", "kotlin-compiler", "lib")
	jars := strings.Join([]string{filepath.Join(compiler, "kotlin-stdlib.jar"),
		filepath.Join(compiler, "kotlinx-coroutines-core-jvm.jar")}, string(filepath.ListSeparator))
	run(t, away, nil, "java", "-Xmx1g", "-cp", filepath.Join(compiler, "kotlin-preloader.jar"),
		"org.jetbrains.kotlin.preloading.Preloader", "-cp", filepath.Join(compiler, "kotlin-compiler.jar"),
		"org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-Werror", "-cp", jars, "-d", "sample.jar",
		filepath.Join(kotlin, "src"), filepath.Join(kotlin, "sample"))
	out := run(t, away, []string{"API=" + e.url, "AUTH=http://" + testenv.AuthHost(t)},
		"java", "-cp", strings.Join([]string{"sample.jar", jars}, string(filepath.ListSeparator)), "SampleKt")
	for _, want := range []string{"home: Ann: Sparks \"fly\"", "火花 #hibana at 20", "error: 410 tweet_deleted: "} {
		if !strings.Contains(out, want) {
			t.Errorf("the sample did not say %q:\n%s", want, out)
		}
	}
}

// Every file of the Swift, Kotlin and Dart clients is of its language. No compiler of Swift or Dart
// can be installed by npm, so their types are not checked.
func TestMobileClientsParse(t *testing.T) {
	testenv.Slow(t, "parsers that it installs")
	tools := clientTools(t)
	args, count := []string{filepath.Join(tools, "parse.mjs")}, map[string]int{}
	for _, client := range []string{"swift", "kotlin", "dart"} {
		testenv.Must(t, filepath.WalkDir(filepath.Join(testenv.Root(), "clients", client),
			func(path string, of fs.DirEntry, err error) error {
				kind := filepath.Ext(path)
				if err == nil && !of.IsDir() && slices.Contains([]string{".swift", ".kt", ".kts", ".dart"}, kind) {
					args = append(args, path)
					count[kind]++
				}
				return err
			}))
	}
	if count[".swift"] < 5 || count[".kt"] < 5 || count[".dart"] < 5 {
		t.Fatalf("found %v", count)
	}
	run(t, tools, nil, "node", append([]string{"--liftoff-only"}, args...)...) // or V8 compiles the parsers for 10 s
}

// clientTools returns the folder of the compiler and the parsers, with its packages installed.
func clientTools(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(testenv.Root(), "clients", "tools")
	testenv.Must(t, emulators.InstallWeb(t.Context(), dir, nil))
	return dir
}
