package httpsig

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"strings"
)

// checkDigest compares the body with the header Digest of RFC 3230. Of several digests each of a known algorithm must
// be right, and one must be known.
func checkDigest(m *Message) error {
	header, err := m.single("Digest")
	if err != nil {
		return err
	}
	known := false
	for one := range strings.SplitSeq(header, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(one), "=")
		if !ok {
			return malformed("Digest has no value")
		}
		sum := sumOf(strings.ToLower(name), m.Body)
		if sum == nil {
			continue
		}
		if got, err := base64.StdEncoding.DecodeString(value); err != nil || !bytes.Equal(got, sum) {
			return ErrDigest
		}
		known = true
	}
	if !known {
		return malformed("Digest is neither of SHA-256 nor of SHA-512")
	}
	return nil
}

// checkContentDigest compares the body with the header Content-Digest of RFC 9530, as checkDigest does.
func checkContentDigest(m *Message) error {
	header, _ := m.field("Content-Digest")
	known := false
	if len(header) > maxHeader {
		return malformed("Content-Digest has %d bytes", len(header))
	}
	r := &reader{text: header}
	for {
		name, ok := r.member()
		if !ok {
			break
		}
		b := r.bare()
		r.parameters()
		r.next()
		sum := sumOf(name, m.Body)
		if sum == nil {
			continue
		}
		if b.kind != binary || b.value != string(sum) {
			return ErrDigest
		}
		known = true
	}
	if r.bad || !known {
		return malformed("Content-Digest is neither of sha-256 nor of sha-512")
	}
	return nil
}

// sumOf returns the hash of a body; nil for an algorithm that is not known, or not safe.
func sumOf(algorithm string, body []byte) []byte {
	switch algorithm {
	case "sha-256":
		sum := sha256.Sum256(body)
		return sum[:]
	case "sha-512":
		sum := sha512.Sum512(body)
		return sum[:]
	}
	return nil
}
