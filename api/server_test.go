package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/api/wiring"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	for _, method := range []string{"GET", "HEAD"} {
		r := e.do(t, method, "/health", "", nil).want(t, http.StatusOK, nil)
		if c := r.cost(t); c.Reads != 0 {
			t.Errorf("%s /health read %d documents", method, c.Reads)
		}
		// a probe says nothing about tokens: the sender may have one of its own
		for _, token := range []string{"", "no token of ours"} {
			for range 10 { // a machine that is busy may take longer than the 2 s of a probe
				if r = e.do(t, method, "/ready", token, nil); r.status != http.StatusServiceUnavailable {
					break
				}
			}
			r.want(t, http.StatusOK, nil)
			if c := r.cost(t); c.Reads != 1 {
				t.Errorf("%s /ready read %d documents, want 1", method, c.Reads)
			}
		}
		// On run.app these are answered by Google's frontend, and never arrive.
		for _, probe := range []string{"/healthz", "/readyz"} {
			if got := e.do(t, method, probe, "", nil); got.status != http.StatusNotFound {
				t.Errorf("%s %s answered %d, want 404", method, probe, got.status)
			}
		}
	}
}

func TestNotReady(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) {
		down := httptest.NewServer(nil)
		db, err := store.Open(t.Context(), "demo-down", "", store.Options{Emulator: strings.TrimPrefix(down.URL, "http://")})
		down.Close()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		o.Stores, o.Timeout = wiring.API(db), 100*time.Millisecond
	})
	p := e.do(t, "GET", "/ready", "", nil).problem(t, http.StatusServiceUnavailable, "not_ready")
	if strings.Contains(p.Detail, "127.0.0.1") {
		t.Errorf("detail = %q names an address", p.Detail)
	}
	e.do(t, "GET", "/health", "", nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/users/ann", "", nil).problem(t, http.StatusServiceUnavailable, "unavailable")
	if line := e.logged(t, "/v1/users/:uid"); line["severity"] != "ERROR" || line["error"] == nil {
		t.Errorf("logged %v, want the cause", line)
	}
}

// faulty panics at a certain token, as broken code would.
type faulty struct{ server.Verifier }

func (f faulty) Verify(ctx context.Context, token string) (model.Caller, error) {
	if token == "panic" {
		panic("a secret")
	}
	return f.Verifier.Verify(ctx, token)
}

func TestPanic(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.Verifier = faulty{o.Verifier} })
	r := e.do(t, "GET", "/v1/timeline", "panic", nil)
	r.problem(t, http.StatusInternalServerError, "internal")
	if strings.Contains(string(r.body), "secret") {
		t.Errorf("the answer tells the cause: %s", r.body)
	}
	line := e.logged(t, "/v1/timeline")
	if text, _ := line["error"].(string); !strings.Contains(text, "a secret") ||
		!strings.Contains(text, "server_test.go") {
		t.Errorf("logged %v, want the panic and its stack", line)
	}
}

// broken is a connection on which the first write panics after a byte.
type broken struct {
	*httptest.ResponseRecorder
	broke bool
}

func (b *broken) Write(p []byte) (int, error) {
	if b.broke {
		return b.ResponseRecorder.Write(p)
	}
	b.broke = true
	b.ResponseRecorder.Write(p[:1])
	panic("the connection broke")
}

// A panic after the header adds nothing to an answer that has begun, and breaks the connection: the
// client does not take a part for all.
func TestPanicAfterHeader(t *testing.T) {
	t.Parallel()
	var options api.Options
	e := newEnv(t, func(o *api.Options) { options = *o })
	answer := &broken{ResponseRecorder: httptest.NewRecorder()}
	func() {
		defer func() {
			v := recover()
			if err, _ := v.(error); !errors.Is(err, http.ErrAbortHandler) {
				t.Errorf("the handler ends with %v, want %v", v, http.ErrAbortHandler)
			}
		}()
		api.New(options).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", "/v1/tags", nil))
	}()
	if got := answer.Body.String(); answer.Code != http.StatusOK || got != "{" {
		t.Errorf("answered %d %q, want 200 and the first byte of the list", answer.Code, got)
	}
	if line := e.logged(t, "/v1/tags"); line["severity"] != "ERROR" || !strings.Contains(fmt.Sprint(line["error"]),
		"the connection broke") {
		t.Errorf("logged %v, want the panic", line)
	}
}

