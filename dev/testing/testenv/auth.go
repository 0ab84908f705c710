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

	"github.com/hibana-sns/hibana/dev/emulators"
)

// Account is a user of the Auth emulator.
type Account struct {
	UID     string
	Email   string
	IDToken string // good for an hour
}

// SignUp makes a user of [emulators.DefaultProject] and signs the user in. The email address must be new. An empty
// address stands for a unique address.
func SignUp(t testing.TB, email string) Account {
	t.Helper()
	return SignUpIn(t, emulators.DefaultProject, email)
}

// SignUpIn is [SignUp] for a user of any project.
func SignUpIn(t testing.TB, project, email string) Account {
	t.Helper()
	email = cmp.Or(email, strings.ToLower(rand.Text())+"@example.com")
	// A client's sign-up belongs to the project of its API key, and the emulator takes every
	// key for a key of its default project. So the administrator makes the account and signs
	// the user in. The tokens are the same.
	call(t, "projects/"+project+"/accounts", map[string]any{"email": email, "password": "correct horse"})
	answer := call(t, "accounts:signInWithPassword", map[string]any{
		"email": email, "password": "correct horse", "returnSecureToken": true, "targetProjectId": project,
	})
	return Account{UID: answer.LocalID, Email: email, IDToken: answer.IDToken}
}

// AccountUpdate changes an account of [emulators.DefaultProject], as accounts:update of the
// Identity Toolkit API does.
func AccountUpdate(t testing.TB, fields map[string]any) {
	t.Helper()
	call(t, "projects/"+emulators.DefaultProject+"/accounts:update", fields)
}

// authAnswer is the part of an answer that tests need.
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

// Token makes an unsigned ID token, which only emulators take. The token is for a random
// user of the project, issued now and good for an hour. claims replace these claims, and a
// nil value leaves a claim out. Unless claims hold user_id, user_id is the same as sub.
//
// The Admin SDK asks the Auth emulator about the user of a token. So the Admin SDK refuses
// a token whose sub is not the UID of an [Account].
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
