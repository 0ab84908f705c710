package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// TestAccess does everything that access.txt speaks of, as everybody. Without the slow tests, it does what is refused
// as four of the people only: the whole table is 8,000 requests, half a minute of the emulator.
func TestAccess(t *testing.T) {
	t.Parallel()
	refused := []string{signedOut, stranger, owner, admin}
	if testenv.RunsSlow() {
		refused = people
	}
	e := start(t)
	lines := readAccess(t)
	e.seed(t, lines)
	// Nothing gets written, so the lines may run side by side.
	t.Run("lines", func(t *testing.T) {
		for _, l := range lines {
			t.Run(l.text, func(t *testing.T) {
				t.Parallel()
				if wrong := e.wrong(t, &l, refused, never); wrong != "" {
					t.Error(wrong)
				}
			})
		}
	})
	e.checkCoverage(t)
}

// seed writes the documents of access.txt, many at a time.
func (e *emulator) seed(t *testing.T, lines []line) {
	t.Helper()
	var writes []any
	_, root, _ := strings.Cut(e.documents, "/v1/")
	for _, l := range lines {
		if len(l.query) == 0 && l.id() != "missing" {
			writes = append(writes, map[string]any{"update": map[string]any{"name": root + "/" + l.document,
				"fields": l.fields()}})
		}
	}
	if status, body := e.call(t, administrator, http.MethodPost, e.documents+":commit",
		map[string]any{"writes": writes}); status != http.StatusOK {
		t.Fatalf("seed: status %d: %s", status, body)
	}
}

func never() bool { return false }

// wrong does everything that a line speaks of until it is over: as everybody whom the line allows it, and as each of
// refused. It returns the first answer that the line does not say, or "".
func (e *emulator) wrong(t *testing.T, l *line, refused []string, over func() bool) string {
	t.Helper()
	for _, operation := range operations {
		who := l.may[operation]
		if who == nil {
			continue
		}
		for _, person := range people {
			if over() {
				return ""
			}
			want := http.StatusForbidden
			switch allowed := slices.Contains(who, person); {
			case !allowed && !slices.Contains(refused, person):
				continue
			case allowed && operation == "get" && l.id() == "missing":
				want = http.StatusNotFound
			case allowed:
				want = http.StatusOK
			}
			if status, body := e.do(t, person, operation, l); status != want {
				return fmt.Sprintf("%s by %s: status %d, want %d: %s", operation, person, status, want, body)
			}
		}
	}
	return ""
}

// emulator is a project of the Firestore emulator that has the rules of
// firestore.rules.
type emulator struct {
	admin     string // URL of the project for the emulator's own calls
	documents string // URL of the root of the documents
	rules     string
	tokens    map[string]string // person → bearer token
}

// administrator goes round the rules. The emulator's word for that is "owner",
// which has nothing to do with who owns a document.
const administrator = "administrator"

func start(t *testing.T) *emulator {
	t.Helper()
	rules, err := os.ReadFile(filepath.Join(testenv.Root(), "firestore.rules"))
	if err != nil {
		t.Fatal(err)
	}
	host, project := "http://"+testenv.FirestoreHost(t), testenv.Project(t)
	e := &emulator{
		admin:     host + "/emulator/v1/projects/" + project,
		documents: host + "/v1/projects/" + project + "/databases/(default)/documents",
		rules:     string(rules),
		tokens: map[string]string{
			administrator: "owner",
			stranger:      testenv.Token(project, map[string]any{"sub": stranger}),
			owner:         testenv.Token(project, map[string]any{"sub": owner, "admin": false}),
			frozen:        testenv.Token(project, map[string]any{"sub": owner, "frozen": true}),
			admin:         testenv.Token(project, map[string]any{"sub": admin, "admin": true}),
			moderator:     testenv.Token(project, map[string]any{"sub": moderator, "moderator": true}),
			follower:      testenv.Token(project, map[string]any{"sub": follower}),
			addressed:     testenv.Token(project, map[string]any{"sub": addressed}),
			"guest": testenv.Token(project, map[string]any{"sub": "guest",
				"firebase": map[string]any{"sign_in_provider": "anonymous"}}),
		},
	}
	e.load(t, e.rules)
	return e
}

// load makes the emulator decide by these rules.
func (e *emulator) load(t *testing.T, rules string) {
	t.Helper()
	if status, body := e.tryLoad(t, rules); status != http.StatusOK || strings.Contains(body, "issues") {
		t.Fatalf("load firestore.rules: status %d: %s", status, body)
	}
}

// tryLoad is load for rules that may not compile: then the emulator answers 400, and keeps those
// that it has.
func (e *emulator) tryLoad(t *testing.T, rules string) (status int, body string) {
	t.Helper()
	file := map[string]any{"name": "firestore.rules", "content": rules}
	return e.call(t, administrator, http.MethodPut, e.admin+":securityRules", map[string]any{
		"rules": map[string]any{"files": []any{file}},
	})
}

