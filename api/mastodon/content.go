package mastodon

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// shownAddress is how many characters of an address a text shows, without https:// and www., as in Mastodon.
const shownAddress = 30

var (
	// anchor is a link with nothing but text. In attributes and texts < and " are escaped.
	anchor        = regexp.MustCompile(`<a href="([^"<>]*)"([^<>]*)>([^<>]+)</a>`)
	addressPrefix = regexp.MustCompile(`^https?://(?:www\.)?`)
)

// appLinks gives links the form by which apps know them: a mention is an h-card, a hashtag has its name in a span, and
// of an address that stands for itself the ends are invisible.
func appLinks(text string) string {
	if !strings.Contains(text, "<a ") {
		return text
	}
	return anchor.ReplaceAllStringFunc(text, func(link string) string {
		parts := anchor.FindStringSubmatch(link)
		address, attributes, name := parts[1], parts[2], parts[3]
		first, size := utf8.DecodeRuneInString(name)
		open := `<a href="` + address + `"` + attributes + `>`
		switch {
		case strings.Contains(attributes, ` class="u-url mention"`) && first == '@':
			return `<span class="h-card" translate="no">` + open + `@<span>` + name[size:] + `</span></a></span>`
		case strings.Contains(attributes, ` class="mention hashtag"`) && (first == '#' || first == '＃'):
			return open + `#<span>` + name[size:] + `</span></a>`
		case html.UnescapeString(name) == html.UnescapeString(address):
			return open + shortened(html.UnescapeString(name)) + `</a>`
		}
		return link
	})
}

// shortened is the HTML of an address of which apps show the beginning.
func shortened(address string) string {
	prefix := addressPrefix.FindString(address)
	if prefix == "" {
		return html.EscapeString(address)
	}
	shown, class := []rune(address[len(prefix):]), ""
	var rest []rune
	if len(shown) > shownAddress {
		shown, rest, class = shown[:shownAddress], shown[shownAddress:], "ellipsis"
	}
	span := func(class, text string) string {
		return `<span class="` + class + `">` + html.EscapeString(text) + `</span>`
	}
	return span("invisible", prefix) + span(class, string(shown)) + span("invisible", string(rest))
}
