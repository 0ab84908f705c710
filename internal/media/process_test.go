package media

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
)

func process(t testing.TB, file []byte, kind Kind) *Result {
	t.Helper()
	r, err := New(DefaultLimits).Process(t.Context(), bytes.NewReader(file), int64(len(file)), kind)
	testenv.Must(t, err)
	return r
}

// pixels decodes an output by the type that it states.
func pixels(t testing.TB, p Picture) image.Image {
	t.Helper()
	decode := map[Type]func([]byte) (image.Image, error){
		JPEG: func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) },
		PNG:  func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) },
		GIF:  func(b []byte) (image.Image, error) { return gif.Decode(bytes.NewReader(b)) },
	}[p.Type]
	if decode == nil {
		t.Fatalf("an output has the type %q", p.Type)
	}
	m, err := decode(p.Data)
	testenv.Must(t, err)
	if m.Bounds() != image.Rect(0, 0, p.Width, p.Height) {
		t.Errorf("an output of %v says %d x %d", m.Bounds(), p.Width, p.Height)
	}
	return m
}

// near reports whether two colors look alike.
func near(a, b color.Color) bool {
	ar, ag, ab, aa := a.RGBA()
	br, bg, bb, ba := b.RGBA()
	far := func(x, y uint32) bool { return max(x, y)-min(x, y) > 0x1800 }
	return !far(ar, br) && !far(ag, bg) && !far(ab, bb) && !far(aa, ba)
}

// looks compares the middles of the quarters of a picture, in reading order.
func looks(t testing.TB, m image.Image, want [4]color.NRGBA) {
	t.Helper()
	b := m.Bounds()
	for i, c := range want {
		at := image.Pt(b.Dx()*(1+2*(i%2))/4, b.Dy()*(1+2*(i/2))/4)
		if got := m.At(at.X, at.Y); !near(got, c) {
			t.Errorf("quarter %d is %v, want %v", i, got, c)
		}
	}
}

func faint(alpha uint8) (all [4]color.NRGBA) {
	for i, c := range corners {
		c.A = alpha
		all[i] = c
	}
	return all
}

