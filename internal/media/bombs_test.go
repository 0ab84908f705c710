package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
)

// gifHeader returns the first bytes of a GIF with a table of two colors.
func gifHeader(w, h int) []byte {
	b := binary.LittleEndian.AppendUint16([]byte("GIF89a"), uint16(w))
	b = binary.LittleEndian.AppendUint16(b, uint16(h))
	return append(b, 0x80, 0, 0, 0, 0, 0, 255, 255, 255)
}

// gifFrame returns a frame without any pixel data.
func gifFrame(x, y, w, h int) []byte {
	b := []byte{0x2c}
	for _, n := range []int{x, y, w, h} {
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
	}
	return append(b, 0, 2, 0)
}

// jpegHeader returns a JPEG of w x h pixels up to its frame header, in the form of a marker and factors.
func jpegHeader(marker byte, w, h int, factors ...byte) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}
	b = append(b, bytes.Repeat([]byte{1}, 64)...)
	b = append(b, 0xff, marker)
	b = binary.BigEndian.AppendUint16(b, uint16(8+3*len(factors)))
	b = append(b, 8)
	b = binary.BigEndian.AppendUint16(b, uint16(h))
	b = binary.BigEndian.AppendUint16(b, uint16(w))
	b = append(b, byte(len(factors)))
	for i, f := range factors {
		b = append(b, byte(1+i), f, 0)
	}
	return b
}

// jpegScan returns a scan of the mean of each block, which is the zero in one bit, and its table.
func jpegScan(components, blocks int) []byte {
	b := []byte{0xff, 0xc4, 0, 20, 0, 1}
	b = append(b, make([]byte, 16)...)
	b = append(b, 0xff, 0xda, 0, byte(6+2*components), byte(components))
	for i := range components {
		b = append(b, byte(1+i), 0)
	}
	b = append(b, 0, 0, 0)
	return append(b, make([]byte, blocks/8+1)...)
}

// grayJPEG returns a progressive JPEG that is all gray.
func grayJPEG(w, h int, adobe bool, factors ...byte) []byte {
	head, blocks, most := jpegHeader(0xc2, w, h, factors...), 0, byte(0)
	for _, f := range factors {
		blocks += int(f>>4) * int(f&15)
		most = max(most, f>>4)
	}
	units := int(ceil(w, 8*int(most)) * ceil(h, 8*int(most)))
	if adobe {
		head = withSegment(head, 0xee, "Adobe\x00\x64\x00\x00\x00\x00\x00")
	}
	return bytes.Join([][]byte{head, jpegScan(len(factors), units*blocks), {0xff, 0xd9}}, nil)
}

