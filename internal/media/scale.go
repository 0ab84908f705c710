package media

import (
	"image"
	"image/draw"
)

// shape is how to show a decoded picture: a part of it, turned upright and made smaller.
type shape struct {
	orientation int             // 1 to 8 as in EXIF
	crop        image.Rectangle // part of the canvas, in stored pixels
	size        image.Point     // target, as shown
}

// scale returns the shape of a picture as new pixels. A target pixel is the mean of the source pixels below it, each
// by the area that it shares: nothing is sharpened, and no detail becomes a pattern. Pixels are averaged with their
// transparency, in the encoding of sRGB as browsers do.
//
// The scalers of golang.org/x/image/draw would need 32 bytes for each target column of each source row. This one
// reads the source a few rows at a time, and needs the target and two rows.
func scale(src image.Image, at image.Point, s shape) *image.RGBA {
	turned := s.orientation > 4
	w, h := s.size.X, s.size.Y // as stored
	if turned {
		w, h = h, w
	}
	dst := image.NewRGBA(image.Rectangle{Max: s.size})
	across, down := weights(s.crop.Dx(), w), weights(s.crop.Dy(), h)
	strip := image.NewRGBA(image.Rect(0, 0, s.crop.Dx(), 16))
	row, sum := make([]float32, 4*w), make([]float32, 4*w)
	for y := 0; y < s.crop.Dy(); y++ {
		if y%16 == 0 {
			clear(strip.Pix)
			from := s.crop.Min.Add(image.Pt(0, y)).Sub(at)
			part := src.Bounds().Intersect(image.Rectangle{from, from.Add(image.Pt(s.crop.Dx(), min(16, s.crop.Dy()-y)))})
			draw.Draw(strip, part.Sub(from), src, part.Min, draw.Src)
		}
		narrow(row, strip.Pix[y%16*strip.Stride:][:4*s.crop.Dx()], across)
		// A source row belongs to one target row, or to two that meet within it.
		for _, part := range down[y] {
			if part.share == 0 {
				continue
			}
			for i, v := range row {
				sum[i] += v * part.share
			}
			if part.last {
				for x := range w {
					put(dst, place(s.orientation, x, part.to, w, h), sum[4*x:4*x+4])
				}
				clear(sum)
			}
		}
	}
	return dst
}

// piece is the share of a source line in the mean of a target line.
type piece struct {
	to    int
	share float32
	last  bool // the target line is complete
}

// weights returns for each of from lines the target lines, of to, that it falls into. from is at least to.
func weights(from, to int) [][2]piece {
	all := make([][2]piece, from)
	for i := range all {
		// In units of 1/to of a source line, the line reaches from begin to end, and a target line has from of them.
		begin, end := i*to, (i+1)*to
		first := begin / from
		edge := (first + 1) * from
		if end < edge {
			all[i][0] = piece{first, float32(end-begin) / float32(from), false}
			continue
		}
		all[i][0] = piece{first, float32(edge-begin) / float32(from), true}
		if end > edge {
			all[i][1] = piece{first + 1, float32(end-edge) / float32(from), false}
		}
	}
	return all
}

// narrow sets row to the means of a line of pixels.
func narrow(row []float32, pix []uint8, across [][2]piece) {
	clear(row)
	for x := range across {
		p := pix[4*x : 4*x+4 : 4*x+4]
		r, g, b, a := float32(p[0]), float32(p[1]), float32(p[2]), float32(p[3])
		first := &across[x][0]
		out := row[4*first.to : 4*first.to+4 : 4*first.to+4]
		out[0] += r * first.share
		out[1] += g * first.share
		out[2] += b * first.share
		out[3] += a * first.share
		if second := &across[x][1]; second.share > 0 {
			out := row[4*second.to : 4*second.to+4 : 4*second.to+4]
			out[0] += r * second.share
			out[1] += g * second.share
			out[2] += b * second.share
			out[3] += a * second.share
		}
	}
}

// put sets a pixel to a mean. No color is above the transparency, whatever the rounding.
func put(dst *image.RGBA, at image.Point, mean []float32) {
	p := dst.Pix[dst.PixOffset(at.X, at.Y):][:4:4]
	p[3] = uint8(min(mean[3]+0.5, 255))
	for i := range 3 {
		p[i] = min(uint8(min(mean[i]+0.5, 255)), p[3])
	}
}

// place returns where a stored point of a picture of w x h pixels is shown.
func place(orientation, x, y, w, h int) image.Point {
	switch orientation {
	case 2:
		return image.Pt(w-1-x, y)
	case 3:
		return image.Pt(w-1-x, h-1-y)
	case 4:
		return image.Pt(x, h-1-y)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(h-1-y, x)
	case 7:
		return image.Pt(h-1-y, w-1-x)
	case 8:
		return image.Pt(y, w-1-x)
	}
	return image.Pt(x, y)
}
