package eventarc

import (
	"encoding/base64"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"
)

// ServeHTTP takes an event from the emulator or from a [Relay], queues the event and
// answers at once. The emulator sends its next event only after the answer.
// ServeHTTP also serves [AwaitIdle].
func (r *Runner) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mux.ServeHTTP(w, req)
}

// receive serves ServeHTTP for one event.
func (r *Runner) receive(w http.ResponseWriter, req *http.Request) {
	id := req.PathValue("trigger")
	n, err := strconv.Atoi(id)
	known := id == probeID || err == nil && n >= 0 && n < len(r.patterns)
	if req.PathValue("project") != r.opts.Project || !known {
		r.opts.Log.DebugContext(req.Context(), "event without a registered trigger", "path", req.URL.Path)
		http.NotFound(w, req)
		return
	}
	change, body, err := decode(req.Body)
	switch {
	case err != nil:
		r.opts.Log.ErrorContext(req.Context(), "unreadable event from the emulator", "error", err)
		http.Error(w, "unreadable event", http.StatusBadRequest)
	case change.Value == nil && change.OldValue == nil:
		// A document was deleted that was not there: no change.
	case id == probeID:
		r.probes.seen(change.GetValue().GetFields()["n"].GetIntegerValue())
	case !r.take(r.patterns[n], req.Header.Get("ce-time"), change, body):
		http.Error(w, "stopped", http.StatusServiceUnavailable)
	}
}

// receiveFile takes the event of a file from the emulator of Cloud Storage.
func (r *Runner) receiveFile(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	name, ok := strings.CutPrefix(req.Header.Get("ce-subject"), "objects/")
	if err != nil || !ok {
		r.opts.Log.ErrorContext(req.Context(), "unreadable event from the emulator", "error", err)
		http.Error(w, "unreadable event", http.StatusBadRequest)
		return
	}
	header := http.Header{}
	for key, values := range req.Header {
		if key == "Content-Type" || strings.HasPrefix(key, "Ce-") {
			header[key] = values
		}
	}
	var events []*event
	for _, t := range r.buckets {
		if t.Bucket == req.PathValue("bucket") && t.EventType == header.Get("ce-type") {
			events = append(events, &event{trigger: t, id: header.Get("ce-id"), time: header.Get("ce-time"), document: name,
				body: body, header: header, arrived: time.Now()})
		}
	}
	if !r.queueAll(events) {
		http.Error(w, "stopped", http.StatusServiceUnavailable)
	}
}

// decode reads an event's data, which the emulator sends as base64 text.
func decode(r io.Reader) (change *firestoredata.DocumentEventData, body []byte, err error) {
	body, err = io.ReadAll(base64.NewDecoder(base64.StdEncoding, r))
	if err != nil {
		return nil, nil, err
	}
	change = new(firestoredata.DocumentEventData)
	if err := proto.Unmarshal(body, change); err != nil {
		return nil, nil, err
	}
	return change, body, nil
}

// take queues a change for each trigger of the pattern that handles it, as often as the faults require. body is the
// change's marshaled form. take returns false when the runner has stopped.
func (r *Runner) take(p *pattern, at string, change *firestoredata.DocumentEventData, body []byte) bool {
	kind := kindOf(change)
	if kind == "" {
		return true
	}
	var events []*event
	for _, t := range p.triggers {
		if t.sees(kind) {
			events = append(events, newEvent(t, at, change, body))
		}
	}
	return r.queueAll(events)
}

// queueAll queues events as often as the faults require. It returns false when the runner has stopped.
func (r *Runner) queueAll(events []*event) bool {
	var deliveries []*delivery
	for _, e := range events {
		copies, t := r.plans.plan(e), e.trigger
		// The event is counted before it is queued, so that a caller who sees the effect
		// sees the count too.
		if len(copies) == 0 {
			r.counters.add(t.Name, Counts{Received: 1, Lost: 1})
			continue
		}
		r.counters.add(t.Name, Counts{Received: 1, Duplicated: len(copies) - 1})
		deliveries = append(deliveries, copies...)
	}
	return r.queue.add(deliveries...)
}