// No bomb costs more memory than a few times its bytes, and each is refused by its headers with a text that says why.
func TestBombs(t *testing.T) {
	t.Parallel()
	small := jpegOf(t, drawn(16, 16, 255))
	hugeLossless := append([]byte{0x2f}, 0xff, 0xff, 0xff, 0x0f)
	tests := []struct {
		name string
		file []byte
		code string
		text string
	}{
		{"PNG of 60,000 x 60,000", append(pngHeader(60000, 60000, 8, 6, 0), pngChunk("IDAT", nil)...), CodeDamaged, "PNG"},
		{"whole PNG of 60,000 x 60,000", zeroPNG(t, 60000, 60000, 8, 6, 0, 1<<20), CodeTooLarge, "8192 pixels"},
		{"PNG of 2^31 x 2^31", zeroPNG(t, 1<<31-1, 1<<31-1, 16, 6, 0, 100), CodeTooLarge, "8192 pixels"},
		{"PNG of 2^32 x 1", zeroPNG(t, 1<<32-1, 1, 16, 6, 0, 100), CodeDamaged, "PNG"},
		{"PNG of 0 x 0", zeroPNG(t, 0, 0, 8, 6, 0, 100), CodeDamaged, "PNG"},
		{"PNG of 8,192 x 8,192", zeroPNG(t, 8192, 8192, 1, 0, 0, 100), CodeTooLarge, "40.0 megapixels"},
		{"PNG with 16 bits a channel", zeroPNG(t, 8000, 4900, 16, 6, 0, 100), CodeTooLarge, "of this form"},
		{"interlaced PNG", zeroPNG(t, 8000, 4900, 8, 6, 1, 100), CodeTooLarge, "of this form"},
		{"PNG with less than it says", zeroPNG(t, 3000, 2000, 8, 6, 0, 1<<20), CodeDamaged, "PNG"},
		{"PNG with more than it says", zeroPNG(t, 10, 10, 8, 6, 0, 1<<28), CodeDamaged, "PNG"},
		{"PNG of many frames", withChunk(zeroPNG(t, 10, 10, 8, 6, 0, 410), "acTL", []byte{0, 1, 0, 0, 0, 0, 0, 0}),
			CodeTooLarge,
			"1000 frames"},
		{"JPEG of 65,535 x 65,535", append(jpegHeader(0xc0, 65535, 65535, 0x11),
			"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\xff\xd9"...),
			CodeTooLarge, "8192 pixels"},
		{"progressive JPEG", grayJPEG(7000, 5000, false, 0x22, 0x11, 0x11), CodeTooLarge, "of this form"},
		{"progressive JPEG for print", grayJPEG(4000, 3000, true, 0x11, 0x11, 0x11, 0x11), CodeTooLarge, "of this form"},
		{"JPEG of many scans", bytes.Join([][]byte{small[:len(small)-2], bytes.Repeat(jpegScan(3, 1), 65), {0xff, 0xd9}},
			nil),
			CodeUnsupported, "scans"},
		{"JPEG with two frame headers", bytes.Join([][]byte{jpegHeader(0xc0, 16, 16, 0x11), jpegHeader(0xc2, 6000, 6000,
			0x11)[71:],
			jpegScan(1, 4), {0xff, 0xd9}}, nil), CodeUnsupported, "frame headers"},
		{"arithmetic JPEG", grayWith(0xc9), CodeUnsupported, "arithmetic"},
		{"lossless JPEG", grayWith(0xc3), CodeUnsupported, "lossless"},
		{"GIF of 65,535 x 65,535", bytes.Join([][]byte{gifHeader(65535, 65535), gifFrame(0, 0, 65535, 65535), {0x3b}}, nil),
			CodeTooLarge, "8192 pixels"},
		{"GIF of 100,000 frames", bytes.Join([][]byte{gifHeader(10, 10), bytes.Repeat(gifFrame(0, 0, 10, 10), 100_000),
			{0x3b}}, nil),
			CodeTooLarge, "1000 frames"},
		{"GIF of 999 large frames", bytes.Join([][]byte{gifHeader(1600, 1600), bytes.Repeat(gifFrame(0, 0, 1600, 1600),
			999), {0x3b}},
			nil), CodeTooLarge, "64.0 megapixels"},
		{"large animated GIF", bytes.Join([][]byte{gifHeader(1601, 10), bytes.Repeat(gifFrame(0, 0, 1, 1), 2), {0x3b}}, nil),
			CodeTooLarge, "1600 pixels"},
		{"GIF with a frame beside its canvas", bytes.Join([][]byte{gifHeader(10, 10), gifFrame(5, 5, 10, 10), {0x3b}},
			nil), CodeDamaged,
			"GIF"},
		{"GIF without frames", append(gifHeader(10, 10), 0x3b), CodeDamaged, "GIF"},
		{"GIF whose canvas is a script", append([]byte("GIF89a/*<script>*/"), 0x3b), CodeDamaged, "GIF"},
		{"lossless WebP of 16,384 x 16,384", riffOf("VP8L", append(hugeLossless, make([]byte, 99)...)), CodeTooLarge,
			"8192 pixels"},
		{"WebP with a small canvas", riffOf("VP8X", canvas(0, 10, 10), "VP8L", append(hugeLossless, make([]byte, 99)...)),
			CodeDamaged,
			"WebP"},
		{"WebP with a large canvas", riffOf("VP8X", canvas(0, 1<<24, 1<<24), "VP8 ", lossyStream(10, 10)), CodeDamaged,
			"WebP"},
		{"animated WebP with a large canvas", riffOf("VP8X", canvas(2, 1<<24, 1<<24), "ANMF",
			frameOf(0, 0, 10, 10, riffChunk("VP8 ", lossyStream(10, 10)))), CodeTooLarge, "8192 pixels"},
		{"animated WebP with a lying frame", riffOf("VP8X", canvas(2, 100, 100), "ANMF",
			frameOf(0, 0, 10, 10, riffChunk("VP8 ", lossyStream(8000, 8000)))), CodeDamaged, "WebP"},
		{"animated WebP with a frame beside its canvas", riffOf("VP8X", canvas(2, 100, 100), "ANMF",
			frameOf(96, 0, 10, 10, riffChunk("VP8 ", lossyStream(10, 10)))), CodeDamaged, "WebP"},
		{"WebP of many frames", riffOf(append([]any{"VP8X", canvas(2, 100, 100), "ANMF",
			frameOf(0, 0, 9, 9, riffChunk("VP8 ", lossyStream(9, 9)))}, repeated("ANMF", make([]byte, 16), 1000)...)...),
			CodeTooLarge,
			"1000 frames"},
		{"WebP with two pictures", riffOf("VP8 ", lossyStream(10, 10), "VP8 ", lossyStream(10, 10)), CodeDamaged, "WebP"},
		{"WebP with a chunk of 4 GiB", set(t, webpOf(drawn(9, 9, 255)), "VP8L", 0, 0xff, 0xff, 0xff, 0xff), CodeDamaged,
			"WebP"},
		{"WebP of 4 GiB", set(t, webpOf(drawn(9, 9, 255)), "RIFF", 0, 0xff, 0xff, 0xff, 0xff), CodeDamaged, "WebP"},
		{"AVIF", boxOf("ftyp", "avif", 0, "mif1", "miaf"), CodeUnsupported, "AVIF is not taken"},
		{"HEIC", boxOf("ftyp", "heic", 0, "mif1", "mp41"), CodeUnsupported, "not of a type"},
		{"HTML", []byte("<html><script>alert(1)</script>"), CodeUnsupported, "not of a type"},
		{"SVG", []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), CodeUnsupported, "not of a type"},
		{"nothing", nil, CodeUnsupported, "not of a type"},
		{"video", mp4Of(film{}), CodeUnsupported, "where a picture"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := New(DefaultLimits).Process(t.Context(), bytes.NewReader(test.file), int64(len(test.file)), Attachment)
			if errs.CodeOf(err) != test.code || errs.KindOf(err) != errs.Invalid ||
				!strings.Contains(errs.PublicText(err), test.text) {
				t.Errorf("%v: %s, %q", err, errs.CodeOf(err), errs.PublicText(err))
			}
		})
	}
}

