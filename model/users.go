package model

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hibana-sns/hibana/internal/errs"
)

// User is a public profile: users/{uid}.
type User struct {
	ID             UserID     `firestore:"-"`
	Username       string     `firestore:"username"`
	Nickname       string     `firestore:"nickname"`
	NicknameLower  string     `firestore:"nicknameLower"`
	Snippet        string     `firestore:"snippet"`
	Avatar         string     `firestore:"avatar"`
	IsAdmin        bool       `firestore:"isAdmin"`
	BlockStrangers bool       `firestore:"blockStrangers"`
	Private        bool       `firestore:"private"`
	FollowerCount  int64      `firestore:"followerCount"`
	FollowedCount  int64      `firestore:"followedCount"`
	TweetCount     int64      `firestore:"tweetCount"`
	AIModel        string     `firestore:"aiModel"`
	CreatedAt      time.Time  `firestore:"createdAt"`
	UpdatedAt      *time.Time `firestore:"updatedAt"` // nil until the first edit
}

// Author is the part of a profile that its tweets carry.
func (u *User) Author() Author {
	return Author{Username: u.Username, Nickname: u.Nickname, Avatar: u.Avatar}
}

// UserDetail is the part of a profile that only a profile page shows: userDetails/{uid}.
type UserDetail struct {
	Introduction  string `firestore:"introduction"`
	AIPersonality string `firestore:"aiPersonality"`
}

// UserSecret is the part of a profile for the user and administrators only:
// userSecrets/{uid}.
type UserSecret struct {
	Email string `firestore:"email"`
}

// Username reserves a name: usernames/{username}.
type Username struct {
	UID UserID `firestore:"uid"`
}

// reservedUsernames are names that no user may take: words of the API's paths, and names
// that would pass for the service itself.
var reservedUsernames = []string{
	"about", "admin", "administrator", "anonymous", "api", "docs", "everyone", "health", "help", "hibana",
	"home", "login", "logout", "me", "moderator", "null", "official", "ready", "root", "search", "settings",
	"signup", "support", "system", "tags", "timeline", "tweets", "undefined", "usernames", "users",
}

// ValidateUsername accepts MinUsername to MaxUsername of a–z, 0–9 and _. A reserved name
// is refused.
func ValidateUsername(s string) error {
	n := utf8.RuneCountInString(s)
	if n < MinUsername || n > MaxUsername {
		return errs.New(errs.Invalid, "invalid_username", "username has %d characters; it needs %d to %d", n, MinUsername, MaxUsername)
	}
	for _, r := range s {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			return errs.New(errs.Invalid, "invalid_username", "username may hold a–z, 0–9 and _ only")
		}
	}
	if strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__") { // not a document id
		return errs.New(errs.Invalid, "invalid_username", "username may not begin and end with two underscores")
	}
	if slices.Contains(reservedUsernames, s) {
		return errs.New(errs.Invalid, "reserved_username", "username %q is reserved", s)
	}
	return nil
}

// ValidateNickname accepts 1 to MaxNickname characters. Control characters are refused,
// and so is a nickname of spaces only.
func ValidateNickname(s string) error {
	n := utf8.RuneCountInString(s)
	if strings.TrimSpace(s) == "" || n > MaxNickname {
		return errs.New(errs.Invalid, "invalid_nickname", "nickname has %d characters; it needs 1 to %d, not only spaces", n, MaxNickname)
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return errs.New(errs.Invalid, "invalid_nickname", "nickname may not hold control characters")
	}
	return nil
}

// validateLength refuses more than limit characters in the named field.
func validateLength(field, s string, limit int) error {
	if n := utf8.RuneCountInString(s); n > limit {
		return errs.New(errs.Invalid, "too_long", "%s has %d characters; the limit is %d", field, n, limit)
	}
	return nil
}

// NormalizeNickname is the form of a nickname for a search.
func NormalizeNickname(s string) string { return normalize(s) }
