package eventarc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Register makes the emulator send the changes of every document pattern in the table.
// The emulator must have been started with --functions_emulator naming this Runner, or
// naming a [Relay] with a route to it.
//
// A second Register, with the same table or another, replaces the registrations.
// Registrations that a longer table left behind stay in the emulator, and their events
// are dropped.
func (r *Runner) Register(ctx context.Context) error {
	if err := r.register(ctx, probeID, probePattern); err != nil {
		return err
	}
	for i, p := range r.patterns {
		if err := r.register(ctx, strconv.Itoa(i), p.document); err != nil {
			return err
		}
	}
	r.probes.on.Store(true)
	return nil
}

// nothing is a pattern of documents that no program writes.
const nothing = "eventarcNone/{id}"

// Unregister ends what Register began: the emulator sends no more events. The emulator
// cannot forget a registration, so Unregister replaces each by a registration that
// matches nothing. Without Unregister, deleting the documents of a project makes an event
// of each document, and the events of other projects wait behind them.
func (r *Runner) Unregister(ctx context.Context) error {
	r.probes.on.Store(false)
	for i := range r.patterns {
		if err := r.register(ctx, strconv.Itoa(i), nothing); err != nil {
			return err
		}
	}
	return r.register(ctx, probeID, nothing)
}

// register replaces the emulator's registration with an id.
func (r *Runner) register(ctx context.Context, id, document string) error {
	err := r.admin(ctx, http.MethodPost,
		"/emulator/v1/projects/"+r.opts.Project+"/eventarcTrigger?eventarcTriggerId="+id,
		map[string]any{
			"eventType": "google.cloud.firestore.document.v1.written",
			"database":  database,
			"namespace": "(default)",
			"document":  map[string]string{"value": document, "matchType": "PATH_PATTERN"},
		})
	if err != nil {
		return fmt.Errorf("eventarc: register %q: %w", document, err)
	}
	return nil
}

// admin sends a request to the emulator as its administrator. Security rules do not bind
// the administrator.
func (r *Runner) admin(ctx context.Context, method, path string, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+r.opts.FirestoreHost+path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer owner")
	resp, err := r.opts.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("emulator answered %s: %s", resp.Status, answer)
	}
	return err
}
