package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/config"
)

// root is the repository, as seen from this package.
const root = "../.."

func readDoc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The README has the session as hibana dev prints it, and every command. It fits on two screens.
func TestReadme(t *testing.T) {
	t.Parallel()
	readme := readDoc(t, "README.md")
	if want := "\n```sh\n" + session("127.0.0.1:8000", "127.0.0.1:9099") + "```\n"; !strings.Contains(readme, want) {
		t.Errorf("README.md does not have the session of session.sh in a fenced block:\n%s", want)
	}
	if n := strings.Count(readme, "\n"); n > 80 {
		t.Errorf("README.md has %d lines, want 80 at most", n)
	}
	for _, command := range kong.Must(&commands{}).Model.Children {
		if !regexp.MustCompile("(?m)^\\| `bin/hibana --help` \\|.*`" + command.Name + "`").MatchString(readme) {
			t.Errorf("README.md does not name the command %s", command.Name)
		}
	}
}

// The documents name every variable of the environment, and link to what there is.
func TestDocs(t *testing.T) {
	t.Parallel()
	configure := readDoc(t, "docs/operate/configure.md")
	for _, name := range testenv.Variables(reflect.TypeFor[config.API]()) {
		if !strings.Contains(configure, "\n| `"+name+"` |") {
			t.Errorf("docs/operate/configure.md has no row for %s", name)
		}
	}
	links := 0
	for _, dir := range []string{"README.md", "docs"} {
		eachFile(t, dir, ".md", func(name, text string) {
			for _, link := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllStringSubmatch(text, -1) {
				links++
				if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), link[1])); err != nil {
					t.Errorf("%s links to %s, which is not there", name, link[1])
				}
			}
		})
	}
	if links == 0 {
		t.Error("no links found")
	}
}

// docs/security.md has a row for each risk, and every test that it names is there.
func TestDocsSecurity(t *testing.T) {
	t.Parallel()
	tests := testNames(t)
	text := readDoc(t, "docs/security.md")
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(text, -1)
	for _, m := range named {
		if !tests[m[1]] {
			t.Errorf("docs/security.md names %s, which is not there", m[1])
		}
	}
	if len(named) < 20 {
		t.Errorf("%d tests are named, so this test reads them no more", len(named))
	}
	for n := range 10 {
		if !strings.Contains(text, fmt.Sprintf("\n| API%d: ", n+1)) {
			t.Errorf("docs/security.md has no row for API%d", n+1)
		}
	}
}

// fakeGcloud stands in for gcloud: it notes its arguments, and knows the triggers that it
// was asked to create.
const fakeGcloud = `#!/bin/sh
printf '%s\n' "$@" -- >> "$CALLS"
case "$1 $2 $3" in
"eventarc triggers create") touch "$CALLS.$4" ;;
"scheduler jobs create") touch "$CALLS.$5" ;;
"pubsub topics create" | "pubsub subscriptions create") touch "$CALLS.$2.$4" ;;
"pubsub topics describe" | "pubsub subscriptions describe") [ -e "$CALLS.$2.$4" ] ;;
"projects describe p") echo 12345 ;;
"scheduler jobs describe") [ -e "$CALLS.$4" ] ;;
"run services describe") echo https://functions.example ;;
"eventarc triggers describe") [ -e "$CALLS.$4" ] && echo "projects/p/subscriptions/of-$4" ;;
esac
`

