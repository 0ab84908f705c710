// Package mastodon is the client API of Mastodon (docs.joinmastodon.org), by which apps such as Ivory, Tusky, Phanpy
// and Elk work with Hibana. Each method is answered by operations of the native API, which run within the request: so
// one code decides who may see and do what, with the same limits and the same costs. This package knows no part of the
// database. It translates: parameters, ids, entities, pages and errors.
//
// [Methods] is the table of all methods of the documentation, with what is off here, and why.
package mastodon

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/fediverse"
)

// Version is the version of Mastodon whose API this is, as clients compare it.
const Version = "4.5.0"

// Native is the server of the native API.
type Native interface {
	// Within runs an operation of the native API within a request, see [server.Server.Within].
	Within(ctx context.Context, method, target string, header http.Header, body []byte) *server.Answer
	// Outside waits for something without a place at the gate, see [server.Server.Outside].
	Outside(ctx context.Context, wait func())
}

// Options are the parts of the API. Native is required.
type Options struct {
	Native Native
	// Apps keeps the apps that users let in.
	Apps Apps
	// Site makes the addresses. Without a URL they have the host of the request.
	Site fediverse.Site
	// Streaming is how connections hear what is new; nil if there is no streaming.
	Streaming *Streaming
}

// API answers the methods.
type API struct {
	Options
	methods  []Method
	trending trendingUses
}

// New returns an API.
func New(o Options) *API {
	if o.Streaming != nil {
		o.Streaming = o.Streaming.prepared()
	}
	return &API{Options: o, methods: Methods()}
}

// Register adds the routes of all methods to a server, and those of the pictures that accounts without have.
func (a *API) Register(s *server.Server) {
	pictures(s)
	for _, m := range a.methods {
		if m.Live {
			a.registerLive(s, m)
		}
		if m.handle == nil {
			continue
		}
		fails := fail
		if m.fails != nil {
			fails = m.fails
		}
		s.Foreign(server.Foreign{
			Method: m.Verb, Path: m.Path, Name: m.Name(), Who: m.who(), Marks: m.Marks, Scopes: m.Scopes, Most: m.most(),
			Stream: m.Stream, Fails: fails,
			Handle: func(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
				return a.answer(ctx, w, r, m)
			},
		})
	}
}

// answer answers a request by a method.
func (a *API) answer(ctx context.Context, w http.ResponseWriter, r *http.Request, m Method) error {
	c := &call{Context: ctx, api: a, request: r, header: w.Header(), status: http.StatusOK}
	var err error
	if m.Stream > 0 && !inMemory(r, m) {
		c.params, c.streamed = params{}, true
	} else if c.params, err = readParams(r); err != nil {
		return err
	}
	out, err := m.handle(c)
	if err != nil {
		return err
	}
	if out == nil {
		out = struct{}{}
	}
	if plain, ok := out.(plainText); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte(plain))
		return nil
	}
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(c.status)
	w.Write(text)
	return nil
}

// inMemory reports whether the body of a request to a method that reads bodies as they come was read before.
func inMemory(r *http.Request, m Method) bool {
	return m.Most > 0 && 0 <= r.ContentLength && r.ContentLength <= m.Most
}

// fail writes a failure as Mastodon does.
func fail(w http.ResponseWriter, p server.Problem) {
	status, text := p.Status, p.Detail
	switch status {
	case http.StatusBadRequest, http.StatusConflict, http.StatusPreconditionFailed:
		status = http.StatusUnprocessableEntity
	case http.StatusGone:
		status = http.StatusNotFound
	case http.StatusUnauthorized:
		text = "The access token is invalid"
	}
	if p.Code == "invalid_list_id" { // an id that no list has
		status = http.StatusNotFound
	}
	if status == http.StatusNotFound {
		text = "Record not found"
	}
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(struct { //nolint:errchkjson // strings
		Error string `json:"error"`
		Code  string `json:"code"`
	}{text, p.Code})
}

// each converts a slice. The result is never nil, because nil becomes null in JSON.
func each[F, T any](from []F, to func(F) T) []T {
	all := make([]T, len(from))
	for i, f := range from {
		all[i] = to(f)
	}
	return all
}

// unique returns the different values of a slice, in order.
func unique[T comparable](from []T) (all []T) {
	for _, v := range from {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}
