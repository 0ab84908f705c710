package firebase

import (
	"archive/zip"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// firebase emulators:exec starts the emulators of firebase.json and .firebaserc, and tests pass
// against them: those of the rules, one of the API, and one that needs events, which come by
// listeners. One that injects faults is skipped. firebase-tools would download an emulator of its
// own. It gets the one that is here, so that the test needs no network.
func TestEmulatorsExec(t *testing.T) {
	t.Parallel()
	java, err := emulators.FirebaseJava(t.Context())
	if err != nil {
		t.Skip(err)
	}
	tools, err := emulators.Install(t.Context(), func(msg string) { t.Log(msg) })
	testenv.Must(t, err)
	jar, err := emulators.FindFirestoreJar(t.Context())
	testenv.Must(t, err)

	// The configuration of the repository, at ports that are free: others may run the same.
	dir := t.TempDir()
	for _, name := range []string{".firebaserc", "firestore.rules", "firestore.indexes.json", "storage.rules"} {
		content, err := os.ReadFile(filepath.Join(testenv.Root(), name))
		testenv.Must(t, err)
		testenv.Must(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	content, err := os.ReadFile(filepath.Join(testenv.Root(), "firebase.json"))
	testenv.Must(t, err)
	var config map[string]any
	testenv.Must(t, json.Unmarshal(content, &config))
	taken := map[int]bool{}
	for len(taken) < 5 {
		port, err := strconv.Atoi(testenv.FreePort(t))
		testenv.Must(t, err)
		taken[port] = true
	}
	ports := slices.Collect(maps.Keys(taken))
	part := config["emulators"].(map[string]any)
	for i, name := range []string{"auth", "firestore", "hub", "logging"} {
		if part[name] == nil {
			part[name] = map[string]any{"host": "127.0.0.1"}
		}
		part[name].(map[string]any)["port"] = ports[i]
	}
	part["firestore"].(map[string]any)["websocketPort"] = ports[4]
	content, err = json.Marshal(config)
	testenv.Must(t, err)
	testenv.Must(t, os.WriteFile(filepath.Join(dir, "firebase.json"), content, 0o600))

	script := filepath.Join(dir, "tests.sh")
	testenv.Must(t, os.WriteFile(script, []byte(`set -e
cd "`+testenv.Root()+`"
echo "Firestore is at $FIRESTORE_EMULATOR_HOST, Auth at $FIREBASE_AUTH_EMULATOR_HOST, the project is $GCLOUD_PROJECT"
go test -vet=off -count=1 ./tests/rules -run 'TestAccess$|TestPermissions$'
go test -vet=off -count=1 ./api -run 'TestTies$'
go test -vet=off -count=1 -v ./functions -run '^(TestSleepAndWake|TestHistories)$'
echo every test passed
`), 0o600))
	cmd := exec.CommandContext(t.Context(), filepath.Join(tools, "node_modules", ".bin", "firebase"), "emulators:exec",
		"--only", "auth,firestore", "sh "+script)
	cmd.Dir, cmd.WaitDelay = dir, 20*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it ends its emulators
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{testenv.FirestoreEnv, testenv.AuthEnv, testenv.EventsEnv}, name)
	})
	cmd.Env = append(cmd.Env, "FIRESTORE_EMULATOR_BINARY_PATH="+runnable(t, jar), "CI=1",
		"PATH="+filepath.Dir(java)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if text := string(out); err != nil || !strings.Contains(text, "every test passed") ||
		!strings.Contains(text, "the project is "+emulators.DefaultProject+"\n") {
		t.Fatalf("firebase emulators:exec: %v", err)
	}
	for _, want := range []string{"--- PASS: TestSleepAndWake ", "--- SKIP: TestHistories "} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q", want)
		}
	}
	if want := "Firestore is at 127.0.0.1:" + strconv.Itoa(ports[1]) + ", Auth at 127.0.0.1:" +
		strconv.Itoa(ports[0]); !strings.Contains(string(out), want) {
		t.Errorf("the tests are not told that %s", want)
	}
}

// runnable is a jar that java -jar runs: firebase-tools runs the emulator so, and that of the
// Google Cloud CLI names no class to begin with.
func runnable(t *testing.T, jar string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "firestore.jar")
	file, err := os.Create(path)
	testenv.Must(t, err)
	defer file.Close()
	z := zip.NewWriter(file)
	manifest, err := z.Create("META-INF/MANIFEST.MF")
	testenv.Must(t, err)
	lines := "Manifest-Version: 1.0\r\nMain-Class: com.google.cloud.datastore.emulator.firestore.CloudFirestore\r\n"
	for rest, begin := "Class-Path: file://"+jar, ""; rest != ""; begin = " " { // a line has 72 bytes at most
		n := min(len(rest), 70)
		lines, rest = lines+begin+rest[:n]+"\r\n", rest[n:]
	}
	_, err = manifest.Write([]byte(lines))
	testenv.Must(t, err)
	testenv.Must(t, z.Close())
	return path
}
