package model

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/markdown"
	"github.com/hibana-sns/hibana/internal/words"
)

// Limits of link cards.
const (
	MaxLinkAddress     = 1_000 // bytes
	MaxLinkTitle       = 200   // characters
	MaxLinkDescription = 500   // characters
	MaxLinkName        = 100   // characters of a site's or an author's name
	MaxLinkPicture     = 48 << 10
	// LinkCardWindow is for how long a card shows after its page was fetched last.
	LinkCardWindow = 180 * 24 * time.Hour
	// A post fetches the page of its link again after the max-age of the page, within these bounds. A failure counts as a
	// page with the least max-age, doubled for each failure before it.
	MinLinkAge = time.Hour
	MaxLinkAge = 30 * 24 * time.Hour
)

// LinkPage is what a web page says of itself. All texts are in NFC, without control characters and line breaks.
type LinkPage struct {
	Title       string       `firestore:"title"`
	Description string       `firestore:"description,omitempty"`
	SiteName    string       `firestore:"siteName,omitempty"`
	Author      string       `firestore:"author,omitempty"`
	Language    string       `firestore:"language,omitempty"` // BCP 47
	Picture     *LinkPicture `firestore:"picture,omitempty"`
	// MaxAge is for how long the page may be kept, as its server says; 0 if it says nothing.
	MaxAge time.Duration `firestore:"-"`
	// Failure says why there is no page; empty for a page, which has a title. It is one of the failures below.
	Failure string `firestore:"failure,omitempty"`
}

// Failures of pages.
const (
	LinkUnreachable = "unreachable" // no answer in time, a broken one, or an address outside the public web
	LinkRefused     = "refused"     // the answer is not 200
	LinkNoPage      = "no_page"     // no HTML, or no title
	LinkNotKept     = "not_kept"    // the page forbids copies of it
	LinkRemoved     = "removed"     // set by hand: an administrator removed the card
)

// LinkPicture is the picture of a page, encoded anew, at most 400 x 400 pixels and MaxLinkPicture bytes.
type LinkPicture struct {
	ContentType string `firestore:"contentType"`
	Width       int    `firestore:"width"`
	Height      int    `firestore:"height"`
	Data        []byte `firestore:"data"`
}

// LinkCard is the page of an address as it was fetched last: linkCards/{LinkKey}.
type LinkCard struct {
	Address string `firestore:"address"`
	LinkPage
	Failures   int       `firestore:"failures,omitempty"` // in a row, without a page between them
	FetchedAt  time.Time `firestore:"fetchedAt"`
	FreshUntil time.Time `firestore:"freshUntil"` // a post after that fetches the page again
	ExpireAt   time.Time `firestore:"expireAt"`
}

// LinkFetch asks FetchLink to fetch the page of an address: linkFetches/{LinkKey}.
type LinkFetch struct {
	Address   string    `firestore:"address"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// Complete checks that the address belongs to the id.
func (w *LinkFetch) Complete(id string) error {
	address, err := LinkAddress(w.Address)
	if err == nil && LinkKey(address) != id {
		err = errs.New(errs.Invalid, "invalid_link", "the address has another key")
	}
	return err
}

// LinkAddress returns the address of a page in the form that names its card: without a fragment and a default port,
// with a host in lower case. An address that has no card is errs.Invalid.
func LinkAddress(s string) (string, error) {
	wrong := func() (string, error) {
		return "", errs.New(errs.Invalid, "invalid_link", "a link is an http or https address of at most %d bytes",
			MaxLinkAddress)
	}
	u, err := url.Parse(s)
	if err != nil || len(s) > MaxLinkAddress || u.User != nil || u.Hostname() == "" || u.Opaque != "" {
		return wrong()
	}
	port := u.Port()
	switch {
	case u.Scheme == "http" && port == "80", u.Scheme == "https" && port == "443":
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	case u.Scheme != "http" && u.Scheme != "https":
		return wrong()
	}
	host, ok := words.Host(strings.ToLower(u.Host))
	if !ok {
		return wrong()
	}
	u.Host, u.Fragment, u.RawFragment = host, "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	if s = u.String(); len(s) > MaxLinkAddress {
		return wrong()
	}
	return s, nil
}

// LinkKey names the card of an address of [LinkAddress]: 32 hexadecimal digits.
func LinkKey(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:16])
}

// Link returns the address of the card that a tweet shows: that of the first web address in its snippet. It is empty
// for a tweet without one, for a tweet with media, and for a tweet that not everybody may see: a fetch would tell the
// page's site of it.
func (t *Tweet) Link() string {
	if t == nil || !t.Visibility.open() || t.IsViolative || len(t.Media) > 0 {
		return ""
	}
	address, err := LinkAddress(markdown.FirstLink(SnippetNodes(t.Snippet, t.SnippetTree)))
	if err != nil {
		return ""
	}
	return address
}

// Card is the card with a page that was just fetched, after the card that was there before; nil for none. A failure
// keeps the page from before until it expires, unless the page forbids that.
func (p LinkPage) Card(address string, before *LinkCard, at time.Time) *LinkCard {
	c := &LinkCard{Address: address, LinkPage: p, FetchedAt: at, FreshUntil: at.Add(clampAge(p.MaxAge)),
		ExpireAt: at.Add(LinkCardWindow)}
	if p.Failure == "" {
		return c
	}
	if before != nil {
		c.Failures = before.Failures
		if (p.Failure == LinkUnreachable || p.Failure == LinkRefused) && before.Title != "" && before.ExpireAt.After(at) {
			c.LinkPage, c.FetchedAt, c.ExpireAt = before.LinkPage, before.FetchedAt, before.ExpireAt
		}
	}
	c.FreshUntil = at.Add(clampAge(MinLinkAge << min(c.Failures, maxLinkFailures)))
	if c.Failures++; c.Title == "" {
		c.ExpireAt = at.Add(MaxLinkAge)
	}
	return c
}

// maxLinkFailures bounds how often the time until the next fetch doubles: to about 21 days.
const maxLinkFailures = 9

func clampAge(age time.Duration) time.Duration { return min(max(age, MinLinkAge), MaxLinkAge) }

// Shown returns the card if it shows at a time, else nil.
func (c *LinkCard) Shown(at time.Time) *LinkCard {
	if c == nil || c.Title == "" || c.Failure != "" || !c.ExpireAt.After(at) {
		return nil
	}
	return c
}

// Host is the host of the card's address, as its site has it.
func (c *LinkCard) Host() string {
	u, err := url.Parse(c.Address)
	if err != nil {
		return ""
	}
	return u.Host
}

// Stale reports whether a post at a time fetches the page; true for nil. The page of a removed card is not fetched
// until the card expires.
func (c *LinkCard) Stale(at time.Time) bool {
	return c == nil || !c.FreshUntil.After(at) && (c.Failure != LinkRemoved || !c.ExpireAt.After(at))
}

// NoLinkCard returns the error of an address without a card.
func NoLinkCard() error {
	return errs.New(errs.NotFound, "link_card_not_found", "there is no card of this address")
}
