package testenv

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	firebase "firebase.google.com/go/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/eventarc"
)

func TestMain(m *testing.M) { Main(m) }

// do sends a request to the Firestore emulator as administrator, and returns the answer's
// status and body.
func do(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+FirestoreHost(t)+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer owner")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func docPath(project string) string {
	return "/v1/projects/" + project + "/databases/(default)/documents/things/a"
}

func TestProject(t *testing.T) {
	t.Parallel()
	var id string
	t.Run("A Long Name, in 日本語 as well", func(t *testing.T) {
		id = Project(t)
		if !regexp.MustCompile(`^demo-testproject-a-lo-[a-z0-9]{8}$`).MatchString(id) || len(id) > maxProjectID {
			t.Errorf("Project = %q", id)
		}
		if other := Project(t); other == id {
			t.Errorf("Project = %q twice", id)
		}
		if status, body := do(t, http.MethodPatch, docPath(id), "{}"); status != http.StatusOK {
			t.Fatalf("write: status %d: %s", status, body)
		}
	})
	if status, _ := do(t, http.MethodGet, docPath(id), ""); status != http.StatusNotFound {
		t.Errorf("document after its test: status %d, want 404", status)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	project := Project(t)
	got := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		select {
		case got <- req.URL.Path + " " + req.Header.Get("ce-document"):
		default: // an event of the deletion at the end
		}
	}))
	defer server.Close()
	if err := eventarc.Route(t.Context(), EventsAddr(t), project, server.URL); err != nil {
		t.Fatal(err)
	}
	defer eventarc.Unroute(t.Context(), EventsAddr(t), project)
	status, body := do(t, http.MethodPost, "/emulator/v1/projects/"+project+"/eventarcTrigger?eventarcTriggerId=T", `{
		"eventType": "google.cloud.firestore.document.v1.created", "database": "(default)", "namespace": "(default)",
		"document": {"value": "things/{id}", "matchType": "PATH_PATTERN"}}`)
	if status != http.StatusOK {
		t.Fatalf("register: status %d: %s", status, body)
	}
	if status, body := do(t, http.MethodPatch, docPath(project), "{}"); status != http.StatusOK {
		t.Fatalf("write: status %d: %s", status, body)
	}
	if got, want := <-got, "/functions/projects/"+project+"/triggers/T things/a"; got != want {
		t.Errorf("event = %q, want %q", got, want)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	AuthHost(t) // sets the variable that the Admin SDK reads
	for _, project := range []string{emulators.DefaultProject, Project(t)} {
		app, err := firebase.NewApp(t.Context(), &firebase.Config{ProjectID: project})
		if err != nil {
			t.Fatal(err)
		}
		client, err := app.Auth(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var account Account
		if project == emulators.DefaultProject {
			account = SignUp(t, "")
		} else {
			account = SignUpIn(t, project, "sparks@example.com")
		}
		tests := []struct {
			name, token, wantErr string
		}{
			{"signed up", account.IDToken, ""},
			{"made for the same user", Token(project, map[string]any{"sub": account.UID}), ""},
			{"unknown user", Token(project, nil), "no user exists"},
			{"expired", Token(project, map[string]any{"sub": account.UID, "exp": time.Now().Add(-time.Hour).Unix()}), "expired"},
			{"foreign", Token("demo-foreign", map[string]any{"sub": account.UID}), "'aud'"},
			{"no audience", Token(project, map[string]any{"sub": account.UID, "aud": nil}), "'aud'"},
		}
		for _, test := range tests {
			token, err := client.VerifyIDToken(t.Context(), test.token)
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) {
					t.Errorf("%s, %s: error = %v, want %q in it", project, test.name, err, test.wantErr)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", project, test.name, err)
			} else if token.UID != account.UID || token.Firebase.SignInProvider != "password" {
				t.Errorf("%s, %s: token = %+v, want the uid %s", project, test.name, token, account.UID)
			}
		}
	}
}

