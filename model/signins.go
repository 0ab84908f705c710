package model

import (
	"strings"
	"time"
)

// MaxSignIns is how many sign-ins of an account are kept, and MaxProvider the longest name of a provider in bytes.
const (
	MaxSignIns  = 20
	MaxProvider = 40
)

// SignIns are the newest sign-ins that clients of an account told of: signIns/{uid}. An account whose clients told of
// none has no document.
type SignIns struct {
	SignIns []SignIn `firestore:"signIns,omitempty"` // oldest first, at most MaxSignIns, one for each time
	// when the user ended all sessions for the last time; absent from most
	EndedAt time.Time `firestore:"endedAt,omitempty"`
}

// SignIn is one sign-in. It has no address and no version of a program, which would tell where the user was, and which
// device it is.
type SignIn struct {
	At       time.Time `firestore:"at"`       // auth_time of the ID token, in whole seconds
	Provider string    `firestore:"provider"` // such as password and google.com
	System   string    `firestore:"system"`   // see [Platform]
	Program  string    `firestore:"program"`
}

// Ended reports whether the user ended all sessions after a sign-in.
func (s *SignIns) Ended(one SignIn) bool { return one.At.Before(s.EndedAt.Truncate(time.Second)) }

// Add adds a sign-in, and returns whether that changes anything: a time that is there, or is older than all that a full
// list has, changes nothing.
func (s *SignIns) Add(one SignIn) bool {
	at := len(s.SignIns)
	for at > 0 && !s.SignIns[at-1].At.Before(one.At) {
		if at--; s.SignIns[at].At.Equal(one.At) {
			return false
		}
	}
	if at == 0 && len(s.SignIns) >= MaxSignIns {
		return false
	}
	one.Provider = one.Provider[:min(len(one.Provider), MaxProvider)]
	s.SignIns = append(s.SignIns[:at:at], append([]SignIn{one}, s.SignIns[at:]...)...)
	s.SignIns = s.SignIns[max(0, len(s.SignIns)-MaxSignIns):]
	return true
}

// The families that a User-Agent header may name, in the order in which they are looked for: Chrome's header has
// Safari's name, too.
var (
	systems = [][2]string{{"iPhone", "iOS"}, {"iPad", "iOS"}, {"Android", "Android"}, {"Windows", "Windows"},
		{"CrOS", "ChromeOS"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"}, {"Darwin", "iOS"}}
	programs = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"FxiOS", "Firefox"}, {"Firefox/", "Firefox"},
		{"CriOS", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"okhttp", "app"}, {"Dart/", "app"},
		{"CFNetwork", "app"}}
)

// Platform returns the families of system and program that a User-Agent header names. Either is empty if it is unknown.
func Platform(userAgent string) (system, program string) {
	return family(systems, userAgent), family(programs, userAgent)
}

func family(of [][2]string, userAgent string) string {
	for _, one := range of {
		if strings.Contains(userAgent, one[0]) {
			return one[1]
		}
	}
	return ""
}
