package mastodon_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	"image/png"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/limits"
)

type attachment struct {
	ID, Type    string
	URL         *string
	PreviewURL  *string `json:"preview_url"`
	Description *string
	Blurhash    *string
}

// upload sends a file to a method.
func (e *env) upload(t testing.TB, who person, path string, before, after map[string]string, file []byte) answer {
	t.Helper()
	body, media := fileForm(before, after, "file", file)
	return e.askAs(t, who, "POST "+path, media, bytes.NewReader(body))
}

// read reads the answer to an upload: its file is ready, or, where the machine is busy, is looked at.
func (a answer) read(t testing.TB, out any) {
	t.Helper()
	if a.StatusCode != http.StatusAccepted {
		a.want(t, http.StatusOK, nil)
	}
	testenv.Must(t, json.Unmarshal(a.text, out))
}

// A file is taken as it comes, looked at, described and posted.
func TestMedia(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	var m attachment
	e.upload(t, ann, "/api/v2/media", map[string]string{"description": "a film"}, nil, film()).
		want(t, http.StatusAccepted, &m)
	if m.URL != nil || m.Type != "video" || *m.Description != "a film" {
		t.Errorf("uploaded %+v", m)
	}
	e.idle(t)
	e.ask(t, ann, "GET /api/v1/media/"+m.ID, nil).want(t, http.StatusOK, &m)
	if m.URL == nil || m.Type != "video" {
		t.Errorf("ready: %+v", m)
	}
	is, err := ann.UploadMediaFromMedia(t.Context(), &client.Media{File: bytes.NewReader(picture()),
		Description: "before"})
	testenv.Must(t, err) // it is ready, or the machine is very busy
	m.ID = string(is.ID)
	e.idle(t)
	path := "/api/v1/media/" + m.ID
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusOK, &m)
	if m.URL == nil || m.PreviewURL == nil || *m.Description != "before" || m.Blurhash == nil {
		t.Errorf("ready: %+v", m)
	}
	if at, err := url.Parse(*m.URL); err != nil || at.Host == "" {
		t.Errorf("the address is %q", *m.URL)
	}
	var described attachment
	e.ask(t, ann, "PUT "+path, map[string]any{"description": "described"}).want(t, http.StatusOK, &described)
	same(t, "the description", *described.Description, "described")
	e.ask(t, bob, "GET "+path, nil).want(t, http.StatusNotFound, nil)
	e.ask(t, bob, "DELETE "+path, nil).want(t, http.StatusNotFound, nil)

	// the former method answers when the file is ready; a description may come behind it
	var former attachment
	e.upload(t, ann, "/api/v1/media", nil, map[string]string{"description": "behind"}, picture()).read(t, &former)
	same(t, "a description behind the file", *former.Description, "behind")
	e.idle(t)
	s, err := ann.PostStatus(t.Context(), &client.Toot{MediaIDs: []client.ID{client.ID(m.ID), client.ID(former.ID)},
		Sensitive: true})
	testenv.Must(t, err)
	if len(s.MediaAttachments) != 2 || s.MediaAttachments[0].Description != "described" || !s.Sensitive {
		t.Errorf("posted %+v", s)
	}
	var edited status
	e.ask(t, ann, "PUT "+statuses+"/"+string(s.ID), map[string]any{"status": "with text", "sensitive": false,
		"media_ids":        []string{m.ID, former.ID},
		"media_attributes": []any{map[string]any{"id": m.ID, "description": "anew", "focus": "0,0"}}}).
		want(t, http.StatusOK, &edited)
	if *edited.Media[0].Description != "anew" || edited.SpoilerText != "" {
		t.Errorf("edited %+v", edited)
	}
	e.ask(t, ann, "DELETE "+path, nil).want(t, http.StatusUnprocessableEntity, nil) // a post has it
	e.upload(t, ann, "/api/v2/media", nil, nil, picture()).read(t, &m)
	e.ask(t, ann, "DELETE /api/v1/media/"+m.ID, nil).want(t, http.StatusOK, nil)
	e.ask(t, ann, "GET /api/v1/media/"+m.ID, nil).want(t, http.StatusNotFound, nil)
}

