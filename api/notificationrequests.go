package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// NotificationPolicy says what becomes of notifications of people whom the caller may not know.
type NotificationPolicy struct {
	NotFollowed     model.SenderAction `json:"notFollowed" enum:"accept,filter,drop" doc:"Of people whom the caller does not follow"`
	NotFollowers    model.SenderAction `json:"notFollowers" enum:"accept,filter,drop" doc:"Of people who do not follow the caller"`
	NewAccounts     model.SenderAction `json:"newAccounts" enum:"accept,filter,drop" doc:"Of accounts that were younger than 30 days at that time"`
	PrivateMentions model.SenderAction `json:"privateMentions" enum:"accept,filter,drop" doc:"Of mentions in tweets for mentioned users alone, by people whom the caller does not follow, that answer no tweet of the caller"`

	AcceptedSenders []model.UserID `json:"acceptedSenders" nullable:"false" doc:"Users who are let through whatever the policy says, the last accepted first; at most 200"`
}

// notificationPolicyPatch is a change of the caller's notification policy.
type notificationPolicyPatch struct {
	NotFollowed     *model.SenderAction `json:"notFollowed,omitempty" enum:"accept,filter,drop"`
	NotFollowers    *model.SenderAction `json:"notFollowers,omitempty" enum:"accept,filter,drop"`
	NewAccounts     *model.SenderAction `json:"newAccounts,omitempty" enum:"accept,filter,drop"`
	PrivateMentions *model.SenderAction `json:"privateMentions,omitempty" enum:"accept,filter,drop"`
}

// UnmarshalJSON refuses null. The decoder would take null for an absent field.
func (p *notificationPolicyPatch) UnmarshalJSON(text []byte) error {
	if err := refuseNull(text); err != nil {
		return err
	}
	type plain notificationPolicyPatch
	return json.Unmarshal(text, (*plain)(p))
}

type policyOutput struct{ Body NotificationPolicy }

func policyOf(s *model.NotificationChoice) *policyOutput {
	var p model.NotificationPolicy
	if s.Policy != nil {
		p = *s.Policy
	}
	action := func(a model.SenderAction) model.SenderAction {
		if a == "" {
			return model.SenderAccept
		}
		return a
	}
	return &policyOutput{NotificationPolicy{action(p.NotFollowed), action(p.NotFollowers), action(p.NewAccounts),
		action(p.PrivateMentions), s.AcceptedSenders()}}
}

// NotificationRequest is what the caller's policy filtered of a sender.
type NotificationRequest struct {
	User   UserSummary            `json:"user" doc:"The sender"`
	Events []FilteredNotification `json:"events" nullable:"false" doc:"The newest 15 at most, the newest first"`
	LastAt time.Time              `json:"lastAt" doc:"When the newest happened"`
}

// FilteredNotification is a notification event that the caller's policy filtered.
type FilteredNotification struct {
	Type    model.NotificationKind `json:"type" enum:"follow,followRequest,like,share,reply,quote,mention"`
	TweetID model.TweetID          `json:"tweetId,omitempty" doc:"The tweet that was liked or shared, the reply or quote, or the tweet that mentions"`
	At      time.Time              `json:"at"`
}

