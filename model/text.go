package model

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/internal/errs"
)

// cleanText is the form in which a text is counted and stored: NFC, so that one text has one form on every keyboard.
// More than limit characters of that form are errs.Invalid, and so is a text that is not UTF-8.
func cleanText(field, s string, limit int) (string, error) {
	if !utf8.ValidString(s) {
		return "", errs.New(errs.Invalid, "invalid_text", "%s is not UTF-8", field)
	}
	s = norm.NFC.String(s)
	return s, validateLength(field, s, limit)
}

// validateLength refuses more than limit characters in the named field.
func validateLength(field, s string, limit int) error {
	if n := utf8.RuneCountInString(s); n > limit {
		return errs.New(errs.Invalid, "too_long", "%s has %d characters; the limit is %d", field, n, limit)
	}
	return nil
}

// hasVisible reports whether a text shows anything: a character that is neither space nor mark, and that fonts do not
// draw as nothing.
func hasVisible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsGraphic(r) && r != '\u2800' && // the empty Braille pattern is a symbol to Unicode
			!unicode.In(r, unicode.White_Space, unicode.M, unicode.Other_Default_Ignorable_Code_Point,
				unicode.Variation_Selector)
	})
}

// isUnfit reports whether a character is refused in names that are shown within other text: it controls, breaks the
// line, changes the direction of the following text, or shows nothing. The joiners of Persian, Indic scripts and emoji
// are allowed, and so are the tags of flags and the Arabic signs that enclose a number.
func isUnfit(r rune) bool {
	switch {
	case r == '\u200c', r == '\u200d', r >= 0xe0020 && r <= 0xe007f, unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
}

// validateAvatar accepts an empty text, or an https URL with a host and without a user, of at most MaxAvatar characters
// of ASCII. It does not check that there is a picture.
func validateAvatar(s string) error {
	if s == "" {
		return nil
	}
	if err := validateLength("avatar", s, MaxAvatar); err != nil {
		return err
	}
	u, err := url.Parse(s)
	plain := !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f ||
			strings.ContainsRune("\"<>\\^`{|}", r)
	})
	if err != nil || !plain || u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return errs.New(errs.Invalid, "invalid_avatar", "avatar must be empty, or an https URL of at most %d characters "+
			"of ASCII, without a user name", MaxAvatar)
	}
	return nil
}
