package server

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// gzipTag ends the ETag of an answer that is compressed: each form of an answer has a tag of its own (RFC 9110, 8.8.3).
const gzipTag = "-gzip"

// compress wraps a handler so that it compresses answers of 1 KiB and more for clients that accept gzip. A home page
// shrinks to a sixth.
//
// An attacker can guess a secret from the size of a compressed answer that also holds text of the attacker's choice
// (BREACH). The attack needs requests that a browser authenticates by itself. Hibana has none: the client's own code
// sends every token.
func compress(h http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.SuffixETag(gzipTag))
	if err != nil {
		return nil, err
	}
	return wrap(h), nil
}

// document is an answer that never changes while the process runs, in both forms. Compressing 625 kB takes about 5 ms
// of CPU, so the process does it once.
type document struct {
	plain, packed []byte
	tag           string // of the plain form
}

func newDocument(text []byte) (*document, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return &document{plain: text, packed: packed.Bytes(), tag: tagOf(text)}, nil
}

// packs reports whether compress would compress the answer, because the client accepts gzip.
func packs(w http.ResponseWriter) bool {
	switch w.(type) {
	case *gzhttp.GzipResponseWriter, gzhttp.GzipResponseWriterWithCloseNotify:
		return true
	}
	return false
}

// packedTag returns the tag of the compressed form of an answer.
func packedTag(tag string) string { return strings.TrimSuffix(tag, `"`) + gzipTag + `"` }

// plainTag returns the tag of the plain form of an answer, for the tag of either form.
func plainTag(tag string) string {
	if before, ok := strings.CutSuffix(tag, gzipTag+`"`); ok {
		return before + `"`
	}
	return tag
}
