package draw

import (
	"fmt"
	"strings"
)

// scene draws a scene with the given sides.
func scene(name string, width, height int) []byte {
	kind, word, _ := strings.Cut(name, " ")
	if kind == "fireworks" {
		bursts, seed := 3, 0
		_, _ = fmt.Sscan(word, &bursts, &seed) // absent ones keep their values
		return fireworks(uint64(seed+10*bursts), width, height, bursts)
	}
	draw, ok := scenes[kind]
	if !ok {
		panic(fmt.Sprintf("draw: there is no scene %q", name))
	}
	c := newCanvas(name, width, height)
	draw(c)
	return c.jpeg()
}
