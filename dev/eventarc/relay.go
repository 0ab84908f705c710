package eventarc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Relay lets Runners in several processes, one for each project, share an emulator, which
// sends all events to one address. It is an [http.Handler]:
//
//	PUT /routes/{project}      body: base URL of the project's Runner
//	DELETE /routes/{project}
//	POST /functions/projects/{project}/triggers/{trigger}
//
// The Relay acknowledges an event at once. It forwards the events of a project in the
// order of their arrival, on which [Runner.WaitIdle] builds. Projects do not wait for
// each other. The Relay drops the events of a project without a route, and an event that
// its Runner does not take: a Runner acknowledges everything as long as it runs.
type Relay struct {
	log    *slog.Logger
	mux    *http.ServeMux
	client *http.Client

	mu     sync.Mutex
	routes map[string]*route
}

// route is a connection to one Runner with its waiting events.
type route struct {
	target string
	*fifo[*forwarded]
}

// forwarded is an event as the emulator sent it.
type forwarded struct {
	path   string
	header http.Header
	body   []byte
}

// NewRelay returns a Relay without routes. log must not be nil.
func NewRelay(log *slog.Logger) *Relay {
	l := &Relay{
		log:    log,
		mux:    http.NewServeMux(),
		client: &http.Client{Transport: &http.Transport{IdleConnTimeout: time.Minute}, Timeout: 10 * time.Second},
		routes: map[string]*route{},
	}
	l.mux.HandleFunc("PUT /routes/{project}", l.put)
	l.mux.HandleFunc("DELETE /routes/{project}", l.delete)
	l.mux.HandleFunc("POST /functions/projects/{project}/triggers/{trigger}", l.forward)
	return l
}

// ServeHTTP serves the requests that the type's comment names.
func (l *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	l.mux.ServeHTTP(w, req)
}

// Close removes all routes and drops their waiting events.
func (l *Relay) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.routes {
		r.close()
	}
	clear(l.routes)
}

// put creates a route and starts to forward on it.
func (l *Relay) put(w http.ResponseWriter, req *http.Request) {
	target, err := io.ReadAll(io.LimitReader(req.Body, 1<<10))
	if err != nil || !bytes.HasPrefix(target, []byte("http")) {
		http.Error(w, "the body must be a URL", http.StatusBadRequest)
		return
	}
	r := &route{strings.TrimSuffix(string(target), "/"), newFIFO[*forwarded]()}
	l.replace(req.PathValue("project"), r)
	go func() {
		for f := range r.all() {
			l.send(r.target, f)
		}
	}()
}

// delete removes a route.
func (l *Relay) delete(_ http.ResponseWriter, req *http.Request) {
	l.replace(req.PathValue("project"), nil)
}

// replace closes the project's route and replaces it by r, unless r is nil.
func (l *Relay) replace(project string, r *route) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.routes[project]; old != nil {
		old.close()
	}
	if r == nil {
		delete(l.routes, project)
	} else {
		l.routes[project] = r
	}
}

// forward queues an event on its project's route.
func (l *Relay) forward(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, "unreadable body", http.StatusBadRequest)
		return
	}
	l.mu.Lock()
	r := l.routes[req.PathValue("project")]
	l.mu.Unlock()
	if r == nil {
		l.log.DebugContext(req.Context(), "event of a project without a route", "path", req.URL.Path)
		return
	}
	r.push("", &forwarded{path: req.URL.Path, header: req.Header.Clone(), body: body})
}

// send sends an event to a Runner, once.
func (l *Relay) send(target string, f *forwarded) {
	req, err := http.NewRequest(http.MethodPost, target+f.path, bytes.NewReader(f.body))
	if err == nil {
		req.Header = f.header
		var resp *http.Response
		if resp, err = l.client.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode >= 300 {
				err = fmt.Errorf("runner answered %s", resp.Status)
			}
		}
	}
	if err != nil {
		l.log.Warn("event not taken", "target", target, "path", f.path, "error", err)
	}
}

// Route sends the events of a project to the Runner at targetURL from now on,
// through the Relay that listens on relayHost (host:port).
func Route(ctx context.Context, relayHost, project, targetURL string) error {
	return changeRoute(ctx, http.MethodPut, relayHost, project, targetURL)
}

// Unroute removes the project's route. A missing route is not an error.
func Unroute(ctx context.Context, relayHost, project string) error {
	return changeRoute(ctx, http.MethodDelete, relayHost, project, "")
}

func changeRoute(ctx context.Context, method, relayHost, project, target string) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+relayHost+"/routes/"+project, strings.NewReader(target))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("eventarc: route of %s: %w", project, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		answer, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("eventarc: route of %s: relay answered %s: %s", project, resp.Status, bytes.TrimSpace(answer))
	}
	return nil
}
