package draw

import "math"

// scenes are what posts and profiles show. They fill a picture of any sides.
var scenes = map[string]func(*canvas){
	"mountains": mountains, "dawn": dawn, "sea": sea, "city": city, "seigaiha": seigaiha, "pots": pots, "books": books,
	"trails": trails, "forest": forest, "triangles": triangles, "lanterns": lanterns, "snow": snow, "dunes": dunes,
	"bread": bread, "chart": chart, "route": route, "coffee": coffee, "score": score, "pond": pond, "terminal": terminal,
	"kiln": kiln, "sweets": sweets, "cake": cake, "drum": drum, "bridge": bridge,
}

// The sides of pictures in pixels.
const (
	sceneWide, sceneHigh   = 900, 600
	headerWide, headerHigh = 900, 300
)

// Scene draws a picture for a post as a JPEG. "fireworks 3" has three bursts; a word after the name, as in "sea 2",
// makes another picture of the same kind. An unknown kind is a programmer's mistake.
func Scene(name string) []byte { return scene(name, sceneWide, sceneHigh) }

// Header draws a scene as the wide picture of a profile.
func Header(name string) []byte { return scene(name, headerWide, headerHigh) }

func mountains(c *canvas) {
	c.sky(0x3b5b92, 0x9ab6d8, 0xf6e3cf)
	c.glow(0xffe6b0, c.wide*0.68, 38, 40, 0.5)
	c.disc(0xfff3d6, c.wide*0.68, 38, 7)
	for i, of := range []paint{0x9db4cf, 0x7896b8, 0x55799c, 0x38607f, 0x1f4660, 0x123245} {
		c.ridge(of, 56+9*float64(i), 24-2*float64(i), 1.4-0.15*float64(i))
	}
}

func dawn(c *canvas) {
	c.sky(0x2d2355, 0x8c4a7d, 0xf08a6a, 0xffd08a)
	c.glow(0xffd9a0, c.wide*0.4, 66, 50, 0.6)
	c.disc(0xfff1cf, c.wide*0.4, 66, 9)
	for i, of := range []paint{0x9b5a7f, 0x6c3f70, 0x43295a, 0x251a3e} {
		c.ridge(of, 72+8*float64(i), 14, 0.8)
	}
	for i := range 5 { // birds
		x, y := c.wide*(0.55+0.06*float64(i)), 26+5*math.Abs(float64(i)-2)
		c.arc(0x2d2355, 0.7, x-2, y, 2, 1.6, 0.55, 0.95)
		c.arc(0x2d2355, 0.7, x+2, y, 2, 1.6, 0.55, 0.95)
	}
}

func sea(c *canvas) {
	c.sky(0x79c4e0, 0xcfeaf0, 0xfdf3dd)
	c.disc(0xfff7df, c.wide*0.75, 26, 8)
	for i, of := range []paint{0x57b1c9, 0x3d9ab8, 0x2a80a3, 0x1d658a, 0x134c6f} {
		y, shift := 50+10*float64(i), c.r.Float64()*7
		p := c.path(0, 101)
		for x := 0.0; x <= c.wide+1; x++ {
			p.line(x, y+2.2*math.Sin(x/(5+2*float64(i))+shift))
		}
		p.line(c.wide+1, 101).fill(of, 1)
	}
	x := c.wide * 0.28
	c.poly(0xffffff, point{x, 30}, point{x, 55}, point{x + 15, 55})
	c.poly(0xf26b4e, point{x - 2, 34}, point{x - 2, 55}, point{x - 11, 55})
	c.path(x-15, 57).line(x+19, 57).curve(x+13, 65, x+8, 65).line(x-8, 65).curve(x-13, 64, x-15, 57).fill(0x5a3d34, 1)
}

func city(c *canvas) {
	c.sky(0x0d1330, 0x2b2b63, 0x7a4c86)
	c.stars(60, 55)
	c.disc(0xf8e6b8, c.wide*0.82, 22, 8)
	for layer, of := range []paint{0x3a3a76, 0x22224f, 0x111230} {
		for x := -4.0; x < c.wide; {
			w, h := 7+9*c.r.Float64(), 22+30*c.r.Float64()-5*float64(layer)
			y := 70 + 9*float64(layer) - h
			c.box(of, x, y, w, 110, 0.6)
			for wy := y + 3; wy < 98 && layer > 0; wy += 4.4 {
				for wx := x + 1.6; wx < x+w-2; wx += 3.2 {
					if c.r.IntN(3) == 0 {
						c.box(paint(0xffd98a).mix(0xff9d5c, c.r.Float64()), wx, wy, 1.5, 2.2, 0.2)
					}
				}
			}
			x += w + 0.8
		}
	}
}

