package db

import (
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
)

// A deleted account has thousands of documents, and each deletion is an event whose function would read the profile. So
// a process caches for a while which profiles are gone. A deleted profile can come back after 25 hours at the earliest:
// the account deletion must be over.

const (
	// goneFor is how long a process caches that a profile is gone.
	goneFor = time.Minute

	// goneRemembered is how many deleted profiles a process caches.
	goneRemembered = 10_000
)

// SawGone records that a document is gone. It caches only profiles.
func (d *DB) SawGone(ref *firestore.DocumentRef) {
	if ref.Parent.ID == model.Users {
		d.gone.Add(model.UserID(ref.ID), time.Now())
	}
}

// SawThere records that a user has a profile.
func (d *DB) SawThere(uid model.UserID) { d.gone.Remove(uid) }

// KnowsGone reports whether this process knows that a user has no profile. False says nothing.
//
// Cost: nothing.
func (d *DB) KnowsGone(uid model.UserID) bool {
	at, ok := d.gone.Get(uid)
	return ok && time.Since(at) < goneFor
}
