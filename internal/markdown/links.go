package markdown

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/util"

	"github.com/hibana-sns/hibana/internal/words"
)

// maxAddress is the longest address of a link or image. Browsers and proxies take as much.
const maxAddress = 2_048

var (
	wikipedia = regexp.MustCompile(`^wiki-([a-z]{2,3})$`)
	ownPage   = regexp.MustCompile(`^/(?:tweets|posts|users|tags)/[A-Za-z0-9%_-][A-Za-z0-9%._~-]*$`)
	ownImage  = regexp.MustCompile(`^/data/(?:[A-Za-z0-9%_-][A-Za-z0-9%._~-]*/)*[A-Za-z0-9%_-][A-Za-z0-9%._~-]*$`)
	ownPost   = regexp.MustCompile(`^/posts/([0-9a-fA-F]{16,18})$`)
)

// linkAddress is the address of a link with a text, or empty for an address that no link may
// have: a link leads to the web, to Wikipedia, or to a page of the service.
func linkAddress(to []byte, text string) string {
	s := address(to)
	if m := wikipedia.FindStringSubmatch(s); m != nil {
		if text = strings.TrimSpace(text); text == "" {
			return ""
		}
		return short("https://" + m[1] + ".wikipedia.org/wiki/" + url.PathEscape(strings.ReplaceAll(text, " ", "_")))
	}
	if m := ownPost.FindStringSubmatch(s); m != nil {
		return "/tweets/" + strings.ToLower(m[1]) // posts is another word for tweets
	}
	if ownPage.MatchString(s) && !climbs(s) || isWeb(s, "http", "https") {
		return s
	}
	return ""
}

// imageAddress is the address of an image, or empty for an address that no image may have.
func imageAddress(of []byte) string {
	if s := address(of); ownImage.MatchString(s) && !climbs(s) || isWeb(s, "https") {
		return s
	}
	return ""
}

// escapedClimb is a dot or slash that a browser takes for one though it is escaped.
var escapedClimb = regexp.MustCompile(`(?i)%(2e|2f|5c)`)

// climbs reports whether a path of the service may lead a browser to another path.
func climbs(s string) bool { return escapedClimb.MatchString(s) }

// address is an address as typed in ASCII, with its scheme in lower case, or empty if it is too long.
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

// authority is the scheme and host of an address.
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
