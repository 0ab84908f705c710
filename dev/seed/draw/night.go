package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
)

// light is a color of fireworks, as much of red, green and blue as it adds to the night.
type light [3]float64

var lights = []light{{1, 0.76, 0.28}, {1, 0.45, 0.25}, {1, 0.35, 0.5}, {0.45, 0.78, 1}, {0.78, 0.62, 1}, {0.45, 1, 0.6}}

// night is a picture in the making. The light of its pixels adds up.
type night struct {
	width, height int
	pixels        []light
	r             *rand.Rand
}

// fireworks draws some bursts over a river as a JPEG.
func fireworks(seed uint64, width, height, bursts int) []byte {
	n := &night{width, height, make([]light, width*height), rand.New(rand.NewPCG(seed, 0x68616e61))}
	shore := height * 3 / 4
	n.sky(shore)
	for i := range bursts {
		size := float64(shore) * (0.24 + 0.16*n.r.Float64())
		x := float64(width) * (float64(i) + 0.3 + 0.4*n.r.Float64()) / float64(bursts)
		y := size + (float64(shore)*0.75-size)*n.r.Float64()*0.6
		n.burst(x, y, size, lights[n.r.IntN(len(lights))])
	}
	n.river(shore)
	return n.jpeg()
}

// sky paints the dusk and the stars above the shore, and hills at its end.
func (n *night) sky(shore int) {
	for i := range n.pixels {
		dusk := float64(i/n.width) / float64(n.height)
		n.pixels[i] = light{0.02 + 0.10*dusk, 0.02 + 0.04*dusk, 0.07 + 0.12*dusk}
	}
	for range n.width * shore / 3000 {
		n.add(n.r.IntN(n.width), n.r.IntN(shore), light{1, 1, 1}, 0.1+0.5*n.r.Float64())
	}
	a, b := 0.004+0.004*n.r.Float64(), 6*n.r.Float64()
	for x := range n.width {
		hill := float64(n.height) * (0.06 + 0.03*math.Sin(a*float64(x)+b) + 0.015*math.Sin(3.1*a*float64(x)))
		for y := shore - int(hill); y < shore; y++ {
			n.pixels[y*n.width+x] = light{0.012, 0.01, 0.03}
		}
	}
}

// burst adds a shell that opens at a place: rays of sparks that slow down and fall.
func (n *night) burst(x, y, size float64, of light) {
	n.glow(x, y, size*0.8, of, 0.4)
	rays := 64 + n.r.IntN(40)
	for range rays {
		angle, reach := 2*math.Pi*n.r.Float64(), size*(0.55+0.45*math.Sqrt(n.r.Float64()))
		const steps = 90
		for s := range steps {
			t := float64(s) / steps
			out := reach * (1 - (1-t)*(1-t))
			px, py := x+out*math.Cos(angle), y+out*math.Sin(angle)+size*0.16*t*t
			n.spot(px, py, of, 0.35+1.2*t*t)
		}
		n.glow(x+reach*math.Cos(angle), y+reach*math.Sin(angle)+size*0.16, size*0.02+1.5, light{1, 0.95, 0.85}, 0.9)
	}
}

// glow adds a round light that fades outward.
func (n *night) glow(x, y, radius float64, of light, strength float64) {
	for py := int(y - radius); py <= int(y+radius); py++ {
		for px := int(x - radius); px <= int(x+radius); px++ {
			if d := math.Hypot(float64(px)-x, float64(py)-y) / radius; d < 1 {
				n.add(px, py, of, strength*(1-d)*(1-d))
			}
		}
	}
}

// spot adds light to the four pixels around a place.
func (n *night) spot(x, y float64, of light, strength float64) {
	left, top := math.Floor(x), math.Floor(y)
	fx, fy := x-left, y-top
	n.add(int(left), int(top), of, strength*(1-fx)*(1-fy))
	n.add(int(left)+1, int(top), of, strength*fx*(1-fy))
	n.add(int(left), int(top)+1, of, strength*(1-fx)*fy)
	n.add(int(left)+1, int(top)+1, of, strength*fx*fy)
}

func (n *night) add(x, y int, of light, strength float64) {
	if x < 0 || y < 0 || x >= n.width || y >= n.height {
		return
	}
	p := &n.pixels[y*n.width+x]
	for c := range p {
		p[c] += of[c] * strength
	}
}

// river mirrors what is above the shore, broken by waves.
func (n *night) river(shore int) {
	for y := shore; y < n.height; y++ {
		below := y - shore
		from := max(0, shore-1-below*5/2)
		wave := (1 + float64(below)/12) * math.Sin(float64(below)*0.9+n.r.Float64())
		for x := range n.width {
			at := min(max(x+int(wave), 0), n.width-1)
			p := n.pixels[from*n.width+at]
			n.pixels[y*n.width+x] = light{p[0]*0.45 + 0.01, p[1]*0.45 + 0.012, p[2]*0.5 + 0.04}
		}
	}
}

// jpeg develops the picture: the brightest light becomes white slowly.
func (n *night) jpeg() []byte {
	img := image.NewRGBA(image.Rect(0, 0, n.width, n.height))
	for i, p := range n.pixels {
		tone := func(v float64) uint8 { return uint8(255 * v / (v + 0.4)) }
		img.SetRGBA(i%n.width, i/n.width, color.RGBA{tone(p[0]), tone(p[1]), tone(p[2]), 255})
	}
	var b bytes.Buffer
	_ = jpeg.Encode(&b, img, &jpeg.Options{Quality: 82}) // writing to memory never fails
	return b.Bytes()
}
