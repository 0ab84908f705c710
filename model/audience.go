package model

import (
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Audience says which users an author lets see a tweet.
type Audience string

// The audiences. Every user in the audience of a tweet may like it and reply to it.
const (
	// Public is everybody. Lists for everybody have the tweet.
	Public Audience = "public"
	// Unlisted is everybody, too, but no list for everybody has the tweet: neither the public
	// timeline nor a list of a tag.
	Unlisted Audience = "unlisted"
	// Followers are the followers of the author, and the users whom the tweet addresses.
	Followers Audience = "followers"
	// Mentioned are only the users whom the tweet addresses.
	Mentioned Audience = "mentioned"
)

// Audiences are all audiences, the narrowest first.
var Audiences = []Audience{Mentioned, Followers, Unlisted, Public}

// Wider reports whether an audience lets more users see a tweet than another. An unknown audience is the narrowest.
func (a Audience) Wider(than Audience) bool {
	return slices.Index(Audiences, a) > slices.Index(Audiences, than)
}

// open reports whether everybody is in the audience.
func (a Audience) open() bool { return a == Public || a == Unlisted }

// validate refuses an unknown audience. An empty one is the default.
func (a Audience) validate() error {
	if a != "" && !slices.Contains(Audiences, a) {
		return errs.New(errs.Invalid, "invalid_visibility", "visibility is %q; it must be public, unlisted, followers or "+
			"mentioned", Snippet(string(a), 50))
	}
	return nil
}

// NewAudience returns the audience of a new tweet that asks for one. parent is the tweet that
// a reply answers, and nil for a root tweet. By default a root tweet is public, and a reply
// has the audience of its parent. A reply has no wider audience than its parent.
func NewAudience(asked Audience, parent *Tweet) (Audience, error) {
	switch {
	case parent == nil && asked == "":
		return Public, nil
	case parent == nil:
		return asked, nil
	case asked == "":
		return parent.Visibility, nil
	}
	return asked, parent.mayHear(asked)
}

// Widens reports whether an edit to an audience needs the parent of the tweet: see [MayWiden].
func (t *Tweet) Widens(asked *Audience) bool {
	return asked != nil && t.ReplyTo != nil && asked.Wider(t.Visibility)
}

// MayWiden returns an error if a reply may not have a wider audience. parent is the tweet that it answers, or nil if
// that is gone, or hidden from the author of the reply.
func MayWiden(asked Audience, parent *Tweet) error {
	if parent == nil {
		return errs.New(errs.Invalid, "visibility_too_wide", "the tweet that this tweet answers is gone or hidden; so "+
			"this one cannot be shown to more people")
	}
	return parent.mayHear(asked)
}

// mayHear returns an error if an audience is too wide for a reply to the tweet.
func (t *Tweet) mayHear(asked Audience) error {
	if asked.Wider(t.Visibility) {
		return errs.New(errs.Invalid, "visibility_too_wide", "a reply to a tweet with visibility %s cannot have "+
			"visibility %s, which is wider", t.Visibility, asked)
	}
	return nil
}

// AudiencePartition is where the preview of a tweet is: in documents that everybody may read, in those that the
// followers of the author may read, or nowhere.
type AudiencePartition int

// The audience partitions.
const (
	NoAudiencePartition        AudiencePartition = iota
	OpenAudiencePartition                        // tweetMonths
	FollowersAudiencePartition                   // followerMonths
)

// AudiencePartition is the audience partition of the tweet's preview. The home timelines of followers show the tweets
// of an audience partition.
func (t *Tweet) AudiencePartition() AudiencePartition {
	switch {
	case t.IsViolative:
		return NoAudiencePartition
	case t.Visibility.open():
		return OpenAudiencePartition
	case t.Visibility == Followers:
		return FollowersAudiencePartition
	}
	return NoAudiencePartition
}

// AudiencePartitions are the audience partitions that had a tweet's preview before a change, or have it after. The
// audience partition after the change comes first, so that a moving preview is always in one. before or after may be
// nil.
func AudiencePartitions(before, after *Tweet) (audiencePartitions []AudiencePartition) {
	for _, t := range []*Tweet{after, before} {
		if t != nil && t.AudiencePartition() != NoAudiencePartition && !slices.Contains(audiencePartitions,
			t.AudiencePartition()) {
			audiencePartitions = append(audiencePartitions, t.AudiencePartition())
		}
	}
	return audiencePartitions
}

// Months is the collection of the months of an audience partition.
func (s AudiencePartition) Months() string {
	if s == FollowersAudiencePartition {
		return FollowerMonths
	}
	return TweetMonths
}
