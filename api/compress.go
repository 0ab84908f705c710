package api

import (
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// gzipTag ends the ETag of an answer that is compressed: each form of an answer has a tag of its own (RFC 9110, 8.8.3).
const gzipTag = "-gzip"

// compress makes a handler compress its answers of 1 KiB and more for clients that take gzip. A home page becomes a sixth.
//
// That secrets beside what a stranger chose can be guessed from the size of such an answer (BREACH) needs requests that a
// browser signs by itself. There are none: every token is sent by the client's own code.
func compress(h http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.SuffixETag(gzipTag))
	if err != nil {
		return nil, err
	}
	return wrap(h), nil
}

// plainTag is the tag of an answer, of whichever form of it the tag is.
func plainTag(tag string) string {
	if before, ok := strings.CutSuffix(tag, gzipTag+`"`); ok {
		return before + `"`
	}
	return tag
}
