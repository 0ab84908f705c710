package media

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
)

// header is what the headers of a picture say, in the pixels that are stored.
type header struct {
	width, height int
	frames        int
	framePixels   int         // pixels of all frames of a GIF
	orientation   int         // 1 to 8
	memory        int64       // bytes that the decoder allocates at most, with the file itself
	first         []byte      // of a WebP: a file with the picture alone, or the first frame of an animation
	firstAt       image.Point // where the first frame of an animated WebP stands
}

// errShort ends the walk through a file that stops in the middle of something.
var errShort = errors.New("the file ends early")

// readHeader reads the headers of a picture.
func readHeader(t Type, data []byte) (header, error) {
	var h header
	var err error
	switch t {
	case JPEG:
		h, err = readJPEG(data)
	case PNG:
		h, err = readPNG(data)
	case WebP:
		h, err = readWebP(data)
	case GIF:
		h, err = readGIF(data)
	default:
		err = fmt.Errorf("no reader of %s", t)
	}
	var form formError
	switch {
	case errors.As(err, &form):
		return header{}, unsupported("%s", string(form))
	case err != nil:
		return header{}, damaged(t, "%w", err)
	case h.width < 1 || h.height < 1:
		return header{}, damaged(t, "%d x %d pixels", h.width, h.height)
	}
	h.memory += int64(len(data))
	h.orientation = max(h.orientation, 1)
	return h, nil
}

// formError is a form of a file that is not taken, as a sentence for the public.
type formError string

func (e formError) Error() string { return string(e) }

// pixels returns width times height, for sides of at most 32 bits.
func (h header) pixels() int64 { return int64(h.width) * int64(h.height) }

// within checks the limits of a picture.
func (h header) within(t Type, l Limits) error {
	switch {
	case h.width > l.Side || h.height > l.Side:
		return tooLarge("A picture is at most %d pixels wide and high, and this one has %d x %d.", l.Side, h.width, h.height)
	case h.pixels() > int64(l.Pixels):
		return tooLarge("A picture has at most %.1f megapixels, and this one has %.1f.", mega(int64(l.Pixels)),
			mega(h.pixels()))
	case h.frames > l.Frames:
		return tooLarge("An animation has at most %d frames.", l.Frames)
	case t == GIF && h.frames > 1 && (h.width > l.GIFSide || h.height > l.GIFSide):
		return tooLarge("An animated GIF is at most %d pixels wide and high, and this one has %d x %d.", l.GIFSide, h.width,
			h.height)
	case t == GIF && h.frames > 1 && h.framePixels > l.FramePixels:
		return tooLarge("The frames of an animated GIF have at most %.1f megapixels together, and these have %.1f.",
			mega(int64(l.FramePixels)), mega(int64(h.framePixels)))
	case h.memory > l.Memory:
		return tooLarge("A %s picture of this form has at most %.1f megapixels, and this one has %.1f.", t.name(),
			mega(h.pixels()*l.Memory/h.memory), mega(h.pixels()))
	}
	return nil
}

// mega counts in millions.
func mega(n int64) float64 { return float64(n) / 1e6 }

// orientationOf returns the orientation in the EXIF of a picture, 1 to 8, or 0 if there is none. EXIF that is damaged
// has none: a viewer shows such a picture as it is stored.
func orientationOf(exif []byte) int {
	if len(exif) < 8 {
		return 0
	}
	var order binary.ByteOrder
	switch string(exif[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0
	}
	at := uint64(order.Uint32(exif[4:]))
	if at+2 > uint64(len(exif)) {
		return 0
	}
	const entry, orientation, short = 12, 0x0112, 3
	n := int(order.Uint16(exif[at:]))
	for rest := exif[at+2:]; n > 0 && len(rest) >= entry; n, rest = n-1, rest[entry:] {
		if order.Uint16(rest) != orientation {
			continue
		}
		if o := int(order.Uint16(rest[8:])); order.Uint16(rest[2:]) == short && order.Uint32(rest[4:]) == 1 && o >= 1 &&
			o <= 8 {
			return o
		}
		return 0
	}
	return 0
}
