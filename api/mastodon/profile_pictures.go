package mastodon

import (
	"bufio"
	"context"
	"encoding/base64"
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
)

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

// setPicture uploads a picture of a profile, of a kind, and waits until it is ready.
//
// Cost: that of POST /v1/media, and 1 read for each time that it asks whether the picture is ready.
func (c *call) setPicture(kind string, f file) (model.MediaID, error) {
	size := int64(len(f))
	if size > maxPicture {
		return "", invalid("%s has more than %d bytes", kind, maxPicture)
	}
	about := map[string]any{"kind": kind, "contentType": http.DetectContentType([]byte(f)), "bytes": size}
	u, err := c.store(about, bufio.NewReader(strings.NewReader(string(f))), size, maxPicture)
	if err != nil {
		return "", err
	}
	return u.ID, c.ready(u.ID)
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
