package media_test

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/media"
)

// film is an MP4 of 2.5 seconds.
//
//go:embed testdata/film.mp4
var film []byte

// filmed uploads a video of ann, whose event is still to come.
func (e *env) filmed(t *testing.T, poster model.MediaID) model.MediaID {
	t.Helper()
	m, u, err := e.Media.Create(t.Context(), "ann", model.NewMedia{Kind: model.MediaTweet, ContentType: "video/mp4",
		Bytes: int64(len(film)), Poster: poster})
	testenv.Must(t, err)
	if status := send(t, u, film); status != 200 {
		t.Fatalf("the upload answered %d", status)
	}
	return m.ID
}

// A video has the picture of its poster, and keeps it when the poster goes.
func TestPoster(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	poster := e.ready(t, "ann", model.MediaTweet, "")
	id := e.filmed(t, poster)
	testenv.Must(t, storetest.Costs(t, "the event", 3, 1, 0, func(ctx context.Context) error {
		return e.uploaded(ctx, e.Store, string(id))
	}))
	e.wantFiles(t, "a video with a poster", id, 3, 0)
	m, err := e.Media.Get(ctx, model.Viewer{ID: "ann", Role: model.Member}, id)
	testenv.Must(t, err)
	if small := m.Sizes[model.SizeSmall]; m.Type != model.MediaVideo || m.Width != 640 || m.Blurhash == "" ||
		len(m.Sizes) != 3 || small.Width != 60 || small.ContentType != "image/png" || small.Bytes == 0 {
		t.Errorf("the record is %+v", m)
	}
	tweet, err := e.post(ctx, e.Store, "ann", "", id)
	testenv.Must(t, err)
	addresses := e.Media.Addresses(tweet.Media[0], model.Public, false)
	if sizes := slices.Sorted(maps.Keys(addresses)); !slices.Equal(sizes, []string{"large", "original", "small"}) {
		t.Errorf("the tweet has addresses of %v", sizes)
	}
	testenv.Must(t, e.Media.Delete(ctx, "ann", poster))
	testenv.Must(t, e.Media.Remove(ctx, poster))
	e.wantFiles(t, "the poster alone", poster, 0, 0)
	e.wantFiles(t, "the video, without its poster's upload", id, 3, 0)
	if _, err := e.Media.Serve(ctx, id, model.SizeLarge, media.Signature{}); err != nil {
		t.Errorf("the poster of a public tweet: %v", err)
	}
	testenv.Must(t, e.Tweets.DeleteTweet(ctx, "ann", false, tweet.ID))
	testenv.Must(t, e.Media.Remove(ctx, id))
	e.wantFiles(t, "a deleted video", id, 0, 0)
}

// A video waits for a poster that is on its way, for a minute, and then goes without, as it does without one that
// nobody can use.
func TestPosterThatDoesNotCome(t *testing.T) {
	t.Parallel()
	e := open(t)
	ctx := t.Context()
	late, _ := e.announce(t, "ann", model.MediaTweet, "", 100)
	id := e.filmed(t, late)
	err := e.uploaded(ctx, e.Store, string(id))
	storetest.WantErr(t, err, errs.Unavailable, "media_processing")
	e.wantFiles(t, "waiting for the poster", id, 0, 1)
	e.Clock.Add(time.Minute)
	testenv.Must(t, e.uploaded(ctx, e.Store, string(id)))
	e.wantFiles(t, "a poster that does not come", id, 1, 0)

	broken, u := e.announce(t, "ann", model.MediaTweet, "", 4)
	send(t, u, []byte("spam"))
	testenv.Must(t, e.uploaded(ctx, e.Store, string(broken)))
	gone := e.ready(t, "ann", model.MediaTweet, "")
	testenv.Must(t, e.Media.Delete(ctx, "ann", gone))
	lost := e.ready(t, "ann", model.MediaTweet, "")
	testenv.Must(t, e.files.Remove(ctx, string(lost)+"/large"))
	for what, poster := range map[string]model.MediaID{
		"another user's": e.ready(t, "bob", model.MediaTweet, ""), "an avatar": e.ready(t, "ann", model.MediaAvatar, ""),
		"a video": id, "unknown": model.NewMediaID(), "broken": broken, "deleted": gone, "without its files": lost,
	} {
		id := e.filmed(t, poster)
		testenv.Must(t, e.uploaded(ctx, e.Store, string(id)))
		e.wantFiles(t, what, id, 1, 0)
		m, err := e.Media.Get(ctx, model.Viewer{ID: "ann", Role: model.Member}, id)
		testenv.Must(t, err)
		if m.State != model.MediaReady || m.Blurhash != "" || len(m.Sizes) != 1 {
			t.Errorf("%s: the record is %+v", what, m)
		}
	}
	m, u, err := e.Media.Create(ctx, "ann", model.NewMedia{Kind: model.MediaTweet, ContentType: "video/mp4",
		Bytes: int64(len(film)) - 100, Poster: e.ready(t, "ann", model.MediaTweet, "")})
	testenv.Must(t, err)
	send(t, u, film[:len(film)-100])
	testenv.Must(t, e.uploaded(ctx, e.Store, string(m.ID)))
	e.wantFiles(t, "a broken video with a poster", m.ID, 0, 0)
	for _, n := range []model.NewMedia{{ContentType: "image/png", Poster: gone}, {ContentType: "video/mp4", Poster: "x"}} {
		n.Kind, n.Bytes = model.MediaTweet, 9
		if _, _, err := e.Media.Create(ctx, "ann", n); errs.KindOf(err) != errs.Invalid {
			t.Errorf("%+v: %v", n, err)
		}
	}
}
