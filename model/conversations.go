package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Limits of conversations.
const (
	MaxConversationMembers = 32 // with the user who begins it; nobody is added later
	MaxConversationName    = 60
	MaxPendingRequests     = 100 // conversations that wait for the consent of one user
	MaxPendingMessages     = 5   // in a conversation to which nobody but its sender has consented
	MaxConversationPage    = 20
	MaxUnreadConversations = 100 // that an unread count reads together

	maxRememberedSends = 10 // requests of a member that may be repeated

	// ConversationLag is how far the clocks of two processes may differ for an unread count. UnreadBehind is how many
	// conversations it reads again until it notes that they are read: a write costs 3 reads, and clients count some 20
	// times a day.
	ConversationLag = time.Hour
	UnreadBehind    = 3
	// UnreadOverlap is how far back a client asks that has counted before.
	UnreadOverlap = time.Minute
)

// ConversationID names a conversation: 32 lower-case hexadecimal digits. That of two users follows from their ids, so
// that two users have one. It is no secret, and says nothing to others.
type ConversationID string

const conversationIDLength = 32

// PairID names the conversation of two users.
func PairID(a, b UserID) ConversationID {
	return ConversationID(hashedID(conversationIDLength, "pair", string(min(a, b)), string(max(a, b))))
}

// GroupID names a conversation that a user begins with several others. A request with a key that is repeated gets the
// same id.
func GroupID(by UserID, requestKey string) ConversationID {
	return ConversationID(hashedID(conversationIDLength, "group", string(by), requestKey))
}

// ParseConversationID checks the form of the id of a conversation. Any other text is errs.Invalid.
func ParseConversationID(s string) (ConversationID, error) {
	if !isHex(s, conversationIDLength) {
		return "", errs.New(errs.Invalid, "invalid_conversation_id", "the id of a conversation is %d lower-case "+
			"hexadecimal digits", conversationIDLength)
	}
	return ConversationID(s), nil
}

// MemberState is what a user is to a conversation.
type MemberState string

// All states.
const (
	StateMember    MemberState = "member"
	StateRequested MemberState = "requested" // a stranger began it, and the user has not answered
	StateRefused   MemberState = "refused"   // the user refused the request of a stranger
	StateLeft      MemberState = "left"      // the user left a conversation of several
	StateGone      MemberState = "gone"      // the account was deleted
)

// Present reports whether the user may read the conversation.
func (s MemberState) Present() bool { return s == StateMember || s == StateRequested }

// ConversationMember is a user in a conversation.
type ConversationMember struct {
	Author               // the user's name and avatar
	State    MemberState `firestore:"state"`
	JoinedAt time.Time   `firestore:"joinedAt"`
	// MutedUntil is until when the user gets no push of the conversation; zero for no mute.
	MutedUntil time.Time `firestore:"mutedUntil,omitempty"`
	// the user deleted the messages up to this number, for themselves
	Cleared int64 `firestore:"clearedUpTo,omitempty"`
	Sent    int64 `firestore:"sent,omitempty"`  // number of the user's last message
	Since   int64 `firestore:"since,omitempty"` // the number of the last message before a request
	// Sends are the user's newest requests that may be repeated, the newest last: "hash of the key:hash:message id".
	Sends []string `firestore:"sends,omitempty"`
	Hides bool     `firestore:"hides,omitempty"` // the user deleted single messages for themselves
	// Erasing is the part that the account deletion of the user cleans next; empty if there is none.
	Erasing PartKey `firestore:"erasing,omitempty"`
}

// Muted reports whether the user gets no push of the conversation.
func (m *ConversationMember) Muted(now time.Time) bool { return now.Before(m.MutedUntil) }

// sendKey is the hash of the key of a request.
func sendKey(key string) string { return hashedID(16, "send", key) }

// Repeated returns the message that an earlier request with the same key sent; empty if there was none, or if the user
// has sent 10 others since. With another hash it is errs.Conflict.
func (m *ConversationMember) Repeated(r Request) (MessageID, error) {
	if r.Key == "" {
		return "", nil
	}
	for _, send := range m.Sends {
		key, rest, _ := strings.Cut(send, ":")
		hash, id, _ := strings.Cut(rest, ":")
		if key == sendKey(r.Key) {
			if hash != hashedID(16, r.Hash) {
				return "", errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
			}
			return MessageID(id), nil
		}
	}
	return "", nil
}

