package httpsig

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// This file reads what RFC 9421 needs of structured fields (RFC 8941): dictionaries whose members are lists of strings
// with parameters, or bytes.

type kind int

const (
	text kind = iota
	token
	numeric
	binary
	truth
)

// bare is a value without parameters.
type bare struct {
	kind   kind
	value  string // of a string, a token, or bytes
	number int64
}

type parameter struct {
	name string
	bare
}

type parameters []parameter

func (p parameters) has(name string) bool {
	return slices.ContainsFunc(p, func(one parameter) bool { return one.name == name })
}

// text returns a parameter that is a string; empty if there is none.
func (p parameters) text(name string) string {
	for _, one := range p {
		if one.name == name && one.kind == text {
			return one.value
		}
	}
	return ""
}

// item is a value with its parameters. raw is its text.
type item struct {
	bare
	parameters
	raw string
}

// innerList is a list in parentheses, with its parameters. raw is its text.
type innerList struct {
	items []item
	parameters
	raw string
}

// names returns the components without parameters: the parameter of a query is none of them.
func (l innerList) names() (all []string) {
	for _, c := range l.items {
		if len(c.parameters) == 0 {
			all = append(all, c.value)
		}
	}
	return all
}

// reader reads a structured field from its beginning.
type reader struct {
	text string
	at   int
	bad  bool
}

func (r *reader) fail() { r.bad, r.at = true, len(r.text) }

func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *reader) take(c byte) bool {
	if r.peek() == c && r.at < len(r.text) {
		r.at++
		return true
	}
	return false
}

func (r *reader) spaces() {
	for r.peek() == ' ' || r.peek() == '\t' {
		r.at++
	}
}

// while takes the characters that fit.
func (r *reader) while(fits func(byte) bool) string {
	from := r.at
	for r.at < len(r.text) && fits(r.text[r.at]) {
		r.at++
	}
	return r.text[from:r.at]
}

func lower(c byte) bool { return c >= 'a' && c <= 'z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }

func (r *reader) key() string {
	if !lower(r.peek()) && r.peek() != '*' {
		r.fail()
		return ""
	}
	return r.while(func(c byte) bool { return lower(c) || digit(c) || strings.IndexByte("_-.*", c) >= 0 })
}

// bare reads a value. Decimals are none of those that signatures have.
func (r *reader) bare() (b bare) {
	switch c := r.peek(); {
	case r.take('"'):
		var s strings.Builder
		for !r.take('"') {
			r.take('\\')
			if c := r.peek(); r.at >= len(r.text) || c < 0x20 || c > 0x7e {
				r.fail()
				return b
			}
			s.WriteByte(r.text[r.at])
			r.at++
		}
		return bare{kind: text, value: s.String()}
	case r.take(':'):
		coded := r.while(func(c byte) bool { return c != ':' })
		data, err := base64.StdEncoding.DecodeString(coded)
		if err != nil || !r.take(':') {
			r.fail()
		}
		return bare{kind: binary, value: string(data)}
	case r.take('?'):
		if v := r.peek(); v != '0' && v != '1' {
			r.fail()
			return bare{}
		}
		r.at++
		return bare{kind: truth}
	case digit(c) || c == '-':
		r.take('-')
		sign := int64(1)
		if c == '-' {
			sign = -1
		}
		n, err := strconv.ParseInt(r.while(digit), 10, 64)
		if err != nil || r.peek() == '.' || n > 999_999_999_999_999 {
			r.fail()
		}
		return bare{kind: numeric, number: sign * n}
	case lower(c) || c >= 'A' && c <= 'Z' || c == '*':
		return bare{kind: token, value: r.while(func(c byte) bool {
			return lower(c) || digit(c) || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
		})}
	}
	r.fail()
	return b
}

// parameters reads ;name=value pairs. A name that comes twice is refused: readers take different ones.
func (r *reader) parameters() (all parameters) {
	for r.take(';') {
		r.spaces()
		p := parameter{name: r.key(), bare: bare{kind: truth}}
		if r.take('=') {
			p.bare = r.bare()
		}
		if all.has(p.name) || len(all) > maxComponents {
			r.fail()
		}
		all = append(all, p)
	}
	return all
}

func (r *reader) list() (l innerList) {
	from := r.at
	if !r.take('(') {
		r.fail()
		return l
	}
	for {
		r.spaces()
		if r.take(')') {
			break
		}
		begin := r.at
		i := item{bare: r.bare()}
		i.parameters = r.parameters()
		if next := r.peek(); r.bad || i.kind != text || next != ' ' && next != ')' || len(l.items) > maxComponents {
			r.fail()
			return l
		}
		i.raw = r.text[begin:r.at]
		l.items = append(l.items, i)
	}
	l.parameters = r.parameters()
	l.raw = r.text[from:r.at]
	return l
}

// member begins a member of a dictionary. It returns false at the end.
func (r *reader) member() (label string, ok bool) {
	r.spaces()
	if r.at >= len(r.text) {
		return "", false
	}
	label = r.key()
	if !r.take('=') {
		r.fail()
	}
	return label, !r.bad
}

// next ends a member of a dictionary.
func (r *reader) next() {
	r.spaces()
	if r.at < len(r.text) && !r.take(',') {
		r.fail()
	}
}

// firstList returns the first member of a dictionary of lists. The others are read, and none may have its label.
func firstList(header string) (label string, first innerList, err error) {
	if len(header) > maxHeader {
		return "", first, malformed("a header has %d bytes", len(header))
	}
	r := &reader{text: header}
	for n := 0; ; n++ {
		name, ok := r.member()
		if !ok {
			break
		}
		l := r.list()
		r.next()
		if n == 0 {
			label, first = name, l
		} else if name == label {
			r.fail()
		}
	}
	if r.bad || label == "" {
		return "", first, malformed("Signature-Input is not a dictionary of lists")
	}
	return label, first, nil
}

// bytesOf returns the bytes with a label of a dictionary.
func bytesOf(header, label string) (value []byte, err error) {
	if len(header) > maxHeader {
		return nil, malformed("a header has %d bytes", len(header))
	}
	r := &reader{text: header}
	for {
		name, ok := r.member()
		if !ok {
			break
		}
		b := r.bare()
		r.parameters()
		r.next()
		if b.kind != binary || name == label && value != nil {
			r.fail()
		}
		if name == label {
			value = []byte(b.value)
		}
	}
	if r.bad || len(value) == 0 {
		return nil, malformed("there are no bytes %q", label)
	}
	return value, nil
}
