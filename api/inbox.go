package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/fediverse/inbox"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// inboxes adds the addresses to which other servers send activities. Both take the same: what is sent to a user, and
// what is sent to all.
func (s *service) inboxes() {
	if s.Options.Federation.Inbox == nil {
		return
	}
	receive(s, "/inbox", "sendActivity", func(context.Context, *nothing) error { return nil })
	receive(s, "/users/{uid}/inbox", "sendActivityTo", func(ctx context.Context, in *FediverseUser) error {
		u, err := s.fediverseUser(ctx, in.UID)
		if err == nil && u.Remote != nil || err != nil && errs.KindOf(err) == errs.Invalid {
			err = errs.New(errs.NotFound, "user_not_found", "there is no such user")
		}
		return err
	})
}

// receive adds an inbox. find returns an error for one of nobody.
func receive[I any](s *service, path, id string, find func(context.Context, *I) error) {
	server.Register(s.Server, server.Anybody, huma.Operation{
		Method: http.MethodPost, Path: path, OperationID: id, Tags: []string{"fediverse"}, Summary: "An activity",
		Metadata: map[string]any{server.WithoutAppCheck: true, server.WithoutLimits: true, server.Activities: true},
		Hidden:   true, DefaultStatus: http.StatusAccepted,
	}, func(ctx context.Context, in *I) (*nothing, error) {
		// Addresses are limited before their signature costs something, and hosts after it: who cannot sign for a host
		// takes nothing of its share.
		if err := s.Stores.Federation.MayKnock(server.Address(ctx)); err != nil {
			return nil, err
		}
		if err := find(ctx, in); err != nil {
			return nil, err
		}
		return nil, s.receive(ctx)
	})
}

// receive takes the activity of a request. What concerns nobody here is accepted and dropped.
//
// Cost: that of signedBy, of [inbox.Inbox.Concerns] and of [inbox.Inbox.Receive]: for a known actor 1 to 4 reads, and 2
// writes for an activity that concerns somebody.
func (s *service) receive(ctx context.Context) error {
	body := server.SentBy(ctx).Body
	o, err := inbox.Read(body)
	if err != nil {
		return err
	}
	if err := s.Stores.Federation.RefuseSuspended(ctx, o.Actor); err != nil {
		return err
	}
	in := s.Options.Federation.Inbox
	concerned := func() (bool, error) { return in.Concerns(ctx, o) }
	if inbox.OfLeaver(o) {
		// Servers tell it to all others. Nobody asks for the key of an actor who was never met.
		if concerns, err := concerned(); err != nil || !concerns {
			return err
		}
		concerned = func() (bool, error) { return true, nil }
	}
	actor, signed, err := s.signedBy(ctx)
	switch {
	case err != nil && o.Type == "Delete" && errs.KindOf(err) == errs.Unauthenticated && errors.Is(err, errNoKey):
		return nil // the actor is gone, and its key
	case err != nil:
		return err
	case actor != o.Actor:
		return unsigned(errors.New("its key is of another actor than the activity"))
	}
	if err := s.Stores.Federation.MayReceive(model.HostOf(actor), len(body)); err != nil {
		return err
	}
	if concerns, err := concerned(); err != nil || !concerns {
		return err
	}
	return in.Receive(ctx, o, body, signed)
}
