package functions_test

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/GoogleCloudPlatform/functions-framework-go/funcframework"
	"github.com/google/go-cmp/cmp"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"

	"github.com/hibana-sns/hibana/dev/child"
	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/model"
)

func TestTable(t *testing.T) {
	t.Parallel()
	name, pattern := regexp.MustCompile(`^[A-Z][A-Za-z]{1,62}$`),
		regexp.MustCompile(`^[A-Za-z]+/\{[a-z]+\}(/[A-Za-z]+/\{[a-z]+\})*$`)
	seen := map[string]bool{}
	for _, f := range functions.Table {
		if !name.MatchString(f.Name) || seen[f.Name] {
			t.Errorf("%q is no name for a function, or was there before", f.Name)
		}
		seen[f.Name] = true
		if f.OfBucket() {
			if f.Document != functions.Uploads || !slices.Equal(f.On, []functions.EventType{functions.Finalized}) {
				t.Errorf("%s is on %q of %s, want new files of the bucket of uploads", f.Name, f.On, f.Document)
			}
			continue
		}
		if !pattern.MatchString(f.Document) {
			t.Errorf("%s: %q is no pattern of documents", f.Name, f.Document)
		}
		if different := slices.Compact(slices.Sorted(slices.Values(f.On))); len(f.On) == 0 || len(different) != len(f.On) {
			t.Errorf("%s is on %q, want one event or several different ones", f.Name, f.On)
		}
		for _, on := range f.On {
			if !slices.Contains([]functions.EventType{functions.Created, functions.Updated, functions.Deleted,
				functions.Written}, on) {
				t.Errorf("%s is on %q, which nothing is", f.Name, on)
			}
		}
	}
}

// Functions that rebuild projections are in the table, and handle documents of collections.
func TestTableAndRegistry(t *testing.T) {
	t.Parallel()
	names := map[string]bool{"": true, "verify": true, functions.Tick: true}
	for _, f := range functions.Table {
		names[f.Name] = true
		if f.OfBucket() {
			continue
		}
		parts := strings.Split(f.Document, "/")
		model.Row(parts[len(parts)-2]) // panics for a collection that is none
	}
	for _, c := range model.Registry {
		if !names[c.RebuiltBy] {
			t.Errorf("%s is rebuilt by %s, which is no function", c.Name, c.RebuiltBy)
		}
	}
}

// The local event runner delivers to every row of the table, and to nothing else.
func TestRunnerHasTheTable(t *testing.T) {
	t.Parallel()
	var want []eventarc.Trigger
	for _, f := range functions.Table {
		for _, on := range f.On {
			if f.OfBucket() {
				want = append(want, eventarc.Trigger{Name: f.Name, EventType: string(on), Bucket: "demo-uploads"})
				continue
			}
			want = append(want, eventarc.Trigger{Name: f.Name, EventType: string(on), Document: f.Document})
		}
	}
	if diff := cmp.Diff(want, stack.Triggers("gs://demo-uploads")); diff != "" {
		t.Errorf("stack.Triggers() (-want +got):\n%s", diff)
	}
	if got := stack.Triggers(""); len(got) != len(want)-1 {
		t.Errorf("without a bucket there are %d triggers, want %d", len(got), len(want)-1)
	}
}

