// Package media turns uploaded bytes into pictures that are safe to serve.
//
// [Processor.Process] finds the type from the bytes, bounds the file by its headers, decodes it once, and encodes
// what it shows anew: no byte of the upload is served. Metadata such as EXIF with GPS, XMP, comments and color
// profiles is gone; the orientation of EXIF is applied. A video is not decoded: [Processor.CopyVideo] copies it and
// blanks all but the boxes and samples that a player needs.
//
// Taken are JPEG, PNG, WebP, GIF, and MP4 with H.264 and AAC. AVIF is recognized and refused: the one decoder in Go
// without cgo needs 70 bytes a pixel, has no limit of memory or time, and without a build tag loads a system library.
//
// Memory: one file is decoded at a time, and the headers say what the decoder will allocate ([Info.Memory]). With the
// default limits and GOMEMLIMIT=240MiB a process that does nothing else stays below 256 MiB.
package media

import (
	"context"
	"crypto/sha256"
	"io"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Type is the type of a file, written as its media type.
type Type string

// The types that [Sniff] knows.
const (
	JPEG Type = "image/jpeg"
	PNG  Type = "image/png"
	WebP Type = "image/webp"
	GIF  Type = "image/gif"
	AVIF Type = "image/avif" // recognized, so that the error names it, and refused
	MP4  Type = "video/mp4"
)

// name returns the name of a type for people.
func (t Type) name() string {
	switch t {
	case JPEG:
		return "JPEG"
	case PNG:
		return "PNG"
	case WebP:
		return "WebP"
	case GIF:
		return "GIF"
	case AVIF:
		return "AVIF"
	case MP4:
		return "MP4"
	}
	return string(t)
}

// Limits bound a file before it is decoded. Each limit is inclusive.
type Limits struct {
	PictureBytes int64         // size of a picture's file
	VideoBytes   int64         // size of a video's file
	Side         int           // width and height in pixels
	Pixels       int           // width times height
	Frames       int           // frames of an animation
	FramePixels  int           // pixels of all frames of an animated GIF
	GIFSide      int           // width and height of an animated GIF
	Duration     time.Duration // length of a video
	Memory       int64         // bytes that a decoder allocates at most, by the headers of the file
}

// DefaultLimits takes every photo of 40 megapixels as cameras write them. Forms of a file that need more memory for a
// pixel have fewer pixels: a progressive JPEG 29 million, a PNG with 16 bits a channel 27 million, an interlaced one
// of 8 bits too, a lossless WebP 8.3 million, which is a screen of 4K.
var DefaultLimits = Limits{
	PictureBytes: 10 << 20,
	VideoBytes:   30 << 20,
	Side:         8192,
	Pixels:       40_000_000,
	Frames:       1000,
	FramePixels:  64_000_000,
	GIFSide:      1600,
	Duration:     3 * time.Minute,
	Memory:       208 << 20,
}

// Info is what the headers of a file say.
type Info struct {
	Type          Type
	Size          int64         // bytes of the file
	Width, Height int           // as shown: after the orientation
	Frames        int           // at least 1 for a picture; 0 for a video
	Animated      bool          // the file has more than one frame; of WebP and PNG only the first is kept
	Orientation   int           // 1 to 8 as in EXIF; 1 for upright. For a video it is of the picture's matrix
	Duration      time.Duration // of a video
	VideoCodec    string        // such as "avc1.64001f", as RFC 6381 has it; empty for a picture
	AudioCodec    string        // such as "mp4a.40.2"; empty for a picture and for a silent video
	Memory        int64         // bytes that decoding allocates at most; 0 for a video
}

// Processor checks and processes files within its limits, one at a time. Its methods may be called concurrently.
type Processor struct {
	limits Limits
	slot   chan struct{} // has room for the one file in work
}

// New returns a processor. A process has one, because files of two processors take memory at the same time.
func New(limits Limits) *Processor {
	return &Processor{limits: limits, slot: make(chan struct{}, 1)}
}

// acquire waits until no other file is in work. Call the returned function at the end.
func (p *Processor) acquire(ctx context.Context) (release func(), err error) {
	select {
	case p.slot <- struct{}{}:
		return func() { <-p.slot }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Check reads the headers of a file of size bytes, and refuses what Process or CopyVideo would refuse for them. It
// decodes nothing. A damaged picture below good headers passes.
//
// Errors of kind Invalid have the code [CodeUnsupported], [CodeTooLarge] or [CodeDamaged]; their text names the
// limit. A failure of r is Internal or what it says.
func (p *Processor) Check(ctx context.Context, r io.ReaderAt, size int64) (_ Info, err error) {
	defer errs.Wrap(&err, "media.Check(%d bytes)", size)
	release, err := p.acquire(ctx)
	if err != nil {
		return Info{}, err
	}
	defer release()
	up, err := p.open(r, size)
	if err != nil {
		return Info{}, err
	}
	return up.info, nil
}

// upload is a checked file.
type upload struct {
	info   Info
	data   []byte // a picture's bytes; nil for a video
	header header // of a picture
	movie  *movie // of a video
}

// open reads and checks a file. A picture is read whole, once: what is decoded is what was checked.
func (p *Processor) open(r io.ReaderAt, size int64) (*upload, error) {
	head := make([]byte, min(max(size, 0), SniffLen))
	if err := readAt(r, head, 0); err != nil {
		return nil, err
	}
	t, err := Sniff(head)
	if err != nil {
		return nil, err
	}
	if t == MP4 {
		if size > p.limits.VideoBytes {
			return nil, tooLarge("A video has at most %d MiB.", p.limits.VideoBytes>>20)
		}
		m, err := readMovie(r, size, p.limits)
		if err != nil {
			return nil, err
		}
		return &upload{info: m.info, movie: m}, nil
	}
	if t == AVIF {
		return nil, unsupported("AVIF is not taken. Send the picture as JPEG, PNG, WebP or GIF.")
	}
	if size > p.limits.PictureBytes {
		return nil, tooLarge("A picture has at most %d MiB.", p.limits.PictureBytes>>20)
	}
	data := make([]byte, size)
	if err := readAt(r, data, 0); err != nil {
		return nil, err
	}
	h, err := readHeader(t, data)
	if err != nil {
		return nil, err
	}
	if err := h.within(t, p.limits); err != nil {
		return nil, err
	}
	info := Info{Type: t, Size: size, Width: h.width, Height: h.height, Frames: h.frames, Animated: h.frames > 1,
		Orientation: h.orientation, Memory: h.memory}
	if h.orientation > 4 {
		info.Width, info.Height = h.height, h.width
	}
	return &upload{info: info, data: data, header: h}, nil
}

// readAt fills b. A file that is shorter than its stated size is a failure of the caller.
func readAt(r io.ReaderAt, b []byte, off int64) error {
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Hash is the SHA-256 of the uploaded bytes.
type Hash [sha256.Size]byte
