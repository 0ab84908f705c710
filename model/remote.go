package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/words"
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

// RemoteUserIDs are the first id that a remote user may have, and the first id after them.
func RemoteUserIDs() (from, to string) { return remotePrefix, "ap." }

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

const (
	// MinRemotePerson is the shortest time for which a profile of another server stays as it was read, and MaxRemotePerson
	// the longest. RemotePersonAge is the time if its server says nothing.
	MinRemotePerson = 6 * time.Hour
	// MaxRemotePerson is the longest such time.
	MaxRemotePerson = 7 * 24 * time.Hour
	// RemotePersonAge is the time if its server says nothing.
	RemotePersonAge = 24 * time.Hour

	// MaxRemoteName is how many characters the name in a handle of another server has.
	MaxRemoteName = words.MaxHandleName
	// MaxRemoteHost is how many its host has.
	MaxRemoteHost = words.MaxHandleHost
)

// RemoteObject is a document of another server, as it came.
type RemoteObject struct {
	Address string // the one that was asked
	ID      string // the address by which the object names itself, of the same host
	JSON    string
	MaxAge  time.Duration // what its server said of how long it may be kept; 0 if nothing
}

// Finger is what WebFinger says of a handle.
type Finger struct {
	Subject string // the handle as its server writes it, such as acct:bob@example.org
	Type    string // of the link to the actor
	Href    string // the address of the actor
	MaxAge  time.Duration
}

// RemotePerson is a person of another server, within the limits of profiles.
type RemotePerson struct {
	User   User
	Detail UserDetail
	// Confirmed says that the server of the handle confirms that the handle is the actor's.
	Confirmed bool
}

// RemoteUsername is the username of a handle of another server: bob@example.org, in lower case. A name or a host that
// no handle has is errs.Invalid.
func RemoteUsername(name, host string) (string, error) {
	name, host = strings.ToLower(name), strings.ToLower(host)
	fit := name != "" && len(name) <= MaxRemoteName && host != "" && len(host) <= MaxRemoteHost &&
		strings.Trim(name, ".") != ""
	for _, r := range name {
		fit = fit && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("_.-", r))
	}
	for _, r := range host {
		fit = fit && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune(".-:[]", r))
	}
	if !fit {
		return "", errs.New(errs.Invalid, "invalid_handle", "a handle has a name of at most %d letters, digits and _ . -, "+
			"and a host of at most %d characters in ASCII", MaxRemoteName, MaxRemoteHost)
	}
	return name + "@" + host, nil
}

// ParseHandle takes a handle apart: @bob@example.org, bob@example.org and acct:bob@example.org. ok is false for
// anything else.
func ParseHandle(s string) (name, host string, ok bool) {
	s = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(s), "acct:"), "@")
	name, host, ok = strings.Cut(s, "@")
	if !ok {
		return "", "", false
	}
	if host, ok = words.Host(host); !ok {
		return "", "", false
	}
	username, err := RemoteUsername(name, host)
	if err != nil {
		return "", "", false
	}
	name, host, _ = strings.Cut(username, "@")
	return name, host, true
}

// OtherUsername is the username of a remote user whose handle is another actor's: a part of the user's id makes it
// another one, long enough that nobody makes an actor with the same part.
func OtherUsername(username string, uid UserID) string {
	name, host, _ := strings.Cut(username, "@")
	const digits = 16
	if len(name) > MaxRemoteName-digits-1 {
		name = name[:MaxRemoteName-digits-1]
	}
	return name + "-" + string(uid[len(remotePrefix):len(remotePrefix)+digits]) + "@" + host
}

// StalePerson is when a profile that was read at a time is to be read again. age is what its server says.
func StalePerson(at time.Time, age time.Duration) time.Time {
	if age <= 0 {
		age = RemotePersonAge
	}
	return at.Add(min(max(age, MinRemotePerson), MaxRemotePerson))
}

// MaxRemoteIntroduction is how many characters of an introduction of another server are kept.
const MaxRemoteIntroduction = 5_000

// FitLine makes a text that others wrote one that [ValidateNickname] and the fields of profiles take: one line in NFC,
// without characters that control or turn text, at most limit characters. A text without anything to see is empty.
func FitLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case isUnfit(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.TrimSpace(words.Cut(norm.NFC.String(strings.Join(strings.Fields(s), " ")), limit))
	if !hasVisible(s) {
		return ""
	}
	return s
}

