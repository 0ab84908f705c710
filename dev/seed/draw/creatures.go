package draw

import "math"

// eyes are two round ones with a light in each.
func (c *canvas) eyes(x1, x2, y, r float64) {
	for _, x := range []float64{x1, x2} {
		c.disc(0x1d1a22, x, y, r)
		c.disc(0xffffff, x+r*0.35, y-r*0.35, r*0.32)
	}
}

func fox(c *canvas) {
	c.sky(0x2e6f66, 0x9ecf9b)
	orange, white := paint(0xe87733), paint(0xfff4e3)
	c.poly(orange, point{18, 12}, point{46, 34}, point{22, 52})
	c.poly(orange, point{82, 12}, point{54, 34}, point{78, 52})
	c.poly(0x3d2420, point{22, 20}, point{38, 34}, point{25, 42})
	c.poly(0x3d2420, point{78, 20}, point{62, 34}, point{75, 42})
	c.path(14, 52).cubic(20, 24, 80, 24, 86, 52).cubic(78, 72, 62, 78, 50, 90).cubic(38, 78, 22, 72, 14, 52).
		fill(orange, 1)
	c.path(14, 52).cubic(28, 50, 42, 58, 50, 74).cubic(58, 58, 72, 50, 86, 52).cubic(78, 72, 62, 78, 50, 90).
		cubic(38, 78, 22, 72, 14, 52).fill(white, 1)
	c.eyes(34, 66, 51, 4.6)
	c.ellipse(0x231b1f, 50, 82, 6, 4.6)
}

func cat(c *canvas) {
	c.sky(0x2a2f55, 0x6a5d9c)
	c.disc(0xf6d886, 76, 22, 12)
	c.stars(30, 60)
	grey := paint(0x46434f)
	c.path(16, 101).cubic(14, 76, 30, 66, 50, 66).cubic(70, 66, 86, 76, 84, 101).fill(grey.mix(0, 0.15), 1)
	c.poly(grey, point{22, 22}, point{48, 38}, point{22, 56})
	c.poly(grey, point{78, 22}, point{52, 38}, point{78, 56})
	c.poly(0xd98c93, point{26, 30}, point{38, 39}, point{27, 46})
	c.poly(0xd98c93, point{74, 30}, point{62, 39}, point{73, 46})
	c.ellipse(grey, 50, 57, 31, 26)
	for _, x := range []float64{37, 63} {
		c.ellipse(0xf2cf4a, x, 55, 7, 7.6)
		c.ellipse(0x17151b, x, 55, 2.6, 6.6)
		c.disc(0xffffff, x+2.2, 52.4, 1.5)
	}
	c.poly(0xe79aa0, point{46.5, 64}, point{53.5, 64}, point{50, 68})
	c.arc(0xe8e4ea, 1.2, 46, 68, 4, 4, 0.05, 0.45)
	c.arc(0xe8e4ea, 1.2, 54, 68, 4, 4, 0.05, 0.45)
	for _, y := range []float64{64, 68} {
		c.stroke(0xe8e4ea, 0.8, point{16, y - 1}, point{32, y + 1})
		c.stroke(0xe8e4ea, 0.8, point{84, y - 1}, point{68, y + 1})
	}
}

func rabbit(c *canvas) {
	c.sky(0x8ec5e8, 0xe9f4fb)
	white := paint(0xffffff)
	for _, x := range []float64{37, 63} {
		c.ellipse(white, x, 26, 9.5, 25)
		c.ellipse(0xf6bfc6, x, 28, 4.6, 18)
	}
	c.path(10, 101).cubic(14, 84, 34, 80, 50, 80).cubic(66, 80, 86, 84, 90, 101).fill(white, 1)
	c.ellipse(white, 50, 60, 31, 27)
	c.eyes(38, 62, 57, 4)
	c.veil(0xf29aa6, 29, 67, 6, 4, 0.6)
	c.veil(0xf29aa6, 71, 67, 6, 4, 0.6)
	c.ellipse(0xe98492, 50, 65, 3, 2.2)
	c.arc(0x6b5660, 1.2, 47, 68, 3, 3, 0.05, 0.45)
	c.arc(0x6b5660, 1.2, 53, 68, 3, 3, 0.05, 0.45)
	c.path(18, 84).curve(50, 98, 82, 84).line(84, 93).curve(50, 106, 16, 93).fill(0xd64045, 1)
	for range 26 {
		c.veil(0xffffff, c.r.Float64()*100, c.r.Float64()*100, 1.1, 1.1, 0.9)
	}
}

func owl(c *canvas) {
	c.sky(0x14352f, 0x3d7a57)
	c.disc(0xe8d9a0, 50, 46, 43)
	brown := paint(0x7c573a)
	c.poly(brown, point{20, 14}, point{44, 28}, point{24, 44})
	c.poly(brown, point{80, 14}, point{56, 28}, point{76, 44})
	c.path(18, 56).cubic(14, 18, 86, 18, 82, 56).cubic(84, 84, 68, 98, 50, 98).cubic(32, 98, 16, 84, 18, 56).fill(brown, 1)
	c.path(30, 70).cubic(30, 56, 70, 56, 70, 70).cubic(70, 88, 60, 95, 50, 95).cubic(40, 95, 30, 88, 30, 70).
		fill(0xecd3ab, 1)
	for _, p := range []point{{42, 74}, {50, 74}, {58, 74}, {46, 82}, {54, 82}, {50, 90}} {
		c.arc(0xb98d5d, 1.6, p.x, p.y, 3.4, 3, 0.02, 0.48)
	}
	for _, x := range []float64{35, 65} {
		c.disc(0xf7ead0, x, 46, 15.5)
		c.disc(0xf2a531, x, 46, 9.6)
		c.disc(0x1d1719, x, 46, 5.8)
		c.disc(0xffffff, x+2.2, 43.6, 1.9)
	}
	c.poly(0xe8892c, point{45, 54}, point{55, 54}, point{50, 64})
}

