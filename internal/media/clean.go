package media

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// box is a box inside of moov, by indexes of its bytes.
type box struct {
	name            string
	start, body, to int
}

// cleaner checks a moov box, and blanks in place what no player needs: names, times, locations, other tracks, and
// boxes that it does not know.
type cleaner struct {
	b      []byte
	data   []span // bodies of mdat
	limits Limits

	info  Info
	scale uint32 // units a second of the movie
	keep  []span // samples of the kept tracks, sorted, without overlap
}

// children returns the boxes between two indexes. A box of an unknown name is blanked, and so is padding that has no
// room for a box.
func (c *cleaner) children(from, to int, known ...string) (all []box, err error) {
	for n := 0; from < to; n++ {
		if n == maxBoxes {
			return nil, errors.New("too many boxes in a box")
		}
		if to-from < 8 {
			clear(c.b[from:to])
			break
		}
		size, header, err := boxSize(c.b[from:min(to, from+16)], int64(to-from))
		if err != nil {
			return nil, err
		}
		if binary.BigEndian.Uint32(c.b[from:]) == 0 {
			return nil, errors.New("a box without a size inside of another")
		}
		b := box{string(c.b[from+4 : from+8]), from, from + int(header), from + int(size)}
		from = b.to
		if !slices.Contains(known, b.name) {
			c.blank(b)
			continue
		}
		all = append(all, b)
	}
	return all, nil
}

// blank turns a box into padding.
func (c *cleaner) blank(b box) {
	copy(c.b[b.start+4:], "free")
	clear(c.b[b.body:b.to])
}

// of returns the bytes of a box that must have some.
func (c *cleaner) of(b box, least int) ([]byte, error) {
	if b.to-b.body < least {
		return nil, fmt.Errorf("%s has %d bytes, at least %d", b.name, b.to-b.body, least)
	}
	return c.b[b.body:b.to], nil
}

// one returns the only box of a name.
func one(all []box, name string) (box, error) {
	var found box
	for _, b := range all {
		if b.name == name {
			if found.name != "" {
				return box{}, fmt.Errorf("two boxes %s", name)
			}
			found = b
		}
	}
	if found.name == "" {
		return box{}, fmt.Errorf("no box %s", name)
	}
	return found, nil
}

// movie cleans a moov box with its header.
func (c *cleaner) movie(moov []byte) error {
	c.b = moov
	_, header, err := boxSize(moov[:min(16, len(moov))], int64(len(moov)))
	if err != nil {
		return err
	}
	all, err := c.children(int(header), len(moov), "mvhd", "trak")
	if err != nil {
		return err
	}
	mvhd, err := one(all, "mvhd")
	if err != nil {
		return err
	}
	var units uint64
	if c.scale, units, err = c.times(mvhd, 0, 80); err != nil {
		return err
	}
	c.info.Duration = seconds(units, c.scale)
	d := c.b[mvhd.to-80 : mvhd.to]
	clear(d[6:16]) // reserved
	clear(d[52:76])
	for _, trak := range all {
		if trak.name == "trak" {
			if err := c.track(trak); err != nil {
				return err
			}
		}
	}
	switch {
	case c.info.VideoCodec == "":
		return formError("The MP4 file has no video. Send one with H.264.")
	case c.info.Duration > c.limits.Duration:
		return limitError(fmt.Sprintf("A video lasts at most %.0f seconds.", c.limits.Duration.Seconds()))
	case c.info.Width > c.limits.Side || c.info.Height > c.limits.Side || c.info.Width*c.info.Height > maxVideoPixels:
		return limitError(fmt.Sprintf("A video has at most %.1f megapixels, and this one has %d x %d.", mega(maxVideoPixels),
			c.info.Width, c.info.Height))
	}
	slices.SortFunc(c.keep, func(a, b span) int { return int(a.from - b.from) })
	merged := c.keep[:0]
	for _, s := range c.keep {
		if n := len(merged); n > 0 && s.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, s.to)
		} else {
			merged = append(merged, s)
		}
	}
	c.keep = merged
	return nil
}

// times reads the scale and duration of mvhd or mdhd, and clears the times of creation and change. In tkhd the id of
// the track takes the place of the scale, and a gap of some bytes follows it. The rest is behind the duration.
func (c *cleaner) times(b box, gap, rest int) (scale uint32, units uint64, err error) {
	d, err := c.of(b, 4)
	if err != nil {
		return 0, 0, err
	}
	wide := d[0] == 1
	size := 4 + 8 + 4 + gap + 4 + rest
	if wide {
		size += 8 + 4
	}
	if d[0] > 1 || len(d) != size {
		return 0, 0, fmt.Errorf("%s of version %d has %d bytes", b.name, d[0], len(d))
	}
	if wide {
		clear(d[4:20])
		return binary.BigEndian.Uint32(d[20:]), binary.BigEndian.Uint64(d[24+gap:]), nil
	}
	clear(d[4:12])
	return binary.BigEndian.Uint32(d[12:]), uint64(binary.BigEndian.Uint32(d[16+gap:])), nil
}

