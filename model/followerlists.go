package model

import (
	"slices"
	"time"
)

// FollowerList has the newest followers of a user: followerLists/{uid}. If it is whole, it has all of them. Otherwise
// it has every follower from its oldest one on, in the order of [FollowerList.Relationships].
type FollowerList struct {
	Followers map[UserID]time.Time `firestore:"followers,omitempty"` // and since when they follow
	Whole     bool                 `firestore:"whole"`               // the user has no other followers
	// ChangedAt is the time of the last write. It changes with each write, also if the followers do not.
	ChangedAt time.Time `firestore:"changedAt,serverTimestamp"`
}

// Cursor is the relationship's position in lists of followers and of followed users.
func (r *Relationship) Cursor() Cursor {
	return Cursor{At: r.CreatedAt, ID: RelationshipKey(r.FollowerID, r.FollowedID)}
}

// CompareNewest orders relationships as lists do: the newest first, and at the same time by their ids.
func CompareNewest(a, b Relationship) int { return b.Cursor().Compare(a.Cursor()) }

// Relationships lists the relationships of the followers with a user, newest first.
func (l *FollowerList) Relationships(followed UserID) []Relationship {
	all := make([]Relationship, 0, len(l.Followers))
	for follower, since := range l.Followers {
		all = append(all, Relationship{FollowerID: follower, FollowedID: followed, CreatedAt: since})
	}
	slices.SortFunc(all, CompareNewest)
	return all
}

// Has reports whether a relationship is in the list, with its time.
func (l *FollowerList) Has(r Relationship) bool {
	since, ok := l.Followers[r.FollowerID]
	return ok && since.Equal(r.CreatedAt)
}

// Reaches reports whether a relationship must be in the list.
func (l *FollowerList) Reaches(r Relationship) bool {
	if l.Whole {
		return true
	}
	all := l.Relationships(r.FollowedID)
	return len(all) > 0 && CompareNewest(r, all[len(all)-1]) <= 0
}

// Put adds a relationship if the list reaches it.
func (l *FollowerList) Put(r Relationship) {
	delete(l.Followers, r.FollowerID) // an earlier relationship of the two
	if !l.Reaches(r) {
		return
	}
	if l.Followers == nil {
		l.Followers = map[UserID]time.Time{}
	}
	l.Followers[r.FollowerID] = r.CreatedAt
}

// Remove removes a follower.
func (l *FollowerList) Remove(follower UserID) { delete(l.Followers, follower) }

// Trim removes the oldest followers, so that at most most are left.
func (l *FollowerList) Trim(followed UserID, most int) {
	if len(l.Followers) <= most {
		return
	}
	for _, r := range l.Relationships(followed)[most:] {
		delete(l.Followers, r.FollowerID)
	}
	l.Whole = false
}
