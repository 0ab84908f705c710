package erasure

import (
	"context"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// messagePartsTogether is how many parts of conversations a part of an export reads: one may have 1 MB.
const messagePartsTogether = 4

// conversations is the section of conversations: an item for each part of a conversation, with what the user could
// read; of one that the user has left, what the user wrote and chose, without the name, the members and the reactions
// of others. One that is being removed has no item. Conversations are in the order of their ids, and the parts of each
// from the newest to the oldest.
//
// Cost: 1 read for each part, and for each 4 parts 1 read of the conversation.
func conversations(ctx context.Context, s *source, after string, p *part) (string, error) {
	id, key, _ := strings.Cut(after, "/")
	all := s.db.Client.Collection(model.Conversations).Where(fields.Participants, "array-contains", string(s.uid)).
		OrderBy(firestore.DocumentID, firestore.Asc).Limit(1)
	if id != "" {
		if key == "" {
			all = all.StartAfter(id)
		} else {
			all = all.StartAt(id)
		}
	}
	c, err := db.First[model.Conversation](ctx, all)
	if err != nil || c.Snap == nil {
		return "", err
	}
	me := c.Doc.Member(s.uid)
	if key == "" || c.Snap.Ref.ID != id {
		id, key = c.Snap.Ref.ID, string(c.Doc.Part)
	}
	if key == "" { // the rest of its parts goes
		return id, nil
	}
	for range messagePartsTogether {
		found, err := db.As[model.MessagePart](s.db.Doc(model.ConversationMonths, key).Get(ctx))
		if err != nil {
			return "", err
		}
		item := conversationItem{ID: id, State: me.State, CreatedAt: c.Doc.CreatedAt}
		if me.State.Present() {
			item.Name, item.Members = c.Doc.Name, c.Doc.Participants
		}
		for number := found.Doc.FirstSeq; ; number++ {
			m := found.Doc.Messages[model.MessageKey(number)]
			if m == nil {
				break
			}
			// What others wrote after the user left, or before the user deleted it, is not the user's.
			if m.AuthorID == s.uid || me.State.Present() && number > me.Cleared {
				item.Messages = append(item.Messages, messageItem{model.NewMessageID(model.PartKey(key), number), m.AuthorID,
					m.Text, m.ReplyTo, mediaIDs(m), reactionsFor(s.uid, me, m), m.TakenBack, m.At})
			}
		}
		if len(item.Messages) > 0 {
			if err := p.add(item); err != nil {
				return "", err
			}
		}
		if key = string(found.Doc.Previous); key == "" {
			return id, nil
		}
	}
	return id + "/" + key, nil
}

// reactionsFor are the reactions to a message that a user knows: one who is in the conversation no more has the own
// one.
func reactionsFor(uid model.UserID, me *model.ConversationMember, m *model.Message) map[string]string {
	if me.State.Present() {
		return m.Reactions
	}
	if own, ok := m.Reactions[string(uid)]; ok {
		return map[string]string{string(uid): own}
	}
	return nil
}

func mediaIDs(m *model.Message) (ids []model.MediaID) {
	for _, media := range m.Media {
		ids = append(ids, media.ID)
	}
	return ids
}

type conversationItem struct {
	ID        string            `json:"id"`
	Name      string            `json:"name,omitempty"`
	Members   []string          `json:"members,omitempty"`
	State     model.MemberState `json:"state"`
	CreatedAt time.Time         `json:"createdAt"`
	Messages  []messageItem     `json:"messages"`
}

type messageItem struct {
	ID        model.MessageID   `json:"id"`
	AuthorID  model.UserID      `json:"authorId"`
	Text      string            `json:"text,omitempty"`
	ReplyTo   model.MessageID   `json:"replyTo,omitempty"`
	Media     []model.MediaID   `json:"media,omitempty"`
	Reactions map[string]string `json:"reactions,omitempty"`
	TakenBack bool              `json:"takenBack,omitempty"`
	At        time.Time         `json:"at"`
}
