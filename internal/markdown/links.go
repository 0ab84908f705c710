package markdown

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/util"

	"github.com/hibana-sns/hibana/internal/words"
)

// maxAddress is the longest address of a link or image in bytes. Browsers and proxies accept as much.
const maxAddress = 2_048

var (
	wikipedia = regexp.MustCompile(`^wiki-([a-z]{2,3})$`)
	ownPage   = regexp.MustCompile(`^/(?:tweets|posts|users|tags)/[A-Za-z0-9%_-][A-Za-z0-9%._~-]*$`)
	ownImage  = regexp.MustCompile(`^/data/(?:[A-Za-z0-9%_-][A-Za-z0-9%._~-]*/)*[A-Za-z0-9%_-][A-Za-z0-9%._~-]*$`)
	ownPost   = regexp.MustCompile(`^/posts/([0-9a-fA-F]{16,18})$`)
)

// linkAddress returns the address of a link with a text, or "" for an address that links may not have. A link leads to
// the web, to Wikipedia, or to a page of the service.
func linkAddress(to []byte, text string) string {
	s := address(to)
	if m := wikipedia.FindStringSubmatch(s); m != nil {
		if text = strings.TrimSpace(text); text == "" {
			return ""
		}
		return short("https://" + m[1] + ".wikipedia.org/wiki/" + url.PathEscape(strings.ReplaceAll(text, " ", "_")))
	}
	if m := ownPost.FindStringSubmatch(s); m != nil {
		return "/tweets/" + strings.ToLower(m[1]) // posts is a synonym of tweets
	}
	if ownPage.MatchString(s) && !climbs(s) || isWeb(s, "http", "https") {
		return s
	}
	return ""
}

// imageAddress returns the address of an image, or "" for an address that images may not have.
func imageAddress(of []byte) string {
	if s := address(of); ownImage.MatchString(s) && !climbs(s) || isWeb(s, "https") {
		return s
	}
	return ""
}

// escapedClimb matches an escaped dot or slash that a browser decodes.
var escapedClimb = regexp.MustCompile(`(?i)%(2e|2f|5c)`)

// climbs reports whether a path of the service could lead a browser to another path.
func climbs(s string) bool { return escapedClimb.MatchString(s) }

// address returns a typed address in ASCII with its scheme in lower case, or "" if it is too long.
func address(typed []byte) string {
	s := string(typed)
	if m := authority.FindStringSubmatch(s); m != nil {
		host, ok := words.Host(m[2])
		if !ok {
			return ""
		}
		s = strings.ToLower(m[1]) + host + s[len(m[0]):]
	}
	return short(string(util.URLEscape([]byte(s), true)))
}

// authority matches the scheme and host of an address.
var authority = regexp.MustCompile(`^(?i)(https?://)([^/?#@:]*)`)

func short(address string) string {
	if len(address) > maxAddress {
		return ""
	}
	return address
}

func isWeb(s string, schemes ...string) bool {
	for _, r := range s {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`{|}", r) {
			return false
		}
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || u.User != nil {
		return false
	}
	for _, scheme := range schemes {
		if u.Scheme == scheme {
			return true
		}
	}
	return false
}
