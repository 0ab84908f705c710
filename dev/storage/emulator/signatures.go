package emulator

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Signed addresses: https://cloud.google.com/storage/docs/authentication/canonical-requests.
const (
	algorithm  = "GOOG4-RSA-SHA256"
	dateForm   = "20060102T150405Z"
	longest    = 7 * 24 * 60 * 60 // seconds
	clockError = 15 * time.Minute
)

// signed serves a request with a signature: the start of an upload session, or a download.
func (e *Emulator) signed(w http.ResponseWriter, r *http.Request) {
	if status, code, err := e.verify(r); err != nil {
		refuse(w, status, code, err.Error())
		return
	}
	switch bucket, name := object(r.URL); {
	case r.Method == http.MethodPost && r.Header.Get("X-Goog-Resumable") == "start":
		e.start(w, r, bucket, name)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		e.forward(w, r)
	default:
		refuse(w, http.StatusNotImplemented, "NotImplemented", "The emulator starts upload sessions and serves downloads.")
	}
}

// verify checks a signature of the fourth version.
func (e *Emulator) verify(r *http.Request) (status int, code string, err error) {
	malformed := func(format string, args ...any) (int, string, error) {
		return http.StatusBadRequest, "MalformedSecurityHeader", fmt.Errorf(format, args...)
	}
	q := r.URL.Query()
	date := q.Get("X-Goog-Date")
	at, err := time.Parse(dateForm, date)
	if err != nil {
		return malformed("X-Goog-Date is %q", date)
	}
	seconds, err := strconv.Atoi(q.Get("X-Goog-Expires"))
	if err != nil || seconds < 1 || seconds > longest {
		return malformed("X-Goog-Expires is %q", q.Get("X-Goog-Expires"))
	}
	scope := date[:8] + "/auto/storage/goog4_request"
	account, rest, _ := strings.Cut(q.Get("X-Goog-Credential"), "/")
	if q.Get("X-Goog-Algorithm") != algorithm || account == "" || rest != scope {
		return malformed("X-Goog-Algorithm is %q, and X-Goog-Credential %q", q.Get("X-Goog-Algorithm"),
			q.Get("X-Goog-Credential"))
	}
	switch now := e.now(); {
	case now.Before(at.Add(-clockError)):
		return http.StatusForbidden, "AccessDenied", fmt.Errorf("the signature begins at %s", date)
	case !now.Before(at.Add(time.Duration(seconds) * time.Second)):
		return http.StatusBadRequest, "ExpiredToken", fmt.Errorf("the signature has expired")
	}
	headers := strings.Split(q.Get("X-Goog-SignedHeaders"), ";")
	if !slices.IsSorted(headers) || !slices.Contains(headers, "host") {
		return malformed("X-Goog-SignedHeaders is %q", q.Get("X-Goog-SignedHeaders"))
	}
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-goog-") && !slices.Contains(headers, name) {
			return malformed("the header %s is not signed", name)
		}
	}
	canonical := r.Method + "\n" + r.URL.EscapedPath() + "\n"
	signature, err := hex.DecodeString(q.Get("X-Goog-Signature"))
	if err != nil {
		return malformed("X-Goog-Signature is not hexadecimal")
	}
	q.Del("X-Goog-Signature")
	canonical += strings.ReplaceAll(q.Encode(), "+", "%20") + "\n"
	for _, name := range headers {
		values := r.Header.Values(name)
		if name == "host" {
			values = []string{hostname(r.Host)}
		}
		if len(values) == 0 {
			return malformed("the signed header %s is missing", name)
		}
		canonical += name + ":" + strings.Join(strings.Fields(strings.Join(values, ",")), " ") + "\n"
	}
	canonical += "\n" + strings.Join(headers, ";") + "\nUNSIGNED-PAYLOAD"
	sum := sha256.Sum256([]byte(canonical))
	sum = sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%x", algorithm, date, scope, sum))
	if rsa.VerifyPKCS1v15(&e.key().PublicKey, crypto.SHA256, sum[:], signature) != nil {
		return http.StatusForbidden, "SignatureDoesNotMatch", fmt.Errorf("the signature is not that of:\n%s", canonical)
	}
	return 0, "", nil
}

// hostname is a host without its port: the signing client leaves out the port, because the cloud's host has none.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
