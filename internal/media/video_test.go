package media

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
)

func copyVideo(t testing.TB, file []byte) (Video, []byte, error) {
	t.Helper()
	var b bytes.Buffer
	v, err := New(DefaultLimits).CopyVideo(t.Context(), &b, bytes.NewReader(file), int64(len(file)))
	return v, b.Bytes(), err
}

func TestVideo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		film film
		want Info
	}{
		{"with sound", film{}, Info{Width: 640, Height: 360, Orientation: 1, Duration: 4 * time.Second,
			VideoCodec: "avc1.64001f",
			AudioCodec: "mp4a.40.2"}},
		{"silent", film{video: "avc3", ms: 2500}, Info{Width: 640, Height: 360, Orientation: 1,
			Duration:   2500 * time.Millisecond,
			VideoCodec: "avc3.64001f"}},
		{"turned", film{turn: [4]int{0, 1 << 16, 0xffff0000, 0}}, Info{Width: 360, Height: 640, Orientation: 6,
			Duration: 4 * time.Second, VideoCodec: "avc1.64001f", AudioCodec: "mp4a.40.2"}},
		{"upside down", film{turn: [4]int{0xffff0000, 0, 0, 0xffff0000}}, Info{Width: 640, Height: 360, Orientation: 3,
			Duration: 4 * time.Second, VideoCodec: "avc1.64001f", AudioCodec: "mp4a.40.2"}},
		{"edited", film{edit: 9000}, Info{Width: 640, Height: 360, Orientation: 1, Duration: 9 * time.Second,
			VideoCodec: "avc1.64001f", AudioCodec: "mp4a.40.2"}},
		{"with places along the way", film{handler: "meta"}, Info{Width: 640, Height: 360, Orientation: 1,
			Duration: 4 * time.Second, VideoCodec: "avc1.64001f", AudioCodec: "mp4a.40.2"}},
		{"with a second sound", film{handler: "soun"}, Info{Width: 640, Height: 360, Orientation: 1,
			Duration:   4 * time.Second,
			VideoCodec: "avc1.64001f", AudioCodec: "mp4a.40.2"}},
		{"with a place", film{extra: boxOf("udta", boxOf("\xa9xyz", secret)), trackExtra: boxOf("meta", secret)},
			Info{Width: 640, Height: 360, Orientation: 1, Duration: 4 * time.Second, VideoCodec: "avc1.64001f",
				AudioCodec: "mp4a.40.2"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := mp4Of(test.film)
			test.want.Type, test.want.Size = MP4, int64(len(file))
			v, out, err := copyVideo(t, file)
			testenv.Must(t, err)
			if v.Info != test.want {
				t.Errorf("the video is %+v,\nwant %+v", v.Info, test.want)
			}
			if v.Hash != Hash(sha256.Sum256(file)) {
				t.Error("the hash is of something else")
			}
			if len(out) != len(file) {
				t.Fatalf("the copy has %d bytes of %d", len(out), len(file))
			}
			for _, foreign := range []string{secret, secret[:8], "<script", "PK\x03\x04", "xyz", "\x11\x22\x33\x44", "uuid",
				"meta",
				"udta", "sgpd", "gpmd", "prof"} {
				if !bytes.Contains(out, []byte(foreign)) {
					continue
				}
				t.Errorf("the copy has %q", foreign)
			}
			samples := strings.Repeat(sample, 10)
			tracks := 1
			if test.want.AudioCodec != "" {
				tracks = 2
			}
			if at := bytes.Index(file, []byte(samples)); !bytes.Equal(out[at:at+len(samples)], []byte(samples)) ||
				bytes.Count(out, []byte(samples)) != tracks {
				t.Errorf("the copy has the samples of %d tracks, want %d", bytes.Count(out, []byte(samples)), tracks)
			}
			// A copy is clean: its copy is the same.
			again, twice, err := copyVideo(t, out)
			if err != nil || !bytes.Equal(out, twice) || again.Info != v.Info {
				t.Errorf("the copy of the copy differs: %+v, %v", again.Info, err)
			}
		})
	}
}

// set overwrites bytes of a file behind the first place of a name.
func set(t testing.TB, file []byte, name string, behind int, b ...byte) []byte {
	t.Helper()
	file = bytes.Clone(file)
	at := bytes.Index(file, []byte(name))
	if at < 0 {
		t.Fatalf("the file has no %q", name)
	}
	copy(file[at+len(name)+behind:], b)
	return file
}

