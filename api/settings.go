package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// NotificationSettings select the notifications that the caller gets.
type NotificationSettings struct {
	Follow        bool `json:"follow" doc:"Whether the caller gets notifications of follows"`
	FollowRequest bool `json:"followRequest" doc:"Whether the caller gets notifications of requests to follow"`
	Like          bool `json:"like" doc:"Whether the caller gets notifications of likes"`
	Share         bool `json:"share" doc:"Whether the caller gets notifications of shares"`
	Reply         bool `json:"reply" doc:"Whether the caller gets notifications of replies"`
	Quote         bool `json:"quote" doc:"Whether the caller gets notifications of quotes"`
	Mention       bool `json:"mention" doc:"Whether the caller gets notifications of mentions; a reply to the caller that mentions the caller counts as a reply, or as a mention if reply is false"`
	Edit          bool `json:"edit" doc:"Whether the caller gets notifications of edits of tweets that the caller shares"`

	Order bool `json:"order" doc:"Whether the caller gets notifications of changes of the caller's orders"`
	Poll  bool `json:"poll" doc:"Whether the caller gets notifications that polls of the caller, or with a vote of the caller, have ended"`
	Post  bool `json:"post" doc:"Whether the caller gets notifications of the posts of people to whom the caller subscribes"`

	MutedConversations []model.TweetID `json:"mutedConversations" nullable:"false" doc:"Root tweets of the conversations that the caller has muted, the last muted first; at most 500"`
}

// settingsPatch is a change of the caller's settings.
type settingsPatch struct {
	Follow        *bool `json:"follow,omitempty"`
	FollowRequest *bool `json:"followRequest,omitempty"`
	Like          *bool `json:"like,omitempty"`
	Share         *bool `json:"share,omitempty"`
	Reply         *bool `json:"reply,omitempty"`
	Quote         *bool `json:"quote,omitempty"`
	Mention       *bool `json:"mention,omitempty"`
	Edit          *bool `json:"edit,omitempty"`
	Order         *bool `json:"order,omitempty"`
	Poll          *bool `json:"poll,omitempty"`
	Post          *bool `json:"post,omitempty"`
}

// UnmarshalJSON refuses null. The decoder would take null for an absent field.
func (p *settingsPatch) UnmarshalJSON(text []byte) error {
	if err := refuseNull(text); err != nil {
		return err
	}
	type plain settingsPatch
	return json.Unmarshal(text, (*plain)(p))
}

type settingsOutput struct{ Body NotificationSettings }

func settingsOf(s *model.NotificationChoice) *settingsOutput {
	on := func(kind model.NotificationKind) bool { return !slices.Contains(s.Off, kind) }
	return &settingsOutput{NotificationSettings{
		on(model.NotificationFollow), on(model.NotificationFollowRequest), on(model.NotificationLike),
		on(model.NotificationShare), on(model.NotificationReply), on(model.NotificationQuote), on(model.NotificationMention),
		on(model.NotificationEdit), on(model.NotificationOrder), on(model.NotificationPoll), on(model.NotificationPost),
		s.MutedRoots(),
	}}
}

// settings adds the operations on the caller's notification settings.
func (s *service) settings() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/settings/notifications", OperationID: "getNotificationSettings",
		Tags:    []string{"notifications"},
		Summary: "Show of what the caller gets notifications",
	}, func(ctx context.Context, _ *nothing) (*settingsOutput, error) {
		is, err := s.Settings.NotificationEvents(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		return settingsOf(is), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/users/me/settings/notifications", OperationID: "changeNotificationSettings",
		Tags:    []string{"notifications"},
		Summary: "Change of what the caller gets notifications",
		Description: "Of a kind that is switched off the caller gets no notifications from then on. What is delivered " +
			"meanwhile makes no notification later; what is late, or repaired, follows the settings at that time. " +
			"Notifications that are there stay.",
	}, func(ctx context.Context, in *struct{ Body settingsPatch }) (*settingsOutput, error) {
		on := map[model.NotificationKind]bool{}
		for kind, to := range map[model.NotificationKind]*bool{
			model.NotificationFollow: in.Body.Follow, model.NotificationFollowRequest: in.Body.FollowRequest,
			model.NotificationLike: in.Body.Like, model.NotificationShare: in.Body.Share, model.NotificationReply: in.Body.Reply,
			model.NotificationQuote: in.Body.Quote, model.NotificationMention: in.Body.Mention,
			model.NotificationEdit: in.Body.Edit, model.NotificationOrder: in.Body.Order, model.NotificationPoll: in.Body.Poll,
			model.NotificationPost: in.Body.Post,
		} {
			if to != nil {
				on[kind] = *to
			}
		}
		if len(on) == 0 {
			return nil, errs.New(errs.Invalid, "empty_patch", "there is nothing to change")
		}
		is, err := s.Settings.Switch(ctx, server.Caller(ctx).UID, on)
		if err != nil {
			return nil, err
		}
		return settingsOf(is), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPut, Path: "/v1/tweets/{id}/mute", OperationID: "mute", Tags: []string{"notifications"},
		Summary: "Mute a conversation",
		Description: "The caller gets no notifications of replies and mentions in the tweets that have the same root as " +
			"this tweet. Notifications of likes still come. " +
			"At most 500 conversations; one more is 409 `too_many_mutes`.",
		Errors: []int{http.StatusNotFound, http.StatusGone, http.StatusConflict},
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
		return nil, s.Settings.Mute(ctx, viewer(ctx), id)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/tweets/{id}/mute", OperationID: "unmute", Tags: []string{"notifications"},
		Summary:     "Take the mute of a conversation back",
		Description: "The root of a muted conversation can be named also when it is gone, or hidden from the caller.",
	}, ofTweet(func(ctx context.Context, _ *TweetPath, id model.TweetID) (*nothing, error) {
		return nil, s.Settings.Unmute(ctx, viewer(ctx), id)
	}))
}
