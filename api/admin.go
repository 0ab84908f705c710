package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Event is an entry of the event log: one notification event of a user.
type Event struct {
	ID        string       `json:"id"`
	Type      EventKind    `json:"type"`
	UserID    model.UserID `json:"userId" doc:"The notified user"`
	Payload   EventPayload `json:"payload"`
	At        time.Time    `json:"at"`
	Pending   bool         `json:"pending" doc:"True until the event is on a notification"`
	Dropped   bool         `json:"dropped,omitempty" doc:"True if one of the two users had blocked the other when the event came, the user had switched this kind off, or it was taken back by then, so that it never was on a notification; absent otherwise"`
	Withdrawn bool         `json:"withdrawn,omitempty" doc:"True if the event was taken off its notification, since it was taken back, or the user blocked who did it; absent otherwise"`
	ExpireAt  time.Time    `json:"expireAt"`
}

// EventPayload names the acting user and the tweets of an event.
type EventPayload struct {
	UserID  model.UserID  `json:"userId" doc:"The user who followed, liked, shared, quoted, replied or mentioned"`
	TweetID model.TweetID `json:"tweetId,omitempty" doc:"The tweet that was liked or shared, the reply, the quote, or the tweet that mentions"`
	ReplyTo model.TweetID `json:"replyTo,omitempty" doc:"The tweet that the reply answers"`
	QuoteOf model.TweetID `json:"quoteOf,omitempty" doc:"The tweet that was quoted"`
	RootID  model.TweetID `json:"rootId,omitempty" doc:"Root tweet of the reply, or of the tweet that mentions"`

	OrderID     model.OrderID     `json:"orderId,omitempty" doc:"The order that changed its state"`
	OrderStatus model.OrderStatus `json:"orderStatus,omitempty" doc:"The state that the order has since"`
}

// EventKind is a kind of event, one of [model.NotificationKinds].
type EventKind model.NotificationKind

// Schema names all kinds in the OpenAPI document.
func (EventKind) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, kind := range model.NotificationKinds {
		s.Enum = append(s.Enum, string(kind))
	}
	return s
}

type eventOutput struct{ Body Event }

// admin adds the operation that reads events, for administrators.
func (s *service) admin() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/events/{eventId}", OperationID: "getEvent", Tags: []string{"admin"},
		Summary: "Read a notification event", Description: "The database keeps an event for 31 days.",
		Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct {
		EventID string `path:"eventId" doc:"Event id: 29 lower-case hexadecimal digits"`
	}) (*eventOutput, error) {
		e, err := s.NotificationEvents.NotificationEvent(ctx, in.EventID)
		if err != nil {
			return nil, err
		}
		return &eventOutput{Event{
			ID: e.ID, Type: EventKind(e.Type), UserID: e.UserID, Payload: EventPayload(e.Payload), At: e.At, Pending: e.Pending,
			Dropped: e.Dropped, Withdrawn: e.Withdrawn, ExpireAt: e.ExpireAt,
		}}, nil
	})
}
