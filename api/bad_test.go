package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// badRequest is a request that is refused.
type badRequest struct {
	name         string
	method, path string
	token        string
	body         any
	headers      []string
	status       int
	code         string
	names        string // what the detail must name
}

// badWorld is what bad requests are about.
type badWorld struct {
	ann, bob            person
	stranger            testenv.Account // without a profile
	anonymous           string          // a token
	tweet, gone, narrow api.Tweet
	likes               struct {
		Items         []any
		NextPageToken string
	}
	expired, longAgo, foreign, unknown, admin, slash string // tokens
}

// never is the id of no tweet.
const never = "0000000000000000aa"

// newBadWorld makes what bad requests are about.
func newBadWorld(t *testing.T, e *env) *badWorld {
	t.Helper()
	w := &badWorld{ann: e.join(t, "ann"), bob: e.join(t, "bob"), stranger: testenv.SignUp(t, ""),
		anonymous: signUpAnonymously(t)}
	w.tweet = e.post(t, w.ann, map[string]any{"content": "first"})
	w.gone = e.post(t, w.ann, map[string]any{"content": "gone"})
	w.narrow = e.post(t, w.ann, map[string]any{"content": "for followers", "visibility": "followers"})
	e.do(t, "DELETE", "/v1/tweets/"+string(w.gone.ID), w.ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", "/v1/tweets/"+string(w.tweet.ID)+"/like", w.ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", "/v1/tweets/"+string(w.tweet.ID)+"/like", w.bob.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", "/v1/tweets/"+string(w.tweet.ID)+"/likes?pageSize=1", "", nil).want(t, http.StatusOK, &w.likes)
	of := func(claims map[string]any) string { return testenv.Token(emulators.DefaultProject, claims) }
	w.expired = of(map[string]any{
		"sub": string(w.ann.id), "iat": time.Now().Add(-2 * time.Hour).Unix(), "exp": time.Now().Add(-time.Hour).Unix(),
	})
	w.longAgo = of(map[string]any{"sub": string(w.ann.id), "auth_time": time.Now().Add(-time.Hour).Unix()})
	w.foreign = testenv.Token("demo-other", map[string]any{"sub": string(w.ann.id)})
	w.unknown = of(nil)
	w.admin = of(map[string]any{"sub": string(w.ann.id), "admin": true})
	w.slash = of(map[string]any{"sub": "a/b"})
	return w
}

// Every bad request gets its 4xx as a problem document with a code, and leaves every
// document as it was.
func TestBadInput(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	w := newBadWorld(t, e)
	tests := slices.Concat(badBodies(w), badCallers(w), badPaths(w), badThreads(w))
	before := e.documents(t)
	if len(w.likes.NextPageToken) == 0 || len(before) == 0 {
		t.Fatalf("there is nothing to protect: token %q, %d documents", w.likes.NextPageToken, len(before))
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := e.do(t, test.method, test.path, test.token, test.body, test.headers...)
			p := r.problem(t, test.status, test.code)
			if !strings.Contains(p.Detail, test.names) {
				t.Errorf("detail = %q, want it to name %q", p.Detail, test.names)
			}
			if (test.code == "invalid_request") != (len(p.Errors) > 0) && test.body != nil {
				t.Errorf("errors = %v with code %s", p.Errors, p.Code)
			}
			if got := r.header.Get("WWW-Authenticate"); (test.status == 401) != strings.HasPrefix(got, "Bearer ") {
				t.Errorf("WWW-Authenticate = %q with status %d", got, test.status)
			}
			if got := r.header.Get("Allow"); (test.status == 405) != strings.Contains(got, "GET") {
				t.Errorf("Allow = %q with status %d", got, test.status)
			}
			after := e.documents(t)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("documents changed (-before +after):\n%s", diff)
			}
			before = after
		})
	}
}

// flip alters the middle of a token.
func flip(token string) string {
	b := []byte(token)
	if i := len(b) / 2; b[i] == 'A' {
		b[i] = 'B'
	} else {
		b[i] = 'A'
	}
	return string(b)
}

// A body that breaks off is the client's fault.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	conn, err := net.Dial("tcp", strings.TrimPrefix(e.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "POST /v1/tweets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer "+
		ann.token+"\r\n\r\nnot a length\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	reply{resp.StatusCode, resp.Header, body}.problem(t, http.StatusBadRequest, "invalid_request")
}

// A body may have just the bytes of its limit, and a field just its limit.
func TestLimits(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	content := strings.Repeat("é", model.MaxContent)
	if got := e.post(t, ann, map[string]any{"content": content, "summary": strings.Repeat("s",
		model.MaxSummary)}); *got.Content != content {
		t.Error("the longest content came back changed")
	}
	var most, values int
	if _, err := fmt.Sscanf(e.about.Paths["/v1/tweets"].Post.RequestBody.Description,
		"At most %d bytes, with %d names and values", &most, &values); err != nil {
		t.Fatal(err)
	}
	if escaped := 12 * model.MaxContent; most < escaped || most > escaped+96<<10 {
		t.Errorf("a tweet has %d bytes at most, want those of a content of escapes and little more", most)
	}
	body := `{"content":"x"` + strings.Repeat(" ", most-len(`{"content":"x"`)-1) + "}"
	e.do(t, "POST", "/v1/tweets", ann.token, body).want(t, http.StatusCreated, nil)
	e.do(t, "POST", "/v1/tweets", ann.token, body+" ").problem(t, http.StatusRequestEntityTooLarge, "too_large")
	e.post(t, ann, map[string]any{"content": "x", "tags": nil}) // is within
	many := `{"content":"x"` + strings.Repeat(`,"content":"x"`, (values-3)/2) + "}"
	e.do(t, "POST", "/v1/tweets", ann.token, many).want(t, http.StatusCreated, nil)
	p := e.do(t, "POST", "/v1/tweets", ann.token, strings.Replace(many, "{", `{"content":"x",`, 1)).
		problem(t, http.StatusBadRequest, "invalid_request")
	if want := fmt.Sprintf("more than %d names", values); !strings.Contains(p.Detail, want) || len(p.Errors) != 1 {
		t.Errorf("too many values: %+v, want %s", p, want)
	}
	odd := e.post(t, ann, map[string]any{"content": "NUL \x00 and \u202e and 👩‍👩‍👧"})
	if want := "NUL \x00 and \u202e and 👩‍👩‍👧"; *odd.Content != want {
		t.Errorf("content = %q, want %q", *odd.Content, want)
	}
}

// filterOf is the body of a filter.
func filterOf(context, action string, keywords ...string) map[string]any {
	all := []map[string]any{}
	for _, k := range keywords {
		all = append(all, map[string]any{"keyword": k})
	}
	return map[string]any{"title": "t", "contexts": []string{context}, "action": action, "keywords": all}
}
