package emulator_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/dev/storage/emulator"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/objects"
)

const origin = "http://web.test"

// env is an emulator with a bucket.
type env struct {
	t     *testing.T
	host  string
	clock *testenv.Clock
	files *objects.Objects
}

func start(t *testing.T) *env {
	t.Helper()
	e := &env{t: t, clock: testenv.NewClock(time.Now())}
	served, err := emulator.New(e.clock.Now, slog.New(slog.DiscardHandler))
	testenv.Must(t, err)
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	e.host = strings.TrimPrefix(server.URL, "http://")
	t.Setenv(storage.Env, e.host)
	testenv.Must(t, storage.Create(t.Context(), e.host, "uploads", origin))
	e.files, err = objects.Open(t.Context(), "gs://uploads", "")
	testenv.Must(t, err)
	t.Cleanup(func() { e.files.Close() })
	return e
}

// address signs an upload of a picture of at most 1 MiB.
func (e *env) address(name string) objects.Upload {
	e.t.Helper()
	u, err := e.files.UploadURL(e.t.Context(), name, "image/png", 1<<20, 15*time.Minute)
	testenv.Must(e.t, err)
	return u
}

// answer is what a client sees.
type answer struct {
	status int
	header http.Header
	body   string
}

func (e *env) do(method, at string, header map[string]string, body []byte) answer {
	e.t.Helper()
	r, err := http.NewRequestWithContext(e.t.Context(), method, at, bytes.NewReader(body))
	testenv.Must(e.t, err)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(e.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	testenv.Must(e.t, err)
	return answer{resp.StatusCode, resp.Header, string(text)}
}

// begin starts a session, and returns its address.
func (e *env) begin(u objects.Upload) string {
	e.t.Helper()
	got := e.do(u.Method, u.URL, u.Headers, nil)
	if got.status != http.StatusCreated {
		e.t.Fatalf("the start of a session answers %+v", got)
	}
	return got.header.Get("Location")
}

// want checks the status of an answer, and the code of an error.
func (e *env) want(what string, got answer, status int, code string) {
	e.t.Helper()
	if got.status != status || !strings.Contains(got.body, code) {
		e.t.Errorf("%s answers %d %s, want %d %s", what, got.status, got.body, status, code)
	}
}

func (e *env) wantFile(name string, want []byte) {
	e.t.Helper()
	got, err := e.files.Read(e.t.Context(), name)
	testenv.Must(e.t, err)
	if !bytes.Equal(got, want) {
		e.t.Errorf("%s has %d bytes, want %d others", name, len(got), len(want))
	}
}

func TestUpload(t *testing.T) {
	e := start(t)
	picture := bytes.Repeat([]byte("spark"), 100_000)
	at := e.begin(e.address("one"))
	e.want("an upload at once", e.do("PUT", at, nil, picture), http.StatusOK, "")
	e.wantFile("one", picture)
	info, err := e.files.Stat(t.Context(), "one")
	testenv.Must(t, err)
	if info.Size != int64(len(picture)) || info.ContentType != "image/png" || info.Generation == 0 {
		t.Errorf("Stat = %+v", info)
	}
	e.want("a repeat after a lost answer", e.do("PUT", at, nil, picture), http.StatusOK, "")
	e.want("the same address", e.do("POST", e.address("one").URL, e.address("one").Headers, nil),
		http.StatusPreconditionFailed, "PreconditionFailed")

	// Two sessions were started before either was finished.
	first, second := e.begin(e.address("two")), e.begin(e.address("two"))
	e.want("the first", e.do("PUT", first, nil, []byte("first")), http.StatusOK, "")
	e.want("the second", e.do("PUT", second, nil, []byte("second")), http.StatusPreconditionFailed, "PreconditionFailed")
	e.wantFile("two", []byte("first"))

	e.want("an empty file", e.do("PUT", e.begin(e.address("empty")), nil, nil), http.StatusOK, "")
	e.wantFile("empty", nil)
}

func TestRefused(t *testing.T) {
	e := start(t)
	for _, test := range []struct {
		what   string
		change func(*objects.Upload)
		status int
		code   string
	}{
		{"another object", func(u *objects.Upload) { u.URL = strings.Replace(u.URL, "/uploads/one", "/uploads/two", 1) },
			http.StatusForbidden, "SignatureDoesNotMatch"},
		{"another bucket", func(u *objects.Upload) { u.URL = strings.Replace(u.URL, "/uploads/", "/media/", 1) },
			http.StatusForbidden, "SignatureDoesNotMatch"},
		{"a longer time", func(u *objects.Upload) {
			u.URL = strings.Replace(u.URL, "X-Goog-Expires=899", "X-Goog-Expires=9999", 1)
		},
			http.StatusForbidden, "SignatureDoesNotMatch"},
		{"a further parameter", func(u *objects.Upload) { u.URL += "&x=y" }, http.StatusForbidden, "SignatureDoesNotMatch"},
		{"another signature", func(u *objects.Upload) {
			at, _ := url.Parse(u.URL)
			q := at.Query()
			q.Set("X-Goog-Signature", strings.Repeat("ab", 256))
			at.RawQuery = q.Encode()
			u.URL = at.String()
		}, http.StatusForbidden, "SignatureDoesNotMatch"},
		{"another method", func(u *objects.Upload) { u.Method = "PUT" }, http.StatusForbidden, "SignatureDoesNotMatch"},
		{"another content type", func(u *objects.Upload) { u.Headers["Content-Type"] = "text/html" },
			http.StatusForbidden, "SignatureDoesNotMatch"},
		{"a larger file", func(u *objects.Upload) { u.Headers["X-Goog-Content-Length-Range"] = "0,2097152" },
			http.StatusForbidden, "SignatureDoesNotMatch"},
		{"a missing header", func(u *objects.Upload) { delete(u.Headers, "X-Goog-If-Generation-Match") },
			http.StatusBadRequest, "MalformedSecurityHeader"},
		{"a header that is not signed", func(u *objects.Upload) { u.Headers["X-Goog-Acl"] = "public-read" },
			http.StatusBadRequest, "MalformedSecurityHeader"},
	} {
		u := e.address("one")
		was := fmt.Sprint(u)
		if test.change(&u); fmt.Sprint(u) == was {
			t.Errorf("%s is the same: %s", test.what, was)
		}
		e.want(test.what, e.do(u.Method, u.URL, u.Headers, nil), test.status, test.code)
	}

	u := e.address("one")
	e.clock.Add(15*time.Minute - 2*time.Second)
	at := e.begin(u)
	e.clock.Add(3 * time.Second)
	e.want("an expired address", e.do(u.Method, u.URL, u.Headers, nil), http.StatusBadRequest, "ExpiredToken")
	e.want("its session", e.do("PUT", at, nil, []byte("spark")), http.StatusOK, "")

	large := bytes.Repeat([]byte("x"), 1<<20+1)
	e.clock.Add(-15 * time.Minute)
	at = e.begin(e.address("two"))
	e.want("a file that is too large", e.do("PUT", at, nil, large), http.StatusBadRequest, "EntityTooLarge")
	e.want("its session", e.do("PUT", at, nil, large[1:]), http.StatusNotFound, "NoSuchUpload")
	at = e.begin(e.address("two"))
	e.want("a first half", e.do("PUT", at, map[string]string{"Content-Range": "bytes 0-1048575/*"}, large[1:]),
		http.StatusPermanentRedirect, "")
	e.want("one byte too many", e.do("PUT", at, map[string]string{"Content-Range": "bytes 1048576-1048576/*"}, large[:1]),
		http.StatusBadRequest, "EntityTooLarge")
	if names, err := e.files.List(t.Context(), "", 9); err != nil || len(names) != 1 {
		t.Errorf("List = %q, %v, want one", names, err)
	}

	for _, path := range []string{"/uploads/one", "/uploads/one?upload_id=guess", "/storage/v1/b/uploads/o",
		"/storage/v1/b/uploads/o/one?alt=media", "/download/storage/v1/b/uploads/o/one?alt=media"} {
		if got := e.do("GET", "http://"+e.host+path, nil, nil); got.status != http.StatusForbidden &&
			got.status != http.StatusUnauthorized && got.status != http.StatusNotFound ||
			strings.Contains(got.body, "spark") {
			t.Errorf("anybody reads %s: %+v", path, got)
		}
	}
	link, err := e.files.Link(t.Context(), "one", time.Minute)
	testenv.Must(t, err)
	if got := e.do("GET", link, nil, nil); got.status != http.StatusOK || got.body != "spark" {
		t.Errorf("a link answers %+v", got)
	}
	e.clock.Add(time.Minute)
	e.want("an expired link", e.do("GET", link, nil, nil), http.StatusBadRequest, "ExpiredToken")
}

// A client that lost its connection goes on where the storage is.
func TestResume(t *testing.T) {
	e := start(t)
	const chunk = objects.ChunkBytes
	picture := make([]byte, 3*chunk+17)
	for i := range picture {
		picture[i] = byte(i % 251)
	}
	at := e.begin(e.address("one"))
	status := map[string]string{"Content-Range": fmt.Sprintf("bytes */%d", len(picture))}
	part := func(from, to int) map[string]string {
		return map[string]string{"Content-Range": fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(picture))}
	}
	if got := e.do("PUT", at, status, nil); got.status != http.StatusPermanentRedirect || got.header.Get("Range") != "" {
		t.Errorf("before the first byte: %+v", got)
	}
	if got := e.do("PUT", at, part(0, chunk), picture[:chunk]); got.status != http.StatusPermanentRedirect ||
		got.header.Get("Range") != fmt.Sprintf("bytes=0-%d", chunk-1) {
		t.Errorf("after the first chunk: %+v", got)
	}
	e.want("a chunk of another size", e.do("PUT", at, part(chunk, chunk+100), picture[chunk:chunk+100]),
		http.StatusBadRequest, "InvalidArgument")
	e.want("a gap", e.do("PUT", at, part(2*chunk, 3*chunk), picture[2*chunk:3*chunk]), http.StatusBadRequest,
		"InvalidArgument")

	// The connection breaks in the second half of a chunk.
	broken, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(broken, http.MethodPut, at, io.MultiReader(
		bytes.NewReader(picture[chunk:2*chunk+chunk/2]), &breaking{cancel}))
	testenv.Must(t, err)
	r.ContentLength = int64(len(picture) - chunk)
	r.Header.Set("Content-Range", part(chunk, len(picture))["Content-Range"])
	if resp, err := http.DefaultClient.Do(r); err == nil {
		t.Errorf("a broken request answers %s", resp.Status)
	}
	got := e.do("PUT", at, status, nil)
	for range 10_000 { // until the emulator has seen the end of the connection
		if got.header.Get("Range") != fmt.Sprintf("bytes=0-%d", chunk-1) {
			break
		}
		got = e.do("PUT", at, status, nil)
	}
	if got.status != http.StatusPermanentRedirect || got.header.Get("Range") != fmt.Sprintf("bytes=0-%d", 2*chunk-1) {
		t.Errorf("after a broken request: %+v", got)
	}
	// What has arrived may be sent again.
	e.want("the rest", e.do("PUT", at, part(chunk, len(picture)), picture[chunk:]), http.StatusOK, "")
	e.want("the question after a lost answer", e.do("PUT", at, status, nil), http.StatusOK, "")
	e.wantFile("one", picture)
}