// Conversation is a conversation of two to 32 users: conversations/{conversationId}. Its messages are in parts, see
// [MessagePart]. No user is ever added: whoever is added could read what was said before.
type Conversation struct {
	ID ConversationID `firestore:"-"`
	// MemberIDs and RequestedIDs are the present users, by state. Both have an index with ChangedAt.
	MemberIDs    []string `firestore:"memberIds"`
	RequestedIDs []string `firestore:"requestedIds"`
	// Participants are all users whose messages or reactions it may have. Account deletions and exports find it by them.
	Participants []string                       `firestore:"participants"`
	Members      map[string]*ConversationMember `firestore:"members"` // all users who ever were in it, by uid
	Pair         bool                           `firestore:"pair"`    // of two users
	Name         string                         `firestore:"name,omitempty"`
	CreatedBy    UserID                         `firestore:"createdBy"`
	Request      string                         `firestore:"request,omitempty"` // hash of the request that began it
	CreatedAt    time.Time                      `firestore:"createdAt"`

	Seq       int64       `firestore:"seq"`  // number of the last message
	Part      PartKey     `firestore:"part"` // the newest part, how many messages it has, and about their bytes
	PartCount int         `firestore:"partCount"`
	PartBytes int         `firestore:"partBytes"`
	Last      LastMessage `firestore:"last"`
	// ChangedAt is the time of the last message. It never goes back, whatever the clocks of processes say.
	ChangedAt time.Time `firestore:"changedAt"`
}

// LastMessage is what a list of conversations shows of the last message.
type LastMessage struct {
	ID       MessageID `firestore:"id"`
	AuthorID UserID    `firestore:"authorId"`
	Snippet  string    `firestore:"snippet"` // the first MaxExcerpt characters
	HasMedia bool      `firestore:"hasMedia,omitempty"`
	Taken    bool      `firestore:"takenBack,omitempty"`
}

// TakenBack is the last message after its author took it back.
func (l LastMessage) TakenBack() LastMessage {
	return LastMessage{ID: l.ID, AuthorID: l.AuthorID, Taken: true}
}

// Member returns a user in the conversation; nil if the user never was in it.
func (c *Conversation) Member(uid UserID) *ConversationMember { return c.Members[string(uid)] }

// StateOf returns the state of a user; empty for a user who never was in the conversation.
func (c *Conversation) StateOf(uid UserID) MemberState {
	if m := c.Member(uid); m != nil {
		return m.State
	}
	return ""
}

// Put gives a user a state, also in the lists of present users.
func (c *Conversation) Put(uid UserID, state MemberState) {
	c.Members[string(uid)].State = state
	c.MemberIDs = c.in(func(m *ConversationMember) bool { return m.State == StateMember })
	c.RequestedIDs = c.in(func(m *ConversationMember) bool { return m.State == StateRequested })
	c.Participants = c.in(func(m *ConversationMember) bool { return m.State != StateGone || m.Erasing != "" })
}

// Forget makes a member one whose account is deleted. The member's texts have to go from all parts, the newest first.
func (c *Conversation) Forget(uid UserID) {
	c.Members[string(uid)] = &ConversationMember{State: StateGone, Cleared: c.Seq, Erasing: c.Part,
		JoinedAt: c.Members[string(uid)].JoinedAt}
	if c.Last.AuthorID == uid {
		c.Last = c.Last.TakenBack()
	}
	c.Put(uid, StateGone)
}

// Close ends a conversation that has no member any more: nobody is asked for consent to it. It reports whether nobody
// is present, so that the messages have to go.
func (c *Conversation) Close() bool {
	if len(c.MemberIDs) > 0 {
		return false
	}
	for _, uid := range UserIDs(c.RequestedIDs) {
		c.Put(uid, StateLeft)
	}
	return true
}

// in lists the users of a kind, sorted.
func (c *Conversation) in(is func(*ConversationMember) bool) []string {
	uids := []string{}
	for _, uid := range slices.Sorted(maps.Keys(c.Members)) {
		if is(c.Members[uid]) {
			uids = append(uids, uid)
		}
	}
	return uids
}

// Present lists the users who may read the conversation.
func (c *Conversation) Present() []UserID {
	return append(UserIDs(c.MemberIDs), UserIDs(c.RequestedIDs)...)
}

// UserIDs converts texts to ids of users.
func UserIDs(texts []string) []UserID {
	uids := make([]UserID, len(texts))
	for i, t := range texts {
		uids[i] = UserID(t)
	}
	return uids
}

// Everybody lists all users who ever were in the conversation, sorted.
func (c *Conversation) Everybody() []UserID { return UserIDs(slices.Sorted(maps.Keys(c.Members))) }

// Other is the other user of a conversation of two.
func (c *Conversation) Other(uid UserID) UserID {
	for _, o := range c.Everybody() {
		if o != uid {
			return o
		}
	}
	return ""
}

