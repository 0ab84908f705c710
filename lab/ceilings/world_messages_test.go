package ceilings

import (
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/messages"
)

// converse makes conversations of the viewer, with one full part each.
func (w *world) converse(docs map[string]any, viewer model.UserID, now time.Time) {
	for n := range model.MaxUnreadConversations + 2 {
		other := model.UserID(fmt.Sprintf("user_%03d", n))
		c := &model.Conversation{ID: model.PairID(viewer, other), Pair: true, CreatedBy: other, CreatedAt: now,
			Members: map[string]*model.ConversationMember{}}
		for _, uid := range []model.UserID{viewer, other} {
			c.Members[string(uid)] = &model.ConversationMember{Author: model.Author{Username: "x", Nickname: "x"}}
			c.Put(uid, model.StateMember)
		}
		switch n {
		case 0:
			c.ID, c.Pair = model.GroupID(viewer, "key"), false
			for i := range model.MaxConversationMembers - 2 {
				uid := model.UserID(fmt.Sprintf("user_%03d", i+1))
				c.Members[string(uid)] = &model.ConversationMember{}
				c.Put(uid, model.StateMember)
			}
			c.Members[string(viewer)].Hides = true
		case model.MaxUnreadConversations + 1:
			c.Put(viewer, model.StateRequested)
		}
		part := &model.MessagePart{ConversationID: c.ID, MadeAt: now, FirstSeq: 1, Messages: map[string]*model.Message{}}
		for i := range 3 {
			m := &model.Message{AuthorID: other, Text: "a word"}
			if i == 2 {
				m.AuthorID = viewer
			}
			id, key, _, _ := c.Add(m, model.Request{}, now)
			part.Messages[id.Key()], part.Key = m, key
		}
		docs[model.Conversations+"/"+string(c.ID)] = c
		docs[model.ConversationMonths+"/"+string(part.Key)] = part
		docs[model.MessageTermLists+"/"+string(part.Key)] = messages.TermsOf(part)
		w.conversations = append(w.conversations, c.ID)
	}
	docs[model.Inboxes+"/"+string(viewer)] = &model.Inbox{}
}
