package mastodon_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

const matrixFile = "testdata/matrix.txt"

// TestMatrix sends each request of testdata/matrix.txt as each caller, and compares the answers. Every method that
// works needs a line by which somebody succeeds. Whoever succeeds may also do what the line names behind its =, by the
// native API with the same token; and no answer has a word of a text that its caller may not see.
//
// A line of a new method is its request alone; -update adds the answers.
func TestMatrix(t *testing.T) {
	testenv.Slow(t, "every caller of every method")
	t.Parallel()
	rows := readMatrix(t)
	everyMethod(t, rows)
	m := newMatrix(t)
	m.run(t, rows)
	for _, method := range mastodon.Methods() {
		if method.Works() && !m.done[method.Name()] && awaited[method.Name()] == "" {
			t.Errorf("%s has no line by which anybody succeeds with %s", matrixFile, method.Name())
		}
	}
	asUnknown(t, rows)
	if t.Failed() {
		return
	}
	want := m.format(rows)
	switch text, err := os.ReadFile(matrixFile); {
	case err != nil:
		t.Error(err)
	case *update:
		testenv.Must(t, os.WriteFile(matrixFile, []byte(want), 0o644))
	case want != string(text):
		t.Errorf("%s is not what the API answers; look at the difference, and write it with -update (-file +API):\n%s",
			matrixFile, cmp.Diff(string(text), want))
	}
}

// asUnknown fails the test for each answer that tells of a post that somebody may not see: it is not the answer for a
// post that never was.
func asUnknown(t *testing.T, rows []*row) {
	t.Helper()
	of, compared := map[string]*row{}, 0
	for _, r := range rows {
		of[r.request] = r
	}
	for _, r := range rows {
		for _, name := range []string{"<flagged>", "<followers>", "<mentioned>"} {
			never := of[strings.ReplaceAll(r.request, name, "<unknown>")]
			if r.request == "" || never == nil || never == r {
				continue
			}
			for i, who := range callers {
				if slices.Contains([]string{"signed-out", "app", "stranger", "blocked", "frozen", "member"}, who) {
					compared++
					same(t, who+": "+r.request, r.cells[i], never.cells[i])
				}
			}
		}
	}
	if compared < 6*3*20 {
		t.Errorf("%d answers were compared", compared)
	}
}

// awaited says where else somebody succeeds with a method.
var awaited = map[string]string{
	"POST /api/v1/media": "it answers when functions have looked at the file, see TestMedia",
}

// TestMatrixShort sends the requests about a post for followers that read it, favourite it or edit it.
func TestMatrixShort(t *testing.T) {
	t.Parallel()
	m, rows := newMatrix(t), readMatrix(t)
	some := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool {
		verb, path, _ := parseRequest(r.request)
		return !strings.HasPrefix(path, "/api/v1/statuses/<followers>") || verb == http.MethodPost &&
			!strings.HasSuffix(path, "/favourite")
	})
	if len(some) != 12 {
		t.Errorf("%d rows are about a post for followers, want 12", len(some))
	}
	m.run(t, some)
	for _, r := range some {
		same(t, r.request, r.cells, r.want)
	}
}

// row is a line of the file. A line without a request is a comment, or empty.
type row struct {
	line, request string // the request is one of Mastodon's
	native        string // the request of the native API that it stands for; empty for none
	want          []string
	cells         []string
	method        mastodon.Method
}

// none is what stands for a native request where there is none.
const none = "none"

func readMatrix(t *testing.T) (rows []*row) {
	t.Helper()
	text, err := os.ReadFile(matrixFile)
	testenv.Must(t, err)
	for line := range strings.Lines(string(text)) {
		r := &row{line: strings.TrimRight(line, " \n")}
		rows = append(rows, r)
		if r.line == "" || strings.HasPrefix(r.line, "#") {
			continue
		}
		parts := regexp.MustCompile(`\s{2,}`).Split(r.line, -1)
		r.want = parts[1:]
		var ok bool
		r.request, r.native, ok = strings.Cut(parts[0], " = ")
		if !ok || r.native != none && len(strings.Fields(r.native)) < 2 {
			t.Fatalf("%q has no native request behind a =, and not %q either", parts[0], none)
		}
		verb, path, _ := parseRequest(r.request)
		r.method, ok = methodOf(verb, path)
		if !ok || !r.method.Works() {
			t.Fatalf("%q is no method that works", r.request)
		}
		if _, stream, ok := strings.Cut(path, "/streaming?stream="); ok { // it asks for the scopes of that stream
			stream, _, _ = strings.Cut(stream, "&")
			of, _ := methodOf(verb, "/api/v1/streaming/"+stream)
			r.method.Scopes = of.Scopes
		}
	}
	return rows
}

