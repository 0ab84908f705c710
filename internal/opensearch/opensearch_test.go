package opensearch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/searchtest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/opensearch"
)

// client has a minute for an attempt, so that a slow machine makes no second one.
func client(t *testing.T, s *searchtest.Server) *opensearch.Client {
	return clientWith(t, s, time.Minute)
}

func clientWith(t *testing.T, s *searchtest.Server, timeout time.Duration) *opensearch.Client {
	t.Helper()
	o := s.Options()
	o.Timeout = timeout
	c, err := opensearch.New(o)
	testenv.Must(t, err)
	return c
}

func document(id string, version int64, data string) opensearch.Write {
	return opensearch.Write{ID: id, Version: version, Document: &opensearch.Document{Place: id,
		Terms: []string{"=a", "=" + id}, Data: json.RawMessage(data)}}
}

// Of two versions the greater stays, whatever comes last; a deleted one too.
func TestVersions(t *testing.T) {
	t.Parallel()
	c := client(t, searchtest.New(t))
	for _, step := range []struct {
		write opensearch.Write
		want  string
	}{
		{document("x", 5, `"five"`), `"five"`}, {document("x", 4, `"four"`), `"five"`},
		{document("x", 5, `"again"`), `"again"`},
		{opensearch.Write{ID: "x", Version: 4}, `"again"`}, {opensearch.Write{ID: "x", Version: 6}, ""},
		{opensearch.Write{ID: "x", Version: 6}, ""},
		{document("x", 5, `"five"`), ""}, {document("x", 7, `"seven"`), `"seven"`},
	} {
		testenv.Must(t, c.Write(t.Context(), opensearch.Write{ID: "none", Version: 1}, step.write))
		hits, err := c.Search(t.Context(), opensearch.Query{Terms: []string{"=a", "=x"}, Size: 10})
		testenv.Must(t, err)
		got := ""
		for _, h := range hits {
			got += string(h.Data)
		}
		if got != step.want {
			t.Errorf("after %+v there is %q, want %q", step.write, got, step.want)
		}
	}
}

// Many writes go in requests of bounded size, and what is listed is bounded by places and by number.
func TestPages(t *testing.T) {
	t.Parallel()
	s := searchtest.New(t)
	largest, bulks := 0, 0
	s.Before = func(path string, body []byte) (int, string) {
		if strings.HasSuffix(path, "_bulk") {
			largest, bulks = max(largest, len(body)), bulks+1
		}
		return 0, ""
	}
	c := client(t, s)
	var writes []opensearch.Write
	for n := range 100 {
		writes = append(writes, document(fmt.Sprintf("%02d", n), 1, `"`+strings.Repeat("x", 100_000)+`"`))
	}
	testenv.Must(t, c.Write(t.Context(), writes...))
	if bulks != 3 || largest > 4<<20 {
		t.Errorf("%d requests of up to %d bytes", bulks, largest)
	}
	testenv.Must(t, c.Write(t.Context()))
	hits, err := c.Search(t.Context(), opensearch.Query{Terms: []string{"=a"}, After: "09", Until: "50", Size: 3})
	testenv.Must(t, err)
	var got []string
	for _, h := range hits {
		got = append(got, h.ID+"@"+h.Place)
	}
	if !slices.Equal(got, []string{"10@10", "11@11", "12@12"}) {
		t.Errorf("found %v", got)
	}
	if _, err := c.Search(t.Context(), opensearch.Query{Size: 100}); err == nil || errs.KindOf(err) != errs.Internal {
		t.Errorf("an answer of 10 MB: %v", err)
	}
}

// An index that is there is as good as one that was made.
func TestMake(t *testing.T) {
	t.Parallel()
	s := searchtest.New(t)
	if _, err := client(t, s).Search(t.Context(), opensearch.Query{Size: 1}); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("a search before there is an index: %v", err)
	}
	testenv.Must(t, client(t, s).Make(t.Context()))
	again := client(t, s)
	testenv.Must(t, again.Make(t.Context()))
	testenv.Must(t, again.Make(t.Context()))
	if s.Sent() != 3 {
		t.Errorf("%d requests", s.Sent())
	}
}

