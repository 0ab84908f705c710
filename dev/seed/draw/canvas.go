// Package draw draws the pictures of the seed: avatars, wide pictures of profiles, scenes for posts, and goods of the
// shop. Each is made of shapes and gradients, and the same name always draws the same picture.
package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"golang.org/x/image/vector"
)

// canvas is a picture in the making. It is 100 units high, and as many wide as its sides have it; y grows downward.
type canvas struct {
	img  *image.RGBA
	unit float64 // pixels in a unit
	wide float64 // units
	r    *rand.Rand
}

type point struct{ x, y float64 }

// paint is a color as 0xRRGGBB.
type paint uint32

func newCanvas(name string, width, height int) *canvas {
	var seed uint64 = 14695981039346656037
	for _, b := range []byte(name) {
		seed = (seed ^ uint64(b)) * 1099511628211
	}
	unit := float64(height) / 100
	return &canvas{image.NewRGBA(image.Rect(0, 0, width, height)), unit, float64(width) / unit,
		rand.New(rand.NewPCG(seed, 0x68616e61))}
}

// rgb are red, green and blue, from 0 to 255 each.
func (p paint) rgb() (r, g, b float64) {
	return float64(p >> 16 & 255), float64(p >> 8 & 255), float64(p & 255)
}

// with is the color with an opacity from 0 to 1.
func (p paint) with(opacity float64) color.NRGBA {
	return color.NRGBA{uint8(p >> 16), uint8(p >> 8), uint8(p), uint8(255 * min(max(opacity, 0), 1))}
}

// mix is the color on the way from p to q: 0 is p, and 1 is q.
func (p paint) mix(q paint, way float64) paint {
	r1, g1, b1 := p.rgb()
	r2, g2, b2 := q.rgb()
	of := func(a, b float64) paint { return paint(a + (b-a)*way + 0.5) }
	return of(r1, r2)<<16 | of(g1, g2)<<8 | of(b1, b2)
}

// sky fills the picture from top to bottom with colors that pass into each other.
func (c *canvas) sky(stops ...paint) {
	b := c.img.Bounds()
	for y := range b.Dy() {
		at := float64(y) / float64(b.Dy()) * float64(len(stops)-1)
		n := min(int(at), len(stops)-2)
		of := stops[n].mix(stops[n+1], at-float64(n)).with(1)
		draw.Draw(c.img, image.Rect(0, y, b.Dx(), y+1), image.NewUniform(of), image.Point{}, draw.Src)
	}
}

// path is an outline of lines and curves.
type path struct {
	c         *canvas
	points    []point // in pixels
	kinds     []int   // of each part, how many points it has
	low, high point   // around all points
}

func (c *canvas) path(x, y float64) *path {
	p := &path{c: c, low: point{math.Inf(1), math.Inf(1)}, high: point{math.Inf(-1), math.Inf(-1)}}
	return p.add(point{x, y})
}

func (p *path) add(points ...point) *path {
	p.kinds = append(p.kinds, len(points))
	for _, q := range points {
		q = point{q.x * p.c.unit, q.y * p.c.unit}
		p.points = append(p.points, q)
		p.low = point{min(p.low.x, q.x), min(p.low.y, q.y)}
		p.high = point{max(p.high.x, q.x), max(p.high.y, q.y)}
	}
	return p
}

func (p *path) line(x, y float64) *path { return p.add(point{x, y}) }

// curve is a quadratic one: (x1, y1) pulls it.
func (p *path) curve(x1, y1, x, y float64) *path { return p.add(point{x1, y1}, point{x, y}) }

func (p *path) cubic(x1, y1, x2, y2, x, y float64) *path {
	return p.add(point{x1, y1}, point{x2, y2}, point{x, y})
}

// fill closes the path and paints its inside. It looks only at the pixels around the path, because a picture has
// thousands of small ones.
func (p *path) fill(of paint, opacity float64) {
	all := image.Rect(int(p.low.x), int(p.low.y), int(p.high.x)+2, int(p.high.y)+2)
	at := all.Intersect(p.c.img.Bounds())
	if at.Empty() {
		return
	}
	v := vector.NewRasterizer(at.Dx(), at.Dy())
	points := p.points
	next := func() (x, y float32) {
		q := points[0]
		points = points[1:]
		return float32(q.x - float64(at.Min.X)), float32(q.y - float64(at.Min.Y))
	}
	v.MoveTo(next())
	for _, kind := range p.kinds[1:] {
		var of [6]float32
		for i := range kind {
			of[2*i], of[2*i+1] = next()
		}
		switch kind {
		case 1:
			v.LineTo(of[0], of[1])
		case 2:
			v.QuadTo(of[0], of[1], of[2], of[3])
		default:
			v.CubeTo(of[0], of[1], of[2], of[3], of[4], of[5])
		}
	}
	v.ClosePath()
	v.Draw(p.c.img, at, image.NewUniform(of.with(opacity)), image.Point{})
}

