package media

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// Files that the tests draw and build themselves.

// secret stands in each place of a file that no output may have.
const secret = "35.6586N-139.7454E <script>alert(1)</script>"

// corners are the colors of the four quarters of a drawn picture.
var corners = [4]color.NRGBA{{220, 30, 30, 255}, {30, 200, 30, 255}, {30, 30, 220, 255}, {230, 230, 20, 255}}

// drawn returns a picture with a quarter of each color, in reading order.
func drawn(w, h int, alpha uint8) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := corners[2*(2*y/h)+2*x/w]
			c.A = alpha
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func jpegOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	testenv.Must(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: 90}))
	return b.Bytes()
}

func pngOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	testenv.Must(t, png.Encode(&b, m))
	return b.Bytes()
}

// gifOf returns an animation whose frames are filled with one color each.
func gifOf(t testing.TB, w, h, frames int) []byte {
	t.Helper()
	g := &gif.GIF{LoopCount: 0, Config: image.Config{Width: w, Height: h}}
	palette := color.Palette{color.RGBA{}}
	for _, c := range corners {
		palette = append(palette, c)
	}
	for i := range frames {
		m := image.NewPaletted(image.Rect(0, 0, w, h), palette)
		for j := range m.Pix {
			m.Pix[j] = uint8(1 + i%4)
		}
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 10)
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	var b bytes.Buffer
	testenv.Must(t, gif.EncodeAll(&b, g))
	return b.Bytes()
}

// exifOf returns EXIF with an orientation and a place.
func exifOf(order binary.AppendByteOrder, orientation int) []byte {
	b := []byte("MM\x00*")
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		b = []byte("II*\x00")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	entry := func(tag, kind uint16, n uint32) {
		b = order.AppendUint32(order.AppendUint16(order.AppendUint16(b, tag), kind), n)
	}
	entry(0x010e, 2, uint32(len(secret))) // a description
	b = order.AppendUint32(b, 38)
	entry(0x0112, 3, 1)
	b = order.AppendUint16(order.AppendUint16(b, uint16(orientation)), 0)
	b = order.AppendUint32(b, 0)
	return append(b, secret...)
}

// withSegment puts a segment behind the first bytes of a JPEG.
func withSegment(file []byte, marker byte, body string) []byte {
	head := []byte{0xff, 0xd8, 0xff, marker}
	head = binary.BigEndian.AppendUint16(head, uint16(2+len(body)))
	return append(append(head, body...), file[2:]...)
}

// withChunk puts a chunk behind the header of a PNG.
func withChunk(file []byte, name string, body []byte) []byte {
	const header = 8 + 25
	return bytes.Join([][]byte{file[:header], pngChunk(name, body), file[header:]}, nil)
}

func pngChunk(name string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, name...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// pngHeader returns the first bytes of a PNG.
func pngHeader(w, h int, depth, kind, interlace byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(w))
	b = binary.BigEndian.AppendUint32(b, uint32(h))
	return append([]byte(pngMagic), pngChunk("IHDR", append(b, depth, kind, 0, 0, interlace))...)
}

// zeroPNG returns a PNG whose pixels are zeros: n bytes of them, with those that name the filter of each row.
func zeroPNG(t testing.TB, w, h int, depth, kind, interlace byte, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, err := io.CopyN(z, zeros{}, n)
	testenv.Must(t, err)
	testenv.Must(t, z.Close())
	return bytes.Join([][]byte{pngHeader(w, h, depth, kind, interlace), pngChunk("IDAT", b.Bytes()),
		pngChunk("IEND", nil)}, nil)
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// bitWriter writes the bits of VP8L, the lowest first.
type bitWriter struct {
	b []byte
	n uint
}

func (w *bitWriter) put(bits uint32, n int) {
	for ; n > 0; n, bits = n-1, bits>>1 {
		if w.n%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[len(w.b)-1] |= byte(bits&1) << (w.n % 8)
		w.n++
	}
}

// code writes a Huffman code, the highest bit first.
func (w *bitWriter) code(code uint32, n int) {
	for n--; n >= 0; n-- {
		w.put(code>>n, 1)
	}
}

// lengths writes a Huffman tree in which each of the first n symbols of an alphabet has a code of 8 bits.
func (w *bitWriter) lengths(n, alphabet int) {
	w.put(0, 1)
	w.put(12-4, 4)
	for _, symbol := range []int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8} {
		length := uint32(0)
		if symbol == 0 || symbol == 8 {
			length = 1
		}
		w.put(length, 3)
	}
	w.put(0, 1)
	for i := range alphabet {
		w.put(map[bool]uint32{true: 1}[i < n], 1)
	}
}

