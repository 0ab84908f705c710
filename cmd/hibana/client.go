package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// client calls the API and the Auth emulator, both named by their base URLs.
type client struct {
	api, auth string
	appCheck  string // an App Check token for the API; empty for none
}

// refusal is an answer other than 2xx.
type refusal struct {
	request string
	status  string
	Code    string // of the API's problem documents
	answer  string
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s: %s: %s", r.request, r.status, r.answer)
}

// signIn returns the ID token and the id of an account, and creates a missing account.
func (c *client) signIn(ctx context.Context, email string) (token, uid string, err error) {
	account := map[string]any{"email": email, "password": seedPassword, "returnSecureToken": true}
	var answer struct{ IDToken, LocalID string }
	method := func(name string) string {
		return c.auth + "/identitytoolkit.googleapis.com/v1/accounts:" + name + "?key=any"
	}
	err = c.do(ctx, http.MethodPost, method("signUp"), nil, account, &answer)
	if r, ok := errors.AsType[*refusal](err); ok && strings.Contains(r.answer, "EMAIL_EXISTS") {
		err = c.do(ctx, http.MethodPost, method("signInWithPassword"), nil, account, &answer)
	}
	return answer.IDToken, answer.LocalID, err
}

// call calls the API as the owner of the token. A key makes the call repeatable.
func (c *client) call(ctx context.Context, token, method, path, key string, body, answer any) error {
	header := http.Header{"Authorization": {"Bearer " + token}}
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	if c.appCheck != "" {
		header.Set("X-Firebase-AppCheck", c.appCheck)
	}
	return c.do(ctx, method, c.api+path, header, body, answer)
}

func (c *client) do(ctx context.Context, method, url string, header http.Header, body, answer any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, sent)
	if err != nil {
		return err
	}
	if header != nil {
		req.Header = header
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode > 299 {
		r := &refusal{request: method + " " + req.URL.Path, status: resp.Status, answer: string(text)}
		_ = json.Unmarshal(text, r) // only a problem document has a code
		return r
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
