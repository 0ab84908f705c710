package db

import (
	"time"

	"cloud.google.com/go/firestore"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hibana-sns/hibana/model"
)

// A user who leaves has thousands of facts, and each deletion of a fact is an event whose
// function would look for the profile. So a process remembers for a while of which profiles
// it knows that they are gone. A profile that is gone can come back after 25 hours at the
// earliest: the account deletion must be over.

const (
	// goneFor is how long a process remembers that a profile is gone.
	goneFor = time.Minute

	// goneRemembered is of how many profiles a process remembers that they are gone.
	goneRemembered = 10_000
)

func newGone() *lru.Cache[model.UserID, time.Time] {
	gone, err := lru.New[model.UserID, time.Time](goneRemembered)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return gone
}

// SawGone notes that a document is gone. It remembers profiles alone.
func (d *DB) SawGone(ref *firestore.DocumentRef) {
	if ref.Parent.ID == model.Users {
		d.gone.Add(model.UserID(ref.ID), time.Now())
	}
}

// SawThere notes that a user has a profile.
func (d *DB) SawThere(uid model.UserID) { d.gone.Remove(uid) }

// KnowsGone tells whether this process knows that a user has no profile. False says nothing.
//
// Cost: nothing.
func (d *DB) KnowsGone(uid model.UserID) bool {
	at, ok := d.gone.Get(uid)
	return ok && time.Since(at) < goneFor
}
