package model

import (
	"fmt"
	"time"
)

const (
	// RenameBurst is how many renames a user may make at once who made none for long.
	RenameBurst = 3

	// UsernameBurst is how many changes of the username a user may make at once who made none
	// for long.
	UsernameBurst = 2

	// RenameTweets is the number of tweets up to which a rename counts once. A user with
	// more tweets waits longer between renames, because each of the tweets is rewritten.
	RenameTweets = 1_000
)

// RenamedAt is the field of a profile with the database's time of the last change of username, nickname or avatar. Most
// profiles do not have it.
const RenamedAt = "renamedAt"

// CoolDown is the wait for the next rename of a user who has used up all renames. The zero CoolDown has no limit.
type CoolDown struct {
	Rename   time.Duration // between changes of username, nickname or avatar, for each RenameTweets tweets
	Username time.Duration // between changes of the username
}

// Renames is the record of earlier renames in a profile: users/{uid}.renames. Both times are when the user again has
// the full burst.
type Renames struct {
	FullAt         time.Time `firestore:"fullAt,omitempty"`
	UsernameFullAt time.Time `firestore:"usernameFullAt,omitempty"`
}

// TooSoon is the error of a rename that comes too soon after others.
type TooSoon struct {
	Limit     string        // renames or usernames
	Wait      time.Duration // until the rename is possible
	At        time.Time     // when the rename is possible
	FullAt    time.Time     // when the full burst is back
	Burst     int
	EachAfter time.Duration
}

// Error names the limit, and when the change is possible.
func (e *TooSoon) Error() string {
	what := "Your username, nickname or avatar"
	if e.Limit == usernames {
		what = "Your username"
	}
	return fmt.Sprintf("%s may change %d times, and then once in %v. The next change is possible at %s.", what, e.Burst,
		e.EachAfter, e.At.UTC().Format(time.RFC3339))
}

const usernames = "usernames"

// Take returns the record after one more rename at a time, or [TooSoon]. last is the time of the previous rename, and
// tweets is how many tweets the user has.
func (r Renames) Take(c CoolDown, last, now time.Time, tweets int64, username bool) (Renames, error) {
	each := c.Rename * time.Duration(max(1, (tweets+RenameTweets-1)/RenameTweets))
	var err error
	if r.FullAt, err = takeRename("renames", r.FullAt, last, now, RenameBurst, each); err != nil || !username {
		return r, err
	}
	r.UsernameFullAt, err = takeRename(usernames, r.UsernameFullAt, last, now, UsernameBurst, c.Username)
	return r, err
}

// takeRename uses one of the changes that a user may make: burst at once, and then one after each time. It returns when
// the full burst is back. The recorded time may be of a longer cool-down, or of more tweets. It counts at most as if
// the last change had used up the burst.
func takeRename(limit string, full, last, now time.Time, burst int, each time.Duration) (time.Time, error) {
	if latest := last.Add(time.Duration(burst) * each); !last.IsZero() && full.After(latest) {
		full = latest
	}
	if full.Before(now) {
		full = now
	}
	full = full.Add(each)
	if at := full.Add(-time.Duration(burst) * each); at.After(now) {
		return full, &TooSoon{Limit: limit, Wait: at.Sub(now), At: at, FullAt: full.Add(-each), Burst: burst, EachAfter: each}
	}
	return full, nil
}