// notificationRequests adds the operations on the caller's notification policy, and on what it filtered.
func (s *service) notificationRequests() {
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/settings/notificationPolicy", OperationID: "getNotificationPolicy",
		Tags:    []string{"notifications"},
		Summary: "Show what becomes of notifications of people whom the caller may not know",
	}, func(ctx context.Context, _ *nothing) (*policyOutput, error) {
		is, err := s.Settings.NotificationEvents(ctx, server.Caller(ctx).UID)
		if err != nil {
			return nil, err
		}
		return policyOf(is), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/users/me/settings/notificationPolicy",
		OperationID: "changeNotificationPolicy", Tags: []string{"notifications"},
		Summary: "Change what becomes of notifications of people whom the caller may not know",
		Description: "accept notifies, filter collects the notification in the sender's request, and drop does neither. If " +
			"several apply, the strictest counts. The policy is for follows, requests to follow, likes, shares, replies, " +
			"quotes and mentions: changes of orders, ends of polls, edits, and posts that the caller subscribes to always " +
			"come. It acts from then on; requests and notifications that are there stay. A follow asks the policy again about " +
			"the request of the followed user.",
	}, func(ctx context.Context, in *struct{ Body notificationPolicyPatch }) (*policyOutput, error) {
		if in.Body == (notificationPolicyPatch{}) {
			return nil, errs.New(errs.Invalid, "empty_patch", "there is nothing to change")
		}
		is, err := s.Settings.ChangePolicy(ctx, server.Caller(ctx).UID, model.NotificationPolicyPatch(in.Body))
		if err != nil {
			return nil, err
		}
		return policyOf(is), nil
	})
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodGet, Path: "/v1/users/me/notificationRequests", OperationID: "listNotificationRequests",
		Tags:    []string{"notifications"},
		Summary: "List what the caller's notification policy filtered, by sender, the newest first",
		Description: "At most 100 senders, of each the newest 15 notifications, for 31 days. Senders whom the caller " +
			"blocks or mutes are left out. A page may have fewer items than pageSize.",
	}, s.listNotificationRequests)
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodPost, Path: "/v1/users/me/notificationRequests/{uid}/accept",
		OperationID: "acceptNotificationRequest", Tags: []string{"notifications"}, DefaultStatus: http.StatusNoContent,
		Summary: "Accept the notifications of a sender",
		Description: "The sender is let through from then on, and what was filtered comes to the notifications of its days " +
			"within seconds. It may be repeated. At most 200 accepted senders; one more is 409 `too_many_accepted_senders`.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Settings.AcceptRequest(ctx, server.Caller(ctx).UID, uid)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/me/notificationRequests/{uid}/accept",
		OperationID: "unacceptNotificationRequest", Tags: []string{"notifications"},
		Summary:     "Let the notification policy apply to an accepted sender again",
		Description: "Notifications that are there stay.",
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Settings.Refuse(ctx, server.Caller(ctx).UID, uid)
	}))
	server.Register(s.Server, server.SignedIn, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/users/me/notificationRequests/{uid}",
		OperationID: "dismissNotificationRequest", Tags: []string{"notifications"},
		Summary:     "Dismiss the request of a sender",
		Description: "Nobody is told. The next filtered notification of the sender makes another request.",
		Errors:      []int{http.StatusNotFound},
	}, ofUser(func(ctx context.Context, _ *UserPath, uid model.UserID) (*nothing, error) {
		return nil, s.Settings.DismissRequest(ctx, server.Caller(ctx).UID, uid)
	}))
}

// senderRequest is a request with its sender.
type senderRequest struct {
	sender model.UserID
	model.NotificationRequest
}

// listNotificationRequests answers a page of requests.
//
// Cost: 1 read, and 1 read for each sender whose profile is not cached; what hidingIn costs.
func (s *service) listNotificationRequests(ctx context.Context,
	in *peopleInput) (*server.ListOutput[NotificationRequest], error) {
	uid := server.Caller(ctx).UID
	found, err := server.CursorPage(s.Server, "notification requests of "+string(uid), in.Paging,
		func(from model.Cursor) (page model.Page[senderRequest], err error) {
			is, err := s.Settings.Requests(ctx, uid)
			if err != nil {
				return page, err
			}
			for _, sender := range is.Senders() {
				r := is.Of(sender)
				last := r.Last().At
				if from.ID != "" && (last.After(from.At) || last.Equal(from.At) && string(sender) <= from.ID) {
					continue
				}
				if n := len(page.Items); n == in.Most(model.MaxJoinedPage) {
					before := page.Items[n-1]
					page.Next = model.Cursor{At: before.Last().At, ID: string(before.sender)}
					break
				}
				page.Items = append(page.Items, senderRequest{sender, r})
			}
			return page, nil
		}, nil)
	if err != nil {
		return nil, err
	}
	uids := each(found.Items, func(r senderRequest) model.UserID { return r.sender })
	users, err := s.Users.Listed(ctx, uids)
	if err != nil {
		return nil, err
	}
	h, err := s.hidingIn(ctx, "", "", uids)
	if err != nil {
		return nil, err
	}
	return server.ListOf(found, func(r senderRequest) (NotificationRequest, bool) {
		if users[r.sender] == nil || h.user(r.sender) {
			return NotificationRequest{}, false
		}
		events := each(r.Events, func(e model.FilteredEvent) FilteredNotification {
			return FilteredNotification{e.Type, e.TweetID, e.At}
		})
		slices.Reverse(events)
		return NotificationRequest{in.summary(s, users[r.sender]), events, r.Last().At}, true
	}), nil
}