// seigaiha is a pattern of waves.
func seigaiha(c *canvas) {
	c.sky(0x1e3a6d, 0x16294f)
	for row := range 13 {
		y := float64(row) * 9
		for x := float64(row%2)*9 - 9; x < c.wide+18; x += 18 {
			for i, of := range []paint{0xe9eef5, 0x2b5596, 0xe9eef5, 0x3f74b8, 0xe9eef5, 0x86b3dd} {
				c.disc(of, x, y+9, 9-1.5*float64(i))
			}
		}
	}
}

func pots(c *canvas) {
	c.sky(0xefe3d0, 0xdcc8aa)
	for shelf := range 2 {
		base := 45 + 45*float64(shelf)
		for x, n := 7.0, shelf; x < c.wide-8; n++ {
			of := []paint{0x6d8a8f, 0xb9653f, 0x3f5560, 0xd9c7a4, 0x7b8f5e, 0x8f4a3a, 0xe9e2d4}[c.r.IntN(7)]
			w, h := 9+5*c.r.Float64(), 15+13*c.r.Float64()
			c.pot(of, x+w/2+1, base, w, h, n%4)
			x += w + 5
		}
		c.box(0x8a5f3d, 0, base, c.wide, 4, 0)
		c.box(0x6b4629, 0, base+4, c.wide, 1.4, 0)
	}
}

// pot stands on a base line: a vase, a bowl, a jar or a cup.
func (c *canvas) pot(of paint, x, base, w, h float64, kind int) {
	light := of.mix(0xffffff, 0.35)
	switch kind {
	case 0:
		c.path(x-w*0.2, base-h).cubic(x-w*0.1, base-h*0.7, x-w*0.7, base-h*0.6, x-w*0.3, base).line(x+w*0.3, base).
			cubic(x+w*0.7, base-h*0.6, x+w*0.1, base-h*0.7, x+w*0.2, base-h).fill(of, 1)
		c.ellipse(of.mix(0, 0.4), x, base-h, w*0.2, 1)
	case 1:
		h *= 0.55
		c.path(x-w*0.6, base-h).cubic(x-w*0.55, base-h*0.2, x-w*0.3, base, x-w*0.2, base).line(x+w*0.2, base).
			cubic(x+w*0.3, base, x+w*0.55, base-h*0.2, x+w*0.6, base-h).fill(of, 1)
		c.ellipse(of.mix(0, 0.4), x, base-h, w*0.6, 1.6)
	case 2:
		c.path(x-w*0.3, base-h*0.9).cubic(x-w*0.7, base-h*0.7, x-w*0.65, base-h*0.1, x-w*0.35, base).line(x+w*0.35, base).
			cubic(x+w*0.65, base-h*0.1, x+w*0.7, base-h*0.7, x+w*0.3, base-h*0.9).fill(of, 1)
		c.box(of.mix(0, 0.25), x-w*0.34, base-h, w*0.68, h*0.12, 1)
		c.disc(of.mix(0, 0.25), x, base-h-1, 1.5)
	default:
		h *= 0.6
		c.arc(of, 1.6, x+w*0.42, base-h*0.55, w*0.26, h*0.27, 0, 1)
		c.box(of, x-w*0.42, base-h, w*0.84, h, 2)
		c.ellipse(of.mix(0, 0.4), x, base-h+0.4, w*0.42, 1.3)
	}
	c.veil(light, x-w*0.22, base-h*0.45, w*0.06, h*0.22, 0.7)
}

