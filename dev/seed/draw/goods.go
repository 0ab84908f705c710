package draw

import (
	"fmt"
	"math"
)

// The sides of pictures of goods in pixels.
const goodWide, goodHigh = 880, 660

// Good draws a product of the shop of the seed, by its name, as a JPEG. An unknown name is a programmer's mistake.
func Good(name string) []byte {
	draw, ok := goods[name]
	if !ok {
		panic(fmt.Sprintf("draw: there is no product %q", name))
	}
	c := newCanvas(name, goodWide, goodHigh)
	draw(c)
	return c.jpeg()
}

// goods are the products of the seed. What is lit stands in the night, and what is not on paper.
var goods = map[string]func(*canvas){
	"Senko Hanabi":            func(c *canvas) { c.night(); c.senko() },
	"Nagate Botan Sparklers":  func(c *canvas) { c.paper(0xfbe3dc, 0xf3c6b8); c.sticks(5, 0xd9485f, 0x7a4b2d, true) },
	"Subote Botan Sparklers":  func(c *canvas) { c.paper(0xf4ecd2, 0xe3d3a0); c.sticks(7, 0x4a3a2a, 0xd8b765, false) },
	"Susuki Fountain Sticks":  func(c *canvas) { c.night(); c.susuki(0xfff0c0, 0xf4b13d) },
	"Color Change Sticks":     func(c *canvas) { c.night(); c.changing() },
	"Gold Wire Sparklers":     func(c *canvas) { c.night(); c.wires() },
	"Snake Pellets":           func(c *canvas) { c.paper(0xe7ece6, 0xc8d3c8); c.snake() },
	"Mouse Spinners":          func(c *canvas) { c.paper(0xe4e9f4, 0xc3cfe6); c.spinners() },
	"Smoke Balls":             func(c *canvas) { c.paper(0xd9ecf5, 0xb6d7e8); c.smoke() },
	"Pull String Crackers":    func(c *canvas) { c.paper(0xfdf0d0, 0xf8dc9a); c.crackers() },
	"Ground Fountain, Small":  func(c *canvas) { c.night(); c.fountain(46, 0xeaf2ff, 0xb9d4ff, 0x3f74b8) },
	"Ground Fountain, Large":  func(c *canvas) { c.night(); c.fountain(66, 0xffd873, 0xb98bff, 0x7a3fb8) },
	"Dragon Fountain":         func(c *canvas) { c.night(); c.dragon() },
	"Niagara Rope":            func(c *canvas) { c.night(); c.niagara() },
	"Parachute Rocket":        func(c *canvas) { c.paper(0xcfe6f6, 0xf2f7ec); c.parachute() },
	"Whistle Rockets":         func(c *canvas) { c.paper(0xfae7ea, 0xf0c9d2); c.rockets() },
	"Roman Candle, 8 Shots":   func(c *canvas) { c.night(); c.roman() },
	"Cake, 16 Shots":          func(c *canvas) { c.paper(0xe2f1e4, 0xbfe0c4); c.shots(4, 0x2f7d57, 0xf2c45b) },
	"Cake, 36 Shots":          func(c *canvas) { c.paper(0xf6e2cf, 0xe6bd93); c.shots(6, 0xb5332f, 0xf2c45b) },
	"Family Assortment":       func(c *canvas) { c.paper(0xdff0f0, 0xb4dcdc); c.bag(0x1f8a8a, 13) },
	"Festival Assortment":     func(c *canvas) { c.paper(0xfde6da, 0xf6bfa4); c.bag(0xd24a2f, 17) },
	"Quiet Night Assortment":  (*canvas).quietNight,
	"Safety Candle":           func(c *canvas) { c.night(); c.candle() },
	"Folding Water Bucket":    func(c *canvas) { c.paper(0xdcecf8, 0xb5d2ea); c.bucket() },
	"Long Lighter":            func(c *canvas) { c.paper(0xf1e9f6, 0xd7c5e6); c.lighter() },
	"Summer Fan":              func(c *canvas) { c.paper(0xe0f2ec, 0xb5dfd0); c.fan() },
	"Shell Maker's Notebook":  func(c *canvas) { c.paper(0xf2e7d6, 0xdcc3a0); c.notebook() },
	"Poster: Kinds of Shells": func(c *canvas) { c.paper(0xe9e4da, 0xcfc6b4); c.poster() },
	"Enamel Pin: Willow":      func(c *canvas) { c.paper(0xefe3e6, 0xd9bfc6); c.pin() },
	"Cotton Towel: Spark":     func(c *canvas) { c.paper(0xf5efe2, 0xe2d5bb); c.towel() },
}

