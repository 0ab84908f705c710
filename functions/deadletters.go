package functions

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// bury keeps an event that the function can never handle as a dead letter, with the
// cause.
func (f *Function) bury(ctx context.Context, s *store.Store, event *cloudevents.Event, cause error) error {
	return s.DeadLetters.Bury(ctx, model.DeadLetter{
		EventID: event.ID(), Function: f.Name, Type: event.Type(), Subject: event.Subject(), Source: event.Source(),
		Time: event.Time(), Data: event.Data(), Cause: cause.Error(),
	})
}

// Address is where functions are served.
type Address struct {
	URL   string
	Token string // ID token for a service that not everybody may call; empty for none
}

// Replay delivers a dead letter once more to its function, which is served below url.
// When the function has handled the event, Replay removes the dead letter.
//
// Unless force is set, Replay refuses an event that is older than model.DedupeWindow with
// errs.Gone and the code "effect_forgotten". An earlier delivery may have had its effect,
// as when two versions of the function ran side by side. The record of the effect is made
// after the event and kept for the window. So inside the window a second effect is
// impossible, and later nobody can tell. The age is that of the event, not of the letter:
// a letter that dies again in a replay has a new DiedAt, and the record does not.
//
// If the event fails again for its content, the error is errs.Conflict. If there is no
// such dead letter, the error is errs.NotFound; if the event's data was not kept,
// errs.Gone; if the function does not take the event, errs.Unavailable. After each of
// these errors the dead letter stays, and may be replayed again.
func Replay(ctx context.Context, s *store.Store, at Address, id string, force bool) (err error) {
	defer errs.Wrap(&err, "functions.Replay(%q)", id)
	dead, err := s.DeadLetters.Get(ctx, id)
	if err != nil {
		return err
	}
	if dead.Truncated {
		return errs.New(errs.Gone, "data_not_kept", "this event had more than %d bytes, which were not kept",
			model.MaxDeadLetterData)
	}
	if age := time.Since(dead.Time); age > model.DedupeWindow && !force {
		return errs.New(errs.Gone, "effect_forgotten",
			"this event is %s old: the record of its effect is kept for %s, so the effect could happen twice; force the "+
				"replay if that does no harm, and verify afterwards",
			rough(age), rough(model.DedupeWindow))
	}
	if err := at.deliver(ctx, dead); err != nil {
		return &errs.Error{Kind: errs.Unavailable, Err: err}
	}
	// The function answers 2xx also for an event that it buried again. But then the dead
	// letter is not the one that was read, and Remove fails.
	return s.DeadLetters.Remove(ctx, dead)
}

// rough is an age in hours, or in days from two days on.
func rough(age time.Duration) string {
	if age < 48*time.Hour {
		return fmt.Sprintf("%d hours", age/time.Hour)
	}
	return fmt.Sprintf("%d days", age/(24*time.Hour))
}

// deliver sends a dead letter to a function, in the form in which Eventarc sends an
// event. An answer that is not 2xx is an error.
func (at Address) deliver(ctx context.Context, dead *model.DeadLetter) error {
	event := cloudevents.NewEvent()
	event.SetID(dead.EventID)
	event.SetType(dead.Type)
	event.SetSubject(dead.Subject)
	event.SetSource(dead.Source)
	event.SetTime(dead.Time)
	if err := event.SetData("application/protobuf", dead.Data); err != nil {
		return err
	}
	req, err := cehttp.NewHTTPRequestFromEvent(ctx, at.URL+"/"+dead.Function, event)
	if err != nil {
		return err
	}
	if at.Token != "" {
		req.Header.Set("Authorization", "Bearer "+at.Token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("%s answered %s", dead.Function, resp.Status)
	}
	return nil
}
