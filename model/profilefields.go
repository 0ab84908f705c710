package model

import (
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Limits of what a profile says in fields, in characters.
const (
	MaxProfileFields = 4
	MaxFieldName     = 100
	MaxFieldValue    = 255
	MaxPronouns      = 40
)

const (
	// FieldTrust is how long the proof of a link stands before the page is asked again.
	FieldTrust = 24 * time.Hour
	// FieldRetry is how long a page without proof is not asked again.
	FieldRetry = 5 * time.Minute
)

// FieldCheck asks VerifyFields to look at the links in a profile, after its fields changed: fieldChecks/{uid}. It is
// apart from the details, because an event has all of a document, and details are too large for one.
type FieldCheck struct {
	At       time.Time `firestore:"at"`
	ExpireAt time.Time `firestore:"expireAt"`
}

// ProfileField is a line of a profile: a name, and a value that is a text or one link.
type ProfileField struct {
	Name  string `firestore:"name"`
	Value string `firestore:"value"`
}

// Link is the address that the value is; empty for a text. Only https addresses are links.
func (f ProfileField) Link() string {
	u, err := url.Parse(f.Value)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(f.Value, " \"<>") {
		return ""
	}
	return f.Value
}

// FieldProof is what the page of a link said of a profile. It is of one link and one username, so it proves nothing of
// another value or name.
type FieldProof struct {
	Link     string `firestore:"link"`
	Username string `firestore:"username"`
	// VerifiedAt is when the page linked to the profile, with rel=me; absent if it does not.
	VerifiedAt time.Time `firestore:"verifiedAt,omitempty"`
	CheckedAt  time.Time `firestore:"checkedAt"` // when the page was asked
}

// Due reports whether the page is to be asked again.
func (p *FieldProof) Due(now time.Time) bool {
	if p.VerifiedAt.IsZero() {
		return now.Sub(p.CheckedAt) >= FieldRetry
	}
	return now.Sub(p.CheckedAt) >= FieldTrust
}

// Proof returns what is known of the link of a field and a username; nil if nothing is.
func (d *UserDetail) Proof(f ProfileField, username string) *FieldProof {
	for i := range d.Proofs {
		if p := &d.Proofs[i]; p.Link != "" && p.Link == f.Link() && p.Username == username {
			return p
		}
	}
	return nil
}

// VerifiedAt returns when the page of a field linked to the profile of a username; zero if it does not.
func (d *UserDetail) VerifiedAt(f ProfileField, username string) time.Time {
	if p := d.Proof(f, username); p != nil {
		return p.VerifiedAt
	}
	return time.Time{}
}

// DueLinks returns the links of the fields whose pages are to be asked, each once.
func (d *UserDetail) DueLinks(username string, now time.Time) (links []string) {
	seen := map[string]bool{"": true}
	for _, f := range d.Fields {
		p := d.Proof(f, username)
		if link := f.Link(); !seen[link] && (p == nil || p.Due(now)) {
			links = append(links, link)
		}
		seen[f.Link()] = true
	}
	return links
}

// Complete checks nothing: the id of the document is the user's.
func (d *UserDetail) Complete(id string) error { return given(id) }

// CleanProfileFields returns what a profile stores of fields: texts in NFC without spaces around them. More than
// MaxProfileFields, a name without anything to see and a longer text are errs.Invalid.
func CleanProfileFields(all []ProfileField) ([]ProfileField, error) {
	if len(all) > MaxProfileFields {
		return nil, errs.New(errs.Invalid, "invalid_profile_field", "a profile has at most %d fields", MaxProfileFields)
	}
	clean := make([]ProfileField, len(all))
	for i, f := range all {
		var err error
		if clean[i].Name, err = oneLine("name", f.Name, MaxFieldName); err != nil {
			return nil, err
		}
		if clean[i].Value, err = oneLine("value", f.Value, MaxFieldValue); err != nil {
			return nil, err
		}
		if !hasVisible(clean[i].Name) || !hasVisible(clean[i].Value) {
			return nil, errs.New(errs.Invalid, "invalid_profile_field", "a field needs a name and a value that can be seen")
		}
	}
	return clean, nil
}

// cleanPronouns returns what a profile stores of pronouns.
func cleanPronouns(s string) (string, error) { return oneLine("pronouns", s, MaxPronouns) }

// oneLine returns a text of a profile in NFC without spaces around it. It refuses control characters, line breaks, and
// characters that change the direction of the text.
func oneLine(field, s string, limit int) (string, error) {
	if !utf8.ValidString(s) {
		return "", errs.New(errs.Invalid, "invalid_text", "%s is not UTF-8", field)
	}
	s = strings.TrimSpace(norm.NFC.String(s))
	if err := validateLength(field, s, limit); err != nil {
		return "", err
	}
	if strings.ContainsFunc(s, isUnfit) {
		return "", errs.New(errs.Invalid, "invalid_profile_field",
			"%s may not hold control characters, nor such as hide or turn "+
				"text", field)
	}
	return s, nil
}