var festive = []paint{0xe8412f, 0xf2a03d, 0xf6d04d, 0x4caf7a, 0x3f8fd0, 0x9a62c9}

// paper is a sheet on which a thing lies, with light from above.
func (c *canvas) paper(top, bottom paint) {
	c.sky(top, bottom)
	c.glow(0xffffff, c.wide/2, 40, 60, 0.25)
}

func (c *canvas) night() {
	c.sky(0x0f0c24, 0x241a44, 0x3b2350)
	c.stars(30, 50)
}

// shade is the shadow of a thing that stands at a place.
func (c *canvas) shade(x, y, w float64) { c.veil(0, x, y, w, w*0.12, 0.22) }

// sparks are n short rays from a place, in a direction in turns: 0.75 is up.
func (c *canvas) sparks(x, y, length, direction, spread float64, n int, of ...paint) {
	for i := range n {
		a := 2 * math.Pi * (direction + spread*(c.r.Float64()-0.5))
		l := length * (0.25 + 0.75*math.Sqrt(c.r.Float64()))
		p := of[i%len(of)]
		from := l * (0.3 + 0.4*c.r.Float64())
		fall := 0.004 * l * l * spread
		c.stroke(p, 0.35+0.35*c.r.Float64(), point{x + from*math.Cos(a), y + from*math.Sin(a)},
			point{x + l*math.Cos(a), y + l*math.Sin(a) + fall})
		c.disc(p.mix(0xffffff, 0.5), x+l*math.Cos(a), y+l*math.Sin(a)+fall, 0.3+0.5*c.r.Float64())
	}
}

// star is a small shell that opens.
func (c *canvas) star(of paint, x, y, r float64) {
	c.glow(of, x, y, r*1.5, 0.35)
	for i := range 14 {
		a := 2 * math.Pi * float64(i) / 14
		l := r * (0.75 + 0.25*c.r.Float64())
		cos, sin := math.Cos(a), math.Sin(a)
		c.stroke(of, r*0.06, point{x + 0.25*r*cos, y + 0.25*r*sin}, point{x + l*cos, y + l*sin})
		c.disc(of.mix(0xffffff, 0.4), x+l*cos, y+l*sin, r*0.07)
	}
}

func (c *canvas) quietNight() {
	c.sky(0x141b3a, 0x2c3768)
	c.stars(50, 70)
	c.moon()
	c.bag(0x3d4f8e, 9)
}

// senko is a twisted paper with a drop of fire at its end.
func (c *canvas) senko() {
	x := c.wide * 0.5
	for i := range 26 {
		y := -2 + 2.2*float64(i)
		c.stroke(festive[(i/5)%6], 2.2, point{x - 8 + 0.3*float64(i), y}, point{x - 7.6 + 0.3*float64(i), y + 2.2})
	}
	c.glow(0xff9a3d, x, 60, 44, 0.7)
	c.sparks(x, 60, 34, 0, 1, 90, 0xffd27a, 0xffb347, 0xffe9b8)
	c.disc(0xff7a2b, x, 58, 3.6)
	c.disc(0xffe2a0, x-0.8, 57, 1.7)
}