func TestTypes(t *testing.T) {
	t.Parallel()
	gray := color.NRGBA{130, 130, 130, 255}
	lossy := lossyStream(320, 200)
	alpha := append([]byte{0}, bytes.Repeat([]byte{128}, 320*200)...)
	tests := []struct {
		name   string
		file   []byte
		in     Type
		out    Type
		frames int
		want   [4]color.NRGBA
	}{
		{"JPEG", jpegOf(t, drawn(320, 200, 255)), JPEG, JPEG, 1, corners},
		{"PNG", pngOf(t, drawn(320, 200, 255)), PNG, JPEG, 1, corners},
		{"PNG with transparency", pngOf(t, drawn(320, 200, 100)), PNG, PNG, 1, faint(100)},
		{"animated PNG", withChunk(pngOf(t, drawn(320, 200, 255)), "acTL", []byte{0, 0, 0, 7, 0, 0, 0, 0}), PNG, JPEG, 7,
			corners},
		{"GIF", gifOf(t, 320, 200, 1), GIF, JPEG, 1, [4]color.NRGBA{corners[0], corners[0], corners[0], corners[0]}},
		{"animated GIF", gifOf(t, 320, 200, 9), GIF, JPEG, 9, [4]color.NRGBA{corners[0], corners[0], corners[0], corners[0]}},
		{"lossless WebP", webpOf(drawn(320, 200, 255)), WebP, JPEG, 1, corners},
		{"lossless WebP with transparency", webpOf(drawn(320, 200, 100)), WebP, PNG, 1, faint(100)},
		{"lossy WebP", riffOf("VP8 ", lossy), WebP, JPEG, 1, [4]color.NRGBA{gray, gray, gray, gray}},
		{"lossy WebP with transparency", riffOf("VP8X", canvas(webpAlpha, 320, 200), "ALPH", alpha, "VP8 ", lossy), WebP,
			PNG, 1,
			[4]color.NRGBA{{130, 130, 130, 128}, {130, 130, 130, 128}, {130, 130, 130, 128}, {130, 130, 130, 128}}},
		{"WebP that announces transparency and has none", riffOf("VP8X", canvas(webpAlpha, 320, 200), "VP8 ", lossy), WebP,
			JPEG, 1, [4]color.NRGBA{gray, gray, gray, gray}},
		{"animated WebP", riffOf("VP8X", canvas(webpAnimated|webpAlpha, 320, 200), "ANIM", make([]byte, 6),
			"ANMF", frameOf(160, 100, 160, 100, riffChunk("VP8L", losslessStream(drawn(160, 100, 255)))),
			"ANMF", frameOf(0, 0, 320, 200, riffChunk("VP8 ", lossy))), WebP, PNG, 2,
			[4]color.NRGBA{{}, {}, {}, corners[3]}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := process(t, test.file, Attachment)
			if r.Info.Type != test.in || r.Info.Width != 320 || r.Info.Height != 200 || r.Info.Frames != test.frames ||
				r.Info.Animated != (test.frames > 1) || r.Info.Size != int64(len(test.file)) {
				t.Errorf("the file is %+v", r.Info)
			}
			if r.Large.Type != test.out || r.Large.Width != 320 || r.Large.Height != 200 {
				t.Errorf("large is %s of %d x %d", r.Large.Type, r.Large.Width, r.Large.Height)
			}
			m := pixels(t, r.Large)
			if test.name == "animated WebP" { // the frame covers the last quarter, so its middle is where four colors meet
				for i, c := range []color.NRGBA{{}, {}, {}, corners[1]} {
					if at := image.Pt(40+240*(i%2), 25+100*(i/2)); !near(m.At(at.X, at.Y), c) {
						t.Errorf("at %v is %v, want %v", at, m.At(at.X, at.Y), c)
					}
				}
			} else {
				looks(t, m, test.want)
			}
			if r.Hash != Hash(sha256.Sum256(test.file)) {
				t.Error("the hash is of something else")
			}
			if len(r.BlurHash) != 28 || len(r.Color) != 7 {
				t.Errorf("the BlurHash is %q, the color %q", r.BlurHash, r.Color)
			}
			if (r.Animation != nil) != (test.in == GIF && test.frames > 1) {
				t.Errorf("the animation is %v", r.Animation)
			}
		})
	}
}

func TestAnimation(t *testing.T) {
	t.Parallel()
	file := gifOf(t, 100, 80, 6)
	r := process(t, file, Attachment)
	if r.Animation == nil || r.Animation.Type != GIF || r.Animation.Width != 100 || r.Animation.Height != 80 {
		t.Fatalf("the animation is %+v", r.Animation)
	}
	g, err := gif.DecodeAll(bytes.NewReader(r.Animation.Data))
	testenv.Must(t, err)
	if len(g.Image) != 6 || g.LoopCount != 0 {
		t.Fatalf("the animation has %d frames and loops %d times", len(g.Image), g.LoopCount)
	}
	for i, m := range g.Image {
		if !near(m.At(50, 40), corners[i%4]) || g.Delay[i] != 10 {
			t.Errorf("frame %d is %v for %d", i, m.At(50, 40), g.Delay[i])
		}
	}
	if r := process(t, file, Avatar); r.Animation != nil {
		t.Error("an avatar moves")
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		w, h         int
		kind         Kind
		large, small image.Point
	}{
		{4000, 3000, Attachment, image.Pt(1600, 1200), image.Pt(400, 300)},
		{3000, 4000, Attachment, image.Pt(1200, 1600), image.Pt(300, 400)},
		{1601, 100, Attachment, image.Pt(1600, 100), image.Pt(400, 25)},
		{500, 300, Attachment, image.Pt(500, 300), image.Pt(400, 240)},
		{30, 20, Attachment, image.Pt(30, 20), image.Pt(30, 20)},
		{1, 1, Attachment, image.Pt(1, 1), image.Pt(1, 1)},
		{8192, 1, Attachment, image.Pt(1600, 1), image.Pt(400, 1)},
		{1, 8192, Attachment, image.Pt(1, 1600), image.Pt(1, 400)},
		{1000, 600, Avatar, image.Pt(400, 400), image.Pt(96, 96)},
		{60, 90, Avatar, image.Pt(60, 60), image.Pt(60, 60)},
		{8192, 1, Avatar, image.Pt(1, 1), image.Pt(1, 1)},
		{3000, 3000, Banner, image.Pt(1500, 500), image.Pt(600, 200)},
		{3000, 100, Banner, image.Pt(300, 100), image.Pt(300, 100)},
		{1, 1, Banner, image.Pt(1, 1), image.Pt(1, 1)},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%dx%d of kind %d", test.w, test.h, test.kind), func(t *testing.T) {
			t.Parallel()
			r := process(t, pngOf(t, drawn(test.w, test.h, 255)), test.kind)
			for _, p := range []struct {
				Picture
				want image.Point
			}{{r.Large, test.large}, {r.Small, test.small}} {
				m := pixels(t, p.Picture)
				if m.Bounds().Max != p.want {
					t.Errorf("a size is %v, want %v", m.Bounds().Max, p.want)
				}
				if min(test.w, test.h) >= 60 { // JPEG spreads the colors of smaller ones
					looks(t, m, corners)
				}
			}
		})
	}
}