func grayWith(marker byte) []byte {
	return bytes.Join([][]byte{jpegHeader(marker, 16, 16, 0x11), jpegScan(1, 4), {0xff, 0xd9}}, nil)
}

func repeated(name string, body []byte, n int) (all []any) {
	for range n {
		all = append(all, name, body)
	}
	return all
}

// A bomb is refused before memory is taken for its pixels.
func TestBombsAreCheap(t *testing.T) {
	bombs := [][]byte{zeroPNG(t, 60000, 60000, 8, 6, 0, 1<<20), zeroPNG(t, 8191, 8191, 16, 6, 0, 1<<20),
		grayJPEG(7000, 5700, false, 0x22, 0x11, 0x11), bytes.Join([][]byte{gifHeader(9000, 9000), gifFrame(0, 0, 9000,
			9000), {0x3b}}, nil),
		riffOf("VP8X", canvas(0, 8000, 8000), "VP8 ", lossyStream(16, 16)[:600])}
	p := New(DefaultLimits)
	var before, after runtime.MemStats
	for i, file := range bombs {
		runtime.ReadMemStats(&before)
		_, err := p.Process(t.Context(), bytes.NewReader(file), int64(len(file)), Attachment)
		runtime.ReadMemStats(&after)
		if most := uint64(3*len(file) + 1<<20); err == nil || after.TotalAlloc-before.TotalAlloc > most {
			t.Errorf("bomb %d: %v with %d bytes allocated, at most %d", i, err, after.TotalAlloc-before.TotalAlloc, most)
		}
	}
}

