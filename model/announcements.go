package model

import (
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Bounds of announcements, in characters.
const (
	MaxAnnouncements     = 20 // that have not ended
	MaxAnnouncementTitle = 100
	MaxAnnouncementText  = 2_000
)

// AnnouncementID names an announcement, as [ParseFilterID] demands.
type AnnouncementID string

// ParseAnnouncementID checks the id of an announcement, which its author chooses: 1 to 40 letters, digits, - and _ of
// ASCII. Any other text is errs.Invalid.
func ParseAnnouncementID(s string) (AnnouncementID, error) {
	if _, err := ParseFilterID(s); err != nil {
		return "", errs.New(errs.Invalid, "invalid_announcement", "the id of an announcement has 1 to %d letters, digits, - "+
			"and _", maxFilterID)
	}
	return AnnouncementID(s), nil
}

// Announcements has what the administrators tell everybody, by its id: announcements/all. The document is missing until
// the first announcement.
type Announcements struct {
	Announcements map[string]Announcement `firestore:"announcements,omitempty"`
}

// Announcement is what the administrators tell everybody for some time.
type Announcement struct {
	Title     string    `firestore:"title"`
	Text      string    `firestore:"text"` // Markdown, may be empty
	StartsAt  time.Time `firestore:"startsAt"`
	EndsAt    time.Time `firestore:"endsAt,omitempty"` // zero for no end
	CreatedAt time.Time `firestore:"createdAt"`
	UpdatedAt time.Time `firestore:"updatedAt"`
}

// Clean returns the announcement in the form in which it is kept. One without a title, that ends before it starts, or
// with a time outside the years 1 to 9999 is errs.Invalid.
func (a Announcement) Clean() (_ Announcement, err error) {
	if a.Title, err = cleanText("title", strings.TrimSpace(a.Title), MaxAnnouncementTitle); err != nil {
		return a, err
	}
	if !hasVisible(a.Title) {
		return a, errs.New(errs.Invalid, "invalid_announcement", "the title of the announcement shows nothing")
	}
	if a.StartsAt, err = KeptTime("invalid_announcement", "startsAt", a.StartsAt); err != nil {
		return a, err
	}
	if a.EndsAt, err = KeptTime("invalid_announcement", "endsAt", a.EndsAt); err != nil {
		return a, err
	}
	if !a.EndsAt.IsZero() && !a.EndsAt.After(a.StartsAt) {
		return a, errs.New(errs.Invalid, "invalid_announcement", "the announcement ends before it starts")
	}
	a.Text, err = cleanText("text", strings.TrimSpace(a.Text), MaxAnnouncementText)
	return a, err
}

// Ended reports whether the announcement has ended at a time.
func (a *Announcement) Ended(at time.Time) bool { return !a.EndsAt.IsZero() && !at.Before(a.EndsAt) }

// Current reports whether the announcement shows at a time.
func (a *Announcement) Current(at time.Time) bool { return !at.Before(a.StartsAt) && !a.Ended(at) }

// Put adds or replaces an announcement, and returns whether that changes anything. It keeps the time at which the
// announcement was made. If the document is full, Put drops the ended announcements. More than MaxAnnouncements that
// have not ended are errs.Conflict.
func (s *Announcements) Put(id AnnouncementID, a Announcement, at time.Time) (changed bool, err error) {
	was, there := s.Announcements[string(id)]
	a.CreatedAt, a.UpdatedAt = at, at
	if there {
		a.CreatedAt = was.CreatedAt
		if a.Title == was.Title && a.Text == was.Text && a.StartsAt.Equal(was.StartsAt) && a.EndsAt.Equal(was.EndsAt) {
			return false, nil
		}
	}
	if !there && len(s.Announcements) >= MaxAnnouncements {
		for one, is := range s.Announcements {
			if is.Ended(at) {
				delete(s.Announcements, one)
			}
		}
	}
	if !there && len(s.Announcements) >= MaxAnnouncements {
		return false, errs.New(errs.Conflict, "too_many_announcements",
			"there are %d announcements, which is as many as may "+
				"be; remove one first", MaxAnnouncements)
	}
	if s.Announcements == nil {
		s.Announcements = map[string]Announcement{}
	}
	s.Announcements[string(id)] = a
	return true, nil
}

// IDs are the ids of all announcements, the one that starts last first.
func (s *Announcements) IDs() []AnnouncementID {
	ids := []AnnouncementID{}
	for id := range s.Announcements {
		ids = append(ids, AnnouncementID(id))
	}
	slices.SortFunc(ids, func(a, b AnnouncementID) int {
		if n := s.Announcements[string(b)].StartsAt.Compare(s.Announcements[string(a)].StartsAt); n != 0 {
			return n
		}
		return strings.Compare(string(a), string(b))
	})
	return ids
}

// NoAnnouncement returns the error of an id that has no announcement.
func NoAnnouncement(id AnnouncementID) error {
	return errs.New(errs.NotFound, "announcement_not_found", "there is no announcement %q", id)
}