// shown has for each orientation which stored quarter stands in each quarter of what is shown, in reading order
// (EXIF 2.3, section 4.6.4: where the first row and column are).
var shown = [9][4]int{1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {3, 2, 1, 0}, 4: {2, 3, 0, 1}, 5: {0, 2, 1, 3}, 6: {2, 0,
	3, 1},
	7: {3, 1, 2, 0}, 8: {1, 3, 0, 2}}

func TestOrientation(t *testing.T) {
	t.Parallel()
	for o := 1; o <= 8; o++ {
		big, little := exifOf(binary.BigEndian, o), exifOf(binary.LittleEndian, o)
		stored := drawn(400, 200, 255)
		files := map[string][]byte{
			"JPEG, big":    withSegment(jpegOf(t, stored), 0xe1, "Exif\x00\x00"+string(big)),
			"JPEG, little": withSegment(jpegOf(t, stored), 0xe1, "Exif\x00\x00"+string(little)),
			"PNG":          withChunk(pngOf(t, stored), "eXIf", big),
			"WebP":         riffOf("VP8X", canvas(1<<3, 400, 200), "VP8L", losslessStream(stored), "EXIF", little),
		}
		for name, file := range files {
			t.Run(fmt.Sprintf("%s %d", name, o), func(t *testing.T) {
				t.Parallel()
				var want [4]color.NRGBA
				for i, from := range shown[o] {
					want[i] = corners[from]
				}
				r := process(t, file, Attachment)
				size := image.Pt(400, 200)
				if o > 4 {
					size = image.Pt(200, 400)
				}
				if r.Info.Orientation != o || (image.Point{r.Info.Width, r.Info.Height}) != size {
					t.Errorf("the file is %+v", r.Info)
				}
				m := pixels(t, r.Large)
				if m.Bounds().Max != size {
					t.Errorf("it is shown as %v", m.Bounds().Max)
				}
				looks(t, m, want)
				looks(t, pixels(t, process(t, file, Banner).Large), want)
			})
		}
	}
	for _, wrong := range [][]byte{nil, []byte("MM\x00*"), []byte("MM\x00*\xff\xff\xff\xff"),
		[]byte("II*\x00\xff\xff\xff\xff\xff"),
		exifOf(binary.BigEndian, 0), exifOf(binary.BigEndian, 9), exifOf(binary.LittleEndian, 6)[:30]} {
		file := withSegment(jpegOf(t, drawn(40, 20, 255)), 0xe1, "Exif\x00\x00"+string(wrong))
		if r := process(t, file, Attachment); r.Info.Orientation != 1 || r.Large.Width != 40 {
			t.Errorf("EXIF %q turns the picture: %+v", wrong, r.Info)
		}
	}
}