// losslessStream returns a VP8L stream with a literal for each pixel.
func losslessStream(m *image.NRGBA) []byte {
	w := new(bitWriter)
	w.put(0x2f, 8)
	w.put(uint32(m.Rect.Dx()-1), 14)
	w.put(uint32(m.Rect.Dy()-1), 14)
	w.put(1, 1)
	w.put(0, 3)
	w.put(0, 1) // no transform
	w.put(0, 1) // no cache
	w.put(0, 1) // one group
	w.lengths(256, 256+24)
	for range 3 {
		w.lengths(256, 256)
	}
	w.put(1, 1) // distances: one symbol
	w.put(0, 1)
	w.put(0, 1)
	w.put(0, 1)
	for i := 0; i < len(m.Pix); i += 4 {
		p := m.Pix[i : i+4]
		for _, v := range []byte{p[1], p[0], p[2], p[3]} {
			w.code(uint32(v), 8)
		}
	}
	return w.b
}

// lossyStream returns a VP8 stream of a gray picture. Zeros mean: no coefficient, and each block as its neighbors.
func lossyStream(w, h int) []byte {
	blocks := (w + 15) / 16 * ((h + 15) / 16)
	first := 1000 + 16*blocks
	b := []byte{byte(1<<4 | first<<5&0xff), byte(first >> 3), byte(first >> 11), 0x9d, 0x01, 0x2a}
	b = binary.LittleEndian.AppendUint16(b, uint16(w))
	b = binary.LittleEndian.AppendUint16(b, uint16(h))
	return append(b, make([]byte, first+16*blocks)...)
}

// canvas returns the body of VP8X.
func canvas(flags byte, w, h int) []byte {
	b := make([]byte, 10)
	b[0] = flags
	putUint24(b[4:], w-1)
	putUint24(b[7:], h-1)
	return b
}

// riffOf returns a WebP with chunks, given as names and bodies.
func riffOf(chunks ...any) []byte {
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	for ; len(chunks) > 0; chunks = chunks[2:] {
		out = append(out, riffChunk(chunks[0].(string), chunks[1].([]byte))...)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

func riffChunk(name string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, len(body)%2)...)
}

// frameOf returns the body of ANMF.
func frameOf(x, y, w, h int, stream []byte) []byte {
	b := make([]byte, 16)
	putUint24(b, x/2)
	putUint24(b[3:], y/2)
	putUint24(b[6:], w-1)
	putUint24(b[9:], h-1)
	return append(b, stream...)
}

func webpOf(m *image.NRGBA) []byte { return riffOf("VP8L", losslessStream(m)) }

// boxOf returns a box of an MP4 with the given parts: bytes, text, and numbers of 16 and 32 bits.
func boxOf(name string, parts ...any) []byte {
	b := append([]byte{0, 0, 0, 0}, name...)
	for _, p := range parts {
		switch p := p.(type) {
		case []byte:
			b = append(b, p...)
		case string:
			b = append(b, p...)
		case uint16:
			b = binary.BigEndian.AppendUint16(b, p)
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(p))
		}
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	return b
}

// film is an MP4 to build.
type film struct {
	video, audio string // names of the sample entries
	object       byte   // object type of the sound
	ms           int
	turn         [4]int // of the matrix
	extra        []byte // in moov
	trackExtra   []byte
	handler      string // of a third track, whose sample has the secret
	edit         int
	w, h         int
	change       func(moov []byte)
}

var upright = [4]int{1 << 16, 0, 0, 1 << 16}

// sample is what the samples of each track are made of.
var sample = strings.Repeat("spark", 20)

