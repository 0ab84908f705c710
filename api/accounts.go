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

// Account is an account of Firebase Auth, for administrators.
type Account struct {
	UID           model.UserID `json:"uid"`
	Email         string       `json:"email" doc:"In lower case"`
	EmailVerified bool         `json:"emailVerified"`
	Administrator bool         `json:"administrator"`
	Moderator     bool         `json:"moderator"`
	Frozen        bool         `json:"frozen"`
	Suspended     bool         `json:"suspended" doc:"True if the account cannot sign in"`
	CreatedAt     time.Time    `json:"createdAt"`
	SeenAt        time.Time    `json:"seenAt" doc:"When the user signed in, or an app of the user got an ID token, for the last time"`
	User          *UserSummary `json:"user,omitempty" doc:"The profile; absent if there is none"`
}

type accountOutput struct{ Body Account }

// AccountByEmail is the body of a request for an account. The address is no part of the URL, which logs have.
type AccountByEmail struct {
	Email string `json:"email" minLength:"3" maxLength:"320" doc:"In lower case or capitals" example:"ann@example.com"`
	Reason
}

type accountInput struct {
	Rendering
	Body AccountByEmail
}

// accounts adds the operations that find an account and help its owner back in, for administrators.
func (s *service) accounts() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/users/{uid}/passwordReset", OperationID: "resetPassword",
		Tags: []string{"admin"}, DefaultStatus: http.StatusNoContent,
		Summary: "Send the account's address a letter to set another password",
		Description: "Firebase Auth sends the letter, and nobody else sees its link. Each request makes an entry of the " +
			"audit " +
			"log, before the letter. The user may have no profile.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Body Reason
	}, uid model.UserID) (*nothing, error) {
		if err := model.ValidateReason(in.Body.Reason, true); err != nil {
			return nil, err
		}
		return nil, s.resetPassword(ctx, uid, in.Body.Reason)
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/users:byEmail", OperationID: "findAccount", Tags: []string{"admin"},
		DefaultStatus: http.StatusOK,
		Summary:       "Find an account by its e-mail address",
		Description: "The address is one of Firebase Auth, and the account may have no profile. Each request makes an " +
			"entry of the audit log, without the address; so does one that finds nothing, and answers 404 account_not_found.",
		Errors: []int{http.StatusNotFound},
	}, s.findAccount)
}

// findAccount writes the entry of the audit log before it answers, so that there is no answer without an entry.
//
// Cost: 1 write, and 1 read if the profile is not cached.
func (s *service) findAccount(ctx context.Context, in *accountInput) (*accountOutput, error) {
	if err := model.ValidateReason(in.Body.Reason.Reason, true); err != nil {
		return nil, err
	}
	address, err := model.ParseEmail(in.Body.Email)
	if err != nil {
		return nil, err
	}
	found, missing := s.Accounts.Find(ctx, address)
	if missing != nil && errs.KindOf(missing) != errs.NotFound {
		return nil, missing
	}
	err = s.Moderation.Log(ctx, actorOf(server.Caller(ctx), in.Body.Reason.Reason),
		model.Action{Act: model.ActFindAccount, UserID: found.UID})
	if err != nil {
		return nil, err
	}
	if missing != nil {
		return nil, errs.New(errs.NotFound, "account_not_found", "no account has this e-mail address")
	}
	out := &accountOutput{Account{
		UID: found.UID, Email: found.Email, EmailVerified: found.EmailVerified, Administrator: found.Admin,
		Moderator: found.Moderator, Frozen: found.Frozen, Suspended: found.Disabled, CreatedAt: found.CreatedAt.UTC(),
		SeenAt: found.SeenAt.UTC(),
	}}
	users, err := s.Users.Users(ctx, []model.UserID{found.UID})
	if err != nil {
		return nil, err
	}
	if u := users[found.UID]; u != nil {
		out.Body.User = new(in.summary(s, u))
	}
	return out, nil
}

// resetPassword writes the entry of the audit log before the letter is sent, so that there is no letter without an
// entry.
//
// Cost: 1 write.
func (s *service) resetPassword(ctx context.Context, uid model.UserID, reason string) error {
	if err := s.above(ctx, uid); err != nil {
		return err
	}
	account, err := s.Accounts.Account(ctx, uid)
	if err != nil {
		return err
	}
	if account.Email == "" {
		return errs.New(errs.Conflict, "no_address", "the account has no e-mail address")
	}
	err = s.Moderation.Log(ctx, actorOf(server.Caller(ctx), reason), model.Action{Act: model.ActResetPassword,
		UserID: uid})
	if err != nil {
		return err
	}
	return s.Accounts.SendPasswordReset(ctx, account.Email)
}
