package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// anyPort makes hibana dev listen on free ports.
var anyPort = []string{"--api-port=0", "--firestore-port=0", "--auth-port=0", "--storage-port=0", "--events-port=0",
	"--metrics-port=0", "--no-web"}

func TestDev(t *testing.T) {
	testenv.Slow(t, "a whole stack that it starts from nothing")
	t.Parallel()
	p := hibana(t, nil, append([]string{"dev", "--seed", "--no-agents"}, append(anyPort[:6:6], "--web-port=0")...)...)
	out := p.waitFor("Ctrl-C stops everything")
	api, firestore, auth := address(t, out, "API"), address(t, out, "Firestore"), address(t, out, "Auth")

	// Side by side, and over before the end is tested.
	t.Run("running", func(t *testing.T) {
		t.Run("session", func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(out, session(api, auth)) {
				t.Error("the session is not in the output")
			}
			playSession(t, session(api, auth))
		})
		t.Run("seed", func(t *testing.T) {
			t.Parallel()
			checkSeed(t, &client{api: "http://" + api, auth: "http://" + auth})
			testSeedAgain(t, api, auth, address(t, out, "Events"))
			testSeedFixtures(t, api, auth, address(t, out, "Events"))
		})
		t.Run("web client", func(t *testing.T) {
			t.Parallel()
			for path, text := range map[string]string{
				"/": "/src/main.tsx", "/__/firebase/init.json": `"firestoreEmulator":"` + firestore + `"`, "/v1/tags": `"items":[`,
				"/starter": "<title>A starter on Hibana</title>", "/api/v2/instance": `"title":"Hibana"`,
			} {
				resp, err := http.Get("http://" + address(t, out, "Web") + path)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), text) {
					t.Errorf("%s: %s, %v, without %s", path, resp.Status, err, text)
				}
			}
		})
		t.Run("docs", func(t *testing.T) {
			t.Parallel()
			resp, err := http.Get("http://" + address(t, out, "Docs"))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				t.Errorf("docs page: %s", resp.Status)
			}
		})
		t.Run("with running emulators", func(t *testing.T) {
			t.Parallel()
			testRunningEmulators(t, auth)
		})
	})
	wantText(t, p.errout.String(), "route=/v1/tweets", "function=TweetChanged")

	p.signal(os.Interrupt)
	p.ends(0)
	for _, text := range []string{"level=ERROR", "no index serves"} {
		if strings.Contains(p.errout.String(), text) {
			t.Errorf("the log has a line with %s", text)
		}
	}
	for _, addr := range []string{api, firestore, auth, address(t, out, "Web"), address(t, out, "Storage"),
		address(t, out, "Events"), address(t, out, "Functions")} {
		isFree(t, addr)
	}
}

// testRunningEmulators: a Firestore emulator that sends no events, and the Auth
// emulator of somebody else, are used and left alone.
func testRunningEmulators(t *testing.T, auth string) {
	firestore := startEmulator(t)
	other := hibana(t, []string{firestoreEnv + "=" + firestore, authEnv + "=" + auth},
		append([]string{"dev", "--project=demo-other"}, anyPort...)...)
	other.ends(1)
	wantText(t, other.errout.String(), authEnv, auth, `signs tokens for the project "demo-hibana"`, "--project=demo-other")
	p := hibana(t, []string{firestoreEnv + "=" + firestore, authEnv + "=" + auth}, "dev", "--quiet", "--api-port=0",
		"--storage-port=0", "--metrics-port=0", "--no-web")
	out := p.waitFor("Ctrl-C stops everything")
	if !strings.Contains(out, "Using the emulators that") {
		t.Error("it does not say whose emulators it uses")
	}
	api := address(t, out, "API")
	playSession(t, session(api, auth))
	testBots(t, &client{api: "http://" + api, auth: "http://" + auth})

	p.signal(syscall.SIGTERM)
	p.ends(0)
	isFree(t, api)
	for name, addr := range map[string]string{firestoreEnv: firestore, authEnv: auth} {
		if err := answers(t.Context(), name, addr); err != nil {
			t.Errorf("it stopped what is not its own: %v", err)
		}
	}
}

