package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/hibana-sns/hibana/dev/seed/draw"
)

// picture is an upload of the seed, which is drawn when it is needed.
type picture struct {
	who  int
	kind string
	alt  string
	draw func() []byte
	id   string
}

// pictures uploads what the profiles and the tweets lack. Where media are off, it does nothing.
func (w *writer) pictures(parallel parallel) error {
	var all []*picture
	add := func(who int, kind, alt string, drawn func() []byte) *picture {
		p := &picture{who: who, kind: kind, alt: alt, draw: drawn}
		all = append(all, p)
		return p
	}
	for who, p := range seedPeople {
		if !w.faced[who] {
			w.faces[who] = []*picture{
				add(who, "avatar", "", func() []byte { return draw.Avatar(p.Username) }),
				add(who, "header", "", func() []byte { return draw.Header(p.Header) }),
			}
		}
	}
	for i, t := range w.tweets {
		if w.ids[i] != "" {
			continue
		}
		for _, p := range t.Pictures {
			w.media[i] = append(w.media[i], add(t.Author, "tweet", p.Alt, func() []byte { return draw.Scene(p.Scene) }))
		}
	}
	err := parallel("pictures", len(all), func(ctx context.Context, i int) (err error) {
		all[i].id, err = w.c.upload(ctx, w.tokens[all[i].who], all[i])
		return err
	})
	if r, ok := errors.AsType[*refusal](err); ok && r.Code == "media_off" {
		clear(w.faces)
		clear(w.media)
		return nil
	}
	return err
}

// upload sends a picture as clients do, and returns its id when a post or a profile can take it.
func (c *client) upload(ctx context.Context, token string, p *picture) (id string, err error) {
	data := p.draw()
	var made struct {
		ID     string
		Upload struct {
			URL, Method string
			Headers     map[string]string
		}
	}
	if err := c.call(ctx, token, http.MethodPost, "/v1/media", "", map[string]any{"kind": p.kind, "alt": p.alt,
		"contentType": "image/jpeg", "bytes": len(data)}, &made); err != nil {
		return "", err
	}
	begun, err := send(ctx, made.Upload.Method, made.Upload.URL, made.Upload.Headers, nil)
	if err != nil {
		return "", err
	}
	if _, err := send(ctx, http.MethodPut, begun.Get("Location"), nil, data); err != nil {
		return "", err
	}
	for {
		var is struct{ State, Failure string }
		if err := c.call(ctx, token, http.MethodGet, "/v1/media/"+made.ID, "", nil, &is); err != nil {
			return "", err
		}
		switch is.State {
		case "ready":
			return made.ID, nil
		case "failed":
			return "", fmt.Errorf("the picture of a %s: %s", p.kind, is.Failure)
		}
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// send sends bytes to Cloud Storage, and returns the headers of a successful answer.
func send(ctx context.Context, method, url string, headers map[string]string, data []byte) (http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode > 299 {
		return nil, &refusal{request: method + " " + req.URL.Path, status: resp.Status, answer: string(text)}
	}
	return resp.Header, nil
}
