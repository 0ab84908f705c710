package mastodon_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/limits"
)

// An act by this API counts as the same act by the native one, and a request as one request, however many operations it
// takes.
func TestLimits(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) {
		all, err := limits.Parse("likes=3/hour, requests=8/minute")
		testenv.Must(t, err)
		o.Limits.Limiter = limits.New(limits.Options{Limits: all})
	})
	ann := e.join(t, "ann")
	post := "/api/v1/statuses/" + statusID(e.post(t, ann, "limited"))
	for _, what := range []string{"favourite", "bookmark", "unbookmark"} {
		e.ask(t, ann, "POST "+post+"/"+what, nil).want(t, http.StatusOK, nil)
	}
	var refused struct{ Error string }
	a := e.ask(t, ann, "POST "+post+"/unfavourite", nil).want(t, http.StatusTooManyRequests, &refused)
	if !strings.Contains(refused.Error, "likes") || a.Header.Get("Retry-After") == "" {
		t.Errorf("refused by %q, %v", refused.Error, a.Header)
	}
	e.ask(t, ann, "GET "+post, nil).want(t, http.StatusOK, nil)
	e.ask(t, ann, "GET "+post, nil).want(t, http.StatusOK, nil)
	e.ask(t, ann, "GET "+post, nil).want(t, http.StatusTooManyRequests, nil) // the ninth request
}

// Pages of every origin may ask and read, and their preflights need no token.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	for _, method := range []string{http.MethodOptions, http.MethodGet} {
		r, err := http.NewRequestWithContext(t.Context(), method, e.url+"/api/v1/timelines/public", nil)
		testenv.Must(t, err)
		r.Header.Set("Origin", "https://elk.example")
		if method == http.MethodOptions {
			r.Header.Set("Access-Control-Request-Method", http.MethodGet)
			r.Header.Set("Access-Control-Request-Headers", "authorization")
		}
		resp, err := http.DefaultClient.Do(r)
		testenv.Must(t, err)
		resp.Body.Close()
		if resp.StatusCode >= http.StatusMultipleChoices || resp.Header.Get("Access-Control-Allow-Origin") != "*" ||
			resp.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s answered %s with %v", method, resp.Status, resp.Header)
		}
	}
	// other routes stay as they are
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.url+"/v1/tweets", nil)
	testenv.Must(t, err)
	r.Header.Set("Origin", "https://elk.example")
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(t, err)
	resp.Body.Close()
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("the native API allows %q", got)
	}
}
