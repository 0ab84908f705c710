package draw

import (
	"bytes"
	"flag"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"
)

var out = flag.String("out", "", "a directory that gets all pictures, to look at")

// Each picture is drawn, is the same twice, differs from all others, and is small.
func TestPictures(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, draw := range everything() {
		data := draw()
		if !bytes.Equal(data, draw()) {
			t.Errorf("%s differs the second time", name)
		}
		if other, ok := seen[string(data)]; ok {
			t.Errorf("%s is the same picture as %s", name, other)
		}
		seen[string(data)] = name
		if _, err := jpeg.Decode(bytes.NewReader(data)); err != nil || len(data) > 400_000 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
		if *out != "" {
			if err := os.WriteFile(filepath.Join(*out, name+".jpg"), data, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}

// everything has all pictures by what they show.
func everything() map[string]func() []byte {
	all := map[string]func() []byte{}
	for name := range faces {
		all["avatar-"+name] = func() []byte { return Avatar(name) }
	}
	for name := range creatures {
		all["avatar-"+name] = func() []byte { return Avatar(name) }
	}
	for name := range scenes {
		all["scene-"+name] = func() []byte { return Scene(name) }
		all["header-"+name] = func() []byte { return Header(name) }
	}
	for name := range goods {
		all["good-"+name] = func() []byte { return Good(name) }
	}
	all["scene-fireworks"] = func() []byte { return Scene("fireworks 3 1") }
	all["scene-fireworks-2"] = func() []byte { return Scene("fireworks 2 4") }
	all["header-fireworks"] = func() []byte { return Header("fireworks 4 2") }
	return all
}
