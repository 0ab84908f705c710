package media_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storagetest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// env is a store with buckets, and a user ann.
type env struct {
	*storetest.Env
	options        store.Options
	uploads, files *objects.Objects
	generations    map[string]int64 // of the last file of each name that an event was about
}

func open(t *testing.T) *env {
	t.Helper()
	uploads, media := storagetest.Buckets(t, testenv.Project(t))
	e := &env{options: store.Options{UploadsBucket: uploads, MediaBucket: media, MediaURL: "http://media.test",
		MediaKey: []byte("a key of thirty-two bytes or more")}, generations: map[string]int64{}}
	e.Env = storetest.Open(t, e.options)
	e.uploads, e.files = bucket(t, uploads), bucket(t, media)
	e.CreateUsers(t, "ann", "bob")
	return e
}

func bucket(t *testing.T, place string) *objects.Objects {
	t.Helper()
	o, err := objects.Open(t.Context(), place, "")
	testenv.Must(t, err)
	t.Cleanup(func() { o.Close() })
	return o
}

// picture is a PNG.
func picture(t *testing.T) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 60, 40))
	for i := range 60 {
		m.Set(i, i%40, color.RGBA{uint8(i), 200, 30, 255})
	}
	var b bytes.Buffer
	testenv.Must(t, png.Encode(&b, m))
	return b.Bytes()
}

// announce makes a record.
func (e *env) announce(t *testing.T, uid model.UserID, kind model.MediaKind, alt string, size int) (model.MediaID,
	objects.Upload) {
	t.Helper()
	m, u, err := e.Media.Create(t.Context(), uid, model.NewMedia{Kind: kind, ContentType: "image/png", Bytes: int64(size),
		Alt: alt})
	testenv.Must(t, err)
	return m.ID, u
}

// send uploads a file to a signed address, and returns the status of the last answer.
func send(t *testing.T, u objects.Upload, data []byte) int {
	t.Helper()
	begun := begin(t, u)
	if begun.StatusCode != http.StatusCreated {
		return begun.StatusCode
	}
	return request(t, "PUT", begun.Header.Get("Location"), data, nil).StatusCode
}

// begin begins an upload session.
func begin(t *testing.T, u objects.Upload) *http.Response {
	t.Helper()
	return request(t, u.Method, u.URL, nil, u.Headers)
}

func request(t *testing.T, method, url string, body []byte, headers map[string]string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	testenv.Must(t, err)
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	testenv.Must(t, err)
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return resp
}

// ready uploads a picture of a user, and does what its event causes.
func (e *env) ready(t *testing.T, uid model.UserID, kind model.MediaKind, alt string) model.MediaID {
	t.Helper()
	data := picture(t)
	id, u := e.announce(t, uid, kind, alt, len(data))
	if status := send(t, u, data); status != http.StatusOK {
		t.Fatalf("the upload answered %d", status)
	}
	testenv.Must(t, e.uploaded(t.Context(), e.Store, string(id)))
	return id
}

// uploaded is the event of a file: of the one that is there, or else of the last one of the name that was.
func (e *env) uploaded(ctx context.Context, s *store.Store, name string) error {
	is, err := e.uploads.Stat(context.WithoutCancel(ctx), name)
	if err == nil {
		e.generations[name] = is.Generation
	}
	return s.Media.Uploaded(ctx, name, e.generations[name])
}

// record reads a record.
func (e *env) record(t *testing.T, id model.MediaID) map[string]any {
	t.Helper()
	return e.Doc(t, "media/"+string(id))
}

// wantFiles checks which files there are of media: of their sizes, and the upload.
func (e *env) wantFiles(t *testing.T, what string, id model.MediaID, sizes, uploads int) {
	t.Helper()
	files, err := e.files.List(t.Context(), string(id)+"/", 100)
	testenv.Must(t, err)
	up, err := e.uploads.List(t.Context(), string(id), 100)
	testenv.Must(t, err)
	if len(files) != sizes || len(up) != uploads {
		t.Errorf("%s: there are %d sizes and %d uploads, want %d and %d", what, len(files), len(up), sizes, uploads)
	}
}

// post writes a tweet with media.
func (e *env) post(ctx context.Context, s *store.Store, uid model.UserID, a model.Audience,
	media ...model.MediaID) (*model.Tweet, error) {
	made, err := s.Tweets.CreateTweet(ctx, uid, model.Draft{Media: media, Visibility: a, AllowReplies: true},
		model.Request{})
	if err != nil {
		return nil, err
	}
	return made.Tweet, nil
}

// day is longer than an upload lives that nothing uses.
const day = model.MediaWindow + time.Minute
