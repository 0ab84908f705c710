package model

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"
)

const (
	// ActivityWindow is how long the database knows that an activity came. A server that sends it once more meanwhile, or
	// sends it only after what undoes it, changes nothing.
	ActivityWindow = 7 * 24 * time.Hour
	// ActivityPatience is how long an activity is tried again while what it needs cannot be read, such as its author at a
	// server that does not answer. After that it is dropped.
	ActivityPatience = time.Hour

	// MaxActivity is how many bytes the text of an activity has at most, as it is sent.
	MaxActivity = 1 << 20
	// MaxIncomingBody is how many bytes the text of an activity has at most, as it is kept.
	MaxIncomingBody = 240_000

	// MaxIncomingOfHost is about how many activities of a host wait at most, and MaxIncoming those of all hosts. Beyond
	// them a server is asked to send again later.
	MaxIncomingOfHost = 500
	// MaxIncoming is that of all hosts.
	MaxIncoming = 5_000
)

// Incoming is an activity of another server on its way: incoming/{ActivityKey}. Its signature held, its actor is the
// owner of the key, and it concerns somebody here.
type Incoming struct {
	ID string `firestore:"-"`

	Address string `firestore:"address"` // of the activity
	Actor   string `firestore:"actor"`   // the address of who sent it
	Host    string `firestore:"host"`    // of the actor
	Body    []byte `firestore:"body"`    // as it was sent, compressed

	SignedAt   time.Time `firestore:"signedAt"` // by the clock of the server
	ReceivedAt time.Time `firestore:"receivedAt"`
	ExpireAt   time.Time `firestore:"expireAt"`
}

// Complete checks that there is an actor and a text.
func (in *Incoming) Complete(id string) error {
	if in.Actor == "" || len(in.Body) == 0 {
		return errors.New("an activity has no actor or no text")
	}
	in.ID = id
	return nil
}

// Pack compresses the text of an activity.
func (in *Incoming) Pack(text []byte) error {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		return err
	}
	err := w.Close()
	in.Body = b.Bytes()
	return err
}

// Text is the text of an activity, as it was sent.
func (in *Incoming) Text() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(in.Body))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, MaxActivity+1))
	if err == nil && len(text) > MaxActivity {
		err = fmt.Errorf("the text of an activity has more than %d bytes", MaxActivity)
	}
	return text, err
}

// Activity is what is known of an activity that came: apActivities/{ActivityKey}. Activities that can be undone say
// what they are about.
type Activity struct {
	// Of is the ActKey of a like, a share, a follow or a block; empty for others.
	Of string `firestore:"of,omitempty"`
	// Live is whether an activity with Of holds: it came, nothing undid it, and no rule of this server refused it.
	Live bool `firestore:"live,omitempty"`
	// Kind is the type of the activity. Of is made of it and of Object, besides the actor, which an Undo needs that names
	// an activity by its address. Address is that of a follow, which an answer names, and of the last move, see MoveKey;
	// empty for others.
	Kind    string `firestore:"kind,omitempty"`
	Object  string `firestore:"object,omitempty"`
	Address string `firestore:"address,omitempty"`
	// SignedAt is when its server signed it, by its clock; zero if it did not come.
	SignedAt time.Time `firestore:"signedAt,omitempty"`
	// UndoneAt is when the server signed what undid it.
	UndoneAt time.Time `firestore:"undoneAt,omitempty"`
	ExpireAt time.Time `firestore:"expireAt"`
}

// Had reports whether a copy of the activity that its server signed at a time changes nothing. Some servers, such as
// Misskey, give a second follow the address of the first, and the same to what undoes them. So a copy of both that was
// signed later counts, and one of anything else that was signed after it was undone. What was undone before it came
// never counts.
func (a *Activity) Had(signed time.Time) bool {
	switch {
	case a.SignedAt.IsZero():
		return true
	case !a.UndoneAt.IsZero():
		return !signed.After(a.UndoneAt)
	}
	return a.Kind != "Follow" && a.Kind != "Undo" || !signed.After(a.SignedAt)
}

// ActivityKey names the document of an activity of an actor. An activity without an address has its text in place of
// it. Nobody can take the key of another's activity.
func ActivityKey(actor, address string) string { return hashed(actor, address) }

// ActKey names what an activity does, whatever its address: an actor likes a post, follows a user.
func ActKey(kind, actor, object string) string { return hashed(kind, actor, object) }

// MoveWindow is how long an account that moved does not move again.
const MoveWindow = 7 * 24 * time.Hour

// MoveKey names the document of the last move of an actor, among those of its activities: no activity has its address.
func MoveKey(actor string) string { return ActivityKey(actor, "move") }

// RemoteMove makes the followers here of an account that moved follow the new one: apMoves/{uid}. With Inbox the
// inbox of
// an account moved, and those whom it follows here deliver to the new one: apMoves/{uid}_inbox.
type RemoteMove struct {
	From     UserID    `firestore:"from"` // whose followers move, or whose inbox
	To       UserID    `firestore:"to,omitempty"`
	Inbox    bool      `firestore:"inbox,omitempty"` // then To is empty
	After    string    `firestore:"after,omitempty"` // the key of the last relationship that was looked at
	ExpireAt time.Time `firestore:"expireAt"`

	ID        string    `firestore:"-"`
	WrittenAt time.Time `firestore:"-"`
}

// Complete checks the ids of both accounts.
func (m *RemoteMove) Complete(id string) error {
	m.ID = id
	if m.Inbox {
		return given(m.From)
	}
	return given(m.From, m.To)
}

// InboxMoveKey names the work of an inbox that moved.
func InboxMoveKey(uid UserID) string { return key(uid) + "_inbox" }

// hashed is a hash of texts. No address has a line break.
func hashed(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d\n%s\n", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}