// sticks are sparklers that lie side by side: paper handles with fringes, or straws.
func (c *canvas) sticks(n int, of, handle paint, fringe bool) {
	for i := range n {
		x := c.wide*0.5 + 13*(float64(i)-float64(n-1)/2)
		lean := 2.5 * (float64(i) - float64(n-1)/2)
		c.stroke(handle.mix(0xffffff, 0.6), 1.6, point{x + lean + 1.6, 14}, point{x - lean + 1.6, 89})
		c.stroke(handle, 1.8, point{x + lean, 12}, point{x - lean, 88})
		at := func(t float64) point { return point{x + lean - 2*lean*t, 12 + 76*t} }
		c.stroke(of, 3.6, at(0.02), at(0.34))
		for k := range 4 {
			c.stroke(of.mix(0xffffff, 0.55), 3.6, at(0.06+0.08*float64(k)), at(0.075+0.08*float64(k)))
		}
		if fringe {
			for k := range 5 {
				c.stroke(festive[(i+k)%6], 1, at(0.9), point{at(0.9).x - 4 + 2*float64(k), 94})
			}
		}
	}
}

// susuki sprays like pampas grass.
func (c *canvas) susuki(light, deep paint) {
	x, y := c.wide*0.3, 70.0
	c.stroke(0xd9c7a4, 2.4, point{x - 24, 96}, point{x - 8, 80})
	c.stroke(0xd9485f, 4.4, point{x - 8, 80}, point{x, y})
	c.glow(deep, x+22, 46, 56, 0.55)
	c.sparks(x, y, 86, 0.885, 0.16, 170, light, deep, 0xffd98a)
	c.disc(0xffffff, x+1, y-1, 2.4)
}

// changing are three sticks, each in another color.
func (c *canvas) changing() {
	for i, of := range []paint{0xff5a5a, 0x63e08a, 0xf2f6ff} {
		x := c.wide * (0.24 + 0.26*float64(i))
		c.stroke(0xcdbb97, 2, point{x, 100}, point{x, 66})
		c.stroke(of.mix(0, 0.35), 4, point{x, 66}, point{x, 46})
		c.glow(of, x, 34, 30, 0.55)
		c.sparks(x, 45, 36, 0.75, 0.3, 60, of, of.mix(0xffffff, 0.5))
		c.disc(0xffffff, x, 44, 2)
	}
}

// wires are sparklers with stars of gold.
func (c *canvas) wires() {
	for i := range 3 {
		x, y := c.wide*(0.28+0.22*float64(i)), 34+10*math.Abs(float64(i)-1)
		c.stroke(0x8e8a95, 1.1, point{c.wide/2 + 4*(float64(i)-1), 104}, point{x, y})
		c.glow(0xffc247, x, y, 30, 0.6)
		c.sparks(x, y, 25, 0, 1, 80, 0xffd873, 0xffb347, 0xfff2c9)
		c.disc(0xffffff, x, y, 1.8)
	}
}

// snake is ash that grows from a pellet.
func (c *canvas) snake() {
	c.shade(c.wide*0.5, 84, 46)
	var points []point
	for i := range 60 {
		t := float64(i) / 59
		points = append(points, point{c.wide*0.5 + (34-20*t)*math.Sin(9*t+1), 82 - 56*t + 5*math.Cos(11*t)})
	}
	c.stroke(0x2c2a2e, 8, points...)
	for i, p := range points {
		if i%3 == 0 {
			c.veil(0x77727c, p.x-1, p.y-1.4, 2.4, 1.5, 0.8)
		}
	}
	for i := range 4 {
		x := c.wide*0.16 + 8*float64(i)
		c.ellipse(0x201e22, x, 88, 3.4, 2)
		c.ellipse(0x4a464e, x, 86.6, 3.4, 1.5)
	}
}

