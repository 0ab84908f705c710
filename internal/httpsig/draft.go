package httpsig

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The names of a draft's signature that are no headers.
const (
	requestTarget = "(request-target)"
	createdName   = "(created)"
	expiresName   = "(expires)"
)

// parseDraft reads a signature of draft-cavage-http-signatures-12.
func parseDraft(m *Message, now time.Time) (*Signature, error) {
	header, err := m.single("Signature")
	if err != nil {
		return nil, err
	}
	p, err := draftParameters(header)
	if err != nil {
		return nil, err
	}
	if err := checkKeyID(p["keyId"]); err != nil {
		return nil, err
	}
	s := &Signature{KeyID: p["keyId"]}
	switch strings.ToLower(p["algorithm"]) {
	case "", "hs2019": // the key decides
		s.algorithms = []algorithm{rsaSHA256, rsaPSS, edDSA}
	case "rsa-sha256":
		s.algorithms = []algorithm{rsaSHA256}
	case "ed25519":
		s.algorithms = []algorithm{edDSA}
	default:
		return nil, malformed("its algorithm is unknown")
	}
	if s.value, err = base64.StdEncoding.Strict().DecodeString(p["signature"]); err != nil || len(s.value) == 0 {
		return nil, malformed("its value is not base64")
	}
	names := strings.Fields(strings.ToLower(p["headers"]))
	if len(names) > maxComponents {
		return nil, malformed("it covers %d headers", len(names))
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, malformed("it covers a header twice")
		}
	}
	if !covers(names, requestTarget, "host") {
		return nil, malformed("it does not cover %s and host", requestTarget)
	}
	if s.At, err = draftTimes(m, p, names, now); err != nil {
		return nil, err
	}
	if len(m.Body) > 0 && !covers(names, "digest") {
		return nil, malformed("it does not cover the digest")
	}
	if slices.Contains(names, "digest") {
		if err := checkDigest(m); err != nil {
			return nil, err
		}
	}
	s.base, err = draftBase(m, p, names)
	return s, err
}

// draftTimes checks the times of a signature: the header Date, or created, of which it must cover one, and expires. It
// returns the time of the signature.
func draftTimes(m *Message, p map[string]string, names []string, now time.Time) (at time.Time, err error) {
	var expires time.Time
	if p["expires"] != "" {
		seconds, err := strconv.ParseInt(p["expires"], 10, 64)
		if err != nil {
			return at, malformed("expires is not a number")
		}
		expires = time.Unix(seconds, 0)
	}
	if slices.Contains(names, "date") {
		text, err := m.single("Date")
		if err != nil {
			return at, err
		}
		if at, err = http.ParseTime(text); err != nil {
			return at, malformed("Date is not a time")
		}
		return at, checkTimes(at, expires, now)
	}
	if !slices.Contains(names, createdName) {
		return at, malformed("it covers neither date nor %s", createdName)
	}
	if strings.HasPrefix(strings.ToLower(p["algorithm"]), "rsa") {
		return at, malformed("%s does not go with its algorithm", createdName) // 2.3 of the draft
	}
	seconds, err := strconv.ParseInt(p["created"], 10, 64)
	if err != nil {
		return at, malformed("created is not a number")
	}
	at = time.Unix(seconds, 0)
	return at, checkTimes(at, expires, now)
}

// draftBase returns what a signature covers.
func draftBase(m *Message, p map[string]string, names []string) (string, error) {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte('\n')
		}
		value, ok := "", true
		switch name {
		case requestTarget:
			value = strings.ToLower(m.Method) + " " + m.Target
		case createdName:
			value, ok = p["created"], p["created"] != ""
		case expiresName:
			value, ok = p["expires"], p["expires"] != ""
		default:
			value, ok = m.field(name)
		}
		if !ok || strings.ContainsAny(value, "\r\n") {
			return "", malformed("it covers %q, which the request has not", name)
		}
		b.WriteString(name + ": " + value)
	}
	return b.String(), nil
}

// draftParameters reads name="value" pairs, of which created and expires may be without quotation marks. No name may
// come twice: two readers of the header might take different ones.
func draftParameters(header string) (map[string]string, error) {
	if len(header) > maxHeader {
		return nil, malformed("the header has %d bytes", len(header))
	}
	all := map[string]string{}
	for rest := strings.TrimLeft(header, " \t"); rest != ""; {
		name, after, ok := strings.Cut(rest, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, malformed("a parameter has no value")
		}
		var value string
		if strings.HasPrefix(after, `"`) {
			if value, after, ok = strings.Cut(after[1:], `"`); !ok || strings.Contains(value, `\`) {
				return nil, malformed("a parameter has no end")
			}
			after = strings.TrimLeft(after, " \t")
			if after != "" && after[0] != ',' {
				return nil, malformed("something follows a parameter")
			}
			after = strings.TrimPrefix(after, ",")
		} else {
			value, after, _ = strings.Cut(after, ",")
			value = strings.TrimSpace(value)
		}
		if _, twice := all[name]; twice {
			return nil, malformed("%q is there twice", name)
		}
		all[name], rest = value, strings.TrimLeft(after, " \t")
	}
	return all, nil
}
