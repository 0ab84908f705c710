package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Address returns the length of the web address at the beginning of a text, or 0 if there is none. The address has the
// scheme http or https in any case, and a host of several parts in any script. It continues over letters, marks and
// numbers of any script. It ends before other characters beyond ASCII, such as the Japanese full stop and the
// zero-width space, and before punctuation that ends a sentence. A closing parenthesis belongs to the address if the
// opening one does.
//
// open lists the open Markdown marks of * _ and ~ before the address. The address ends where they may close.
func Address(s, open string) int {
	at := scheme(s)
	if at == 0 {
		return 0
	}
	size, cut := host(s[at:])
	if at += size; size == 0 {
		return 0
	}
	if cut { // by text that follows directly
		return at
	}
	if port := digits(s[at:]); port > 0 {
		at += port
	}
	switch {
	case at == len(s):
		return at
	case s[at] == '@':
		return 0 // the part before it is a user and not a host
	case !strings.ContainsRune("/?#", rune(s[at])):
		return at
	}
	path := s[at:][:pathLength(s[at:], open)]
	parens := strings.Count(path, ")") - strings.Count(path, "(")
	for n := len(path); n > 0; n-- {
		switch c := path[n-1]; {
		case strings.IndexByte(".,:;!?'", c) >= 0:
		case c == ')' && parens > 0:
			parens--
		default:
			return at + n
		}
	}
	return at
}

// scheme returns the length of a scheme with its slashes.
func scheme(s string) int {
	for _, scheme := range []string{"http://", "https://"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) && s[len(scheme)-1] == '/' {
			return len(scheme)
		}
	}
	return 0
}

// host returns the length of the host at the beginning of a text. cut reports that text in another script follows its
// last part, as in example.comを.
func host(s string) (size int, cut bool) {
	end := len(s)
	for at, r := range s {
		if r != '.' && r != '-' && (r == '_' || !IsWord(r)) {
			end = at
			break
		}
		if at > 4*253 {
			return 0, false
		}
	}
	all := strings.TrimRight(s[:end], ".-")
	dot := strings.LastIndexByte(all, '.')
	if dot <= 0 || strings.HasPrefix(all, ".") || strings.Contains(all, "..") {
		return 0, false
	}
	last := all[dot+1:]
	size = topLevel(last)
	if size == 0 {
		return 0, false
	}
	return dot + 1 + size, size < len(last) || len(all) < end
}

// topLevel returns the length of a possible last part of a host: ASCII letters, the ASCII form of others, or others.
func topLevel(label string) int {
	n := 0
	for n < len(label) && label[n] < utf8.RuneSelf {
		n++
	}
	switch part := label[:n]; {
	case n == 0:
		if utf8.RuneCountInString(label) < 2 || strings.ContainsFunc(label, func(r rune) bool { return r < utf8.RuneSelf }) {
			return 0
		}
		return len(label)
	case n < 2 || n > 63:
		return 0
	case len(part) > 4 && strings.EqualFold(part[:4], "xn--"):
	case strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }):
		return 0
	}
	if next, _ := utf8.DecodeRuneInString(label[n:]); n < len(label) && !Unspaced(next) {
		return 0 // such as com followed by an accented letter
	}
	return n
}

// digits returns the length of a colon and a port.
func digits(s string) int {
	n := 1
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if s == "" || s[0] != ':' || n < 2 || n > 6 {
		return 0
	}
	return n
}

// inPath marks the ASCII characters that may follow the host.
var inPath = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = isName(rune(c)) || strings.ContainsRune("-@:%+.~#$!?&/=();,*'", rune(c))
	}
	return table
}()

// pathLength returns the length of the part after the host.
func pathLength(s, open string) (end int) {
	joined := true
	for at, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if !inPath[r] || open != "" && closes(s[at:], open) {
				return end
			}
			joined, end = !isName(r), at+1
		case IsWord(r):
			joined, end = false, at+utf8.RuneLen(r)
		case hides(r) && !joined:
		case joins(r) && !joined:
			joined = true
		default:
			return end
		}
	}
	return end
}

// closes reports whether marks at the beginning of a text close open marks. Underscores within a word do not.
func closes(s, open string) bool {
	if strings.IndexByte(open, s[0]) < 0 {
		return false
	}
	if s[0] != '_' {
		return true
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "_"))
	return !IsWord(next) && next != '/'
}

// Host returns the host of a URL in ASCII, with Punycode for other scripts. ok is false for an invalid host.
func Host(host string) (_ string, ok bool) {
	if ascii(host) {
		return host, true
	}
	host, err := hosts.ToASCII(host)
	return host, err == nil
}

var hosts = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(true), idna.CheckJoiners(true),
	idna.VerifyDNSLength(true))