// spinners are rings with a fuse.
func (c *canvas) spinners() {
	for i := range 6 {
		x, y := c.wide*(0.22+0.28*float64(i%3)), 32+36*float64(i/3)
		of := festive[i]
		c.veil(0, x+1.5, y+2, 14, 13, 0.2)
		c.arc(of, 6, x, y, 10.5, 10.5, 0, 0.94)
		for k := range 6 {
			a := 0.94 * float64(k) / 6
			c.arc(of.mix(0xffffff, 0.7), 6, x, y, 10.5, 10.5, a+0.04, a+0.07)
		}
		c.arc(0x6b5d4d, 1.2, x+16, y+4, 6, 8, 0.5, 0.72)
		c.disc(0xf2f0ea, x, y, 2)
	}
}

// smoke are balls of six colors and their clouds.
func (c *canvas) smoke() {
	for i := range 6 {
		x, of := c.wide*(0.13+0.148*float64(i)), festive[i]
		for k := range 14 {
			t := float64(k) / 13
			c.veil(of.mix(0xffffff, 0.35+0.3*t), x+8*(c.r.Float64()-0.5)*(1+2*t), 66-58*t, 3+9*t, 3+7*t, 0.4-0.2*t)
		}
	}
	for i := range 6 {
		x, of := c.wide*(0.13+0.148*float64(i)), festive[i]
		c.shade(x, 88, 9)
		c.stroke(0x4a3f36, 1, point{x, 74}, point{x + 1, 68})
		c.disc(of, x, 80, 7.6)
		c.veil(0xffffff, x-2.5, 77, 2.4, 1.8, 0.6)
	}
}

// crackers throw paper.
func (c *canvas) crackers() {
	for range 90 {
		x, y := c.r.Float64()*c.wide, c.r.Float64()*70
		c.box(festive[c.r.IntN(6)], x, y, 1.6, 2.4, 0.3)
	}
	for i := range 3 {
		x, of := c.wide*(0.25+0.25*float64(i)), festive[2*i]
		for k := range 4 {
			var points []point
			for s := range 24 {
				t := float64(s) / 23
				points = append(points, point{x + (float64(k)-1.5)*11*t + 2.4*math.Sin(16*t+float64(k)), 58 - 48*t + 22*t*t})
			}
			c.stroke(festive[(i+k+1)%6], 1.1, points...)
		}
		c.shade(x, 92, 9)
		c.poly(of, point{x - 9, 58}, point{x + 9, 58}, point{x, 90})
		c.poly(of.mix(0xffffff, 0.5), point{x - 6, 68}, point{x + 6, 68}, point{x + 4.4, 74}, point{x - 4.4, 74})
		c.ellipse(of.mix(0, 0.3), x, 58, 9, 2.4)
		c.stroke(0x8d7a62, 0.7, point{x, 90}, point{x + 2, 97})
	}
}

// fountain is a tube that stands on the ground.
func (c *canvas) fountain(height float64, light, deep, body paint) {
	x, top := c.wide/2, 78.0
	c.glow(deep, x, top-height*0.5, height*0.9, 0.5)
	c.sparks(x, top, height*1.1, 0.75, 0.17, int(3*height), light, deep, 0xffffff)
	c.glow(0xffffff, x, top, 12, 0.8)
	c.ellipse(0x0a0714, x, 97, 40, 5)
	c.box(body, x-7, top, 14, 18, 1)
	c.box(0xf2c45b, x-7, top+6, 14, 3, 0)
	c.box(body.mix(0, 0.35), x-10, 94, 20, 4, 1)
	c.ellipse(0xfff6dd, x, top, 5, 1.4)
}

// dragon is a cone that roars white.
func (c *canvas) dragon() {
	x := c.wide / 2
	c.glow(0xffe6c9, x, 30, 56, 0.6)
	c.sparks(x, 58, 60, 0.75, 0.22, 230, 0xffffff, 0xffe9c9, 0xffc98a)
	c.ellipse(0x0a0714, x, 96, 38, 5)
	c.poly(0x1f7a4c, point{x, 54}, point{x + 18, 95}, point{x - 18, 95})
	c.poly(0x2f9a63, point{x, 54}, point{x + 4, 95}, point{x - 18, 95})
	for row := range 4 { // scales
		y := 68 + 8*float64(row)
		for k := range row + 2 {
			at := x + (float64(k)-float64(row+1)/2)*7.5
			c.arc(0xf2c45b, 0.9, at, y-2, 3.4, 3.4, 0, 0.5)
		}
	}
	c.disc(0xfff6dd, x, 55, 2.6)
}

