package media

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
)

// Bits of the first byte of VP8X.
const (
	webpAnimated = 1 << 1
	webpAlpha    = 1 << 4
)

// Memory of a VP8L stream in golang.org/x/image/vp8l: the pixels, a copy while a palette is applied, and tiles; and
// the Huffman trees, at most 2,600 groups of 56 KiB, each of which a stream describes in 220 bytes.
const (
	losslessPixel     = 6.75
	losslessTrees     = 2600 * (40960 + 3*4096 + 640 + 2680)
	losslessTreeBytes = 256
)

// readWebP walks the chunks of a WebP. The size of the canvas must be that of the picture; an animation shows its
// first frame. The picture becomes a file of its own, h.first: golang.org/x/image/webp reads no animation, and
// refuses a canvas that announces transparency without having it.
func readWebP(data []byte) (h header, err error) {
	end := 8 + int64(binary.LittleEndian.Uint32(data[4:]))
	if len(data) < 20 || end > int64(len(data)) {
		return h, errShort
	}
	chunks := riff{data[12:end]}
	var still []chunk
	var canvas *chunk
	for len(chunks.rest) > 0 {
		c, err := chunks.next()
		if err != nil {
			return h, err
		}
		switch c.name {
		case "VP8X":
			if canvas != nil || len(c.body) != 10 {
				return h, errors.New("the canvas is wrong")
			}
			canvas = &c
			h.width, h.height = 1+uint24(c.body[4:]), 1+uint24(c.body[7:])
		case "ALPH", "VP8 ", "VP8L":
			if h.frames > 0 {
				return h, errors.New("a picture beside frames")
			}
			still = append(still, c)
		case "ANMF":
			if canvas == nil || len(still) > 0 || len(c.body) < 16 {
				return h, errors.New("a frame without a canvas")
			}
			if h.frames++; h.frames == 1 {
				if err := firstFrame(&h, c.body); err != nil {
					return h, err
				}
			}
		case "EXIF":
			exif := c.body
			if len(exif) > 6 && string(exif[:6]) == "Exif\x00\x00" {
				exif = exif[6:]
			}
			h.orientation = orientationOf(exif)
		}
	}
	if h.frames > 0 {
		return h, nil
	}
	if canvas != nil && canvas.body[0]&webpAnimated != 0 {
		return h, errors.New("an animation without frames")
	}
	h.frames = 1
	width, height, memory, err := readStream(still)
	if err != nil {
		return h, err
	}
	if canvas != nil && (h.width != width || h.height != height) {
		return h, fmt.Errorf("the canvas has %d x %d pixels, the picture %d x %d", h.width, h.height, width, height)
	}
	h.width, h.height, h.first = width, height, writeWebP(width, height, still)
	h.memory = memory + int64(len(h.first))
	return h, nil
}

// firstFrame reads the body of an ANMF chunk.
func firstFrame(h *header, body []byte) error {
	at := image.Pt(2*uint24(body), 2*uint24(body[3:]))
	width, height := 1+uint24(body[6:]), 1+uint24(body[9:])
	if at.X+width > h.width || at.Y+height > h.height {
		return errors.New("a frame stands outside of the canvas")
	}
	var still []chunk
	for chunks := (riff{body[16:]}); len(chunks.rest) > 0; {
		c, err := chunks.next()
		if err != nil {
			return err
		}
		if c.name == "ALPH" || c.name == "VP8 " || c.name == "VP8L" {
			still = append(still, c)
		}
	}
	w, ht, memory, err := readStream(still)
	if err != nil {
		return err
	}
	if w != width || ht != height {
		return fmt.Errorf("the frame has %d x %d pixels, its picture %d x %d", width, height, w, ht)
	}
	h.firstAt, h.first = at, writeWebP(w, ht, still)
	h.memory = memory + int64(len(h.first))
	return nil
}

// readStream reads the size of a picture in its chunks: VP8L, or VP8 with or without ALPH before it.
func readStream(chunks []chunk) (width, height int, memory int64, err error) {
	var alpha *chunk
	if len(chunks) == 2 && chunks[0].name == "ALPH" && chunks[1].name == "VP8 " {
		alpha, chunks = &chunks[0], chunks[1:]
	}
	if len(chunks) != 1 {
		return 0, 0, 0, fmt.Errorf("%d streams of pixels", len(chunks))
	}
	b := chunks[0].body
	switch chunks[0].name {
	case "VP8L":
		if len(b) < 5 || b[0] != 0x2f {
			return 0, 0, 0, errShort
		}
		bits := binary.LittleEndian.Uint32(b[1:])
		width, height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
		return width, height, lossless(width, height, len(b)), nil
	case "VP8 ":
		if len(b) < 10 || b[0]&1 != 0 || b[3] != 0x9d || b[4] != 0x01 || b[5] != 0x2a {
			return 0, 0, 0, errShort
		}
		width = int(binary.LittleEndian.Uint16(b[6:]) & 0x3fff)
		height = int(binary.LittleEndian.Uint16(b[8:]) & 0x3fff)
		memory = ceil(width, 16)*ceil(height, 16)*(16*16*3/2+8) + int64(len(b))
		if alpha != nil {
			memory += int64(width)*int64(height) + lossless(width, height, len(alpha.body))
		}
		return width, height, memory, nil
	}
	return 0, 0, 0, errors.New("transparency without a picture")
}

func lossless(width, height, bytes int) int64 {
	return int64(losslessPixel*float64(width)*float64(height)) + min(losslessTreeBytes*int64(bytes), losslessTrees)
}

// writeWebP writes a file with the chunks of one picture.
func writeWebP(width, height int, chunks []chunk) []byte {
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	if len(chunks) > 1 {
		canvas := make([]byte, 10)
		canvas[0] = webpAlpha
		putUint24(canvas[4:], width-1)
		putUint24(canvas[7:], height-1)
		chunks = append([]chunk{{"VP8X", canvas}}, chunks...)
	}
	for _, c := range chunks {
		out = append(out, c.name...)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(c.body)))
		out = append(out, c.body...)
		if len(c.body)%2 != 0 {
			out = append(out, 0)
		}
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// riff reads chunks one after the other.
type riff struct{ rest []byte }

type chunk struct {
	name string
	body []byte
}

func (r *riff) next() (chunk, error) {
	if len(r.rest) < 8 {
		return chunk{}, errShort
	}
	n := int64(binary.LittleEndian.Uint32(r.rest[4:]))
	if n > int64(len(r.rest)-8) {
		return chunk{}, errShort
	}
	c := chunk{string(r.rest[:4]), r.rest[8 : 8+n]}
	r.rest = r.rest[min(8+n+n%2, int64(len(r.rest))):] // a chunk of an odd length has a byte more
	return c, nil
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

func putUint24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }
