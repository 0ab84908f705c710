package model

import (
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Bounds of the instance, in characters.
const (
	MaxInstanceName        = 100
	MaxInstanceDescription = 5_000
	MaxInstanceRules       = 30
	MaxInstanceRule        = 500
	MaxInstanceLanguages   = 20
	MaxContactEmail        = 254
	MaxTerms               = 50_000
)

// Instance is what an installation says about itself, and asks of its users: instance/this. The document is missing
// until an administrator writes the first field.
type Instance struct {
	Name         string   `firestore:"name,omitempty"`
	Description  string   `firestore:"description,omitempty"` // Markdown
	Rules        []string `firestore:"rules,omitempty"`       // plain texts, in the order of the administrators
	ContactEmail string   `firestore:"contactEmail,omitempty"`
	ContactUser  UserID   `firestore:"contactUser,omitempty"` // may have left since
	Languages    []string `firestore:"languages,omitempty"`   // BCP 47 tags, the main one first
	Terms        Terms    `firestore:"terms"`
	TermsNeeded  bool     `firestore:"termsNeeded,omitempty"` // see [Instance.Demands]
	// InvitationNeeded lets nobody sign up without an [Invitation].
	InvitationNeeded bool `firestore:"invitationNeeded,omitempty"`
	// ApprovalNeeded makes a sign-up without an invitation wait for an administrator, see [SignUp].
	ApprovalNeeded bool      `firestore:"approvalNeeded,omitempty"`
	UpdatedAt      time.Time `firestore:"updatedAt,omitempty"` // zero until the first change
}

// Terms are the terms of use.
type Terms struct {
	// Version grows by 1 with each new text to which users have to consent anew. It never falls. 0 means that there were
	// never any terms.
	Version int64     `firestore:"version,omitempty"`
	Text    string    `firestore:"text,omitempty"` // Markdown; empty if there are no terms
	At      time.Time `firestore:"at,omitempty"`   // of the version
}

// InstancePatch changes the instance. A nil field stays as it is.
type InstancePatch struct {
	Name         *string
	Description  *string
	Rules        *[]string
	ContactEmail *string // empty for none
	ContactUser  *UserID // empty for none
	Languages    *[]string
	Terms        *string // empty for none
	// SameTerms keeps the version of the terms: their new text says the same, and users need not consent again.
	SameTerms        bool
	TermsNeeded      *bool
	InvitationNeeded *bool
	ApprovalNeeded   *bool
}

// Demands returns the version of the terms to which a user must have consented to write; 0 if there is none.
func (i *Instance) Demands() int64 {
	if !i.TermsNeeded || i.Terms.Text == "" {
		return 0
	}
	return i.Terms.Version
}

// Clean returns the patch in the form in which the instance keeps it: texts in NFC, without spaces at their ends. A
// field of another form is errs.Invalid, and so is a patch that says nothing. p stays as it is.
func (p InstancePatch) Clean() (_ InstancePatch, err error) {
	if p.SameTerms && p.Terms == nil {
		return p, invalidInstance("sameTerms needs a text of the terms")
	}
	p.SameTerms = p.SameTerms && p.Terms != nil
	if p == (InstancePatch{}) {
		return p, errs.New(errs.Invalid, "empty_patch", "there is nothing to change")
	}
	for _, text := range []struct {
		field string
		in    **string
		limit int
	}{
		{"name", &p.Name, MaxInstanceName}, {"description", &p.Description, MaxInstanceDescription},
		{"contactEmail", &p.ContactEmail, MaxContactEmail}, {"terms", &p.Terms, MaxTerms},
	} {
		if *text.in == nil {
			continue
		}
		clean, err := cleanText(text.field, strings.TrimSpace(**text.in), text.limit)
		if err != nil {
			return p, err
		}
		*text.in = &clean
	}
	switch {
	case p.Name != nil && (!hasVisible(*p.Name) && *p.Name != "" || strings.ContainsFunc(*p.Name, isUnfit)):
		return p, invalidInstance("the name has characters that control the text around it, or shows nothing")
	case p.Terms != nil && !hasVisible(*p.Terms) && *p.Terms != "":
		return p, invalidInstance("the terms show nothing")
	case p.ContactEmail != nil && *p.ContactEmail != "" && !isAddress(*p.ContactEmail):
		return p, invalidInstance("contactEmail is no e-mail address")
	case p.ContactUser != nil && *p.ContactUser != "":
		if _, err := ParseUserID(string(*p.ContactUser)); err != nil {
			return p, err
		}
	}
	if p.Rules != nil {
		if p.Rules, err = cleanRules(*p.Rules); err != nil {
			return p, err
		}
	}
	if p.Languages != nil {
		if p.Languages, err = cleanLanguages(*p.Languages); err != nil {
			return p, err
		}
	}
	return p, nil
}

func cleanRules(typed []string) (*[]string, error) {
	if len(typed) > MaxInstanceRules {
		return nil, invalidInstance("there are %d rules; there may be %d", len(typed), MaxInstanceRules)
	}
	rules := []string{}
	for _, one := range typed {
		rule, err := cleanText("rule", strings.TrimSpace(one), MaxInstanceRule)
		if err != nil {
			return nil, err
		}
		if !hasVisible(rule) {
			return nil, invalidInstance("a rule shows nothing")
		}
		rules = append(rules, rule)
	}
	return &rules, nil
}

func cleanLanguages(typed []string) (*[]string, error) {
	tags := []string{}
	for _, one := range typed {
		tag, err := ParseLanguage(one)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) > MaxInstanceLanguages {
		return nil, invalidInstance("there are %d languages; there may be %d", len(tags), MaxInstanceLanguages)
	}
	return &tags, nil
}

// isAddress reports whether a text may be an e-mail address: a name and a host around one @, in visible ASCII without
// signs that mail programs would take for a header.
func isAddress(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	return ok && name != "" && strings.Contains(strings.Trim(host, "."), ".") && !strings.ContainsFunc(s,
		func(r rune) bool {
			return r <= ' ' || r > '~' || strings.ContainsRune(`"(),:;<>[\]`, r)
		}) && !strings.Contains(host, "@")
}

// Apply changes the instance by a clean patch, and returns whether that changes anything. Another text of the terms is
// a new version, unless the patch says that it is the same or there are no terms any more.
func (i *Instance) Apply(p InstancePatch, at time.Time) (changed bool) {
	was := *i
	set(&i.Name, p.Name)
	set(&i.Description, p.Description)
	set(&i.ContactEmail, p.ContactEmail)
	set(&i.ContactUser, p.ContactUser)
	set(&i.TermsNeeded, p.TermsNeeded)
	set(&i.InvitationNeeded, p.InvitationNeeded)
	set(&i.ApprovalNeeded, p.ApprovalNeeded)
	set(&i.Rules, p.Rules)
	set(&i.Languages, p.Languages)
	if p.Terms != nil && *p.Terms != i.Terms.Text {
		if *p.Terms != "" && (!p.SameTerms || i.Terms.Version == 0) {
			i.Terms.Version++
			i.Terms.At = at
		}
		i.Terms.Text = *p.Terms
	}
	if was.Name == i.Name && was.Description == i.Description && was.ContactEmail == i.ContactEmail &&
		was.ContactUser == i.ContactUser && was.TermsNeeded == i.TermsNeeded &&
		was.InvitationNeeded == i.InvitationNeeded && was.ApprovalNeeded == i.ApprovalNeeded &&
		slices.Equal(was.Rules, i.Rules) &&
		slices.Equal(was.Languages, i.Languages) && was.Terms == i.Terms {
		return false
	}
	i.UpdatedAt = at
	return true
}

// set sets a field to a value of a patch, if the patch has one.
func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

func invalidInstance(format string, args ...any) error {
	return errs.New(errs.Invalid, "invalid_instance", format, args...)
}

// TermsRequired returns the error of a write by a user who has not consented to the current terms.
func TermsRequired(version int64) error {
	return errs.New(errs.Forbidden, "terms_required", "consent to version %d of the terms first, with PUT "+
		"/v1/users/me/terms; GET /v1/instance has their text", version)
}

// TermsChanged returns the error of a consent to another version than the current one, which is 0 without terms.
func TermsChanged(version int64) error {
	return errs.New(errs.Conflict, "terms_changed", "the terms have the version %d now; read them again", version)
}