// niagara is a rope with a curtain of silver.
func (c *canvas) niagara() {
	for x := 6.0; x < c.wide-6; x += 1.1 {
		y := 22 + 7*math.Sin(math.Pi*x/c.wide)
		l := 50 + 18*c.r.Float64()
		of := paint(0xf4f7ff).mix(0x9fb6e8, c.r.Float64())
		for k := range 6 {
			t := float64(k) / 6
			c.veil(of, x+0.6*c.r.Float64(), y+l*t+3*c.r.Float64(), 0.32, 3+2*c.r.Float64(), 0.75-0.6*t)
		}
		if c.r.IntN(3) == 0 {
			c.disc(0xffffff, x, y+l*c.r.Float64(), 0.5)
		}
		c.disc(0xd9c7a4, x, y, 0.9)
	}
	c.stroke(0x6b4a33, 3, point{5, 100}, point{5, 16})
	c.stroke(0x6b4a33, 3, point{c.wide - 5, 100}, point{c.wide - 5, 16})
	c.box(0x0a0714, 0, 96, c.wide, 6, 0)
	c.glow(0xdfe8ff, c.wide/2, 88, 60, 0.3)
}

// parachute comes down by day.
func (c *canvas) parachute() {
	for i := range 4 {
		x, y := c.wide*(0.12+0.26*float64(i)), 76+9*c.r.Float64()
		c.veil(0xffffff, x, y, 17, 5, 0.8)
		c.veil(0xffffff, x+9, y-4, 10, 5, 0.8)
	}
	x := c.wide * 0.54
	for k := range 7 {
		c.stroke(0x5c6570, 0.5, point{x - 30 + 10*float64(k), 40}, point{x + 3, 72})
	}
	for k, of := range []paint{0xe8412f, 0xffffff, 0xe8412f, 0xffffff, 0xe8412f, 0xffffff} {
		a, b := x-30+10*float64(k), x-20+10*float64(k)
		c.path(x, 10).curve((x+a)/2-1.2*math.Abs(a-x)/4, 14, a, 41).curve((a+b)/2, 37, b, 41).
			curve((x+b)/2+1.2*math.Abs(b-x)/4*signOf(b-x), 14, x, 10).fill(of, 1)
	}
	c.box(0x3f74b8, x-1, 70, 8, 16, 1.5)
	c.box(0xf2c45b, x-1, 75, 8, 3, 0)
}

func signOf(x float64) float64 { return math.Copysign(1, x) }

// rockets are tubes on sticks.
func (c *canvas) rockets() {
	for i := range 5 {
		x, of := c.wide*(0.2+0.15*float64(i)), festive[i]
		y := 26 + 7*math.Abs(float64(i)-2)
		c.veil(0, x+2, y+36, 1.4, 38, 0.15)
		c.stroke(0xb98d5b, 1.5, point{x, y + 8}, point{x, 96})
		c.box(of, x-4, y, 8, 24, 1)
		c.poly(of.mix(0, 0.35), point{x - 4.6, y + 0.6}, point{x + 4.6, y + 0.6}, point{x, y - 11})
		c.box(0xffffff, x-4, y+7, 8, 2.4, 0)
		c.box(0xffffff, x-4, y+13, 8, 2.4, 0)
		c.arc(0x4a3f36, 0.7, x+4, y+24, 3, 5, 0.25, 0.5)
	}
}