// No output has a byte of metadata, nor of another file that hides in the upload.
func TestForeignBytes(t *testing.T) {
	t.Parallel()
	exif := exifOf(binary.BigEndian, 1)
	zip := "PK\x03\x04" + secret + "PK\x05\x06"
	xmp := "http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta>" + secret + "</x:xmpmeta>"
	photo, drawing := jpegOf(t, drawn(64, 48, 255)), pngOf(t, drawn(64, 48, 200))
	animation := gifOf(t, 64, 48, 3)
	comment := func(file []byte, at int, text string) []byte {
		b := append([]byte{0x21, 0xfe, byte(len(text))}, text...)
		return bytes.Join([][]byte{file[:at], b, {0}, file[at:]}, nil)
	}
	const screen = 13 // bytes before the first block of a GIF without a table
	script := append([]byte(nil), animation...)
	files := map[string][]byte{
		"JPEG with EXIF":           withSegment(photo, 0xe1, "Exif\x00\x00"+string(exif)),
		"JPEG with XMP":            withSegment(photo, 0xe1, xmp),
		"JPEG with a profile":      withSegment(photo, 0xe2, "ICC_PROFILE\x00\x01\x01"+secret),
		"JPEG with a comment":      withSegment(photo, 0xfe, secret),
		"JPEG with an archive":     append(bytes.Clone(photo), zip...),
		"JPEG with all segments":   withSegment(withSegment(photo, 0xed, "Photoshop 3.0\x00"+secret), 0xef, secret),
		"PNG with EXIF":            withChunk(drawing, "eXIf", exif),
		"PNG with text":            withChunk(drawing, "tEXt", []byte("Comment\x00"+secret)),
		"PNG with a profile":       withChunk(drawing, "iCCP", []byte("x\x00\x00"+secret)),
		"PNG with HTML":            append(bytes.Clone(drawing), "<html>"+secret...),
		"PNG with an unknown part": withChunk(drawing, "prVt", []byte(secret)),
		"GIF with a comment":       comment(script, screen, secret),
		"GIF with a script":        comment(script, screen, "*/=1;alert('"+secret+"')/*"),
		"GIF with HTML":            append(bytes.Clone(animation), "<html>"+secret...),
		"GIF with an application":  comment(script, screen, secret),
		"WebP with EXIF": riffOf("VP8X", canvas(1<<3, 64, 48), "VP8L", losslessStream(drawn(64, 48, 255)), "EXIF", exif,
			"XMP ", []byte(xmp), "ICCP", []byte(secret)),
		"WebP with an unknown part": riffOf("VP8X", canvas(0, 64, 48), "ABCD", []byte(secret), "VP8L",
			losslessStream(drawn(64, 48, 90)), "DCBA", []byte(secret)),
		"WebP with an archive": append(webpOf(drawn(64, 48, 255)), zip...),
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !bytes.Contains(file, []byte(secret)) {
				t.Fatal("the upload has no secret")
			}
			for kind := range Kind(len(kinds)) {
				r := process(t, file, kind)
				outputs := []Picture{r.Small, r.Large}
				if r.Animation != nil {
					outputs = append(outputs, *r.Animation)
				}
				for _, p := range outputs {
					for _, foreign := range []string{secret, secret[:8], "<script", "alert", "Exif", "PK\x03\x04", "xmpmeta",
						"ICC_PROFILE", "iCCP",
						"eXIf", "tEXt", "<html"} {
						if bytes.Contains(p.Data, []byte(foreign)) {
							t.Errorf("a %s of kind %d has %q", p.Type, kind, foreign)
						}
					}
				}
			}
		})
	}
}

