package e2e

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// newMediaEnv is newEnv with buckets, whose events reach the functions, and with changed options.
func newMediaEnv(t testing.TB, change ...func(*api.Options)) *env {
	t.Helper()
	project := testenv.Project(t)
	uploads, media := storagetest.Buckets(t, project)
	return serve(t, stacktest.Run(t, stack.Options{Project: project, Storage: storagetest.Host(t), Uploads: uploads,
		Store: store.Options{CacheTTL: time.Nanosecond, WriteEvery: 10 * time.Millisecond, FlushAfter: 10 * time.Millisecond,
			UploadsBucket: uploads, MediaBucket: media, LeavePause: time.Millisecond, LeaveAfter: time.Millisecond,
			ExportBucket: t.TempDir()}}), change...)
}

// load loads an address of media.
func (e *env) load(t *testing.T, address string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", e.url+address, nil)
	testenv.Must(t, err)
	resp, err := http.DefaultClient.Do(req)
	testenv.Must(t, err)
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return resp.StatusCode
}

// upload uploads a picture of a person through the signed address, and waits until its event was handled.
func (e *env) upload(t *testing.T, p person, kind string) model.MediaID {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 80, 60))
	for i := range 60 {
		m.Set(i, i, color.RGBA{200, uint8(4 * i), 30, 255})
	}
	var data bytes.Buffer
	testenv.Must(t, png.Encode(&data, m))
	var made api.CreatedMedia
	e.do(t, p, "POST /v1/media", map[string]any{"contentType": "image/png", "bytes": data.Len(), "alt": "A line",
		"kind": kind}).want(t, http.StatusCreated, &made)
	send := func(method, url string, body io.Reader, headers map[string]string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, url, body)
		testenv.Must(t, err)
		for name, value := range headers {
			req.Header.Set(name, value)
		}
		resp, err := http.DefaultClient.Do(req)
		testenv.Must(t, err)
		resp.Body.Close()
		return resp
	}
	session := send(made.Upload.Method, made.Upload.URL, nil, made.Upload.Headers).Header.Get("Location")
	if resp := send("PUT", session, &data, nil); resp.StatusCode != http.StatusOK {
		t.Fatalf("the upload answered %s", resp.Status)
	}
	e.idle(t)
	var ready api.Media
	e.do(t, p, "GET /v1/media/"+string(made.ID), nil).want(t, http.StatusOK, &ready)
	if ready.State != "ready" || ready.Width < 60 || ready.Blurhash == "" {
		t.Fatalf("after its event the upload is %+v", ready)
	}
	return made.ID
}

// A picture goes its whole way, with the events of both emulators: from the upload to a post, the home page and the
// profile of its author, to followers alone, under a flag, and away. Another goes with its account.
func TestMediaStory(t *testing.T) {
	t.Parallel()
	e := newMediaEnv(t)
	ann, bob := e.join(t, "ann_m"), e.join(t, "bob_m")
	files, err := objects.Open(t.Context(), "gs://"+e.stack.Project+"-media", "")
	testenv.Must(t, err)
	t.Cleanup(func() { files.Close() })
	stored := func(id model.MediaID) int {
		t.Helper()
		names, err := files.List(t.Context(), string(id)+"/", 9)
		testenv.Must(t, err)
		return len(names)
	}
	id := e.upload(t, ann, "tweet")
	var made api.Tweet
	e.do(t, ann, "POST /v1/tweets", map[string]any{"content": "A line", "media": []any{id}}).want(t,
		http.StatusCreated, &made)
	e.do(t, bob, "PUT /v1/users/"+ann.id+"/follow", nil)
	e.idle(t)
	var home api.HomePage
	e.do(t, bob, "GET /v1/timeline", nil).want(t, http.StatusOK, &home)
	if len(home.Items) != 1 || len(home.Items[0].Media) != 1 || home.Items[0].Media[0].Alt != "A line" {
		t.Fatalf("the home page has %+v", home.Items)
	}
	var list server.List[api.AuthoredTweet]
	e.do(t, person{}, "GET /v1/users/"+ann.id+"/tweets?mediaOnly=true", nil).want(t, http.StatusOK, &list)
	if len(list.Items) != 1 || len(list.Items[0].Media) != 1 || list.Items[0].Media[0].Alt != "A line" {
		t.Errorf("the profile has %+v", list.Items)
	}
	public := home.Items[0].Media[0].URLs.Large
	if status := e.load(t, public); status != http.StatusOK || strings.Contains(public, "?") {
		t.Errorf("%s answers %d to everybody", public, status)
	}
	tweet := "/v1/tweets/" + string(made.ID)
	e.do(t, ann, "PATCH "+tweet, map[string]any{"visibility": "followers"}).want(t, http.StatusOK, nil)
	if status := e.load(t, public); status != http.StatusNotFound {
		t.Errorf("narrowed: the public address answers %d", status)
	}
	e.do(t, bob, "GET /v1/timeline", nil).want(t, http.StatusOK, &home)
	signed := home.Items[0].Media[0].URLs.Large
	if status := e.load(t, signed); status != http.StatusOK || !strings.Contains(signed, "signature=") {
		t.Errorf("narrowed: a follower's address %s answers %d", signed, status)
	}
	testenv.Must(t, e.stack.Store.Tweets.Flag(t.Context(), made.ID, true))
	if status := e.load(t, signed); status != http.StatusNotFound {
		t.Errorf("flagged: the follower's address answers %d", status)
	}
	e.do(t, ann, "DELETE "+tweet, nil).want(t, http.StatusNoContent, nil)
	e.idle(t)
	if n := stored(id); n != 0 {
		t.Errorf("the tweet is gone, and %d files are left", n)
	}

	kept, avatar := e.upload(t, ann, "tweet"), e.upload(t, ann, "avatar")
	e.do(t, ann, "POST /v1/tweets", map[string]any{"media": []any{kept}}).want(t, http.StatusCreated, &made)
	e.do(t, ann, "PATCH /v1/users/me", map[string]any{"avatarMedia": avatar}).want(t, http.StatusOK, nil)
	unused := e.upload(t, ann, "tweet")
	_, err = e.stack.Store.Users.Leave(t.Context(), model.UserID(ann.id))
	testenv.Must(t, err)
	e.idle(t)
	for _, id := range []model.MediaID{kept, avatar, unused} {
		if n := stored(id); n != 0 {
			t.Errorf("the account is gone, and %d files of %s are left", n, id)
		}
	}
}