func books(c *canvas) {
	c.sky(0x3a2a22, 0x2b1f1a)
	for shelf := range 3 {
		base := 31 + 33*float64(shelf)
		for x := 1.0; x < c.wide; {
			of := []paint{0xb5432f, 0x2f6f73, 0xd9a441, 0x3e4a77, 0x7f8f4f, 0xe4d9c2, 0x874b6b, 0x4c7fa8}[c.r.IntN(8)]
			w, h := 2.6+2.8*c.r.Float64(), 17+9*c.r.Float64()
			if c.r.IntN(9) == 0 && x > 8 { // one leans
				c.poly(of, point{x + 2, base}, point{x + 2 + w, base}, point{x + w + 7, base - h + 1}, point{x + 7, base - h})
				x += w + 8
				continue
			}
			c.box(of, x, base-h, w, h, 0.4)
			c.box(of.mix(0xffffff, 0.5), x, base-h+2.5, w, 0.8, 0)
			c.box(of.mix(0, 0.3), x, base-4, w, 0.8, 0)
			x += w + 0.25
		}
		c.box(0x9a6b43, 0, base, c.wide, 3, 0)
		c.box(0x6f4a2c, 0, base+3, c.wide, 0.8, 0)
	}
}

// trails are stars of a long exposure.
func trails(c *canvas) {
	c.sky(0x070d24, 0x15265a, 0x3d4f8e)
	x, y := c.wide*0.55, 52.0
	for i := range 120 {
		from, r := c.r.Float64(), 2+float64(i)*c.wide/140
		of := paint(0xffffff).mix([]paint{0x9ec9ff, 0xffd9a0, 0xbfd0ff}[c.r.IntN(3)], c.r.Float64())
		c.arc(of.mix(0x15265a, 0.5*c.r.Float64()), 0.18+0.25*c.r.Float64(), x, y, r, r, from, from+0.09)
	}
	c.ridge(0x0a1020, 84, 13, 1.1)
	for range 26 {
		at, h := c.r.Float64()*c.wide, 6+9*c.r.Float64()
		c.poly(0x04070f, point{at, 90 - h}, point{at + h*0.28, 101}, point{at - h*0.28, 101})
	}
}

func forest(c *canvas) {
	c.sky(0xcfe3d6, 0xf4ecd2)
	for layer, of := range []paint{0xa6c6b2, 0x6f9f88, 0x3f7462, 0x1e4b43} {
		for x := -5.0; x < c.wide+8; x += 5 + 4*c.r.Float64() {
			h, base := 38+18*c.r.Float64(), 78+12*float64(layer)
			for i := range 3 {
				w, y := h*(0.12+0.07*float64(i)), base-h+h*0.24*float64(i)
				c.poly(of, point{x, y}, point{x + w, y + h*0.4}, point{x - w, y + h*0.4})
			}
		}
	}
}

func triangles(c *canvas) {
	of := []paint{0xff6b57, 0xffa64d, 0xffd166, 0x5bc0be, 0x3a6ea5, 0x2d3a6b}
	const s = 14.0
	for row := range 9 {
		for n := -1; float64(n)*s < c.wide+s; n++ {
			x, y := float64(n)*s+float64(row%2)*s/2, float64(row)*12.2
			shade := func() paint {
				at := min(max(x/c.wide*5+c.r.Float64()*1.4-0.7, 0), 4.99)
				return of[int(at)].mix(of[int(at)+1], at-math.Floor(at))
			}
			c.poly(shade(), point{x, y - 0.2}, point{x + s + 0.2, y - 0.2}, point{x + s/2, y + 12.4})
			c.poly(shade(), point{x + s/2, y + 12.4}, point{x + s, y - 0.2}, point{x + 1.5*s + 0.2, y + 12.4})
		}
	}
}

func lanterns(c *canvas) {
	c.sky(0x140f2c, 0x3a1c45, 0x6d2b46)
	c.stars(40, 40)
	for row := range 2 {
		y := 16 + 36*float64(row)
		for x := 2.0; x < c.wide; x += 0.6 {
			c.veil(0x0a0714, x, y+5*math.Sin(x/c.wide*math.Pi*3+float64(row)), 0.5, 0.5, 1)
		}
		for x := 8 + 9*float64(row); x < c.wide; x += 19 {
			top := y + 5*math.Sin(x/c.wide*math.Pi*3+float64(row)) + 3
			of := []paint{0xe8412f, 0xf6e7c1, 0xf2a03d}[int(x/19)%3]
			c.glow(of, x, top+8, 18, 0.5)
			c.box(0x1b1118, x-3, top-2, 6, 3, 1)
			c.ellipse(of, x, top+8, 6.5, 8.5)
			for i := -2; i <= 2; i++ {
				c.arc(of.mix(0, 0.25), 0.35, x, top+8+3*float64(i), 6.2-0.5*math.Abs(float64(i)), 1, 0, 0.5)
			}
			c.box(0x1b1118, x-3, top+15.5, 6, 2, 1)
		}
	}
	for x := 1.0; x < c.wide; x += 4.5 { // people who look up
		h := 8 + 5*c.r.Float64()
		c.disc(0x0a0714, x, 100-h, 2.4)
		c.ellipse(0x0a0714, x, 104-h+4, 3.6, 7)
	}
}

