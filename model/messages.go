package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
)

// Limits of messages.
const (
	MaxMessage = 2_000 // characters
	// MaxPartMessages and MaxPartBytes are how large a part becomes: then the next message begins the next part. Its
	// reactions come on top. An event has two versions of a part, and Eventarc carries 512,000 bytes.
	MaxPartMessages      = 100
	MaxPartBytes         = 120_000
	MaxPartReactionBytes = 100_000 // some 1,400 reactions

	// TakeBackWindow is how long an author can take a message back.
	TakeBackWindow = time.Hour
)

// PartKey names a part of the messages of a conversation: conversationMonths/{conversationId}_{month}, and with
// _{number} from the second part of a month on.
type PartKey string

// NewPartKey names a part of a month; the first one has number 0.
func NewPartKey(id ConversationID, m Month, number int) PartKey {
	if number == 0 {
		return PartKey(string(id) + "_" + string(m))
	}
	return PartKey(fmt.Sprintf("%s_%s_%d", id, m, number))
}

// Conversation is the conversation of the part.
func (k PartKey) Conversation() ConversationID {
	id, _, _ := strings.Cut(string(k), "_")
	return ConversationID(id)
}

// Month is the month of the part.
func (k PartKey) Month() Month {
	_, rest, _ := strings.Cut(string(k), "_")
	month, _, _ := strings.Cut(rest, "_")
	return Month(month)
}

// Number is the number of the part in its month.
func (k PartKey) Number() int {
	_, rest, _ := strings.Cut(string(k), "_")
	_, number, _ := strings.Cut(rest, "_")
	n, _ := strconv.Atoi(number)
	return n
}

// ParsePartKey checks the form of the key of a part. Any other text is errs.Invalid.
func ParsePartKey(s string) (PartKey, error) {
	k := PartKey(s)
	if _, err := ParseConversationID(string(k.Conversation())); err == nil {
		if _, err := time.Parse("2006-01", string(k.Month())); err == nil &&
			k == NewPartKey(k.Conversation(), k.Month(), k.Number()) {
			return k, nil
		}
	}
	return "", errs.New(errs.Invalid, "invalid_page_token", "not a part of a conversation")
}

// MessageID names a message in its conversation: the month and the number of its part, and its own number in the
// conversation, such as 202611-0000-000000517. Messages are never moved, so the id names the part for ever. Ids compare
// as texts, by time.
type MessageID string

// NewMessageID names message number n of a conversation, in a part.
func NewMessageID(part PartKey, n int64) MessageID {
	return MessageID(fmt.Sprintf("%s-%04d-%09d", strings.ReplaceAll(string(part.Month()), "-", ""), part.Number(), n))
}

// ParseMessageID checks the form of the id of a message. Any other text is errs.Invalid.
func ParseMessageID(s string) (MessageID, error) {
	id, digits := MessageID(s), strings.Split(s, "-")
	if len(s) == len("202611-0000-000000517") && len(digits) == 3 && len(digits[0]) == 6 && len(digits[1]) == 4 &&
		strings.Trim(strings.Join(digits, ""), "0123456789") == "" {
		if _, err := time.Parse("200601", digits[0]); err == nil {
			return id, nil
		}
	}
	return "", errs.New(errs.Invalid, "invalid_message_id", "not the id of a message")
}

func (id MessageID) month() Month { return Month(id[:4] + "-" + id[4:6]) }

// Part is the part with the message.
func (id MessageID) Part(of ConversationID) PartKey {
	n, _ := strconv.Atoi(string(id[7:11]))
	return NewPartKey(of, id.month(), n)
}

// Number is the number of the message in its conversation; the first one has number 1.
func (id MessageID) Number() int64 {
	n, _ := strconv.ParseInt(string(id[12:]), 10, 64)
	return n
}

// Key names the message in its part.
func (id MessageID) Key() string { return MessageKey(id.Number()) }

// MessageKey names message number n in its part.
func MessageKey(n int64) string { return strconv.FormatInt(n, 10) }

// Message is a message in a part.
type Message struct {
	AuthorID  UserID            `firestore:"authorId"`
	Text      string            `firestore:"text,omitempty"`
	At        time.Time         `firestore:"at"`
	ReplyTo   MessageID         `firestore:"replyTo,omitempty"`
	Media     []TweetMedia      `firestore:"media,omitempty"`
	Reactions map[string]string `firestore:"reactions,omitempty"` // an emoji for each uid
	// TakenBack says that the author took the message back, or deleted the account: the other fields are empty.
	TakenBack bool `firestore:"takenBack,omitempty"`
}

// Bytes is about how many bytes the message has without reactions.
func (m *Message) Bytes() int {
	n := len(m.Text) + len(m.AuthorID) + len(m.ReplyTo) + 60
	for _, media := range m.Media {
		n += len(media.Alt) + len(media.Blurhash) + 150
	}
	return n
}

