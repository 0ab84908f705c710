package emulators

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const signUpPath = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"

func TestFirestore(t *testing.T) {
	t.Parallel()
	rules := filepath.Join(t.TempDir(), "firestore.rules")
	const closed = `rules_version = '2'; service cloud.firestore { match /{path=**} { allow read: if false; } }`
	if err := os.WriteFile(rules, []byte(closed), 0o644); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	p, err := StartFirestore(t.Context(), FirestoreOptions{RulesFile: rules, Log: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("ready after %v", time.Since(begun))
	docs := "http://" + p.Addr() + "/v1/projects/p/databases/(default)/documents/things"
	if got := status(t, http.MethodGet, docs+"/a", ""); got != http.StatusForbidden {
		t.Errorf("read against the rules: status %d, want 403", got)
	}
	if got := status(t, http.MethodPost, docs, "owner"); got != http.StatusOK {
		t.Errorf("write by the owner: status %d, want 200", got)
	}
	checkStop(t, p)
}

func TestAuth(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	if _, err := Install(t.Context(), func(msg string) { t.Log(msg) }); err != nil {
		t.Fatal(err)
	}
	t.Logf("installed after %v", time.Since(begun))

	// The test starts two at once, because stacks of several checkouts run side by side.
	var started []*Process
	defer func() {
		for _, p := range started {
			checkStop(t, p)
		}
	}()
	for range 2 {
		begun = time.Now()
		p, err := StartAuth(t.Context(), AuthOptions{Log: t.Output()})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("ready after %v", time.Since(begun))
		started = append(started, p)
		url := "http://" + p.Addr() + signUpPath
		for _, test := range []struct {
			body string
			want int
		}{
			{`{"email":"a@example.com","password":"secret1"}`, http.StatusOK},
			{`{"email":"a@example.com","password":"secret1"}`, http.StatusBadRequest}, // taken
			{`{"email":["b"],"password":"secret1"}`, http.StatusBadRequest},           // against the schema
		} {
			resp, err := http.Post(url, "application/json", strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != test.want {
				t.Errorf("sign-up with %s: status %d, want %d", test.body, resp.StatusCode, test.want)
			}
		}
	}
}

// checkStop stops p and checks that its port is free and its process group gone.
func checkStop(t *testing.T, p *Process) {
	t.Helper()
	select {
	case <-p.Done():
		t.Fatal(p.Err())
	default:
	}
	if err := p.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := listenable(p.Addr()); err != nil {
		t.Errorf("%s after Stop: %v, want it free", p.Addr(), err)
	}
	if err := syscall.Kill(-p.pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("signal to the process group after Stop: %v, want %v", err, syscall.ESRCH)
	}
}

func status(t *testing.T, method, url, bearer string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	tests := []struct {
		flag  string
		start func() (*Process, error)
	}{
		{FirestorePortFlag, func() (*Process, error) { return StartFirestore(t.Context(), FirestoreOptions{Port: port}) }},
		{AuthPortFlag, func() (*Process, error) { return StartAuth(t.Context(), AuthOptions{Port: port}) }},
	}
	for _, test := range tests {
		_, err := test.start()
		if _, ok := errors.AsType[*PortInUseError](err); !ok {
			t.Errorf("error = %v, want a *PortInUseError", err)
			continue
		}
		for _, want := range []string{l.Addr().String(), test.flag, "address already in use"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error = %q, want it to contain %q", err, want)
			}
		}
	}
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	_, err := StartFirestore(t.Context(), FirestoreOptions{RulesFile: "/nowhere/firestore.rules"})
	if err == nil || !strings.Contains(err.Error(), "/nowhere/firestore.rules (No such file or directory)") {
		t.Errorf("error = %v, want the last output of the emulator", err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := StartFirestore(ctx, FirestoreOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("StartFirestore = %v, want %v", err, context.Canceled)
	}
	if _, err := StartAuth(ctx, AuthOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("StartAuth = %v, want %v", err, context.Canceled)
	}
}

func TestNeverReady(t *testing.T) {
	t.Parallel()
	addr, err := choosePort("shell", "", DefaultHost, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, alive := startShell(t, "echo still loading; echo up >&3; exec sleep 1000")
	p.addr = addr
	waitFor(t, alive, "up\n")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("too late"))
	err = p.waitReady(ctx, func([]byte) bool { return true })
	if err == nil || !strings.Contains(err.Error(), "too late") || !strings.Contains(err.Error(), "still loading") {
		t.Errorf("waitReady = %v, want the cause and the last output", err)
	}
	if rest, err := io.ReadAll(alive); err != nil || len(rest) > 0 {
		t.Errorf("ReadAll = %q, %v, want nothing but the end", rest, err)
	}
}

// setTools leaves only the given commands to be found; each is a script that prints a line.
func setTools(t *testing.T, commands map[string]string) {
	dir := t.TempDir()
	for name, line := range commands {
		script := fmt.Sprintf("#!/bin/sh\necho '%s'\n", line)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	for _, name := range []string{"JAVA_HOME", "HIBANA_FIRESTORE_JAR", "FIREBASE_EMULATORS_PATH", "CLOUDSDK_ROOT"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
}

func TestMissing(t *testing.T) {
	tests := []struct {
		name     string
		commands map[string]string
		want     []string // of the messages, in order
	}{
		{"nothing there", nil, []string{
			"Java 11 or newer is missing: the Firestore emulator runs on it, and there is no java",
			"Node.js 20 or newer is missing: the Auth emulator runs on it, and there is no node",
			"npm is missing",
		}},
		{"too old", map[string]string{"java": `java version "1.8.0_392"`, "node": "v18.20.1", "npm": "9.2.0"}, []string{
			"is Java 8; install it with:",
			`is version "v18.20.1"; install it with:`,
		}},
		{"new enough", map[string]string{"java": `openjdk version "21" 2023-09-19`, "node": "v22.1.0", "npm": "11.0.0"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			setTools(t, test.commands)
			t.Setenv("HIBANA_FIRESTORE_JAR", os.Args[0]) // any file, because the real emulator may be installed on this machine
			missing := Missing(t.Context())
			if len(missing) != len(test.want) {
				t.Fatalf("Missing = %v, want %d", missing, len(test.want))
			}
			for i, m := range missing {
				if !strings.Contains(m.Error(), test.want[i]) || !strings.Contains(m.Error(), "\n    "+m.Install[0]) {
					t.Errorf("message = %q, want %q and a command", m, test.want[i])
				}
			}
		})
	}
}

// Java 17 runs the Firestore emulator, and firebase-tools asks for 21. What installs the one
// may not install the other.
func TestFirebaseJava(t *testing.T) {
	setTools(t, map[string]string{"java": `openjdk version "17.0.15" 2025-04-15`})
	if _, err := findJava(t.Context()); err != nil {
		t.Error(err)
	}
	_, err := FirebaseJava(t.Context())
	m, ok := errors.AsType[*MissingTool](err)
	if !ok || m.Name != "Java 21 or newer" || !strings.HasSuffix(m.Install[0], " openjdk-21-jre-headless") ||
		!strings.Contains(m.Why, "is Java 17") {
		t.Errorf("FirebaseJava on Java 17 = %v", err)
	}
	setTools(t, nil)
	_, err = findJava(t.Context())
	if m, ok := errors.AsType[*MissingTool](err); !ok || !strings.HasSuffix(m.Install[0], " default-jre-headless") {
		t.Errorf("findJava = %v", err)
	}
}

func TestStartWithoutTools(t *testing.T) {
	setTools(t, nil)
	t.Setenv("HIBANA_FIRESTORE_JAR", os.Args[0])
	_, firestore := StartFirestore(t.Context(), FirestoreOptions{})
	_, auth := StartAuth(t.Context(), AuthOptions{})
	_, install := Install(t.Context(), nil)
	for want, err := range map[string]error{"Java": firestore, "Node.js": auth, "Node.js 20": install} {
		if m, ok := errors.AsType[*MissingTool](err); !ok || !strings.HasPrefix(m.Name, want) {
			t.Errorf("error = %v, want a *MissingTool for %s", err, want)
		}
	}
}

func TestFindFirestoreJar(t *testing.T) {
	setTools(t, nil)
	jar := func(path ...string) string {
		file := filepath.Join(path...)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	sdk := t.TempDir()
	check := func(want string, roots ...string) {
		t.Helper()
		if got, err := findFirestoreJar(t.Context(), roots); err != nil || got != want {
			t.Errorf("findFirestoreJar(%q) = %q, %v, want %q", roots, got, err, want)
		}
	}

	_, err := findFirestoreJar(t.Context(), []string{sdk})
	if _, ok := errors.AsType[*MissingTool](err); !ok {
		t.Fatalf("error = %v, want a *MissingTool", err)
	}
	for _, want := range []string{"apt-get install --yes google-cloud-cli-firestore-emulator",
		"gcloud components install cloud-firestore-emulator", "npx firebase-tools@15.34.2 setup:emulators:firestore"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error = %q, want it to contain %q", err, want)
		}
	}

	// Each place comes before the places that were filled earlier.
	asked := t.TempDir()
	inAsked := jar(asked, "platform/cloud-firestore-emulator/cloud-firestore-emulator.jar")
	setTools(t, map[string]string{"gcloud": asked})
	check(inAsked, sdk)
	cache := filepath.Join(os.Getenv("HOME"), ".cache/firebase/emulators")
	jar(cache, "cloud-firestore-emulator-v1.9.0.jar")
	check(jar(cache, "cloud-firestore-emulator-v1.19.8.jar"), sdk)
	check(jar(sdk, "platform/cloud-firestore-emulator/cloud-firestore-emulator.jar"), sdk)
	named := jar(t.TempDir(), "mine.jar")
	t.Setenv("HIBANA_FIRESTORE_JAR", named)
	check(named, sdk)
	os.Remove(named)
	if _, err := findFirestoreJar(t.Context(), []string{sdk}); err == nil || !strings.Contains(err.Error(), named) {
		t.Errorf("error = %v, want it to name %s", err, named)
	}
}

func TestJavaVersion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		out  string
		want int
	}{
		{`openjdk version "17.0.15" 2025-04-15`, 17},
		{`java version "1.8.0_392"`, 8},
		{`openjdk version "24-ea" 2025-03-18`, 24},
		{"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"11\" 2018-09-25", 11},
		{"The operation couldn't be completed.", 0},
	}
	for _, test := range tests {
		if got := javaVersion([]byte(test.out)); got != test.want {
			t.Errorf("javaVersion(%q) = %d, want %d", test.out, got, test.want)
		}
	}
}
