package server

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/internal/errs"
)

// AppCheck configures how the API handles requests without a good App Check token. The token proves that a request
// comes from an app of the project. The zero AppCheck requires no token. Probes and the pages of /docs need none.
type AppCheck struct {
	// Checker checks tokens; nil lets every request pass.
	Checker AppChecker
	// Enforce refuses requests without a good token. Without Enforce they are only logged.
	Enforce bool
}

// AppChecker checks App Check tokens. A bad token returns errs.Unauthenticated. errs.Unavailable means that no token
// can be checked now. An AppChecker may be called concurrently.
type AppChecker interface {
	Check(ctx context.Context, token string) error
}

const appCheckHeader = "X-Firebase-AppCheck"

// The states of an App Check token in the log line of a request.
const (
	appCheckGood    = "good"
	appCheckMissing = "missing"
	appCheckBad     = "bad"
	appCheckUnknown = "unknown" // the token could not be checked
)

// checkApp checks the App Check token of a request, and records its state for the log. It returns an error only if
// tokens are enforced. idToken says that the request has an ID token.
//
// On the routes of other protocols it asks those alone who have an ID token: such a client is one of the project, for
// which these routes must be no way around. Apps of others cannot have App Check tokens. The turns of a request that
// lives ask nothing, as it was asked at its begin.
func (s *Server) checkApp(c huma.Context, idToken bool) error {
	op := c.Operation()
	if s.options.AppCheck.Checker == nil || marked(op, WithoutAppCheck) || marked(op, foreignRoute) && !idToken {
		return nil
	}
	if about, ok := aboutRequest(c.Context()); ok && about.turn {
		return nil
	}
	is, err := appCheckGood, error(nil)
	if token := c.Header(appCheckHeader); token == "" {
		is, err = appCheckMissing, errs.New(errs.Unauthenticated, "app_check_required",
			"the header %s is missing; it has the App Check token of your app", appCheckHeader)
	} else if err = s.options.AppCheck.Checker.Check(c.Context(), token); err != nil {
		is = appCheckBad
		if errs.KindOf(err) != errs.Unauthenticated {
			is = appCheckUnknown
		}
	}
	if about, ok := aboutRequest(c.Context()); ok {
		about.appCheck = is
	}
	if !s.options.AppCheck.Enforce {
		return nil
	}
	return err
}
