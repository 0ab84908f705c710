package server

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// NotForApps stands in [Hooks.Scopes] for an operation that no app may call, whatever its user allows.
const NotForApps = "-"

// AnyScope stands there for an operation that every app may call.
const AnyScope = "*"

// foreignRoute marks the operation of a [Foreign], which has scopes of its own.
const foreignRoute = "foreign"

// routeScopes is where the operation of a [Foreign] has its scopes.
const routeScopes = "scopes"

// allowsApp returns an error if an app may not call an operation for its user. An operation that nobody decided about
// is for no app. Within the request of another protocol the scopes are those of its route.
func (s *Server) allowsApp(c huma.Context, caller model.Caller) error {
	op := c.Operation()
	if marked(op, foreignRoute) {
		scopes, _ := op.Metadata[routeScopes].([]string)
		return allows(caller, scopes)
	}
	needs := s.hooks.Scopes[op.OperationID]
	if needs == "" || needs == NotForApps {
		return errs.New(errs.Forbidden, "not_for_apps", "no app may do this for a user; sign in to the installation itself")
	}
	if about, ok := aboutRequest(c.Context()); needs == AnyScope || ok && about.within() {
		return nil
	}
	return allows(caller, strings.Fields(needs))
}

// allows returns an error if the caller's token has none of the scopes. A caller by ID token may do everything, and
// who is nobody has no scopes. No scopes ask for nothing.
func allows(caller model.Caller, scopes []string) error {
	if len(scopes) == 0 || caller.UID == "" || slices.ContainsFunc(scopes, caller.MayAs) {
		return nil
	}
	return errs.New(errs.Forbidden, "scope_required", "the access token does not have the scope %s",
		strings.Join(scopes, " or "))
}
