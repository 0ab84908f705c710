package media

import (
	"bytes"
	"encoding/binary"
)

// SniffLen is the number of bytes from which [Sniff] knows every type.
const SniffLen = 64

// Sniff returns the type of a file from its first [SniffLen] bytes, or from all bytes of a shorter file. The name and
// the stated type of an upload do not count. An unknown type is an error with the code [CodeUnsupported]. A known
// type may still be refused by Check.
func Sniff(head []byte) (Type, error) {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return JPEG, nil
	case bytes.HasPrefix(head, []byte(pngMagic)):
		return PNG, nil
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return GIF, nil
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return WebP, nil
	}
	if t := sniffBrands(head); t != "" {
		return t, nil
	}
	return "", unsupported("The file is not of a type that is taken: JPEG, PNG, WebP, GIF, or MP4 with H.264 and AAC.")
}

// sniffBrands reads the brands of a file that begins with the box ftyp of ISO/IEC 14496-12. AVIF wins over MP4,
// because its files may name general brands too. Files of other formats that share the box, such as HEIC and
// QuickTime, name none of these brands.
func sniffBrands(head []byte) Type {
	if len(head) < 16 || string(head[4:8]) != "ftyp" {
		return ""
	}
	end := min(uint64(len(head)), uint64(binary.BigEndian.Uint32(head)))
	var found Type
	for at := uint64(8); at+4 <= end; at += 4 {
		if at == 12 {
			continue // the minor version
		}
		switch string(head[at : at+4]) {
		case "avif", "avis":
			return AVIF
		case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "M4VH", "MSNV", "3gp4", "3gp5",
			"3gp6":
			found = MP4
		case "qt  ", "heic", "heix", "mif1", "msf1":
			if at == 8 {
				return ""
			}
		}
	}
	return found
}
