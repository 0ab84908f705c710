package model

import (
	"fmt"
	"strings"
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
	out := MaxOutgoingBody + MaxOutgoingInboxes*(MaxInbox+1) + k + 2_000
	if most := Row(Outgoings).Bound.Bytes; out > most {
		t.Errorf("an outgoing activity has %d bytes, and its bound is %d", out, most)
	}
	// An audience takes inboxes until it is full, the last one with all its followers.
	audience := &RemoteAudience{}
	for i := 0; ; i++ {
		inbox := fmt.Sprintf("https://%d.example/%s", i, strings.Repeat("i", MaxInbox-40))
		full := false
		for n := range MaxAudienceWitnesses + 2 {
			if _, is := audience.Add(UserID(fmt.Sprintf("ap-%d-%d", i, n)), inbox); is {
				full = true
			}
		}
		if full {
			break
		}
	}
	entries := len("inboxes parts") + AudienceParts*8
	for k, in := range audience.Inboxes {
		entries += len(k) + 1 + len("inbox followers more") + len(in.Inbox) + 1 + 1 + 13*len(in.Followers)
	}
	if most := Row(RemoteAudiences).Bound.Bytes; entries > most || entries < MaxAudiencePart/2 {
		t.Errorf("an audience has %d bytes, and its bound is %d", entries, most)
	}
	d := len("outgoingId inbox host attempts status failure dueAt createdAt expireAt") + 32 + MaxInbox + 300 +
		4*MaxRemoteFailure +
		5*8 + 64
	if most := Row(RemoteDeliveries).Bound.Bytes; d > most {
		t.Errorf("a delivery has %d bytes, and its bound is %d", d, most)
	}
	if n, most := len("failures failedAt retryAt expireAt")+4*8+300, Row(RemoteCircuits).Bound.Bytes; n > most {
		t.Errorf("a circuit has %d bytes, and its bound is %d", n, most)
	}
	a := len("address actorId keys fetchedAt expireAt") + 2*MaxIRI + 2*8 +
		MaxRemoteKeys*(len("id text")+MaxIRI+MaxRemoteKey)
	if most := Row(RemoteActors).Bound.Bytes; a > most {
		t.Errorf("an actor has %d bytes, and its bound is %d", a, most)
	}
	in := len("address actor host body signedAt receivedAt expireAt") + 2*MaxIRI + 300 + MaxIncomingBody + 3*8
	if most := Row(IncomingActivities).Bound.Bytes; in > most {
		t.Errorf("an activity on its way has %d bytes, and its bound is %d", in, most)
	}
	if n, most := 2*MaxIRI+64+1+3*8+len("of live kind object address signedAt undoneAt expireAt Announce"),
		Row(Activities).Bound.Bytes; n > most {
		t.Errorf("an activity has %d bytes, and its bound is %d", n, most)
	}
	rule := 253 + len("severity rejectMedia rejectReports publicComment privateComment by at") + 7 + 2 +
		2*4*MaxDomainComment + 128 + 8
	if n, most := MaxDomainsOfPage*rule, Row(Domains).Bound.Bytes; n > most {
		t.Errorf("a page of domains has %d bytes, and its bound is %d", n, most)
	}
	if n, most := 2*MaxIRI/3, Row(Purges).Bound.Bytes; n > most {
		t.Errorf("a purge has %d bytes, and its bound is %d", n, most)
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

// An inbox is in an audience while one of its followers is, and stays if there were more than are known.
func TestRemoteAudience(t *testing.T) {
	t.Parallel()
	a := &RemoteAudience{}
	for i := range MaxAudienceWitnesses + 1 {
		if changed, full := a.Add(UserID(fmt.Sprint(i)), "https://a.example/inbox"); !changed || full {
			t.Fatalf("follower %d: %t, %t", i, changed, full)
		}
	}
	if changed, _ := a.Add("more", "https://a.example/inbox"); changed {
		t.Error("a follower beyond those who are known changes something")
	}
	a.Add("one", "https://b.example/inbox")
	for i := range MaxAudienceWitnesses + 1 {
		a.Remove(UserID(fmt.Sprint(i)), "")
	}
	if !a.Remove("one", "") || a.Remove("one", "") || len(a.Inboxes) != 1 {
		t.Errorf("the audience is %+v", a)
	}
	if _, full := a.Add("x", "https://c.example/"+strings.Repeat("i", MaxInbox)); !full {
		t.Error("an address that is too long is taken")
	}
}

// The attempts of a delivery take about 3 days, and end while its body is kept.
func TestNextRemoteAttempt(t *testing.T) {
	t.Parallel()
	begin := time.Unix(1e9, 0)
	at, n := begin, 1
	for ; ; n++ {
		next, again := NextRemoteAttempt(n, at)
		if !again {
			break
		}
		at = next
	}
	if took := at.Sub(begin); n != 10 || took < 68*time.Hour || took > OutgoingWindow-12*time.Hour {
		t.Errorf("%d attempts take %s", n, took)
	}
	s := RemoteCircuit{}
	for i := range 20 {
		if open := s.Open(begin); open != (i >= CircuitFailures) {
			t.Errorf("after %d failures: %t", i, open)
		}
		s = s.Failed(begin)
	}
	if s.RetryAt.Sub(begin) != 6*time.Hour {
		t.Errorf("a server that fails always is left alone for %s", s.RetryAt.Sub(begin))
	}
}
