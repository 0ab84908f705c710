package bounds

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// TestLargestConversation writes the largest conversation, with the largest part of its messages, its words, and the
// largest inbox.
func TestLargestConversation(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	c := model.Conversation{ID: model.GroupID("a", "key"), Members: map[string]*model.ConversationMember{},
		Name: wide(model.MaxConversationName), Request: strings.Repeat("h", 64), CreatedAt: e.Clock.Now()}
	var uids []model.UserID
	for i := range model.MaxConversationMembers {
		uid := model.UserID(fmt.Sprintf("%0128d", i))
		uids = append(uids, uid)
		c.Members[string(uid)] = &model.ConversationMember{Author: model.Author{Username: strings.Repeat("u",
			model.MaxUsername), Nickname: wide(model.MaxNickname), Avatar: strings.Repeat("a", model.MaxAvatar)},
			JoinedAt: e.Clock.Now(), MutedUntil: e.Clock.Now(), Cleared: 1, Since: 1, Hides: true}
		c.Put(uid, model.StateMember)
		c.CreatedBy = uid
	}
	var parts []*model.MessagePart
	send := func(by model.UserID, m *model.Message) {
		m.AuthorID, m.Reactions = by, map[string]string{}
		id, key, previous, began := c.Add(m, model.Request{Key: fmt.Sprint(c.Seq), Hash: "h"}, e.Clock.Now())
		if began {
			parts = append(parts, &model.MessagePart{Key: key, ConversationID: c.ID, MadeAt: c.CreatedAt, Previous: previous,
				Next: key, FirstSeq: id.Number(), Messages: map[string]*model.Message{}})
		}
		part := parts[len(parts)-1]
		part.Messages[id.Key()] = m
		for _, uid := range uids {
			if emoji := strings.Repeat("👍", 10); part.TakesReaction(uid, emoji) == nil {
				m.Reactions[string(uid)] = emoji
			}
		}
	}
	for i := range model.MaxPartMessages { // of few words, and with media
		send(uids[i%len(uids)], &model.Message{Text: wide(150), ReplyTo: "202611-0000-000000001", Media: embedded()[:1]})
	}
	for i := range model.MaxPartMessages { // of so many words
		var words []string
		for n := range 15 {
			words = append(words, strings.Repeat("𒀀", model.MaxTermLength-4)+fmt.Sprintf("%02d%02d", i, n))
		}
		send(uids[i%len(uids)], &model.Message{Text: strings.Join(words, " ")})
	}
	for range 10 * len(uids) {
		send(uids[int(c.Seq)%len(uids)], &model.Message{Text: wide(model.MaxExcerpt)})
	}
	largest := 0
	for i, p := range parts {
		_, err := e.Raw.Doc("conversationMonths/"+string(p.Key)).Set(t.Context(), p)
		testenv.Must(t, err)
		if len(p.Messages) > len(parts[largest].Messages) {
			largest = i
		}
		testenv.Must(t, e.Messages.Index(t.Context(), p.Key))
	}
	if n := len(parts[largest].Messages); n < model.MaxPartMessages {
		t.Errorf("no part is full: %d messages", n)
	}
	_, err := e.Raw.Doc("conversations/"+string(c.ID)).Set(t.Context(), c)
	testenv.Must(t, err)
	inbox := model.Inbox{Read: map[string]model.ReadMark{}, Hidden: map[string][]model.MessageID{},
		CheckedAt: e.Clock.Now(),
		Size:      model.MaxReadMarks, Waiting: map[string]model.ReadMark{}}
	for i := range model.MaxHiddenMessages {
		id := model.NewMessageID(c.Part, int64(i))
		inbox.Hidden[string(model.GroupID("b", fmt.Sprint(i)))] = []model.MessageID{id}
		if i < model.MaxWaiting {
			inbox.Waiting[string(model.GroupID("b", fmt.Sprint(i)))] = model.MarkOf(id)
		}
		if i < model.MaxReadMarks {
			inbox.Read[string(model.GroupID("b", fmt.Sprint(i)))] = model.MarkOf(id)
		}
	}
	_, err = e.Raw.Doc("inboxes/"+string(uids[0])).Set(t.Context(), inbox)
	testenv.Must(t, err)
	checkAll(t, e, 4)
}
