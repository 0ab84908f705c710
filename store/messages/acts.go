package messages

import (
	"context"
	"slices"
	"strconv"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// numberOf is the number of a message by its key in a part.
func numberOf(key string) int64 {
	n, _ := strconv.ParseInt(key, 10, 64)
	return n
}

// TakeBack removes the text and the media of a message for everybody; a mark stays. The author may do so for an hour,
// see [model.Message.MayTakeBack]. Doing it again changes nothing.
//
// Cost: 2 reads and 1 write; 1 write more for the last message, and 1 delete for each of its media.
func (s *Store) TakeBack(ctx context.Context, by model.UserID, id model.ConversationID,
	message model.MessageID) (err error) {
	defer errs.Wrap(&err, "messages.TakeBack(%q, %q, %q)", by, id, message)
	return s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		c, p := db.Find[model.Conversation](&l, s.ref(id)), db.Find[model.MessagePart](&l, s.part(message.Part(id)))
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		m := p.Doc.Messages[message.Key()]
		switch {
		case !c.Doc.StateOf(by).Present():
			return model.NoConversation(id)
		case m == nil:
			return model.NoMessage(message)
		case m.TakenBack && m.AuthorID == by:
			return nil
		}
		if err := m.MayTakeBack(by, s.db.Now()); err != nil {
			return err
		}
		b := s.db.Batch()
		for _, media := range m.Media {
			b.Delete(s.db.Media(media.ID)) // its files follow
		}
		if c.Doc.Last.ID == message {
			b.Update(c.Snap.Ref, []firestore.Update{{Path: fields.Last, Value: c.Doc.Last.TakenBack()}},
				firestore.LastUpdateTime(c.Snap.UpdateTime))
		}
		b.Update(p.Snap.Ref, []firestore.Update{{FieldPath: firestore.FieldPath{fields.Messages, message.Key()},
			Value: m.Taken()}}, firestore.LastUpdateTime(p.Snap.UpdateTime))
		_, err := s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) {
			is, err := s.message(ctx, id, message)
			return err == nil && is.TakenBack, err
		})
		return db.Late(err)
	})
}

// Hide deletes a message for one user alone. More than model.MaxHiddenMessages are errs.Conflict
// (too_many_hidden_messages).
//
// Cost: 2 reads and 2 writes, from the second message of a conversation on 1 write.
func (s *Store) Hide(ctx context.Context, uid model.UserID, id model.ConversationID,
	message model.MessageID) (err error) {
	defer errs.Wrap(&err, "messages.Hide(%q, %q, %q)", uid, id, message)
	return s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		c, inbox := db.Find[model.Conversation](&l, s.ref(id)), db.Find[model.Inbox](&l, s.inbox(uid))
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		n := 0
		for _, ids := range inbox.Doc.Hidden {
			n += len(ids)
		}
		m := c.Doc.Member(uid)
		switch {
		case !c.Doc.StateOf(uid).Present():
			return model.NoConversation(id)
		case message.Number() > c.Doc.Seq:
			return model.NoMessage(message)
		case m.Hides && slices.Contains(inbox.Doc.Hidden[string(id)], message):
			return nil
		case n >= model.MaxHiddenMessages:
			return errs.New(errs.Conflict, "too_many_hidden_messages",
				"you have deleted %d messages one by one; delete a whole "+
					"conversation for yourself", n)
		}
		b := s.db.Batch()
		b.Set(s.inbox(uid), map[string]any{fields.Hidden: map[string]any{string(id): firestore.ArrayUnion(string(message))}},
			firestore.MergeAll)
		if !m.Hides {
			b.Update(c.Snap.Ref, []firestore.Update{{FieldPath: firestore.FieldPath{fields.Members, string(uid), fields.Hides},
				Value: true}}, firestore.LastUpdateTime(c.Snap.UpdateTime))
		}
		_, err := b.Commit(ctx) // a repetition hides it again
		return db.Late(err)
	})
}

// React sets the reaction of a member to a message, or removes it if emoji is empty. A member has one reaction to a
// message. A message that was taken back takes none: it is errs.NotFound.
//
// Cost: 3 reads and 1 write; 3 reads if nothing changes.
func (s *Store) React(ctx context.Context, by model.UserID, id model.ConversationID, message model.MessageID,
	emoji string) (err error) {
	defer errs.Wrap(&err, "messages.React(%q, %q, %q)", by, id, message)
	if emoji != "" {
		if emoji, err = model.ParseEmoji(emoji); err != nil {
			return err
		}
	}
	return s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		p := db.Find[model.MessagePart](&l, s.part(message.Part(id)))
		c, _, err := s.look(ctx, by, id, &l)
		if err != nil {
			return err
		}
		m := p.Doc.Messages[message.Key()]
		switch {
		case m == nil, m.TakenBack, message.Number() <= c.Member(by).Cleared, c.Hidden(m.AuthorID):
			return model.NoMessage(message)
		case c.Member(by).State != model.StateMember:
			return errs.New(errs.Conflict, "request_pending", "accept the conversation first")
		case m.Reactions[string(by)] == emoji:
			return nil
		case c.Ended():
			return c.MayWriteIn(by, true, false)
		}
		var value any = emoji
		if emoji == "" {
			value = firestore.Delete
		} else if err := p.Doc.TakesReaction(by, emoji); err != nil {
			return err
		}
		b := s.db.Batch()
		b.Update(p.Snap.Ref, []firestore.Update{{FieldPath: firestore.FieldPath{fields.Messages, message.Key(),
			fields.Reactions, string(by)}, Value: value}}, firestore.LastUpdateTime(p.Snap.UpdateTime))
		_, err = s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) {
			is, err := s.message(ctx, id, message)
			return err == nil && is.Reactions[string(by)] == emoji, err
		})
		return db.Late(err)
	})
}