// A request is one line, which holds neither names nor what was written.
func TestLog(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann_of_the_log")
	tweet, err := e.db.Tweets.Tweet(t.Context(), e.post(t, ann, map[string]any{"content": "private words"}).ID,
		model.Viewer{})
	testenv.Must(t, err)
	testenv.Must(t, e.db.Timelines.Deliver(t.Context(), tweet.Tweet))
	e.do(t, "GET", "/v1/users/me/followers?pageSize=77&remark=between_us", ann.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/usernames/a_missing_name", "", nil).problem(t, http.StatusNotFound, "username_not_found")
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"content": "more private words", "x": 1}).
		problem(t, http.StatusBadRequest, "invalid_request")
	e.do(t, "GET", "/nowhere/private", "", nil).problem(t, http.StatusNotFound, "route_not_found")
	var home api.HomePage
	e.do(t, "GET", "/v1/timeline", ann.token, nil).want(t, http.StatusOK, &home)
	// The answer that nothing is new comes from memory, and leaves no line.
	e.do(t, "GET", "/v1/timeline?after="+url.QueryEscape(home.Newest), ann.token, nil).want(t, http.StatusOK, nil)

	line := e.logged(t, "/v1/usernames/:username")
	for name, want := range map[string]any{
		"severity": "INFO", "message": "request", "method": "GET", "status": 404., "code": "username_not_found",
		"fs_reads": 1., "fs_writes": 0., "fs_deletes": 0.,
	} {
		if line[name] != want {
			t.Errorf("%s = %v, want %v", name, line[name], want)
		}
	}
	if d, ok := line["duration_ms"].(float64); !ok || d <= 0 || line["error"] != nil {
		t.Errorf("line = %v", line)
	}
	e.logged(t, "") // the last one
	log, _ := e.log.read()
	if got := strings.Count(log, "\n"); got != 7 {
		t.Errorf("7 requests left %d lines", got)
	}
	for _, secret := range []string{ann.token, ann.email, ann.name, string(ann.id), "private", "a_missing_name",
		"pageSize=77", "between_us"} {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(secret) + `\b`).MatchString(log) {
			t.Errorf("the log holds %q:\n%s", secret, log)
		}
	}
}

