package emulator

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// chunk is the size of which each chunk but the last is a multiple. Of a chunk that breaks off, the storage keeps as
// many whole ones.
const chunk = 256 << 10

// session is an upload: https://cloud.google.com/storage/docs/performing-resumable-uploads.
type session struct {
	bucket, name, contentType string
	least, most               int64  // bytes of the object
	generation                string // which the object must have; empty for any

	mu       sync.Mutex
	received bytes.Buffer
	done     *httptest.ResponseRecorder // the answer to the last chunk; nil before
}

var sizes = regexp.MustCompile(`^(\d{1,15}),(\d{1,15})$`)

// start makes an upload session.
func (e *Emulator) start(w http.ResponseWriter, r *http.Request, bucket, name string) {
	s := &session{bucket: bucket, name: name, contentType: r.Header.Get("Content-Type"), most: 5 << 40,
		generation: r.Header.Get("X-Goog-If-Generation-Match")}
	if limit := r.Header.Get("X-Goog-Content-Length-Range"); limit != "" {
		found := sizes.FindStringSubmatch(limit)
		if found == nil {
			refuse(w, http.StatusBadRequest, "InvalidArgument", "x-goog-content-length-range is "+limit)
			return
		}
		s.least, _ = strconv.ParseInt(found[1], 10, 64)
		s.most, _ = strconv.ParseInt(found[2], 10, 64)
	}
	if n, err := io.Copy(io.Discard, r.Body); n > 0 || err != nil {
		refuse(w, http.StatusBadRequest, "InvalidArgument", "The start of a session has no body.")
		return
	}
	there := e.inner(http.MethodGet, "/storage/v1/b/"+url.PathEscape(bucket)+"/o/"+url.PathEscape(name), nil, "")
	if s.generation == "0" && there.Code == http.StatusOK {
		precondition(w)
		return
	}
	id := rand.Text() + rand.Text()
	e.mu.Lock()
	e.sessions[id] = s
	e.mu.Unlock()
	at := url.URL{Scheme: "http", Host: r.Host, Path: "/" + bucket + "/" + name, RawPath: r.URL.EscapedPath(),
		RawQuery: "upload_id=" + id}
	w.Header().Set("Location", at.String())
	w.Header().Set("X-GUploader-UploadID", id)
	w.WriteHeader(http.StatusCreated)
}

// upload serves a session: a chunk, a question for what has arrived, or the end without an object.
func (e *Emulator) upload(w http.ResponseWriter, r *http.Request, id string) {
	e.mu.Lock()
	s := e.sessions[id]
	e.mu.Unlock()
	bucket, name := object(r.URL)
	switch {
	case s == nil || s.bucket != bucket || s.name != name:
		refuse(w, http.StatusNotFound, "NoSuchUpload", "There is no such session.")
	case r.Method == http.MethodDelete:
		e.end(id)
		w.WriteHeader(http.StatusNoContent)
	case r.Method != http.MethodPut:
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", "A session takes PUT and DELETE.")
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		e.take(w, r, id, s)
	}
}

func (e *Emulator) end(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, id)
}

var ranges = regexp.MustCompile(`^bytes (?:(\d{1,15})-(\d{1,15})|\*)/(\d{1,15}|\*)$`)

// take serves a PUT of a session, which the caller has locked.
func (e *Emulator) take(w http.ResponseWriter, r *http.Request, id string, s *session) {
	if s.done != nil { // the client has lost the answer
		replay(w, s.done)
		return
	}
	asked := cmp.Or(r.Header.Get("Content-Range"), fmt.Sprintf("bytes 0-%d/%d", r.ContentLength-1, r.ContentLength))
	if r.ContentLength == 0 && r.Header.Get("Content-Range") == "" {
		asked = "bytes */0"
	}
	found := ranges.FindStringSubmatch(asked)
	if found == nil {
		refuse(w, http.StatusBadRequest, "InvalidArgument", "Content-Range is "+asked)
		return
	}
	total, length, from := int64(-1), int64(0), int64(s.received.Len())
	if found[3] != "*" {
		total, _ = strconv.ParseInt(found[3], 10, 64)
	}
	if found[1] != "" {
		from, _ = strconv.ParseInt(found[1], 10, 64)
		to, _ := strconv.ParseInt(found[2], 10, 64)
		length = to - from + 1
	}
	last := total >= 0 && from+length == total
	switch {
	case max(total, from+length) > s.most:
		e.end(id)
		refuse(w, http.StatusBadRequest, "EntityTooLarge", fmt.Sprintf("The object may have %d bytes.", s.most))
		return
	case total >= 0 && total < s.least:
		e.end(id)
		refuse(w, http.StatusBadRequest, "EntityTooSmall", fmt.Sprintf("The object must have %d bytes.", s.least))
		return
	case from > int64(s.received.Len()), length < 0, total >= 0 && from+length > total, r.ContentLength > length,
		length > 0 && !last && length%chunk != 0:
		refuse(w, http.StatusBadRequest, "InvalidArgument", fmt.Sprintf("Content-Range is %s, the body has %d bytes, and %d "+
			"have arrived. All chunks but the last are multiples of 256 KiB.", asked, r.ContentLength, s.received.Len()))
		return
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, length))
	if int64(len(data)) < length { // the connection broke
		data = data[:len(data)/chunk*chunk]
		last = false
	}
	if known := int64(s.received.Len()) - from; known < int64(len(data)) {
		s.received.Write(data[known:])
	}
	switch {
	case err != nil:
		return // nobody reads an answer
	case last && int64(s.received.Len()) == total:
		e.finish(s)
		if s.done.Code == http.StatusPreconditionFailed {
			e.end(id)
			precondition(w)
			return
		}
		replay(w, s.done)
	default:
		if n := s.received.Len(); n > 0 {
			w.Header().Set("Range", fmt.Sprintf("bytes=0-%d", n-1))
		}
		w.WriteHeader(http.StatusPermanentRedirect)
	}
}

// finish makes the object, and sends its event.
func (e *Emulator) finish(s *session) {
	q := url.Values{"uploadType": {"media"}, "name": {s.name}}
	if s.generation != "" {
		q.Set("ifGenerationMatch", s.generation)
	}
	made := e.inner(http.MethodPost, "/upload/storage/v1/b/"+url.PathEscape(s.bucket)+"/o?"+q.Encode(), &s.received,
		s.contentType)
	s.done = httptest.NewRecorder() // the XML API answers without a body
	s.done.Code = made.Code
	if made.Code == http.StatusOK {
		e.finalized(made.Body.Bytes())
	}
	s.received = bytes.Buffer{}
}

// inner sends a request to fake-gcs-server.
func (e *Emulator) inner(method, target string, body io.Reader, contentType string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, body)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	answer := httptest.NewRecorder()
	e.forward(answer, r)
	return answer
}

func precondition(w http.ResponseWriter) {
	refuse(w, http.StatusPreconditionFailed, "PreconditionFailed",
		strings.TrimSpace("At least one of the pre-conditions you specified did not hold."))
}