// deploy/triggers.sh makes a trigger for each function and event type, and gives its subscription
// the deadline, the waits and the dead letters of deploy/terraform. It does what it prints, and may do it again.
func TestDeployTriggers(t *testing.T) {
	testenv.Slow(t, "a shell that calls gcloud six times for each trigger, five times")
	t.Parallel()
	run := deployer(t)
	script := filepath.Join(root, "deploy", "triggers.sh")
	printed, done := run("dry", script)
	if len(done) > 0 {
		t.Errorf("without --apply it calls gcloud %q", done)
	}
	want := func(verb string) (commands [][]string) {
		const member = "--member=serviceAccount:service-12345@gcp-sa-pubsub.iam.gserviceaccount.com"
		if verb == "create" {
			commands = [][]string{
				{"pubsub", "topics", "create", "hibana-dead-events", "--project=p"},
				{"pubsub", "subscriptions", "create", "hibana-dead-events", "--project=p", "--topic=hibana-dead-events",
					"--ack-deadline=600", "--message-retention-duration=31d", "--expiration-period=never"},
			}
		}
		commands = append(commands, []string{"pubsub", "topics", "add-iam-policy-binding", "hibana-dead-events",
			"--project=p", "--role=roles/pubsub.publisher", "--format=none", member})
		for _, f := range functions.Table {
			for _, on := range f.On {
				id := strings.ToLower(regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(f.Name, "$1-$2")) +
					string(on[strings.LastIndex(string(on), "."):])
				id = strings.Replace(id, ".", "-", 1)
				if !regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`).MatchString(id) {
					t.Errorf("%q is no name of a trigger", id)
				}
				location, of := "nam5", []string{"--event-filters=database=(default)",
					"--event-filters-path-pattern=document=" + f.Document, "--event-data-content-type=application/protobuf"}
				if f.OfBucket() {
					location, of = "here", []string{"--event-filters=bucket=p-uploads", "--event-data-content-type=application/json"}
				}
				commands = append(commands, slices.Concat([]string{
					"eventarc", "triggers", verb, id, "--project=p", "--location=" + location,
					"--destination-run-service=hibana-functions", "--destination-run-region=here", "--destination-run-path=/" + f.Name,
					"--event-filters=type=" + string(on)}, of, []string{
					"--service-account=hibana-triggers@p.iam.gserviceaccount.com",
				}), []string{
					"pubsub", "subscriptions", "add-iam-policy-binding", "projects/p/subscriptions/of-" + id, "--project=p",
					"--role=roles/pubsub.subscriber", "--format=none", member,
				}, []string{
					"pubsub", "subscriptions", "update", "projects/p/subscriptions/of-" + id, "--project=p", "--ack-deadline=600",
					"--min-retry-delay=10s", "--max-retry-delay=600s",
					"--dead-letter-topic=projects/p/topics/hibana-dead-events", "--max-delivery-attempts=100",
				})
			}
		}
		return commands
	}
	_, byShell := run("shell", "sh", "-c", printed)
	if diff := cmp.Diff(want("create"), byShell); diff != "" {
		t.Errorf("what it prints does (-want +got):\n%s", diff)
	}
	// hibana triggers --format=gcloud prints the triggers alone.
	commands, _ := run("format", os.Args[0], "triggers", "--format=gcloud")
	_, byFormat := run("formatted", "sh", "-c", commands)
	var creates [][]string
	for _, command := range want("create") {
		if command[0] == "eventarc" {
			creates = append(creates, command)
		}
	}
	slices.SortFunc(creates, func(a, b []string) int { return strings.Compare(a[3], b[3]) })
	if diff := cmp.Diff(creates, byFormat); diff != "" {
		t.Errorf("what hibana triggers --format=gcloud prints does (-want +got):\n%s", diff)
	}
	_, first := run("applied", script, "--apply")
	if diff := cmp.Diff(want("create"), first); diff != "" {
		t.Errorf("--apply does (-want +got):\n%s", diff)
	}
	_, second := run("applied", script, "--apply")
	if diff := cmp.Diff(want("update"), second); diff != "" {
		t.Errorf("--apply does a second time (-want +got):\n%s", diff)
	}
}

// deployer returns a function that runs a program, and returns what it printed, and the calls of
// gcloud that change something.
func deployer(t *testing.T) func(calls, name string, args ...string) (string, [][]string) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gcloud"), []byte(fakeGcloud), 0o700); err != nil {
		t.Fatal(err)
	}
	return func(calls, name string, args ...string) (string, [][]string) {
		t.Helper()
		calls = filepath.Join(dir, calls)
		if err := os.WriteFile(calls, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "CALLS="+calls,
			"PROJECT=p", "REGION=here", "LOCATION=nam5", "UPLOADS_BUCKET=p-uploads",
			"HIBANA="+os.Args[0], testenv.RunMain+"=1")
		var errout bytes.Buffer
		cmd.Stderr = &errout
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, &errout)
		}
		noted, err := os.ReadFile(calls)
		if err != nil {
			t.Fatal(err)
		}
		var changes [][]string
		for call := range strings.SplitSeq(strings.TrimSuffix(string(noted), "--\n"), "--\n") {
			if words := strings.Split(strings.TrimSuffix(call, "\n"), "\n"); !slices.Contains(words, "describe") && call != "" {
				changes = append(changes, words)
			}
		}
		return string(out), changes
	}
}

// deploy/schedule.sh makes the job that calls the functions each minute. It does what it prints,
// and may do it again.
func TestDeploySchedule(t *testing.T) {
	t.Parallel()
	run := deployer(t)
	script := filepath.Join(root, "deploy", "schedule.sh")
	printed, done := run("dry", script)
	if len(done) > 0 {
		t.Errorf("without --apply it calls gcloud %q", done)
	}
	want := func(verb string) [][]string {
		return [][]string{{
			"scheduler", "jobs", verb, "http", "hibana-functions-tick", "--project=p", "--location=here", "--schedule=* * * * *",
			"--http-method=POST",
			"--attempt-deadline=60s", "--max-retry-attempts=0",
			"--oidc-service-account-email=hibana-triggers@p.iam.gserviceaccount.com",
			"--uri=https://functions.example/Tick", "--oidc-token-audience=https://functions.example",
		}}
	}
	_, byShell := run("shell", "sh", "-c", printed)
	if diff := cmp.Diff(want("create"), byShell); diff != "" {
		t.Errorf("what it prints does (-want +got):\n%s", diff)
	}
	for _, verb := range []string{"create", "update"} {
		if _, did := run("applied", script, "--apply"); !cmp.Equal(want(verb), did) {
			t.Errorf("--apply does (-want +got):\n%s", cmp.Diff(want(verb), did))
		}
	}
}
