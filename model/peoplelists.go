package model

import (
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Limits of lists of people. A page of the timeline of the largest list costs about as much as the largest other pages.
const (
	MaxLists       = 50 // of a user
	MaxListMembers = 30 // of a list
	MaxListTitle   = 60
	MaxListPage    = 20 // tweets on a page of the timeline
)

// PeopleList is a list of people that a user keeps: lists/{uid_id}. Nobody else learns of it, least of all a
// member.
type PeopleList struct {
	ID      string   `firestore:"-"`
	UserID  UserID   `firestore:"userId"` // the owner
	Title   string   `firestore:"title"`
	Members []UserID `firestore:"members"` // at most MaxListMembers, the newest last
	// a hash of the request that made the list, if that may be repeated
	Request   string    `firestore:"request,omitempty"`
	CreatedAt time.Time `firestore:"createdAt"`
}

// Has reports whether a user is a member.
func (l *PeopleList) Has(uid UserID) bool { return slices.Contains(l.Members, uid) }

const listIDLength = 20

// NewListID returns the id of a list that a user makes. A request with a key that is repeated gets the same id.
func NewListID(uid UserID, requestKey string) string {
	return hashedID(listIDLength, string(uid), requestKey)
}

// ParseListID checks the form of the id of a list. Any other text is errs.Invalid.
func ParseListID(s string) (string, error) {
	if !isHex(s, listIDLength) {
		return "", errs.New(errs.Invalid, "invalid_list_id", "the id of a list is %d lower-case hexadecimal digits",
			listIDLength)
	}
	return s, nil
}

// ListKey names a list of a user. A key of another user's list names a list that is not there.
func ListKey(uid UserID, id string) string { return key(uid) + "_" + id }

// ListID is the id in the key of a list.
func ListID(listKey string) string {
	_, id, _ := strings.Cut(listKey, "_")
	return id
}

// ListTitle is the form in which a title is stored. A title that shows nothing or is too long is errs.Invalid.
func ListTitle(s string) (string, error) {
	s, err := cleanText("title", strings.TrimSpace(s), MaxListTitle)
	if err == nil && !hasVisible(s) {
		err = errs.New(errs.Invalid, "invalid_list_title", "a list has a title of 1 to %d characters", MaxListTitle)
	}
	return s, err
}

// NoList returns the error of an id under which the caller has no list.
func NoList(id string) error {
	return errs.New(errs.NotFound, "list_not_found", "you have no list %q", id)
}

// MayList returns errs.Forbidden for a member whom the owner of a list blocks, or who blocks the owner.
func MayList(viewerRelationships ViewerRelationship) error {
	if MayFollow(viewerRelationships) != nil {
		return notAllowed("put this user on a list")
	}
	return nil
}
