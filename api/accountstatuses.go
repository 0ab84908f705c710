package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Standing is the account status of a user.
type Standing struct {
	UserID    model.UserID             `json:"userId"`
	State     model.AccountStatusState `json:"state" enum:"free,frozen,suspended" doc:"frozen: may read and leave, and not write; suspended: may do nothing"`
	Reason    string                   `json:"reason"`
	By        model.UserID             `json:"by,omitempty" doc:"The moderator who changed it last"`
	ChangedAt *time.Time               `json:"changedAt" doc:"null if no moderator ever changed it"`
}

type accountStatusOutput struct{ Body Standing }

// Reason is the body of an administrative act.
type Reason struct {
	Reason string `json:"reason" minLength:"1" maxLength:"1000" doc:"Why, for the audit log" example:"spam in 40 replies"`
}

// ReasonQuery is the reason of an administrative act whose request has no body.
type ReasonQuery struct {
	Reason string `query:"reason" maxLength:"1000" doc:"Why, for the audit log"`
}

var errSignedOut = errs.New(errs.Unauthenticated, "revoked_token",
	"the session of this ID token was ended; sign in again")

var errSuspended = errs.New(errs.Forbidden, "account_suspended", "this account is suspended")

// accountStatus applies the account status that moderators set after the caller's token was issued. A suspended caller
// is an error, and a frozen caller has no role. It also refuses a token from before the caller signed out everywhere.
func (s *service) accountStatus(ctx context.Context, c model.Caller) (model.Caller, error) {
	state, err := s.Moderation.Recent(ctx, c.UID)
	if err != nil {
		return model.Caller{}, err
	}
	if c.SignedInAt.Before(s.Moderation.SessionsSince(c.UID)) {
		return model.Caller{}, errSignedOut
	}
	if is := s.Moderation.Unmirrored(c.UID); is != nil {
		if err := s.Moderation.Mirror(ctx, s.Accounts, is); err != nil {
			s.Log.WarnContext(ctx, "an account status was not mirrored", "error", err) // the API enforces the status anyway
		}
	}
	switch state {
	case model.AccountStatusSuspended:
		return model.Caller{}, errSuspended
	case model.AccountStatusFrozen:
		c.Frozen = true
	case model.AccountStatusFree:
		c.Frozen = false
	}
	if c.Frozen {
		c.Admin, c.Moderator = false, false
	}
	return c, nil
}

// above returns an error if the caller may not act on a user. Nobody acts on their own account, and no moderator acts
// on an administrator. An unknown account is errs.NotFound.
func (s *service) above(ctx context.Context, uid model.UserID) error {
	caller := server.Caller(ctx)
	if uid == caller.UID {
		return errs.New(errs.Forbidden, "own_account", "moderators cannot act on themselves")
	}
	account, err := s.Accounts.Account(ctx, uid)
	if err != nil {
		return err
	}
	if account.Admin && !caller.Admin {
		return errs.New(errs.Forbidden, "not_admin", "only administrators can act on an administrator")
	}
	return nil
}

// change executes an administrative act: it writes the source document first and then updates Firebase Auth. If the
// user's state refuses the act, the request may be a repetition after another moderator changed the state. So change
// updates Firebase Auth in that case too.
func (s *service) change(ctx context.Context, uid model.UserID, act model.Act, reason string) (_ *accountStatusOutput,
	err error) {
	if err := s.above(ctx, uid); err != nil {
		return nil, err
	}
	is, refused := s.Moderation.SetAccountStatus(ctx, actorOf(server.Caller(ctx), reason), uid, act)
	if refused != nil {
		if code := errs.CodeOf(refused); code != "user_suspended" && code != "user_frozen" {
			return nil, refused
		}
		if is, err = s.Moderation.AccountStatus(ctx, uid); err != nil {
			return nil, err
		}
	}
	if err := s.Moderation.Mirror(ctx, s.Accounts, is); err != nil {
		return nil, err
	}
	if refused != nil {
		return nil, refused
	}
	return accountStatusOf(is), nil
}

func accountStatusOf(is *model.AccountStatus) *accountStatusOutput {
	out := &accountStatusOutput{Standing{UserID: is.UserID, State: is.State, Reason: is.Reason, By: is.By}}
	if at := is.StateChangedAt(); !at.IsZero() {
		out.Body.ChangedAt = &at
	}
	return out
}

// accountStatuses adds the operations on account statuses, for moderators.
func (s *service) accountStatuses() {
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/users/{uid}/standing", OperationID: "getStanding", Tags: []string{"admin"},
		Summary:     "Read what an account may do",
		Description: "The account of a user is free until a moderator changes its status.",
	}, ofUser(func(ctx context.Context, in *struct{ UserPath }, uid model.UserID) (*accountStatusOutput, error) {
		is, err := s.Moderation.AccountStatus(ctx, uid)
		if err != nil {
			return nil, err
		}
		return accountStatusOf(is), nil
	}))
	for _, o := range []struct {
		put, delete  model.Act
		who          []map[string][]string
		path, effect string
		summaries    [2]string
	}{
		{model.ActFreeze, model.ActUnfreeze, server.Moderators, "freeze",
			"A frozen user may read, delete the account and take its contents along, and may not write. A suspended user is " +
				"409 user_suspended.",
			[2]string{"Freeze an account", "Restore a frozen account"}},
		{model.ActSuspend, model.ActUnsuspend, server.Admins, "suspend",
			"A suspended user may do nothing: sessions end, and " +
				"signing in is refused. What the user wrote stays.",
			[2]string{"Suspend an account", "Restore a suspended account"}},
	} {
		text := o.effect + "\n\nEvery instance of the API acts on it within a minute. " +
			"The answer 503 not_mirrored means that Firebase Auth did not take it; the same request once more mends that, " +
			"and so does the account's next request, or the night."
		id := o.path + "User"
		server.Register(s.Server, o.who, huma.Operation{
			Method: http.MethodPut, Path: "/v1/admin/users/{uid}/" + o.path, OperationID: id, Tags: []string{"admin"},
			Summary: o.summaries[0], Description: text, Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, ofUser(func(ctx context.Context, in *struct {
			UserPath
			Body Reason
		}, uid model.UserID) (*accountStatusOutput, error) {
			if err := model.ValidateReason(in.Body.Reason, true); err != nil {
				return nil, err
			}
			return s.change(ctx, uid, o.put, in.Body.Reason)
		}))
		server.Register(s.Server, o.who, huma.Operation{
			Method: http.MethodDelete, Path: "/v1/admin/users/{uid}/" + o.path, OperationID: "un" + id, Tags: []string{"admin"},
			DefaultStatus: http.StatusOK,
			Summary:       o.summaries[1], Description: text, Errors: []int{http.StatusNotFound, http.StatusConflict},
		}, ofUser(func(ctx context.Context, in *struct {
			UserPath
			ReasonQuery
		}, uid model.UserID) (*accountStatusOutput, error) {
			return s.change(ctx, uid, o.delete, in.Reason)
		}))
	}
}