// breaking ends a request without its end.
type breaking struct{ cancel func() }

func (b *breaking) Read([]byte) (int, error) {
	b.cancel()
	return 0, io.ErrUnexpectedEOF
}

func TestCORS(t *testing.T) {
	e := start(t)
	u := e.address("one")
	preflight := func(origin, method, headers string) answer {
		return e.do("OPTIONS", u.URL, map[string]string{"Origin": origin, "Access-Control-Request-Method": method,
			"Access-Control-Request-Headers": headers}, nil)
	}
	const signed = "content-type,x-goog-content-length-range,x-goog-if-generation-match,x-goog-resumable"
	if got := preflight(origin, "POST", signed); got.header.Get("Access-Control-Allow-Origin") != origin ||
		got.header.Get("Access-Control-Allow-Headers") == "" {
		t.Errorf("a preflight of the web client answers %+v", got)
	}
	for what, got := range map[string]answer{
		"another origin": preflight("http://evil.test", "POST", signed),
		"another method": preflight(origin, "DELETE", ""),
		"another header": preflight(origin, "POST", "authorization"),
	} {
		if h := got.header; h.Get("Access-Control-Allow-Origin") != "" || h.Get("Access-Control-Allow-Methods") != "" {
			t.Errorf("a preflight of %s answers %+v", what, got)
		}
	}
	with := func(origin string) map[string]string {
		h := map[string]string{"Origin": origin}
		for name, value := range u.Headers {
			h[name] = value
		}
		return h
	}
	if got := e.do(u.Method, u.URL, with("http://evil.test"), nil); got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a page of another origin reads %+v", got)
	}
	got := e.do(u.Method, u.URL, with(origin), nil)
	if got.header.Get("Access-Control-Allow-Origin") != origin ||
		!strings.Contains(got.header.Get("Access-Control-Expose-Headers"), "Location") {
		t.Errorf("the web client cannot read %+v", got)
	}
	got = e.do("PUT", got.header.Get("Location"), map[string]string{"Origin": origin}, []byte("spark"))
	if got.status != http.StatusOK || got.header.Get("Access-Control-Allow-Origin") != origin {
		t.Errorf("the web client uploads: %+v", got)
	}
}

