package draw

import "math"

// side is the width and height of an avatar in pixels.
const side = 320

// face is how a person looks.
type face struct {
	ground, glow       paint // behind the person: above and below
	skin, hair, shirt  paint
	cut                string // of the hair: short, bob, long, bun, curls, tail, cap, scarf, bald
	glasses, beard     bool
	smile              float64 // from 0 to 1
	collar             paint   // of a second cloth; 0 for none
	brow               paint   // of a band around the head; 0 for none
	earring, freckles  bool
	flower, headphones bool
}

var faces = map[string]face{
	"hana": {ground: 0x1f2a5c, glow: 0xd9526b, skin: 0xf6cfae, hair: 0x241a22, shirt: 0x2b3f7d, cut: "bun", smile: 0.9,
		collar: 0xf5f0e6, flower: true},
	"ren": {ground: 0x2f7f79, glow: 0x8fd3b6, skin: 0xeec19b, hair: 0x1f1b1b, shirt: 0x2b2f36, cut: "short",
		glasses: true, smile: 0.4},
	"alice": {ground: 0xf2b04a, glow: 0xf7dc8f, skin: 0xf3c6a5, hair: 0xb5482a, shirt: 0x355f4d, cut: "curls", smile: 0.8,
		freckles: true},
	"ben": {ground: 0x6d4f9c, glow: 0xc49be0, skin: 0x8a5a3c, hair: 0x1a1413, shirt: 0xf0c453, cut: "short", beard: true,
		smile: 1},
	"clara": {ground: 0xd8e8ee, glow: 0x7fb4cf, skin: 0xf0c8a8, hair: 0x5c4632, shirt: 0xe8702a, cut: "cap", glasses: true,
		smile: 0.6, collar: 0xffe08a},
	"david": {ground: 0x3c5aa8, glow: 0x93b7f0, skin: 0xd9a67c, hair: 0x40302a, shirt: 0xf2efe8, cut: "short",
		headphones: true, smile: 0.5},
	"eva": {ground: 0x23202b, glow: 0x6f4a66, skin: 0xf4d4bd, hair: 0xe9d7a8, shirt: 0x14131a, cut: "long", smile: 0.3,
		earring: true},
	"layla": {ground: 0xf3e3cf, glow: 0xe6a988, skin: 0xd8a077, hair: 0x2c7a7b, shirt: 0x2c7a7b, cut: "scarf", smile: 0.8},
	"grace": {ground: 0x97c06b, glow: 0xdfeeb2, skin: 0x6f4630, hair: 0x1c1416, shirt: 0xc63d59, cut: "curls",
		glasses: true, smile: 0.9, earring: true},
	"aoi": {ground: 0xc8322f, glow: 0xf2884b, skin: 0xe9b78c, hair: 0x17151b, shirt: 0x1d2d6b, cut: "short",
		brow: 0xf7f4ee, smile: 1, collar: 0xffffff},
	"ines": {ground: 0xef8f8f, glow: 0xfbd3c0, skin: 0xc98f66, hair: 0x2a1a17, shirt: 0x3a3f8f, cut: "bob", smile: 0.7,
		earring: true},
	"kanri": {ground: 0x274b46, glow: 0xd7b56d, skin: 0xf0c9a6, hair: 0x3a3a44, shirt: 0x8c2f39, cut: "bun", glasses: true,
		smile: 0.6, collar: 0xf5f0e6},
	"jonas": {ground: 0xbfc9d4, glow: 0xeef1f4, skin: 0xf1c9b0, hair: 0x9a7b52, shirt: 0x37485c, cut: "bald", beard: true,
		glasses: true, smile: 0.2},
}

// creatures are avatars that are not faces of people.
var creatures = map[string]func(*canvas){
	"sora": moon, "yuki": rabbit, "kenji": owl, "mei": wagashi, "taro": cat, "felix": fox, "emi": goldfish, "haru": frog,
}

// Avatar draws the avatar of a user of the seed as a JPEG; another name gets a face by chance.
func Avatar(name string) []byte {
	c := newCanvas("avatar "+name, side, side)
	if creature, ok := creatures[name]; ok {
		creature(c)
		return c.jpeg()
	}
	f, ok := faces[name]
	if !ok {
		all := []string{"hana", "ren", "alice", "ben", "david", "eva", "grace", "ines"}
		f = faces[all[c.r.IntN(len(all))]]
		f.ground, f.glow = f.glow, f.ground
	}
	c.face(f)
	return c.jpeg()
}