// A file that is not taken is refused with the limits, and leaves nothing.
func TestMediaRefused(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	media := testenv.Client(t, e.stack.Project).Collection("media")
	left := func(want int) {
		t.Helper()
		all, err := media.Documents(t.Context()).GetAll()
		testenv.Must(t, err)
		same(t, "the records", len(all), want)
	}
	says := func(a answer, status int, text string) {
		t.Helper()
		var refused struct{ Error string }
		if a.want(t, status, &refused); !strings.Contains(refused.Error, text) {
			t.Errorf("says %q, want %q", refused.Error, text)
		}
	}
	const path, bad = "/api/v2/media", http.StatusUnprocessableEntity
	says(e.upload(t, ann, path, nil, nil, []byte("a text")), bad, "image/jpeg")
	says(e.upload(t, ann, path, nil, nil, nil), bad, "image/jpeg")
	says(e.ask(t, ann, "POST "+path, map[string]any{}), bad, "multipart")
	says(e.askAs(t, ann, "POST "+path, "multipart/form-data; boundary=x", strings.NewReader("--x--\r\n")), bad, "file")
	says(e.askAs(t, ann, "POST "+path, "multipart/form-data; boundary=x",
		strings.NewReader("--x\r\nno header\r\n\r\n")), bad,
		"form")
	big := append(picture(), make([]byte, 11<<20)...)
	says(e.upload(t, ann, path, nil, nil, big), http.StatusRequestEntityTooLarge, fmt.Sprint(10<<20))
	body, kind := fileForm(nil, nil, "file", big)
	says(e.askAs(t, ann, "POST "+path, kind, struct{ *bytes.Reader }{bytes.NewReader(body)}),
		http.StatusRequestEntityTooLarge,
		fmt.Sprint(10<<20)) // without a length
	e.upload(t, person{}, path, nil, nil, picture()).want(t, http.StatusUnauthorized, nil)
	many := map[string]string{}
	for n := range 20 {
		many[fmt.Sprint("more", n)] = "x"
	}
	says(e.upload(t, ann, path, nil, many, picture()), bad, "parts")
	left(0)

	// one that is no picture behind its first bytes
	var m attachment
	e.upload(t, ann, path, nil, nil, film()[:60]).want(t, http.StatusAccepted, &m)
	e.idle(t)
	says(e.ask(t, ann, "GET /api/v1/media/"+m.ID, nil), bad, "media_damaged")
	left(1)
}

// An upload whose client is slow takes no place of other requests; when it breaks off, nothing is left.
func TestSlowUpload(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.Limits.Gate = limits.NewGate(1, time.Second) })
	ann := e.join(t, "ann")
	conn := e.begin(t, ann, 100_000)
	media := testenv.Client(t, e.stack.Project).Collection("media")
	until := func(want int) {
		t.Helper()
		for { // the test has a time limit
			all, err := media.Documents(t.Context()).GetAll()
			testenv.Must(t, err)
			if len(all) == want {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	until(1) // it is announced, and its bytes are on their way
	e.ask(t, ann, "GET /api/v1/timelines/public", nil).want(t, http.StatusOK, nil)
	conn.Close()
	until(0)
}

// An upload that stops for long is answered, and leaves nothing.
func TestStalledUpload(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	conn := e.begin(t, e.join(t, "ann"), 10_000)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	testenv.Must(t, err)
	var refused struct{ Error string }
	resp.Request = &http.Request{URL: &url.URL{}}
	if read(t, resp).want(t, http.StatusRequestTimeout, &refused); !strings.Contains(refused.Error, "too long") {
		t.Errorf("says %q", refused.Error)
	}
	all, err := testenv.Client(t, e.stack.Project).Collection("media").Documents(t.Context()).GetAll()
	testenv.Must(t, err)
	same(t, "the records", len(all), 0)
}

// begin begins an upload, and sends so many bytes of it.
func (e *env) begin(t testing.TB, who person, n int) net.Conn {
	t.Helper()
	at, err := url.Parse(e.url)
	testenv.Must(t, err)
	conn, err := net.Dial("tcp", at.Host)
	testenv.Must(t, err)
	t.Cleanup(func() { conn.Close() })
	body, kind := fileForm(nil, nil, "file", append(picture(), make([]byte, 1<<20)...))
	_, err = fmt.Fprintf(conn, "POST /api/v2/media HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s", who.token, kind, len(body), body[:n])
	testenv.Must(t, err)
	return conn
}

// A client makes room for a picture, and chooses the file for it, by the measures.
func TestMeasures(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var b bytes.Buffer
	testenv.Must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 901, 450))))
	var m struct {
		ID   string
		URL  string                           `json:"preview_url"`
		Meta map[string]struct{ Size string } `json:"meta"`
	}
	e.upload(t, ann, "/api/v1/media", nil, nil, b.Bytes()).read(t, &struct{ ID *string }{&m.ID})
	e.idle(t)
	e.ask(t, ann, "GET /api/v1/media/"+m.ID, nil).want(t, http.StatusOK, &m)
	same(t, "the size", m.Meta["original"].Size, "901x450")
	at, err := url.Parse(m.URL)
	testenv.Must(t, err)
	small, _, err := image.DecodeConfig(bytes.NewReader(e.ask(t, ann, "GET "+at.RequestURI(), nil).text))
	testenv.Must(t, err)
	same(t, "the small size", m.Meta["small"].Size, fmt.Sprintf("%dx%d", small.Width, small.Height))
}