func frog(c *canvas) {
	c.sky(0xf7d66b, 0xfbeec0)
	green := paint(0x5fae57)
	c.disc(green, 30, 32, 16)
	c.disc(green, 70, 32, 16)
	c.path(10, 60).cubic(8, 30, 92, 30, 90, 60).cubic(92, 84, 70, 90, 50, 90).cubic(30, 90, 8, 84, 10, 60).fill(green, 1)
	c.path(16, 66).cubic(30, 76, 70, 76, 84, 66).cubic(82, 82, 66, 87, 50, 87).cubic(34, 87, 18, 82, 16, 66).
		fill(0xcfe8a9, 1)
	for _, x := range []float64{30, 70} {
		c.disc(0xffffff, x, 31, 10)
		c.disc(0x1d1a22, x, 32, 5.8)
		c.disc(0xffffff, x+2, 30, 1.9)
	}
	c.arc(0x2f6135, 2, 50, 58, 26, 11, 0.03, 0.47)
	c.veil(0xf08a7d, 20, 60, 6, 4, 0.6)
	c.veil(0xf08a7d, 80, 60, 6, 4, 0.6)
	c.disc(0x2f6135, 46, 53, 1.1)
	c.disc(0x2f6135, 54, 53, 1.1)
}

func goldfish(c *canvas) {
	c.sky(0xbfe6ec, 0x6fb7cf)
	for i := range 3 {
		c.arc(0xffffff, 0.8, 50, 50, 30+9*float64(i), 27+8*float64(i), 0.55+0.1*float64(i), 0.8+0.05*float64(i))
	}
	red := paint(0xe2452f)
	c.path(58, 52).cubic(76, 30, 88, 22, 94, 30).cubic(90, 42, 84, 48, 80, 52).cubic(88, 58, 92, 70, 88, 80).
		cubic(76, 76, 66, 66, 58, 52).fill(0xf47f5a, 1)
	c.path(34, 38).cubic(40, 16, 58, 20, 62, 40).fill(0xf47f5a, 1)
	c.path(10, 54).cubic(16, 28, 52, 28, 70, 52).cubic(54, 78, 18, 78, 10, 54).fill(red, 1)
	c.path(14, 62).cubic(26, 66, 48, 66, 62, 60).cubic(48, 78, 20, 76, 14, 62).fill(0xffe9da, 1)
	c.path(38, 60).cubic(42, 74, 52, 80, 56, 76).cubic(56, 68, 48, 62, 38, 60).fill(0xf47f5a, 1)
	for _, p := range []point{{38, 48}, {46, 46}, {54, 48}, {42, 54}, {50, 54}} {
		c.arc(0xb8301f, 1, p.x, p.y, 4, 3.4, 0.75, 1.25)
	}
	c.disc(0xffffff, 23, 49, 6)
	c.disc(0x1d1a22, 22.4, 49, 3.6)
	c.disc(0xffffff, 23.6, 47.6, 1.2)
	for _, p := range []point{{12, 32}, {18, 22}, {10, 14}} {
		c.arc(0xffffff, 1.1, p.x, p.y, 3, 3, 0, 1)
	}
}

func moon(c *canvas) {
	c.sky(0x0f1738, 0x2c3f7c, 0xd58a7c)
	c.stars(70, 80)
	c.glow(0xf9e7ae, 54, 42, 46, 0.45)
	c.disc(0xfbeecb, 54, 42, 25)
	for _, p := range []struct{ x, y, r float64 }{{46, 36, 5}, {60, 48, 6.5}, {62, 32, 3}, {50, 53, 3.4}, {43, 46, 2.4}} {
		c.veil(0xd9c391, p.x, p.y, p.r, p.r, 0.7)
	}
	c.ridge(0x1c2247, 82, 16, 1)
	c.ridge(0x0c1024, 92, 10, 0.6)
	// A tripod with its camera.
	for _, x := range []float64{20, 29, 38} {
		c.stroke(0x05060d, 1.8, point{29, 70}, point{x, 97})
	}
	c.box(0x05060d, 21, 60, 16, 11, 2)
	c.box(0x05060d, 36, 62.5, 6, 6, 1)
}

func wagashi(c *canvas) {
	c.sky(0x49645a, 0x7c9a82)
	c.ellipse(0x26302c, 50, 66, 42, 24)
	c.ellipse(0x8f2d2d, 50, 63, 42, 24)
	c.ellipse(0x6f2222, 50, 62, 36, 19)
	for i := range 8 {
		a := 2*math.Pi*float64(i)/8 + 0.2
		c.ellipse(paint(0xf4a7b5).mix(0xf9cdd3, float64(i%2)), 50+15*math.Cos(a), 49+11*math.Sin(a), 13, 12)
	}
	c.ellipse(0xfbdde0, 50, 48, 14, 11)
	for i := range 9 {
		a := 2 * math.Pi * float64(i) / 9
		c.disc(0xf4c94f, 50+4*math.Cos(a), 47+3*math.Sin(a), 1.7)
	}
	c.path(70, 58).cubic(78, 48, 90, 50, 93, 56).cubic(88, 66, 78, 66, 70, 58).fill(0x7fae4d, 1)
	c.stroke(0x5a8636, 1, point{72, 58}, point{89, 56})
}
