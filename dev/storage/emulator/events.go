package emulator

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const dataSchema = "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/storage/v1/" +
	"data.proto"

// event is a CloudEvent as Eventarc sends it for a trigger on a bucket.
type event struct {
	bucket string
	header http.Header
	body   []byte // google.events.cloud.storage.v1.StorageObjectData as JSON
}

// finalized sends the event of a new object. Its resource is that of the JSON API, which is also the data of the event.
// finalized returns when the target has taken the event, so that the event is under way before the client knows that
// the object is there.
func (e *Emulator) finalized(resource []byte) {
	var o map[string]any
	if err := json.Unmarshal(resource, &o); err != nil || o["kind"] != "storage#object" {
		e.log.Error("no object in the answer to an upload", "answer", string(resource))
		return
	}
	for _, name := range []string{"acl", "owner"} {
		delete(o, name) // not in events
	}
	name, _ := o["bucket"].(string)
	b := e.bucket(name)
	if b == nil {
		return
	}
	body, err := json.Marshal(o)
	if err != nil {
		panic(err) // it was JSON
	}
	ev := &event{bucket: name, body: body, header: http.Header{}}
	for name, value := range map[string]string{
		"Content-Type":   "application/json; charset=utf-8",
		"ce-specversion": "1.0",
		"ce-id":          rand.Text(),
		"ce-type":        "google.cloud.storage.object.v1.finalized",
		"ce-source":      "//storage.googleapis.com/projects/_/buckets/" + name,
		"ce-subject":     fmt.Sprintf("objects/%s", o["name"]),
		"ce-time":        e.now().UTC().Format(time.RFC3339Nano),
		"ce-bucket":      name,
		"ce-dataschema":  dataSchema,
	} {
		ev.header.Set(name, value)
	}
	b.sending.Lock()
	defer b.sending.Unlock()
	if b.target == "" && len(b.waiting) == 0 { // no trigger was ever made
		return
	}
	b.waiting = append(b.waiting, ev)
	e.send(b)
}

// send sends what waits. What the target does not take waits until the next event or the next registration, as in the
// subscription of a trigger. The caller holds b.sending.
func (e *Emulator) send(b *bucket) {
	for len(b.waiting) > 0 && b.target != "" {
		if err := post(b.target, b.waiting[0]); err != nil {
			e.log.Warn("event not taken", "target", b.target, "waiting", len(b.waiting), "error", err)
			return
		}
		b.waiting = b.waiting[1:]
	}
}

func post(target string, ev *event) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target+"/functions/buckets/"+ev.bucket,
		bytes.NewReader(ev.body))
	if err != nil {
		return err
	}
	req.Header = ev.header.Clone()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New("it answered " + resp.Status)
	}
	return nil
}

// watch serves [storage.Watch] and [storage.Unwatch].
func (e *Emulator) watch(w http.ResponseWriter, r *http.Request, name string) {
	target, err := io.ReadAll(io.LimitReader(r.Body, 1<<10))
	if err != nil || r.Method == http.MethodPut && !bytes.HasPrefix(target, []byte("http")) {
		http.Error(w, "the body must be a URL", http.StatusBadRequest)
		return
	}
	var b *bucket
	e.change(name, func(found *bucket) { b = found })
	b.sending.Lock()
	defer b.sending.Unlock()
	switch b.target = strings.TrimSuffix(string(target), "/"); r.Method {
	case http.MethodPut:
		e.send(b)
	case http.MethodDelete:
		b.target, b.waiting = "", nil
	}
}
