// Package contract checks answers of the API against its OpenAPI document, by a validator that is not the API's.
package contract

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// document is api/openapi.json, as a client's tools read it.
type document struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	routes   *http.ServeMux
	doc      map[string]any
}

// noRoute answers nothing: routes are matched, and not served.
type noRoute struct{}

func (noRoute) ServeHTTP(http.ResponseWriter, *http.Request) {}

var read = sync.OnceValues(func() (*document, error) {
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "api", "openapi.json"))
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := &document{compiler: jsonschema.NewCompiler(), routes: http.NewServeMux(), doc: doc.(map[string]any)}
	for path, item := range c.doc["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			c.routes.Handle(strings.ToUpper(method)+" "+path, noRoute{})
		}
	}
	return c, c.compiler.AddResource("openapi.json", doc)
})

// Check fails the test unless the document describes an answer: its status, its media type, and all of its JSON.
func Check(t testing.TB, req *http.Request, status int, header http.Header, body []byte) {
	t.Helper()
	c, err := read()
	testenv.Must(t, err)
	_, pattern := c.routes.Handler(req)
	method, path, found := strings.Cut(pattern, " ")
	if !found && strings.HasPrefix(req.URL.Path, "/v1/") && status != http.StatusNotFound &&
		status != http.StatusMethodNotAllowed {
		t.Errorf("%s %s answers %d, and is no route of the document", req.Method, req.URL.Path, status)
	}
	if !found || status == http.StatusNotModified {
		return
	}
	what := pattern + " answers " + strconv.Itoa(status)
	operation := c.doc["paths"].(map[string]any)[path].(map[string]any)[strings.ToLower(method)].(map[string]any)
	responses := operation["responses"].(map[string]any)
	response, ok := responses[strconv.Itoa(status)].(map[string]any)
	if !ok {
		t.Errorf("%s, which is not described: %s", what, body)
		return
	}
	at := []string{"paths", path, strings.ToLower(method), "responses", strconv.Itoa(status)}
	if ref, shared := response["$ref"].(string); shared {
		at = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		response = c.doc[at[0]].(map[string]any)[at[1]].(map[string]any)[at[2]].(map[string]any)
	}
	content, _ := response["content"].(map[string]any)
	if len(content) == 0 && len(body) == 0 {
		return
	}
	media, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	if status == http.StatusPartialContent {
		return // a part of a file
	}
	if content[media] == nil {
		t.Errorf("%s with %q, which is not described: %s", what, media, body)
		return
	}
	if kind, _, _ := strings.Cut(media, "/"); kind == "image" || kind == "video" {
		return // a file is no JSON
	}
	part := strings.NewReplacer("~", "~0", "/", "~1")
	at = append(at, "content", media, "schema")
	for i := range at {
		at[i] = url.PathEscape(part.Replace(at[i]))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	schema, err := c.compiler.Compile("openapi.json#/" + strings.Join(at, "/"))
	testenv.Must(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		t.Errorf("%s with what the document does not allow: %v", what, err)
	}
}

// Handler checks every answer of the API that a client waited for.
func Handler(t testing.TB, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		seen := &recorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(seen, req)
		if req.Method != http.MethodHead && req.Method != http.MethodOptions && req.Context().Err() == nil {
			Check(t, req, seen.status, w.Header(), seen.plain(t))
		}
	})
}

// recorder keeps a copy of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// plain is the answer as the client reads it.
func (r *recorder) plain(t testing.TB) []byte {
	if r.Header().Get("Content-Encoding") != "gzip" || r.body.Len() == 0 {
		return r.body.Bytes()
	}
	unpacked, err := gzip.NewReader(&r.body)
	testenv.Must(t, err)
	text, err := io.ReadAll(unpacked)
	testenv.Must(t, err)
	return text
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(part []byte) (int, error) {
	r.body.Write(part)
	return r.ResponseWriter.Write(part)
}

// Unwrap lets http.ResponseController reach what writes the answer.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
