package api

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// maxTagged is the size of the largest answer that gets an ETag, in bytes.
const maxTagged = 1 << 20

// answer calls head just before the header goes out. The cost of the request is known
// by then. A public answer is held until it is complete, because its ETag follows from
// the whole body. So is an answer that shows a version of a tweet.
type answer struct {
	http.ResponseWriter
	about *request
	match string // If-None-Match of the request
	head  func(http.Header)

	status int    // 0 until the handler said it
	held   []byte // body of an answer that is held
	holds  bool
	sent   bool // the header is out
}

func (a *answer) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	if status == http.StatusOK && a.about.public || a.about.version != "" {
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

// send sends the header. Nothing but a public answer may be kept by a cache.
func (a *answer) send() {
	h := a.Header()
	switch public := a.about.public && (a.status == http.StatusOK || a.status == http.StatusNotModified); {
	case public && h.Get("Cache-Control") == "":
		h.Set("Cache-Control", "no-cache") // keep it, and ask whether it is still good
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

// release sends what is held. The rest of the answer is not held.
func (a *answer) release() {
	a.holds = false
	a.send()
	a.ResponseWriter.Write(a.held)
	a.held = nil
}

// tagOf is the ETag of a body.
func tagOf(body []byte) string {
	hash := sha256.Sum256(body)
	return `"` + hex.EncodeToString(hash[:16]) + `"`
}

// finish sends an answer that is held. A public answer is 304 without a body if the client
// has this body already.
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

// reset forgets an answer that was begun, so that another one can be written. It returns
// false if a part of the answer is out.
func (a *answer) reset() bool {
	if !a.sent {
		a.status, a.held, a.holds = 0, nil, false
	}
	return !a.sent
}

// matching is the tag that an If-None-Match header names of an answer with a tag: that one, or the
// tag of the compressed form. It is empty if the header names neither. A 304 has the tag of what
// the client keeps (RFC 9111, 4.3.4).
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