// track cleans a trak box. It keeps the first track of H.264 and the first of AAC. Another kind of track, such as one
// with the places along a way, is blanked with its samples. Another codec is refused.
func (c *cleaner) track(trak box) error {
	all, err := c.children(trak.body, trak.to, "tkhd", "edts", "mdia")
	if err != nil {
		return err
	}
	mdia, err := one(all, "mdia")
	if err != nil {
		return err
	}
	media, err := c.children(mdia.body, mdia.to, "mdhd", "hdlr", "minf")
	if err != nil {
		return err
	}
	hdlr, err := one(media, "hdlr")
	if err != nil {
		return err
	}
	h, err := c.of(hdlr, 24)
	if err != nil {
		return err
	}
	handler := string(h[8:12])
	clear(h[:8])
	clear(h[12:]) // with the name
	codec := &c.info.VideoCodec
	if handler == "soun" {
		codec = &c.info.AudioCodec
	}
	if handler != "vide" && handler != "soun" || *codec != "" {
		c.blank(trak)
		return nil
	}

	tkhd, err := one(all, "tkhd")
	if err != nil {
		return err
	}
	if _, _, err := c.times(tkhd, 4, 60); err != nil {
		return err
	}
	d := c.b[:tkhd.to]
	clear(d[len(d)-60 : len(d)-52]) // reserved
	if err := c.edits(all); err != nil {
		return err
	}
	mdhd, err := one(media, "mdhd")
	if err != nil {
		return err
	}
	scale, _, err := c.times(mdhd, 0, 4)
	if err != nil {
		return err
	}
	if scale == 0 {
		return errors.New("a track without a scale of time")
	}
	minf, err := one(media, "minf")
	if err != nil {
		return err
	}
	info, err := c.children(minf.body, minf.to, "vmhd", "smhd", "dinf", "stbl")
	if err != nil {
		return err
	}
	for _, b := range info {
		if size := map[string]int{"vmhd": 12, "smhd": 8}[b.name]; size > 0 && b.to-b.body != size {
			return fmt.Errorf("%s has %d bytes", b.name, b.to-b.body)
		}
	}
	if err := c.references(info); err != nil {
		return err
	}
	stbl, err := one(info, "stbl")
	if err != nil {
		return err
	}
	table, err := c.children(stbl.body, stbl.to, "stsd", "stts", "ctts", "stss", "stsc", "stsz", "stco", "co64")
	if err != nil {
		return err
	}
	stsd, err := one(table, "stsd")
	if err != nil {
		return err
	}
	if handler == "vide" {
		if *codec, err = c.video(stsd); err != nil {
			return err
		}
		c.turn(c.b[tkhd.to-44 : tkhd.to-8])
	} else if *codec, err = c.audio(stsd); err != nil {
		return err
	}
	return c.samples(table, scale)
}

// turn reads the matrix of a track. A turn by a quarter swaps the sides.
func (c *cleaner) turn(matrix []byte) {
	const unit = 1 << 16
	at := func(i int) int32 { return int32(binary.BigEndian.Uint32(matrix[4*i:])) }
	c.info.Orientation = 1
	switch [4]int32{at(0), at(1), at(3), at(4)} {
	case [4]int32{-unit, 0, 0, -unit}:
		c.info.Orientation = 3
	case [4]int32{0, unit, -unit, 0}:
		c.info.Orientation = 6
	case [4]int32{0, -unit, unit, 0}:
		c.info.Orientation = 8
	}
	if c.info.Orientation > 4 {
		c.info.Width, c.info.Height = c.info.Height, c.info.Width
	}
}

// edits checks the edit list of a track, which may make it longer than its samples.
func (c *cleaner) edits(all []box) error {
	for _, edts := range all {
		if edts.name != "edts" {
			continue
		}
		lists, err := c.children(edts.body, edts.to, "elst")
		if err != nil {
			return err
		}
		for _, b := range lists {
			d, err := c.of(b, 8)
			if err != nil {
				return err
			}
			entry := 12
			if d[0] == 1 {
				entry = 20
			}
			d, err = c.table(b, 8, entry)
			if err != nil {
				return err
			}
			var units uint64
			for ; len(d) > 0; d = d[entry:] {
				n := uint64(binary.BigEndian.Uint32(d))
				if entry == 20 {
					n = binary.BigEndian.Uint64(d)
				}
				units = max(units, units+n)
			}
			c.info.Duration = max(c.info.Duration, seconds(units, c.scale))
		}
	}
	return nil
}

// references refuses samples that are in another file.
func (c *cleaner) references(info []box) error {
	dinf, err := one(info, "dinf")
	if err != nil {
		return err
	}
	all, err := c.children(dinf.body, dinf.to, "dref")
	if err != nil {
		return err
	}
	dref, err := one(all, "dref")
	if err != nil {
		return err
	}
	const own = "\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0curl \x00\x00\x00\x01"
	if string(c.b[dref.body:dref.to]) != own {
		return formError("The MP4 file refers to another file.")
	}
	return nil
}