func TestTokenClaims(t *testing.T) {
	t.Parallel()
	var got map[string]any
	payload := strings.Split(Token("demo-p", map[string]any{"sub": "u", "admin": true, "exp": nil}), ".")[1]
	if err := json.NewDecoder(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(payload))).
		Decode(&got); err != nil {
		t.Fatal(err)
	}
	delete(got, "iat")
	delete(got, "auth_time")
	want := map[string]any{
		"iss": "https://securetoken.google.com/demo-p", "aud": "demo-p", "sub": "u", "user_id": "u", "admin": true,
		"firebase": map[string]any{"identities": map[string]any{}, "sign_in_provider": "password"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("claims differ (-want +got):\n%s", diff)
	}
}

func TestRoot(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join(Root(), "dev", "testing", "testenv", "testenv_test.go")); err != nil {
		t.Error(err)
	}
}

// A test that needs events is skipped below emulators of another program alone: what `make test`
// and a plain `go test` set skips nothing.
func TestNeedEvents(t *testing.T) {
	t.Parallel()
	if os.Getenv("HIBANA_TEST_EVENTS") != "" {
		NeedEvents(t, "is a test")
		fmt.Println("listening", Listening(), "relay", EventsAddr(t))
		return
	}
	tests := []struct {
		name string
		env  []string
		want string // a pattern of the output
	}{
		{"make test", []string{FirestoreEnv + "=127.0.0.1:1", AuthEnv + "=127.0.0.1:2", EventsEnv + "=127.0.0.1:3"},
			`listening false relay 127\.0\.0\.1:3\n`},
		{"plain", nil, `listening false relay 127\.0\.0\.1:\d+\n`},
		{"plain, with a relay of others", []string{EventsEnv + "=127.0.0.1:3"}, `listening false relay 127\.0\.0\.1:\d\d+\n`},
		{"another program's", []string{FirestoreEnv + "=127.0.0.1:1", AuthEnv + "=127.0.0.1:2"},
			`TestNeedEvents needs the event runner of make test, which the emulator at 127\.0\.0\.1:1 does not know: it is a test\n--- SKIP: TestNeedEvents`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestNeedEvents$", "-test.v")
			cmd.Env = append(append(withoutEmulators(), "HIBANA_TEST_EVENTS=1"), test.env...)
			out, err := cmd.CombinedOutput()
			if err != nil || !regexp.MustCompile(test.want).Match(out) {
				t.Errorf("%v, output:\n%s\nwant %s", err, out, test.want)
			}
		})
	}
}

// withoutEmulators is the environment without the variables that name emulators.
func withoutEmulators() (env []string) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != FirestoreEnv && name != AuthEnv && name != EventsEnv {
			env = append(env, v)
		}
	}
	return env
}

// TestPrivate runs this test binary once more without shared emulators. The emulators that
// the second process starts must be gone afterwards.
func TestPrivate(t *testing.T) {
	t.Parallel()
	if os.Getenv("HIBANA_TEST_PRIVATE") != "" {
		fmt.Printf("started %s\nstarted %s\nstarted %s\n", FirestoreHost(t), AuthHost(t), EventsAddr(t))
		if os.Getenv(FirestoreEnv) != FirestoreHost(t) || os.Getenv(AuthEnv) != AuthHost(t) {
			t.Error("the variables for the Go clients are not set")
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestPrivate$")
	cmd.Env = append(withoutEmulators(), "HIBANA_TEST_PRIVATE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	addrs := regexp.MustCompile(`(?m)^started (\S+)$`).FindAllSubmatch(out, -1)
	if len(addrs) != 3 {
		t.Fatalf("output = %s, want three addresses", out)
	}
	for _, addr := range addrs {
		if conn, err := net.Dial("tcp", string(addr[1])); err == nil {
			conn.Close()
			t.Errorf("%s still answers", addr[1])
		}
	}
}