// mp4Of returns a film of ten samples a track, with data between and behind them that belongs to none.
func mp4Of(f film) []byte {
	if f.video == "" {
		f.video, f.audio = "avc1", "mp4a"
	}
	if f.object == 0 {
		f.object = 0x40
	}
	if f.ms == 0 {
		f.ms = 4000
	}
	if f.w == 0 {
		f.w, f.h = 640, 360
	}
	if f.turn == [4]int{} {
		f.turn = upright
	}
	ftyp := boxOf("ftyp", "isom", 512, "isomavc1", secret[:4])
	const gap = 60
	build := func(offset int) []byte {
		track := func(id int, handler string, header, entry []byte, at int) []byte {
			var edts []byte
			if f.edit > 0 {
				edts = boxOf("edts", boxOf("elst", 0, 1, f.edit, 0, 1<<16))
			}
			return boxOf("trak",
				boxOf("tkhd", 7, 0x11223344, 0x11223344, id, 0, f.ms, 0, 0, 0, 0, f.turn[0], f.turn[1], 0, f.turn[2], f.turn[3],
					0, 0,
					0, 1<<30, f.w<<16, f.h<<16), edts, f.trackExtra,
				boxOf("mdia", boxOf("mdhd", 0, 0x11223344, 0x11223344, 1000, f.ms, 0x55c40000),
					boxOf("hdlr", 0, 0, handler, 0, 0, 0, secret+"\x00"),
					boxOf("minf", header, boxOf("dinf", boxOf("dref", 0, 1, boxOf("url ", 1))),
						boxOf("stbl", boxOf("stsd", 0, 1, entry), boxOf("stts", 0, 1, 10, f.ms/10),
							boxOf("stsc", 0, 2, 1, 3, 1, 4, 1, 1), boxOf("stsz", 0, len(sample), 10),
							boxOf("stco", 0, 4, at, at+3*len(sample), at+6*len(sample), at+9*len(sample)), boxOf("stss", 0, 1, 1),
							boxOf("sgpd", secret)))))
		}
		at := offset + gap
		videoEntry := boxOf(f.video, 0, uint16(0), uint16(1), 0, 0, 0, 0, uint16(f.w), uint16(f.h), 0x480000, 0x480000, 0,
			uint16(1), (secret + secret)[:32], uint16(24), uint16(0xffff),
			boxOf("avcC", "\x01\x64\x00\x1f\xff\xe1", uint16(4), "\x67\x64\x00\x1f", "\x01", uint16(2), "\x68\xee",
				"\xfd\xf8\xf8\x00",
				secret), boxOf("pasp", 1, 1), boxOf("colr", "prof", secret))
		config := "\x05\x02\x12\x10"
		decoder := "\x04" + string(rune(13+len(config))) + string([]byte{f.object}) + "\x15" + strings.Repeat("\x00",
			11) + config
		audioEntry := boxOf(f.audio, 0, uint16(0), uint16(1), 0, 0, uint16(2), uint16(16), 0, 44100<<16,
			boxOf("esds", 0, "\x03"+string(rune(3+len(decoder)))+"\x00\x00\x00"+decoder))
		moov := []any{boxOf("mvhd", 0, 0x11223344, 0x11223344, 1000, f.ms, 1<<16, uint16(256), uint16(0), 0, 0, 1<<16, 0,
			0, 0, 1<<16,
			0, 0, 0, 1<<30, 0, 0, 0, 0, 0, 0, 4), f.extra}
		moov = append(moov, track(1, "vide", boxOf("vmhd", 1, 0, 0), videoEntry, at))
		at += 10*len(sample) + gap
		if f.audio != "" {
			moov = append(moov, track(2, "soun", boxOf("smhd", 0, 0), audioEntry, at))
		}
		at += 10*len(sample) + gap
		if f.handler != "" {
			moov = append(moov, track(3, f.handler, boxOf("nmhd", 0), boxOf("gpmd", 0, 0), at))
		}
		return boxOf("moov", moov...)
	}
	samples := strings.Repeat(sample, 10)
	hidden := (secret + strings.Repeat("PK\x03\x04", 20))[:gap]
	mdat := boxOf("mdat", hidden, samples, hidden, samples, hidden, strings.Repeat(secret, 40)[:10*len(sample)], hidden)
	moov := build(0)
	moov = build(len(ftyp) + len(moov) + 8)
	if f.change != nil {
		f.change(moov)
	}
	return bytes.Join([][]byte{ftyp, moov, mdat, boxOf("uuid", secret), boxOf("udta", boxOf("\xa9xyz", secret))}, nil)
}
