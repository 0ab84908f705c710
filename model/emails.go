package model

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
)

// MaxEmail is the largest number of characters of an e-mail address with which a user may make a profile.
const MaxEmail = 100

// NormalizeEmail returns an e-mail address with its ASCII letters in lower case. Other letters stay: U+212A would
// become a k, and the address that of somebody else. Firebase Auth stores addresses with a password in the same form;
// those of other providers may have capitals.
func NormalizeEmail(address string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, address)
}

// ParseEmail returns the normal form of an e-mail address to look for. A text that is no address is errs.Invalid
// (invalid_email). It may have more than [MaxEmail] characters: Firebase Auth has such accounts.
func ParseEmail(text string) (string, error) {
	name, domain, found := strings.Cut(text, "@")
	if !found || name == "" || domain == "" || strings.Contains(domain, "@") ||
		strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return "", errs.New(errs.Invalid, "invalid_email", "an e-mail address is as ann@example.com, without spaces")
	}
	return NormalizeEmail(text), nil
}

// ValidateEmail refuses an e-mail address of more than [MaxEmail] characters: errs.Invalid (email_too_long). A user may
// have no address.
func ValidateEmail(address string) error {
	if n := utf8.RuneCountInString(address); n > MaxEmail {
		return errs.New(errs.Invalid, "email_too_long", "the e-mail address of the account has %d characters; the limit "+
			"is %d", n, MaxEmail)
	}
	return nil
}
