package model

import (
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
)

// NewUser is the user's input at sign-up.
type NewUser struct {
	Username       string
	Nickname       string // the username if empty
	Introduction   string
	Avatar         string
	AIModel        string
	AIPersonality  string
	BlockStrangers bool
	Locked         bool
	Bot            bool
	Email          string         // from the ID token
	EmailAt        time.Time      // when the token was made
	Invitation     InvitationCode // to sign up by; empty for none
	TermsVersion   int64          // of the terms to which the user consents; 0 for none
	Imported       string         // digest of an administrator's request; empty for a user who signs up
	MayWait        bool           // a [SignUp] of the user may be there, and goes with the profile
}

// UserPatch changes a profile. A nil field stays as it is.
//
// Avatar and AvatarMedia exclude each other. An empty AvatarMedia or HeaderMedia removes the picture.
type UserPatch struct {
	Username       *string
	Nickname       *string
	Introduction   *string
	Avatar         *string
	AvatarMedia    *MediaID
	HeaderMedia    *MediaID
	AIModel        *string
	AIPersonality  *string
	BlockStrangers *bool
	Locked         *bool
	HoldReplies    *Hold
	Discoverable   *bool
	Bot            *bool
	Pronouns       *string         // empty for none
	Fields         *[]ProfileField // an empty list removes all
	Language       *string         // empty for none
	NotSuggested   *bool
	MessagesFrom   *MessagesFrom
	PinnedTags     *[]string // an empty list removes all
}

// Propagations reports whether the patch changes a part of the profile that tweets show.
func (p UserPatch) Propagations() bool {
	return p.Username != nil || p.Nickname != nil || p.Avatar != nil || p.AvatarMedia != nil
}

// Clean returns what a profile stores of n: texts in NFC. A field that breaks its limit is
// errs.Invalid.
func (n NewUser) Clean() (NewUser, error) {
	if n.Nickname == "" {
		n.Nickname = n.Username
	}
	if err := validateAvatar(n.Avatar); err != nil {
		return NewUser{}, err
	}
	p, err := UserPatch{
		Username: &n.Username, Nickname: &n.Nickname, Introduction: &n.Introduction, Avatar: &n.Avatar,
		AIModel: &n.AIModel, AIPersonality: &n.AIPersonality,
	}.Clean()
	if err != nil {
		return NewUser{}, err
	}
	if err := ValidateEmail(n.Email); err != nil {
		return NewUser{}, err
	}
	n.Email = NormalizeEmail(n.Email)
	n.Nickname, n.Introduction, n.AIModel, n.AIPersonality = *p.Nickname, *p.Introduction, *p.AIModel, *p.AIPersonality
	return n, nil
}

// Clean returns what a profile stores of p: texts in NFC. A field that breaks its limit is
// errs.Invalid. p stays as it is.
func (p UserPatch) Clean() (UserPatch, error) {
	if p.Username != nil {
		if err := ValidateUsername(*p.Username); err != nil {
			return UserPatch{}, err
		}
	}
	if p.Avatar != nil && IsMediaAddress(*p.Avatar) { // a client may send back what it has read
		p.Avatar = new((*p.Avatar)[strings.LastIndex(*p.Avatar, MediaPath):])
	} else if p.Avatar != nil {
		if err := validateAvatar(*p.Avatar); err != nil {
			return UserPatch{}, err
		}
	}
	if p.Avatar != nil && p.AvatarMedia != nil {
		return UserPatch{}, errs.New(errs.Invalid, "two_avatars", "avatar and avatarMedia exclude each other")
	}
	for _, id := range []*MediaID{p.AvatarMedia, p.HeaderMedia} {
		if id == nil || *id == "" {
			continue
		}
		if _, err := ParseMediaID(string(*id)); err != nil {
			return UserPatch{}, err
		}
	}
	if p.Nickname != nil {
		nickname := norm.NFC.String(*p.Nickname)
		if err := ValidateNickname(nickname); err != nil {
			return UserPatch{}, err
		}
		p.Nickname = &nickname
	}
	if p.Language != nil && *p.Language != "" {
		tag, err := ParseLanguage(*p.Language)
		if err != nil {
			return UserPatch{}, err
		}
		p.Language = new(BaseLanguage(tag))
	}
	if p.PinnedTags != nil {
		tags, err := CleanPinnedTags(*p.PinnedTags)
		if err != nil {
			return UserPatch{}, err
		}
		p.PinnedTags = &tags
	}
	if err := p.cleanLines(); err != nil {
		return UserPatch{}, err
	}
	for _, text := range []struct {
		field string
		in    **string
		limit int
	}{
		{"introduction", &p.Introduction, MaxIntroduction},
		{"aiModel", &p.AIModel, MaxAIModel},
		{"aiPersonality", &p.AIPersonality, MaxAIPersonality},
	} {
		if *text.in == nil {
			continue
		}
		clean, err := cleanText(text.field, **text.in, text.limit)
		if err != nil {
			return UserPatch{}, err
		}
		*text.in = &clean
	}
	return p, nil
}

// cleanLines cleans pronouns and fields.
func (p *UserPatch) cleanLines() error {
	if p.Pronouns != nil {
		s, err := cleanPronouns(*p.Pronouns)
		if err != nil {
			return err
		}
		p.Pronouns = &s
	}
	if p.Fields != nil {
		all, err := CleanProfileFields(*p.Fields)
		if err != nil {
			return err
		}
		p.Fields = &all
	}
	return nil
}

// ValidateNickname accepts 1 to MaxNickname characters, one of them visible. It refuses control characters, line
// breaks, and characters that change the direction of the text.
func ValidateNickname(s string) error {
	n := utf8.RuneCountInString(s)
	if n > MaxNickname || !hasVisible(s) {
		return errs.New(errs.Invalid, "invalid_nickname", "nickname has %d characters; it needs 1 to %d, and one that can "+
			"be seen", n, MaxNickname)
	}
	if !utf8.ValidString(s) {
		return errs.New(errs.Invalid, "invalid_nickname", "nickname is not UTF-8")
	}
	for _, r := range s {
		if isUnfit(r) {
			return errs.New(errs.Invalid, "invalid_nickname", "nickname may not hold control characters, nor U+%04X, which "+
				"hides or turns text", r)
		}
	}
	return nil
}

// NormalizeNickname is the form of a nickname for a search.
func NormalizeNickname(s string) string { return words.Fold(s) }