func snow(c *canvas) {
	c.sky(0x7d93c4, 0xc5d3ea, 0xf3eef2)
	c.ridge(0xa9b9da, 66, 24, 1.3)
	c.ridge(0xdfe7f4, 78, 12, 0.5)
	x := c.wide * 0.62
	c.box(0x6b4a3a, x, 66, 24, 17, 0)
	c.poly(0xffffff, point{x - 4, 68}, point{x + 12, 52}, point{x + 28, 68})
	c.box(0xffd27a, x+4, 71, 6, 6, 0.5)
	c.box(0xffd27a, x+14, 71, 6, 6, 0.5)
	c.ridge(0xffffff, 90, 8, 0.3)
	for range 160 {
		c.veil(0xffffff, c.r.Float64()*c.wide, c.r.Float64()*100, 0.4+0.5*c.r.Float64(), 0.4+0.5*c.r.Float64(), 0.85)
	}
}

func dunes(c *canvas) {
	c.sky(0x31346b, 0xc46f7c, 0xf9c784)
	c.disc(0xfff0cc, c.wide*0.3, 44, 8)
	c.stars(30, 30)
	for i, of := range []paint{0xd98b5f, 0xc47047, 0x9d4f3a, 0x6f3334} {
		c.ridge(of, 70+9*float64(i), 12, 0.35)
	}
	x := c.wide * 0.72
	for i := range 3 { // palms
		at := x + 7*float64(i)
		h := 17 + 4*float64(i%2)
		c.stroke(0x3b1f2a, 0.9, point{at, 80}, point{at + 1, 80 - h})
		for k := range 6 {
			a := math.Pi * (1 + float64(k)/5)
			c.arc(0x3b1f2a, 0.8, at+1+3*math.Cos(a), 80-h+1.5, 3.4, 3.2, 0.5, 1)
		}
	}
}

func bread(c *canvas) {
	c.sky(0xf4e4cb, 0xe7cda6)
	c.box(0x7a5232, 0, 74, c.wide, 30, 0)
	c.box(0x93663f, 0, 74, c.wide, 2, 0)
	for i := range 3 {
		x, y := c.wide*(0.2+0.3*float64(i)), 62.0
		of := paint(0xc98742).mix(0x9a5a2b, 0.3*float64(i))
		c.veil(0x3b2313, x, 78, 22, 4, 0.3)
		c.path(x-22, y+12).cubic(x-28, y-18, x+28, y-18, x+22, y+12).curve(x, y+18, x-22, y+12).fill(of, 1)
		for k := -2; k <= 2; k++ {
			at := x + 8*float64(k)
			c.stroke(0xf6ddb0, 1.8, point{at - 3, y + 3}, point{at + 3, y - 6 + math.Abs(float64(k))*1.5})
		}
		c.veil(0xffffff, x-8, y-6, 7, 2, 0.25)
	}
	for i := range 4 { // steam
		x := c.wide * (0.18 + 0.2*float64(i))
		c.arc(0xffffff, 0.8, x, 30, 2, 6, 0.25, 0.75)
		c.arc(0xffffff, 0.8, x, 19, 2, 5, 0.75, 1.25)
	}
}

func chart(c *canvas) {
	c.sky(0xffffff, 0xf4f7fb)
	left, right, base := 14.0, c.wide-8, 84.0
	for i := range 5 {
		c.stroke(0xdde4ec, 0.4, point{left, base - 15*float64(i)}, point{right, base - 15*float64(i)})
	}
	n := 12
	step := (right - left) / float64(n)
	for i := range n {
		h := 58 * math.Exp(-float64(i)/3.1)
		if i > 6 {
			h = 5 + 2*c.r.Float64()
		}
		of := paint(0xe4572e)
		if i > 6 {
			of = 0x2a9d8f
		}
		c.box(of, left+step*(float64(i)+0.2), base-h, step*0.6, h, 0.8)
	}
	c.stroke(0x55606e, 0.7, point{left, 20}, point{left, base}, point{right, base})
	c.box(0x55606e, left, 9, 44, 3.4, 1.6)
	c.box(0xb8c2cd, left, 14.5, 26, 2.2, 1)
	for i := range n {
		c.box(0xb8c2cd, left+step*(float64(i)+0.3), base+4, step*0.4, 1.6, 0.8)
	}
}

