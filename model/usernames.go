package model

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
)

// reservedUsernames are words of paths and of programs. No user may have one; a name that looks like one, as user_5
// does, is harmless.
var reservedUsernames = []string{
	"about", "account", "anonymous", "api", "docs", "everyone", "health", "home", "info", "login", "logout", "me", "news",
	"notifications",
	"null", "ready", "reports", "search", "settings", "signin", "signup", "status", "tags", "terms", "timeline", "tweets",
	"undefined",
	"usernames", "users", "www",
}

// officialUsernames would pass for the service itself, and so would a name that looks like
// one of them.
var officialUsernames = []string{
	"abuse", "admin", "administrator", "billing", "contact", "help", "helpdesk", "hibana", "legal", "mod", "moderation",
	"moderator",
	"noreply", "official", "postmaster", "privacy", "root", "security", "staff", "support", "sysadmin", "system",
	"verified", "webmaster",
}

// officialWords pass for the service as one word among others too, as in ann_support. The
// name of the service does so anywhere in a username.
var officialWords = []string{"admin", "administrator", "moderator", "official", "staff", "support"}

const serviceName = "hibana"

// A skeleton maps to the name that has it.
var officialNames, officialParts = skeletons(officialUsernames), skeletons(officialWords)

func skeletons(names []string) map[string]string {
	m := map[string]string{}
	for _, name := range names {
		m[skeleton(name)] = name
	}
	return m
}

var (
	lookAlikes = strings.NewReplacer("rn", "m", "vv", "w", "cl", "d",
		"_", "", "0", "o", "1", "l", "i", "l", "2", "z", "3", "e", "4", "a", "5", "s", "6", "b", "7", "t", "8", "b", "9", "g")
)

// skeleton is the same for two usernames that a reader may confuse: without underscores, and with one character for all
// that look alike or that people write for one another. The skeleton of a skeleton is itself.
func skeleton(username string) string {
	for {
		s := lookAlikes.Replace(username)
		if s == username {
			return s
		}
		username = s
	}
}

// passesFor returns the reserved name for which a username passes, and "" if there is none.
func passesFor(username string) string {
	if slices.Contains(reservedUsernames, username) {
		return username
	}
	whole := skeleton(username)
	if name := officialNames[whole]; name != "" {
		return name
	}
	if strings.Contains(whole, skeleton(serviceName)) {
		return serviceName
	}
	for word := range strings.SplitSeq(username, "_") {
		for _, form := range []string{word, strings.Trim(word, "0123456789")} { // adm1n, admin24
			if name := officialParts[skeleton(form)]; name != "" {
				return name
			}
		}
	}
	return ""
}

// ValidateUsername accepts MinUsername to MaxUsername of a–z, 0–9 and _. A reserved name
// is refused, and so is one that passes for a reserved name.
//
// Two users may have usernames with one skeleton: see docs/adr/0019-names.md.
func ValidateUsername(s string) error {
	if err := ValidateUsernameForm(s); err != nil {
		return err
	}
	switch name := passesFor(s); name {
	case "":
		return nil
	case s:
		return errs.New(errs.Invalid, "reserved_username", "username %q is reserved", s)
	default:
		return errs.New(errs.Invalid, "reserved_username", "username %q looks like %q, which is reserved", s, name)
	}
}

// ValidateUsernameForm accepts the form of a username, reserved or not.
func ValidateUsernameForm(s string) error {
	n := utf8.RuneCountInString(s)
	if n < MinUsername || n > MaxUsername {
		return errs.New(errs.Invalid, "invalid_username", "username has %d characters; it needs %d to %d", n, MinUsername,
			MaxUsername)
	}
	for _, r := range s {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			return errs.New(errs.Invalid, "invalid_username", "username may hold a–z, 0–9 and _ only")
		}
	}
	if strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__") { // not a document id
		return errs.New(errs.Invalid, "invalid_username", "username may not begin and end with two underscores")
	}
	return nil
}