// A mean is of all pixels, by the area that they share.
func TestScale(t *testing.T) {
	t.Parallel()
	for from := 1; from < 40; from++ {
		for to := 1; to <= from; to++ {
			sums := make([]float64, to)
			for i, pieces := range weights(from, to) {
				own := 0.0
				for _, p := range pieces {
					if p.share > 0 {
						sums[p.to] += float64(p.share)
						own += float64(p.share)
					}
					if p.last && p.to == to-1 && i != from-1 {
						t.Errorf("%d to %d ends at %d", from, to, i)
					}
				}
				if want := float64(to) / float64(from); own < want-1e-5 || own > want+1e-5 {
					t.Errorf("%d to %d: line %d counts %f, want %f", from, to, i, own, want)
				}
			}
			for i, sum := range sums {
				if sum < 1-1e-5 || sum > 1+1e-5 {
					t.Errorf("%d to %d: the shares of line %d are %f", from, to, i, sum)
				}
			}
		}
	}
	// A board of black and white squares becomes gray, whatever is hidden below transparent pixels.
	board := image.NewNRGBA(image.Rect(0, 0, 300, 300))
	for i := range 300 * 300 {
		c := color.NRGBA{255, 0, 0, 0}
		if (i+i/300)%2 == 0 {
			c = color.NRGBA{0, 0, 255, 255}
		}
		board.SetNRGBA(i%300, i/300, c)
	}
	m := scale(board, image.Point{}, shape{1, board.Rect, image.Pt(50, 50)})
	for i := range 50 * 50 {
		if got := m.At(i%50, i/50); !near(got, color.NRGBA{0, 0, 255, 128}) {
			t.Fatalf("at %d is %v", i, got)
		}
	}
}

func TestColor(t *testing.T) {
	t.Parallel()
	one := func(c color.NRGBA) *Result {
		m := image.NewNRGBA(image.Rect(0, 0, 500, 300))
		for i := range 500 * 150 { // the upper half
			m.SetNRGBA(i%500, i/500, c)
		}
		return process(t, pngOf(t, m), Attachment)
	}
	if r := one(color.NRGBA{255, 136, 0, 255}); r.Color != "#ff8800" {
		t.Errorf("the mean of half a picture is %s", r.Color)
	}
	if r := one(color.NRGBA{}); r.Color != "#000000" {
		t.Errorf("the mean of nothing is %s", r.Color)
	}
	if a, b := one(color.NRGBA{255, 136, 0, 255}), one(color.NRGBA{0, 136, 255, 255}); a.BlurHash == b.BlurHash {
		t.Error("two pictures have one BlurHash")
	}
}

// One file is in work at a time, and who waits for it can give up.
func TestWaits(t *testing.T) {
	t.Parallel()
	p := New(DefaultLimits)
	release, err := p.acquire(t.Context())
	testenv.Must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := pngOf(t, drawn(4, 4, 255))
	if _, err := p.Process(ctx, bytes.NewReader(file), int64(len(file)),
		Attachment); errs.KindOf(err) != errs.Unavailable ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("Process beside another file = %v", err)
	}
	if _, err := p.Check(ctx, bytes.NewReader(file), int64(len(file))); !errors.Is(err, context.Canceled) {
		t.Errorf("Check beside another file = %v", err)
	}
	release()
	for range 3 { // each call frees the place again, also after an error
		if _, err := p.Process(t.Context(), strings.NewReader("no"), 2, Attachment); errs.CodeOf(err) != CodeUnsupported {
			t.Fatal(err)
		}
		if _, err := p.Process(t.Context(), bytes.NewReader(file), int64(len(file)), Attachment); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Process(t.Context(), bytes.NewReader(file), int64(len(file))+1,
		Attachment); errs.KindOf(err) != errs.Internal {
		t.Errorf("a file shorter than its size: %v", err)
	}
}

func BenchmarkProcess(b *testing.B) {
	m := image.NewNRGBA(image.Rect(0, 0, 4000, 3000))
	for i := range m.Pix {
		m.Pix[i] = uint8(i>>9) ^ uint8(i*i>>13)&15 | uint8(i&3/3*255)
	}
	file := jpegOf(b, m)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	p := New(DefaultLimits)
	for b.Loop() {
		_, err := p.Process(b.Context(), bytes.NewReader(file), int64(len(file)), Attachment)
		testenv.Must(b, err)
	}
}
