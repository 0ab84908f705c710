package media

import (
	"context"
	"io"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// posterPatience is how long after its announcement a poster may come. A video does not wait longer for it.
const posterPatience = time.Minute

// poster is a picture that shows a video until it plays.
type poster struct {
	blurhash string
	sizes    map[string]model.MediaSize
	files    map[string][]byte // by size
}

// poster reads the sizes of a video's poster. A poster that is no picture of the owner, cannot be shown or does not
// come is left out: the video counts. One that is on its way is errs.Unavailable, so that the event comes again.
//
// Cost: 1 read for a video with a poster.
func (w *Writer) poster(ctx context.Context, video *model.Media) (p poster, err error) {
	if video.PosterID == "" {
		return p, nil
	}
	found, err := db.As[model.Media](w.db.Media(video.PosterID).Get(ctx))
	if err != nil {
		return p, err
	}
	m, now := &found.Doc, w.db.Now()
	m.ID = video.PosterID
	switch {
	case !found.Found, m.OwnerID != video.OwnerID, m.Kind != model.MediaTweet, m.Expired(now):
		return p, nil
	case m.State == model.MediaUploading && now.Before(m.CreatedAt.Add(posterPatience)):
		return p, errs.New(errs.Unavailable, "media_processing", "the poster %q is not ready yet", string(m.ID))
	case m.State != model.MediaReady, m.Type != model.MediaImage:
		return p, nil
	}
	all := poster{m.Blurhash, map[string]model.MediaSize{}, map[string][]byte{}}
	for _, size := range []string{model.SizeSmall, model.SizeLarge} {
		data, err := w.read(ctx, fileName(m.ID, size))
		switch {
		case errs.KindOf(err) == errs.NotFound:
			return p, nil // its owner has just deleted it
		case err != nil:
			return p, err
		}
		all.sizes[size], all.files[size] = m.Sizes[size], data
	}
	return all, nil
}

// read reads a whole size of a picture.
func (w *Writer) read(ctx context.Context, name string) ([]byte, error) {
	f, err := w.o.Files.Reader(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// give writes the sizes of a poster for a video, and adds them to those of the video. They go with the record of the
// video: a delivery that is killed here, and does not find the poster when it comes again, leaves files that no size
// names.
func (w *Writer) give(ctx context.Context, p poster, video model.MediaID, sizes map[string]model.MediaSize) error {
	for size, data := range p.files {
		if err := w.o.Files.Put(ctx, fileName(video, size), data, objects.Attributes{
			ContentType: p.sizes[size].ContentType, CacheControl: cacheControl}); err != nil {
			return err
		}
		sizes[size] = p.sizes[size]
	}
	return nil
}
