package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// Note is a moderator's note about a user, for moderators.
type Note struct {
	ID     string       `json:"id"`
	UserID model.UserID `json:"userId"`
	By     model.UserID `json:"by"`
	Text   string       `json:"text"`
	At     time.Time    `json:"at"`
}

type noteOutput struct{ Body Note }

// moderation adds the operations on tweets and profiles, for moderators.
func (s *service) moderation() {
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodPut, Path: "/v1/admin/tweets/{id}/flag", OperationID: "flagTweet", Tags: []string{"admin"},
		Summary: "Flag a tweet as violative",
		Description: "Its author, moderators and administrators still see a flagged tweet; to everybody else it is " +
			"unknown. With If-Match and the ETag of the tweet that the moderator has read, the flag of a tweet that was " +
			"edited since answers 412 tweet_edited. " +
			"The audit log tells the revision that was judged.",
		Errors: []int{http.StatusNotFound, http.StatusGone, http.StatusPreconditionFailed},
	}, ofTweet(func(ctx context.Context, in *struct {
		TweetPath
		IfMatch string `header:"If-Match" doc:"The ETag of the tweet that the moderator has read, or *"`
		Body    Reason
	}, id model.TweetID) (*nothing, error) {
		if err := model.ValidateReason(in.Body.Reason, true); err != nil {
			return nil, err
		}
		seen, err := parseIfMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		return nil, s.flag(ctx, id, true, in.Body.Reason, seen)
	}))
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/admin/tweets/{id}/flag", OperationID: "unflagTweet", Tags: []string{"admin"},
		Summary: "Take the flag of a tweet away",
		Errors:  []int{http.StatusNotFound, http.StatusGone},
	}, ofTweet(func(ctx context.Context, in *struct {
		TweetPath
		ReasonQuery
	}, id model.TweetID) (*nothing, error) {
		return nil, s.flag(ctx, id, false, in.Reason, nil)
	}))
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/admin/users/{uid}", OperationID: "editUser", Tags: []string{"admin"},
		Summary: "Change or clear fields of any profile",
		Description: "An absent field stays as it is, and null is refused. An empty text clears a field; an empty " +
			"nickname becomes the username.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofUser(s.editUser))
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/users/{uid}/notes", OperationID: "listNotes", Tags: []string{"admin"},
		Summary: "List what moderators noted on a user, newest first",
	}, ofUser(func(ctx context.Context, in *userListInput, uid model.UserID) (*server.ListOutput[Note], error) {
		found, err := server.CursorPage(s.Server, "notes on "+string(uid), in.Paging,
			func(from model.Cursor) (model.Page[model.UserNote], error) {
				return s.Moderation.Notes(ctx, uid, from, in.PageSize)
			}, nil)
		if err != nil {
			return nil, err
		}
		return server.ListOf(found, func(n model.UserNote) (Note, bool) { return Note(n), true }), nil
	}))
	server.Register(s.Server, server.Moderators, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/users/{uid}/notes", OperationID: "createNote", Tags: []string{"admin"},
		DefaultStatus: http.StatusCreated,
		Summary:       "Note something on a user, for moderators", Description: "A note cannot be changed or removed.",
		Errors: []int{http.StatusNotFound},
	}, ofUser(func(ctx context.Context, in *struct {
		UserPath
		Body struct {
			Text string `json:"text" minLength:"1" maxLength:"2000"`
		}
	}, uid model.UserID) (*noteOutput, error) {
		if err := model.ValidateNote(in.Body.Text); err != nil {
			return nil, err
		}
		if err := s.above(ctx, uid); err != nil {
			return nil, err
		}
		n, err := s.Moderation.Note(ctx, actorOf(server.Caller(ctx), ""), uid, in.Body.Text)
		if err != nil {
			return nil, err
		}
		return &noteOutput{Note(*n)}, nil
	}))
}

// flag sets or removes the flag of a tweet. The author's account decides whether the caller may. Every moderator may
// flag a tweet whose author has no account anymore.
func (s *service) flag(ctx context.Context, id model.TweetID, flagged bool, reason string, seen []int) error {
	t, err := s.Tweets.Cached(ctx, id)
	if err != nil {
		return err
	}
	if err := s.above(ctx, t.AuthorID); err != nil && errs.KindOf(err) != errs.NotFound {
		return err
	}
	return s.Moderation.Flag(ctx, actorOf(server.Caller(ctx), reason), id, flagged, seen)
}

type editedUser struct {
	Reason         string          `json:"reason" minLength:"1" maxLength:"1000" doc:"Why, for the audit log"`
	Username       *string         `json:"username,omitempty" minLength:"3" maxLength:"20"`
	Nickname       *string         `json:"nickname,omitempty" maxLength:"50" doc:"The username if empty"`
	Introduction   *string         `json:"introduction,omitempty" maxLength:"65535"`
	Avatar         *string         `json:"avatar,omitempty" maxLength:"2048" doc:"Empty, or an https URL in ASCII without a user name"`
	Header         *string         `json:"header,omitempty" maxLength:"0" doc:"Empty, to take the wide picture off. Uploaded pictures that are taken off are deleted at once"`
	AIModel        *string         `json:"aiModel,omitempty" maxLength:"50"`
	AIPersonality  *string         `json:"aiPersonality,omitempty" maxLength:"65535"`
	BlockStrangers *bool           `json:"blockStrangers,omitempty"`
	Locked         *bool           `json:"locked,omitempty" doc:"True if the user decides who follows"`
	Bot            *bool           `json:"bot,omitempty" doc:"True if a program makes the posts"`
	Pronouns       *string         `json:"pronouns,omitempty" maxLength:"40"`
	Fields         *[]ProfileField `json:"fields,omitempty" maxItems:"0" nullable:"false" doc:"An empty list, to remove all fields"`
}

// UnmarshalJSON refuses null. The decoder would take null for an absent field.
func (e *editedUser) UnmarshalJSON(text []byte) error {
	if err := refuseNull(text); err != nil {
		return err
	}
	type plain editedUser
	return json.Unmarshal(text, (*plain)(e))
}

func (s *service) editUser(ctx context.Context, in *struct {
	UserPath
	Body editedUser
}, uid model.UserID) (*userOutput, error) {
	b := in.Body
	if err := model.ValidateReason(b.Reason, true); err != nil {
		return nil, err
	}
	if b.Username != nil {
		if err := s.onlyUser(*b.Username); err != nil {
			return nil, err
		}
	}
	p := model.UserPatch{
		Username: b.Username, Nickname: b.Nickname, Introduction: b.Introduction, Avatar: b.Avatar, AIModel: b.AIModel,
		AIPersonality: b.AIPersonality, BlockStrangers: b.BlockStrangers, Locked: b.Locked, Bot: b.Bot, Pronouns: b.Pronouns,
		Fields: profileFields(b.Fields),
	}
	if b.Header != nil {
		p.HeaderMedia = new(model.MediaID(""))
	}
	if p == (model.UserPatch{}) {
		return nil, errs.New(errs.Invalid, "empty_patch", "there is nothing to change")
	}
	if err := s.above(ctx, uid); err != nil {
		return nil, err
	}
	if err := s.Moderation.EditProfile(ctx, actorOf(server.Caller(ctx), b.Reason), uid, p); err != nil {
		return nil, err
	}
	u, err := s.Users.FullUser(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &userOutput{s.fullUserOf(u)}, nil
}