// FitText makes a text that others wrote one that an introduction and a post take: NFC, valid UTF-8.
func FitText(s string) string { return norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD")) }

// FitAvatar returns an address that an avatar may have; empty for another one.
func FitAvatar(s string) string {
	if validateAvatar(s) != nil {
		return ""
	}
	return s
}

const (
	// RemoteStoneWindow is how long the database remembers that a post of another server was deleted: so long a late or
	// repeated creation of it is refused.
	RemoteStoneWindow = 90 * 24 * time.Hour

	// MinRemoteObject is the shortest time for which a document of another server is kept, and MaxRemoteObject the
	// longest.
	MinRemoteObject = 10 * time.Minute
	// MaxRemoteObject is the longest such time.
	MaxRemoteObject = 24 * time.Hour
	// MaxKeptObject is how many bytes a document of another server has that is kept.
	MaxKeptObject = 256 << 10

	// RemoteFacetAge is how long the answer of WebFinger is kept if its server does not say. It is at least
	// MinRemoteActor and at most MaxRemoteActor.
	RemoteFacetAge = 24 * time.Hour
	// RemoteServerAge is how long what is known of a server is kept.
	RemoteServerAge = 7 * 24 * time.Hour
)

// RemotePostMark says which tweet a post of another server is: apPosts/{RemotePostKey}. The commit that makes the tweet
// makes it, so a post becomes one tweet. The mark of a deleted post stays a while.
type RemotePostMark struct {
	IRI       string    `firestore:"iri"`
	AuthorID  UserID    `firestore:"authorId"`
	TweetID   TweetID   `firestore:"tweetId,omitempty"`   // empty if the deletion came before the post
	UpdatedAt time.Time `firestore:"updatedAt,omitempty"` // of the version that is known, as its server says
	Deleted   bool      `firestore:"deleted,omitempty"`
	ExpireAt  time.Time `firestore:"expireAt,omitempty"` // of a deleted post
}

// RemotePostKey names the mark of a post: the hash of its address.
func RemotePostKey(iri string) string { return RemoteActorKey(iri) }

// RemoteTweetID is the id of the tweet for a post of another server. try is 0 at first, and 1 more for each time that
// the id was another post's. The id has the time of the post, and a hash of its address.
func RemoteTweetID(author UserID, iri string, at time.Time, try int) TweetID {
	sum := sha256.Sum256([]byte(iri + strings.Repeat("\x00", try)))
	low := (uint64(sum[0])<<16 | uint64(sum[1])<<8 | uint64(sum[2])) >> 4
	return TweetID(fmt.Sprintf("%02x%016x", hashByte(string(author)), uint64(at.UnixMilli())<<20|low))
}

// RemoteCopy is a document of another server as it came: apObjects/{RemoteActorKey}. JSON is a text, because Firestore
// holds no lists within lists.
type RemoteCopy struct {
	Address   string    `firestore:"address"` // the one that was asked
	ID        string    `firestore:"objectId"`
	JSON      string    `firestore:"json"`
	FetchedAt time.Time `firestore:"fetchedAt"`
	ExpireAt  time.Time `firestore:"expireAt"`
}

// Kept is the document as it is kept from a time on.
func (o RemoteObject) Kept(now time.Time) RemoteCopy {
	return RemoteCopy{Address: o.Address, ID: o.ID, JSON: o.JSON, FetchedAt: now,
		ExpireAt: now.Add(min(max(o.MaxAge, MinRemoteObject), MaxRemoteObject))}
}

// Object is the document without its times.
func (c *RemoteCopy) Object() RemoteObject {
	return RemoteObject{Address: c.Address, ID: c.ID, JSON: c.JSON, MaxAge: c.ExpireAt.Sub(c.FetchedAt)}
}

// RemoteServer is what is known of a server: apServers/{host}.
type RemoteServer struct {
	// Template is the address for WebFinger that its host-meta names: lrdd. It is empty for the usual one.
	Template string    `firestore:"lrddTemplate,omitempty"`
	ExpireAt time.Time `firestore:"expireAt"`
}

// RemoteFacet is what WebFinger says of a handle: apActors/{RemoteActorKey of the handle}/facets/webfinger.
type RemoteFacet struct {
	Account  string    `firestore:"account"` // the handle that was asked, such as acct:bob@example.org
	Subject  string    `firestore:"subject"` // as its server writes it
	Type     string    `firestore:"type"`    // of the link to the actor
	Href     string    `firestore:"href"`    // the address of the actor
	ExpireAt time.Time `firestore:"expireAt"`
}

// WebFingerFacet is the id of a [RemoteFacet].
const WebFingerFacet = "webfinger"

// Kept is the answer as it is kept from a time on.
func (f Finger) Kept(account string, now time.Time) RemoteFacet {
	age := f.MaxAge
	if age <= 0 {
		age = RemoteFacetAge
	}
	return RemoteFacet{Account: account, Subject: f.Subject, Type: f.Type, Href: f.Href,
		ExpireAt: now.Add(min(max(age, MinRemoteActor), MaxRemoteActor))}
}

// Finger is the answer without its times.
func (f *RemoteFacet) Finger() Finger { return Finger{Subject: f.Subject, Type: f.Type, Href: f.Href} }