// route is the map of a run.
func route(c *canvas) {
	c.sky(0xe9efe3, 0xe4ebdd)
	for range 26 {
		c.box(paint(0xdfe3d5).mix(0xf5f1e4, c.r.Float64()), c.r.Float64()*c.wide, c.r.Float64()*100, 10+9*c.r.Float64(),
			7+8*c.r.Float64(), 1)
	}
	c.ellipse(0xbddcae, c.wide*0.2, 26, 22, 15)
	for x := -2.0; x < c.wide+2; x += 0.7 {
		c.disc(0x9fcbe3, x, 62+13*math.Sin(x/25), 7)
	}
	for i := range 4 {
		x := c.wide * (0.14 + 0.24*float64(i))
		c.stroke(0xffffff, 2, point{x, -2}, point{x + 9, 102})
	}
	var points []point
	for i := range 90 {
		a := 2*math.Pi*float64(i)/96 - 1.2
		points = append(points, point{c.wide/2 + (c.wide*0.33)*math.Cos(a)*(1+0.12*math.Sin(3*a)), 50 + 33*math.Sin(a)*(1+
			0.1*math.Cos(5*a))})
	}
	c.stroke(0xffffff, 3.2, points...)
	c.stroke(0xf0562b, 2, points...)
	for i, of := range []paint{0x2a9d5b, 0x22262e} {
		p := points[i*(len(points)-1)]
		c.disc(0xffffff, p.x, p.y, 3.6)
		c.disc(of, p.x, p.y, 2.5)
	}
}

func coffee(c *canvas) {
	c.sky(0x6c4a36, 0x4b3124)
	for i := range 7 {
		c.box(0x5d3f2d, 0, float64(i)*15, c.wide, 0.5, 0)
	}
	x, y := c.wide*0.4, 52.0
	c.veil(0, x+3, y+5, 42, 40, 0.25)
	c.ellipse(0xf4efe6, x, y, 41, 39)
	c.ellipse(0xe2d9ca, x, y, 34, 32)
	c.arc(0xffffff, 6, x+30, y-10, 11, 9, 0, 1)
	c.disc(0xffffff, x, y, 28)
	c.disc(0x6b3d1f, x, y, 24)
	for i := range 4 {
		s := 1 - 0.2*float64(i)
		c.path(x, y+16*s).cubic(x-22*s, y-2*s, x-12*s, y-17*s, x, y-7*s).cubic(x+12*s, y-17*s, x+22*s, y-2*s, x, y+16*s).
			fill(paint(0xf1dcb9).mix(0x9a6236, float64(i%2)), 1)
	}
	if c.wide > 120 {
		c.box(0xfbf7ee, c.wide*0.72, 16, 34, 66, 1)
		for i := range 8 {
			c.box(0x8b95a5, c.wide*0.72+4, 23+6.5*float64(i), 12+13*c.r.Float64(), 1.2, 0.6)
		}
		c.stroke(0x22262e, 2, point{c.wide*0.72 + 8, 90}, point{c.wide*0.72 + 32, 74})
	}
}

// score is a page of music.
func score(c *canvas) {
	c.sky(0xfbf5e6, 0xf1e6cd)
	for staff := range 3 {
		y := 14 + 30*float64(staff)
		for i := range 5 {
			c.box(0x6b6152, 4, y+3*float64(i), c.wide-8, 0.35, 0)
		}
		for x := 14.0; x < c.wide-10; x += 8 + 5*c.r.Float64() {
			at := y + 12 - 1.5*float64(c.r.IntN(8))
			of := paint(0x2a2530)
			if c.r.IntN(7) == 0 {
				of = 0xd6452f
			}
			c.ellipse(of, x, at, 1.9, 1.4)
			c.stroke(of, 0.5, point{x + 1.7, at}, point{x + 1.7, at - 9})
			if c.r.IntN(2) == 0 {
				c.path(x+1.7, at-9).curve(x+5, at-6, x+4, at-3).curve(x+4, at-6, x+1.7, at-7).fill(of, 1)
			}
		}
	}
}

