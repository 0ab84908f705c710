package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// greetings maps each emulator to its answer to GET /.
var greetings = map[string]string{firestoreEnv: "Ok", authEnv: "authEmulator"}

// answers checks for the emulator of an environment variable at host:port. The error does not name the address.
func answers(ctx context.Context, env, addr string) error {
	return expect(ctx, addr, "/", greetings[env])
}

// isReady checks for the API at host:port, and whether the API reaches its database. The error does not name the
// address.
func isReady(ctx context.Context, addr string) error {
	return expect(ctx, addr, "/ready", `"ready"`)
}

// expect returns an error unless a server at host:port answers with a text that contains want.
func expect(ctx context.Context, addr, path, want string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1024))
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), want) {
		return fmt.Errorf("the server answers %s, and not as expected", resp.Status)
	}
	return nil
}
