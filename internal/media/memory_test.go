package media

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// peakEnv names the file that TestPeakChild processes.
const peakEnv = "HIBANA_MEDIA_PEAK"

// boundMiB is the memory of a process that the package comment promises, with GOMEMLIMIT.
const (
	boundMiB = 256
	goLimit  = "GOMEMLIMIT=240MiB"
)

// treesWebP returns a lossless WebP of one color with the most Huffman groups, each with the largest trees.
func treesWebP(w, h int) []byte {
	const groups, cacheBits = 2600, 11
	b := new(bitWriter)
	b.put(0x2f, 8)
	b.put(uint32(w-1), 14)
	b.put(uint32(h-1), 14)
	b.put(0, 1+3)
	b.put(0, 1) // no transform
	b.put(1, 1)
	b.put(cacheBits, 4)
	b.put(1, 1) // several groups: a picture has the group of each tile of 4 x 4 pixels
	b.put(0, 3)
	one := func(symbol uint32) { // a tree of one symbol, whose code has no bits
		b.put(1, 1)
		b.put(0, 1)
		b.put(0, 1)
		b.put(symbol, 1)
	}
	b.put(0, 1) // no cache for this picture
	b.lengths(256, 256+24)
	b.lengths(256, 256)
	one(0)
	one(0)
	one(0)
	for i := range (w + 3) / 4 * ((h + 3) / 4) {
		b.code(uint32(i%groups%256), 8)
		b.code(uint32(i%groups/256), 8)
	}
	for range groups {
		// Of 256 + 24 + 2048 symbols 1,768 codes of 11 bits and 560 of 12 bits.
		b.put(0, 1)
		b.put(16-4, 4)
		for _, symbol := range []int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12} {
			b.put(map[int]uint32{16: 1, 11: 2, 12: 2}[symbol], 3)
		}
		b.put(0, 1)
		again := func(n uint32) { b.code(0, 1); b.put(n-3, 2) }
		b.code(2, 2)
		for range 294 {
			again(6)
		}
		again(3)
		b.code(3, 2)
		for range 93 {
			again(6)
		}
		b.code(3, 2)
		for range 3 {
			b.lengths(256, 256)
		}
		one(1)
	}
	// One pixel, and then copies of the pixel before.
	b.code(0, 11)
	for range 3 {
		b.code(0, 8)
	}
	for left := w*h - 1; left > 0; {
		n := min(left, 4096)
		if n < 3073 {
			b.code(0, 11)
			for range 3 {
				b.code(0, 8)
			}
			left--
			continue
		}
		b.code(256+23, 11)
		b.put(uint32(n-3073), 10)
		left -= n
	}
	return riffOf("VP8L", b.b)
}

// worst are the files that need the most memory of their type, with nearly all that the limits allow.
func worst(t testing.TB) map[string][]byte {
	t.Helper()
	limit := int(DefaultLimits.Memory) - 2<<20
	// The highest picture that is w pixels wide, of so many bytes a pixel.
	high := func(w int, each float64) int { return int(float64(limit)/each) / w &^ 15 }
	deep := high(5000, 8)
	files := map[string][]byte{
		"16-bit PNG":       zeroPNG(t, 5000, deep, 16, 6, 0, int64(deep)*(1+5000*8)),
		"progressive JPEG": grayJPEG(8000, high(8000, 7.5), false, 0x22, 0x11, 0x11),
		"lossless WebP":    treesWebP(4000, (limit-losslessTrees-4<<20)*4/27/4000),
	}
	if testenv.RunsSlow() {
		flat := high(8000, 8)
		files["interlaced PNG"] = zeroPNG(t, 8000, flat, 8, 6, 1, int64(8000*flat*4+flat*15/8))
		files["print JPEG"] = grayJPEG(4000, high(4000, 24), true, 0x11, 0x11, 0x11, 0x11)
	}
	return files
}

// full has files that reach another limit than that of memory.
func full(t testing.TB) map[string][]byte {
	t.Helper()
	if !testenv.RunsSlow() {
		return nil
	}
	return map[string][]byte{
		"PNG":          zeroPNG(t, 8000, 5000, 8, 6, 0, 5000*(1+8000*4)),
		"animated GIF": gifOf(t, 1600, 1600, DefaultLimits.FramePixels/1600/1600),
	}
}

// TestPeak measures the memory of a process that takes the worst files, one after the other, as Linux counts it.
func TestPeak(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil || raced() {
		t.Skip("the memory of a process is not known here, or is that of the race detector")
	}
	dir := t.TempDir()
	for name, file := range worst(t) {
		info, err := New(DefaultLimits).Check(t.Context(), bytes.NewReader(file), int64(len(file)))
		testenv.Must(t, err)
		if info.Memory < DefaultLimits.Memory*95/100 {
			t.Errorf("the headers of %s say %d MiB: this is not the worst file", name, info.Memory>>20)
		}
		testenv.Must(t, os.WriteFile(filepath.Join(dir, name), file, 0o600))
	}
	for name, file := range full(t) {
		testenv.Must(t, os.WriteFile(filepath.Join(dir, name), file, 0o600))
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestPeakChild$", "-test.v")
	cmd.Env = append(os.Environ(), peakEnv+"="+dir, goLimit)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	n := 0
	for line := range strings.Lines(string(out)) {
		_, rest, found := strings.Cut(line, "peak ")
		if !found {
			continue
		}
		n++
		var kib int
		var name string
		_, err := fmt.Sscanf(rest, "%d after %q", &kib, &name)
		testenv.Must(t, err)
		t.Logf("%d MiB after %s", kib>>10, name)
		if kib > boundMiB<<10 {
			t.Errorf("the process had %d MiB after %s, at most %d", kib>>10, name, boundMiB)
		}
	}
	if n < 3 {
		t.Errorf("the process took %d files:\n%s", n, out)
	}
}

// TestPeakChild is the process that TestPeak measures.
func TestPeakChild(t *testing.T) {
	dir := os.Getenv(peakEnv)
	if dir == "" {
		t.Skip("TestPeak runs it")
	}
	files, err := os.ReadDir(dir)
	testenv.Must(t, err)
	p := New(DefaultLimits)
	for _, file := range files {
		f, err := os.Open(filepath.Join(dir, file.Name()))
		testenv.Must(t, err)
		stat, err := f.Stat()
		testenv.Must(t, err)
		_, err = p.Process(t.Context(), f, stat.Size(), Attachment)
		testenv.Must(t, err)
		f.Close()
		status, err := os.ReadFile("/proc/self/status")
		testenv.Must(t, err)
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		fmt.Printf("peak %s after %q\n", strings.Fields(peak)[0], file.Name())
	}
}

// raced reports whether the race detector is on.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-race" && s.Value == "true" {
			return true
		}
	}
	return false
}