func TestVideoRefused(t *testing.T) {
	t.Parallel()
	good := mp4Of(film{})
	large := binary.BigEndian.AppendUint64(nil, 1<<63+16)
	tests := []struct {
		name string
		file []byte
		code string
		text string
	}{
		{"HEVC", mp4Of(film{video: "hvc1", audio: "mp4a"}), CodeUnsupported, `codec "hvc1"`},
		{"encrypted", mp4Of(film{video: "encv"}), CodeUnsupported, `codec "encv"`},
		{"Opus", mp4Of(film{video: "avc1", audio: "Opus"}), CodeUnsupported, `codec "Opus"`},
		{"MP3", mp4Of(film{object: 0x6b}), CodeUnsupported, "mp4a.6b"},
		{"fragments", append(bytes.Clone(good), boxOf("moof", 0)...), CodeUnsupported, "fragmented"},
		{"QuickTime", append(boxOf("ftyp", "qt  ", 0, "qt  "), good[20:]...), CodeUnsupported, "not of a type"},
		{"another file", set(t, good, "url ", 0, 0, 0, 0, 0), CodeUnsupported, "another file"},
		{"no video", bytes.ReplaceAll(good, []byte("vide"), []byte("text")), CodeUnsupported, "no video"},
		{"too long", mp4Of(film{ms: 180_100}), CodeTooLarge, "180 seconds"},
		{"too long by edits", mp4Of(film{edit: 999_000}), CodeTooLarge, "180 seconds"},
		{"too large", mp4Of(film{w: 8000, h: 8000}), CodeTooLarge, "megapixels"},
		{"too many samples", set(t, good, "stts", 8, 0xff), CodeTooLarge, "200000 samples"},
		{"no moov", bytes.ReplaceAll(good, []byte("moov"), []byte("void")), CodeDamaged, "damaged"},
		{"two moov", append(bytes.Clone(good), boxOf("moov", 0)...), CodeDamaged, "damaged"},
		{"a box of 4 bytes", set(t, good, "moov", 0, 0, 0, 0, 4), CodeDamaged, "damaged"},
		{"a box without a size in another", set(t, good, "moov", 0, 0, 0, 0, 0), CodeDamaged, "damaged"},
		{"a box of 2^63 bytes", append(append(bytes.Clone(good), "\x00\x00\x00\x01free"...), large...), CodeDamaged,
			"damaged"},
		{"a box that is larger than the file", set(t, good, "moov", -8, 0x7f), CodeDamaged, "damaged"},
		{"a box that is larger than its parent", set(t, good, "mvhd", -8, 0x7f), CodeDamaged, "damaged"},
		{"more entries than bytes", set(t, good, "stco", 4, 0xff, 0xff, 0xff, 0xff), CodeDamaged, "damaged"},
		{"2^30 entries of 8 bytes", set(t, good, "stsc", 4, 0x40), CodeDamaged, "damaged"},
		{"chunks elsewhere", set(t, good, "stco", 8, 0xff), CodeDamaged, "damaged"},
		{"chunks in the index", set(t, good, "stco", 8, 0, 0, 0, 40), CodeDamaged, "damaged"},
		{"samples of 4 GiB", set(t, good, "stsz", 4, 0xff), CodeDamaged, "damaged"},
		{"more samples than sizes", set(t, good, "stsz", 8, 0, 0, 0, 9), CodeDamaged, "damaged"},
		{"chunks of many samples", set(t, good, "stsc", 12, 0xff), CodeDamaged, "damaged"},
		{"a stream behind an address", set(t, good, "esds", 8, 0x40), CodeUnsupported, "another stream"},
		{"no H.264 parameters", set(t, good, "avcC", 6, 0xff), CodeDamaged, "damaged"},
		{"300 boxes", append(bytes.Clone(good), bytes.Repeat(boxOf("free"), 300)...), CodeDamaged, "damaged"},
		{"300 boxes in a box", mp4Of(film{extra: bytes.Repeat(boxOf("free"), 300)}), CodeDamaged, "damaged"},
		{"a long list of brands", append(boxOf("ftyp", "isom", 0, strings.Repeat("isom", 400)), good[28:]...),
			CodeDamaged, "damaged"},
		{"a picture", pngOf(t, drawn(9, 9, 255)), CodeUnsupported, "where a video"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, out, err := copyVideo(t, test.file)
			if errs.CodeOf(err) != test.code || errs.KindOf(err) != errs.Invalid ||
				!strings.Contains(errs.PublicText(err), test.text) {
				t.Errorf("%v: %s, %q", err, errs.CodeOf(err), errs.PublicText(err))
			}
			if len(out) > 0 {
				t.Errorf("%d bytes were written", len(out))
			}
		})
	}
	// Boxes in boxes cost no stack: a name stands at one place only.
	deep := boxOf("trak")
	for range 10_000 {
		deep = boxOf("trak", deep)
	}
	if _, out, err := copyVideo(t, mp4Of(film{extra: deep})); err == nil {
		t.Errorf("nested boxes made a copy of %d bytes", len(out))
	}
	if _, _, err := copyVideo(t, mp4Of(film{extra: boxOf("udta", deep)})); err != nil {
		t.Errorf("nested boxes in a box that is blanked: %v", err)
	}
}

// An index of more than its limit is not read.
func TestVideoIndex(t *testing.T) {
	t.Parallel()
	file := mp4Of(film{extra: boxOf("free", make([]byte, maxMovieBox))})
	_, _, err := copyVideo(t, file)
	if errs.CodeOf(err) != CodeTooLarge || !strings.Contains(errs.PublicText(err), "4 MiB") {
		t.Error(err)
	}
}
