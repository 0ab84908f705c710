package testenv

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/internal/local/emulators"
)

// Account is a user of the Auth emulator.
type Account struct {
	UID     string
	Email   string
	IDToken string // good for an hour
}

// SignUp makes a user of [emulators.DefaultProject] and signs in. The e-mail address must be new; "" gives a unique one.
func SignUp(t testing.TB, email string) Account {
	t.Helper()
	return SignUpIn(t, emulators.DefaultProject, email)
}

// SignUpIn is [SignUp] for a user of any project.
func SignUpIn(t testing.TB, project, email string) Account {
	t.Helper()
	email = cmp.Or(email, strings.ToLower(rand.Text())+"@example.com")
	// A client's sign-up belongs to the project of its API key, and the emulator takes every key for one of its default project.
	// So the administrator makes the account and signs in for the user; the tokens are the same.
	call(t, "projects/"+project+"/accounts", map[string]any{"email": email, "password": "correct horse"})
	answer := call(t, "accounts:signInWithPassword", map[string]any{
		"email": email, "password": "correct horse", "returnSecureToken": true, "targetProjectId": project,
	})
	return Account{UID: answer.LocalID, Email: email, IDToken: answer.IDToken}
}

type authAnswer struct{ LocalID, IDToken string }

// call calls a method of the Identity Toolkit API as administrator.
func call(t testing.TB, method string, body any) (answer authAnswer) {
	t.Helper()
	url := "http://" + AuthHost(t) + "/identitytoolkit.googleapis.com/v1/" + method
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(encode(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer owner")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s: %s, %v", method, resp.Status, text, err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return answer
}

// Token makes an unsigned ID token of the kind that the emulators take: for a random user of the project, issued now and good for
// an hour. claims are set on top; a nil value leaves a claim out. user_id follows sub unless it is given.
//
// The Admin SDK asks the Auth emulator about the user of a token, so it refuses one whose sub is not that of an [Account].
func Token(project string, claims map[string]any) string {
	now := time.Now()
	all := map[string]any{
		"iss":       "https://securetoken.google.com/" + project,
		"aud":       project,
		"iat":       now.Unix(),
		"auth_time": now.Unix(),
		"exp":       now.Add(time.Hour).Unix(),
		"sub":       rand.Text(),
		"firebase":  map[string]any{"identities": map[string]any{}, "sign_in_provider": "password"},
	}
	if sub, ok := claims["sub"]; ok {
		all["sub"] = sub
	}
	all["user_id"] = all["sub"]
	for name, value := range claims {
		all[name] = value
	}
	for name, value := range all {
		if value == nil {
			delete(all, name)
		}
	}
	b64 := base64.RawURLEncoding
	return b64.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + b64.EncodeToString(encode(all)) + "."
}

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("testenv: " + err.Error())
	}
	return text
}
