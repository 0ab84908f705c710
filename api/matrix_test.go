package api_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/internal/local/emulators"
	"github.com/hibana-sns/hibana/internal/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
)

var update = flag.Bool("update", false, "rewrite testdata/matrix.txt and openapi.json with what the API answers")

const matrixFile = "testdata/matrix.txt"

// callers are the columns of the matrix. The owner is the user, or the author of the tweet,
// whom a request is about.
var callers = []string{"signed-out", "anonymous", "no-profile", "stranger", "follower", "blocked", "frozen", "owner", "moderator", "administrator"}

// claims are what the ID tokens of some callers say.
var claims = map[string]string{"frozen": "frozen", "moderator": "moderator", "administrator": "admin"}

// TestMatrix sends each request of testdata/matrix.txt as each caller, and compares the
// answers. Every route of the OpenAPI document needs a line.
//
// A line of a new route is its request alone; -update adds the answers.
func TestMatrix(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(matrixFile)
	testenv.Must(t, err)
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	everyRoute(t, lines)
	shared := newAccounts(t)
	m := &matrix{answers: make([][]string, len(lines)), statuses: map[string]int{}}
	t.Run("rows", func(t *testing.T) {
		for n, line := range lines {
			if request, _, ok := matrixRow(line); ok {
				t.Run(request, func(t *testing.T) {
					t.Parallel()
					m.answers[n] = m.run(t, request, shared)
				})
			}
		}
	})
	if t.Failed() {
		return
	}
	want := m.format(lines)
	switch {
	case *update:
		testenv.Must(t, os.WriteFile(matrixFile, []byte(want), 0o666))
	case want != string(text):
		t.Errorf("%s is not what the API answers; look at the difference, and write it with -update (-file +API):\n%s", matrixFile, cmp.Diff(string(text), want))
	}
}

// matrixRow splits a line into its request and the answers, in the order of callers.
func matrixRow(line string) (request string, answers []string, ok bool) {
	if line == "" || strings.HasPrefix(line, "#") {
		return "", nil, false
	}
	cells := regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(line), -1)
	return cells[0], cells[1:], true
}

// alone is how a line begins whose request ends accounts. It has accounts of its own.
const alone = "alone "

// parseRequest splits a request into method, path and body.
func parseRequest(request string) (method, path, body string) {
	method, path, _ = strings.Cut(strings.TrimPrefix(request, alone), " ")
	path, body, _ = strings.Cut(path, " ")
	return method, path, body
}

// everyRoute fails the test for each route that no line asks for.
func everyRoute(t *testing.T, lines []string) {
	t.Helper()
	e := newEnv(t)
	var doc struct{ Paths map[string]map[string]any }
	testenv.Must(t, json.Unmarshal(e.do(t, "GET", "/openapi.json", "", nil).body, &doc))
	missing := map[string]bool{}
	for path, operations := range doc.Paths {
		for method := range operations {
			missing[strings.ToUpper(method)+" "+path] = true
		}
	}
	for _, line := range lines {
		request, _, ok := matrixRow(line)
		if !ok {
			continue
		}
		method, path, _ := parseRequest(request)
		path, _, _ = strings.Cut(path, "?")
		best, fixed := "", -1
		for template := range doc.Paths {
			if n := fits(path, template); n > fixed && doc.Paths[template][strings.ToLower(method)] != nil {
				best, fixed = template, n
			}
		}
		if fixed < 0 {
			t.Errorf("%s: there is no such route", request)
		}
		delete(missing, method+" "+best)
	}
	for _, route := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("%s has no line for %s", matrixFile, route)
	}
}

// fits tells how many parts of a path stand in a path of the OpenAPI document as they are;
// -1 if the path does not fit.
func fits(path, template string) (fixed int) {
	parts, wants := strings.Split(path, "/"), strings.Split(template, "/")
	if len(parts) != len(wants) {
		return -1
	}
	for i, want := range wants {
		switch {
		case parts[i] == want:
			fixed++
		case !strings.HasPrefix(want, "{"):
			return -1
		}
	}
	return fixed
}

// callerAccounts are the accounts of the callers.
type callerAccounts struct {
	ids    map[string]model.UserID
	tokens map[string]string
}

func newAccounts(t *testing.T) *callerAccounts {
	t.Helper()
	a := &callerAccounts{map[string]model.UserID{}, map[string]string{"anonymous": signUpAnonymously(t)}}
	for _, who := range callers[2:] {
		account := testenv.SignUp(t, "")
		a.ids[who], a.tokens[who] = model.UserID(account.UID), account.IDToken
		if claim := claims[who]; claim != "" {
			a.tokens[who] = testenv.Token(emulators.DefaultProject, map[string]any{"sub": account.UID, claim: true})
		}
	}
	return a
}

// matrix collects the answers.
type matrix struct {
	answers [][]string // by line and caller

	mu       sync.Mutex
	statuses map[string]int // by code
}

// run sends a request as each caller, in a project of its own.
func (m *matrix) run(t *testing.T, request string, a *callerAccounts) []string {
	if strings.HasPrefix(request, alone) {
		a = newAccounts(t)
	}
	e := newEnv(t)
	e.people(t, a)
	method, path, body := parseRequest(request)
	var answers []string
	for _, who := range callers {
		fill := e.things(t, a, who, request)
		var send any
		if body != "" {
			send = fill.Replace(body)
		}
		r := e.do(t, method, fill.Replace(path), a.tokens[who], send)
		answers = append(answers, m.answer(t, who, r))
	}
	return answers
}

