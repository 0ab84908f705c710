package emulators

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// AuthProject returns the project for which the Auth emulator at host:port signs tokens. Only a token contains the
// project. AuthProject therefore creates an account without a name, reads its token, and deletes the account.
//
// `firebase emulators:start` without a project signs for another project than Hibana expects, and the API refuses every
// token.
func AuthProject(ctx context.Context, addr string) (project string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	call := func(method string, body, into any) error {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+
			"/identitytoolkit.googleapis.com/v1/accounts:"+method+"?key=any", bytes.NewReader(text))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("accounts:%s answers %s", method, resp.Status)
		}
		return json.NewDecoder(resp.Body).Decode(into)
	}
	var made struct{ IDToken string }
	if err := call("signUp", map[string]bool{"returnSecureToken": true}, &made); err != nil {
		return "", err
	}
	parts := strings.Split(made.IDToken, ".")
	if len(parts) != 3 {
		return "", fmt.Errorf("accounts:signUp answers no token")
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", err
	}
	var claims struct{ Aud string }
	if err := json.Unmarshal(raw, &claims); err != nil {
		return "", err
	}
	return claims.Aud, call("delete", map[string]string{"idToken": made.IDToken}, &struct{}{})
}