func pond(c *canvas) {
	c.sky(0x2f8f95, 0x1d6a7c)
	for range 14 {
		x, y, r := c.r.Float64()*c.wide, c.r.Float64()*100, 5+6*c.r.Float64()
		c.arc(0x7fc9c4, 0.4, x, y, r*1.6, r, 0, 1)
	}
	for i := range 5 {
		x, y := c.wide*(0.12+0.19*float64(i)), 28+44*c.r.Float64()
		of := []paint{0xf0512d, 0xffffff, 0xf6a33b, 0xf0512d, 0xffe3d3}[i]
		c.path(x+10, y).cubic(x+17, y-8, x+22, y-8, x+20, y).cubic(x+22, y+8, x+17, y+8, x+10, y).
			fill(of.mix(0xffffff, 0.3), 1)
		c.path(x-13, y).cubic(x-6, y-9, x+6, y-7, x+13, y).cubic(x+6, y+7, x-6, y+9, x-13, y).fill(of, 1)
		c.ellipse(0xf0512d, x-2, y-1, 4, 3)
		c.disc(0x1d1a22, x-9, y-2, 0.8)
	}
	for range 6 {
		x, y, r := c.r.Float64()*c.wide, c.r.Float64()*100, 6+4*c.r.Float64()
		c.path(x, y).line(x+r, y-r*0.3).cubic(x+r, y+r, x-r, y+r, x-r, y).cubic(x-r, y-r, x+r*0.6, y-r, x+r, y-r*0.7).
			fill(0x6fb04e, 1)
	}
}

// terminal is a window with code.
func terminal(c *canvas) {
	c.sky(0x6e5bb8, 0xd77a9c)
	x, w := c.wide*0.12, c.wide*0.76
	c.box(0x1b1e28, x, 12, w, 76, 3)
	c.box(0x2a2e3b, x, 12, w, 8, 3)
	for i, of := range []paint{0xff5f57, 0xfebc2e, 0x28c840} {
		c.disc(of, x+5+4*float64(i), 16, 1.3)
	}
	for line := range 11 {
		at, y := x+5+4*float64([]int{0, 1, 1, 2, 2, 3, 2, 1, 0, 0, 1}[line]), 26+5.4*float64(line)
		for range 2 + c.r.IntN(3) {
			l := 5 + c.wide*0.1*c.r.Float64()
			if at+l > x+w-5 {
				break
			}
			c.box([]paint{0x8ab4f8, 0xf78c6c, 0xc3e88d, 0xe6e9f0, 0xc792ea, 0x7f8899}[c.r.IntN(6)], at, y, l, 2.2, 1.1)
			at += l + 2
		}
	}
}

func kiln(c *canvas) {
	c.sky(0x2a1c1a, 0x3f2620)
	x := c.wide / 2
	for row := range 12 {
		for at := -float64(row%2) * 8; at < c.wide; at += 16 {
			c.box(paint(0x6a3d2e).mix(0x4d2b22, c.r.Float64()), at+0.5, float64(row)*8.6+0.5, 15, 7.6, 0.8)
		}
	}
	c.path(x-32, 90).cubic(x-34, 10, x+34, 10, x+32, 90).fill(0x160c0a, 1)
	c.glow(0xff8a2b, x, 68, 46, 0.9)
	for i := range 5 {
		at := x - 22 + 11*float64(i)
		c.path(at-8, 90).cubic(at-8, 70, at-1, 66, at, 48-6*float64(i%2)).cubic(at+3, 66, at+8, 70, at+8, 90).
			fill(0xff9a2e, 0.85)
		c.path(at-4, 90).cubic(at-4, 76, at-1, 74, at, 62).cubic(at+2, 74, at+4, 76, at+4, 90).fill(0xffe08a, 0.9)
	}
	c.pot(0x2b1a16, x-14, 90, 15, 26, 0)
	c.pot(0x2b1a16, x+12, 90, 18, 26, 2)
}

func sweets(c *canvas) {
	c.sky(0xdfe8d8, 0xc7d6c0)
	c.box(0x2d2a2c, c.wide*0.1, 26, c.wide*0.8, 54, 4)
	c.box(0x433e40, c.wide*0.1+2, 28, c.wide*0.8-4, 50, 3)
	for i := range 6 {
		x, y := c.wide*(0.24+0.26*float64(i%3)), 41+24*float64(i/3)
		of := []paint{0xf4b6c2, 0xa9c77b, 0xf6efe2, 0xb694c9, 0xf2c45b, 0xbfe0e8}[i]
		c.veil(0, x+1, y+5, 14, 5, 0.3)
		c.ellipse(of, x, y, 13.5, 9.5)
		c.veil(0xffffff, x-4, y-4, 5, 2.4, 0.5)
		for k := range 5 {
			a := 2 * math.Pi * float64(k) / 5
			c.ellipse(of.mix(0, 0.15), x+4*math.Cos(a), y+2.6*math.Sin(a), 1.8, 1.4)
		}
		c.disc(0xf4d35e, x, y, 1.3)
	}
}

