package media

import (
	"context"
	"crypto/sha256"
	"io"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Video is a copied video.
type Video struct {
	Info Info
	Hash Hash // of the upload
}

// CopyVideo writes a copy of a video of size bytes that is safe to serve, as [MP4] and as many bytes long. The
// pictures and the sound are those of the upload, not encoded anew. Zeros take the place of all else: locations,
// names and times, other tracks with their samples, boxes that no player needs, and data that no sample has. What an
// encoder wrote into the stream of H.264 itself stays. There is no poster: the uploader sends one as a picture.
//
// The copy is incomplete if CopyVideo returns an error. Errors are those of [Processor.Check]; a picture is
// unsupported. CopyVideo needs some 10 MiB.
func (p *Processor) CopyVideo(ctx context.Context, w io.Writer, r io.ReaderAt, size int64) (_ Video, err error) {
	defer errs.Wrap(&err, "media.CopyVideo(%d bytes)", size)
	release, err := p.acquire(ctx)
	if err != nil {
		return Video{}, err
	}
	up, err := p.open(r, size)
	release() // copying takes no memory, and as long as w does
	if err != nil {
		return Video{}, err
	}
	if up.movie == nil {
		return Video{}, unsupported("A picture cannot stand where a video is wanted.")
	}
	hash := sha256.New()
	all := io.TeeReader(io.NewSectionReader(r, 0, size), hash)
	buffer := make([]byte, 64<<10)
	for _, part := range up.movie.parts {
		for at := int64(0); at < part.size; {
			if err := ctx.Err(); err != nil {
				return Video{}, err
			}
			b := buffer[:min(int64(len(buffer)), part.size-at)]
			if _, err := io.ReadFull(all, b); err != nil {
				return Video{}, err
			}
			if part.data != nil {
				copy(b, part.data[at:])
			} else if !part.keep {
				clear(b)
			}
			if _, err := w.Write(b); err != nil {
				return Video{}, err
			}
			at += int64(len(b))
		}
	}
	return Video{up.info, Hash(hash.Sum(nil))}, nil
}
