package media

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Bounds of an MP4 beside [Limits]. A video of 3 minutes has a moov box of some 300 KiB, and 43,000 samples at 240
// frames a second.
const (
	maxTopBoxes    = 256
	maxBoxes       = 256 // in one box
	maxBrands      = 1 << 10
	maxMovieBox    = 4 << 20
	maxSamples     = 200_000     // of a track
	maxVideoPixels = 36864 * 256 // what level 5.2 of H.264 decodes
)

// movie is a checked MP4, and what a safe copy of it has. The copy has as many bytes, so that offsets stay valid.
type movie struct {
	info  Info
	parts []part // of the whole file, in order
}

// part is a range of a file: new bytes, bytes of the upload, or zeros.
type part struct {
	size int64
	data []byte // new bytes; nil for the others
	keep bool   // bytes of the upload
}

// topBox is a box of the file itself.
type topBox struct {
	name       string
	at         int64
	header     int64 // bytes of the header: 8 or 16
	size       int64 // with the header
	headerData []byte
}

func (b topBox) body() span { return span{b.at + b.header, b.at + b.size} }

// span is a half-open range of bytes of a file.
type span struct{ from, to int64 }

// readMovie reads the boxes of an MP4 of ISO/IEC 14496-12 and -14, and refuses what is not one H.264 track with at
// most one AAC track, in one piece. It reads headers and the box moov.
func readMovie(r io.ReaderAt, size int64, l Limits) (*movie, error) {
	tops, err := topBoxes(r, size)
	if err != nil {
		return nil, movieError(err)
	}
	var moov []byte
	var data []span
	for i, b := range tops {
		switch b.name {
		case "ftyp":
			if i != 0 || b.size > maxBrands {
				return nil, damaged(MP4, "ftyp %d has %d bytes", i, b.size)
			}
		case "moov":
			if moov != nil {
				return nil, damaged(MP4, "a second moov")
			}
			if b.size > maxMovieBox {
				return nil, tooLarge("The index of an MP4 file has at most %d MiB.", maxMovieBox>>20)
			}
			moov = make([]byte, b.size)
			if err := readAt(r, moov, b.at); err != nil {
				return nil, err
			}
			if binary.BigEndian.Uint32(moov) == 0 { // up to the end of the file
				binary.BigEndian.PutUint32(moov, uint32(b.size))
			}
		case "mdat":
			data = append(data, b.body())
		case "moof", "mfra":
			return nil, unsupported("The MP4 file is fragmented. Send one that is in one piece.")
		}
	}
	if moov == nil {
		return nil, damaged(MP4, "no moov")
	}
	c := cleaner{data: data, limits: l}
	if err := c.movie(moov); err != nil {
		return nil, movieError(err)
	}
	c.info.Type, c.info.Size = MP4, size
	return &movie{c.info, parts(tops, moov, c.keep)}, nil
}

// movieError returns the error for the public.
func movieError(err error) error {
	var form formError
	if errors.As(err, &form) {
		return unsupported("%s", string(form))
	}
	if limit, ok := errors.AsType[limitError](err); ok {
		return tooLarge("%s", string(limit))
	}
	if _, ok := errors.AsType[readError](err); ok {
		return err
	}
	return damaged(MP4, "%w", err)
}

// limitError is a limit of a video, as a sentence for the public.
type limitError string

func (e limitError) Error() string { return string(e) }

// readError is a failure of the reader.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

// topBoxes reads the headers of the boxes of a file. They cover it without a gap.
func topBoxes(r io.ReaderAt, size int64) (all []topBox, err error) {
	for at := int64(0); at < size; {
		if len(all) == maxTopBoxes {
			return nil, errors.New("too many boxes")
		}
		head := make([]byte, min(16, size-at))
		if err := readAt(r, head, at); err != nil {
			return nil, readError{err}
		}
		n, header, err := boxSize(head, size-at)
		if err != nil {
			return nil, err
		}
		b := topBox{string(head[4:8]), at, header, n, head[:header]}
		if at == 0 && b.name != "ftyp" {
			return nil, errors.New("no ftyp")
		}
		all = append(all, b)
		at += n
	}
	return all, nil
}

// boxSize returns the size of a box with its header, of the bytes that are left, and that of the header. The size 0
// means all that is left.
func boxSize(head []byte, left int64) (size, header int64, err error) {
	if len(head) < 8 {
		return 0, 0, errShort
	}
	n, header := uint64(binary.BigEndian.Uint32(head)), int64(8)
	switch n {
	case 0:
		n = uint64(left)
	case 1:
		if len(head) < 16 {
			return 0, 0, errShort
		}
		n, header = binary.BigEndian.Uint64(head[8:]), 16
	}
	if n < uint64(header) || n > uint64(left) {
		return 0, 0, fmt.Errorf("a box %q of %d bytes where %d are left", head[4:8], n, left)
	}
	return int64(n), header, nil
}

// parts returns what a safe copy has: known brands, the cleaned moov, of the data the ranges to keep, and zeros in
// boxes that are named free.
func parts(tops []topBox, moov []byte, keep []span) (all []part) {
	for _, b := range tops {
		head := slices.Clone(b.headerData)
		switch b.name {
		case "ftyp":
			body := make([]byte, b.size-b.header)
			copy(body, "isom\x00\x00\x02\x00")
			brands := []string{"isom", "iso2", "avc1", "mp41"}
			for i := 8; i+4 <= len(body); i += 4 {
				copy(body[i:], brands[i/4%len(brands)])
			}
			all = append(all, part{b.header, head, false}, part{b.size - b.header, body, false})
			continue
		case "moov":
			all = append(all, part{b.size, moov, false})
			continue
		case "mdat":
		default:
			copy(head[4:], "free")
		}
		all = append(all, part{b.header, head, false})
		at := b.at + b.header
		for len(keep) > 0 && b.name == "mdat" && keep[0].from < b.at+b.size {
			all = append(all, part{keep[0].from - at, nil, false}, part{keep[0].to - keep[0].from, nil, true})
			at, keep = keep[0].to, keep[1:]
		}
		all = append(all, part{b.at + b.size - at, nil, false})
	}
	return slices.DeleteFunc(all, func(p part) bool { return p.size == 0 })
}

// seconds converts a number of units of a scale. The result is capped far above each limit.
func seconds(units uint64, scale uint32) time.Duration {
	if scale == 0 {
		return 0
	}
	const most = 1 << 30 // seconds
	if units/uint64(scale) > most {
		return most * time.Second
	}
	return time.Duration(float64(units) / float64(scale) * float64(time.Second))
}
