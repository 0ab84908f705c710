package model

import (
	"maps"
	"slices"
	"time"
)

// Relationship says that one user follows another: relationships/{follower_followed}.
type Relationship struct {
	FollowerID UserID    `firestore:"followerId"`
	FollowedID UserID    `firestore:"followedId"`
	CreatedAt  time.Time `firestore:"createdAt"`
	// AskedAt is when the request began that a user of another server accepted. It is in the address of the follow there.
	AskedAt time.Time `firestore:"askedAt,omitempty"`
}

// Began is when the follow was made that became the relationship: as a request, or as it is.
func (r *Relationship) Began() time.Time {
	if r.AskedAt.IsZero() {
		return r.CreatedAt
	}
	return r.AskedAt
}

// FollowRequest says that one user asks to follow a locked user: followRequests/{follower_followed}. A user who follows
// already has no request.
type FollowRequest struct {
	FollowerID UserID    `firestore:"followerId"`
	FollowedID UserID    `firestore:"followedId"`
	CreatedAt  time.Time `firestore:"createdAt"`
}

// MutedSharer says that the home timeline of a user hides the shares of another: hiddenSharers/{uid_sharer}. The other
// user does not see it.
type MutedSharer struct {
	UserID    UserID    `firestore:"userId"`
	SharerID  UserID    `firestore:"sharerId"`
	CreatedAt time.Time `firestore:"createdAt"`
}

// ViewerGraph is a reader's part of the graph in one document: viewers/{uid}. Home pages read it in place of the
// relationships, mutes and blocks. Without Whole it may lack entries.
type ViewerGraph struct {
	Follows   map[UserID]time.Time `firestore:"follows,omitempty"`   // the followed users, and since when
	Mutes     map[UserID]bool      `firestore:"mutes,omitempty"`     // the muted sharers
	Muted     map[UserID]Mute      `firestore:"muted,omitempty"`     // the muted users, also those whose mute has ended
	Blocks    map[UserID]bool      `firestore:"blocks,omitempty"`    // the users whom the reader blocks
	BlockedBy map[UserID]bool      `firestore:"blockedBy,omitempty"` // the users who block the reader, up to seconds late

	Whole bool `firestore:"complete"` // the document has every entry
	// Partial says that there were more than MaxViewerEntries. Then the document has the follows, and its other entries
	// say nothing.
	Partial bool `firestore:"limited"`
	// FormerWhole and FormerPartial say the same to a process from before there were mutes and filters. Such a process
	// writes documents with these two alone, which lack mutes and filters: they count as not built.
	FormerWhole   bool `firestore:"whole"`
	FormerPartial bool `firestore:"partial"`

	// Choice and BlockStrangers are copies of the user's notification settings and of the field of the profile. They are
	// right in a partial document, too. They are nil in a document from before there were copies.
	Choice         *NotificationChoice `firestore:"choice,omitempty"`
	BlockStrangers *bool               `firestore:"blockStrangers,omitempty"`
	// Filters is a copy of the user's filters, also in a partial document.
	Filters map[string]Filter `firestore:"filters,omitempty"`
	// HasCopies says that FollowedTags and Exclusive are there. A process from before there were these copies writes
	// whole and partial documents without it: then the two say nothing.
	HasCopies bool `firestore:"copies"`
	// FollowedTags is a copy of the tags that the user follows, also in a partial document.
	FollowedTags map[string]FollowedTag `firestore:"followedTags,omitempty"`
	// Exclusive has the members of the user's exclusive lists, by the ids of the lists, also in a partial document.
	Exclusive map[string][]UserID `firestore:"exclusive,omitempty"`

	// Size is at least the number of entries, or of those since the document became partial.
	Size int `firestore:"size"`
}

// Entries returns the number of entries.
func (v *ViewerGraph) Entries() int {
	return len(v.Follows) + len(v.Mutes) + len(v.Muted) + len(v.Blocks) + len(v.BlockedBy)
}

// Excluded returns the users whom the reader's home timeline leaves out: the members of exclusive lists.
func (v *ViewerGraph) Excluded() map[UserID]bool {
	if len(v.Exclusive) == 0 {
		return nil
	}
	excluded := map[UserID]bool{}
	for _, members := range v.Exclusive {
		for _, uid := range members {
			excluded[uid] = true
		}
	}
	return excluded
}

// EqualExclusive reports whether two users' exclusive lists have the same members.
func EqualExclusive(a, b map[string][]UserID) bool {
	return maps.EqualFunc(a, b, func(a, b []UserID) bool { return slices.Equal(a, b) })
}

// BlockWith reports whether the reader and another user have a block, in either direction.
func (v *ViewerGraph) BlockWith(other UserID) bool { return v.Blocks[other] || v.BlockedBy[other] }

// Block says that one user refuses the likes and replies of another:
// blocks/{blocker_blockee}. Lists hide each of the two from the other while that one is signed in.
type Block struct {
	BlockerID UserID    `firestore:"blockerId"`
	BlockeeID UserID    `firestore:"blockeeId"`
	CreatedAt time.Time `firestore:"createdAt"`
}
