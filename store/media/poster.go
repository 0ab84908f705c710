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
}

// poster copies the sizes of a video's poster to the video, so that they go with it. A poster that is no picture of the
// owner, cannot be shown or does not come is left out: the video counts. One that is on its way is errs.Unavailable, so
// that the event comes again.
//
// Cost: 1 read for a video with a poster.
func (w *Writer) poster(ctx context.Context, video *model.Media) (p poster, err error) {
	p.sizes = map[string]model.MediaSize{}
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
		return p, w.withoutPoster(ctx, video.ID)
	case m.State == model.MediaUploading && now.Before(m.CreatedAt.Add(posterPatience)):
		return p, errs.New(errs.Unavailable, "media_processing", "the poster %q is not ready yet", string(m.ID))
	case m.State != model.MediaReady, m.Type != model.MediaImage:
		return p, w.withoutPoster(ctx, video.ID)
	}
	sizes := map[string]model.MediaSize{}
	for _, size := range posterSizes {
		switch err := w.copySize(ctx, m, video.ID, size); {
		case errs.KindOf(err) == errs.NotFound:
			return p, w.withoutPoster(ctx, video.ID) // its owner has just deleted it
		case err != nil:
			return p, err
		}
		sizes[size] = m.Sizes[size]
	}
	return poster{m.Blurhash, sizes}, nil
}

// posterSizes are the sizes of a poster.
var posterSizes = []string{model.SizeSmall, model.SizeLarge}

// withoutPoster removes what an earlier attempt may have copied of a poster that is gone by now.
func (w *Writer) withoutPoster(ctx context.Context, video model.MediaID) error {
	for _, size := range posterSizes {
		if err := w.o.Files.Remove(ctx, fileName(video, size)); err != nil {
			return err
		}
	}
	return nil
}

// copySize copies a size of a picture to other media.
func (w *Writer) copySize(ctx context.Context, from *model.Media, to model.MediaID, size string) error {
	f, err := w.o.Files.Reader(ctx, fileName(from.ID, size))
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	return w.o.Files.Put(ctx, fileName(to, size), data, objects.Attributes{ContentType: from.Sizes[size].ContentType,
		CacheControl: cacheControl})
}
