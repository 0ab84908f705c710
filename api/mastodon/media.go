package mastodon

import (
	"net/http"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// nativeUpload is an upload of the caller.
type nativeUpload struct {
	nativeMedia
	State   string       `json:"state"`
	Failure string       `json:"failure"`
	Upload  nativeTarget `json:"upload"`
}

// nativeTarget is where the file of an upload goes.
type nativeTarget struct {
	URL     string            `json:"url"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
}

// States of an upload.
const (
	uploading = "uploading"
	failed    = "failed"
)

const (
	// maxUpload is the largest body with a file, in bytes: a video, and what a form has beside it.
	maxUpload = model.MaxVideoBytes + maxOverhead
	// maxOverhead is what a form has beside a file, in bytes.
	maxOverhead = 64 << 10
	// looks is how often a method looks whether a file is ready, at first after firstLook, and each time after a wait half
	// as long again: 5 s in all.
	looks     = 7
	firstLook = 150 * time.Millisecond
)

func mediaMethods() []Method {
	const write, files = "write write:media", "focus and thumbnail are ignored. A file has 55 seconds to arrive"
	return []Method{
		post("/api/v2/media", write, func(c *call) (any, error) { return c.receive(false) }).stream(maxUpload).note(files +
			". It " +
			"waits up to 5 seconds for a picture"),
		post("/api/v1/media", write, func(c *call) (any, error) { return c.receive(true) }).stream(maxUpload).
			note(files + "; one that is not ready after 5 seconds is answered by 202, as in v2"),
		get("/api/v1/media/:id", write, getMedia).
			note("also media that a post has taken"),
		put("/api/v1/media/:id", write, putMedia).
			note("focus and thumbnail are ignored. Media of a post are described by an edit of the post"),
		remove("/api/v1/media/:id", write, deleteMedia),
	}
}

// upload reads an upload of the caller.
//
// Cost: 1 read.
func (c *call) upload(id string) (*nativeUpload, error) {
	if _, err := model.ParseMediaID(id); err != nil {
		return nil, model.NoMedia(model.MediaID(id))
	}
	var u nativeUpload
	if err := c.get(native("media", id), nil, &u); err != nil {
		return nil, err
	}
	return &u, nil
}

// uploaded answers with an upload: by pending while the file is looked at. One that failed is an error.
func (c *call) uploaded(u *nativeUpload, pending int) (any, error) {
	switch u.State {
	case failed:
		return nil, errs.New(errs.Invalid, u.Failure, "the file is not taken (%s): take %s of up to %d bytes, or a video of "+
			"up to %d", u.Failure, "image/jpeg, image/png, image/webp or image/gif", model.MaxImageBytes, model.MaxVideoBytes)
	case uploading:
		c.status = pending
	}
	a := c.attachment(u.nativeMedia)
	if a.Type == "" {
		a.Type = "unknown"
	}
	if a.Meta == nil {
		a.Meta = map[string]any{}
	}
	return a, nil
}

func getMedia(c *call) (any, error) {
	u, err := c.upload(c.path("id"))
	if err != nil {
		return nil, err
	}
	return c.uploaded(u, http.StatusPartialContent)
}

// putMedia describes an upload.
func putMedia(c *call) (any, error) {
	u, err := c.upload(c.path("id"))
	if err != nil {
		return nil, err
	}
	if c.params.has("description") {
		if err := c.describe(u, c.params.text("description")); err != nil {
			return nil, err
		}
	}
	return c.uploaded(u, http.StatusOK)
}

func (c *call) describe(u *nativeUpload, alt string) error {
	return c.send(http.MethodPatch, native("media", string(u.ID)), map[string]string{"alt": alt}, u)
}

func deleteMedia(c *call) (any, error) {
	u, err := c.upload(c.path("id"))
	if err != nil {
		return nil, err
	}
	return nil, c.send(http.MethodDelete, native("media", string(u.ID)), nil, nil)
}
