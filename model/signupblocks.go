package model

import (
	"net/netip"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
)

const (
	// MaxSignUpBlocks limits the domains and networks from which nobody signs up, together.
	MaxSignUpBlocks = 500
	// MaxBlockComment limits the characters of a comment on one.
	MaxBlockComment = 100
)

// SignUpBlocks are the e-mail domains and the networks from which nobody signs up, or only with an approval:
// signUpBlocks/all. They say nothing about users who have signed up before.
type SignUpBlocks struct {
	Domains  map[string]SignUpBlock `firestore:"domains,omitempty"`  // by domain; one has its subdomains, too
	Networks map[string]SignUpBlock `firestore:"networks,omitempty"` // by prefix, as 192.0.2.0/24
}

// Severity is what becomes of a sign-up.
type Severity string

// The severities. The greater one counts if several blocks are about a sign-up.
const (
	SeverityApproval Severity = "approval" // it waits for an administrator, see [SignUp]
	SeverityRefusal  Severity = "refusal"
)

// SignUpBlock is one domain or network.
type SignUpBlock struct {
	Severity Severity  `firestore:"severity"`
	Comment  string    `firestore:"comment,omitempty"` // for administrators
	By       UserID    `firestore:"by"`
	At       time.Time `firestore:"at"`
	ExpireAt time.Time `firestore:"until,omitempty"` // zero for never
}

// domainLetters are the characters of a domain in ASCII.
const domainLetters = "abcdefghijklmnopqrstuvwxyz0123456789-._"

// BlockedDomain is an e-mail domain in the form in which it is kept: in lower case, international names in ASCII. A
// text of another form is errs.Invalid.
func BlockedDomain(s string) (string, error) {
	domain, ok := words.Host(strings.ToLower(strings.TrimPrefix(strings.TrimSpace(s), "@")))
	if !ok || !strings.Contains(strings.Trim(domain, "."), ".") ||
		strings.ContainsFunc(domain, func(r rune) bool { return !strings.ContainsRune(domainLetters, r) }) {
		return "", errs.New(errs.Invalid, "invalid_domain", "a domain is as example.com, and not %q", Snippet(s, 60))
	}
	return strings.TrimSuffix(domain, "."), nil
}

// BlockedNetwork is a network in the form in which it is kept: an address or a prefix, of IPv6 at most 64 bits, because
// a household has that many addresses. A text of another form, and a network of more than a 256th of all addresses, are
// errs.Invalid.
func BlockedNetwork(s string) (string, error) {
	wrong := func() (string, error) {
		return "", errs.New(errs.Invalid, "invalid_network", "a network is as 192.0.2.0/24 or 2001:db8::/48, with 8 bits at "+
			"least, and not %q", Snippet(s, 60))
	}
	p, err := netip.ParsePrefix(s)
	if a, single := netip.ParseAddr(s); single == nil && a.Zone() == "" {
		a = a.Unmap()
		p, err = netip.PrefixFrom(a, a.BitLen()), nil
	}
	if err != nil || p.Addr().Zone() != "" || p.Addr().Is4In6() || p.Bits() < 8 {
		return wrong()
	}
	if p.Addr().Is6() && p.Bits() > 64 {
		p = netip.PrefixFrom(p.Addr(), 64)
	}
	return p.Masked().String(), nil
}

// Of returns what becomes of a sign-up at a time; empty if nothing is about it. email is the address of the account,
// and address that of the caller or its /64, as far as they are known. about says which of the two it is.
func (b *SignUpBlocks) Of(email, address string, at time.Time) (s Severity, about string) {
	add := func(is SignUpBlock, found bool, of string) {
		over := !is.ExpireAt.IsZero() && !at.Before(is.ExpireAt)
		if found && !over && s != SeverityRefusal {
			s, about = is.Severity, of
		}
	}
	// A local part in quotes may have an @.
	if domain, err := BlockedDomain(email[strings.LastIndex(email, "@")+1:]); err == nil && strings.Contains(email, "@") {
		for domain != "" {
			is, found := b.Domains[domain]
			add(is, found, "email")
			_, domain, _ = strings.Cut(domain, ".")
		}
	}
	a, err := netip.ParseAddr(address)
	if p, isPrefix := netip.ParsePrefix(address); isPrefix == nil {
		a, err = p.Addr(), nil
	}
	if err == nil {
		for network, is := range b.Networks {
			p, err := netip.ParsePrefix(network)
			add(is, err == nil && p.Contains(a.Unmap()), "address")
		}
	}
	return s, about
}

// Refused is the error for a sign-up that is refused because of an e-mail domain or an address.
func (s Severity) Refused(about string) error {
	if s != SeverityRefusal {
		return nil
	}
	if about == "email" {
		return errs.New(errs.Forbidden, "email_domain_blocked", "nobody signs up with an e-mail address of this domain")
	}
	return errs.New(errs.Forbidden, "address_blocked", "nobody signs up from this network")
}
