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

// bury stores an event that the function can never handle as a dead letter, with the cause.
func (f *Function) bury(ctx context.Context, s *store.Store, event *cloudevents.Event, cause error) error {
	return s.DeadLetters.Bury(ctx, model.DeadLetter{
		EventID: event.ID(), Function: f.Name, Type: event.Type(), Subject: event.Subject(), Source: event.Source(),
		Time: event.Time(), Data: event.Data(), Cause: cause.Error(),
	})
}

// Address is the address at which functions are served.
type Address struct {
	URL   string
	Token string // ID token for a service that requires one; empty for none
}

// Replay delivers a dead letter once more to its function, which is served below url. Replay removes the dead letter
// after the function has handled the event.
//
// Unless force is set, Replay refuses an event that is older than model.DedupeWindow with errs.Gone and the code
// "effect_forgotten". An earlier delivery may have had its effect, for example when two versions of the function ran
// side by side. The idempotency record is written after the event and kept for the window. Inside the window a second
// effect is therefore impossible. After the window nothing proves whether the effect happened. The age is the age of
// the event, not of the dead letter: an event that fails again in a replay gets a new DiedAt, and its idempotency
// record does not change.
//
// The error is errs.Conflict if the event fails again because of its content, errs.NotFound if there is no such dead
// letter, errs.Gone if the event's data was not kept, and errs.Unavailable if the function does not accept the event.
// After each of these errors the dead letter stays and can be replayed again.
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
	// The function also answers 2xx for an event that it buried again. In that case the dead letter has changed since it
	// was read, and Remove fails.
	return s.DeadLetters.Remove(ctx, dead)
}

// rough formats an age in hours, or in days from two days on.
func rough(age time.Duration) string {
	if age < 48*time.Hour {
		return fmt.Sprintf("%d hours", age/time.Hour)
	}
	return fmt.Sprintf("%d days", age/(24*time.Hour))
}

// deliver sends a dead letter to a function in the form in which Eventarc sends an event. It returns an error for an
// answer other than 2xx.
func (at Address) deliver(ctx context.Context, dead *model.DeadLetter) error {
	event := cloudevents.NewEvent()
	event.SetID(dead.EventID)
	event.SetType(dead.Type)
	event.SetSubject(dead.Subject)
	event.SetSource(dead.Source)
	event.SetTime(dead.Time)
	contentType := "application/protobuf"
	if EventType(dead.Type) == Finalized {
		contentType = "application/json"
	}
	if err := event.SetData(contentType, dead.Data); err != nil {
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
