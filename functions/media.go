package functions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/googleapis/google-cloudevents-go/cloud/storagedata"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/hibana-sns/hibana/model"
)

// Upload is a new file in the bucket of uploads.
type Upload struct {
	Name       string // of the file in its bucket
	Generation int64  // a later file of the name has a higher generation
	Size       int64  // in bytes
}

// mediaUploaded checks an uploaded file and makes the media of its record from it.
//
// An event may come again, and late: the file may be gone, and a file of a later upload may have its name.
func (h *handlers) mediaUploaded(ctx context.Context, e *Event) error {
	if h.uploaded != nil {
		return h.uploaded(ctx, e.Upload)
	}
	if !h.store.Media.On() {
		return nil // the lifecycle of the bucket removes the file
	}
	return h.store.Media.Uploaded(ctx, e.Upload.Name, e.Upload.Generation)
}

// mediaDeleted removes the files of a deleted record: of an upload that nothing used, of a deleted tweet or account, or
// of a picture that left a profile.
func (h *handlers) mediaDeleted(ctx context.Context, e *Event) error {
	if _, err := document[model.Media](e); err != nil {
		return err
	}
	return h.store.Media.Remove(ctx, model.MediaID(e.DocumentID))
}

// parseUpload reads an event of Cloud Storage for a function of the bucket of uploads.
func parseUpload(f *Function, bucket string, e *cloudevents.Event) (*Event, error) {
	const service = "//storage.googleapis.com/projects/_/buckets/"
	bucket = strings.TrimPrefix(bucket, "gs://")
	name, ok := strings.CutPrefix(e.Subject(), "objects/")
	switch {
	case !slices.Contains(f.On, EventType(e.Type())):
		return nil, fmt.Errorf("%w: %s is not on %q", errMisrouted, f.Name, e.Type())
	case bucket == "" || e.Source() != service+bucket:
		return nil, fmt.Errorf("%w: source %q is not the bucket %q", errMisrouted, e.Source(), bucket)
	case !ok || name == "":
		return nil, fmt.Errorf("%w: subject %q is no object", errMisrouted, e.Subject())
	}
	if got, there := e.Extensions()["bucket"]; there && got != bucket {
		return nil, fmt.Errorf("%w: attribute bucket is %q, want %q", errMisrouted, got, bucket)
	}
	var data storagedata.StorageObjectData
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(e.Data(), &data); err != nil {
		return nil, fmt.Errorf("%w: %w", errPoison, err)
	}
	if data.Bucket != bucket || data.Name != name {
		return nil, fmt.Errorf("%w: it is of %q in %q, and its data of %q in %q", errMisrouted, name, bucket, data.Name,
			data.Bucket)
	}
	if data.Generation <= 0 || data.Size < 0 {
		return nil, fmt.Errorf("%w: generation %d with %d bytes", errPoison, data.Generation, data.Size)
	}
	return &Event{ID: e.ID(), Type: Finalized, Upload: Upload{name, data.Generation, data.Size}, function: f.Name,
		at: e.Time()}, nil
}