// Pending reports whether nobody but a sender has consented to the conversation.
func (c *Conversation) Pending(sender UserID) bool {
	return len(c.RequestedIDs) > 0 && !slices.ContainsFunc(c.MemberIDs, func(uid string) bool {
		return UserID(uid) != sender
	})
}

// Ended reports whether a user can write no more to a conversation of two: the other one has refused or is gone.
func (c *Conversation) Ended(uid UserID) bool { return c.Pair && !c.StateOf(c.Other(uid)).Present() }

// Unread returns how many messages a user has not read, if the user has read up to a number.
func (c *Conversation) Unread(uid UserID, read int64) int64 {
	m := c.Member(uid)
	if m == nil || m.State != StateMember {
		return 0
	}
	return max(0, c.Seq-max(read, m.Sent, m.Cleared))
}

// asked is the number of the last message before the newest request.
func (c *Conversation) asked() (since int64) {
	for _, uid := range c.RequestedIDs {
		since = max(since, c.Members[uid].Since)
	}
	return since
}

// MayWriteIn returns an error unless a present user may write a message, with or without media.
// blocked says that there is a block between the two users of a conversation of two.
func (c *Conversation) MayWriteIn(uid UserID, blocked, media bool) error {
	switch {
	case !c.StateOf(uid).Present():
		return NoConversation(c.ID)
	case c.Ended(uid), c.Pair && blocked:
		return notAllowed("write in this conversation")
	case c.StateOf(uid) == StateRequested || !c.Pending(uid):
		return nil
	case media:
		return errs.New(errs.Conflict, "request_pending", "pictures can be sent once the other has accepted the conversation")
	case c.Seq-c.asked() >= MaxPendingMessages:
		return errs.New(errs.Conflict, "request_pending", "%d messages are as many as you can send before the other has "+
			"accepted the conversation", MaxPendingMessages)
	}
	return nil
}

// Add appends a message at a time, and returns its id and its part. began says that the message begins a new part,
// after the part previous. The time of a message is never before that of the one before it.
func (c *Conversation) Add(m *Message, r Request, now time.Time) (id MessageID, part, previous PartKey, began bool) {
	if !now.After(c.ChangedAt) {
		now = c.ChangedAt.Add(time.Microsecond)
	}
	m.At, previous = now, c.Part
	part = previous
	switch month := MonthOf(now); {
	case previous == "" || previous.Month() < month:
		part, began = NewPartKey(c.ID, month, 0), true
	case c.PartCount >= MaxPartMessages || c.PartBytes+m.Bytes() > MaxPartBytes:
		part, began = NewPartKey(c.ID, previous.Month(), previous.Number()+1), true
	}
	if began {
		c.Part, c.PartCount, c.PartBytes = part, 0, 0
	}
	c.Seq++
	c.PartCount++
	c.PartBytes += m.Bytes()
	c.ChangedAt = now
	id = NewMessageID(part, c.Seq)
	c.Last = LastMessage{ID: id, AuthorID: m.AuthorID, Snippet: Snippet(m.Text, MaxExcerpt), HasMedia: len(m.Media) > 0}
	by := c.Members[string(m.AuthorID)]
	by.Sent = c.Seq
	if r.Key != "" {
		by.Sends = append(by.Sends, fmt.Sprintf("%s:%s:%s", sendKey(r.Key), hashedID(16, r.Hash), id))
		by.Sends = by.Sends[max(0, len(by.Sends)-maxRememberedSends):]
	}
	return id, part, previous, began
}

// Full reports whether a month has as many parts as ids can name: 9,999, which are up to a million messages.
func (c *Conversation) Full(now time.Time) bool {
	return c.Part.Number() >= maxPartNumber && c.Part.Month() >= MonthOf(now)
}

const maxPartNumber = 9_999

// NoConversation returns the error of an id under which the caller has no conversation: there is none, or the caller is
// not in it.
func NoConversation(id ConversationID) error {
	return errs.New(errs.NotFound, "conversation_not_found", "you have no conversation %q", string(id))
}

// NotOfTwo returns the error of what only conversations of several users have.
func NotOfTwo() error {
	return errs.New(errs.Conflict, "conversation_of_two", "a conversation of two has no name, and nobody leaves it; "+
		"delete it for yourself")
}

