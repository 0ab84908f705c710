package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/model"
)

// Webhook is an address to which the installation tells events.
type Webhook struct {
	ID          model.WebhookID      `json:"id"`
	URL         string               `json:"url" example:"https://example.com/hooks"`
	Description string               `json:"description"`
	Events      []model.WebhookEvent `json:"events" nullable:"false" enum:"user.created,sign_up.waiting,report.created,appeal.created,account.changed"`
	Enabled     bool                 `json:"enabled"`
	By          model.UserID         `json:"by" doc:"The administrator who added it"`
	At          time.Time            `json:"at" doc:"When it was added"`

	TriedAt      *time.Time `json:"triedAt" doc:"The time of the last attempt; null for none"`
	Status       int        `json:"status" doc:"The HTTP status of the last answer; 0 without one"`
	Failure      string     `json:"failure" doc:"Why the last attempt failed; empty if it did not"`
	FailingSince *time.Time `json:"failingSince" doc:"The first failure after the last success; null if the last attempt succeeded"`
	GaveUpAt     *time.Time `json:"gaveUpAt" doc:"When it was switched off because it failed for 3 days; null if it was not"`
	Secret       string     `json:"secret,omitempty" doc:"The key of the signatures, in the answer to the request that made it"`
}

func webhookOf(is *model.Webhook) Webhook {
	at := func(t time.Time) *time.Time {
		if t.IsZero() {
			return nil
		}
		return &t
	}
	return Webhook{ID: is.ID, URL: is.URL, Description: is.Description, Events: is.Events, Enabled: is.Enabled, By: is.By,
		At: is.At, TriedAt: at(is.TriedAt), Status: is.Status, Failure: is.Failure, FailingSince: at(is.FailingSince),
		GaveUpAt: at(is.GaveUpAt)}
}

// Webhooks are all of them.
type Webhooks struct {
	Items []Webhook `json:"items" nullable:"false" doc:"Oldest first; at most 10"`
}

// webhookEvents is how a request names events.
type webhookEvents []model.WebhookEvent

type newWebhook struct {
	URL         string        `json:"url" minLength:"1" maxLength:"500" format:"uri" doc:"An https address of the public internet" example:"https://example.com/hooks"`
	Description string        `json:"description,omitempty" maxLength:"100"`
	Events      webhookEvents `json:"events" minItems:"1" maxItems:"20" nullable:"false" enum:"user.created,sign_up.waiting,report.created,appeal.created,account.changed"`
}

type webhookPatch struct {
	URL         *string        `json:"url,omitempty" minLength:"1" maxLength:"500" format:"uri"`
	Description *string        `json:"description,omitempty" maxLength:"100"`
	Events      *webhookEvents `json:"events,omitempty" minItems:"1" maxItems:"20" nullable:"false" enum:"user.created,sign_up.waiting,report.created,appeal.created,account.changed"`
	Enabled     *bool          `json:"enabled,omitempty" doc:"A webhook that is switched off is told nothing; what waits for it waits for 7 days"`
}

// WebhookPath is the part of a request that names a webhook.
type WebhookPath struct {
	ID model.WebhookID `path:"id" minLength:"1" maxLength:"40"`
}

type webhookOutput struct{ Body Webhook }

// webhooks adds the operations on webhooks.
func (s *service) webhooks() {
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodGet, Path: "/v1/admin/webhooks", OperationID: "listWebhooks", Tags: []string{"admin"},
		Summary: "List the webhooks, without their secrets",
	}, func(ctx context.Context, _ *nothing) (*struct{ Body Webhooks }, error) {
		all, err := s.Moderation.Webhooks(ctx)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body Webhooks }{Webhooks{Items: []Webhook{}}}
		for _, is := range all {
			out.Body.Items = append(out.Body.Items, webhookOf(is))
		}
		return out, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/webhooks", OperationID: "addWebhook", Tags: []string{"admin"},
		DefaultStatus: http.StatusCreated, Summary: "Add a webhook",
		Description: "The answer has the secret, and no other answer will. Requests to the address have the form of the " +
			"Standard Webhooks: docs/operate/webhooks.md says how to verify their signatures. At most 10: " +
			"409 too_many_webhooks. The audit log has the act.",
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, in *struct{ Body newWebhook }) (*webhookOutput, error) {
		is, err := s.Moderation.AddWebhook(ctx, actorOf(server.Caller(ctx), ""), model.WebhookPatch{URL: &in.Body.URL,
			Description: &in.Body.Description, Events: (*[]model.WebhookEvent)(&in.Body.Events)})
		return withSecret(is, err)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPatch, Path: "/v1/admin/webhooks/{id}", OperationID: "changeWebhook", Tags: []string{"admin"},
		Summary:     "Change a webhook, or switch it on or off",
		Description: "The audit log has the act.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *struct {
		WebhookPath
		Body webhookPatch
	}) (*webhookOutput, error) {
		is, err := s.Moderation.ChangeWebhook(ctx, actorOf(server.Caller(ctx), ""), in.ID, model.WebhookPatch{
			URL: in.Body.URL, Description: in.Body.Description, Events: (*[]model.WebhookEvent)(in.Body.Events),
			Enabled: in.Body.Enabled})
		if err != nil {
			return nil, err
		}
		return &webhookOutput{webhookOf(is)}, nil
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodDelete, Path: "/v1/admin/webhooks/{id}", OperationID: "removeWebhook", Tags: []string{"admin"},
		DefaultStatus: http.StatusNoContent, Summary: "Remove a webhook",
		Description: "What waits for it is not sent. The audit log has the act.",
	}, func(ctx context.Context, in *WebhookPath) (*nothing, error) {
		return nil, s.Moderation.RemoveWebhook(ctx, actorOf(server.Caller(ctx), ""), in.ID)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/webhooks/{id}/secret", OperationID: "renewWebhookSecret",
		Tags: []string{"admin"}, Summary: "Give a webhook another secret",
		Description: "The secret before signs as well for 24 hours. The answer has the new one. The audit log has the act.",
		Errors:      []int{http.StatusNotFound},
	}, func(ctx context.Context, in *WebhookPath) (*webhookOutput, error) {
		is, err := s.Moderation.RenewWebhookSecret(ctx, actorOf(server.Caller(ctx), ""), in.ID)
		return withSecret(is, err)
	})
	server.Register(s.Server, server.Admins, huma.Operation{
		Method: http.MethodPost, Path: "/v1/admin/webhooks/{id}/ping", OperationID: "pingWebhook", Tags: []string{"admin"},
		DefaultStatus: http.StatusNoContent, Summary: "Send an event without data to a webhook",
		Description: "It arrives within two minutes; triedAt, status and failure of the webhook say what became of it. " +
			"409 webhook_off if the webhook is switched off. The audit log has the act.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *WebhookPath) (*nothing, error) {
		return nil, s.Moderation.PingWebhook(ctx, actorOf(server.Caller(ctx), ""), in.ID)
	})
}

// withSecret is the answer to a request that made a secret.
func withSecret(is *model.Webhook, err error) (*webhookOutput, error) {
	if err != nil {
		return nil, err
	}
	out := webhookOf(is)
	out.Secret = is.Secret
	return &webhookOutput{out}, nil
}