// table returns the entries of a table that has their number in the 4 bytes before first, and nothing behind them.
func (c *cleaner) table(b box, first, entry int) ([]byte, error) {
	d, err := c.of(b, first)
	if err != nil {
		return nil, err
	}
	if n := int64(binary.BigEndian.Uint32(d[first-4:])); n*int64(entry) != int64(len(d)-first) {
		return nil, fmt.Errorf("%s has %d bytes for %d entries", b.name, len(d)-first, n)
	}
	return d[first:], nil
}

// samples checks the tables of a track, and keeps its samples.
func (c *cleaner) samples(table []box, scale uint32) error {
	stts, err := one(table, "stts")
	if err != nil {
		return err
	}
	d, err := c.table(stts, 8, 8)
	if err != nil {
		return err
	}
	var count, units uint64
	for ; len(d) > 0; d = d[8:] {
		n := uint64(binary.BigEndian.Uint32(d))
		if count += n; count > maxSamples {
			return limitError(fmt.Sprintf("A track of a video has at most %d samples.", maxSamples))
		}
		units += n * uint64(binary.BigEndian.Uint32(d[4:]))
	}
	c.info.Duration = max(c.info.Duration, seconds(units, scale))
	for _, b := range table {
		entry := map[string]int{"ctts": 8, "stss": 4}[b.name]
		if entry > 0 {
			if _, err := c.table(b, 8, entry); err != nil {
				return err
			}
		}
	}
	sizes, err := c.sizes(table, int(count))
	if err != nil {
		return err
	}
	return c.chunks(table, sizes)
}

// sizes returns the bytes of each sample.
func (c *cleaner) sizes(table []box, count int) ([]uint32, error) {
	stsz, err := one(table, "stsz")
	if err != nil {
		return nil, err
	}
	d, err := c.of(stsz, 12)
	if err != nil {
		return nil, err
	}
	if n := binary.BigEndian.Uint32(d[8:]); int64(n) != int64(count) {
		return nil, fmt.Errorf("%d samples have a size, %d a time", n, count)
	}
	sizes, same := make([]uint32, count), binary.BigEndian.Uint32(d[4:])
	if same != 0 {
		if len(d) != 12 {
			return nil, errors.New("stsz has bytes behind its end")
		}
		for i := range sizes {
			sizes[i] = same
		}
		return sizes, nil
	}
	if d, err = c.table(stsz, 12, 4); err != nil {
		return nil, err
	}
	for i := range sizes {
		sizes[i] = binary.BigEndian.Uint32(d[4*i:])
	}
	return sizes, nil
}

// chunks finds the samples in the file. Each chunk of samples lies in the data of one mdat.
func (c *cleaner) chunks(table []box, sizes []uint32) error {
	name, width := "stco", 4
	if slices.ContainsFunc(table, func(b box) bool { return b.name == "co64" }) {
		name, width = "co64", 8
	}
	b, err := one(table, name)
	if err != nil {
		return err
	}
	offsets, err := c.table(b, 8, width)
	if err != nil {
		return err
	}
	if b, err = one(table, "stsc"); err != nil {
		return err
	}
	runs, err := c.table(b, 8, 12)
	if err != nil {
		return err
	}
	for chunk, per := uint32(1), uint32(0); len(offsets) > 0; chunk, offsets = chunk+1, offsets[width:] {
		if len(runs) > 0 && binary.BigEndian.Uint32(runs) == chunk {
			per = binary.BigEndian.Uint32(runs[4:])
			if binary.BigEndian.Uint32(runs[8:]) != 1 {
				return errors.New("samples of another description")
			}
			runs = runs[12:]
		}
		if per == 0 || uint64(per) > uint64(len(sizes)) {
			return fmt.Errorf("chunk %d has %d samples of %d", chunk, per, len(sizes))
		}
		var from, n uint64
		if from = binary.BigEndian.Uint64(append([]byte{0, 0, 0, 0}, offsets[:width]...)[width-4:]); from > 1<<62 {
			return fmt.Errorf("chunk %d is nowhere", chunk)
		}
		for _, size := range sizes[:per] {
			n += uint64(size)
		}
		sizes = sizes[per:]
		s := span{int64(from), int64(from + n)}
		if !slices.ContainsFunc(c.data, func(d span) bool { return d.from <= s.from && s.to <= d.to }) {
			return fmt.Errorf("chunk %d is outside of the data", chunk)
		}
		if n > 0 {
			c.keep = append(c.keep, s)
		}
	}
	if len(sizes) > 0 || len(runs) > 0 {
		return fmt.Errorf("%d samples and %d runs without a chunk", len(sizes), len(runs)/12)
	}
	return nil
}
