package mastodon

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// file is a file of a multipart form, among the parameters. Its type is what its bytes look like.
type file string

const (
	maxPicture = 8 << 20 // bytes of an avatar or a header
	// processing is how long a request waits for a picture to be looked at.
	processing = 15 * time.Second
	sending    = 30 * time.Second
)

// storage sends files to Cloud Storage.
var storage = &http.Client{Timeout: sending} //nolint:gochecknoglobals // one pool of connections

// file returns a parameter that is a file of a multipart form, or a data URL, as some clients send; empty for none.
func (p params) file(name string) file {
	if f, ok := p[name].(file); ok {
		return f
	}
	head, text, ok := strings.Cut(p.text(name), ";base64,")
	if !ok || !strings.HasPrefix(head, "data:") {
		return ""
	}
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	return file(bytes)
}

// upload uploads a picture of a kind, and waits until it is ready.
//
// Cost: that of POST /v1/media, and 1 read for each time that it asks whether the picture is ready.
func (c *call) upload(kind string, f file) (model.MediaID, error) {
	if len(f) > maxPicture {
		return "", invalid("%s has more than %d bytes", kind, maxPicture)
	}
	var made struct {
		ID     model.MediaID
		Upload struct {
			URL, Method string
			Headers     map[string]string
		}
	}
	announced := map[string]any{"kind": kind, "contentType": http.DetectContentType([]byte(f)), "bytes": len(f)}
	if err := c.send(http.MethodPost, "/v1/media", announced, &made); err != nil {
		return "", err
	}
	at, err := begin(c, made.Upload.Method, made.Upload.URL, made.Upload.Headers)
	if err != nil {
		return "", err
	}
	if err := sendTo(c, at, string(f)); err != nil {
		return "", err
	}
	return made.ID, c.ready(made.ID)
}

// begin begins the upload of a file, and returns where its bytes go.
func begin(ctx context.Context, method, to string, headers map[string]string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, method, to, http.NoBody)
	if err != nil {
		return "", err
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	resp, err := storage.Do(r)
	if err != nil {
		return "", err
	}
	defer drained(resp)
	if resp.StatusCode != http.StatusCreated {
		return "", errs.New(errs.Unavailable, "upload_failed", "the upload did not begin: %s", resp.Status)
	}
	return resp.Header.Get("Location"), nil
}

// sendTo sends the bytes of a file.
func sendTo(ctx context.Context, to, text string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, to, strings.NewReader(text))
	if err != nil {
		return err
	}
	resp, err := storage.Do(r)
	if err != nil {
		return err
	}
	defer drained(resp)
	if resp.StatusCode != http.StatusOK {
		return errs.New(errs.Unavailable, "upload_failed", "the upload failed: %s", resp.Status)
	}
	return nil
}

// drained closes an answer, whose connection is used again.
func drained(resp *http.Response) {
	io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10))
	resp.Body.Close()
}

// ready waits until an upload was looked at, more and more patiently.
func (c *call) ready(id model.MediaID) error {
	ctx, cancel := context.WithTimeout(c, processing)
	defer cancel()
	for wait := 250 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		var m struct{ State, Failure string }
		if err := c.get(native("media", string(id)), nil, &m); err != nil {
			return err
		}
		switch m.State {
		case "ready":
			return nil
		case "failed":
			return errs.New(errs.Invalid, m.Failure, "the picture cannot be used: %s", m.Failure)
		}
		select {
		case <-ctx.Done():
			return errs.New(errs.Unavailable, "media_not_ready", "the picture takes long; try again")
		case <-time.After(wait):
		}
	}
}