func TestOpenAPI(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	var doc struct {
		OpenAPI    string
		Paths      map[string]map[string]operation
		Components struct {
			Responses       map[string]response
			SecuritySchemes map[string]struct{ Type, Scheme string }
		}
	}
	r := e.do(t, "GET", "/openapi.json", "", nil)
	if err := json.Unmarshal(r.body, &doc); err != nil || r.status != http.StatusOK || !strings.HasPrefix(doc.OpenAPI,
		"3.1.") {
		t.Fatalf("openapi.json: status %d, version %q, %v", r.status, doc.OpenAPI, err)
	}
	older := e.do(t, "GET", "/openapi-3.0.json", "", nil)
	var plain struct { // the older document names all fields of a schema
		Components struct{ Schemas map[string]schema }
	}
	testenv.Must(t, json.Unmarshal(older.body, &plain))
	if s := doc.Components.SecuritySchemes["firebase"]; s.Type != "http" || s.Scheme != "bearer" {
		t.Errorf("security scheme = %+v", s)
	}
	for address, ops := range doc.Paths {
		for method, op := range ops {
			route := method + " " + address
			file := strings.HasPrefix(address, "/media/")
			probe := !strings.HasPrefix(address, "/v1/") && !file
			if op.Summary == "" || op.OperationID == "" || len(op.Tags) != 1 || (len(op.Security) == 0) != probe {
				t.Errorf("%s lacks something: %+v", route, op)
			}
			for status, response := range op.Responses {
				if status == "204" || status == "304" || status == "416" {
					continue
				}
				media := "application/problem+json"
				if status < "300" {
					media = "application/json"
				}
				if status < "300" && file {
					media = "image/jpeg"
				}
				if _, name, shared := strings.Cut(response.Ref, "#/components/responses/"); shared {
					response = doc.Components.Responses[name]
				}
				schemas := response.Content[media].Schema.OneOf
				if schemas == nil {
					schemas = []ref{response.Content[media].Schema.ref}
				}
				if body, ok := response.Content["image/jpeg"]; ok && body.Schema.Type == "string" {
					continue
				}
				if slices.Contains(schemas, ref{}) {
					t.Errorf("%s %s has no schema for %s", route, status, media)
				}
			}
			if _, ok := op.Responses["422"]; ok {
				t.Errorf("%s tells of 422, which is never answered", route)
			}
			if _, ok := op.Responses["401"]; ok == probe {
				t.Errorf("%s tells of 401: %v", route, ok)
			}
			if _, ok := op.Responses["403"]; ok == probe {
				t.Errorf("%s tells of 403: %v", route, ok)
			}
		}
	}

	// The limits stand in struct tags, which cannot name constants.
	for field, want := range map[string]int{
		"NewTweet.content": model.MaxContent, "NewTweet.summary": model.MaxSummary, "NewDraft.content": model.MaxContent,
		"NewDraft.summary": model.MaxSummary, "TweetPatch.content": model.MaxContent, "TweetPatch.summary": model.MaxSummary,
		"NewUser.username": model.MaxUsername,
		"Reason.reason":    model.MaxReason, "NewReport.text": model.MaxReportText, "EditedUser.reason": model.MaxReason,
		"EditedUser.nickname": model.MaxNickname,
		"NewUser.nickname":    model.MaxNickname, "UserPatch.username": model.MaxUsername,
		"UserPatch.nickname": model.MaxNickname,
		"NewUser.avatar":     model.MaxAvatar, "UserPatch.avatar": model.MaxAvatar, "NewUser.aiModel": model.MaxAIModel,
		"UserPatch.aiModel":    model.MaxAIModel,
		"NewUser.introduction": model.MaxIntroduction, "UserPatch.introduction": model.MaxIntroduction,
		"NewProduct.name": model.MaxProductName, "ProductPatch.name": model.MaxProductName,
		"NewProduct.description": model.MaxProductDescription, "ProductPatch.description": model.MaxProductDescription,
		"NewProduct.image": model.MaxAvatar, "ProductPatch.image": model.MaxAvatar,
		"NewMedia.alt": model.MaxAlt, "AltOf.alt": model.MaxAlt,
		"NewUser.aiPersonality": model.MaxAIPersonality, "UserPatch.aiPersonality": model.MaxAIPersonality,
	} {
		name, property, _ := strings.Cut(field, ".")
		if got := plain.Components.Schemas[name].Properties[property].MaxLength; got != want {
			t.Errorf("%s may have %d characters, want %d", field, got, want)
		}
	}
	for _, name := range []string{"NewTweet", "NewDraft", "TweetPatch"} {
		if got := plain.Components.Schemas[name].Properties["media"].MaxItems; got != model.MaxMedia {
			t.Errorf("%s may have %d media, want %d", name, got, model.MaxMedia)
		}
		if got := plain.Components.Schemas[name].Properties["tags"].MaxItems; got != model.MaxTags {
			t.Errorf("%s may have %d tags, want %d", name, got, model.MaxTags)
		}
	}
	pinned := plain.Components.Schemas["UserPatch"].Properties["pinnedTags"]
	if pinned.MaxItems != model.MaxPinnedTags || pinned.Items.MaxLength != model.MaxTagTyped {
		t.Errorf("a profile may have %d tags of %d characters, want %d of %d", pinned.MaxItems, pinned.Items.MaxLength,
			model.MaxPinnedTags, model.MaxTagTyped)
	}
	if got := plain.Components.Schemas["NewPoll"].Properties["options"].MaxItems; got != model.MaxPollOptions {
		t.Errorf("a poll may have %d options, want %d", got, model.MaxPollOptions)
	}
	if got := plain.Components.Schemas["NewUser"].Properties["username"].MinLength; got != model.MinUsername {
		t.Errorf("a username needs %d characters, want %d", got, model.MinUsername)
	}
	if older.status != http.StatusOK || !strings.Contains(string(older.body), `"openapi": "3.0.3"`) ||
		strings.Contains(string(older.body), `"oneOf"`) {
		t.Errorf("openapi-3.0.json: %d %.100s", older.status, older.body)
	}
	if r := e.do(t, "GET", "/openapi.yaml", "", nil); r.status != http.StatusOK || !strings.Contains(string(r.body),
		"openapi: 3.1.") {
		t.Errorf("openapi.yaml: %d %.100s", r.status, r.body)
	}
}