// Bad answers are errors of the right kind, after the right number of attempts; and no error has the
// password, or words of people.
func TestFailures(t *testing.T) {
	t.Parallel()
	item := func(action string, status int, kind string) string {
		return fmt.Sprintf(`{"errors":true,"items":[{%q:{"_id":"x","status":%d,"error":{"type":%q,"reason":"secret words"}}}]}`, action, status, kind)
	}
	const found = `{"timed_out":false,"_shards":{"failed":0},"hits":{"hits":[]}}`
	type call func(*opensearch.Client, context.Context) error
	search := func(c *opensearch.Client, ctx context.Context) error {
		_, err := c.Search(ctx, opensearch.Query{Terms: []string{"=secret words"}, Size: 2})
		return err
	}
	put := func(c *opensearch.Client, ctx context.Context) error {
		return c.Write(ctx, document("x", 1, `"secret words"`))
	}
	remove := func(c *opensearch.Client, ctx context.Context) error {
		return c.Write(ctx, opensearch.Write{ID: "x", Version: 1})
	}
	for _, test := range []struct {
		name     string
		call     call
		status   int
		text     string
		wait     time.Duration
		kind     errs.Kind
		good     bool
		attempts int
	}{
		{name: "search found", call: search, status: 200, text: found, good: true, attempts: 1},
		{name: "search 429", call: search, status: 429,
			text: `{"error":{"type":"rejected_execution_exception","reason":"secret words"},"status":429}`,
			kind: errs.Unavailable, attempts: 2},
		{name: "search 503", call: search, status: 503, text: "secret words", kind: errs.Unavailable, attempts: 2},
		{name: "search 502 of a proxy", call: search, status: 502, text: "<html>secret words", kind: errs.Unavailable,
			attempts: 2},
		{name: "search 400", call: search, status: 400,
			text: `{"error":{"type":"parsing_exception","reason":"secret words"},"status":400}`, kind: errs.Internal,
			attempts: 1},
		{name: "search 401", call: search, status: 401, text: "Unauthorized", kind: errs.Internal, attempts: 1},
		{name: "search 404", call: search, status: 404, text: `{"error":{"type":"index_not_found_exception"},"status":404}`,
			kind: errs.Unavailable, attempts: 1},
		{name: "search 500", call: search, status: 500, text: `{"error":"secret words"}`, kind: errs.Internal, attempts: 1},
		{name: "search 302", call: search, status: 302, text: "", kind: errs.Internal, attempts: 1},
		{name: "search slow", call: search, status: 200, text: found, wait: time.Second, kind: errs.Unavailable, attempts: 2},
		{name: "search malformed", call: search, status: 200, text: `{"hits":{"hits":[{"_id":"secret words`,
			kind: errs.Internal, attempts: 1},
		{name: "search of other types", call: search, status: 200, text: `{"hits":{"hits":"secret words"}}`,
			kind: errs.Internal, attempts: 1},
		{name: "search without hits", call: search, status: 200, text: `{}`, kind: errs.Internal, attempts: 1},
		{name: "search with more than asked", call: search, status: 200, text: `{"hits":{"hits":[{},{},{}]}}`,
			kind: errs.Internal, attempts: 1},
		{name: "search timed out", call: search, status: 200, text: `{"timed_out":true,"hits":{"hits":[]}}`,
			kind: errs.Unavailable, attempts: 1},
		{name: "search without a shard", call: search, status: 200,
			text: `{"timed_out":false,"_shards":{"failed":1},"hits":{"hits":[]}}`, kind: errs.Unavailable, attempts: 1},
		{name: "search too large", call: search, status: 200, text: strings.Repeat(" ", 8<<20+1), kind: errs.Internal,
			attempts: 1},
		{name: "put conflict", call: put, status: 200, text: item("index", 409, "version_conflict_engine_exception"),
			good: true, attempts: 1},
		{name: "put 429", call: put, status: 429, text: "", kind: errs.Unavailable, attempts: 2},
		{name: "put 429 of the item", call: put, status: 200, text: item("index", 429, "rejected_execution_exception"),
			kind: errs.Unavailable, attempts: 1},
		{name: "put 503 of the item", call: put, status: 200, text: item("index", 503, "unavailable_shards_exception"),
			kind: errs.Unavailable, attempts: 1},
		{name: "put 400 of the item", call: put, status: 200, text: item("index", 400, "strict_dynamic_mapping_exception"),
			kind: errs.Internal, attempts: 1},
		{name: "put 404 of the item", call: put, status: 200, text: item("index", 404, "index_not_found_exception"),
			kind: errs.Internal, attempts: 1},
		{name: "put slow", call: put, status: 200, text: item("index", 200, ""), wait: time.Second, kind: errs.Unavailable,
			attempts: 2},
		{name: "put malformed", call: put, status: 200, text: `[]`, kind: errs.Internal, attempts: 1},
		{name: "put without an answer for it", call: put, status: 200, text: `{"errors":false,"items":[]}`,
			kind: errs.Internal, attempts: 1},
		{name: "removal of nothing", call: remove, status: 200,
			text: `{"errors":false,"items":[{"delete":{"_id":"x","status":404,"result":"not_found"}}]}`, good: true,
			attempts: 1},
		{name: "removal 404 of the index", call: remove, status: 200, text: item("delete", 404, "index_not_found_exception"),
			kind: errs.Internal, attempts: 1},
		{name: "removal conflict", call: remove, status: 200, text: item("delete", 409, "version_conflict_engine_exception"),
			good: true, attempts: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := searchtest.New(t)
			c := client(t, s)
			testenv.Must(t, c.Make(t.Context()))
			if test.wait > 0 {
				c = clientWith(t, s, test.wait/3)
			}
			s.Before = func(string, []byte) (int, string) {
				time.Sleep(test.wait)
				return test.status, test.text
			}
			err := test.call(c, t.Context())
			for until := time.Now().Add(10 * time.Second); test.wait > 0 && s.Sent()-1 < test.attempts && time.Now().
				Before(until); {
				time.Sleep(5 * time.Millisecond) // the server may begin with what the client gave up
			}
			if got := s.Sent() - 1; (err == nil) != test.good || err != nil && errs.KindOf(err) != test.kind ||
				got != test.attempts {
				t.Errorf("%d attempts, %v", got, err)
			}
			for _, secret := range []string{searchtest.Password, "secret"} {
				if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, secret) || err != nil &&
					strings.Contains(errs.PublicText(err), "search index") {
					t.Errorf("the error has %q: %s", secret, text)
				}
			}
		})
	}
}

