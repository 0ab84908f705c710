package model

import (
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

const (
	// MaxDomains is how many domains the list of domains has.
	MaxDomains = 20_000
	// maxDomainPages is over how many documents it is spread.
	// Domains are spread by a hash, and 20,000 of them are 625 of a document, with a deviation of 25.
	maxDomainPages = 32
	// MaxDomainsOfPage is how many a document has at most.
	MaxDomainsOfPage = 740
	// MaxDomainImport is how many rows of a list are imported at once.
	MaxDomainImport = 10_000
	// MaxDomainComment is how many characters each of the two comments on a domain has.
	MaxDomainComment = 100
)

// DomainSeverity is what becomes of a domain of the fediverse.
type DomainSeverity string

// All severities. The last one matters where only listed domains are let in.
const (
	DomainSuspend DomainSeverity = "suspend" // nothing comes from it, and nothing goes to it
	DomainSilence DomainSeverity = "silence" // its posts are in no public list, and its users notify only their followers
	DomainNoop    DomainSeverity = "noop"    // nothing, beside the media
	DomainAllow   DomainSeverity = "allow"   // it is let in where only listed domains are
)

// DomainRule is what administrators decided on a domain of the fediverse, with its subdomains.
type DomainRule struct {
	Severity       DomainSeverity `firestore:"severity"`
	RejectMedia    bool           `firestore:"rejectMedia,omitempty"`
	RejectReports  bool           `firestore:"rejectReports,omitempty"`
	PublicComment  string         `firestore:"publicComment,omitempty"`
	PrivateComment string         `firestore:"privateComment,omitempty"` // for administrators
	By             UserID         `firestore:"by"`
	At             time.Time      `firestore:"at"`
}

// Suspended reports whether the domain is cut off.
func (r DomainRule) Suspended() bool { return r.Severity == DomainSuspend }

// Silenced reports whether posts of the domain are in no public list.
func (r DomainRule) Silenced() bool { return r.Severity == DomainSilence }

// Validate returns an error for a rule that does not exist.
func (r DomainRule) Validate() error {
	switch r.Severity {
	case DomainSuspend, DomainSilence, DomainNoop, DomainAllow:
	default:
		return errs.New(errs.Invalid, "invalid_severity", "severity is suspend, silence, noop or allow, and not %q",
			Snippet(string(r.Severity), 20))
	}
	for _, comment := range []string{r.PublicComment, r.PrivateComment} {
		if len([]rune(comment)) > MaxDomainComment {
			return errs.New(errs.Invalid, "comment_too_long", "a comment has at most %d characters", MaxDomainComment)
		}
	}
	return nil
}

// strictness orders severities. A domain that is let in is so by a decision, so no list undoes it but by a suspension.
var strictness = map[DomainSeverity]int{"": 0, DomainNoop: 1, DomainAllow: 2, DomainSilence: 3, DomainSuspend: 4}

// Stricter returns the rule that cuts off whatever one of two does, and whether it is another than r.
func (r DomainRule) Stricter(o DomainRule) (is DomainRule, changed bool) {
	is = r
	if strictness[o.Severity] > strictness[r.Severity] {
		is.Severity, is.By, is.At = o.Severity, o.By, o.At
		is.PublicComment, is.PrivateComment = cmp.Or(o.PublicComment, r.PublicComment), cmp.Or(o.PrivateComment,
			r.PrivateComment)
	}
	is.RejectMedia = r.RejectMedia || o.RejectMedia
	is.RejectReports = r.RejectReports || o.RejectReports
	return is, is != r
}

// ParseDomains reads a list of domains in the form in which Mastodon exports its: CSV with a line of names, of which
// #domain or domain must be there, and #severity, #reject_media, #reject_reports and #public_comment may be. Comments
// that are too long are cut. Rows that name no domain, such as those whose domain is obfuscated, are not read, and
// skipped has their lines, 20 at most. A text of another form is errs.Invalid (invalid_domains), and so are more than
// [MaxDomainImport] rows.
func ParseDomains(text string) (rules map[string]DomainRule, skipped []int, err error) {
	bad := func(format string, args ...any) error {
		return errs.New(errs.Invalid, "invalid_domains", format, args...)
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	names := map[string]int{}
	rules = map[string]DomainRule{}
	for n := 0; ; n++ {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, bad("the list is no CSV: %v", err)
		}
		if n == 0 {
			for i, name := range row {
				names[strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "#")] = i
			}
			if _, ok := names["domain"]; !ok {
				return nil, nil, bad("the first line of the list names no column #domain")
			}
			continue
		}
		if n > MaxDomainImport {
			return nil, nil, bad("a list has at most %d rows", MaxDomainImport)
		}
		of := func(name string) string {
			if i, ok := names[name]; ok && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		domain, wrong := DomainName(of("domain"))
		rule := DomainRule{Severity: DomainSeverity(cmp.Or(strings.ToLower(of("severity")), string(DomainSuspend))),
			RejectMedia: strings.EqualFold(of("reject_media"), "true"), RejectReports: strings.EqualFold(of("reject_reports"),
				"true"), PublicComment: Snippet(of("public_comment"), MaxDomainComment)}
		if wrong != nil || rule.Validate() != nil {
			if len(skipped) < maxSkipped {
				skipped = append(skipped, n+1)
			}
			continue
		}
		rules[domain], _ = rules[domain].Stricter(rule)
	}
	return rules, skipped, nil
}

// maxSkipped is how many lines that were not read an answer names.
const maxSkipped = 20

// DomainPage has the rules of some domains: apDomains/{DomainPageOf}.
type DomainPage struct {
	Rules map[string]DomainRule `firestore:"rules"` // by domain
}

// DomainHead tells processes what to read anew: apDomains/all.
type DomainHead struct {
	Counts   map[string]int64 `firestore:"counts"`   // of domains, by page
	Versions map[string]int64 `firestore:"versions"` // how often a page was written
}

// DomainHeadKey is the id of the [DomainHead].
const DomainHeadKey = "all"

// Count is how many domains there are.
func (h *DomainHead) Count() (n int64) {
	for _, of := range h.Counts {
		n += of
	}
	return n
}

// DomainPageOf is the page that has a domain.
func DomainPageOf(domain string) string {
	sum := sha256.Sum256([]byte(domain))
	return hex.EncodeToString([]byte{sum[0] % maxDomainPages})
}

// DomainName is a domain of the fediverse in the form in which it is kept: in lower case, international names in ASCII,
// with a port only on a machine for development. A text of another form is errs.Invalid.
func DomainName(s string) (string, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	if host, port, err := net.SplitHostPort(s); err == nil && net.ParseIP(host).IsLoopback() && len(port) <= 5 {
		return host + ":" + port, nil
	}
	if len(s) > 300 {
		return "", errs.New(errs.Invalid, "invalid_domain", "a domain has at most 253 characters")
	}
	return BlockedDomain(strings.TrimPrefix(s, "*."))
}

// DomainsOver are the names under which a rule for a host may stand, the closest first: the host, the host without its
// port, and each domain above it.
func DomainsOver(host string) (names []string) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	names = append(names, host)
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = strings.TrimSuffix(name, ".")
		names = append(names, host)
	}
	if net.ParseIP(host) != nil {
		return names
	}
	for range 20 { // a name has at most 127 labels, and only rules with at most some are of use
		_, above, ok := strings.Cut(host, ".")
		if !ok || !strings.Contains(above, ".") {
			return names
		}
		names, host = append(names, above), above
	}
	return names
}