func (c *canvas) face(f face) {
	dark := f.skin.mix(0x5a2018, 0.22)
	c.sky(f.ground, f.ground.mix(f.glow, 0.9))
	c.veil(f.glow, 50, 52, 43, 43, 0.45)
	switch f.cut { // behind the head
	case "long":
		c.path(22, 46).cubic(20, 8, 80, 8, 78, 46).cubic(78, 66, 84, 82, 82, 100).line(18, 100).cubic(16, 82, 22, 66, 22, 46).
			fill(f.hair, 1)
	case "bob":
		c.path(22, 44).cubic(20, 10, 80, 10, 78, 44).cubic(79, 58, 82, 66, 77, 71).line(23, 71).cubic(18, 66, 21, 58, 22, 44).
			fill(f.hair, 1)
	case "curls":
		for i := range 17 {
			a := math.Pi * (0.9 + 1.2*float64(i)/16)
			c.disc(f.hair, 50+27*math.Cos(a), 43+25*math.Sin(a), 10)
		}
	case "bun":
		c.disc(f.hair, 50, 14, 10)
		c.ellipse(f.hair, 50, 40, 28, 27)
	case "scarf":
		c.path(20, 46).cubic(18, 6, 82, 6, 80, 46).cubic(80, 66, 86, 86, 92, 100).line(8, 100).cubic(14, 86, 20, 66, 20, 46).
			fill(f.hair.mix(0, 0.22), 1)
	}
	// Shoulders, neck and shirt.
	c.path(8, 101).cubic(10, 80, 28, 76, 41, 74).line(59, 74).cubic(72, 76, 90, 80, 92, 101).fill(f.shirt, 1)
	c.box(dark, 42, 60, 16, 18, 6)
	c.path(41, 73).curve(50, 86, 59, 73).fill(f.skin.mix(dark, 0.6), 1)
	if f.collar != 0 {
		c.stroke(f.collar, 3.4, point{38, 74}, point{51, 93}, point{50, 101})
		c.stroke(f.collar, 3.4, point{62, 74}, point{47, 99})
	}
	// Head and ears.
	if f.cut != "scarf" {
		c.ellipse(dark, 26.5, 48, 4, 6)
		c.ellipse(dark, 73.5, 48, 4, 6)
	}
	c.path(27, 42).cubic(27, 14, 73, 14, 73, 42).cubic(73, 62, 62, 72, 50, 72).cubic(38, 72, 27, 62, 27, 42).
		fill(f.skin, 1)
	if f.beard {
		c.path(27, 47).cubic(29, 60, 36, 57, 42, 56).curve(50, 53, 58, 56).cubic(64, 57, 71, 60, 73, 47).
			cubic(73, 66, 63, 76, 50, 76).cubic(37, 76, 27, 66, 27, 47).fill(f.hair, 1)
	}
	c.veil(0xe4572e, 35, 55, 5, 3.4, 0.2)
	c.veil(0xe4572e, 65, 55, 5, 3.4, 0.2)
	c.features(f, dark)
	c.hairdo(f)
	if f.earring {
		c.disc(0xf5c542, 26, 57, 2)
		c.disc(0xf5c542, 74, 57, 2)
	}
	if f.flower {
		for i := range 5 {
			a := 2 * math.Pi * float64(i) / 5
			c.disc(0xf7768e, 71+4.4*math.Cos(a), 22+4.4*math.Sin(a), 4)
		}
		c.disc(0xffd75e, 71, 22, 3)
	}
	if f.headphones {
		c.arc(0x22262e, 4, 50, 43, 27, 29, 0.5, 1)
		c.box(0xe4572e, 20, 40, 8, 16, 4)
		c.box(0xe4572e, 72, 40, 8, 16, 4)
	}
}

