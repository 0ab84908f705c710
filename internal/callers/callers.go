// Package callers checks who calls a service inside Google Cloud: Eventarc, Pub/Sub and Cloud
// Scheduler send an ID token that Google signed for the service account by which they call. The
// network and IAM refuse other callers before; this is the second wall, for a mistake in either.
package callers

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"google.golang.org/api/idtoken"
	"google.golang.org/api/option"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Checker checks callers. Its methods may be called concurrently.
type Checker struct {
	validator *idtoken.Validator
	accounts  []string
	audience  string
}

// New returns a checker of calls by service accounts, which their email addresses name. The tokens must be made out to
// audience or to an address below it; if it is empty, to the host of the request, which the front end of Cloud Run
// chose the service by. client gets the public keys of Google, and keeps them as long as Google says.
func New(ctx context.Context, accounts []string, audience string, client *http.Client) (*Checker, error) {
	if len(accounts) == 0 {
		return nil, errors.New("callers: no account may call")
	}
	validator, err := idtoken.NewValidator(ctx, option.WithHTTPClient(client))
	if err != nil {
		return nil, err
	}
	return &Checker{validator, accounts, strings.TrimSuffix(audience, "/")}, nil
}

// MadeOut reports whether a token that is made out to an address is for a service at another: that one, or one below
// it. Eventarc and Cloud Scheduler name the address of the service; Pub/Sub, where nobody says, the whole address that
// it calls.
func MadeOut(to, service string) bool {
	rest, ok := strings.CutPrefix(to, strings.TrimSuffix(service, "/"))
	return ok && service != "" && (rest == "" || rest[0] == '/' || rest[0] == '?')
}

// Origin is the scheme and host of an address, or nothing if it has none.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Check returns nil for a request of an account that may call. Any other is errs.Unauthenticated.
// Where the keys of Google cannot be had, it is, too: the caller tries again.
func (c *Checker) Check(r *http.Request) error {
	refused := func(cause error) error {
		return &errs.Error{Kind: errs.Unauthenticated, Code: "invalid_token", Msg: "the caller is not known",
			Op: "callers.Check", Err: cause}
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return refused(errors.New("no bearer token"))
	}
	payload, err := c.validator.Validate(r.Context(), token, "")
	if err != nil {
		return refused(err)
	}
	audience := cmp.Or(c.audience, "https://"+r.Host)
	email, _ := payload.Claims["email"].(string)
	verified, _ := payload.Claims["email_verified"].(bool)
	switch {
	case payload.Issuer != "https://accounts.google.com" && payload.Issuer != "accounts.google.com":
		return refused(errors.New("another issuer"))
	case !MadeOut(payload.Audience, audience):
		return refused(errors.New("made out to another service"))
	case !verified || !slices.Contains(c.accounts, email):
		return refused(errors.New("another account"))
	}
	return nil
}