// Taken is the message after its author took it back.
func (m *Message) Taken() *Message { return &Message{AuthorID: m.AuthorID, At: m.At, TakenBack: true} }

// Report is a copy of the message for moderators.
func (m *Message) Report(of ConversationID, id MessageID) *ReportedMessage {
	return &ReportedMessage{ConversationID: of, MessageID: id, Text: m.Text, At: m.At, Media: m.Media}
}

// TakesReaction returns an error if another reaction makes the part too large.
func (p *MessagePart) TakesReaction(by UserID, emoji string) error {
	bytes := len(by) + len(emoji) + 2
	for _, m := range p.Messages {
		for uid, e := range m.Reactions {
			bytes += len(uid) + len(e) + 2
		}
	}
	if bytes > MaxPartReactionBytes {
		return errs.New(errs.Exhausted, "limit_reached", "these messages have as many reactions as they can have")
	}
	return nil
}

// Forget removes what a user wrote and chose from the part, and returns the numbers of the messages that it changed.
func (p *MessagePart) Forget(uid UserID) (changed []string, media []MediaID) {
	for key, m := range p.Messages {
		_, reacts := m.Reactions[string(uid)]
		switch {
		case m.AuthorID == uid && !m.TakenBack:
			for _, has := range m.Media {
				media = append(media, has.ID)
			}
			p.Messages[key] = m.Taken()
		case reacts:
			delete(m.Reactions, string(uid))
		default:
			continue
		}
		changed = append(changed, key)
	}
	return changed, media
}

// MayTakeBack returns an error unless a user may take the message back.
func (m *Message) MayTakeBack(by UserID, now time.Time) error {
	switch {
	case m.AuthorID != by:
		return errs.New(errs.Forbidden, "not_author", "only its author can take a message back")
	case now.Sub(m.At) > TakeBackWindow:
		return errs.New(errs.Conflict, "too_late", "a message can be taken back for an hour")
	}
	return nil
}

// MessagePart has at most MaxPartMessages messages of a conversation: conversationMonths/{key}. A message stays in its
// part. Present members may listen to it.
type MessagePart struct {
	Key            PartKey             `firestore:"-"`
	ConversationID ConversationID      `firestore:"conversationId"`
	MadeAt         time.Time           `firestore:"madeAt"`             // when the conversation began
	Previous       PartKey             `firestore:"previous,omitempty"` // the older part
	Next           PartKey             `firestore:"next,omitempty"`     // the newer part, once there is one
	FirstSeq       int64               `firestore:"firstSeq"`
	Messages       map[string]*Message `firestore:"messages"` // by number
	// Cleanings counts how often an account deletion went through the part, or the last user left. So a write that read
	// the part before is late, and a function looks whether somebody is left.
	Cleanings int `firestore:"cleanings,omitempty"`
}

// Complete checks the id of the conversation.
func (p *MessagePart) Complete(id string) error {
	if PartKey(id).Conversation() != p.ConversationID {
		return errNoID
	}
	return given(p.ConversationID)
}

// NewMessage is what a user writes.
type NewMessage struct {
	Text    string
	Media   []MediaID
	ReplyTo MessageID // empty for none
}

// Clean returns the message with its text in NFC. A text that is too long, and one that shows nothing beside no media,
// are errs.Invalid.
func (n NewMessage) Clean() (_ NewMessage, err error) {
	if n.Text, err = cleanText("text", strings.TrimSpace(n.Text), MaxMessage); err != nil {
		return n, err
	}
	if !hasVisible(n.Text) {
		if n.Text = ""; len(n.Media) == 0 {
			return n, errs.New(errs.Invalid, "content_required", "a message has a text, or pictures")
		}
	}
	if n.ReplyTo != "" {
		if _, err := ParseMessageID(string(n.ReplyTo)); err != nil {
			return n, err
		}
	}
	return n, cleanMedia(n.Media)
}

// NoMessage returns the error of an id under which the conversation has no message that the caller may see.
func NoMessage(id MessageID) error {
	return errs.New(errs.NotFound, "message_not_found", "the conversation has no message %q", string(id))
}

// MessageTerms are the words of the messages of a part: messageTerms/{key}. A part without words has none.
type MessageTerms struct {
	ConversationID ConversationID `firestore:"conversationId"`
	At             time.Time      `firestore:"at"` // of the first message
	// sorted; of the newest messages, if there are more than MaxPartTerms
	Terms []string `firestore:"terms"`
}

// Equal reports whether two parts have the same words; nil stands for none.
func (t *MessageTerms) Equal(o *MessageTerms) bool {
	if t == nil || o == nil {
		return t == o
	}
	return t.ConversationID == o.ConversationID && t.At.Equal(o.At) && slices.Equal(t.Terms, o.Terms)
}

// MaxPartTerms is how many words of a part are found. Nearly all parts have fewer.
const MaxPartTerms = 3_000
