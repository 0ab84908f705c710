package functions_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
)

// upload is a file that a user uploaded, as the model has it.
type upload struct {
	owner   model.UserID
	broken  bool            // no picture
	tweet   model.TweetID   // that shows it
	message model.MessageID // that shows it
}

// free reports whether nothing shows an upload.
func (u *upload) free() bool { return u.tweet == "" && u.message == "" }

// buckets are those of a history's project.
type buckets struct{ uploads, files *objects.Objects }

func openBuckets(ctx context.Context, uploads, files string) (b buckets, err error) {
	if b.uploads, err = objects.Open(ctx, uploads, ""); err != nil {
		return b, err
	}
	b.files, err = objects.Open(ctx, files, "")
	return b, err
}

// aPicture is a file that pictures are made of.
var aPicture = func() []byte {
	m := image.NewRGBA(image.Rect(0, 0, 16, 12))
	for i := range 12 {
		m.Set(i, i, color.RGBA{200, uint8(20 * i), 30, 255})
	}
	var data bytes.Buffer
	if err := png.Encode(&data, m); err != nil {
		panic(err)
	}
	return data.Bytes()
}()

// upload uploads a picture, or what is none. Some owners delete it while it is on its way.
func (h *history) upload(ctx context.Context, owner model.UserID) {
	broken := h.rng.IntN(5) == 0
	data := slices.Clone(aPicture)
	if broken {
		data = data[:len(data)/2]
	}
	var made *model.Media
	h.must(testenv.Patiently(func() (err error) {
		made, _, err = h.store.Media.Create(ctx, owner, model.NewMedia{Kind: model.MediaTweet, ContentType: "image/png",
			Bytes: int64(len(data)), Alt: "a line"})
		return err
	}))
	h.must(h.buckets.uploads.Put(ctx, string(made.ID), data, objects.Attributes{ContentType: "image/png"}))
	h.world.uploads[made.ID] = &upload{owner: owner, broken: broken}
	if h.rng.IntN(5) == 0 {
		h.remove(ctx, made.ID)
	}
}

// remove lets an owner delete an upload that nothing shows.
func (h *history) remove(ctx context.Context, id model.MediaID) {
	u := h.world.uploads[id]
	h.must(testenv.Patiently(func() error { return h.store.Media.Delete(ctx, u.owner, id) }))
	delete(h.world.uploads, id)
	h.seen.add(uploadAndGone, 1)
}

// attach chooses uploads for a post: some that are ready, which it takes, and some that may be on their way or broken,
// which it refuses with code.
func (h *history) attach(ctx context.Context, author model.UserID) (ids []model.MediaID, code string) {
	for _, id := range slices.Sorted(maps.Keys(h.world.uploads)) {
		u := h.world.uploads[id]
		if u.owner != author || !u.free() || len(ids) == model.MaxMedia {
			continue
		}
		m, err := h.store.Media.Get(ctx, model.Viewer{ID: author, Role: model.Member}, id)
		h.must(err)
		switch {
		case m.State == model.MediaReady && !u.broken:
			ids = append(ids, id)
		case m.State == model.MediaFailed && u.broken:
			if h.rng.IntN(3) == 0 {
				return []model.MediaID{id}, "media_failed"
			}
		case m.State != model.MediaUploading:
			h.t.Errorf("upload %s is %s, and broken: %v", id, m.State, u.broken)
		}
	}
	return ids, ""
}

// attached notes that a tweet shows its media.
func (h *history) attached(t *model.Tweet, ids []model.MediaID) {
	var have []model.MediaID
	for _, m := range t.Media {
		have = append(have, m.ID)
	}
	if !slices.Equal(have, ids) {
		h.t.Errorf("tweet %s shows %v, want %v", t.ID, have, ids)
	}
	for _, id := range ids {
		h.world.uploads[id].tweet = t.ID
	}
	h.seen.add(picturedTweet, len(ids))
}

// compareMedia compares records and files with the uploads of the model. A record that the model does not know is of a
// try that seemed to fail: nobody uploads to it.
func (h *history) compareMedia() {
	h.t.Helper()
	ctx := h.t.Context()
	var want []string
	for id, u := range h.world.uploads {
		var m model.Media
		snap, err := h.raw.Collection(model.MediaRecords).Doc(string(id)).Get(ctx)
		if err != nil {
			h.t.Errorf("upload %s: %v", id, err)
			continue
		}
		h.must(snap.DataTo(&m))
		state := model.MediaReady
		if u.broken {
			state = model.MediaFailed
		}
		if m.State != state || m.TweetID != u.tweet || m.MessageID != u.message || m.ExpireAt.IsZero() == u.free() {
			h.t.Errorf("upload %s is %s, of tweet %q and message %q, until %v; want %s, of %q and %q", id, m.State, m.TweetID,
				m.MessageID, m.ExpireAt, state, u.tweet, u.message)
		}
		for size := range m.Sizes {
			want = append(want, string(id)+"/"+size)
		}
		if !u.broken && len(m.Sizes) < 2 {
			h.t.Errorf("upload %s has the sizes %v", id, m.Sizes)
		}
	}
	slices.Sort(want)
	have, err := h.buckets.files.List(ctx, "", 10_000)
	h.must(err)
	slices.Sort(have)
	if diff := cmp.Diff(want, have); diff != "" {
		h.t.Errorf("files (-want +got):\n%s", diff)
	}
	left, err := h.buckets.uploads.List(ctx, "", 10_000)
	h.must(err)
	if len(left) > 0 {
		h.t.Errorf("uploads are left: %s", strings.Join(left, ", "))
	}
}
