package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/internal/errs"
)

// readyTimeout is how long the database may take to answer a readiness probe.
const readyTimeout = 2 * time.Second

// health is the answer of a probe.
type health struct {
	Status string `json:"status" enum:"ok,ready"`
}

type healthOutput struct{ Body health }

// probes adds the probes. Their paths do not end in z: on run.app Google's frontend answers /healthz itself, and Cloud
// Run advises against every path that ends in z.
func (s *Server) probes() {
	probe := func(path, summary, description string, handler func(context.Context, *struct{}) (*healthOutput, error),
		failures ...int) {
		Register(s, probers, huma.Operation{
			Method: http.MethodGet, Path: path, OperationID: path[1:], Tags: []string{"probes"},
			Summary: summary, Description: description, Errors: failures,
		}, handler)
	}
	probe("/health", "Check that the process lives", "This probe does not ask the database.",
		func(context.Context, *struct{}) (*healthOutput, error) { return &healthOutput{health{"ok"}}, nil })
	probe("/ready", "Check that the database answers", "The answer is 503 not_ready if the database takes longer than "+
		"2 seconds.",
		s.ready, http.StatusServiceUnavailable)
}

func (s *Server) ready(ctx context.Context, _ *struct{}) (*healthOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if err := s.hooks.Ping(ctx); err != nil {
		return nil, &errs.Error{Kind: errs.Unavailable, Code: "not_ready", Msg: "The database does not answer.", Err: err}
	}
	return &healthOutput{health{"ready"}}, nil
}