// ConversationName is the form in which the name of a conversation is stored. An empty text is no name. A text that
// shows nothing, or that breaks the line, is errs.Invalid.
func ConversationName(s string) (string, error) {
	s, err := cleanText("name", strings.TrimSpace(s), MaxConversationName)
	if err == nil && s != "" && (!hasVisible(s) || strings.ContainsFunc(s, isUnfit)) {
		err = errs.New(errs.Invalid, "invalid_conversation_name", "the name of a conversation has 1 to %d characters that "+
			"can be seen", MaxConversationName)
	}
	return s, err
}

// NewConversation is what a user begins.
type NewConversation struct {
	Others []UserID // without the user
	Name   string   // of several users only; may be empty
	NewMessage
}

// Clean returns the conversation with its texts in NFC. Nobody else, too many, a user twice, the user themselves, and a
// name of two are errs.Invalid.
func (n NewConversation) Clean(by UserID) (_ NewConversation, err error) {
	for i, uid := range n.Others {
		if _, err := ParseUserID(string(uid)); err != nil {
			return n, err
		}
		if uid == by || slices.Contains(n.Others[:i], uid) {
			return n, errs.New(errs.Invalid, "invalid_members", "a conversation has each of its members once, and its author "+
				"besides")
		}
	}
	if len(n.Others) == 0 || len(n.Others) >= MaxConversationMembers {
		return n, errs.New(errs.Invalid, "invalid_members", "a conversation has 1 to %d members beside its author",
			MaxConversationMembers-1)
	}
	if n.Name, err = ConversationName(n.Name); err != nil {
		return n, err
	}
	if n.Name != "" && len(n.Others) == 1 {
		return n, errs.New(errs.Invalid, "invalid_conversation_name", "a conversation of two has no name")
	}
	n.NewMessage, err = n.NewMessage.Clean()
	return n, err
}

// MessagesFrom says who may begin a conversation with a user. It is a setting of the user.
type MessagesFrom string

// All settings.
const (
	MessagesFromAll      MessagesFrom = "" // everybody; the messages of strangers are requests
	MessagesFromFollowed MessagesFrom = "following"
	MessagesFromNobody   MessagesFrom = "nobody"
)

// ParseMessagesFrom reads a setting as clients write it. An unknown one is errs.Invalid.
func ParseMessagesFrom(s string) (MessagesFrom, error) {
	switch s {
	case "everybody":
		return MessagesFromAll, nil
	case string(MessagesFromFollowed), string(MessagesFromNobody):
		return MessagesFrom(s), nil
	}
	return "", errs.New(errs.Invalid, "invalid_messages_from", "%q is no setting of who may write; it must be everybody, "+
		"following or nobody", Snippet(s, maxQuoted))
}

// String is the setting as clients read it.
func (f MessagesFrom) String() string {
	if f == MessagesFromAll {
		return "everybody"
	}
	return string(f)
}

// Begins returns the state of a user in a conversation that another begins: the user follows that one, or has a block
// with that one. If the user takes no messages of that one, the error is errs.Forbidden, and does not say why.
func (f MessagesFrom) Begins(follows, blocked bool) (MemberState, error) {
	switch {
	case blocked, f == MessagesFromNobody, f == MessagesFromFollowed && !follows:
		return "", notAllowed("write to these people")
	case follows:
		return StateMember, nil
	}
	return StateRequested, nil
}

// Inbox is what a user alone knows of conversations: inboxes/{uid}.
type Inbox struct {
	// Read is up to which message the user has read each conversation, see [ReadMark].
	Read   map[string]ReadMark    `firestore:"read,omitempty"`
	Hidden map[string][]MessageID `firestore:"hidden,omitempty"` // single messages that the user deleted for themselves
	// Waiting has the conversations that were unread when they were counted last, and changed before CheckedAt: up to
	// their last message. All others that changed before are read.
	Waiting   map[string]ReadMark `firestore:"waiting,omitempty"`
	CheckedAt time.Time           `firestore:"checkedAt,omitempty"`
	Size      int                 `firestore:"size,omitempty"` // at least the number of entries of Read
}

// Limits of an inbox.
const (
	MaxWaiting        = 100   // older ones count as read
	MaxReadMarks      = 1_000 // the oldest go; their conversations changed long before CheckedAt
	MaxHiddenMessages = 2_000
)

// ReadMark is the number of a message, with the month of its part above it: the greater one is the later one, and the
// oldest marks of different conversations can be found. It never goes down.
type ReadMark int64

const readMarkBits = 40

// MarkOf is the mark of a message.
func MarkOf(id MessageID) ReadMark {
	return ReadMark(id.month().start().Unix()/86_400<<readMarkBits | id.Number())
}

// Number is the number of the message.
func (m ReadMark) Number() int64 { return int64(m & (1<<readMarkBits - 1)) }
