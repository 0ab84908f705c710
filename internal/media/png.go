package media

import (
	"encoding/binary"
	"fmt"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

// readPNG walks the chunks of a PNG up to its end. An animated PNG has the frames of its control chunk; image/png
// decodes the default picture alone.
func readPNG(data []byte) (h header, err error) {
	h.frames = 1
	var depth, color, interlace byte
	transparent, pixels := false, false
	for at := len(pngMagic); ; {
		if len(data)-at < 12 {
			return h, errShort
		}
		length, name := int64(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
		if length > int64(len(data)-at-12) {
			return h, errShort
		}
		body := data[at+8 : at+8+int(length)]
		at += 12 + int(length)
		if (h.width == 0) != (name == "IHDR") {
			return h, fmt.Errorf("chunk %q is not where it belongs", name)
		}
		switch name {
		case "IHDR":
			if length != 13 || binary.BigEndian.Uint32(body) == 0 || binary.BigEndian.Uint32(body) > 1<<31-1 ||
				binary.BigEndian.Uint32(body[4:]) > 1<<31-1 {
				return h, fmt.Errorf("the header is wrong")
			}
			h.width, h.height = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
			depth, color, interlace = body[8], body[9], body[12]
		case "acTL":
			if length != 8 {
				return h, fmt.Errorf("the animation control is wrong")
			}
			h.frames = max(1, int(binary.BigEndian.Uint32(body)))
		case "tRNS":
			transparent = true
		case "eXIf":
			h.orientation = orientationOf(body)
		case "IDAT":
			pixels = true
		case "IEND":
			if !pixels {
				return h, errShort
			}
			h.memory = pngMemory(h, depth, color, transparent)
			if interlace != 0 {
				h.memory *= 2 // each pass is a picture too, and all of them are as large as the whole
			}
			return h, nil
		}
	}
}

// pngMemory returns the bytes of the picture that image/png makes.
func pngMemory(h header, depth, color byte, transparent bool) int64 {
	const gray, indexed = 0, 3
	bytes := int64(4)
	if color == indexed || color == gray && !transparent {
		bytes = 1
	}
	if depth == 16 {
		bytes *= 2
	}
	// A side may have 31 bits, and the product of all more than 63.
	if h.pixels() > 1<<40 {
		return 1 << 44
	}
	return bytes * h.pixels()
}
