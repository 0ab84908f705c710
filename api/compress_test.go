package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// Answers of 1 KiB and more are compressed for clients that say so. Each form has an ETag of its own, and both are good
// for a question whether anything has changed, and for a change.
func TestGzip(t *testing.T) {
	t.Parallel()
	const page = "https://hibana.example"
	e := newEnv(t, func(o *api.Options) { o.CORSOrigins = []string{page} })
	ann := e.join(t, "ann")
	long := e.post(t, ann, map[string]any{"content": strings.Repeat("A spark flies over the river. ", 300)})
	short := e.post(t, ann, map[string]any{"content": "a spark"})

	ask := func(method, path, token string, headers ...string) (*http.Response, []byte) {
		t.Helper()
		return e.overTheLine(t, method, path, token, headers...)
	}
	path := "/v1/tweets/" + string(long.ID)
	plain, want := ask("GET", path, "")
	packed, body := ask("GET", path, "", "Accept-Encoding", "br, gzip")
	if plain.Header.Get("Content-Encoding") != "" || packed.Header.Get("Content-Encoding") != "gzip" ||
		!strings.Contains(strings.Join(packed.Header.Values("Vary"), ","), "Accept-Encoding") {
		t.Errorf("headers without gzip %v, with it %v", plain.Header, packed.Header)
	}
	if len(body) > len(want)/10 {
		t.Errorf("%d bytes became %d", len(want), len(body))
	}
	unpacked, err := gzip.NewReader(strings.NewReader(string(body)))
	testenv.Must(t, err)
	if got, err := io.ReadAll(unpacked); err != nil || string(got) != string(want) {
		t.Errorf("compressed, the answer is %.100q, %v, want %.100q", got, err, want)
	}

	tags := []string{plain.Header.Get("ETag"), packed.Header.Get("ETag")}
	if tags[0] == "" || tags[0] == tags[1] {
		t.Errorf("ETags without and with gzip are %q", tags)
	}
	for tag, is := range map[string]string{tags[0]: tags[0], tags[1]: tags[1], "W/" + tags[0]: tags[0], `"other", ` +
		tags[1]: tags[1], "*": tags[0]} {
		res, body := ask("GET", path, "", "Accept-Encoding", "gzip", "If-None-Match", tag)
		if res.StatusCode != http.StatusNotModified || len(body) > 0 || res.Header.Get("Content-Encoding") != "" ||
			res.Header.Get("ETag") != is {
			t.Errorf("If-None-Match: %s answers %d %v", tag, res.StatusCode, res.Header)
		}
	}
	if res, _ := ask("GET", path, "", "Accept-Encoding", "gzip", "If-None-Match",
		`"other-gzip"`); res.StatusCode != http.StatusOK {
		t.Errorf("another ETag answers %d", res.StatusCode)
	}
	for _, tag := range tags {
		e.do(t, "PATCH", path, ann.token, map[string]any{"content": "edited " + tag}, "If-Match", tag).
			want(t, http.StatusOK, nil)
		plain, _ := ask("GET", path, "")
		tags[1] = strings.TrimSuffix(plain.Header.Get("ETag"), `"`) + `-gzip"`
	}

	for what, of := range map[string][]string{
		"a short answer": {"GET", "/v1/tweets/" + string(short.ID), "", "Accept-Encoding", "gzip"},
		"no gzip":        {"GET", path, "", "Accept-Encoding", "gzip;q=0"},
		"another coding": {"GET", path, "", "Accept-Encoding", "br, zstd"},
	} {
		if res, body := ask(of[0], of[1], of[2], of[3:]...); res.StatusCode != http.StatusOK ||
			res.Header.Get("Content-Encoding") != "" || body[0] != '{' {
			t.Errorf("%s: %v %.50q", what, res.Header, body)
		}
	}
	// A cache keeps apart what differs, also for a page of another origin.
	res, _ := ask("GET", "/openapi.json", "", "Accept-Encoding", "gzip", "Origin", page)
	if got := strings.Join(res.Header.Values("Vary"), ", "); res.Header.Get("Content-Encoding") != "gzip" ||
		got != "Accept-Encoding, Origin, Authorization" {
		t.Errorf("for another origin Vary is %q", got)
	}
	head, body := ask("HEAD", "/openapi.json", "", "Accept-Encoding", "gzip")
	if head.StatusCode != http.StatusOK || len(body) > 0 {
		t.Errorf("HEAD answers %d with %d bytes", head.StatusCode, len(body))
	}
}

// What stays the same is compressed once: its length is known before it goes out. What is
// compressed on its way has none.
func TestGzipOnce(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ask := func(path string, headers ...string) (http.Header, int, []byte) {
		t.Helper()
		res, body := e.overTheLine(t, "GET", path, "", headers...)
		return res.Header, res.StatusCode, body
	}
	for _, path := range []string{"/openapi.json", "/openapi-3.0.json", "/openapi.yaml"} {
		plain, _, want := ask(path)
		for range 2 {
			h, status, body := ask(path, "Accept-Encoding", "gzip")
			if status != http.StatusOK || h.Get("Content-Encoding") != "gzip" ||
				h.Get("Content-Type") != plain.Get("Content-Type") || h.Get("Cache-Control") != "no-cache" ||
				h.Get("ETag") != strings.TrimSuffix(plain.Get("ETag"), `"`)+`-gzip"` || strings.Join(h.Values("Vary"),
				", ") != "Accept-Encoding, Authorization" {
				t.Errorf("%s: %d %v", path, status, h)
			}
			if n, err := strconv.Atoi(h.Get("Content-Length")); err != nil || n > len(want)/5 || n != len(body) {
				t.Errorf("%s: Content-Length = %q of %d bytes, which are %d without gzip", path, h.Get("Content-Length"), len(body),
					len(want))
			}
			unpacked, err := gzip.NewReader(bytes.NewReader(body))
			testenv.Must(t, err)
			if got, err := io.ReadAll(unpacked); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: compressed, the answer is %.100q, %v, want %.100q", path, got, err, want)
			}
		}
		if h, _, body := ask(path, "Accept-Encoding", "identity"); h.Get("Content-Encoding") != "" ||
			h.Get("ETag") != plain.Get("ETag") || h.Get("Content-Length") != strconv.Itoa(len(want)) ||
			!bytes.Equal(body, want) {
			t.Errorf("%s after gzip, without it: %v", path, h)
		}
		for _, tag := range []string{plain.Get("ETag"), strings.TrimSuffix(plain.Get("ETag"), `"`) + `-gzip"`} {
			for _, coding := range []string{"gzip", "identity"} {
				h, status, body := ask(path, "Accept-Encoding", coding, "If-None-Match", tag)
				if status != http.StatusNotModified || len(body) > 0 || h.Get("ETag") != tag || h.Get("Content-Encoding") != "" ||
					h.Get("Content-Length") != "" {
					t.Errorf("%s, %s, If-None-Match %s: %d %v", path, coding, tag, status, h)
				}
			}
		}
	}
}

// overTheLine asks with headers, in pairs of a name and a value, and answers what came over the line: nothing asks for
// gzip or unpacks it.
func (e *env) overTheLine(t *testing.T, method, path, token string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, e.url+path, nil)
	testenv.Must(t, err)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(req)
	testenv.Must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	testenv.Must(t, err)
	return res, body
}
