package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Leaving is the progress of an account deletion.
type Leaving struct {
	ID        string           `json:"id" doc:"Names the account deletion; anyone who has it may read how far the deletion is"`
	State     string           `json:"state" enum:"removing,checking,done" doc:"removing: documents are being removed. checking: nothing is left, and a last pass follows a day later. done: the account deletion is complete."`
	Removed   map[string]int64 `json:"removed" doc:"About how many documents were removed so far, by collection"`
	StartedAt time.Time        `json:"startedAt"`
	ClearedAt *time.Time       `json:"clearedAt,omitempty" doc:"When nothing was left"`
	EndedAt   *time.Time       `json:"endedAt,omitempty"`
}

func accountDeletionOf(w *model.DeletionWork) Leaving {
	l := Leaving{ID: w.Receipt, State: "removing", Removed: w.Removed, StartedAt: w.StartedAt}
	if !w.ClearedAt.IsZero() {
		l.State, l.ClearedAt = "checking", &w.ClearedAt
	}
	if w.Done {
		l.State, l.EndedAt = "done", &w.EndedAt
	}
	return l
}

type accountDeletionOutput struct {
	Location string `header:"Location"`
	Body     Leaving
}

// accountDeletion has the marks of an operation that deletes the account or exports its data.
var accountDeletion = map[string]any{server.ForFrozen: true, server.VerifiedNow: true}

// accountDeletion adds the operations that delete an account.
func (s *service) accountDeletion() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/me", OperationID: "leave", Tags: []string{"users"},
		DefaultStatus: http.StatusAccepted, Metadata: accountDeletion,
		Summary: "Delete the caller's profile, and everything of the caller",
		Description: "The profile is gone at once, the rest within minutes, and the account with which the caller signs " +
			"in at the end. " +
			"The answer has an id, by which anyone may read how far the deletion is, without a sign-in. " +
			"Replies of others stay. The username is nobody's for 30 days.\n\n" +
			"The caller must have signed in within the last 5 minutes; otherwise the answer is 403 recent_sign_in_required. " +
			"A caller whose account is being deleted already gets the same id.",
		Errors: []int{http.StatusNotFound},
	}, s.leave)
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodGet, Path: "/v1/leavings/{id}", OperationID: "getLeaving", Tags: []string{"users"},
		Summary:     "Read how far an account deletion is",
		Description: "The record is kept for 30 days after the end of the deletion.",
		Errors:      []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"64"`
	}) (*struct{ Body Leaving }, error) {
		// The database refuses invalid UTF-8 with an error that looks like overload. No receipt holds invalid UTF-8.
		w, err := s.Users.AccountDeletion(ctx, strings.ToValidUTF8(in.ID, "\uFFFD"))
		if err != nil {
			return nil, err
		}
		return &struct{ Body Leaving }{accountDeletionOf(w)}, nil
	})
}

func (s *service) leave(ctx context.Context, _ *nothing) (*accountDeletionOutput, error) {
	if err := recent(ctx, "to delete your account"); err != nil {
		return nil, err
	}
	w, err := s.Users.Leave(ctx, server.Caller(ctx).UID)
	if err != nil {
		return nil, err
	}
	return &accountDeletionOutput{Location: "/v1/leavings/" + w.Receipt, Body: accountDeletionOf(w)}, nil
}