// parseRequest splits a request into verb, path and body.
func parseRequest(request string) (verb, path, body string) {
	verb, path, _ = strings.Cut(request, " ")
	path, body, _ = strings.Cut(path, " ")
	return verb, path, body
}

// everyMethod fails the test for each method that no line asks for.
func everyMethod(t *testing.T, rows []*row) {
	t.Helper()
	asked := map[string]bool{}
	for _, r := range rows {
		asked[r.method.Name()] = true
	}
	for _, m := range mastodon.Methods() {
		if m.Works() && !asked[m.Name()] {
			t.Errorf("%s has no line for %s", matrixFile, m.Name())
		}
	}
}

// matrix collects the answers.
type matrix struct {
	cast *cast

	mu       sync.Mutex
	statuses map[string]map[int]bool // by code
	done     map[string]bool         // methods with which somebody succeeded
}

func newMatrix(t *testing.T) *matrix {
	return &matrix{cast: newCast(t), statuses: map[string]map[int]bool{}, done: map[string]bool{}}
}

// run sends the requests of rows, each in a project of its own.
func (m *matrix) run(t *testing.T, rows []*row) {
	t.Helper()
	t.Run("rows", func(t *testing.T) {
		for _, r := range rows {
			if r.request != "" {
				t.Run(r.request, func(t *testing.T) {
					t.Parallel()
					m.row(t, r)
				})
			}
		}
	})
}

// row sends a request as each caller. The native request goes first: it is refused before the caller can have got a
// right by Mastodon's.
func (m *matrix) row(t *testing.T, r *row) {
	t.Helper()
	s := newStage(t, m.cast, r.method)
	r.cells = nil
	for _, who := range callers {
		by := person{token: s.tokens[who]}
		var natively answer
		if r.native != none {
			fill, _ := s.things(t, who, r.native)
			natively = s.send(t, by, fill.Replace(r.native))
			if natively.StatusCode >= http.StatusInternalServerError {
				t.Errorf("%s: %s answers %s: %.300s", who, r.native, natively.Status, natively.text)
			}
		}
		_, fill := s.things(t, who, r.request)
		before := s.entries(t)
		a := s.send(t, by, fill.Replace(r.request))
		s.logged(t, who, a, s.entries(t)-before)
		r.cells = append(r.cells, m.cell(t, who, a))
		s.hides(t, who, a)
		if a.StatusCode >= http.StatusBadRequest {
			continue
		}
		m.mu.Lock()
		m.done[r.method.Name()] = true
		m.mu.Unlock()
		if r.native != none && natively.StatusCode >= http.StatusBadRequest {
			t.Errorf("%s may %s, and not %s: %s %.300s", who, r.request, r.native, natively.Status, natively.text)
		}
		m.mayNot(t, who, r)
	}
	of := func(who string) string { return r.cells[slices.Index(callers, who)] }
	if of("muted") != of("stranger") {
		t.Errorf("the muted is no stranger: %q", r.cells)
	}
}

// mayNot fails the test for a caller who succeeded, and cannot have the right to, whatever the native API says.
func (m *matrix) mayNot(t *testing.T, who string, r *row) {
	t.Helper()
	reads := slices.ContainsFunc(r.method.Scopes, func(s string) bool {
		return model.Covers([]string{"read", "admin:read"}, s)
	})
	posted := r.method.Path == "/oauth/userinfo" // reads by POST, too
	switch {
	case who == "signed-out" && !r.method.Public, who == "app" && !r.method.Public:
		t.Errorf("%s: %s is for everybody", who, r.request)
	case who == "other" && len(r.method.Scopes) > 0:
		t.Errorf("%s: %s takes another scope than %v", who, r.request, r.method.Scopes)
	case who == "reader" && len(r.method.Scopes) > 0 && !reads:
		t.Errorf("%s: %s writes", who, r.request)
	case who == "reader" && r.method.Verb != http.MethodGet && !r.method.Public && !posted:
		t.Errorf("%s: %s writes with a token that reads alone", who, r.request)
	case who == "suspended" && !r.method.Public:
		t.Errorf("%s succeeds with %s", who, r.request)
	case who == "frozen" && r.method.Verb != http.MethodGet && len(r.method.Scopes) > 0 && !posted:
		t.Errorf("%s writes: %s", who, r.request)
	case r.method.Staff && !slices.Contains([]string{"reader", "moderator", "administrator"}, who):
		t.Errorf("%s is staff for %s", who, r.request)
	}
}