type operation struct {
	Summary, OperationID string
	Tags                 []string
	Security             []map[string][]string
	Responses            map[string]response
}

type response struct {
	ref
	Content map[string]struct {
		Schema struct {
			ref
			Type  string
			OneOf []ref
		}
	}
}

type ref struct {
	Ref string `json:"$ref"`
}

type schema struct {
	Properties map[string]struct {
		MinLength, MaxLength, MaxItems int
		Items                          struct{ MaxLength int }
	}
}

// The page that shows the API takes everything from this server.
func TestDocs(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	page := e.do(t, "GET", "/docs", "", nil).want(t, http.StatusOK, nil)
	if got := page.header.Get("Content-Security-Policy"); !strings.Contains(got, "default-src 'self'") {
		t.Errorf("Content-Security-Policy = %q", got)
	}
	refs := regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(string(page.body), -1)
	if len(refs) < 3 || !strings.Contains(string(page.body), "/openapi.json") {
		t.Fatalf("the page names %d files: %s", len(refs), page.body)
	}
	for _, ref := range refs {
		if !strings.HasPrefix(ref[1], "/docs/") {
			t.Errorf("the page takes %s from elsewhere", ref[1])
			continue
		}
		r := e.do(t, "GET", ref[1], "", nil).want(t, http.StatusOK, nil)
		if len(r.body) < 100 || path.Ext(ref[1]) == ".js" && !strings.Contains(r.header.Get("Content-Type"), "javascript") {
			t.Errorf("%s has %d bytes of %s", ref[1], len(r.body), r.header.Get("Content-Type"))
		}
	}
}

// Plain answers have the headers, too, and nothing that huma would add.
func TestHeaders(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	a := testenv.SignUp(t, "")
	for _, r := range []reply{
		e.do(t, "POST", "/v1/users", a.IDToken, map[string]any{"username": "ann"}),
		e.do(t, "PUT", "/v1/users/x/follow", "", nil),
		e.do(t, "GET", "/docs", "", nil),
		e.do(t, "GET", "/nowhere", "", nil),
	} {
		r.cost(t)
		if r.header.Get("Referrer-Policy") != "no-referrer" || !strings.Contains(r.header.Get("Content-Security-Policy"),
			"frame-ancestors 'none'") {
			t.Errorf("answer %v: %.100s", r.header, r.body)
		}
		if r.header.Get("Strict-Transport-Security") != "" {
			t.Error("a laptop has no HTTPS")
		}
		if r.header.Get("X-Content-Type-Options") != "nosniff" || r.header.Get("Link") != "" ||
			strings.Contains(string(r.body), "$schema") {
			t.Errorf("answer %v: %.100s", r.header, r.body)
		}
	}
}