// The programs that are deployed serve the table: cmd/functions at a path for each
// function, and what the buildpack makes of the root package as one program for each.
// All are built, started, and given real events.
func TestProgramsHaveTheTable(t *testing.T) {
	testenv.Slow(t, "programs that it builds and starts")
	t.Parallel()
	dir := t.TempDir()
	service := filepath.Join(dir, "functions")
	build(t, service, "./cmd/functions")
	entries := map[string]string{} // source of an entry → the program built from it
	entry := func(t *testing.T, target string) string {
		source := entryMain(t, target)
		if entries[source] == "" {
			binary := filepath.Join(dir, "entry-"+target)
			buildEntry(t, dir, binary, source)
			entries[source] = binary
		}
		return entries[source]
	}
	project := testenv.Project(t)
	uploads, media := storagetest.Buckets(t, project)
	env := append(os.Environ(), "GOOGLE_CLOUD_PROJECT="+project, "FIRESTORE_EMULATOR_HOST="+testenv.FirestoreHost(t),
		"FIRESTORE_DATABASE=", "FIREBASE_AUTH_EMULATOR_HOST=", "K_SERVICE=", "UPLOADS_BUCKET="+uploads, "MEDIA_BUCKET="+media)

	t.Run("cmd/functions", func(t *testing.T) {
		p := run(t, service, append(env, "PORT=0"))
		url := "http://127.0.0.1:" + p.find(`"message":"listening","address":".*:(\d+)"`)
		for _, f := range functions.Table {
			if got := (event{}).post(t, url+"/"+f.Name); got != http.StatusBadRequest {
				t.Errorf("%s answered %d to what is no event, want %d", f.Name, got, http.StatusBadRequest)
			}
			p.serves(f, project, url+"/"+f.Name)
		}
		if got := anyEvent(functions.Table[0], project).post(t, url+"/Unknown"); got != http.StatusNotFound {
			t.Errorf("an unknown function answered %d, want %d", got, http.StatusNotFound)
		}
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := p.wait(); err != nil {
			t.Errorf("after SIGTERM: %v", err)
		}
	})
	for _, f := range functions.Table {
		t.Run(f.Name, func(t *testing.T) {
			program, port := entry(t, f.Name), testenv.FreePort(t)
			p := run(t, program, append(env, "FUNCTION_TARGET="+f.Name, "PORT="+port))
			p.listens("127.0.0.1:" + port)
			p.serves(f, project, "http://127.0.0.1:"+port)
		})
	}
	t.Run("Unknown", func(t *testing.T) {
		p := run(t, entry(t, "Unknown"), append(env, "FUNCTION_TARGET=Unknown", "PORT="+testenv.FreePort(t)))
		if err := p.wait(); err == nil {
			t.Error("the program ended without an error")
		}
		p.find(`no matching function found with name: "(Unknown)"`)
	})
}

// anyEvent is an event of a project that the function takes. Its document has the fields
// of all facts and work documents, about users and tweets that are not there.
func anyEvent(f functions.Function, project string) event {
	if f.OfBucket() {
		return file(project+"-uploads", "0000000000000000aa", "7", "12")
	}
	const tweet = "0000000000000000aa"
	fields := map[string]*firestoredata.Value{
		"followerId": text("ann"), "followedId": text("bob"), "blockerId": text("ann"), "blockeeId": text("bob"),
		"of": text("ann"), "userId": text("ann"), "ownerId": text("ann"), "authorId": text("bob"), "tweetId": text(tweet),
		"quoteOf": text(tweet), "quoteOfAuthorId": text("ann"),
		"createdAt": moment(time.Unix(1, 0)), "collection": text("tweetMonths"), "id": text(tweet),
		"bucket": text("ann_2026-06"), "conversationId": text(strings.Repeat("a", 32)),
		"partition": text("000"), "address": text("https://example.com/"), "kind": text("push"), "option": number(1),
		"productId": text("00000000000000000000"), "from": text("ann"), "to": text("bob"),
		"actor": text("https://far.example/users/bob"),
		"body":  {ValueType: &firestoredata.Value_BytesValue{BytesValue: []byte("x")}},
	}
	before, after := fields, fields
	switch f.On[0] {
	case functions.Created:
		before = nil
	case functions.Deleted:
		after = nil
	case functions.Written:
		before = nil
	case functions.Updated, functions.Finalized: // both versions are there; a file has none
	}
	return changed(project, f.On[0], strings.NewReplacer("media/{id}", "media/"+strings.Repeat("a", 24),
		"conversationMonths/{id}", "conversationMonths/"+strings.Repeat("a", 32)+"_2026-11", "linkFetches/{id}",
		"linkFetches/"+model.LinkKey("https://example.com/"), "{id}", tweet,
		"{tweet}", tweet, "{user}", "ann").Replace(f.Document), before, after)
}