// entries counts the entries of the audit log. What only reads makes none.
func (s *stage) entries(t *testing.T) int {
	t.Helper()
	if s.method.Verb == http.MethodGet {
		return 0
	}
	all, err := s.admin.Collection(model.AdminActions).Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	return len(all)
}

// logged fails the test unless an act of staff made one new entry of the audit log, and everything else none.
func (s *stage) logged(t *testing.T, who string, a answer, entries int) {
	t.Helper()
	acts := s.method.Staff || s.method.Name() == "DELETE /api/v1/media/:id" && (who == "moderator" ||
		who == "administrator")
	want := 0
	if acts && s.method.Verb != http.MethodGet && a.StatusCode < http.StatusBadRequest {
		want = 1
	}
	if entries != want {
		t.Errorf("%s: %s, and %d new entries of the audit log, want %d", who, a.Status, entries, want)
	}
}

// hides fails the test if an answer has a text that its caller may not see.
func (s *stage) hides(t *testing.T, who string, a answer) {
	t.Helper()
	for name, to := range hidden {
		if bytes.Contains(a.text, []byte(secret(name))) && !slices.Contains(to, who) &&
			!(s.method.Staff && who == "reader") {
			t.Errorf("%s sees what is %s: %s", who, name, a.text)
		}
	}
	if bytes.Contains(a.text, []byte(s.email)) && !strings.Contains(s.method.Path, "/admin/") {
		t.Errorf("%s sees the address of the owner: %s", who, a.text)
	}
}

// Words that stand for bodies.
const filmBody = "<film>"

// send sends a request. A stream is not read.
func (s *stage) send(t *testing.T, by person, request string) answer {
	t.Helper()
	s.made++
	verb, path, body := parseRequest(request)
	sent, media := []byte(body), "application/json"
	if body == filmBody {
		sent, media = fileForm(nil, nil, "film.mp4", film())
	}
	r, err := http.NewRequestWithContext(t.Context(), verb, s.url+path, bytes.NewReader(sent))
	testenv.Must(t, err)
	if len(sent) > 0 {
		r.Header.Set("Content-Type", media)
	}
	if by.token != "" {
		r.Header.Set("Authorization", "Bearer "+by.token)
	}
	if verb == http.MethodPost {
		r.Header.Set("Idempotency-Key", fmt.Sprint("key-", s.made))
	}
	if strings.HasPrefix(path, "/api/v1/streaming?") {
		for name, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket",
			"Sec-Websocket-Version": "13", "Sec-Websocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} {
			r.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(t, err)
	if resp.StatusCode == http.StatusSwitchingProtocols ||
		strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		resp.Body.Close()
		return answer{Response: resp}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	testenv.Must(t, err)
	return answer{resp, text}
}

// cell is the status of an answer, or the code of a failure.
func (m *matrix) cell(t *testing.T, who string, a answer) string {
	t.Helper()
	if a.StatusCode < http.StatusBadRequest {
		return fmt.Sprint(a.StatusCode)
	}
	var p struct{ Error, Code string }
	if err := json.Unmarshal(a.text, &p); err != nil || p.Error == "" || a.StatusCode >= http.StatusInternalServerError {
		t.Errorf("%s: %s %s", who, a.Status, a.text)
	}
	if p.Code == "" { // as RFC 6749 says
		p.Code = p.Error
	}
	if strings.ContainsAny(p.Code, " \n") {
		t.Errorf("%s: %s has no code", who, a.text)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.statuses[p.Code] == nil {
		m.statuses[p.Code] = map[int]bool{}
	}
	m.statuses[p.Code][a.StatusCode] = true
	return p.Code
}

// statusLine is how the line of the file begins that has the statuses of the codes.
const statusLine = "# Codes:"

// format is the file with the answers.
func (m *matrix) format(rows []*row) string {
	header := append([]string{"# request"}, callers...)
	tables := make([][]string, len(rows))
	widths := make([]int, len(header))
	for n, r := range rows {
		if strings.HasPrefix(r.line, header[0]) {
			tables[n] = header
		} else if r.request != "" {
			tables[n] = append([]string{r.request + " = " + r.native}, r.cells...)
		}
		for i, cell := range tables[n] {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for n, r := range rows {
		line := r.line
		switch {
		case strings.HasPrefix(line, statusLine):
			var all []string
			for _, code := range slices.Sorted(maps.Keys(m.statuses)) {
				statuses := strings.Trim(fmt.Sprint(slices.Sorted(maps.Keys(m.statuses[code]))), "[]")
				all = append(all, code+" "+statuses)
			}
			line = statusLine + " " + strings.Join(all, ", ")
		case tables[n] != nil:
			line = ""
			for i, cell := range tables[n] {
				line += fmt.Sprintf("%-*s", widths[i]+2, cell)
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