// A file that is too large is refused by its size: nobody reads it.
func TestHugeFiles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		head []byte
		size int64
		text string
	}{
		{pngHeader(10, 10, 8, 6, 0), 10<<20 + 1, "A picture has at most 10 MiB."},
		{[]byte("GIF89a"), 1 << 62, "A picture has at most 10 MiB."},
		{boxOf("ftyp", "isom", 0, "mp41"), 30<<20 + 1, "A video has at most 30 MiB."},
	}
	for _, test := range tests {
		r := &endless{head: test.head}
		_, err := New(DefaultLimits).Check(t.Context(), r, test.size)
		if errs.CodeOf(err) != CodeTooLarge || errs.PublicText(err) != test.text || r.read > SniffLen {
			t.Errorf("%d bytes: %v after %d bytes", test.size, err, r.read)
		}
	}
	if _, err := New(DefaultLimits).Check(t.Context(), &endless{}, -1); errs.CodeOf(err) != CodeUnsupported {
		t.Errorf("a file of less than nothing: %v", err)
	}
}

// endless is a file of any size.
type endless struct {
	head []byte
	read int
}

func (e *endless) ReadAt(b []byte, off int64) (int, error) {
	clear(b)
	if off < int64(len(e.head)) {
		copy(b, e.head[off:])
	}
	e.read += len(b)
	return len(b), nil
}

// good are small files of every form.
func good(t testing.TB) map[string][]byte {
	t.Helper()
	exif := exifOf(binary.BigEndian, 6)
	gray := grayJPEG(40, 24, false, 0x22, 0x11, 0x11)
	return map[string][]byte{
		"jpeg":             withSegment(jpegOf(t, drawn(40, 24, 255)), 0xe1, "Exif\x00\x00"+string(exif)),
		"progressive jpeg": gray,
		"print jpeg":       grayJPEG(40, 24, true, 0x11, 0x11, 0x11, 0x11),
		"png":              withChunk(pngOf(t, drawn(40, 24, 200)), "eXIf", exif),
		"interlaced png":   zeroPNG(t, 8, 8, 8, 6, 1, 15+4*64),
		"gif":              gifOf(t, 40, 24, 3),
		"still gif":        gifOf(t, 40, 24, 1),
		"lossless webp":    riffOf("VP8X", canvas(1<<3, 12, 8), "VP8L", losslessStream(drawn(12, 8, 200)), "EXIF", exif),
		"lossy webp": riffOf("VP8X", canvas(webpAlpha, 12, 8), "ALPH", append([]byte{0}, make([]byte, 96)...), "VP8 ",
			lossyStream(12, 8)),
		"animated webp": riffOf("VP8X", canvas(2, 40, 24), "ANMF", frameOf(2, 2, 12, 8, riffChunk("VP8 ", lossyStream(12,
			8)))),
		"mp4": mp4Of(film{handler: "meta", edit: 3000, extra: boxOf("udta", secret)}),
	}
}