func cake(c *canvas) {
	c.sky(0xffe3e0, 0xffc9c4)
	x := c.wide / 2
	c.ellipse(0xffffff, x, 84, 44, 8)
	c.box(0xf7e3c3, x-30, 50, 60, 34, 4)
	c.box(0xd9534f, x-30, 63, 60, 4, 0)
	c.path(x-30, 58).line(x-30, 50).curve(x, 40, x+30, 50).line(x+30, 58).curve(x+24, 64, x+20, 57).
		curve(x+12, 66, x+8, 57).
		curve(x, 66, x-6, 57).curve(x-14, 66, x-18, 57).curve(x-25, 63, x-30, 58).fill(0xffffff, 1)
	for i := range 5 {
		at := x - 20 + 10*float64(i)
		c.box([]paint{0x4aa3df, 0xf2b134, 0x63b76c, 0xe86a92, 0x8c6fd1}[i], at-1, 32, 2, 14, 1)
		c.glow(0xffb347, at, 29, 9, 0.5)
		c.path(at, 24).curve(at+3, 29, at, 32).curve(at-3, 29, at, 24).fill(0xffa62b, 1)
	}
}

func drum(c *canvas) {
	c.sky(0x8e1f26, 0xc23a2c)
	for i := range 12 {
		a := 2 * math.Pi * float64(i) / 12
		c.path(c.wide/2, 50).line(c.wide/2+160*math.Cos(a-0.1), 50+160*math.Sin(a-0.1)).line(c.wide/2+160*math.Cos(a+0.1),
			50+160*math.Sin(a+0.1)).fill(0xd8573c, 0.5)
	}
	x := c.wide / 2
	c.disc(0x4a2318, x, 50, 38)
	c.disc(0xf3e3c3, x, 50, 32)
	for i := range 24 {
		a := 2 * math.Pi * float64(i) / 24
		c.disc(0xe2b13c, x+35*math.Cos(a), 50+35*math.Sin(a), 1.5)
	}
	for i := range 3 { // three commas in a circle
		a := 2*math.Pi*float64(i)/3 - 0.6
		c.disc(0x231a1c, x+9*math.Cos(a), 50+9*math.Sin(a), 6)
		c.arc(0x231a1c, 3, x, 50, 14, 14, a/2/math.Pi-0.02, a/2/math.Pi+0.19)
	}
	c.stroke(0xd9b382, 3.4, point{x - 66, 12}, point{x - 20, 40})
	c.stroke(0xd9b382, 3.4, point{x + 66, 16}, point{x + 20, 42})
}

func bridge(c *canvas) {
	c.sky(0x88b7d8, 0xd9e8ee, 0xfbe6d0)
	c.ridge(0x8fb09a, 66, 16, 0.8)
	c.box(0x5b9ab8, 0, 72, c.wide, 30, 0)
	for range 60 {
		x, y := c.r.Float64()*c.wide, 74+24*c.r.Float64()
		c.box(0x8cc0d6, x, y, 4+7*c.r.Float64(), 0.5, 0.2)
	}
	x, w := c.wide*0.5, c.wide*0.42
	c.arc(0xc8402f, 4, x, 78, w, 30, 0.5, 1)
	c.arc(0xc8402f, 1.6, x, 68, w, 30, 0.5, 1)
	for i := 1; i < 16; i++ {
		a := math.Pi * (1 + float64(i)/16)
		at := x + w*math.Cos(a)
		c.stroke(0xa93226, 1.2, point{at, 78 + 30*math.Sin(a)}, point{at, 67 + 30*math.Sin(a)})
	}
	for range 60 { // blossoms
		of := paint(0xf6b8c8).mix(0xffffff, c.r.Float64()*0.6)
		c.disc(of, c.wide*0.02+c.r.Float64()*c.wide*0.3, c.r.Float64()*c.r.Float64()*46, 1.5+2.5*c.r.Float64())
	}
}
