package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Answer is what an operation answered that ran within a request, see [Server.Within].
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Within runs an operation of the API within a request, and returns its answer. It has the caller, the time limit, the
// meter and the place at the gate of that request, so it asks nobody again who the caller is. It counts as no request
// of the caller; the action of an operation that has one is counted. target is a path with its query. body may be nil;
// it is JSON. The context is that of a handler; with another context the operation is one of nobody.
//
// The operation decides itself what the caller may do, as for any other request, except that the scopes of a token of
// an app are those of the request around it.
func (s *Server) Within(ctx context.Context, method, target string, header http.Header, body []byte) *Answer {
	about := &request{method: method}
	if outer, ok := aboutRequest(ctx); ok {
		about.around, about.caller = outer.root(), Caller(ctx)
	} else {
		about.around = &request{}
	}
	a := &recorder{Answer{Header: http.Header{}}}
	r, err := http.NewRequestWithContext(context.WithValue(ctx, requestKey{}, about), method, target,
		bytes.NewReader(body))
	if err != nil { // not an address: its parts came from a client
		write(a, newProblem(http.StatusBadRequest, "invalid_request", "The request has an invalid part."))
		return &a.Answer
	}
	if header != nil {
		r.Header = header.Clone()
	}
	r.RequestURI = target
	s.engine.ServeHTTP(a, plainRequest(r))
	a.WriteHeader(http.StatusOK)
	return &a.Answer
}

// Outside calls wait, which waits for something else than this process, without the place at the gate that the request
// has: others run meanwhile. The request takes a place again afterwards; if there is none, it goes on without.
func (s *Server) Outside(ctx context.Context, wait func()) {
	about, ok := aboutRequest(ctx)
	if !ok || about.root().outside {
		wait()
		return
	}
	is := about.root()
	is.outside = true
	s.options.Limits.Gate.Leave()
	defer func() { is.outside = !s.options.Limits.Gate.Enter(ctx) }()
	wait()
}

// recorder keeps what an operation answers.
type recorder struct{ Answer }

func (r *recorder) Header() http.Header { return r.Answer.Header }

func (r *recorder) WriteHeader(status int) {
	if r.Status == 0 {
		r.Status = status
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.Body = append(r.Body, b...)
	return len(b), nil
}

// root is the request that a client sent, of a request within it.
func (r *request) root() *request {
	for r.around != nil {
		r = r.around
	}
	return r
}

// within reports whether the request runs within another one.
func (r *request) within() bool { return r.around != nil }

// Err returns the error of an answer that is a problem, with the same public part; nil for a success.
func (a *Answer) Err() error {
	if a.Status < http.StatusBadRequest {
		return nil
	}
	p := &passed{problem: newProblem(a.Status, "internal", http.StatusText(a.Status))}
	if json.Unmarshal(a.Body, p.problem) == nil {
		p.problem.Status = a.Status
	}
	if seconds, err := strconv.Atoi(a.Header.Get("Retry-After")); err == nil {
		p.problem.retryAfter = time.Duration(seconds) * time.Second
	}
	return p
}

// passed is the failure of an operation that ran within a request.
type passed struct{ problem *Problem }

// Error has the public part alone: the operation has noted the cause.
func (p *passed) Error() string { return p.problem.Detail }

// CodeOf returns the code of the problem by which a request is answered that fails with the error.
func CodeOf(err error) string { return problemOf(err).Code }

// StatusOf returns the status by which a request is answered that fails with the error.
func StatusOf(err error) int { return problemOf(err).Status }