// Pages, parts and attributes of files.
func TestObjects(t *testing.T) {
	e := start(t)
	ctx := t.Context()
	for i := range 5 {
		testenv.Must(t, e.files.Put(ctx, fmt.Sprintf("a/%d", i), []byte("sparks fly"), objects.Attributes{
			ContentType: "image/jpeg", CacheControl: "private"}))
	}
	testenv.Must(t, e.files.Put(ctx, "b/0", nil, objects.Attributes{ContentType: "image/jpeg"}))
	for bounds, want := range map[[2]string]string{{}: "a/0 a/1 a/2 a/3 a/4 b/0", {"a/2"}: "a/2 a/3 a/4 b/0",
		{"", "a/2"}: "a/0 a/1", {"a/1", "a0"}: "a/1 a/2 a/3 a/4", {"c"}: ""} {
		var names []string
		for f, err := range e.files.Between(ctx, bounds[0], bounds[1]) {
			testenv.Must(t, err)
			if names = append(names, f.Name); f.Name != "b/0" && f.Size != 10 || f.ModTime.IsZero() {
				t.Errorf("Between has %+v", f)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("between %q are %q, want %q", bounds, got, want)
		}
	}

	for _, test := range []struct {
		offset, length int64
		want           string
	}{{0, -1, "sparks fly"}, {7, -1, "fly"}, {0, 6, "sparks"}, {7, 2, "fl"}, {7, 99, "fly"}} {
		f, err := e.files.ReadRange(ctx, "a/1", test.offset, test.length)
		testenv.Must(t, err)
		got, err := io.ReadAll(f)
		testenv.Must(t, err)
		f.Close()
		if string(got) != test.want || f.Size != 10 || f.ContentType != "image/jpeg" || f.ModTime.IsZero() {
			t.Errorf("ReadRange(%d, %d) = %q of %+v, want %q", test.offset, test.length, got, f, test.want)
		}
	}
	if _, err := e.files.ReadRange(ctx, "a/1", 10, -1); errs.CodeOf(err) != "range_not_satisfiable" {
		t.Errorf("ReadRange at the end = %v", err)
	}
	if _, err := e.files.Reader(ctx, "a/9"); errs.KindOf(err) != errs.NotFound {
		t.Errorf("Reader of no file = %v", err)
	}
	if _, err := e.files.Stat(ctx, "a/9"); errs.KindOf(err) != errs.NotFound {
		t.Errorf("Stat of no file = %v", err)
	}
	testenv.Must(t, e.files.Put(ctx, "c d/é?", []byte("x"), objects.Attributes{ContentType: "image/jpeg"}))
	defer func() {
		testenv.Must(t, storage.Empty(ctx, e.host, "uploads"))
		if names, err := e.files.List(ctx, "", 9); err != nil || len(names) > 0 {
			t.Errorf("after Empty: %q, %v", names, err)
		}
	}()
	was, err := e.files.Stat(ctx, "a/1")
	testenv.Must(t, err)
	testenv.Must(t, e.files.Put(ctx, "a/1", []byte("new"), objects.Attributes{ContentType: "image/jpeg"}))
	if is, err := e.files.Stat(ctx, "a/1"); err != nil || is.Generation == was.Generation || is.Size != 3 {
		t.Errorf("after another Put: %+v, %v", is, err)
	}
}
