package model

import (
	"testing"
	"time"
)

// The largest documents are within their bounds.
func TestLargestFederation(t *testing.T) {
	t.Parallel()
	// A key of 2,048 bits has 451 bytes as PEM, and 1,219 as PKCS #8; sealed by KMS it has 160 more.
	k := len("id public sealed sealedBy createdAt expireAt") + 10 + 451 + 1219 + 300 + 1024 + 16
	if most := Row(ActorKeys).Bound.Bytes; k > most {
		t.Errorf("a key has %d bytes, and its bound is %d", k, most)
	}
	a := len("address actorId keys fetchedAt expireAt") + 2*MaxIRI + 2*8 +
		MaxRemoteKeys*(len("id text")+MaxIRI+MaxRemoteKey)
	if most := Row(RemoteActors).Bound.Bytes; a > most {
		t.Errorf("an actor has %d bytes, and its bound is %d", a, most)
	}
	const local, handle = 8_000, MaxRemoteName + 1 + MaxRemoteHost // of the largest user without an account elsewhere
	for name, bytes := range map[string]int{
		Users: local + handle + MaxAvatar + len("remote iri url inbox sharedInbox followers fetchedAt staleAt movedTo") +
			6*MaxIRI,
		Tweets: 30_000 + handle + len("remote iri url") + 2*MaxIRI,
		RemoteFacets: len("account subject type href expireAt") + len("acct:@") + MaxRemoteName + MaxRemoteHost + 2*MaxIRI +
			200 + 8,
		RemotePosts:   len("iri authorId tweetId updatedAt deleted expireAt") + MaxIRI + remoteID + tweetIDLength + 17,
		RemoteObjects: len("address objectId json fetchedAt expireAt") + 2*MaxIRI + MaxKeptObject + 16,
		RemoteServers: len("lrddTemplate expireAt") + MaxIRI + 8,
	} {
		if most := Row(name).Bound.Bytes; bytes > most {
			t.Errorf("a document of %s has %d bytes, and its bound is %d", name, bytes, most)
		}
	}
}

// An actor is kept for as long as its server says, between an hour and a week.
func TestKept(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	for age, want := range map[time.Duration]time.Duration{0: time.Hour, -time.Hour: time.Hour, time.Minute: time.Hour,
		5 * time.Hour: 5 * time.Hour, 1000 * time.Hour: 7 * 24 * time.Hour} {
		if a := (RemoteActor{MaxAge: age}).Kept(now); a.ExpireAt.Sub(now) != want || !a.FetchedAt.Equal(now) {
			t.Errorf("an actor of %s is kept for %s, want %s", age, a.ExpireAt.Sub(now), want)
		}
	}
}

// The key of the installation is no key of a user, and a user's keys begin with the user alone.
func TestActorKeys(t *testing.T) {
	t.Parallel()
	for _, uid := range []UserID{"ann", "ann_now", "_now", "now", "%"} {
		if k := ActorKeyKey(uid); k == ActorKeyKey("") || KeyUser(k) != uid || KeyUser(FormerActorKeyKey(uid, "a")) != uid {
			t.Errorf("the key of %q is %q, of %q", uid, k, KeyUser(k))
		}
	}
}
