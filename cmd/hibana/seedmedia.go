package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// pictured is a tweet with pictures, which are drawn when they are needed.
type pictured struct {
	author  int
	content string
	summary string
	nights  []nightOf
}

// nightOf is a picture of some bursts, and what it shows in words; an empty text is no description.
type nightOf struct {
	bursts int
	alt    string
}

// showcase are tweets with pictures, at most one of an author. They are posted after all others, so home begins with
// them.
var showcase = []pictured{
	{3, "三脚を忘れなかった夜。 #花火 #写真", "", []nightOf{{3, "川の上に開く三つの花火と、水面に映る光"}, {1, "山の向こうに上がる一つの花火"}}},
	{10, "One exposure, eleven seconds, no retouching. #photo #fireworks", "",
		[]nightOf{{2, "Two shells open over a dark hill; the river below carries their light in broken lines"}}},
	{6, "This is what a distance of 200 meters looks like. #safety", "Bright flashes",
		[]nightOf{{3, "Three shells side by side, above hills without a single light"}}},
	{17, "太鼓の合間に撮りました。 #祭り", "", []nightOf{{1, ""}}},
	{18, "Color studies for the summer poster. Which one? #design", "", []nightOf{
		{3, "First study: three bursts in a row"}, {1, "Second study: a single burst, large"},
		{2, "Third study: two bursts"}, {3, "Fourth study: three bursts, other colors"}}},
}

// faced are the people with a picture of their own. The first has a wide one too.
var faced = []int{0, 3, 10, 13}

// picture is an upload of the seed.
type picture struct {
	who  int
	kind string
	alt  string
	draw func() []byte
	id   string
}

// addPictures uploads pictures as their people, and posts the tweets of the showcase and changes the profiles that show
// them. Who has pictures already gets no more. Where media are off, addPictures does nothing.
func (c *client) addPictures(ctx context.Context, parallel parallel, tokens, uids []string) error {
	var all []*picture
	add := func(who int, kind, alt string, draw func() []byte) *picture {
		p := &picture{who: who, kind: kind, alt: alt, draw: draw}
		all = append(all, p)
		return p
	}
	posts := map[int][]*picture{}
	for i, s := range showcase {
		var there struct{ Items []any }
		if err := c.call(ctx, tokens[s.author], http.MethodGet, "/v1/users/"+uids[s.author]+"/tweets?mediaOnly=true", "",
			nil, &there); err != nil {
			return err
		}
		if len(there.Items) > 0 {
			continue
		}
		for n, night := range s.nights {
			posts[i] = append(posts[i], add(s.author, "tweet", night.alt, func() []byte {
				return drawNight(uint64(10*i+n+1), 960, 640, night.bursts)
			}))
		}
	}
	profiles := map[int][]*picture{}
	for _, who := range faced {
		var user struct{ Avatar string }
		if err := c.call(ctx, tokens[who], http.MethodGet, "/v1/users/"+uids[who], "", nil, &user); err != nil {
			return err
		}
		if user.Avatar != "" {
			continue
		}
		profiles[who] = append(profiles[who], add(who, "avatar", "", func() []byte { return drawFace(uint64(who), 256) }))
		if who == faced[0] {
			profiles[who] = append(profiles[who], add(who, "header", "", func() []byte { return drawNight(7, 1200, 400, 3) }))
		}
	}
	err := parallel("pictures", len(all), func(ctx context.Context, i int) (err error) {
		all[i].id, err = c.upload(ctx, tokens[all[i].who], all[i])
		return err
	})
	if r, ok := errors.AsType[*refusal](err); ok && r.Code == "media_off" {
		return nil
	}
	if err != nil {
		return err
	}
	for i, s := range showcase { // one after the other: so is the order of home
		body := map[string]any{"content": s.content, "summary": s.summary}
		var ids []string
		for _, p := range posts[i] {
			ids = append(ids, p.id)
		}
		if body["media"] = ids; len(ids) == 0 {
			continue
		}
		if err := c.call(ctx, tokens[s.author], http.MethodPost, "/v1/tweets", fmt.Sprintf("seed-picture-%d", i), body,
			nil); err != nil {
			return err
		}
	}
	for who, pictures := range profiles {
		patch := map[string]string{}
		for _, p := range pictures {
			patch[p.kind+"Media"] = p.id
		}
		if err := c.call(ctx, tokens[who], http.MethodPatch, "/v1/users/"+uids[who], "", patch, nil); err != nil {
			return err
		}
	}
	return nil
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
