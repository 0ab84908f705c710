package api

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// gzipTag ends the ETag of an answer that is compressed: each form of an answer has a tag of its own (RFC 9110, 8.8.3).
const gzipTag = "-gzip"

// compress makes a handler compress its answers of 1 KiB and more for clients that take gzip. A
// home page becomes a sixth.
//
// That secrets beside what a stranger chose can be guessed from the size of such an answer (BREACH)
// needs requests that a browser signs by itself. There are none: every token is sent by the
// client's own code.
func compress(h http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.SuffixETag(gzipTag))
	if err != nil {
		return nil, err
	}
	return wrap(h), nil
}

// document is an answer that stays the same as long as the process runs, in both forms. Compressing
// 625 kB takes some 5 ms of CPU, so it is done once.
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

// packs reports whether compress would compress what is written: the client takes gzip.
func packs(w http.ResponseWriter) bool {
	switch w.(type) {
	case *gzhttp.GzipResponseWriter, gzhttp.GzipResponseWriterWithCloseNotify:
		return true
	}
	return false
}

// packedTag is the tag of the compressed form of an answer.
func packedTag(tag string) string { return strings.TrimSuffix(tag, `"`) + gzipTag + `"` }

// plainTag is the tag of an answer, of whichever form of it the tag is.
func plainTag(tag string) string {
	if before, ok := strings.CutSuffix(tag, gzipTag+`"`); ok {
		return before + `"`
	}
	return tag
}