// roman is a candle with a star of each color above it.
func (c *canvas) roman() {
	x := c.wide * 0.3
	c.stroke(0xb5332f, 8, point{x - 12, 100}, point{x, 66})
	c.stroke(0xf2c45b, 8, point{x - 6.6, 84.5}, point{x - 5.6, 81.8})
	c.glow(0xffd98a, x+1, 63, 14, 0.8)
	for i := range 8 {
		t := float64(i+1) / 8
		at := point{x + 74*t, 66 - 78*t + 26*t*t}
		of := []paint{0xff5a5a, 0xffa14a, 0xffe066, 0x63e08a, 0x5ad1e6, 0x6d8bff, 0xc98bff, 0xffffff}[i]
		c.glow(of, at.x, at.y, 11, 0.7)
		c.sparks(at.x, at.y, 7, 0.35, 0.3, 8, of)
		c.disc(of, at.x, at.y, 2.6)
		c.disc(0xffffff, at.x, at.y, 1.2)
	}
}

// shots is a box of n by n tubes.
func (c *canvas) shots(n int, of, gold paint) {
	x, w := c.wide/2-34, 68.0
	c.shade(c.wide/2, 92, 44)
	c.poly(of.mix(0xffffff, 0.2), point{x, 44}, point{x + 12, 24}, point{x + w + 12, 24}, point{x + w, 44})
	for row := range n {
		for k := range n {
			u, v := (float64(k)+0.5)/float64(n), (float64(row)+0.5)/float64(n)
			c.ellipse(0x2b1f1a, x+12*v+w*u, 44-20*v, w/float64(n)*0.36, 20/float64(n)*0.36)
			c.ellipse(gold, x+12*v+w*u, 44.4-20*v, w/float64(n)*0.22, 20/float64(n)*0.2)
		}
	}
	c.poly(of.mix(0, 0.3), point{x + w, 44}, point{x + w + 12, 24}, point{x + w + 12, 72}, point{x + w, 92})
	c.box(of, x, 44, w, 48, 0.5)
	c.box(gold, x, 50, w, 1.6, 0)
	c.box(gold, x, 85, w, 1.6, 0)
	c.star(gold, x+w*0.32, 68, 13)
	c.star(gold.mix(0xffffff, 0.5), x+w*0.7, 68, 9+float64(n)/2)
}

// bag holds sticks of many kinds, under a paper head.
func (c *canvas) bag(of paint, n int) {
	x := c.wide / 2
	c.shade(x, 96, 38)
	for i := range n {
		at := x + 56*(float64(i)+0.5)/float64(n) - 28
		lean, top := (at-x)*0.18, 20+9*c.r.Float64()
		c.stroke(0xcdbb97, 1.2, point{at, 92}, point{at + lean*0.6, top + 18})
		c.stroke(festive[c.r.IntN(6)], 3, point{at + lean*0.6, top + 22}, point{at + lean, top})
		c.stroke(0xffffff, 3, point{at + lean*0.85, top + 8}, point{at + lean*0.83, top + 9})
	}
	c.path(x-33, 54).line(x+33, 54).line(x+30, 96).line(x-30, 96).fill(0xffffff, 0.4)
	c.box(of, x-34, 48, 68, 22, 2)
	c.star(0xffe066, x-19, 59, 8)
	c.star(0xffffff, x+20, 59, 6)
	c.box(0xffffff, x-7, 55, 18, 2.6, 1.2)
	c.box(0xffffff, x-7, 60.5, 12, 2.6, 1.2)
}

func (c *canvas) moon() {
	c.glow(0xfdf2cf, c.wide*0.82, 20, 26, 0.4)
	c.disc(0xfdf2cf, c.wide*0.82, 20, 9)
	c.disc(0x1b2347, c.wide*0.85, 17.5, 8)
}

