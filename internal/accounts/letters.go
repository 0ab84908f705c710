package accounts

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/hibana-sns/hibana/internal/errs"
)

// lettersWithin bounds the time of a request for a letter.
const lettersWithin = 10 * time.Second

// SendPasswordReset makes Firebase Auth send a letter to the address of an account, with a link to set another
// password. The SDK can only make such a link, so this is a request of the Identity Toolkit API. The answer has no
// link.
func (a *Accounts) SendPasswordReset(ctx context.Context, address string) (err error) {
	const op = "accounts.SendPasswordReset"
	ctx, cancel := context.WithTimeout(ctx, lettersWithin)
	defer cancel()
	client, base := http.DefaultClient, "https://identitytoolkit.googleapis.com"
	owner := "owner" // the token of an administrator, for the emulator
	if host := os.Getenv("FIREBASE_AUTH_EMULATOR_HOST"); host != "" {
		base = "http://" + host + "/identitytoolkit.googleapis.com"
	} else {
		credentials, err := google.FindDefaultCredentials(ctx, "https://www.googleapis.com/auth/identitytoolkit")
		if err != nil {
			return failure(err, op, "")
		}
		client, owner = oauth2.NewClient(ctx, credentials.TokenSource), ""
	}
	body, err := json.Marshal(map[string]string{"requestType": "PASSWORD_RESET", "email": address})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost,
		fmt.Sprintf("%s/v1/projects/%s/accounts:sendOobCode", base, a.project), bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if owner != "" {
		req.Header.Set("Authorization", "Bearer "+owner)
	}
	resp, err := client.Do(req)
	if err != nil {
		return failure(err, op, "")
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	var answer struct{ Error struct{ Message string } }
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	_ = json.Unmarshal(text, &answer)
	cause := fmt.Errorf("%s: %s", resp.Status, cmp.Or(answer.Error.Message, "no reason"))
	if answer.Error.Message == "EMAIL_NOT_FOUND" {
		return &errs.Error{Kind: errs.NotFound, Op: op, Code: "account_not_found", Msg: "no account has this e-mail address",
			Err: cause}
	}
	return failure(cause, op, "")
}
