package media

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/bbrks/go-blurhash"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Kind is what a picture is for. It decides which sizes are made.
type Kind uint8

// The kinds. No picture is made larger than it is: a size says the most.
const (
	Attachment Kind = iota // of a post: small within 400 x 400, large within 1600 x 1600
	Avatar                 // the middle square: small 96 x 96, large 400 x 400
	Banner                 // the middle of a profile's header, 3 to 1: small 600 x 200, large 1500 x 500
	Thumbnail              // of a linked page: one size within 400 x 400
)

// kinds has for each kind the largest sizes, and whether the picture is cut to their form.
var kinds = [...]struct {
	small, large image.Point
	cut          bool
}{
	Attachment: {image.Pt(400, 400), image.Pt(1600, 1600), false},
	Avatar:     {image.Pt(96, 96), image.Pt(400, 400), true},
	Banner:     {image.Pt(600, 200), image.Pt(1500, 500), true},
	Thumbnail:  {image.Pt(400, 400), image.Pt(400, 400), false},
}

// jpegQuality is the quality of pictures without transparency.
const jpegQuality = 82

// Picture is one encoded size.
type Picture struct {
	Type          Type // JPEG; PNG for a picture with transparency; GIF for an animation
	Width, Height int
	Data          []byte // shared by Small and Large if they are the same
}

// Result is a picture that is safe to serve, in its sizes. Nothing of the upload is in it but pixels: neither
// metadata nor a color profile, whose colors are taken for sRGB. A browser must be told the types and not guess them
// (header X-Content-Type-Options: nosniff), because pixels can be chosen so that they read like something else.
type Result struct {
	Info      Info
	Hash      Hash // of the upload
	Small     Picture
	Large     Picture
	Animation *Picture // all frames of an animated GIF for the kind Attachment, in their own size; otherwise nil
	BlurHash  string   // of Small, with 4 x 3 components, or 3 x 4 for a high picture
	Color     string   // mean color of Small, such as "#ff8800"; transparent pixels do not count
}

// Process checks and decodes a picture of size bytes, and encodes the sizes of its kind. It waits until the pictures
// before it are done. It needs the memory that [Info.Memory] says and some 30 MiB. A JPEG of 12 megapixels takes half
// a second.
//
// Errors are those of [Processor.Check]; a video is unsupported.
func (p *Processor) Process(ctx context.Context, r io.ReaderAt, size int64, kind Kind) (_ *Result, err error) {
	defer errs.Wrap(&err, "media.Process(%d bytes, kind %d)", size, kind)
	if int(kind) >= len(kinds) {
		return nil, fmt.Errorf("no kind %d", kind)
	}
	release, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	up, err := p.open(r, size)
	if err != nil {
		return nil, err
	}
	if up.movie != nil {
		return nil, unsupported("A video cannot stand where a picture is wanted.")
	}
	result := &Result{Info: up.info, Hash: sha256.Sum256(up.data)}
	d, err := decode(up)
	if err != nil {
		return nil, err
	}
	up.data, up.header.first = nil, nil
	large := scale(d.still, d.at, shapeOf(up, kind))
	d.still = nil // its memory serves what follows
	small := scale(large, image.Point{}, shape{1, large.Rect, fit(large.Rect.Max, kinds[kind].small)})
	if d.gif != nil && kind == Attachment {
		if result.Animation, err = animate(d.gif, p.limits); err != nil {
			return nil, err
		}
	}
	d.gif = nil
	if result.Small, err = encode(small); err != nil {
		return nil, err
	}
	result.Large = result.Small
	if large.Rect != small.Rect {
		if result.Large, err = encode(large); err != nil {
			return nil, err
		}
	}
	result.BlurHash, result.Color, err = blur(small)
	return result, err
}

// shapeOf returns the shape of the large size.
func shapeOf(up *upload, kind Kind) shape {
	size := image.Pt(up.info.Width, up.info.Height)
	s := shape{orientation: up.info.Orientation, crop: image.Rect(0, 0, up.header.width, up.header.height)}
	if kinds[kind].cut {
		form := kinds[kind].large
		cut := image.Pt(size.X, max(1, size.X*form.Y/form.X))
		if cut.Y > size.Y {
			cut = image.Pt(max(1, size.Y*form.X/form.Y), size.Y)
		}
		size = cut
		if s.orientation > 4 {
			cut = image.Pt(cut.Y, cut.X)
		}
		corner := s.crop.Max.Sub(cut).Div(2)
		s.crop = image.Rectangle{corner, corner.Add(cut)}
	}
	s.size = fit(size, kinds[kind].large)
	return s
}

// fit returns the largest size of the form of size that is neither larger than size nor than most.
func fit(size, most image.Point) image.Point {
	if size.X <= most.X && size.Y <= most.Y {
		return size
	}
	if size.X*most.Y >= size.Y*most.X { // the width decides
		return image.Pt(most.X, max(1, (size.Y*most.X+size.X/2)/size.X))
	}
	return image.Pt(max(1, (size.X*most.Y+size.Y/2)/size.Y), most.Y)
}

func encode(m *image.RGBA) (Picture, error) {
	var b bytes.Buffer
	out := Picture{Type: JPEG, Width: m.Rect.Dx(), Height: m.Rect.Dy()}
	var err error
	if m.Opaque() {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: jpegQuality})
	} else {
		out.Type = PNG
		err = png.Encode(&b, m)
	}
	out.Data = b.Bytes()
	return out, err
}

// animate encodes the frames of an animation anew, with their times, places and palettes. It is bounded: frames that
// compressed well may compress badly here.
func animate(g *gif.GIF, l Limits) (*Picture, error) {
	w := &bounded{most: int(l.PictureBytes)}
	if err := gif.EncodeAll(w, g); err != nil {
		if w.full {
			return nil, tooLarge("The frames of an animated GIF have at most %d MiB when they are encoded.", l.PictureBytes>>20)
		}
		return nil, damaged(GIF, "encode: %w", err)
	}
	return &Picture{GIF, g.Config.Width, g.Config.Height, w.Bytes()}, nil
}

// bounded is a buffer that fails when it is full.
type bounded struct {
	bytes.Buffer
	most int
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		b.full = true
		return 0, io.ErrShortWrite
	}
	return b.Buffer.Write(p)
}

func (b *bounded) WriteByte(c byte) error {
	_, err := b.Write([]byte{c})
	return err
}

// blur returns the BlurHash and the mean color of a picture.
func blur(m *image.RGBA) (hash, mean string, err error) {
	const most = 32 // pixels: the hash has no more than 4 waves
	tiny := scale(m, image.Point{}, shape{1, m.Rect, fit(m.Rect.Max, image.Pt(most, most))})
	var sum [4]int
	for i, v := range tiny.Pix {
		sum[i%4] += int(v)
	}
	c := color.RGBA{A: 255}
	if sum[3] > 0 {
		c.R, c.G, c.B = uint8(255*sum[0]/sum[3]), uint8(255*sum[1]/sum[3]), uint8(255*sum[2]/sum[3])
	}
	// The hash has no transparency: the mean shines through.
	for i := 0; i < len(tiny.Pix); i += 4 {
		p := tiny.Pix[i : i+4]
		through := 255 - int(p[3])
		p[0] += uint8(int(c.R) * through / 255)
		p[1] += uint8(int(c.G) * through / 255)
		p[2] += uint8(int(c.B) * through / 255)
		p[3] = 255
	}
	x, y := 4, 3
	if tiny.Rect.Dy() > tiny.Rect.Dx() {
		x, y = 3, 4
	}
	hash, err = blurhash.Encode(x, y, tiny)
	return hash, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), err
}