// people makes the profiles, and what stands between the callers and the owner.
func (e *env) people(t *testing.T, a *callerAccounts) {
	t.Helper()
	for _, who := range callers[3:] {
		// The names of the roles are reserved.
		_, err := e.db.Facts.CreateUser(t.Context(), a.ids[who], facts.NewUser{Username: strings.NewReplacer("moderator", "maud", "administrator", "ada").Replace(who), Nickname: who})
		testenv.Must(t, err)
		_, err = e.admin.Doc("users/"+string(a.ids[who])+"/notifications/follow_2026-11-20").Set(t.Context(), model.Notification{
			Slot: "follow", Term: "2026-11-20", ExpireAt: time.Now().Add(time.Hour),
		})
		testenv.Must(t, err)
	}
	_, err := e.admin.Doc("tags/spark").Set(t.Context(), model.Tag{Content: "spark", TweetCount: 1})
	testenv.Must(t, err)
	testenv.Must(t, e.db.Facts.Follow(t.Context(), a.ids["follower"], a.ids["owner"]))
	testenv.Must(t, e.db.Facts.Block(t.Context(), a.ids["owner"], a.ids["blocked"]))
}

// things makes what a request names, anew for each caller.
func (e *env) things(t *testing.T, a *callerAccounts, who, request string) *strings.Replacer {
	t.Helper()
	owner := a.ids["owner"]
	tweet := func(name string) string {
		if !strings.Contains(request, name) {
			return ""
		}
		open := name != "<closed>"
		draft := model.Draft{Content: name + " #spark", AllowLikes: open, AllowReplies: open, DenyQuotes: !open}
		if name == "<poll>" {
			draft.Poll = &model.NewPoll{Options: []string{"yes", "no"}, Minutes: model.MinPollMinutes}
		}
		if name == "<followers>" || name == "<mentioned>" {
			draft.Visibility = model.Audience(strings.Trim(name, "<>"))
		}
		tweet, err := e.db.Facts.CreateTweet(t.Context(), owner, draft, facts.Request{})
		testenv.Must(t, err)
		switch name {
		case "<edited>":
			_, err := e.db.Edits.Edit(t.Context(), owner, tweet.ID, model.TweetPatch{Content: new("edited")}, nil)
			testenv.Must(t, err)
		case "<flagged>":
			testenv.Must(t, e.db.Facts.Flag(t.Context(), tweet.ID, true))
		case "<deleted>":
			testenv.Must(t, e.db.Facts.DeleteTweet(t.Context(), owner, false, tweet.ID))
		}
		return string(tweet.ID)
	}
	draft, err := e.db.Drafts.Save(t.Context(), owner, model.SavedDraft{Draft: model.Draft{Content: "a draft"}}, facts.Request{})
	testenv.Must(t, err)
	pairs := []string{"<draft>", draft.ID, "<owner>", string(owner), "<unknown>", "0000000000000000aa", "<event>", strings.Repeat("0", 29)}
	if strings.Contains(request, "<product>") {
		p, err := e.db.Shop.Add(t.Context(), owner, model.ProductDraft{Name: "Senko", Price: model.Price{Amount: 300, Currency: "JPY"}}, 9, facts.Request{})
		testenv.Must(t, err)
		pairs = append(pairs, "<product>", string(p.ID))
	}
	if strings.Contains(request, "<order>") {
		o := &model.Order{UserID: owner, Items: []model.OrderItem{{ProductID: model.NewProductID("ann", "x"), Quantity: 1}}, Taken: 1, CreatedAt: time.Now()}
		o.Become(model.OrderConfirmed, time.Now(), "")
		_, err := e.admin.Doc("users/"+string(owner)+"/orders/0000000000000000bb").Set(t.Context(), o)
		testenv.Must(t, err)
		pairs = append(pairs, "<order>", "0000000000000000bb")
	}
	pairs = append(pairs, "<guest>", a.tokens["anonymous"])
	for _, name := range []string{"<tweet>", "<edited>", "<closed>", "<flagged>", "<deleted>", "<followers>", "<mentioned>", "<poll>"} {
		pairs = append(pairs, name, tweet(name))
	}
	return strings.NewReplacer(pairs...)
}

// answer is the status of an answer, or the code of a problem.
func (m *matrix) answer(t *testing.T, who string, r reply) string {
	t.Helper()
	if r.status < http.StatusBadRequest {
		return fmt.Sprint(r.status)
	}
	var p api.Problem
	if err := json.Unmarshal(r.body, &p); err != nil || p.Code == "" || r.status >= http.StatusInternalServerError {
		t.Errorf("%s: %d %s", who, r.status, r.body)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if was, ok := m.statuses[p.Code]; ok && was != r.status {
		t.Errorf("%s: %s has the statuses %d and %d", who, p.Code, was, r.status)
	}
	m.statuses[p.Code] = r.status
	return p.Code
}

// statusLine is how the line of the file begins that has the statuses of the codes.
const statusLine = "# Codes: "

// format is the file with the answers.
func (m *matrix) format(lines []string) string {
	header := append([]string{"# request"}, callers...)
	rows := make([][]string, len(lines))
	var widths [40]int
	for n, line := range lines {
		if strings.HasPrefix(line, header[0]) {
			rows[n] = header
		} else if request, _, ok := matrixRow(line); ok {
			rows[n] = append([]string{request}, m.answers[n]...)
		}
		for i, cell := range rows[n] {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for n, line := range lines {
		switch {
		case strings.HasPrefix(line, statusLine):
			var all []string
			for _, code := range slices.Sorted(maps.Keys(m.statuses)) {
				all = append(all, fmt.Sprintf("%s %d", code, m.statuses[code]))
			}
			line = statusLine + strings.Join(all, ", ")
		case rows[n] != nil:
			line = ""
			for i, cell := range rows[n] {
				line += fmt.Sprintf("%-*s", widths[i]+2, cell)
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
