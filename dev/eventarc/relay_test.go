package eventarc_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/eventarc"
)

func TestRelayKeepsProjectsApart(t *testing.T) {
	t.Parallel()
	triggers := []eventarc.Trigger{on("created", "A", "likes/{id}")}
	a, b := start(t, eventarc.Options{Triggers: triggers}), start(t, eventarc.Options{Triggers: triggers})
	for i := range 10 {
		a.set(t, fmt.Sprint("likes/a", i), map[string]any{"n": i})
		b.set(t, fmt.Sprint("likes/b", i), map[string]any{"n": i})
	}
	a.waitIdle(t)
	b.waitIdle(t)
	for prefix, s := range map[string]*stack{"likes/a": a, "likes/b": b} {
		seen := s.functions.all()
		for _, d := range seen {
			if !strings.HasPrefix(d.document(), prefix) || d.event.Extensions()["project"] != s.project {
				t.Errorf("event of %v in project %s", d.event, s.project)
			}
		}
		if len(seen) != 10 {
			t.Errorf("%d deliveries, want 10", len(seen))
		}
	}
}

func TestRelay(t *testing.T) {
	t.Parallel()
	relay := eventarc.NewRelay(slog.New(slog.DiscardHandler))
	defer relay.Close()
	server := httptest.NewServer(relay)
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	ctx := testContext(t)

	// Runner p hangs on its first event, and must not hold up q.
	hang, inside := make(chan struct{}), make(chan string, 100)
	p := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		inside <- fmt.Sprint(req.URL.Path, " ", req.Header.Get("ce-id"), " ", string(body))
		<-hang
	}))
	defer p.Close()
	passed := make(chan string, 100)
	q := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		passed <- req.Header.Get("ce-id")
	}))
	defer q.Close()
	send := func(project string, id int) {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/functions/projects/"+project+
			"/triggers/A.created", strings.NewReader("body"))
		must(t, err)
		req.Header.Set("ce-id", fmt.Sprint(id))
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("event of %s answered %s, want 200", project, resp.Status)
		}
	}

	send("p", 0) // no route yet: dropped
	must(t, eventarc.Route(ctx, host, "p", p.URL+"/"))
	must(t, eventarc.Route(ctx, host, "q", q.URL))
	for i := 1; i <= 50; i++ {
		send("p", i)
		send("q", i)
	}
	for i := 1; i <= 50; i++ {
		if got := <-passed; got != fmt.Sprint(i) {
			t.Fatalf("event %s came, want %d", got, i)
		}
	}
	if got, want := <-inside, "/functions/projects/p/triggers/A.created 1 body"; got != want {
		t.Errorf("forwarded %q, want %q", got, want)
	}
	must(t, eventarc.Unroute(ctx, host, "p")) // the other 49 are dropped
	send("p", 51)
	must(t, eventarc.Route(ctx, host, "p", q.URL))
	send("p", 52)
	if got := <-passed; got != "52" {
		t.Errorf("event %s came after the route changed, want 52", got)
	}
	close(hang)

	if err := eventarc.Route(ctx, host, "p", "no address"); err == nil {
		t.Error("Route took a target that is no URL")
	}
	if err := eventarc.Route(ctx, "127.0.0.1:1", "p", q.URL); err == nil {
		t.Error("Route reported no error without a relay")
	}
}
