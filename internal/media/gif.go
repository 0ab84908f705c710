package media

import (
	"encoding/binary"
	"fmt"
)

// frameMemory is what image/gif keeps of a frame beside its pixels: a palette of 256 colors.
const frameMemory = 10 << 10

// readGIF walks the blocks of a GIF up to its trailer, and decompresses nothing.
func readGIF(data []byte) (h header, err error) {
	if len(data) < 13 {
		return h, errShort
	}
	h.width, h.height = int(binary.LittleEndian.Uint16(data[6:])), int(binary.LittleEndian.Uint16(data[8:]))
	largest := 0
	for at := 13 + colors(data[10]); at < len(data); {
		block := data[at]
		at++
		switch block {
		case 0x21: // an extension: a label, then sub-blocks
			at++
		case 0x2c:
			if len(data)-at < 9 {
				return h, errShort
			}
			d := data[at:]
			left, top := int(binary.LittleEndian.Uint16(d)), int(binary.LittleEndian.Uint16(d[2:]))
			width, height := int(binary.LittleEndian.Uint16(d[4:])), int(binary.LittleEndian.Uint16(d[6:]))
			if left+width > h.width || top+height > h.height {
				return h, fmt.Errorf("frame %d stands outside of the canvas", h.frames)
			}
			h.frames++
			h.framePixels += width * height
			largest = max(largest, width*height)
			at += 9 + colors(d[8]) + 1 // and the code size
		case 0x3b:
			if h.frames == 0 {
				return h, fmt.Errorf("no frame")
			}
			if h.frames == 1 {
				h.memory = int64(2 * largest)
			} else {
				h.memory = int64(h.framePixels + largest + h.frames*frameMemory)
			}
			return h, nil
		default:
			return h, fmt.Errorf("unknown block %#x", block)
		}
		for at < len(data) && data[at] != 0 {
			at += 1 + int(data[at])
		}
		at++
	}
	return h, errShort
}

// colors returns the bytes of a color table whose size the flags have.
func colors(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (1 + flags&7)
}
