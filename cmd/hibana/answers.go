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

// greetings are what GET / of each emulator answers with.
var greetings = map[string]string{firestoreEnv: "Ok", authEnv: "authEmulator"}

// answers asks for the emulator that a variable of the environment is for, at host:port.
// The error does not name the address.
func answers(ctx context.Context, env, addr string) error {
	return expect(ctx, addr, "/", greetings[env])
}

// isReady asks for the API at host:port, and whether the API reaches its database. The
// error does not name the address.
func isReady(ctx context.Context, addr string) error {
	return expect(ctx, addr, "/ready", `"ready"`)
}

// expect fails unless a server answers at host:port with a text that contains want.
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
		return fmt.Errorf("the server there answers %s, and not as it should", resp.Status)
	}
	return nil
}
