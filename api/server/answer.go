package server

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// maxTagged is the size of the largest answer that gets an ETag, in bytes.
const maxTagged = 1 << 20

// answer calls head just before it sends the header, when the cost of the request is known. It holds a public answer
// until the answer is complete, because the ETag follows from the whole body. It also holds an answer with a version of
// a tweet.
type answer struct {
	http.ResponseWriter
	about *request
	match string // If-None-Match of the request
	head  func(http.Header)

	status int    // 0 until the handler sets it
	held   []byte // body of a held answer
	holds  bool
	sent   bool // the header was sent
}

func (a *answer) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	if status == http.StatusOK && a.about.public && !a.about.file || a.about.version != "" {
		a.holds = true
		return
	}
	a.send()
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if !a.holds {
		return a.ResponseWriter.Write(b)
	}
	a.held = append(a.held, b...)
	if len(a.held) > maxTagged {
		a.release()
	}
	return len(b), nil
}

// send sends the header. Caches may keep public answers only.
func (a *answer) send() {
	h := a.Header()
	switch public := a.about.public && (a.status == http.StatusOK || a.status == http.StatusNotModified); {
	case a.about.file: // its handler decides
	case public && h.Get("Cache-Control") == "":
		h.Set("Cache-Control", "no-cache") // a cache may keep it, but must revalidate it
		fallthrough
	case public:
		h.Add("Vary", "Authorization")
	default:
		h.Set("Cache-Control", "no-store")
	}
	a.head(h)
	a.sent = true
	a.ResponseWriter.WriteHeader(a.status)
}

// release sends the held part. The rest of the answer is not held.
func (a *answer) release() {
	a.holds = false
	a.send()
	a.ResponseWriter.Write(a.held)
	a.held = nil
}

// tagOf returns the ETag of a body.
func tagOf(body []byte) string {
	hash := sha256.Sum256(body)
	return `"` + hex.EncodeToString(hash[:16]) + `"`
}

// finish sends a held answer. A public answer becomes 304 without a body if the client has this body already.
func (a *answer) finish() {
	if !a.holds {
		return
	}
	h, tag := a.Header(), ""
	if d := a.about.document; d != nil {
		a.held, tag = d.plain, d.tag
	} else {
		tag = tagOf(a.held)
	}
	if a.about.version != "" {
		tag = `"` + a.about.version + "-" + tag[1:]
	}
	h.Set("ETag", tag)
	if match := matching(a.match, tag); a.about.public && match != "" {
		a.status, a.held = http.StatusNotModified, nil
		h.Set("ETag", match)
		h.Del("Content-Type")
		h.Del("Content-Length")
	} else {
		if d := a.about.document; d != nil && packs(a.ResponseWriter) {
			a.held = d.packed
			h.Set("Content-Encoding", "gzip")
			h.Set("ETag", packedTag(tag))
		}
		h.Set("Content-Length", strconv.Itoa(len(a.held)))
	}
	a.release()
}

// reset discards an answer that has begun, so that the caller can write another one. It returns false if a part of the
// answer was sent.
func (a *answer) reset() bool {
	if !a.sent {
		a.status, a.held, a.holds = 0, nil, false
	}
	return !a.sent
}

// matching returns the tag by which an If-None-Match header names an answer: its own tag or the tag of its compressed
// form. It returns "" if the header names neither. A 304 carries the tag of the form that the client keeps (RFC 9111,
// 4.3.4).
func matching(header, tag string) string {
	for one := range strings.SplitSeq(header, ",") {
		switch one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); {
		case one == "*":
			return tag
		case plainTag(one) == tag:
			return one
		}
	}
	return ""
}

// Unwrap gives http.ResponseController the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
