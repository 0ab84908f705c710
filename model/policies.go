package model

import (
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Policy says which users an author lets reply to a tweet, or quote it. It matters only for users who may see the
// tweet. The author always may.
type Policy string

// The policies. Whatever lets some users reply also lets those reply whom the tweet addresses.
const (
	PolicyEverybody Policy = "everybody"
	PolicyFollowers Policy = "followers" // the followers of the author
	PolicyFollowing Policy = "following" // the users whom the author follows
	PolicyMentioned Policy = "mentioned" // the users whom the tweet addresses
	PolicyNobody    Policy = "nobody"
)

// limitedPolicies are the policies that need a field of their own in documents, see [PolicyOf].
var limitedPolicies = []Policy{PolicyFollowers, PolicyFollowing, PolicyMentioned}

// PolicyOf returns the policy that a document stores in two fields. allow is the field of documents from before there
// were policies: it is true for everybody. A process from before there were policies lets nobody do what limited lets
// some users do, and opens it to everybody by setting allow.
func PolicyOf(allow bool, limited Policy) Policy {
	switch {
	case allow:
		return PolicyEverybody
	case limited == "":
		return PolicyNobody
	}
	return limited
}

// Stored returns the two fields of a policy, see [PolicyOf].
func (p Policy) Stored() (allow bool, limited Policy) {
	switch p {
	case PolicyEverybody:
		return true, ""
	case PolicyNobody:
		return false, ""
	default:
		return false, p
	}
}

// Patched returns the policy after a patch. A new policy prevails. Otherwise allow is its short form: false is nobody,
// and true is everybody, unless some users may already. So a client without policies may send back what it read.
func (p Policy) Patched(allow *bool, to *Policy) Policy {
	switch {
	case to != nil:
		return *to
	case allow == nil, *allow && p != PolicyNobody:
		return p
	case *allow:
		return PolicyEverybody
	}
	return PolicyNobody
}

// Replies is who may reply to the tweet.
func (t *Tweet) Replies() Policy { return PolicyOf(t.AllowReplies, t.ReplyPolicy) }

// Quotes is who may quote the tweet.
func (t *Tweet) Quotes() Policy { return PolicyOf(!t.DenyQuotes, t.QuotePolicy) }

// admits reports whether a policy of a tweet admits an actor. An unknown policy, of a later version, admits the author
// alone.
func (p Policy) admits(actor UserID, t *Tweet, viewerRelationships ViewerRelationship) bool {
	if actor == t.AuthorID {
		return true
	}
	switch p {
	case PolicyEverybody:
		return true
	case PolicyFollowers:
		return viewerRelationships.Follows
	case PolicyFollowing:
		return viewerRelationships.Followed
	case PolicyMentioned:
		return t.addresses(actor)
	default: // PolicyNobody, and unknown ones
		return false
	}
}

// admitsReply is admits for a reply: any policy but nobody admits also the users whom the tweet addresses.
func (t *Tweet) admitsReply(actor UserID, viewerRelationships ViewerRelationship) bool {
	p := t.Replies()
	return p.admits(actor, t, viewerRelationships) || slices.Contains(limitedPolicies, p) && t.addresses(actor)
}

// ReplyNeedsFollow reports whether an actor may reply to a tweet only as a follower of its author.
func (t *Tweet) ReplyNeedsFollow(actor UserID) bool {
	return !t.admitsReply(actor, ViewerRelationship{}) && t.admitsReply(actor, ViewerRelationship{Follows: true})
}

// QuoteNeedsFollow reports whether an actor may quote a tweet only as a follower of its author.
func (t *Tweet) QuoteNeedsFollow(actor UserID) bool {
	return t.Quotes() == PolicyFollowers && actor != t.AuthorID
}

// limitPolicy returns the stored field of a limited policy, empty if allow says all. An unknown one is errs.Invalid,
// unless an edited tweet has it already: a later version stored it.
func limitPolicy(allow bool, limited, kept Policy) (Policy, error) {
	if allow || limited == "" {
		return "", nil
	}
	if limited != kept && !slices.Contains(limitedPolicies, limited) {
		return "", errs.New(errs.Invalid, "invalid_policy", "a policy is %q; it must be everybody, followers, following, "+
			"mentioned or nobody", Snippet(string(limited), 50))
	}
	return limited, nil
}
