package server

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/hibana-sns/hibana/internal/telemetry"
)

// File is an answer that is a file.
type File struct {
	ContentType  string
	CacheControl string
	Tag          string // the ETag, with its quotes
	Size         int64  // in bytes
	Shared       bool   // shared caches may keep it
	// Open opens a part of the file.
	Open func(ctx context.Context, offset, length int64) (io.ReadCloser, error)
}

const (
	// longestPart is how much of a file an answer to a range has at most. A client that wants more asks for the rest. So
	// no answer takes long, and a paused player does not load a whole video.
	longestPart = 1 << 20

	// filesAtOnce is how many answers with a file a process sends at once. Each has a part in memory while its client
	// reads, and takes the place of another request. As many more wait for at most filesWait.
	filesAtOnce = 20
	filesWait   = time.Second
)

// sandboxed is the content security policy of files: a browser that shows one as a page runs and loads nothing.
const sandboxed = "default-src 'none'; sandbox"

// Answer is the output of an operation that answers with a file. An If-None-Match with its tag answers 304, and a range
// of bytes 206, or 416 behind the end. Several ranges, and a range of another version of the file, answer the whole
// file. Too many answers at once are errs.Unavailable.
func (f *File) Answer(s *Server) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		ctx, w := c.Context(), humagin.Unwrap(c).Writer
		about, ok := aboutRequest(ctx)
		from, to, status := f.part(c.Header("Range"), c.Header("If-Range"))
		if matching(c.Header("If-None-Match"), f.Tag) != "" {
			status = http.StatusNotModified
		}
		var body io.ReadCloser
		head := ok && about.method == http.MethodHead
		if length := to - from; status < http.StatusMultipleChoices && length > 0 && !head {
			if !s.files.Enter(ctx) {
				s.options.Telemetry.Count(ctx, telemetry.Saturated, 1)
				s.refuse(ctx, w, saturated())
				return
			}
			defer s.files.Leave()
			var err error
			if body, err = f.Open(ctx, from, length); err != nil {
				s.refuse(ctx, w, err)
				return
			}
			defer body.Close()
		}
		if ok {
			about.file, about.shared = true, f.Shared
		}
		h := w.Header()
		h.Set("Accept-Ranges", "bytes")
		h.Set("Cache-Control", f.CacheControl)
		h.Set("ETag", f.Tag)
		h.Set("Content-Security-Policy", sandboxed)
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		switch status {
		case http.StatusRequestedRangeNotSatisfiable:
			h.Set("Cache-Control", "no-store")
			h.Set("Content-Range", "bytes */"+strconv.FormatInt(f.Size, 10))
		case http.StatusPartialContent:
			h.Set("Content-Range", "bytes "+strconv.FormatInt(from, 10)+"-"+strconv.FormatInt(to-1, 10)+"/"+
				strconv.FormatInt(f.Size, 10))
			fallthrough
		case http.StatusOK:
			h.Set("Content-Type", f.ContentType)
			h.Set("Content-Disposition", "inline")
			h.Set("Content-Length", strconv.FormatInt(to-from, 10))
		}
		w.WriteHeader(status)
		if body == nil {
			w.WriteHeaderNow()
			return
		}
		if n, err := io.Copy(w, body); err != nil || n != to-from {
			panic(http.ErrAbortHandler) // the client must not take a part for the whole
		}
	}}
}

// part returns the bytes from from to to that a request wants, and the status of their answer.
func (f *File) part(header, ifRange string) (from, to int64, status int) {
	ranges, ok := strings.CutPrefix(header, "bytes=")
	if !ok || strings.Contains(ranges, ",") || ifRange != "" && ifRange != f.Tag {
		return 0, f.Size, http.StatusOK
	}
	first, last, ok := strings.Cut(strings.TrimSpace(ranges), "-")
	from, errFirst := strconv.ParseInt(first, 10, 64)
	to, errLast := strconv.ParseInt(last, 10, 64)
	switch {
	case !ok, first == "" && errLast != nil, first != "" && errFirst != nil, last != "" && errLast != nil, from < 0,
		to < 0,
		first != "" && last != "" && to < from:
		return 0, f.Size, http.StatusOK // not a range
	case first == "": // the last bytes
		from, to = max(0, f.Size-to), f.Size
	case last == "" || to >= f.Size:
		to = f.Size
	default:
		to++
	}
	if from >= f.Size {
		return 0, 0, http.StatusRequestedRangeNotSatisfiable
	}
	return from, min(to, from+longestPart), http.StatusPartialContent
}
