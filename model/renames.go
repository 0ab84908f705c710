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

// CoolDown says how long a user who has used up all renames waits for the next. The zero
// CoolDown lets everybody rename at any time.
type CoolDown struct {
	Rename   time.Duration // between changes of username, nickname or avatar, for each RenameTweets tweets
	Username time.Duration // between changes of the username
}

// Renames is what a profile notes of earlier renames: users/{uid}.renames. Both times are
// when the user may again make as many changes at once as ever.
type Renames struct {
	FullAt         time.Time `firestore:"fullAt,omitempty"`
	UsernameFullAt time.Time `firestore:"usernameFullAt,omitempty"`
}

// TooSoon is the error of a rename that comes too soon after others.
type TooSoon struct {
	Limit     string        // renames or usernames
	Wait      time.Duration // until the rename is possible
	At        time.Time     // when the rename is possible
	FullAt    time.Time     // when as many are possible as ever
	Burst     int
	EachAfter time.Duration
}

// Error says what is limited, and when the change is possible.
func (e *TooSoon) Error() string {
	what := "Your username, nickname or avatar"
	if e.Limit == usernames {
		what = "Your username"
	}
	return fmt.Sprintf("%s may change %d times, and then once in %v. The next change is possible at %s.", what, e.Burst,
		e.EachAfter, e.At.UTC().Format(time.RFC3339))
}

const usernames = "usernames"

// Take returns what the profile notes after one more rename at a time, or [TooSoon]. last is
// when the user was renamed before, and tweets is how many tweets the user has.
func (r Renames) Take(c CoolDown, last, now time.Time, tweets int64, username bool) (Renames, error) {
	each := c.Rename * time.Duration(max(1, (tweets+RenameTweets-1)/RenameTweets))
	var err error
	if r.FullAt, err = takeRename("renames", r.FullAt, last, now, RenameBurst, each); err != nil || !username {
		return r, err
	}
	r.UsernameFullAt, err = takeRename(usernames, r.UsernameFullAt, last, now, UsernameBurst, c.Username)
	return r, err
}

// takeRename takes one of the changes that a user may make: burst at once, and then one
// after each time. It returns when all are there again. A time may have been noted under a
// longer cool-down, or with more tweets: it is no later than if the last change had used
// up all.
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