// A server that comes back is asked again; a caller who has gone is not waited for.
func TestAgain(t *testing.T) {
	t.Parallel()
	s := searchtest.New(t)
	c := client(t, s)
	testenv.Must(t, c.Make(t.Context()))
	n := 0
	s.Before = func(string, []byte) (int, string) {
		if n++; n == 1 {
			return 503, ""
		}
		return 0, ""
	}
	testenv.Must(t, c.Write(t.Context(), document("x", 1, "1")))
	ctx, cancel := context.WithCancel(t.Context())
	s.Before = func(string, []byte) (int, string) {
		cancel()
		return 503, ""
	}
	sent := s.Sent()
	if err := c.Write(ctx, document("x", 2, "2")); errs.KindOf(err) != errs.Unavailable || s.Sent() != sent+1 {
		t.Errorf("%d requests for nobody, %v", s.Sent()-sent, err)
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	gone, err := opensearch.New(opensearch.Options{URL: closed.URL, Index: "x"})
	testenv.Must(t, err)
	if err := gone.Make(t.Context()); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("nobody answers: %v", err)
	}
}

func TestValid(t *testing.T) {
	t.Parallel()
	for _, good := range [][2]string{{"http://localhost:9200", "a"}, {"https://search.example.com/path",
		"hibana-tweets_2"}} {
		testenv.Must(t, opensearch.Valid(good[0], good[1]))
	}
	for _, bad := range [][2]string{
		{"", "a"}, {"localhost:9200", "a"}, {"ftp://h", "a"}, {"https://", "a"}, {"https://ann:sesame@h", "a"},
		{"https://h?key=sesame", "a"}, {"https://h/#sesame", "a"},
		{"https://h", ""}, {"https://h", "A"}, {"https://h", "a/b"}, {"https://h", "_all"}, {"https://h", "a*"},
		{"https://h", "a,b"}, {"https://h", strings.Repeat("a", 101)},
	} {
		if err := opensearch.Valid(bad[0], bad[1]); err == nil || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