// do tries an operation of a line of access.txt.
func (e *emulator) do(t *testing.T, person, operation string, l *line) (status int, body string) {
	t.Helper()
	url := e.documents + "/" + l.document
	document := map[string]any{"fields": l.fields()}
	switch operation {
	case "get":
		return e.call(t, person, http.MethodGet, url, nil)
	case "list":
		return e.list(t, person, l)
	case "create":
		id := "by-" + strings.ReplaceAll(person, " ", "-")
		return e.call(t, person, http.MethodPost, e.documents+"/"+l.collection()+"?documentId="+id, document)
	case "update":
		sets := l.sets(t)
		url += "?currentDocument.exists=true"
		for name, value := range sets {
			url += "&updateMask.fieldPaths=" + name
			if value == nil {
				delete(sets, name) // in the mask alone, it is removed
			}
		}
		return e.call(t, person, http.MethodPatch, url, map[string]any{"fields": sets})
	case "delete":
		return e.call(t, person, http.MethodDelete, url, nil)
	}
	panic("unknown operation " + operation)
}

func (e *emulator) list(t *testing.T, person string, l *line) (status int, body string) {
	t.Helper()
	parent, collection := path.Split(l.collection())
	group := l.query.Get("group") == "true"
	if group {
		parent = "" // the only one where a collection group can be asked for
	}
	query := map[string]any{
		"from":  []any{map[string]any{"collectionId": collection, "allDescendants": group}},
		"limit": 100,
	}
	switch limit := l.query.Get("limit"); limit {
	case "":
	case "none":
		delete(query, "limit")
	default:
		query["limit"] = number(t, limit)
	}
	if offset := l.query.Get("offset"); offset != "" {
		query["offset"] = number(t, offset)
	}
	if l.query.Get("filter") != "none" {
		query["where"] = like(l.fields())
	}
	url := strings.TrimSuffix(e.documents+"/"+parent, "/")
	if l.query.Get("count") == "true" {
		return e.call(t, person, http.MethodPost, url+":runAggregationQuery", map[string]any{
			"structuredAggregationQuery": map[string]any{
				"structuredQuery": query,
				"aggregations":    []any{map[string]any{"count": map[string]any{}}},
			},
		})
	}
	return e.call(t, person, http.MethodPost, url+":runQuery", map[string]any{"structuredQuery": query})
}

// like is a filter that lets through documents with these fields.
func like(fields map[string]any) map[string]any {
	var filters []any
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		filters = append(filters, map[string]any{"fieldFilter": map[string]any{
			"field": map[string]any{"fieldPath": name}, "op": "EQUAL", "value": fields[name],
		}})
	}
	return map[string]any{"compositeFilter": map[string]any{"op": "AND", "filters": filters}}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// call sends a request as a person.
func (e *emulator) call(t *testing.T, person, method, url string, body any) (status int, answer string) {
	t.Helper()
	var reader io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, reader)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json") // or the emulator answers 404
	if token := e.tokens[person]; token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
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

// checkCoverage fails for each condition in the rules, or part of one, that was
// not seen both true and false: access.txt then does not say what it is for.
func (e *emulator) checkCoverage(t *testing.T) {
	t.Helper()
	for _, x := range e.coverage(t) {
		x.check(t, e.rules, true)
	}
}

// coverage asks for the conditions of the rules and what each was evaluated to.
func (e *emulator) coverage(t *testing.T) []expression {
	t.Helper()
	status, body := e.call(t, administrator, http.MethodGet, e.admin+":ruleCoverage", nil)
	if status != http.StatusOK {
		t.Fatalf("coverage: status %d: %s", status, body)
	}
	var coverage struct {
		Report []expression `json:"report"`
	}
	if err := json.Unmarshal([]byte(body), &coverage); err != nil {
		t.Fatal(err)
	}
	if len(coverage.Report) == 0 {
		t.Fatalf("no coverage in %.1000s", body)
	}
	return coverage.Report
}

// expression is a part of the rules and what it was evaluated to.
type expression struct {
	// both ends are inside; in bytes as long as the rules are ASCII
	Source   struct{ Line, CurrentOffset, EndOffset int } `json:"sourcePosition"`
	Values   []value
	Children []expression
}

type value struct {
	Value struct {
		Bool *bool `json:"boolValue"`
	}
}

// check looks at a condition, or at an operand, which is only looked at if it
// is true or false.
func (x *expression) check(t *testing.T, rules string, condition bool) {
	t.Helper()
	text := rules[x.Source.CurrentOffset : x.Source.EndOffset+1]
	if text == "true" || text == "false" {
		return // a literal
	}
	seen := map[bool]bool{}
	for _, v := range x.Values {
		if v.Value.Bool != nil {
			seen[*v.Value.Bool] = true
		}
	}
	if condition || len(seen) > 0 {
		for _, b := range []bool{true, false} {
			if !seen[b] {
				t.Errorf("firestore.rules:%d: no line of access.txt makes %q %t", x.Source.Line, text, b)
			}
		}
	}
	for i := range x.Children {
		x.Children[i].check(t, rules, false)
	}
}
