package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// Decision is what moderators decided about the caller's account or a tweet of the caller.
type Decision struct {
	ID          string        `json:"id"`
	Act         model.Act     `json:"act" enum:"freeze,flag,delete_tweet,delete_media,edit_profile"`
	TweetID     model.TweetID `json:"tweetId,omitempty"`
	At          time.Time     `json:"at"`
	AppealUntil time.Time     `json:"appealUntil" doc:"Until then the caller may appeal, once"`
	Appeal      *OwnAppeal    `json:"appeal,omitempty" doc:"Absent without an appeal"`
}

// OwnAppeal is the caller's appeal against a decision.
type OwnAppeal struct {
	Text       string            `json:"text"`
	State      model.AppealState `json:"state" enum:"open,upheld,reversed" doc:"upheld: the decision stands; reversed: it was wrong, and what can be undone is undone"`
	CreatedAt  time.Time         `json:"createdAt"`
	Answer     string            `json:"answer" doc:"What the moderators say; empty while the appeal is open"`
	AnsweredAt *time.Time        `json:"answeredAt" doc:"null while the appeal is open"`
}

// Appeal is what a user says against a decision, for moderators.
type Appeal struct {
	ID        string        `json:"id"`
	UserID    model.UserID  `json:"userId"`
	Act       model.Act     `json:"act" enum:"freeze,flag,delete_tweet,delete_media,edit_profile"`
	TweetID   model.TweetID `json:"tweetId,omitempty"`
	DecidedBy model.UserID  `json:"decidedBy"`
	DecidedAt time.Time     `json:"decidedAt"`
	Reason    string        `json:"reason" doc:"Of the decision, from the audit log; the user does not see it"`
	OwnAppeal
}

// orNull returns nil for the zero time.
func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func ownAppealOf(is *model.Appeal) OwnAppeal {
	return OwnAppeal{is.Text, is.State, is.CreatedAt, is.Answer, orNull(is.AnsweredAt)}
}

func appealOf(is *model.Appeal) (Appeal, bool) {
	return Appeal{is.ID, is.UserID, is.Act, is.TweetID, is.DecidedBy, is.DecidedAt, is.Reason, ownAppealOf(is)}, true
}

func decisionOf(is moderation.JudgedAct) (Decision, bool) {
	d := Decision{ID: is.ID, Act: is.Act, TweetID: is.TweetID, At: is.At, AppealUntil: is.At.Add(model.AppealWindow)}
	if is.Appeal != nil {
		a := ownAppealOf(is.Appeal)
		d.Appeal = &a
	}
	return d, true
}

// DecisionPath is the part of a path that names a decision.
type DecisionPath struct {
	ID string `path:"id" maxLength:"60" doc:"Id of the decision"`
}

// appeals adds the operations on decisions of moderators and on the appeals against them.
func (s *service) appeals() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/decisions", OperationID: "listDecisions", Tags: []string{"users"},
		Summary:     "List what moderators decided about the caller and the caller's tweets, newest first",
		Description: "A page may have fewer items than asked for, or none, and a nextPageToken.",
	}, func(ctx context.Context, in *struct{ server.Paging }) (*server.ListOutput[Decision], error) {
		uid := server.Caller(ctx).UID
		found, err := server.CursorPage(s.Server, "decisions "+string(uid), in.Paging,
			func(from model.Cursor) (model.Page[moderation.JudgedAct], error) {
				return s.Moderation.Decisions(ctx, uid, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, decisionOf), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/users/me/decisions/{id}/appeal", OperationID: "appeal", Tags: []string{"users"},
		Summary: "Appeal against a decision of moderators",
		Description: "Once, within 20 days: 409 appeal_exists, too_late_to_appeal. The same text again changes nothing. A " +
			"frozen user may appeal. A suspended user cannot sign in, and writes to the contact of the instance.",
		Errors:   []int{http.StatusNotFound, http.StatusConflict},
		Metadata: map[string]any{server.ForFrozen: true, server.WithoutConsent: true},
	}, func(ctx context.Context, in *struct {
		DecisionPath
		Body struct {
			Text string `json:"text" minLength:"1" maxLength:"2000" doc:"Why the decision is wrong"`
		}
	}) (*struct{ Body Decision }, error) {
		is, err := s.Moderation.Appeal(ctx, server.Caller(ctx).UID, in.ID, in.Body.Text)
		if err != nil {
			return nil, err
		}
		out, _ := decisionOf(*is)
		return &struct{ Body Decision }{out}, nil
	})
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/appeals", OperationID: "listAppeals", Tags: []string{"admin"},
		Summary: "List the appeals that wait for an answer, oldest first",
	}, func(ctx context.Context, in *struct{ server.Paging }) (*server.ListOutput[Appeal], error) {
		found, err := server.CursorPage(s.Server, "appeals", in.Paging,
			func(from model.Cursor) (model.Page[*model.Appeal], error) {
				return s.Moderation.Appeals(ctx, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, appealOf), nil
	})
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/appeals/{id}", OperationID: "answerAppeal", Tags: []string{"admin"},
		Summary: "Answer an appeal",
		Description: "reversed ends a freeze and removes a flag, unless another moderator froze or flagged again since; " +
			"what " +
			"is deleted or edited stays so. The same answer again changes nothing, another one is 409 appeal_answered. " +
			"Nobody answers the own appeal, and no moderator that of an administrator.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, s.answerAppeal)
}

func (s *service) answerAppeal(ctx context.Context, in *struct {
	DecisionPath
	Body struct {
		State  model.AppealState `json:"state" enum:"upheld,reversed"`
		Answer string            `json:"answer" minLength:"1" maxLength:"2000" doc:"For the user, and for the audit log in short"`
	}
}) (*struct{ Body Appeal }, error) {
	of, err := s.Moderation.FindAppeal(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if err := s.above(ctx, of.UserID); err != nil {
		return nil, err
	}
	is, undone, err := s.Moderation.AnswerAppeal(ctx, actorOf(server.Caller(ctx), model.Snippet(in.Body.Answer,
		model.MaxReason)), in.ID, in.Body.State, in.Body.Answer)
	if err != nil {
		return nil, err
	}
	if undone != nil {
		if err := s.Moderation.Mirror(ctx, s.Accounts, undone); err != nil {
			return nil, err
		}
	}
	out, _ := appealOf(is)
	return &struct{ Body Appeal }{out}, nil
}
