package mastodon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// file is a file of a multipart form, among the parameters. Its type is what its bytes look like.
type file string

const (
	maxPicture = 8 << 20 // bytes of an avatar or a header
	// maxTyped is the limit of a body in bytes whose pictures are data URLs.
	maxTyped = 4 << 20
	// maxSmall is the limit of a body in bytes that is in memory before its method begins.
	maxSmall = 64 << 10
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
	picture, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	return file(picture)
}

// formPictures reads the parameters of a multipart form as it comes, and passes the pictures of a profile on: so few
// bytes of them are in memory. Other forms, in which some clients send data URLs, have maxTyped bytes at most.
func (c *call) formPictures() error {
	media, options, _ := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	if media != "multipart/form-data" {
		text, err := io.ReadAll(io.LimitReader(c.request.Body, maxTyped+1))
		if err != nil {
			return err
		}
		if len(text) > maxTyped {
			return server.TooLarge(maxTyped)
		}
		c.request.Body = io.NopCloser(bytes.NewReader(text))
		c.params, err = readParams(c.request)
		return err
	}
	if err := eachParam(c.request.URL.RawQuery, c.params.put); err != nil {
		return err
	}
	count := 0
	return readForm(c.request.Body, options["boundary"], func(name, value string) error {
		if count++; count > maxParams {
			return tooMany()
		}
		return c.params.put(name, value)
	}, func(part *multipart.Part) error {
		kind := part.FormName()
		if kind != "avatar" && kind != "header" || c.pictures[kind] != "" {
			return nil
		}
		most := int64(maxPicture)
		if length := c.request.ContentLength; length > 0 {
			most = min(most, length)
		}
		return c.setPicture(kind, bufio.NewReader(part), most)
	})
}

// setPicture uploads a picture of a profile, of a kind, with at most so many bytes.
//
// Cost: that of POST /v1/media.
func (c *call) setPicture(kind string, from *bufio.Reader, most int64) error {
	head, err := from.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	about := map[string]any{"kind": kind, "contentType": http.DetectContentType(head), "bytes": most}
	u, err := c.store(about, from, most, maxPicture)
	if err != nil && server.StatusOf(err) == http.StatusRequestEntityTooLarge {
		return invalid("%s has more than %d bytes", kind, maxPicture)
	}
	if err != nil {
		return err
	}
	if c.pictures == nil {
		c.pictures = map[string]model.MediaID{}
	}
	c.pictures[kind] = u.ID
	return nil
}

// ready waits until an upload was looked at, more and more patiently, and holds no place of others meanwhile.
//
// Cost: 1 read for each time that it asks whether the picture is ready.
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
		c.api.Native.Outside(c, func() {
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
		})
		if ctx.Err() != nil {
			return errs.New(errs.Unavailable, "media_not_ready", "the picture takes long; try again")
		}
	}
}
