package model

import "github.com/hibana-sns/hibana/internal/errs"

// This file has the permissions to see and to act. testdata/permissions.txt has the same rules as a table. Tests
// compare this file, the API and firestore.rules with the table.

// Role is the role of a caller. It decides what the caller sees beyond public tweets, and whether the caller may write
// at all.
type Role int

// The roles.
const (
	SignedOut     Role = iota // no ID token
	Anonymous                 // signed in without an account
	NoProfile                 // an account without a profile
	Member                    // an account with a profile
	Frozen                    // a member who may read and delete the account, and not write
	Moderator                 // a member who sees flagged tweets
	Administrator             // a member who may do all that a moderator may, and more
	roles
)

// Viewer is the caller of a read. The zero Viewer is signed out.
type Viewer struct {
	ID   UserID // empty if signed out
	Role Role
}

// Account returns the user id of a viewer with an account, who can have written documents. It is empty for every other
// viewer.
func (v Viewer) Account() UserID {
	if v.Role == SignedOut || v.Role == Anonymous {
		return ""
	}
	return v.ID
}

// ViewerRelationship is the relationship between an actor and the user whom an act concerns.
type ViewerRelationship struct {
	Blocked  bool // the user blocks the actor
	Blocks   bool // the actor blocks the user
	Followed bool // the user follows the actor
	Follows  bool // the actor follows the user

	Requested bool // the actor asks to follow the user
	Muted     Mute // the mute of the user by the actor; 0 for none, and for one that has ended
}

// RelationshipDetail is what an actor keeps of another user besides the relationship, and whether that user asks to
// follow the actor.
type RelationshipDetail struct {
	HidesShares bool // the actor hides what the user shares
	Subscribed  bool // the posts of the user make notifications for the actor
	RequestedBy bool // the user asks to follow the actor
	Note        string
}

// Visible reports whether a viewer may see a tweet. For a viewer who may not, the tweet is unknown: every answer equals
// that for an id that no tweet ever had, except in threads with replies that the viewer sees. Of the viewer
// relationship only the follow matters. Documents that everybody may read have only tweets that everybody may see,
// those of [OpenAudiencePartition].
func Visible(v Viewer, t *Tweet, viewerRelationships ViewerRelationship) bool {
	switch {
	case t.AudiencePartition() == OpenAudiencePartition, oversees(v):
		return true
	case v.Account() == "":
		return false
	case v.Account() == t.AuthorID:
		return true
	case t.IsViolative:
		return false
	}
	return t.Visibility == Followers && viewerRelationships.Follows ||
		(t.Visibility == Followers || t.Visibility == Mentioned) && t.addresses(v.Account())
}

// FollowDecides reports whether a viewer may see a tweet if and only if the viewer follows its author. For every other
// tweet the viewer relationship makes no difference to [Visible].
func FollowDecides(v Viewer, t *Tweet) bool {
	return !Visible(v, t, ViewerRelationship{}) && Visible(v, t, ViewerRelationship{Follows: true})
}

// addresses reports whether a tweet is addressed to a user: the author of the tweet that it answers, or a mentioned
// user.
func (t *Tweet) addresses(uid UserID) bool {
	_, mentioned := t.Mentions[string(uid)]
	return mentioned || t.ReplyToAuthorID == uid
}

// Moderates reports whether a viewer is a moderator or an administrator.
func (v Viewer) Moderates() bool { return oversees(v) }

// oversees reports whether a viewer sees everything.
func oversees(v Viewer) bool { return v.Role == Moderator || v.Role == Administrator }

// VisibleRevision reports whether a viewer who may see a tweet may see one of its revisions. A revision from before the
// audience was widened is for its author and moderators.
func VisibleRevision(v Viewer, t *Tweet, number int) bool {
	if number > t.Revision { // newer than this version of the tweet, perhaps for fewer users
		return false
	}
	return number > t.HiddenRevisions || oversees(v) || v.Account() != "" && v.Account() == t.AuthorID
}