// candle burns in a cup of metal.
func (c *canvas) candle() {
	x := c.wide / 2
	c.glow(0xffb35a, x, 38, 60, 0.75)
	c.ellipse(0x0a0714, x, 92, 36, 6)
	c.path(x-22, 60).line(x+22, 60).line(x+17, 92).line(x-17, 92).fill(0x8d96a5, 1)
	c.path(x-22, 60).line(x-6, 60).line(x-5, 92).line(x-17, 92).fill(0xb9c1cc, 1)
	c.ellipse(0x5c6570, x, 60, 22, 5)
	c.box(0xf6efe2, x-9, 46, 18, 15, 2)
	c.ellipse(0xfffaf0, x, 46, 9, 2.4)
	c.stroke(0x3b2b22, 0.9, point{x, 46}, point{x, 41})
	c.path(x, 17).cubic(x+9, 30, x+7, 42, x, 43).cubic(x-7, 42, x-9, 30, x, 17).fill(0xff9a2e, 1)
	c.path(x, 26).cubic(x+5, 34, x+4, 42, x, 42.6).cubic(x-4, 42, x-5, 34, x, 26).fill(0xffe9a8, 1)
}

// bucket folds, and is full.
func (c *canvas) bucket() {
	x := c.wide / 2
	c.shade(x, 92, 36)
	c.arc(0x5c6570, 1.6, x, 40, 29, 30, 0.5, 1)
	c.path(x-31, 40).line(x+31, 40).line(x+23, 92).line(x-23, 92).fill(0x2f86c4, 1)
	c.path(x-31, 40).line(x-12, 40).line(x-9, 92).line(x-23, 92).fill(0x52a3da, 1)
	for k := range 3 {
		y := 53 + 12*float64(k)
		w := 31 - 8*(y-40)/52
		c.stroke(0x226d9f, 1.4, point{x - w + 1, y}, point{x + w - 1, y})
	}
	c.ellipse(0x1d5f92, x, 40, 31, 7)
	c.ellipse(0x9fd8f0, x, 41, 28, 5.6)
	c.veil(0xffffff, x-9, 40, 9, 1.4, 0.7)
	c.disc(0x5c6570, x-29, 41, 2)
	c.disc(0x5c6570, x+29, 41, 2)
}

// lighter has a long neck.
func (c *canvas) lighter() {
	c.veil(0, c.wide*0.5, 82, 44, 3, 0.15)
	c.stroke(0x9aa3ad, 3.4, point{c.wide * 0.46, 56}, point{c.wide * 0.6, 48}, point{c.wide * 0.7, 38},
		point{c.wide * 0.76, 28})
	c.stroke(0xc94f7c, 13, point{c.wide * 0.16, 74}, point{c.wide * 0.42, 58})
	c.stroke(0xe079a0, 4, point{c.wide * 0.17, 71}, point{c.wide * 0.4, 56.6})
	c.stroke(0x3a2f3c, 4, point{c.wide * 0.31, 76}, point{c.wide * 0.36, 70})
	c.glow(0xffc98a, c.wide*0.79, 18, 16, 0.4)
	x := c.wide * 0.785
	c.path(x, 6).cubic(x+6, 14, x+5, 23, x-0.5, 25).cubic(x-5, 23, x-5, 14, x, 6).fill(0xff9a2e, 1)
	c.path(x, 13).cubic(x+3, 18, x+2.6, 23, x-0.4, 24).cubic(x-3, 22, x-2.6, 18, x, 13).fill(0xfff0c0, 1)
}

// fan is of bamboo and paper, with a chrysanthemum of fire.
func (c *canvas) fan() {
	x := c.wide / 2
	c.veil(0, x+3, 48, 36, 37, 0.18)
	c.stroke(0xb98d5b, 4.4, point{x, 70}, point{x, 98})
	c.ellipse(0x1c2550, x, 44, 36, 37)
	for i := range 24 {
		a := 2 * math.Pi * float64(i) / 24
		for k, of := range []paint{0xe8412f, 0xf2a03d, 0xffe066} {
			from, to := 6+8*float64(k), 12+8*float64(k)
			cos, sin := math.Cos(a), math.Sin(a)
			c.stroke(of, 1.1, point{x + from*cos, 42 + from*sin}, point{x + to*cos, 42 + to*sin})
		}
	}
	c.disc(0xffffff, x, 42, 2.4)
	for i := -5; i <= 5; i++ {
		c.stroke(0xd8c08c, 0.35, point{x, 84}, point{x + 6.4*float64(i), 18 + math.Abs(float64(i))*2.6})
	}
	c.ellipse(0xd8c08c, x, 79, 9, 2)
}