// features are eyes, nose and mouth.
func (c *canvas) features(f face, dark paint) {
	for _, x := range []float64{40, 60} {
		c.ellipse(0x231a1c, x, 47, 2.5, 3.1)
		c.disc(0xffffff, x+0.9, 45.8, 0.9)
		c.arc(f.hair.mix(0x231a1c, 0.5), 1.7, x, 43, 5, 4, 0.6, 0.9)
	}
	if f.cut == "scarf" {
		c.arc(0x2a1a17, 1.7, 40, 43, 5, 4, 0.6, 0.9)
		c.arc(0x2a1a17, 1.7, 60, 43, 5, 4, 0.6, 0.9)
	}
	c.arc(dark, 1.6, 50, 51.5, 2.4, 2, 0.05, 0.45)
	if f.smile > 0.65 {
		c.path(42, 58.5).curve(50, 60.5, 58, 58.5).curve(56, 66+f.smile, 50, 66.5+f.smile).curve(44, 66+f.smile, 42, 58.5).
			fill(0x8c2f39, 1)
		c.path(43.4, 59.1).curve(50, 61, 56.6, 59.1).line(55.8, 61.4).curve(50, 62.6, 44.2, 61.4).fill(0xffffff, 1)
	} else {
		c.arc(0x93403f, 1.9, 50, 58, 6, 2+4*f.smile, 0.07, 0.43)
	}
	if f.glasses {
		of := paint(0x26232b)
		c.arc(of, 1.5, 40, 47.5, 7.6, 7, 0, 1)
		c.arc(of, 1.5, 60, 47.5, 7.6, 7, 0, 1)
		c.stroke(of, 1.5, point{47.4, 46.5}, point{52.6, 46.5})
	}
	if f.freckles {
		for _, p := range []point{{34, 53}, {37, 55}, {33, 56}, {66, 53}, {63, 55}, {67, 56}, {48, 50}, {53, 51}} {
			c.veil(0xa5512e, p.x, p.y, 0.8, 0.8, 0.7)
		}
	}
}

// hairdo is what lies over the forehead.
func (c *canvas) hairdo(f face) {
	switch f.cut {
	case "short":
		c.path(25, 42).cubic(22, 8, 78, 8, 75, 42).cubic(74, 34, 70, 31, 66, 29).cubic(54, 33, 44, 31, 36, 27).
			cubic(31, 31, 27, 35, 25, 42).fill(f.hair, 1)
		c.path(40, 19).curve(56, 4, 68, 18).fill(f.hair, 1)
	case "bun", "long":
		c.path(24, 48).cubic(20, 8, 80, 8, 76, 48).cubic(74, 34, 64, 27, 52, 22).cubic(44, 30, 30, 32, 24, 48).fill(f.hair, 1)
	case "bob":
		c.path(22, 52).cubic(18, 8, 82, 8, 78, 52).cubic(77, 42, 74, 36, 72, 33).line(28, 33).cubic(26, 36, 23, 42, 22, 52).
			fill(f.hair, 1)
	case "curls":
		for i := range 9 {
			c.disc(f.hair, 27+5.8*float64(i), 29-9*math.Sin(math.Pi*float64(i)/8), 7)
		}
	case "cap": // a helmet with a lamp
		c.path(22, 37).cubic(22, 4, 78, 4, 78, 37).fill(0xf7c531, 1)
		c.box(0xe0a91f, 18, 34, 64, 6, 3)
		c.box(0xfbe08a, 45, 8, 10, 27, 4)
		c.disc(0xffffff, 50, 26, 5)
		c.disc(0x9fd8ef, 50, 26, 3.4)
	case "scarf":
		c.path(22, 100).cubic(16, 70, 22, 50, 24, 42).cubic(24, 8, 76, 8, 76, 42).cubic(78, 50, 84, 70, 78, 100).
			cubic(70, 82, 76, 66, 72, 46).cubic(70, 18, 30, 18, 28, 46).cubic(26, 66, 36, 78, 50, 80).
			cubic(40, 88, 30, 92, 22, 100).fill(f.hair, 1)
		c.path(28, 60).cubic(36, 76, 64, 76, 72, 60).cubic(80, 78, 88, 90, 90, 101).line(10, 101).
			cubic(12, 90, 20, 78, 28, 60).
			fill(f.hair, 1)
		c.arc(f.hair.mix(0xffffff, 0.3), 1.2, 50, 70, 27, 13, 0.08, 0.42)
	}
	if f.brow != 0 {
		c.path(25, 34).curve(50, 26, 75, 34).line(75, 40).curve(50, 32, 25, 40).fill(f.brow, 1)
		c.poly(f.brow, point{74, 35}, point{88, 28}, point{84, 37}, point{90, 43}, point{74, 40})
		c.disc(0xd2302c, 50, 33.5, 3)
	}
}
