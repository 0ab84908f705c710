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

	MaxListDescription = 500
	// MaxExclusiveLists is how many lists of a user are left out of home. The user's document of the graph has a copy of
	// their members.
	MaxExclusiveLists = 5
	// ListFollowsTogether is how many members of a list one request follows at most.
	ListFollowsTogether = 5
)

// ListVisibility says who sees a list of people.
type ListVisibility string

// Who sees a list of people. A list without a visibility is private.
const (
	PrivateList ListVisibility = "private" // its owner
	PublicList  ListVisibility = "public"  // everybody, but those with a block between them and its owner
)

// RepliesPolicy says which replies the timeline of a list has. It always has a member's replies to the member's own
// tweets, and to the reader.
type RepliesPolicy string

// The policies of replies. A list without a policy has RepliesToList.
const (
	RepliesToFollowed RepliesPolicy = "followed" // replies to users whom the reader follows
	RepliesToList     RepliesPolicy = "list"     // replies to members of the list
	RepliesToNobody   RepliesPolicy = "none"     // no other replies
)

// PeopleList is a list of people that a user keeps: lists/{uid_id}. Nobody else learns of a private list, and no member
// is told of any.
type PeopleList struct {
	ID      string   `firestore:"-"`
	UserID  UserID   `firestore:"userId"` // the owner
	Title   string   `firestore:"title"`
	Members []UserID `firestore:"members"` // at most MaxListMembers, the newest last
	// plain text for readers of a public list
	Description   string         `firestore:"description,omitempty"`
	Visibility    ListVisibility `firestore:"visibility,omitempty"`    // empty for a private list
	RepliesPolicy RepliesPolicy  `firestore:"repliesPolicy,omitempty"` // empty for RepliesToList
	Exclusive     bool           `firestore:"exclusive,omitempty"`     // the owner's home timeline leaves the members out
	// a hash of the request that made the list, if that may be repeated
	Request   string    `firestore:"request,omitempty"`
	CreatedAt time.Time `firestore:"createdAt"`
}

// Has reports whether a user is a member.
func (l *PeopleList) Has(uid UserID) bool { return slices.Contains(l.Members, uid) }

// IsPublic reports whether others see the list.
func (l *PeopleList) IsPublic() bool { return l.Visibility == PublicList }

// ShowsReply reports whether the list's timeline has a tweet of a member, as far as it may be a reply. follows says
// whom the reader follows.
func (l *PeopleList) ShowsReply(t *Tweet, reader UserID, follows map[UserID]time.Time) bool {
	if !t.Answers() || t.ReplyToAuthorID == reader {
		return true
	}
	switch l.RepliesPolicy {
	case RepliesToFollowed:
		return !follows[t.ReplyToAuthorID].IsZero()
	case RepliesToNobody:
		return false
	case RepliesToList:
	}
	return l.Has(t.ReplyToAuthorID)
}

// ListPatch changes a list of people. A nil field stays as it is.
type ListPatch struct {
	Title, Description *string
	Visibility         *ListVisibility
	RepliesPolicy      *RepliesPolicy
	Exclusive          *bool
}

// Patch changes a list, and returns whether that changes anything. A field of another form is errs.Invalid.
func (l *PeopleList) Patch(p ListPatch) (changed bool, err error) {
	after := *l
	if p.Title != nil {
		if after.Title, err = ListTitle(*p.Title); err != nil {
			return false, err
		}
	}
	if p.Description != nil {
		if after.Description, err = cleanText("description", strings.TrimSpace(*p.Description),
			MaxListDescription); err != nil {
			return false, err
		}
	}
	if p.Visibility != nil {
		switch after.Visibility = *p.Visibility; after.Visibility {
		case PrivateList:
			after.Visibility = ""
		case PublicList:
		default:
			return false, errs.New(errs.Invalid, "invalid_list", "a list is private or public")
		}
	}
	if p.RepliesPolicy != nil {
		switch after.RepliesPolicy = *p.RepliesPolicy; after.RepliesPolicy {
		case RepliesToList:
			after.RepliesPolicy = ""
		case RepliesToFollowed, RepliesToNobody:
		default:
			return false, errs.New(errs.Invalid, "invalid_list", "the replies policy of a list is followed, list or none")
		}
	}
	if p.Exclusive != nil {
		after.Exclusive = *p.Exclusive
	}
	changed = l.Title != after.Title || l.Description != after.Description || l.Visibility != after.Visibility ||
		l.RepliesPolicy != after.RepliesPolicy || l.Exclusive != after.Exclusive
	*l = after
	return changed, nil
}

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

// NoList returns the error of an id under which there is no list that the caller may see.
func NoList(id string) error {
	return errs.New(errs.NotFound, "list_not_found", "there is no list %q for you", id)
}

// MayList returns errs.Forbidden for a member whom the owner of a list blocks, or who blocks the owner.
func MayList(viewerRelationships ViewerRelationship) error {
	if MayFollow(viewerRelationships) != nil {
		return notAllowed("put this user on a list")
	}
	return nil
}