func (c *canvas) notebook() {
	x := c.wide/2 - 30
	c.veil(0, x+32, 56, 33, 42, 0.2)
	c.box(0xf6f1e6, x+3, 12, 60, 82, 1.5)
	c.box(0x26335a, x, 10, 60, 82, 2)
	c.box(0x1b2445, x, 10, 9, 82, 2)
	for k := range 9 {
		c.disc(0xcdbb97, x+4.5, 16+9*float64(k), 1.1)
	}
	c.star(0xf2c45b, x+36, 44, 17)
	c.box(0xf6f1e6, x+20, 72, 32, 3, 1.4)
	c.box(0xf6f1e6, x+26, 78, 20, 2.2, 1)
	c.stroke(0xd24a2f, 2.6, point{x + 78, 20}, point{x + 70, 84})
	c.poly(0xe8d3b0, point{x + 68.6, 83}, point{x + 71.4, 84}, point{x + 69.2, 91})
}

// poster has a shell of each kind.
func (c *canvas) poster() {
	x := c.wide/2 - 31
	c.veil(0, x+33, 52, 33, 47, 0.2)
	c.box(0x12122e, x, 5, 62, 90, 1)
	for row := range 5 {
		for k := range 4 {
			c.star(festive[(row*4+k*3+row)%6].mix(0xffffff, 0.15), x+9+14.6*float64(k), 16+14*float64(row),
				3.4+2.4*c.r.Float64())
		}
	}
	c.box(0xf6f1e6, x+14, 84, 34, 2.6, 1.2)
	c.box(0xf6f1e6, x+22, 89, 18, 1.8, 0.9)
	c.box(0xb98d5b, x-3, 3, 68, 3, 1.4)
	c.box(0xb98d5b, x-3, 94, 68, 3, 1.4)
}

// pin is a willow of gold on black, on a card.
func (c *canvas) pin() {
	x := c.wide / 2
	c.veil(0, x+2, 52, 36, 44, 0.16)
	c.box(0xfffdf8, x-35, 8, 70, 86, 3)
	c.veil(0, x+1.6, 50, 27, 27, 0.25)
	c.disc(0xd8a63a, x, 48, 27)
	c.disc(0x14121c, x, 48, 25)
	for i := range 15 {
		t := float64(i)/14*2 - 1
		c.path(x+t*2, 36).cubic(x+t*17, 26, x+t*23, 46, x+t*20, 62-8*t*t).cubic(x+t*21.6, 46, x+t*16, 28, x+t*2, 37.4).
			fill(0xf2c45b, 1)
		c.disc(0xffe9a8, x+t*20, 62-8*t*t, 0.9)
	}
	c.box(0x8d7f86, x-14, 84, 28, 2.2, 1)
}

// towel hangs over a pole.
func (c *canvas) towel() {
	x := c.wide/2 - 26
	c.stroke(0x9a6b43, 3.6, point{8, 14}, point{c.wide - 8, 14})
	c.veil(0, x+28, 56, 28, 42, 0.12)
	c.box(0x23406f, x, 12, 52, 78, 0.5)
	c.box(0x2c4f87, x+3, 12, 5, 78, 0)
	for row := range 4 {
		for k := range 3 {
			at := x + 10 + 16*float64(k) + 8*float64(row%2)
			if at < x+46 {
				c.star(0xf6efe2, at, 24+18*float64(row), 6.4)
			}
		}
	}
	for at := x + 1; at < x+52; at += 2.6 {
		c.stroke(0xf6efe2, 0.8, point{at, 90}, point{at, 94})
	}
	c.box(0x1b3258, x, 12, 52, 4.4, 0.5)
}