func (c *canvas) poly(of paint, points ...point) {
	p := c.path(points[0].x, points[0].y)
	for _, q := range points[1:] {
		p.line(q.x, q.y)
	}
	p.fill(of, 1)
}

func (c *canvas) ellipse(of paint, x, y, rx, ry float64) { c.veil(of, x, y, rx, ry, 1) }

// veil is an ellipse that lets what is below it shine through.
func (c *canvas) veil(of paint, x, y, rx, ry, opacity float64) {
	const k = 0.5523 // of a quarter of a circle as a cubic curve
	c.path(x+rx, y).cubic(x+rx, y+k*ry, x+k*rx, y+ry, x, y+ry).cubic(x-k*rx, y+ry, x-rx, y+k*ry, x-rx, y).
		cubic(x-rx, y-k*ry, x-k*rx, y-ry, x, y-ry).cubic(x+k*rx, y-ry, x+rx, y-k*ry, x+rx, y).fill(of, opacity)
}

func (c *canvas) disc(of paint, x, y, r float64) { c.ellipse(of, x, y, r, r) }

// box is a rectangle with round corners.
func (c *canvas) box(of paint, x, y, w, h, r float64) {
	r = min(r, w/2, h/2)
	c.path(x+r, y).line(x+w-r, y).curve(x+w, y, x+w, y+r).line(x+w, y+h-r).curve(x+w, y+h, x+w-r, y+h).
		line(x+r, y+h).curve(x, y+h, x, y+h-r).line(x, y+r).curve(x, y, x+r, y).fill(of, 1)
}

// stroke is a line through points, with round ends.
func (c *canvas) stroke(of paint, width float64, points ...point) {
	for i, p := range points {
		c.disc(of, p.x, p.y, width/2)
		if i == 0 {
			continue
		}
		q := points[i-1]
		d := math.Hypot(p.x-q.x, p.y-q.y)
		if d == 0 {
			continue
		}
		nx, ny := (q.y-p.y)/d*width/2, (p.x-q.x)/d*width/2
		c.poly(of, point{q.x + nx, q.y + ny}, point{p.x + nx, p.y + ny}, point{p.x - nx, p.y - ny}, point{q.x - nx, q.y - ny})
	}
}

// arc is a part of an ellipse as a line, from one angle to another, in turns; 0.25 is below the middle.
func (c *canvas) arc(of paint, width, x, y, rx, ry, from, to float64) {
	const steps = 20
	var points []point
	for i := range steps + 1 {
		a := 2 * math.Pi * (from + (to-from)*float64(i)/steps)
		points = append(points, point{x + rx*math.Cos(a), y + ry*math.Sin(a)})
	}
	c.stroke(of, width, points...)
}

// glow adds a round light that fades outward.
func (c *canvas) glow(of paint, x, y, radius, strength float64) {
	px, py, pr := x*c.unit, y*c.unit, radius*c.unit
	r, g, b := of.rgb()
	for iy := int(py - pr); iy <= int(py+pr); iy++ {
		for ix := int(px - pr); ix <= int(px+pr); ix++ {
			if d := math.Hypot(float64(ix)-px, float64(iy)-py) / pr; d < 1 && (image.Point{ix, iy}).In(c.img.Bounds()) {
				s := strength * (1 - d) * (1 - d)
				at := c.img.Pix[c.img.PixOffset(ix, iy):]
				for n, v := range [3]float64{r, g, b} {
					at[n] = uint8(min(255, float64(at[n])+v*s))
				}
			}
		}
	}
}

// stars strews n stars above a height.
func (c *canvas) stars(n int, above float64) {
	for range n {
		c.veil(0xffffff, c.r.Float64()*c.wide, c.r.Float64()*above, 0.12+0.3*c.r.Float64()*c.r.Float64(),
			0.12+0.3*c.r.Float64()*c.r.Float64(), 0.3+0.7*c.r.Float64())
	}
}

// ridge is a mountain range from a base line to the bottom.
func (c *canvas) ridge(of paint, base, height, roughness float64) {
	a, b, d := c.r.Float64()*7, c.r.Float64()*7, c.r.Float64()*7
	p := c.path(0, 100)
	for x := 0.0; x <= c.wide+1; x += 0.5 {
		y := math.Sin(x/c.wide*4+a)*0.5 + math.Sin(x/19+b)*0.3*roughness + math.Abs(math.Sin(x/11+d))*0.35*roughness +
			math.Sin(x/3.7+a)*0.05*roughness
		p.line(x, base-height*y)
	}
	p.line(c.wide+1, 100).fill(of, 1)
}

// jpeg develops the picture.
func (c *canvas) jpeg() []byte {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, c.img, &jpeg.Options{Quality: 88}) // writing to memory never fails
	return b.Bytes()
}
