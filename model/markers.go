package model

import "time"

// MaxDismissed is how many announcements a user may have dismissed. The oldest are forgotten first; there are never as
// many that still show.
const MaxDismissed = 2 * MaxAnnouncements

// Markers says how far a user has read, for the user's other devices: markers/{uid}. A user who has marked nothing has
// no document.
type Markers struct {
	Home      *Marker          `firestore:"home,omitempty"`
	Dismissed []AnnouncementID `firestore:"dismissed,omitempty"` // the last dismissed at the end, at most MaxDismissed
}

// Marker is a position in a list that its reader has reached.
type Marker struct {
	LastReadID TweetID   `firestore:"lastReadId"`
	Version    int64     `firestore:"version"` // how often the marker has moved, from 1
	UpdatedAt  time.Time `firestore:"updatedAt"`
}

// Forward moves the marker of the home timeline to a tweet, and returns whether that changes anything. A marker moves
// to newer tweets only.
func (m *Markers) Forward(to TweetID, at time.Time) bool {
	was := m.Home
	if was == nil {
		was = &Marker{}
	} else if to.Compare(was.LastReadID) <= 0 {
		return false
	}
	m.Home = &Marker{LastReadID: to, Version: was.Version + 1, UpdatedAt: at}
	return true
}

// Dismiss adds an announcement to the dismissed ones, and returns whether that changes anything.
func (m *Markers) Dismiss(id AnnouncementID) bool {
	for _, one := range m.Dismissed {
		if one == id {
			return false
		}
	}
	m.Dismissed = append(m.Dismissed, id)
	m.Dismissed = m.Dismissed[max(0, len(m.Dismissed)-MaxDismissed):]
	return true
}