// VisibleTombstone reports whether a viewer may see that a tweet was deleted. If the tweet was not for everybody, only
// its author and moderators may: not even its former audience.
func VisibleTombstone(v Viewer, t *Tombstone) bool {
	return !t.Hidden || oversees(v) || v.Account() != "" && v.Account() == t.AuthorID
}

// NoTweet returns the error of an id that has no tweet, or none that the caller may see.
func NoTweet(id TweetID) error {
	return errs.New(errs.NotFound, "tweet_not_found", "there is no tweet %q", id)
}

// NoUser returns the error of a user without a profile.
func NoUser(uid UserID) error {
	return errs.New(errs.NotFound, "user_not_found", "there is no user %q", uid)
}

// ProfileRequired is the code of the error for a user who has no profile yet.
const ProfileRequired = "profile_required"

// MayWrite returns an error if the role may not write: post, reply, quote, like, share, follow or block.
func MayWrite(r Role) error {
	switch r {
	case SignedOut:
		return errs.New(errs.Unauthenticated, "", "Sign in first: send a Firebase ID token as Authorization: Bearer.")
	case Anonymous:
		return errs.New(errs.Forbidden, "anonymous", "anonymous users may only read; link the account to an address or a "+
			"provider first")
	case NoProfile:
		return errs.New(errs.Forbidden, ProfileRequired, "make a profile first, with POST /v1/users")
	case Frozen:
		return errs.New(errs.Forbidden, "account_frozen", "this account is frozen: it may read and leave, and not write")
	default:
		return nil
	}
}

// MayPost returns an error if a member may not post. required says whether posting needs a verified e-mail address.
func MayPost(required, verified bool) error {
	if required && !verified {
		return errs.New(errs.Forbidden, "email_not_verified", "verify your e-mail address first; then get a new ID token")
	}
	return nil
}

// MayLike returns an error if a member may not like a tweet.
func MayLike(actor UserID, t *Tweet, author *User, viewerRelationships ViewerRelationship) error {
	if err := mayAct(actor, t, "like this tweet", viewerRelationships); err != nil {
		return err
	}
	if !t.AllowLikes || stranger(actor, t, author, viewerRelationships) {
		return notAllowed("like this tweet")
	}
	return nil
}

// MayReply returns an error if a member may not reply to a tweet.
func MayReply(actor UserID, t *Tweet, author *User, viewerRelationships ViewerRelationship) error {
	if err := mayAct(actor, t, "reply to this tweet", viewerRelationships); err != nil {
		return err
	}
	if !t.admitsReply(actor, viewerRelationships) || stranger(actor, t, author, viewerRelationships) {
		return notAllowed("reply to this tweet")
	}
	return nil
}

// MayShare returns an error if a member may not share a tweet. Only tweets that everybody may see are shared.
func MayShare(actor UserID, t *Tweet, viewerRelationships ViewerRelationship) error {
	if err := mayAct(actor, t, "share this tweet", viewerRelationships); err != nil {
		return err
	}
	if t.AudiencePartition() != OpenAudiencePartition {
		return notAllowed("share this tweet")
	}
	return nil
}

// MayQuote returns an error if a member may not quote a tweet. Only tweets that everybody may see, and the member's
// own, are quoted. A quote is a public answer, as a reply is: strangers may do neither.
func MayQuote(actor UserID, t *Tweet, author *User, viewerRelationships ViewerRelationship) error {
	if err := mayAct(actor, t, "quote this tweet", viewerRelationships); err != nil {
		return err
	}
	if !t.Quotes().admits(actor, t, viewerRelationships) ||
		t.AudiencePartition() != OpenAudiencePartition && actor != t.AuthorID ||
		stranger(actor, t, author, viewerRelationships) {
		return notAllowed("quote this tweet")
	}
	return nil
}