// testBots: without a flag, agents act for the bots of the seed, from templates.
func testBots(t *testing.T, c *client) {
	t.Helper()
	ctx := t.Context()
	var tokens, uids []string
	for _, p := range people[:3] {
		token, uid, err := c.signUp(ctx, p)
		testenv.Must(t, err)
		tokens, uids = append(tokens, token), append(uids, uid)
	}
	testenv.Must(t, c.addBots(ctx, oneByOne, tokens, uids))
	testenv.Must(t, c.addBots(ctx, oneByOne, tokens, uids)) // changes nothing
	token, _, err := c.signIn(ctx, bots[0].username+"@example.com")
	testenv.Must(t, err)
	acts := func() (all []string) {
		var found struct {
			Items []struct{ Kind, State string }
		}
		testenv.Must(t, c.call(ctx, token, http.MethodGet, "/v1/users/me/agent/acts", "", nil, &found))
		for _, a := range found.Items {
			all = append(all, a.Kind+" "+a.State)
		}
		return all
	}
	for end := time.Now().Add(time.Minute); !slices.Contains(acts(), "post done"); { // the tick lets it act
		if time.Now().After(end) {
			t.Fatalf("the bot did %q", acts())
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func oneByOne(_ string, n int, do func(context.Context, int) error) error {
	for i := range n {
		if err := do(context.Background(), i); err != nil {
			return err
		}
	}
	return nil
}

func TestDevPortsInUse(t *testing.T) {
	t.Parallel()
	ports := map[string]string{"--api-port": "", "--firestore-port": "", "--auth-port": "", "--events-port": "",
		"--metrics-port": "", "--web-port": "", "--storage-port": ""}
	args := []string{"dev"}
	for flag := range ports {
		ports[flag] = taken(t)
		args = append(args, flag+"="+ports[flag])
	}
	p := hibana(t, nil, args...)
	p.ends(1)
	for flag, port := range ports {
		wantText(t, p.errout.String(), ":"+port+" (", "another port with "+flag)
	}
	if out := p.out.String(); out != "" {
		t.Errorf("something was started:\n%s", out)
	}
}

// Everything that is missing is named at once, with what installs it.
func TestDevMissingTools(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	nothing := []string{
		"PATH=" + empty, "JAVA_HOME=", "HOME=" + empty, "XDG_CACHE_HOME=" + empty, "HIBANA_FIRESTORE_JAR=" +
			filepath.Join(empty, "none.jar"),
	}
	for _, args := range [][]string{append([]string{"dev"}, anyPort...), {"exec", "--", os.Args[0]}, {"setup"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			p := hibana(t, nothing, args...)
			p.ends(1)
			wantText(t, p.errout.String(), "Java", "default-jre-headless", "The Firestore emulator",
				"google-cloud-cli-firestore-emulator",
				"Node.js", "npm", "apt-get install --yes nodejs")
			if out := p.out.String(); out != "" {
				t.Errorf("something was started:\n%s", out)
			}
		})
	}
}

func TestDevHalfTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, set := range []string{firestoreEnv, authEnv} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			p := hibana(t, []string{set + "=127.0.0.1:1"}, append([]string{"dev"}, anyPort...)...)
			p.ends(1)
			wantText(t, p.errout.String(), set+" is set and ")
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		t.Parallel()
		p := hibana(t, []string{firestoreEnv + "=127.0.0.1:1", authEnv + "=127.0.0.1:2"},
			append([]string{"dev"}, anyPort...)...)
		p.ends(1)
		wantText(t, p.errout.String(), "127.0.0.1:1,", "127.0.0.1:2,")
	})
}

// If an emulator dies, hibana dev says so and ends everything.
func TestDevEmulatorDies(t *testing.T) {
	testenv.Slow(t, "emulators that it starts and ends")
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	p := hibana(t, []string{"JAVA_HOME=" + recordPIDs(t, pidFile)}, append([]string{"dev", "--quiet"}, anyPort...)...)
	out := p.waitFor("Ctrl-C stops everything")
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.ends(1)
	wantText(t, p.errout.String(), "Firestore emulator ended")
	for _, part := range []string{"API", "Auth", "Events", "Functions"} {
		isFree(t, address(t, out, part))
	}
}

// An emulator that cannot start shows what it said, and the other one is stopped.
func TestDevBrokenEmulator(t *testing.T) {
	t.Parallel()
	jar := filepath.Join(t.TempDir(), "broken.jar")
	if err := os.WriteFile(jar, []byte("not a jar"), 0o644); err != nil {
		t.Fatal(err)
	}
	auth := testenv.FreePort(t)
	p := hibana(t, []string{"HIBANA_FIRESTORE_JAR=" + jar}, "dev", "--api-port=0", "--metrics-port=0", "--events-port=0",
		"--storage-port=0", "--firestore-port=0", "--auth-port="+auth, "--no-web")
	p.ends(1)
	wantText(t, p.errout.String(), "CloudFirestore")
	isFree(t, "127.0.0.1:"+auth)
}

// Ctrl-C while it starts leaves nothing behind.
func TestDevInterruptedStart(t *testing.T) {
	testenv.Slow(t, "emulators that it starts and ends")
	t.Parallel()
	auth, pidFile := testenv.FreePort(t), filepath.Join(t.TempDir(), "pid")
	p := hibana(t, []string{"JAVA_HOME=" + recordPIDs(t, pidFile)}, "dev", "--api-port=0", "--metrics-port=0",
		"--storage-port=0", "--events-port=0", "--firestore-port=0", "--auth-port="+auth, "--no-web")
	p.waitFor("ready in") // the first of the parts
	p.signal(os.Interrupt)
	p.ends(0)
	isFree(t, "127.0.0.1:"+auth)
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err != nil || syscall.Kill(pid, 0) == nil {
		t.Errorf("Java runs on as process %d (%v)", pid, err)
	}
}
