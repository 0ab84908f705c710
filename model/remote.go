package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// remotePrefix begins the id of a user who has an account on another server. No account of Firebase Auth gets such an
// id here.
const (
	remotePrefix = "ap-"
	remoteID     = len(remotePrefix) + 32
)

// RemoteUserID is the id of the user for an actor of another server: a hash of the actor's address. So two processes
// that meet an actor at the same moment make one user.
func RemoteUserID(iri string) UserID {
	sum := sha256.Sum256([]byte(iri))
	return UserID(remotePrefix + hex.EncodeToString(sum[:16]))
}

// Remote reports whether the user has an account on another server.
func (id UserID) Remote() bool {
	return len(id) == remoteID && strings.HasPrefix(string(id), remotePrefix)
}

// RemoteUser is what a profile has of the account on another server.
type RemoteUser struct {
	IRI         string    `firestore:"iri"`   // the address of the actor
	Realm       string    `firestore:"realm"` // its RealmOf
	URL         string    `firestore:"url"`   // of the page for people
	Inbox       string    `firestore:"inbox"`
	SharedInbox string    `firestore:"sharedInbox,omitempty"`
	Followers   string    `firestore:"followers,omitempty"` // the address of the collection
	FetchedAt   time.Time `firestore:"fetchedAt"`           // when the actor was read
	StaleAt     time.Time `firestore:"staleAt"`             // when it is to be read again, as its server says
	MovedTo     string    `firestore:"movedTo,omitempty"`   // the address of the actor that the account moved to
}

// DeliverTo is the inbox for what all followers on the server get.
func (r *RemoteUser) DeliverTo() string {
	if r.SharedInbox != "" {
		return r.SharedInbox
	}
	return r.Inbox
}

// RemotePost is what a tweet has of the post of another server that it is.
type RemotePost struct {
	IRI string `firestore:"iri"` // the address of the post
	URL string `firestore:"url"` // of the page for people
}
