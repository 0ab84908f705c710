package httpsig

import (
	"slices"
	"strings"
	"time"
)

// parseRFC reads a signature of RFC 9421.
func parseRFC(m *Message, now time.Time) (*Signature, error) {
	input, _ := m.field("Signature-Input")
	label, list, err := firstList(input)
	if err != nil {
		return nil, err
	}
	header, _ := m.field("Signature")
	value, err := bytesOf(header, label)
	if err != nil {
		return nil, err
	}
	s := &Signature{KeyID: list.parameters.text("keyid"), value: value}
	if err := checkKeyID(s.KeyID); err != nil {
		return nil, err
	}
	if s.algorithms, err = algorithmsOf(list.parameters); err != nil {
		return nil, err
	}
	created, ok := list.parameters.time("created")
	if !ok {
		return nil, malformed("it does not say when it was created")
	}
	s.At = created
	expires, _ := list.parameters.time("expires")
	if err := checkTimes(created, expires, now); err != nil {
		return nil, err
	}
	if err := mustCover(m, list.names()); err != nil {
		return nil, err
	}
	s.base, err = rfcBase(m, list)
	return s, err
}

// algorithmsOf returns the algorithms that may have made a signature.
func algorithmsOf(p parameters) ([]algorithm, error) {
	if !p.has("alg") { // the key decides
		return []algorithm{rsaSHA256, rsaPSS, edDSA}, nil
	}
	for _, a := range []algorithm{rsaSHA256, rsaPSS, edDSA} {
		if p.text("alg") == string(a) {
			return []algorithm{a}, nil
		}
	}
	return nil, malformed("its algorithm is unknown")
}

// mustCover refuses a signature that leaves out a part of the request.
func mustCover(m *Message, names []string) error {
	_, query := m.path()
	target := covers(names, "@target-uri") || covers(names, "@authority") && (covers(names, "@request-target") ||
		covers(names, "@path") && (query == "?" && !strings.Contains(m.Target, "?") || covers(names, "@query")))
	switch {
	case !covers(names, "@method"):
		return malformed("it does not cover @method")
	case !target:
		return malformed("it does not cover the whole target")
	case len(m.Body) > 0 && !covers(names, "content-digest"):
		return malformed("it does not cover content-digest")
	}
	if slices.Contains(names, "content-digest") {
		return checkContentDigest(m)
	}
	return nil
}

// rfcBase returns what a signature covers: the signature base of RFC 9421, 2.5.
func rfcBase(m *Message, list innerList) (string, error) {
	if len(list.items) > maxComponents {
		return "", malformed("it covers %d components", len(list.items))
	}
	var b strings.Builder
	for i, c := range list.items {
		if slices.ContainsFunc(list.items[:i], func(before item) bool { return before.raw == c.raw }) {
			return "", malformed("it covers %s twice", c.raw)
		}
		value, err := m.component(c)
		if err != nil {
			return "", err
		}
		b.WriteString(c.raw + ": " + value + "\n")
	}
	b.WriteString(`"@signature-params": ` + list.raw)
	return b.String(), nil
}

// component returns the value of a component. Parameters other than the name of a parameter of the query are refused.
func (m *Message) component(c item) (string, error) {
	if c.value == "@query-param" {
		if len(c.parameters) != 1 || !c.parameters.has("name") {
			return "", malformed("a parameter of %s is unknown", c.value)
		}
		return m.queryParameter(c.parameters.text("name"))
	}
	if len(c.parameters) > 0 {
		return "", malformed("%s has parameters", c.value)
	}
	path, query := m.path()
	switch c.value {
	case "@method":
		return m.Method, nil
	case "@target-uri":
		return m.Scheme + "://" + m.Authority + m.Target, nil
	case "@authority":
		return m.Authority, nil
	case "@scheme":
		return m.Scheme, nil
	case "@request-target":
		return m.Target, nil
	case "@path":
		return path, nil
	case "@query":
		return query, nil
	}
	if c.value != strings.ToLower(c.value) || strings.HasPrefix(c.value, "@") {
		return "", malformed("the component %q is unknown", c.value)
	}
	value, ok := m.field(c.value)
	if !ok || strings.ContainsAny(value, "\r\n") {
		return "", malformed("it covers %q, which the request has not", c.value)
	}
	return value, nil
}

// time returns a parameter that is a time, in seconds since 1970.
func (p parameters) time(name string) (time.Time, bool) {
	for _, one := range p {
		if one.name == name && one.kind == numeric {
			return time.Unix(one.number, 0), true
		}
	}
	return time.Time{}, false
}
