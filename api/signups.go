package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// SignUp is a profile that waits for the approval of an administrator.
type SignUp struct {
	UserID       model.UserID `json:"userId"`
	State        string       `json:"state" enum:"waiting,refused"`
	Username     string       `json:"username"`
	Nickname     string       `json:"nickname"`
	Introduction string       `json:"introduction"`
	Reason       string       `json:"reason" doc:"Why the user wants to join"`
	Answer       string       `json:"answer,omitempty" doc:"What the administrator says who refused"`
	Email        string       `json:"email,omitempty" doc:"For administrators"`
	CreatedAt    time.Time    `json:"createdAt"`
	AskedAt      time.Time    `json:"askedAt" doc:"When the user sent it last, perhaps with changes"`
	ExpireAt     time.Time    `json:"expireAt" doc:"When nobody remembers it any more"`
}

func signUpOf(is *model.SignUp) (SignUp, bool) {
	state := "waiting"
	if is.Refused {
		state = "refused"
	}
	return SignUp{is.UserID, state, is.Username, is.Nickname, is.Introduction, is.Reason, is.Answer, is.Email,
		is.CreatedAt, is.AskedAt, is.ExpireAt}, true
}

type signUpOutput struct{ Body SignUp }

// createdBody is a profile, or the sign-up that waits for it. The OpenAPI document has one for each status.
type createdBody struct{ is any }

// MarshalJSON writes the profile or the sign-up.
func (b createdBody) MarshalJSON() ([]byte, error) { return json.Marshal(b.is) }

// Schema is that of the profile. It also registers the schema of the sign-up.
func (createdBody) Schema(r huma.Registry) *huma.Schema {
	r.Schema(reflect.TypeFor[SignUp](), true, "")
	return r.Schema(reflect.TypeFor[User](), true, "")
}

// waitingResponse describes the answer for a sign-up that waits.
func waitingResponse() map[string]*huma.Response {
	return map[string]*huma.Response{"202": {
		Description: "The sign-up waits for the approval of an administrator",
		Content: map[string]*huma.MediaType{"application/json": {
			Schema: &huma.Schema{Ref: "#/components/schemas/SignUp"}}},
	}}
}

// refusedSignUp is the answer to a sign-up that an administrator refuses.
type refusedSignUp struct {
	Answer string `json:"answer,omitempty" maxLength:"500" doc:"For the user"`
}

// approvalInput is the sign-up that an administrator approves, as the administrator saw it.
type approvalInput struct {
	UserPath
	AskedAt time.Time `query:"askedAt" doc:"askedAt of the sign-up that the administrator saw; without it any is approved"`
}

// signUps adds the operations on sign-ups that wait for approval.
func (s *service) signUps() {
	free := map[string]any{server.WithoutConsent: true}
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/sign-up", OperationID: "getSignUp", Tags: []string{"users"},
		Summary: "Read the caller's sign-up that waits for approval, or was refused", Metadata: free,
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, _ *nothing) (*signUpOutput, error) {
		is, err := s.Users.SignUp(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		out, _ := signUpOf(is)
		out.Email = ""
		return &signUpOutput{out}, nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/me/sign-up", OperationID: "takeBackSignUp", Tags: []string{"users"},
		DefaultStatus: http.StatusNoContent, Summary: "Take back the caller's sign-up that waits", Metadata: free,
	}, func(ctx context.Context, _ *nothing) (*nothing, error) {
		return nil, s.Users.TakeBack(ctx, server.Caller(ctx).UID)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/sign-ups", OperationID: "listSignUps", Tags: []string{"admin"},
		Summary:     "List the sign-ups that wait for approval, oldest first",
		Description: "At most 1,000 wait at a time. A sign-up that nobody decides on is gone after 30 days.",
	}, func(ctx context.Context, in *struct{ server.Paging }) (*server.ListOutput[SignUp], error) {
		found, err := server.CursorPage(s.Server, "sign-ups", in.Paging,
			func(from model.Cursor) (model.Page[*model.SignUp], error) {
				return s.Moderation.SignUps(ctx, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, signUpOf), nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/sign-ups/{uid}/approval", OperationID: "approveSignUp",
		Tags: []string{"admin"}, Summary: "Approve a sign-up: the user has the profile",
		Description: "409 sign_up_changed if the user sent another one after the time askedAt, and sign_up_refused if an " +
			"administrator refused it. A repetition answers with the profile. The sign-up of an account that Firebase Auth " +
			"does " +
			"not have goes: 404 sign_up_not_found. The audit log has the act.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofUser(func(ctx context.Context, in *approvalInput, uid model.UserID) (*userOutput, error) {
		if _, err := s.Accounts.Account(ctx, uid); errs.KindOf(err) == errs.NotFound { // nobody could use the profile
			return nil, cmp.Or(s.Users.TakeBack(ctx, uid), model.NoSignUp())
		} else if err != nil {
			return nil, err
		}
		if s.SingleUser != "" {
			waits, err := s.Users.SignUp(ctx, uid)
			if err != nil {
				return nil, err
			}
			if err := s.onlyUser(waits.Username); err != nil {
				return nil, err
			}
		}
		u, err := s.Moderation.Approve(ctx, actorOf(server.Caller(ctx), ""), uid, in.AskedAt)
		if err != nil {
			return nil, err
		}
		return &userOutput{Body: s.fullUserOf(u)}, nil
	}))
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/sign-ups/{uid}/refusal", OperationID: "refuseSignUp",
		Tags: []string{"admin"}, DefaultStatus: http.StatusNoContent, Summary: "Refuse a sign-up",
		Description: "The user sees the answer for 30 days, and cannot sign up during that time. The audit log has the act.",
		Errors:      []int{http.StatusNotFound},
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Body refusedSignUp
	}, uid model.UserID) (*nothing, error) {
		return nil, s.Moderation.Refuse(ctx, actorOf(server.Caller(ctx), ""), uid, in.Body.Answer)
	}))
}
