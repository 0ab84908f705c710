package media

import (
	"bytes"
	"encoding/binary"
)

// maxScans bounds the scans of a JPEG. Encoders write some 10; each costs a pass over all blocks of the picture,
// however few bytes it has.
const maxScans = 64

// readJPEG walks the markers of a JPEG as image/jpeg does. The first frame header counts: image/jpeg refuses another
// one.
func readJPEG(data []byte) (h header, err error) {
	h.frames = 1
	scans, components, rgb := 0, 0, false
	for at := 2; ; {
		if at = nextMarker(data, at); at < 0 {
			return h, errShort
		}
		marker := data[at-1]
		switch {
		case marker == 0xd9: // the end of the picture: what follows is not read
			if scans == 0 {
				return h, errShort
			}
			if rgb && components == 3 { // image/jpeg makes a copy
				h.memory += 4 * h.pixels()
			}
			return h, nil
		case marker >= 0xd0 && marker <= 0xd7: // restarts have no length
			continue
		}
		if at+2 > len(data) {
			return h, errShort
		}
		end := at + int(binary.BigEndian.Uint16(data[at:]))
		if end < at+2 || end > len(data) {
			return h, errShort
		}
		body := data[at+2 : end]
		at = end
		switch {
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xcc:
			if h.width > 0 {
				return h, formError("The JPEG file has several frame headers.")
			}
			if err := readFrameHeader(&h, marker, body); err != nil {
				return h, err
			}
			components = int(body[5])
			rgb = rgb || components == 3 && body[6] == 'R' && body[9] == 'G' && body[12] == 'B'
		case marker == 0xda:
			if scans++; scans > maxScans {
				return h, formError("The JPEG file has too many scans.")
			}
			if h.width == 0 {
				return h, errShort
			}
		case marker == 0xe1 && h.orientation == 0:
			if exif, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok {
				h.orientation = orientationOf(exif)
			}
		case marker == 0xee:
			const transform = 11
			rgb = rgb || len(body) > transform && bytes.HasPrefix(body, []byte("Adobe")) && body[transform] == 0
		}
	}
}

// nextMarker returns the index after the code of the next marker, or -1. Stuffed bytes and stray bytes are passed
// over.
func nextMarker(data []byte, at int) int {
	for {
		i := bytes.IndexByte(data[at:], 0xff)
		if i < 0 {
			return -1
		}
		at += i
		for at < len(data) && data[at] == 0xff {
			at++
		}
		if at == len(data) {
			return -1
		}
		if at++; data[at-1] != 0 {
			return at
		}
	}
}

// readFrameHeader reads the size and form of a JPEG. The memory is that of image/jpeg: a byte a sample, and for a
// progressive file 4 bytes more.
func readFrameHeader(h *header, marker byte, body []byte) error {
	if marker > 0xc2 {
		return formError("The JPEG file has a form that is not taken: lossless, arithmetic or hierarchical.")
	}
	if len(body) < 6 || len(body) != 6+3*int(body[5]) {
		return errShort
	}
	h.height, h.width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	components := body[6:]
	if body[0] != 8 || len(components) != 3 && len(components) != 9 && len(components) != 12 {
		return formError("The JPEG file has a form that is not taken: 8 bits a sample and 1, 3 or 4 components are.")
	}
	blocks, most := 0, [2]int{1, 1} // a unit of the picture is as many blocks wide and high as the largest factors
	for c := components; len(c) > 0 && len(components) > 3; c = c[3:] {
		across, down := int(c[1]>>4), int(c[1]&15)
		blocks += across * down
		most[0], most[1] = max(most[0], across), max(most[1], down)
	}
	if len(components) == 3 {
		blocks = 1
	}
	if blocks == 0 {
		return errShort
	}
	units := ceil(h.width, 8*most[0]) * ceil(h.height, 8*most[1])
	samples := units * int64(blocks) * 64
	h.memory = samples
	if marker == 0xc2 {
		h.memory += 4 * samples
	}
	if len(components) == 12 {
		h.memory += 4 * h.pixels()
	}
	return nil
}

// ceil returns n divided by by, rounded up.
func ceil(n, by int) int64 { return (int64(n) + int64(by) - 1) / int64(by) }
