package markdown

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// What a backslash or entity stands for is text, and no part of a hashtag or mention.
	escape = regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

	// A hashtag has something besides digits and marks, so that "#1" and the keycap emoji are
	// none.
	hashtagBody = regexp.MustCompile(`^[\p{L}\p{M}\p{N}_]+`)
	onlyNumbers = regexp.MustCompile(`^[\p{M}\p{N}_]+$`)

	mentionBody = regexp.MustCompile(`^[A-Za-z0-9_]+`)
	webAddress  = regexp.MustCompile(`^https?://[-a-zA-Z0-9.]{1,256}\.[a-zA-Z]{2,63}(?::[0-9]{1,5})?(?:[/?#][-a-zA-Z0-9@:%_+.~#$!?&/=();,]*)?`)
)

const minName, maxName = 3, 20 // characters of a username

// words reads a text as typed, with its backslashes and entities.
func (r *reader) words(raw []byte, inLink bool) (all []Node) {
	rest := string(raw)
	for rest != "" {
		plain, literal := rest, ""
		if at := escape.FindStringIndex(rest); at != nil {
			plain, literal = rest[:at[0]], rest[at[0]:at[1]]
		}
		rest = rest[len(plain)+len(literal):]
		if plain = shown(plain); inLink {
			all = append(all, Node{Text: plain})
			r.shows(plain)
		} else {
			all = append(all, r.plainWords(plain)...)
		}
		if strings.HasPrefix(literal, `\`) {
			literal = literal[1:]
		} else {
			literal = shown(html.UnescapeString(literal))
		}
		all = append(all, Node{Text: literal})
		r.shows(literal)
	}
	return all
}

// plainWords reads a text without backslashes and entities.
func (r *reader) plainWords(s string) (all []Node) {
	from := 0 // of the text that is not in all
	found := func(at, to int, n Node) {
		all = append(all, Node{Text: s[from:at]}, n)
		from = to
		r.shows(s[:to])
	}
	for at := 0; at < len(s); {
		c, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case (c == '#' || c == '＃') && mayBeginHashtag(r.last):
			if body := hashtagBody.FindString(s[at+size:]); body != "" && !onlyNumbers.MatchString(body) {
				r.doc.Hashtags = append(r.doc.Hashtags, body)
				size += len(body)
				found(at, at+size, Node{Tag: Hashtag, Text: s[at : at+size]})
			}
		case (c == '@' || c == '＠') && mayBeginMention(r.last):
			body := mentionBody.FindString(s[at+size:])
			next, _ := utf8.DecodeRuneInString(s[at+size+len(body):])
			if len(body) >= minName && len(body) <= maxName && next != '@' && next != '＠' {
				if name := strings.ToLower(body); !slices.Contains(r.doc.Names, name) {
					r.doc.Names = append(r.doc.Names, name)
				}
				size += len(body)
				found(at, at+size, Node{Tag: Mention, Text: s[at : at+size]})
			}
		case c == 'h' && !isWordASCII(r.last):
			if web := strings.TrimRight(webAddress.FindString(s[at:]), ".,:;!?)"); web != "" {
				if href := linkAddress([]byte(web), web); href != "" {
					size = len(web)
					found(at, at+size, Node{Tag: "a", Address: href, Text: web})
				}
			}
		}
		at += size
		r.shows(s[:at])
	}
	return append(all, Node{Text: s[from:]})
}

// shows notes the last character of what is shown.
func (r *reader) shows(s string) {
	if s != "" {
		r.last, _ = utf8.DecodeLastRuneInString(s)
	}
}

// mayBeginHashtag tells whether a hashtag may follow a character: a hashtag begins where a
// word begins, so that "a#b" and "/page#part" have none.
func mayBeginHashtag(after rune) bool {
	return after == 0 || !unicode.In(after, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune("_/&#＃", after)
}

// mayBeginMention tells whether a mention may follow a character. Addresses of e-mail have
// none. Scripts without spaces have mentions within a sentence.
func mayBeginMention(after rune) bool {
	return after == 0 || !isWordASCII(after) && !strings.ContainsRune("./@＠&+-%#", after)
}

func isWordASCII(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// nameOf is the username of a mention as typed.
func nameOf(typed string) string {
	_, size := utf8.DecodeRuneInString(typed)
	return strings.ToLower(typed[size:])
}

// shown is a text without what no document may hold: it is valid UTF-8 without NUL.
func shown(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
