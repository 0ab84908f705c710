package model

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"
)

// Bounds of what goes out to other servers.
const (
	// OutgoingWindow is how long the body of an activity is kept at most: longer than its last attempt is away.
	OutgoingWindow = 4 * 24 * time.Hour
	// MaxOutgoingBody is how many bytes an activity has. A post that makes more goes out as its address alone. An event
	// has the document twice, and 512 KiB at most.
	MaxOutgoingBody = 90_000
	// MaxOutgoingInboxes is how many inboxes an activity names, besides those of followers.
	MaxOutgoingInboxes = 150
	// OutgoingStep is how many inboxes one step asks.
	OutgoingStep = 50

	// MaxInbox is how many bytes the address of an inbox has.
	MaxInbox = 1_000
	// AudienceParts is into how many documents the inboxes of a user's remote followers are divided. The first has
	// FirstAudience inboxes before others are used, so most users have no other.
	AudienceParts = 16
	FirstAudience = 500
	// MaxAudiencePart is how many bytes a part has, about. Followers beyond it get nothing.
	MaxAudiencePart = 800_000
	// MaxAudienceWitnesses is how many followers with one inbox are known by name.
	MaxAudienceWitnesses = 50

	// MaxRemoteDeliveries is how many deliveries to the hosts of one registered domain are kept, those that were given
	// up among them.
	MaxRemoteDeliveries = 1_000
	// MaxRemoteFailure is how many characters of the reason of a failure are kept.
	MaxRemoteFailure = 200
	// CircuitFailures is after how many failures in a row a host is asked no more until a time.
	CircuitFailures = 5
	// RemoteCircuitWindow is how long a server's failures are remembered.
	RemoteCircuitWindow = 7 * 24 * time.Hour
)

