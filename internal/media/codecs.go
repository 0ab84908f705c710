package media

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// entry returns the only sample entry of a track, and the boxes behind its fixed fields. Fields are counted from the
// header of the entry.
func (c *cleaner) entry(stsd box, fields int, track string, names, known []string) (entry box, inner []box, err error) {
	d, err := c.of(stsd, 16)
	if err != nil {
		return box{}, nil, err
	}
	if binary.BigEndian.Uint32(d[4:]) != 1 {
		return box{}, nil, formError("A track of the MP4 file changes its codec.")
	}
	name := string(d[12:16])
	all, err := c.children(stsd.body+8, stsd.to, append(names, name)...)
	if err != nil {
		return box{}, nil, err
	}
	if len(all) != 1 {
		return box{}, nil, errors.New("the sample description has more than one entry")
	}
	entry = all[0]
	if name != names[0] && name != names[len(names)-1] {
		return box{}, nil, formError(fmt.Sprintf("The %s of the MP4 file has the codec %q. Send H.264 with AAC.", track,
			name))
	}
	if _, err := c.of(entry, fields); err != nil {
		return box{}, nil, err
	}
	inner, err = c.children(entry.body+fields, entry.to, known...)
	return entry, inner, err
}

// video reads the codec and size of a video track.
func (c *cleaner) video(stsd box) (string, error) {
	const fields = 78
	entry, inner, err := c.entry(stsd, fields, "video", []string{"avc1", "avc3"}, []string{"avcC", "pasp", "colr"})
	if err != nil {
		return "", err
	}
	d := c.b[entry.body:]
	c.info.Width, c.info.Height = int(binary.BigEndian.Uint16(d[24:])), int(binary.BigEndian.Uint16(d[26:]))
	if c.info.Width == 0 || c.info.Height == 0 {
		return "", errors.New("the video has no size")
	}
	clear(d[:6])
	clear(d[8:24])
	clear(d[36:40])
	clear(d[42:74]) // the name of the encoder
	for _, b := range inner {
		// A color profile is dropped, and so is what has a length that it should not have.
		n, nclx := b.to-b.body, b.to-b.body == 11 && string(c.b[b.body:b.body+4]) == "nclx"
		if b.name == "pasp" && n != 8 || b.name == "colr" && !nclx {
			c.blank(b)
		}
	}
	avcC, err := one(inner, "avcC")
	if err != nil {
		return "", err
	}
	return c.avc(avcC, entry.name)
}

// avc reads the configuration of H.264 (ISO/IEC 14496-15), and clears what stands behind it.
func (c *cleaner) avc(b box, name string) (string, error) {
	d, err := c.of(b, 7)
	if err != nil {
		return "", err
	}
	if d[0] != 1 {
		return "", fmt.Errorf("avcC of version %d", d[0])
	}
	codec := fmt.Sprintf("%s.%02x%02x%02x", name, d[1], d[2], d[3])
	high := d[1] == 100 || d[1] == 110 || d[1] == 122 || d[1] == 144
	rest := d[5:]
	lists := func(mask byte) error {
		if len(rest) == 0 {
			return errShort
		}
		n := rest[0] & mask
		rest = rest[1:]
		for ; n > 0; n-- {
			if len(rest) < 2 || len(rest) < 2+int(binary.BigEndian.Uint16(rest)) {
				return errShort
			}
			rest = rest[2+int(binary.BigEndian.Uint16(rest)):]
		}
		return nil
	}
	if err := errors.Join(lists(31), lists(255)); err != nil {
		return "", err
	}
	if high && len(rest) >= 4 {
		rest = rest[3:]
		if err := lists(255); err != nil {
			return "", err
		}
	}
	clear(rest)
	return codec, nil
}

// audio reads the codec of an audio track.
func (c *cleaner) audio(stsd box) (string, error) {
	const fields = 28
	entry, inner, err := c.entry(stsd, fields, "sound", []string{"mp4a"}, []string{"esds"})
	if err != nil {
		return "", err
	}
	d := c.b[entry.body:]
	if binary.BigEndian.Uint16(d[8:]) != 0 {
		return "", formError("The MP4 file has a sound description of QuickTime.")
	}
	clear(d[:6])
	clear(d[10:16])
	clear(d[20:24])
	esds, err := one(inner, "esds")
	if err != nil {
		return "", err
	}
	return c.aac(esds)
}

// aac reads the descriptors of ISO/IEC 14496-1: of a stream, of its decoder, and of the decoder's configuration.
func (c *cleaner) aac(b box) (string, error) {
	d, err := c.of(b, 4)
	if err != nil {
		return "", err
	}
	stream, err := descriptor(d[4:], 0x03, 3)
	if err != nil {
		return "", err
	}
	if stream[2]&0xe0 != 0 {
		return "", formError("The sound of the MP4 file refers to another stream.")
	}
	decoder, err := descriptor(stream[3:], 0x04, 13)
	if err != nil {
		return "", err
	}
	const mpeg4, mpeg2 = 0x40, 0x66 // MPEG-2 AAC has three profiles
	if kind := decoder[0]; kind != mpeg4 && (kind < mpeg2 || kind > mpeg2+2) {
		return "", formError(fmt.Sprintf("The sound of the MP4 file has the codec mp4a.%02x. Send AAC.", kind))
	}
	config, err := descriptor(decoder[13:], 0x05, 2)
	if err != nil {
		return "", err
	}
	object := config[0] >> 3
	switch object {
	case 2, 5, 29: // low complexity, with band replication, with parametric stereo
	default:
		return "", formError(fmt.Sprintf("The sound of the MP4 file has the codec mp4a.40.%d. Send AAC.", object))
	}
	return fmt.Sprintf("mp4a.40.%d", object), nil
}

// descriptor returns the body of a descriptor, which has at least some bytes.
func descriptor(d []byte, tag byte, least int) ([]byte, error) {
	if len(d) < 2 || d[0] != tag {
		return nil, fmt.Errorf("no descriptor %d", tag)
	}
	n := 0
	d = d[1:]
	for i := 0; ; i++ {
		if i == 4 || i == len(d) {
			return nil, errShort
		}
		n = n<<7 | int(d[i]&0x7f)
		if d[i]&0x80 == 0 {
			d = d[i+1:]
			break
		}
	}
	if n > len(d) || n < least {
		return nil, fmt.Errorf("descriptor %d has %d bytes", tag, n)
	}
	return d[:n], nil
}
