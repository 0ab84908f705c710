package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// SignIn is a sign-in of the caller.
type SignIn struct {
	At       time.Time `json:"at" doc:"In whole seconds"`
	Provider string    `json:"provider" doc:"What the caller signed in with" example:"password"`
	System   string    `json:"system" doc:"The family of the system, from the User-Agent header of the request that told of the sign-in; empty if unknown" example:"Android"`
	Program  string    `json:"program" doc:"The family of the browser, or app; empty if unknown" example:"Chrome"`
	Current  bool      `json:"current" doc:"True for the sign-in of this request's ID token"`
	Ended    bool      `json:"ended" doc:"True if the caller signed out everywhere since. A sign-in that ended otherwise is not marked: Firebase Auth does not tell"`
}

// SignIns are the newest sign-ins of the caller.
type SignIns struct {
	Items []SignIn `json:"items" nullable:"false" doc:"Newest first, at most 20"`
}

// signIns adds the operations on the caller's sign-ins. A guest has none.
func (s *service) signIns() {
	free := map[string]any{server.ForFrozen: true, server.WithoutConsent: true}
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/me/sign-in", OperationID: "tellOfSignIn", Tags: []string{"users"},
		Summary: "Put the sign-in of this ID token on the caller's list",
		Description: "A client sends this once after it signed somebody in, with a profile or without. The time and the " +
			"provider are those of the ID token; the same sign-in again changes nothing. No IP address is kept. Push " +
			"subscriptions go that were registered before a new password or address ended all sessions.",
		Metadata: free,
	}, func(ctx context.Context, in *struct {
		UserAgent string `header:"User-Agent" hidden:"true"`
	}) (*nothing, error) {
		caller := server.Caller(ctx)
		one := model.SignIn{At: caller.SignedInAt.UTC(), Provider: caller.Provider}
		one.System, one.Program = model.Platform(in.UserAgent)
		if err := s.Users.AddSignIn(ctx, caller.UID, one); err != nil {
			return nil, err
		}
		// Firebase Auth ends sessions by itself, and tells nobody: this is the first request that can know.
		is, err := s.Accounts.Account(ctx, caller.UID)
		if err != nil {
			return nil, err
		}
		return nil, s.Devices.RemoveBefore(ctx, caller.UID, is.ValidSince.Truncate(time.Second))
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/sign-ins", OperationID: "listSignIns", Tags: []string{"users"},
		Summary:     "List the caller's newest sign-ins",
		Description: "Only those of which clients told, with PUT /v1/users/me/sign-in.",
	}, func(ctx context.Context, _ *nothing) (*struct{ Body SignIns }, error) {
		caller := server.Caller(ctx)
		is, err := s.Users.SignIns(ctx, caller.UID)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body SignIns }{SignIns{Items: []SignIn{}}}
		for _, one := range slices.Backward(is.SignIns) {
			out.Body.Items = append(out.Body.Items, SignIn{
				At: one.At, Provider: one.Provider, System: one.System, Program: one.Program,
				Current: one.At.Equal(caller.SignedInAt), Ended: is.Ended(one),
			})
		}
		return out, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/me/sign-ins", OperationID: "signOutEverywhere",
		Tags: []string{"users"}, DefaultStatus: http.StatusNoContent,
		Summary: "End all sessions of the caller, this one too",
		Description: "Firebase Auth makes no new ID token for any session, and the API refuses the ID tokens of all " +
			"sign-ins until now: 401 revoked_token. This instance does so at once, and every other within a minute, or 5 " +
			"minutes if the database does not answer. All push subscriptions of the caller go, and all apps " +
			"that the caller let in are out. " +
			"Who listens to Firestore may do so until the ID token expires, an hour " +
			"at most. " +
			"The request may be repeated.",
		Metadata: free,
	}, func(ctx context.Context, _ *nothing) (*nothing, error) {
		uid := server.Caller(ctx).UID
		// Firebase Auth first: if the database fails, the caller's ID token is still good for another attempt.
		if err := s.Accounts.EndSessions(ctx, uid); err != nil {
			return nil, err
		}
		// Apps before the account status, which would refuse another attempt.
		if err := s.OAuth.EndAll(ctx, uid); err != nil {
			return nil, err
		}
		return nil, s.Moderation.EndSessions(ctx, uid)
	})
}