// MayFold returns an error if a member may not hide a reply in its thread, or show it again. Only the author of the
// thread's root may. root is nil if it is gone, and then nobody may. The viewer relationship is that to the author of
// the reply.
func MayFold(actor UserID, reply, root *Tweet, viewerRelationships ViewerRelationship) error {
	switch {
	case !Visible(Viewer{actor, Member}, reply, viewerRelationships):
		return NoTweet(reply.ID)
	case reply.ReplyTo == nil:
		return errs.New(errs.Invalid, "not_a_reply", "this tweet answers none, so that no thread could hide it")
	case root == nil || root.AuthorID != actor:
		return errs.New(errs.Forbidden, "not_thread_author", "only the author of the tweet that began the thread may hide "+
			"replies, as long as that tweet is there")
	}
	return nil
}

// MayWithdraw returns an error if a member may not withdraw a tweet from the tweets that quote it. Only its author may.
func MayWithdraw(actor UserID, quoted *Tweet, viewerRelationships ViewerRelationship) error {
	switch {
	case !Visible(Viewer{actor, Member}, quoted, viewerRelationships):
		return NoTweet(quoted.ID)
	case actor != quoted.AuthorID:
		return errs.New(errs.Forbidden, "not_author", "only the author of a quoted tweet may withdraw it from quotes")
	}
	return nil
}

// NoQuote returns the error of a tweet that does not quote another.
func NoQuote(id, quoted TweetID) error {
	return errs.New(errs.NotFound, "quote_not_found", "tweet %q does not quote tweet %q", id, quoted)
}

// MayEdit returns an error if a member may not edit a tweet. Only its author may, and not while the tweet is flagged:
// moderators have judged that text.
func MayEdit(actor UserID, t *Tweet, viewerRelationships ViewerRelationship) error {
	switch {
	case !Visible(Viewer{actor, Member}, t, viewerRelationships):
		return NoTweet(t.ID)
	case actor != t.AuthorID:
		return errs.New(errs.Forbidden, "not_author", "only its author may edit a tweet")
	case t.IsViolative:
		return errs.New(errs.Forbidden, "not_allowed", "moderators have hidden this tweet: it may be deleted, and not edited")
	}
	return nil
}

// MayFollow returns an error if a member may not follow a user. A block stops both users from following each other.
func MayFollow(viewerRelationships ViewerRelationship) error {
	if viewerRelationships.Blocked || viewerRelationships.Blocks {
		return notAllowed("follow this user")
	}
	return nil
}

// MustAsk reports whether a member who may follow a user needs the user's consent first. Followers from before the user
// was locked stay. The server of a remote user decides, so a member asks.
func MustAsk(u *User, viewerRelationships ViewerRelationship) bool {
	return u.Asked() && !viewerRelationships.Follows
}

// mayAct returns an error if a member may not act on a tweet at all. An actor has the rights of any member, whatever
// the role. A tweet that the member may not see is unknown. A flagged tweet accepts no likes, replies, quotes and
// shares; the error says so to its author.
func mayAct(actor UserID, t *Tweet, action string, viewerRelationships ViewerRelationship) error {
	switch {
	case !Visible(Viewer{actor, Member}, t, viewerRelationships):
		return NoTweet(t.ID)
	case t.IsViolative, actor != t.AuthorID && viewerRelationships.Blocked:
		return notAllowed(action)
	}
	return nil
}

// stranger reports whether the author of a tweet excludes the actor as a stranger.
func stranger(actor UserID, t *Tweet, author *User, viewerRelationships ViewerRelationship) bool {
	return actor != t.AuthorID && author.BlockStrangers && !viewerRelationships.Followed
}

// notAllowed returns the error of every refusal by another user. It has no reason, so that it does not reveal blocks.
func notAllowed(action string) error {
	return errs.New(errs.Forbidden, "not_allowed", "you may not %s", action)
}