// Outgoing is an activity on its way to other servers: outgoing/{id}. Each write of it is the event of the next step.
// It
// is deleted after its last step, or stays until it expires if a delivery is to be tried again, with Done.
type Outgoing struct {
	ID   string `firestore:"-"`
	By   UserID `firestore:"by"`   // whose key signs; empty for the installation
	What string `firestore:"what"` // the type of the activity, such as Create
	Body []byte `firestore:"body"` // its JSON, at most MaxOutgoingBody bytes
	// Tweet is the post that it tells of; empty for others. It goes out while the post is there alone: who hears first of
	// a deletion must not hear of the post later.
	Tweet TweetID `firestore:"tweetId,omitempty"`
	// Audience is who could read Tweet then: it goes out no more if fewer may now, or if moderators hid it.
	Audience Audience `firestore:"audience,omitempty"`
	// Tells are the paths of the documents that it tells of, such as that of a like: it goes out while one is there that
	// began at Since, and one that tells of an end, without Since, while none is there. So a late attempt overtakes no
	// later act. Empty for others.
	Tells []string  `firestore:"tells,omitempty"`
	Since time.Time `firestore:"since,omitempty"` // createdAt of what Tells names; none for an end
	// Inboxes are those that get it first, at most MaxOutgoingInboxes. Of is the user whose remote followers get it after
	// that; empty for nobody else.
	Inboxes []string `firestore:"inboxes,omitempty"`
	Of      UserID   `firestore:"of,omitempty"`
	// Key is the key that signs, of a user whose account is being deleted; nil for others.
	Key *ActorKey `firestore:"key,omitempty"`

	// The place of the next step: how many of Inboxes were asked, the part of the audience, and the InboxKey of the last
	// of it.
	Asked int    `firestore:"asked"`
	Part  int    `firestore:"part"`
	After string `firestore:"after,omitempty"`

	Waits     bool      `firestore:"waits,omitempty"` // a delivery of it is tried again
	Done      bool      `firestore:"done,omitempty"`
	CreatedAt time.Time `firestore:"createdAt"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// OutgoingID names an activity by its address, so that an event that comes twice makes one document.
func OutgoingID(activity string) string {
	sum := sha256.Sum256([]byte(activity))
	return hex.EncodeToString(sum[:16])
}

// RemoteAudience has the inboxes of remote followers of a user: apAudiences/{uid}_{part}.
type RemoteAudience struct {
	Inboxes map[string]AudienceInbox `firestore:"inboxes"`         // by InboxKey
	Parts   []int                    `firestore:"parts,omitempty"` // of part 0: which other parts have inboxes; sorted
}

// AudienceInbox is an inbox with the followers that have it.
type AudienceInbox struct {
	Inbox     string   `firestore:"inbox"`
	Followers []string `firestore:"followers"`      // WitnessKey of each, at most MaxAudienceWitnesses
	More      bool     `firestore:"more,omitempty"` // there were more: then the inbox stays until they are counted
}

// RemoteAudienceKey names a part of the audience of a user.
func RemoteAudienceKey(uid UserID, part int) string { return key(uid) + "_" + strconv.Itoa(part) }

// InboxKey names an inbox in an audience.
func InboxKey(inbox string) string {
	sum := sha256.Sum256([]byte(inbox))
	return hex.EncodeToString(sum[:8])
}

// InboxPart is the part for an inbox, if the first is full.
func InboxPart(inbox string) int {
	sum := sha256.Sum256([]byte(inbox))
	return 1 + int(sum[8])%(AudienceParts-1)
}

// WitnessKey names a follower in an audience.
func WitnessKey(follower UserID) string {
	sum := sha256.Sum256([]byte(follower))
	return hex.EncodeToString(sum[:8])
}

// Size is about how many bytes the document has.
func (a *RemoteAudience) Size() (n int) {
	for k, in := range a.Inboxes {
		n += len(k) + len(in.Inbox) + 17*len(in.Followers) + 40
	}
	return n + 200
}

// Add adds a follower, and reports whether that changed the audience. full says that there was no room.
func (a *RemoteAudience) Add(follower UserID, inbox string) (changed, full bool) {
	k, who := InboxKey(inbox), WitnessKey(follower)
	in, known := a.Inboxes[k]
	switch {
	case slices.Contains(in.Followers, who):
		return false, false
	case !known && (a.Size()+len(inbox) > MaxAudiencePart || len(inbox) > MaxInbox):
		return false, true
	case len(in.Followers) >= MaxAudienceWitnesses:
		if in.More {
			return false, false
		}
		in.More = true
	default:
		in.Inbox, in.Followers = inbox, append(slices.Clone(in.Followers), who)
	}
	if a.Inboxes == nil {
		a.Inboxes = map[string]AudienceInbox{}
	}
	a.Inboxes[k] = in
	return true, false
}

// Remove removes a follower from all inboxes but one, and reports whether that changed the audience. An inbox without
// followers leaves, unless it had more than are known.
func (a *RemoteAudience) Remove(follower UserID, but string) (changed bool) {
	who := WitnessKey(follower)
	for k, in := range a.Inboxes {
		i := slices.Index(in.Followers, who)
		if i < 0 || but != "" && in.Inbox == but {
			continue
		}
		changed = true
		in.Followers = slices.Delete(slices.Clone(in.Followers), i, i+1)
		if len(in.Followers) == 0 && !in.More {
			delete(a.Inboxes, k)
		} else {
			a.Inboxes[k] = in
		}
	}
	return changed
}

// Uncounted are the inboxes of whose followers none is known, and that had more than are known.
func (a *RemoteAudience) Uncounted() (inboxes []string) {
	for _, in := range a.Inboxes {
		if len(in.Followers) == 0 && in.More {
			inboxes = append(inboxes, in.Inbox)
		}
	}
	slices.Sort(inboxes)
	return inboxes
}

// Count sets who has an inbox of [RemoteAudience.Uncounted]; without followers it leaves. more says that there may be
// others. It reports whether that changed the audience.
func (a *RemoteAudience) Count(inbox string, followers []UserID, more bool) (changed bool) {
	k := InboxKey(inbox)
	in, known := a.Inboxes[k]
	switch {
	case !known, len(in.Followers) > 0, !in.More, len(followers) == 0 && more:
		return false
	case len(followers) == 0:
		delete(a.Inboxes, k)
		return true
	}
	in.More = more || len(followers) > MaxAudienceWitnesses
	for _, follower := range followers[:min(len(followers), MaxAudienceWitnesses)] {
		in.Followers = append(in.Followers, WitnessKey(follower))
	}
	a.Inboxes[k] = in
	return true
}

// RemoteDelivery is an activity that an inbox did not take yet: apDeliveries/{RemoteDeliveryKey}. One that was given up
// has no DueAt, and stays until it expires.
type RemoteDelivery struct {
	ID         string    `firestore:"-"`
	OutgoingID string    `firestore:"outgoingId"`
	Inbox      string    `firestore:"inbox"`
	Host       string    `firestore:"host"`
	Domain     string    `firestore:"domain"`           // that somebody registered, of the host
	Attempts   int       `firestore:"attempts"`         // that failed
	Status     int       `firestore:"status,omitempty"` // HTTP status of the last answer
	Failure    string    `firestore:"failure"`          // at most MaxRemoteFailure characters
	DueAt      time.Time `firestore:"dueAt,omitempty"`  // of the next attempt
	CreatedAt  time.Time `firestore:"createdAt"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

// RemoteDeliveryKey names the delivery of an activity to an inbox.
func RemoteDeliveryKey(outgoing, inbox string) string { return outgoing + "_" + InboxKey(inbox) }

// RemoteCircuit is how another server took what it got last: apCircuits/{host}.
type RemoteCircuit struct {
	Host     string    `firestore:"-"`
	Failures int       `firestore:"failures,omitempty"` // in a row; 0 for a server that takes what it gets
	FailedAt time.Time `firestore:"failedAt,omitempty"` // the last
	RetryAt  time.Time `firestore:"retryAt,omitempty"`  // before which it is asked nothing, after CircuitFailures
	ExpireAt time.Time `firestore:"expireAt"`
}

// Open reports whether the server is asked nothing now.
func (s *RemoteCircuit) Open(now time.Time) bool {
	return s != nil && s.Failures >= CircuitFailures && now.Before(s.RetryAt)
}

// remoteDelays are the times between attempts of a delivery, some 3 days together.
var remoteDelays = []time.Duration{2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	8 * time.Hour, 12 * time.Hour, 20 * time.Hour, 24 * time.Hour}

// NextRemoteAttempt returns when a delivery is tried again after a number of attempts that failed; false if it is given
// up, after 3 days.
func NextRemoteAttempt(attempts int, at time.Time) (time.Time, bool) {
	if attempts > len(remoteDelays) {
		return time.Time{}, false
	}
	return at.Add(remoteDelays[max(attempts, 1)-1]), true
}

// circuitDelays are for how long a host is left alone after each failure from CircuitFailures on.
var circuitDelays = []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour}

// Failed is the server after another failure.
func (s RemoteCircuit) Failed(at time.Time) RemoteCircuit {
	s.Failures++
	s.FailedAt, s.ExpireAt = at, at.Add(RemoteCircuitWindow)
	s.RetryAt = at
	if n := s.Failures - CircuitFailures; n >= 0 {
		s.RetryAt = at.Add(circuitDelays[min(n, len(circuitDelays)-1)])
	}
	return s
}
