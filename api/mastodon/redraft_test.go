package mastodon_test

import (
	"bytes"
	"image"
	"net/http"
	"net/url"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// load loads a picture from its address, as somebody without an account.
func (e *env) load(t testing.TB, address *string) {
	t.Helper()
	if address == nil {
		t.Error("the picture has no address")
		return
	}
	at, err := url.Parse(*address)
	testenv.Must(t, err)
	file := e.ask(t, person{}, "GET "+at.RequestURI(), nil).want(t, http.StatusOK, nil)
	_, _, err = image.Decode(bytes.NewReader(file.text))
	testenv.Must(t, err)
}

// A post is deleted and written anew with the pictures that it had, as apps let people do. With delete_media they go at
// once.
func TestRedraft(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	var m attachment
	e.upload(t, ann, "/api/v2/media", map[string]string{"description": "before"}, nil, picture()).read(t, &m)
	e.idle(t)
	path, draft := "/api/v1/media/"+m.ID, map[string]any{"status": "a picture", "media_ids": []string{m.ID}}
	var first, gone, second status
	e.ask(t, ann, "POST "+statuses, draft).want(t, http.StatusOK, &first)
	e.ask(t, ann, "PUT "+statuses+"/"+first.ID, map[string]any{"status": "a picture",
		"media_attributes": []any{map[string]any{"id": m.ID, "description": "as it was edited"}}}).
		want(t, http.StatusOK, nil)
	e.ask(t, ann, "DELETE "+statuses+"/"+first.ID, nil).want(t, http.StatusOK, &gone)
	if len(gone.Media) != 1 || *gone.Media[0].Description != "as it was edited" {
		t.Fatalf("deleted: %+v", gone)
	}
	e.load(t, gone.Media[0].PreviewURL) // the app shows it while its user writes
	e.idle(t)
	e.ask(t, bob, "GET "+path, nil).want(t, http.StatusNotFound, nil)
	e.ask(t, bob, "POST "+statuses, draft).want(t, http.StatusNotFound, nil)
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusOK, &m)
	e.load(t, m.PreviewURL)

	e.ask(t, ann, "POST "+statuses, draft).want(t, http.StatusOK, &second)
	e.idle(t)
	e.ask(t, bob, "GET "+statuses+"/"+second.ID, nil).want(t, http.StatusOK, &second)
	if len(second.Media) != 1 || *second.Media[0].Description != "as it was edited" {
		t.Fatalf("posted anew: %+v", second)
	}
	e.load(t, second.Media[0].URL)

	e.ask(t, ann, "DELETE "+statuses+"/"+second.ID+"?delete_media=true", nil).want(t, http.StatusOK, nil)
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusNotFound, nil)
	e.ask(t, ann, "POST "+statuses, draft).want(t, http.StatusNotFound, nil)
}
