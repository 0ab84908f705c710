package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// tokenEnv has an ID token of an administrator. A flag would show in the list of processes.
const tokenEnv = "HIBANA_ADMIN_TOKEN"

// appCheckEnv has an App Check token, for an API that demands one.
const appCheckEnv = "HIBANA_APP_CHECK_TOKEN"

// maxToken is the limit of a token file in bytes.
const maxToken = 16 << 10

// administrator calls the API as an administrator. Its methods may be called concurrently.
type administrator struct {
	*client
	renew func(context.Context) (string, error) // a token that was read, or made, now
	pace  *rate.Limiter                         // of requests that write

	mu    sync.Mutex
	token string
	got   time.Time
}

// patience of a request: it is sent at most seedAttempts times, and a token is read again after tokenAge.
const (
	seedAttempts = 6
	tokenAge     = 10 * time.Minute
)

// tokenFrom returns the source of the tokens for an API in the cloud: a file, which is read again, or the environment.
func tokenFrom(file string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		token, err := os.Getenv(tokenEnv), error(nil)
		if file != "" {
			token, err = readAtMost(file, maxToken)
		}
		if token = strings.TrimSpace(token); token == "" && err == nil {
			err = fmt.Errorf("there is no ID token of an administrator: set %s, or name a file with --token-file", tokenEnv)
		}
		return token, err
	}
}

// parseAPI checks the URL of an API. A token goes to a host of its own network in clear only if that is this machine.
func parseAPI(text string) (base string, local bool, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false, fmt.Errorf("--api=%s is no URL of an API, such as https://api.example.com", text)
	}
	local = u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if !local && u.Scheme != "https" {
		return "", false, fmt.Errorf("--api=%s: the token of an administrator goes to other machines by https only", text)
	}
	return strings.TrimSuffix(u.String(), "/"), local, nil
}

// current returns the token, and reads it again if it is old or was refused.
func (a *administrator) current(ctx context.Context, refused string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.token != "" && a.token != refused && time.Since(a.got) < tokenAge {
		return a.token, nil
	}
	token, err := a.renew(ctx)
	if err == nil {
		a.token, a.got = token, time.Now()
	}
	return token, err
}

// check fails unless the API answers, and takes the token as that of an administrator.
func (a *administrator) check(ctx context.Context) error {
	err := a.send(ctx, http.MethodGet, "/v1/admin/actions?pageSize=1", nil, nil)
	if r, ok := errors.AsType[*refusal](err); ok && (r.Code == "not_moderator" || r.Code == "not_admin") {
		return fmt.Errorf("the token is not one of an administrator: %w", err)
	}
	return err
}

// write sends a request that changes something, at the pace of the administrator.
func (a *administrator) write(ctx context.Context, method, path string, body any) error {
	if err := a.pace.Wait(ctx); err != nil {
		return err
	}
	return a.send(ctx, method, path, body, nil)
}

// send sends a request. It sends it again, after a pause, while the API or the network is at fault. Every request of an
// administrator may be repeated.
func (a *administrator) send(ctx context.Context, method, path string, body, answer any) error {
	refused := ""
	for n := 1; ; n++ {
		token, err := a.current(ctx, refused)
		if err != nil {
			return err
		}
		err = a.call(ctx, token, method, path, "", body, answer)
		r, told := errors.AsType[*refusal](err)
		switch expired := told && strings.HasPrefix(r.status, "401"); {
		case err == nil, ctx.Err() != nil, n == seedAttempts, expired && refused == token:
			return err
		case expired:
			refused = token
			continue
		case told && !strings.HasPrefix(r.status, "5") && !strings.HasPrefix(r.status, "429") && r.Code != "conflict":
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(n*n) * 200 * time.Millisecond):
		}
	}
}

// has reports whether a GET request finds something.
func (a *administrator) has(ctx context.Context, path string) (bool, error) {
	err := a.send(ctx, http.MethodGet, path, nil, nil)
	if r, ok := errors.AsType[*refusal](err); ok && (strings.HasPrefix(r.status, "404") ||
		strings.HasPrefix(r.status, "410")) {
		return false, nil
	}
	return err == nil, err
}
