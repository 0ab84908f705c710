// Package callers checks the callers of a service inside Google Cloud. Eventarc, Pub/Sub and Cloud Scheduler send an ID
// token that Google signed for their service account. The network and IAM already refuse other callers. This check is a
// second line of defense against a mistake in either.
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

// New returns a checker of calls by service accounts with the given email addresses. The audience of a token must be
// audience or an address below it. If audience is empty, it must be the host of the request, by which the front end of
// Cloud Run selected the service. client fetches the public keys of Google, and caches them as long as Google allows.
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

// MadeOut reports whether a token with the audience to is for a service: its address, or an address below it. Eventarc
// and Cloud Scheduler use the address of the service as the audience. Pub/Sub uses the full URL that it calls by
// default.
func MadeOut(to, service string) bool {
	rest, ok := strings.CutPrefix(to, strings.TrimSuffix(service, "/"))
	return ok && service != "" && (rest == "" || rest[0] == '/' || rest[0] == '?')
}

// Origin returns the scheme and host of an address, or "" if it has none.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Check returns nil for a request of an allowed account, and errs.Unauthenticated for any other. It also returns
// errs.Unauthenticated if the keys of Google are not available, so that the caller tries again.
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
