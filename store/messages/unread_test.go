package messages_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// written stores conversations of ann with others, with one message each, the first one the oldest.
func written(t *testing.T, e *storetest.Env, n int) (ids []model.ConversationID) {
	t.Helper()
	for i := range n {
		other := model.UserID(fmt.Sprintf("other%d", i))
		c := model.Conversation{ID: model.PairID("ann", other), Pair: true, CreatedBy: other,
			Members: map[string]*model.ConversationMember{"ann": {}, string(other): {}}}
		c.Put("ann", model.StateMember)
		c.Put(other, model.StateMember)
		c.Add(&model.Message{AuthorID: other, Text: "x"}, model.Request{}, e.Clock.Now().Add(time.Duration(i)*time.Second))
		_, err := e.Raw.Doc("conversations/"+string(c.ID)).Set(t.Context(), c)
		testenv.Must(t, err)
		ids = append(ids, c.ID)
	}
	return ids
}

func newest(id model.ConversationID, n int64) model.MessageID {
	return model.NewMessageID(model.NewPartKey(id, "2026-11", 0), n)
}

// One conversation that was never read makes no count dear, and all keep what they are.
func TestOldUnread(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids := written(t, e, model.UnreadBehind+2)
	for _, id := range ids[2:] { // the two oldest stay unread
		testenv.Must(t, e.Messages.MarkRead(t.Context(), "ann", id, newest(id, 1)))
	}
	e.Clock.Add(2 * model.ConversationLag)
	count := func(what string, n, reads, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			is, err := e.Messages.Unread(ctx, "ann")
			want(t, what, is.Conversations, n)
			return err
		}))
	}
	count("the first", 2, int64(2+len(ids)), 1)
	count("the next", 2, 3, 0)
	c, err := e.Messages.Conversation(t.Context(), "ann", ids[0])
	testenv.Must(t, err)
	want(t, "the unread messages", c.Unread("ann", c.Read), int64(1))
	testenv.Must(t, e.Messages.MarkRead(t.Context(), "ann", ids[0], newest(ids[0], 1)))
	count("after one was read", 1, 3, 0)
	testenv.Must(t, e.Messages.Clear(t.Context(), "ann", ids[1]))
	count("after the other was deleted", 0, 3, 0)
}

// More conversations than a count reads together were written in: none of them becomes a read one.
func TestManyUnread(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids := written(t, e, model.MaxUnreadConversations+20)
	for _, id := range ids[10:] {
		testenv.Must(t, e.Messages.MarkRead(t.Context(), "ann", id, newest(id, 1)))
	}
	e.Clock.Add(2 * model.ConversationLag)
	for _, what := range []string{"the count", "the next"} {
		want(t, what, unread(t, e, "ann"), [2]int64{10, 0})
	}
	c, err := e.Messages.Conversation(t.Context(), "ann", ids[0])
	testenv.Must(t, err)
	want(t, "the unread messages of the oldest", c.Unread("ann", c.Read), int64(1))
}

// A user deletes a conversation for themselves while it is counted: it does not stay unread.
func TestClearWhileCounting(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids := written(t, e, model.UnreadBehind)
	e.Clock.Add(2 * model.ConversationLag)
	racing := e.Again(t, store.Options{Now: e.Clock.Now, Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(
		"inboxes/ann"), func() { testenv.Must(t, e.Messages.Clear(t.Context(), "ann", ids[0])) })}})
	_, err := racing.Messages.Unread(t.Context(), "ann")
	testenv.Must(t, err)
	want(t, "the next count", unread(t, e, "ann"), [2]int64{int64(len(ids) - 1), 0})
}
