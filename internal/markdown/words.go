package markdown

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/words"
)

// escape matches a backslash escape or an entity. Its result is text, and never part of a hashtag or mention.
var escape = regexp.MustCompile(
	"\\\\[!-/:-@\\[-`{-~]|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

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
	from := 0 // start of the text that is not in all
	for at := 0; at < len(s); {
		c, size := utf8.DecodeRuneInString(s[at:])
		switch c {
		case '#', '＃':
			after := r.last
			if after == '/' && from > 0 && at == from+1 { // #one/#two
				after = ' '
			}
			if next, _ := utf8.DecodeRuneInString(s[at+size:]); !words.IsWord(next) || r.hashtags >= maxWords {
				break
			}
			r.hashtags++
			if n := words.Hashtag(s[at:], after); n > 0 {
				r.doc.Hashtags = append(r.doc.Hashtags, s[at+size:at+n])
				all = append(all, Node{Text: s[from:at]}, Node{Tag: Hashtag, Text: s[at : at+n]})
				size, from = n, at+n
			}
		case '@', '＠':
			if n := words.Mention(s[at:], r.last); n > 0 && len(r.doc.Names) < maxWords {
				if name := nameOf(s[at : at+n]); !slices.Contains(r.doc.Names, name) {
					r.doc.Names = append(r.doc.Names, name)
				}
				all = append(all, Node{Text: s[from:at]}, Node{Tag: Mention, Text: s[at : at+n]})
				size, from = n, at+n
			}
		}
		at += size
		r.shows(s[:at])
	}
	return append(all, Node{Text: s[from:]})
}

// shows records the last displayed character.
func (r *reader) shows(s string) {
	if s != "" {
		r.last, _ = utf8.DecodeLastRuneInString(s)
	}
}

// nameOf returns the username of a typed mention.
func nameOf(typed string) string {
	_, size := utf8.DecodeRuneInString(typed)
	return strings.ToLower(typed[size:])
}

// shown returns a text that a document may hold: valid UTF-8 without NUL.
func shown(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
