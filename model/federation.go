package model

import (
	"crypto/rsa"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

const (
	// FormerActorKeyWindow is how long the database keeps a key of an actor after its change: so long servers that did
	// not hear of the change may know the former key alone.
	FormerActorKeyWindow = 7 * 24 * time.Hour

	// MinRemoteActor is the shortest time for which an actor of another server is kept, whatever its server says.
	MinRemoteActor = time.Hour
	// MaxRemoteActor is the longest such time.
	MaxRemoteActor = 7 * 24 * time.Hour

	// MaxRemoteKeys is how many keys of an actor of another server are kept.
	MaxRemoteKeys = 5
	// MaxRemoteKey is how many bytes a key of another server has at most.
	MaxRemoteKey = 4_000
	// MaxIRI is how many bytes an address of another server has.
	MaxIRI = 2_048
)

// ActorKey is the key by which a user, or the installation itself, signs requests to other servers:
// actorKeys/{ActorKeyKey}, or {FormerActorKeyKey} after its change.
type ActorKey struct {
	ID     string `firestore:"id"`     // 10 letters and digits at random, the end of the address of the key
	Public string `firestore:"public"` // the public key in PEM
	// the private key, sealed, and the name of the key that sealed it, see package sealed
	Sealed    []byte    `firestore:"sealed"`
	SealedBy  string    `firestore:"sealedBy"`
	CreatedAt time.Time `firestore:"createdAt"`
	ExpireAt  time.Time `firestore:"expireAt,omitempty"` // of a former key
}

// SigningKey is the private key of a user.
type SigningKey struct {
	ID      string // that of its [ActorKey]
	Private *rsa.PrivateKey
}

// ActorKeyKey names the key of a user; an empty user is the installation itself.
func ActorKeyKey(user UserID) string { return key(user) + "_now" }

// FormerActorKeyKey names a former key of a user.
func FormerActorKeyKey(user UserID, id string) string { return key(user) + "_" + id }

// RemoteActor is what is known of an actor of another server: apActors/{RemoteActorKey}.
type RemoteActor struct {
	Address   string      `firestore:"address"` // the one that was asked: of the actor, or of one of its keys
	ID        string      `firestore:"actorId"` // the address of the actor
	Keys      []RemoteKey `firestore:"keys"`    // at most MaxRemoteKeys
	FetchedAt time.Time   `firestore:"fetchedAt"`
	ExpireAt  time.Time   `firestore:"expireAt"`
	// MaxAge is what the server said of how long it may be kept; 0 if nothing.
	MaxAge time.Duration `firestore:"-"`
	// Unkept says that the actor was fetched, and that no document has it yet.
	Unkept bool `firestore:"-"`
}

// RemoteKey is a public key of an actor of another server.
type RemoteKey struct {
	ID   string `firestore:"id"`   // its address
	Text string `firestore:"text"` // PEM, or a Multikey
}

// RemoteActorKey names the document of an address: its hash.
func RemoteActorKey(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:])
}

// Kept is the actor as it is kept from a time on.
func (a RemoteActor) Kept(now time.Time) RemoteActor {
	a.FetchedAt, a.ExpireAt = now, now.Add(min(max(a.MaxAge, MinRemoteActor), MaxRemoteActor))
	return a
}

// Key returns the key with an address; nil if the actor has none.
func (a *RemoteActor) Key(id string) *RemoteKey {
	for i := range a.Keys {
		if a.Keys[i].ID == id {
			return &a.Keys[i]
		}
	}
	return nil
}