// entryMain is the program that Google's Go buildpack generates for an entry point (its
// cmd/go/functions_framework): one that leaves the choice to FUNCTION_TARGET if a file of
// the root package itself imports the framework's package functions, and else one that
// refers to an exported function of the root package.
func entryMain(t *testing.T, target string) string {
	t.Helper()
	const declarative, exported = `package main

import (
	"log"
	"os"

	"github.com/GoogleCloudPlatform/functions-framework-go/funcframework"

	_ "github.com/hibana-sns/hibana"
)

func main() { log.Fatal(funcframework.StartHostPort("127.0.0.1", os.Getenv("PORT"))) }
`, `package main

import (
	"context"
	"log"
	"os"

	"github.com/GoogleCloudPlatform/functions-framework-go/funcframework"

	"github.com/hibana-sns/hibana"
)

func main() {
	if err := funcframework.RegisterCloudEventFunctionContext(context.Background(), "/", hibana.%s); err != nil {
		log.Fatal(err)
	}
	log.Fatal(funcframework.StartHostPort("127.0.0.1", os.Getenv("PORT")))
}
`
	files, err := filepath.Glob(filepath.Join(testenv.Root(), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files of the root package: %q, %v", files, err)
	}
	source := fmt.Sprintf(exported, target)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name.Name != "hibana" {
			t.Errorf("%s is of package %s: the buildpack takes one package at the root", name, file.Name.Name)
		}
		for _, spec := range file.Imports {
			if spec.Path.Value == `"github.com/GoogleCloudPlatform/functions-framework-go/functions"` {
				source = declarative
			}
		}
	}
	return source
}

// buildEntry builds an entry. The source is a package of the module for as long as the
// compiler runs. (This file imports funcframework too, so that go.mod has what it needs.)
func buildEntry(t *testing.T, dir, binary, source string) {
	t.Helper()
	write := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	main := write("main.go", source)
	overlay := write("overlay.json", `{"Replace": {`+strconv.Quote(filepath.Join(testenv.Root(), "entry", "main.go"))+`: `+
		strconv.Quote(main)+`}}`)
	build(t, binary, "-overlay", overlay, "./entry")
}

func build(t *testing.T, binary string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"build", "-buildvcs=false", "-o", binary}, args...)...)
	cmd.Dir = testenv.Root()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// program is one that runs until the test ends.
type program struct {
	t     *testing.T
	cmd   *exec.Cmd
	ended chan struct{}
	err   error // set before ended is closed

	mu    sync.Mutex
	out   bytes.Buffer
	added chan struct{} // closed with the next output
}

func run(t *testing.T, binary string, env []string) *program {
	t.Helper()
	p := &program{t: t, ended: make(chan struct{}), added: make(chan struct{})}
	p.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), binary)
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = env, p, p
	if err := child.Start(p.cmd); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill() // fails if it has ended
		<-p.ended
		if t.Failed() {
			t.Logf("output:\n%s", p.out.String())
		}
	})
	return p
}

// Write takes output.
func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.added)
	p.added = make(chan struct{})
	return p.out.Write(b)
}

// patience is for a machine that is busy.
const patience = time.Minute

// find waits for output that matches, and returns what the expression's group did.
func (p *program) find(expression string) string {
	p.t.Helper()
	re, giveUp, ended := regexp.MustCompile(expression), time.After(patience), p.ended
	for {
		p.mu.Lock()
		match, added := re.FindStringSubmatch(p.out.String()), p.added
		p.mu.Unlock()
		switch {
		case match != nil:
			return match[1]
		case ended == nil:
			p.t.Fatalf("ended without writing %s", expression)
		}
		select {
		case <-added:
		case <-ended: // all its output is there
			ended = nil
		case <-giveUp:
			p.t.Fatalf("did not write %s", expression)
		}
	}
}

// wait waits for the end.
func (p *program) wait() error {
	p.t.Helper()
	select {
	case <-p.ended:
		return p.err
	case <-time.After(patience):
		p.t.Fatal("still runs")
		return nil
	}
}

// listens waits until the address can be connected to.
func (p *program) listens(address string) {
	p.t.Helper()
	giveUp := time.After(patience)
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-p.ended:
			p.t.Fatalf("ended: %v", p.err)
		case <-giveUp:
			p.t.Fatal(err)
		}
	}
}

// serves fails the test unless the function handles an event of its project, and refuses an
// event of another.
func (p *program) serves(f functions.Function, project, url string) {
	p.t.Helper()
	if got := anyEvent(f, "elsewhere").post(p.t, url); got != http.StatusBadRequest {
		p.t.Errorf("%s answered %d to an event of another project, want %d", f.Name, got, http.StatusBadRequest)
	}
	if got := anyEvent(f, project).post(p.t, url); got < 200 || got > 299 {
		p.t.Errorf("%s answered %d to an event, want 2xx", f.Name, got)
	}
	p.find(`"(event handled)","function":"` + f.Name + `"`)
}
