package media

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"

	"golang.org/x/image/webp"

	"github.com/hibana-sns/hibana/internal/safely"
)

// decoded is a decoded file.
type decoded struct {
	still  image.Image // may cover a part of the canvas only
	at     image.Point // what to add to the points of still
	canvas image.Rectangle
	gif    *gif.GIF // an animation; nil for other files
}

// freshMemory is the memory of a picture that is decoded only after the garbage of the picture before it is
// collected.
const freshMemory = 64 << 20

// decode decodes a checked picture. A panic of a decoder is damage of the file.
func decode(up *upload) (d decoded, err error) {
	t, r := up.info.Type, bytes.NewReader(up.data)
	if up.info.Memory > freshMemory {
		runtime.GC()
	}
	d.canvas = image.Rect(0, 0, up.header.width, up.header.height)
	err = safely.Do(func() (err error) {
		switch t {
		case JPEG:
			d.still, err = jpeg.Decode(r)
		case PNG:
			d.still, err = png.Decode(r)
		case WebP:
			d.still, err = webp.Decode(bytes.NewReader(up.header.first))
			d.at = up.header.firstAt
		case GIF:
			if !up.info.Animated {
				d.still, err = gif.Decode(r)
				break
			}
			if d.gif, err = gif.DecodeAll(r); err == nil {
				d.still = d.gif.Image[0]
			}
		default:
			err = fmt.Errorf("no decoder of %s", t)
		}
		return err
	})
	if err != nil {
		return decoded{}, damaged(t, "decode: %w", err)
	}
	if part := d.still.Bounds().Add(d.at); !part.In(d.canvas) || t != GIF && t != WebP && part != d.canvas ||
		d.gif != nil && len(d.gif.Image) != up.info.Frames {
		return decoded{}, damaged(t, "decoded %v of %v", part, d.canvas)
	}
	return d, nil
}