// HostOf is the host of an address, with its port; empty for a text that is no address. It is empty, too, for a host in
// another form than that of rules: with characters beyond ASCII, which clients map to others, or with a dot at its end;
// and for an address with the name of a user before the host.
func HostOf(iri string) string {
	u, err := url.Parse(iri)
	foreign := func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '%' }
	if err != nil || u.User != nil || strings.HasSuffix(u.Hostname(), ".") || strings.ContainsFunc(u.Host, foreign) {
		return ""
	}
	return strings.ToLower(u.Host)
}

// RealmOf is the host of an address with its labels from the last to the first, each with a dot behind it, so that a
// domain and its subdomains begin alike: example.far. for far.example.
func RealmOf(iri string) string { return Realm(HostOf(iri)) }

// Realm is RealmOf of a host.
func Realm(host string) string {
	if name, port, err := net.SplitHostPort(host); err == nil {
		if net.ParseIP(name) != nil {
			return name + ":" + port + "."
		}
		host = name
	}
	labels := strings.Split(strings.Trim(host, "."), ".")
	var b strings.Builder
	for i := len(labels) - 1; i >= 0; i-- {
		b.WriteString(labels[i] + ".")
	}
	return b.String()
}

// Purge removes the users of suspended domains: apPurges/{domain}, or apPurges/all after an import.
type Purge struct {
	Realm    string    `firestore:"realm"`           // of the domain; empty for all
	After    string    `firestore:"after,omitempty"` // the realm and the uid of the last user that was looked at
	ExpireAt time.Time `firestore:"expireAt"`

	WrittenAt time.Time `firestore:"-"`
}

// Complete checks nothing: a purge without a domain is one of all.
func (p *Purge) Complete(string) error { return nil }
