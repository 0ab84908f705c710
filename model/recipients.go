package model

import (
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Recipients of a tweet that are no users. PublicRecipient is the short form of PublicCollection, the name of everybody
// in ActivityStreams 2.0.
const (
	PublicRecipient    = "public"
	PublicCollection   = "https://www.w3.org/ns/activitystreams#Public"
	FollowersRecipient = "followers"
)

// AudienceOf is the audience of which recipients are the long form: everybody in to is [Public], and in cc with the
// followers in to [Unlisted]; followers alone are [Followers], and users alone [Mentioned]. users are the named users,
// each once. No recipients, everybody in cc alone, and a recipient of another form are errs.Invalid
// (invalid_recipients).
func AudienceOf(to, cc []string) (a Audience, users []UserID, err error) {
	in := func(list []string, names ...string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return slices.Contains(names, s) })
	}
	for _, s := range slices.Concat(to, cc) {
		if s == PublicRecipient || s == PublicCollection || s == FollowersRecipient {
			continue
		}
		uid, err := ParseUserID(s)
		if err != nil {
			return "", nil, errs.New(errs.Invalid, "invalid_recipients", "a recipient is public, followers or the id of a "+
				"user, and not %q", Snippet(s, 50))
		}
		if !slices.Contains(users, uid) {
			users = append(users, uid)
		}
	}
	switch {
	case in(to, PublicRecipient, PublicCollection):
		a = Public
	case in(cc, PublicRecipient, PublicCollection) && in(to, FollowersRecipient):
		a = Unlisted
	case in(cc, PublicRecipient, PublicCollection):
		return "", nil, errs.New(errs.Invalid, "invalid_recipients", "public in cc needs followers in to: that is an "+
			"unlisted tweet")
	case in(slices.Concat(to, cc), FollowersRecipient):
		a = Followers
	case len(users) > 0:
		a = Mentioned
	default:
		return "", nil, errs.New(errs.Invalid, "invalid_recipients", "to and cc name nobody")
	}
	return a, users, nil
}

// Recipients are those of the tweet in their long form: what [AudienceOf] reads. The addressed users are in to of a
// tweet for them alone, and in cc else.
func (t *Tweet) Recipients() (to, cc []string) {
	users := slices.Sorted(maps.Keys(t.Mentions))
	if answered := string(t.ReplyToAuthorID); t.Answers() && !slices.Contains(users, answered) {
		users = append(users, answered)
	}
	return recipients(t.Visibility, users)
}

// Recipients are those of a draft whose author named users, in their long form; none if the author did not.
func (d *Draft) Recipients() (to, cc []string) {
	if len(d.Named) == 0 {
		return nil, nil
	}
	users := make([]string, len(d.Named))
	for i, uid := range d.Named {
		users[i] = string(uid)
	}
	return recipients(d.Visibility, users)
}

// recipients is the long form of an audience with users.
func recipients(a Audience, users []string) (to, cc []string) {
	switch a {
	case Followers:
		return []string{FollowersRecipient}, users
	case Unlisted:
		return []string{FollowersRecipient}, append([]string{PublicRecipient}, users...)
	case Mentioned:
		return users, nil
	default:
		return []string{PublicRecipient}, append([]string{FollowersRecipient}, users...)
	}
}

// isFor refuses a named recipient whom the tweet neither mentions nor answers: errs.Invalid (not_addressed).
func (t *Tweet) isFor(named []UserID) error {
	for _, uid := range named {
		_, mentioned := t.Mentions[string(uid)]
		if !mentioned && uid != t.ReplyToAuthorID && uid != t.AuthorID {
			return errs.New(errs.Invalid, "not_addressed", "the content does not mention the recipient %q: a tweet is for "+
				"the users whom it mentions and answers", Snippet(string(uid), 50))
		}
	}
	return nil
}