// take processes a file whatever it is. It returns the code of the error, "" for none, and fails if the error says
// nothing useful.
func take(t testing.TB, p *Processor, file []byte) string {
	t.Helper()
	r, size := bytes.NewReader(file), int64(len(file))
	info, err := p.Check(t.Context(), r, size)
	if err == nil && info.Type == MP4 {
		var v Video
		if v, err = p.CopyVideo(t.Context(), io.Discard, r, size); err == nil && v.Info != info {
			t.Errorf("CopyVideo says %+v, Check %+v", v.Info, info)
		}
	} else if err == nil {
		var result *Result
		if result, err = p.Process(t.Context(), r, size, Attachment); err == nil {
			if result.Info != info || result.Large.Width > 1600 || result.Large.Height > 1600 || len(result.Small.Data) == 0 {
				t.Errorf("Process says %+v, Check %+v", result.Info, info)
			}
		}
	}
	if err == nil {
		return ""
	}
	if panicked, ok := errors.AsType[*safely.Panic](err); ok && strings.Contains(string(panicked.Stack),
		"hibana/internal/media/") &&
		!strings.Contains(string(panicked.Stack), "image/") {
		t.Errorf("this package panics: %v", err)
	}
	code := errs.CodeOf(err)
	switch code {
	case CodeDamaged, CodeTooLarge, CodeUnsupported:
	default:
		t.Errorf("%v has the code %s", err, code)
	}
	return code
}

// Each file is fine, and damaged wherever it ends too early, but for what stands behind its picture.
func TestTruncated(t *testing.T) {
	t.Parallel()
	for name, file := range good(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := New(DefaultLimits)
			if code := take(t, p, file); code != "" {
				t.Fatalf("the whole file is %s", code)
			}
			step := max(1, len(file)/400)
			for n := 0; n < len(file); n += step {
				code := take(t, p, file[:n])
				// The boxes behind the data of an MP4 may be missing whole.
				if code == "" && name != "mp4" || n > SniffLen && code != "" && code != CodeDamaged {
					t.Errorf("the first %d of %d bytes are %q", n, len(file), code)
				}
			}
		})
	}
}

// Whatever a byte is, nothing panics and every refusal has a code.
func TestChangedBytes(t *testing.T) {
	t.Parallel()
	for name, file := range good(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, codes := New(DefaultLimits), map[string]int{}
			step := max(1, len(file)/300)
			for at := 0; at < len(file); at += step {
				for _, change := range []byte{0x01, 0x80, 0xff} {
					changed := bytes.Clone(file)
					changed[at] ^= change
					codes[take(t, p, changed)]++
				}
			}
			if codes[CodeDamaged] == 0 {
				t.Errorf("the changed files are %v", codes)
			}
		})
	}
}

func FuzzTake(f *testing.F) {
	for _, file := range good(f) {
		f.Add(file)
	}
	f.Add([]byte("GIF89a/*<script>alert(1)</script>*/"))
	f.Add(boxOf("ftyp", "isom", 0, "isom"))
	limits := DefaultLimits // small ones, so that inputs are many
	limits.Pixels, limits.Memory, limits.PictureBytes, limits.VideoBytes = 1<<18, 16<<20, 1<<20, 1<<20
	p := New(limits)
	f.Fuzz(func(t *testing.T, file []byte) {
		take(t, p, file)
		var out bytes.Buffer
		v, err := p.CopyVideo(t.Context(), &out, bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return
		}
		if out.Len() != len(file) || v.Info.Duration > 3*time.Minute {
			t.Errorf("a copy of %d bytes has %d, and lasts %v", len(file), out.Len(), v.Info.Duration)
		}
		var again bytes.Buffer
		_, err = p.CopyVideo(t.Context(), &again, bytes.NewReader(out.Bytes()), int64(out.Len()))
		testenv.Must(t, err)
		if !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Error("the copy of a copy differs: " + fmt.Sprint(v.Info))
		}
	})
}
