// Package httpsig signs and verifies HTTP requests as servers of the fediverse do: by draft-cavage-http-signatures-12,
// which all of them speak, and by RFC 9421, which newer ones speak too.
//
// A verification has two steps. [Parse] finds the signature of a request, and refuses what no key could mend: a
// signature that is too old, does not cover what it must, or does not fit the body. Its caller then finds the key that
// KeyID names, and [Signature.Verify] checks the signature by it.
package httpsig

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// How far the time of a signature may be from the clock. Servers sign each attempt anew, so an hour is for clocks that
// are wrong and for slow networks alone; who records a request can repeat it for so long. Five minutes ahead are for
// clocks that are fast: a larger number would lengthen the time for which a request can be repeated.
const (
	MaxAge   = time.Hour
	MaxAhead = 5 * time.Minute
)

// Bounds of what is parsed.
const (
	maxHeader     = 8 << 10 // bytes of a header with a signature
	maxComponents = 32
	maxKeyID      = 2_048
)

// Errors of verification. An error of this package wraps one of them.
var (
	// ErrUnsigned marks a request without a signature.
	ErrUnsigned = errors.New("the request is not signed")
	// ErrMalformed marks a signature that cannot be read, or that does not cover what it must.
	ErrMalformed = errors.New("the signature is not as it must be")
	// ErrTime marks a signature that is too old, or of the future.
	ErrTime = errors.New("the signature is not of now")
	// ErrDigest marks a body that is not the signed one.
	ErrDigest = errors.New("the body is not the signed one")
	// ErrWrong marks a signature that the key did not make.
	ErrWrong = errors.New("the signature is wrong")
	// ErrKey marks a key that is not used: it is weak, or of another kind than the signature.
	ErrKey = errors.New("the key is not of use")
)

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}

// Message is a request as its client sent it.
type Message struct {
	Method string
	// Scheme and Authority are those of the server that the request is for, such as https and example.com. The receiver
	// takes them from its configuration, because proxies change the host, and because a signature for another server must
	// not be good here.
	Scheme, Authority string
	Target            string // path and query, as sent
	Header            http.Header
	Body              []byte
}

// Of returns the message that a client is about to send.
func Of(r *http.Request, body []byte) *Message {
	authority := strings.ToLower(r.URL.Host)
	if r.URL.Scheme == "https" {
		authority = strings.TrimSuffix(authority, ":443")
	} else if r.URL.Scheme == "http" {
		authority = strings.TrimSuffix(authority, ":80")
	}
	return &Message{Method: r.Method, Scheme: r.URL.Scheme, Authority: authority, Target: r.URL.RequestURI(),
		Header: r.Header, Body: body}
}

// path returns the path of the message, and its query with the question mark; "?" if there is none.
func (m *Message) path() (path, query string) {
	path, query, _ = strings.Cut(m.Target, "?")
	return path, "?" + query
}

// field returns the value of a header: its lines, joined by commas. A missing one is not found.
func (m *Message) field(name string) (string, bool) {
	if name == "host" {
		return m.Authority, true
	}
	lines := m.Header.Values(name)
	if len(lines) == 0 {
		return "", false
	}
	clean := make([]string, len(lines))
	for i, line := range lines {
		clean[i] = strings.Trim(line, " \t")
	}
	return strings.Join(clean, ", "), true
}

// single returns the value of a header that must not be there twice.
func (m *Message) single(name string) (string, error) {
	lines := m.Header.Values(name)
	if len(lines) != 1 {
		return "", malformed("there are %d headers %s", len(lines), name)
	}
	return strings.Trim(lines[0], " \t"), nil
}

// Signature is a signature that was read. Its time, its parts and the digest of the body are right; whether its key
// made it, only [Signature.Verify] says.
type Signature struct {
	KeyID string
	At    time.Time // when it was made, by the clock of its maker, which is right within [MaxAge] and [MaxAhead]

	algorithms []algorithm // that may have made it
	base       string      // what is signed
	value      []byte
}

// Parse reads the signature of a message: that of RFC 9421 if there is one, else that of the draft. A message with
// several signatures by RFC 9421 has the first one checked.
//
// A signature must cover the method, the whole target and the host, a time, and the digest of a body. So it is good for
// this request alone, within [MaxAge]. Errors are those of this package.
func Parse(m *Message, now time.Time) (*Signature, error) {
	switch {
	case m.Header.Get("Signature-Input") != "":
		return parseRFC(m, now)
	case m.Header.Get("Signature") != "":
		return parseDraft(m, now)
	}
	return nil, ErrUnsigned
}

// checkTimes refuses a signature that is not of now. expires is zero if the signature says nothing of it.
func checkTimes(created, expires, now time.Time) error {
	switch {
	case created.Before(now.Add(-MaxAge)):
		return fmt.Errorf("%w: it is older than %s", ErrTime, MaxAge)
	case created.After(now.Add(MaxAhead)):
		return fmt.Errorf("%w: it is of the future", ErrTime)
	case !expires.IsZero() && !now.Before(expires):
		return fmt.Errorf("%w: it has expired", ErrTime)
	}
	return nil
}

func checkKeyID(id string) error {
	if id == "" || len(id) > maxKeyID {
		return malformed("its key has a name of %d bytes", len(id))
	}
	// An address has printable characters of ASCII alone: others are encoded.
	if strings.ContainsFunc(id, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return malformed("its key has a name that is no address")
	}
	return nil
}

// covers reports whether all names are among the covered ones.
func covers(covered []string, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(covered, name) })
}

// queryParameter returns the value of the only parameter of a query with a name, in the form of RFC 9421, 2.2.8.
func (m *Message) queryParameter(name string) (string, error) {
	_, query := m.path()
	all, err := url.ParseQuery(query[1:])
	if err != nil || len(all[name]) != 1 {
		return "", malformed("the query has not one parameter %q", name)
	}
	return strings.ReplaceAll(url.QueryEscape(all[name][0]), "+", "%20"), nil
}
