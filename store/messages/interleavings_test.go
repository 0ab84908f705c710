package messages_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/messages"
)

// The answer to a message is lost, and the client of the database sends the commit again: there is one message. The
// user repeats the request with its key, and gets that message.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "1", "bob")
	lossy, losses := e.Lossy(t, 1)
	r := model.Request{Key: "k", Hash: "h"}
	ask := func(s *store.Store, r model.Request) (model.MessageID, error) {
		sent, err := s.Messages.Send(t.Context(), "ann", id, model.NewMessage{Text: "2"}, r)
		if err != nil {
			return "", err
		}
		return sent.ID, nil
	}
	first, err := ask(lossy, r)
	testenv.Must(t, err)
	if losses.SentAgain() == 0 {
		t.Error("no commit was sent again")
	}
	again, err := ask(e.Store, r)
	testenv.Must(t, err)
	want(t, "the repeated request", again, first)
	_, err = ask(e.Store, model.Request{Key: "k", Hash: "another"})
	storetest.WantErr(t, err, errs.Conflict, "idempotency_key_reused")
	_, err = ask(lossy, model.Request{}) // without a key the database's own answer decides
	testenv.Must(t, err)
	want(t, "the messages", texts(t, e, "bob", id), []string{"1", "2", "2"})
	for n := range 10 { // so many requests are remembered
		_, err := ask(e.Store, model.Request{Key: fmt.Sprint(n)})
		testenv.Must(t, err)
	}
	if got, err := ask(e.Store, r); err != nil || got == first {
		t.Errorf("after ten others: %v, %v", got, err)
	}
}

// A request to begin a conversation that comes twice, or twice at once, begins one.
func TestBeginTwice(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob", "cat")
	other := e.Again(t, store.Options{})
	for _, others := range [][]model.UserID{{"bob"}, {"bob", "cat"}} {
		var ids [4]model.ConversationID
		for _, err := range testenv.AtOnce(len(ids), func(i int) error {
			begun, err := []*store.Store{e.Store, other}[i%2].Messages.Begin(t.Context(), "ann", model.NewConversation{
				Others: others, NewMessage: model.NewMessage{Text: "hello"}}, model.Request{Key: "k", Hash: "h"})
			if err == nil {
				ids[i] = begun.ID
			}
			return err
		}) {
			testenv.Must(t, err)
		}
		for _, id := range ids[1:] {
			want(t, "the conversation", id, ids[0])
		}
		want(t, "the messages", texts(t, e, "bob", ids[0]), []string{"hello"})
	}
}

// Two processes write at once: no message is lost, and numbers have no gap.
func TestTwoSenders(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "0", "bob")
	var late []string
	others := e.Again(t, store.Options{})
	racing := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("conversations/"+
		string(id)), func() { late = append(late, string(send(t, others, "bob", id, "1"))) })}})
	last := send(t, racing, "ann", id, "2")
	want(t, "the messages", texts(t, e, "ann", id), []string{"0", "1", "2"})
	if len(late) != 1 || last.Number() != 3 {
		t.Errorf("the ids are %v and %v", late, last)
	}
}

// A part takes 100 messages, and as many bytes as it may. The next message begins another part, also if another process
// fills the part between the read and the write, and if the month changes then.
func TestParts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "1", "bob")
	fill := func(n int) {
		for range n {
			send(t, e.Store, "ann", id, "x")
		}
	}
	fill(model.MaxPartMessages - 2)
	others := e.Again(t, store.Options{})
	var filled model.MessageID
	racing := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("conversations/"+
		string(id)), func() { filled = send(t, others, "bob", id, "the last of the part") })}})
	sent := send(t, racing, "ann", id, "the next part")
	want(t, "the parts", []model.PartKey{filled.Part(id), sent.Part(id)}, []model.PartKey{
		model.NewPartKey(id, "2026-11", 0), model.NewPartKey(id, "2026-11", 1)})
	want(t, "the older part's next", e.Doc(t, "conversationMonths/"+string(filled.Part(id)))["next"],
		any(string(sent.Part(id))))

	// The clock of another process is in the next month, and this one's is not: messages do not go back.
	ahead := e.Again(t, store.Options{Now: func() time.Time { return e.Clock.Now().AddDate(0, 1, 0) }})
	december := send(t, ahead, "bob", id, "december")
	behind := send(t, e.Store, "ann", id, "still november here")
	want(t, "the parts", []model.PartKey{december.Part(id), behind.Part(id)}, []model.PartKey{
		model.NewPartKey(id, "2026-12", 0), model.NewPartKey(id, "2026-12", 0)})
	if behind <= december {
		t.Errorf("the ids are %s and %s", december, behind)
	}
	page, err := e.Messages.Messages(t.Context(), "ann", id, "")
	testenv.Must(t, err)
	if !page.Messages[0].At.After(page.Messages[1].At) {
		t.Errorf("the times are %v and %v", page.Messages[0].At, page.Messages[1].At)
	}
	if got := texts(t, e, "bob", id); len(got) != 103 || got[100] != "the next part" || got[102] != "still november here" {
		t.Errorf("%d messages", len(got))
	}

	large := strings.Repeat("𝕏", model.MaxMessage)
	for range 50 {
		send(t, e.Store, "ann", id, large)
	}
	if n := len(e.IDs(t, model.ConversationMonths)); n != 6 {
		t.Errorf("%d parts, want 6: three more for 400 kB", n)
	}
}

// A user leaves while a message of the user is on its way: one of the two comes first, and after the leave no message
// does.
func TestLeaveWhileSending(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob", "cat")
	id := begin(t, e, "ann", "1", "bob", "cat")
	others := e.Again(t, store.Options{})
	racing := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("conversations/"+
		string(id)), func() { testenv.Must(t, others.Messages.Leave(t.Context(), "bob", id)) })}})
	_, err := racing.Messages.Send(t.Context(), "bob", id, model.NewMessage{Text: "late"}, model.Request{})
	storetest.WantErr(t, err, errs.NotFound, "conversation_not_found")
	want(t, "the messages", texts(t, e, "ann", id), []string{"1"})
	want(t, "bob's inbox", inbox(t, e, "bob", false), []model.ConversationID{})
	// The last one takes the messages along.
	testenv.Must(t, e.Messages.Leave(t.Context(), "ann", id))
	testenv.Must(t, e.Messages.Leave(t.Context(), "cat", id))
	want(t, "conversations", e.IDs(t, model.Conversations), []string{})
	want(t, "parts", e.IDs(t, model.ConversationMonths), []string{})
}

// A reaction comes while its message is taken back: it does not come back. Reactions of two at once both stay.
func TestReactions(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "1", "bob")
	message := send(t, e.Store, "ann", id, "2")
	others := e.Again(t, store.Options{})
	part := "conversationMonths/" + string(message.Part(id))
	racing := func(do func() error) *store.Store {
		return e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(part), func() {
			testenv.Must(t, do())
		})}})
	}
	testenv.Must(t, racing(func() error { return others.Messages.React(t.Context(), "ann", id, message, "🎆") }).
		Messages.React(t.Context(), "bob", id, message, "👍"))
	page, err := e.Messages.Messages(t.Context(), "ann", id, "")
	testenv.Must(t, err)
	want(t, "the reactions", page.Messages[0].Reactions, map[string]string{"ann": "🎆", "bob": "👍"})
	testenv.Must(t, e.Messages.React(t.Context(), "bob", id, message, ""))
	err = racing(func() error { return others.Messages.TakeBack(t.Context(), "ann", id, message) }).
		Messages.React(t.Context(), "bob", id, message, "❤️")
	storetest.WantErr(t, err, errs.NotFound, "message_not_found")
	page, err = e.Messages.Messages(t.Context(), "bob", id, "")
	testenv.Must(t, err)
	want(t, "the message", *page.Messages[0].Message, model.Message{AuthorID: "ann", At: page.Messages[0].At,
		TakenBack: true})
	want(t, "the last message", page.Last, model.LastMessage{ID: message, AuthorID: "ann", Taken: true})
	full := map[string]any{}
	for i := range model.MaxPartReactionBytes/100 + 1 {
		full[fmt.Sprintf("%0100d", i)] = "👍"
	}
	_, err = e.Raw.Doc(part).Update(t.Context(), []firestore.Update{{Path: "messages.1.reactions", Value: full}})
	testenv.Must(t, err)
	first := model.NewMessageID(message.Part(id), 1)
	storetest.WantErr(t, e.Messages.React(t.Context(), "bob", id, first, "👍"), errs.Exhausted, "limit_reached")
	for _, no := range []string{"yes", "👍 ", "1", strings.Repeat("👍", 20)} {
		storetest.WantErr(t, e.Messages.React(t.Context(), "bob", id, message, no), errs.Invalid, "invalid_emoji")
	}
}

// A message is taken back while the next one is sent: lists show the next one as the last.
func TestTakeBack(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "1", "bob")
	message := send(t, e.Store, "ann", id, "2")
	others := e.Again(t, store.Options{})
	racing := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo("conversations/"+
		string(id)), func() { send(t, others, "bob", id, "3") })}})
	testenv.Must(t, racing.Messages.TakeBack(t.Context(), "ann", id, message))
	want(t, "the messages", texts(t, e, "bob", id), []string{"1", "(taken back)", "3"})
	c, err := e.Messages.Conversation(t.Context(), "ann", id)
	testenv.Must(t, err)
	want(t, "the last message", c.Last.Snippet, "3")
	testenv.Must(t, e.Messages.TakeBack(t.Context(), "ann", id, message)) // again

	storetest.WantErr(t, e.Messages.TakeBack(t.Context(), "bob", id, message), errs.Forbidden, "not_author")
	message = send(t, e.Store, "ann", id, "4")
	e.Clock.Add(model.TakeBackWindow + time.Second)
	storetest.WantErr(t, e.Messages.TakeBack(t.Context(), "ann", id, message), errs.Conflict, "too_late")
}

// What a user deletes for themselves stays for the other. A whole conversation comes back with the next message.
func TestDeleteForMe(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "1", "bob")
	message := send(t, e.Store, "ann", id, "2")
	testenv.Must(t, e.Messages.Hide(t.Context(), "bob", id, message))
	testenv.Must(t, e.Messages.Hide(t.Context(), "bob", id, message))
	want(t, "of bob", texts(t, e, "bob", id), []string{"1"})
	want(t, "of ann", texts(t, e, "ann", id), []string{"1", "2"})
	testenv.Must(t, e.Messages.Clear(t.Context(), "bob", id))
	want(t, "the inbox of bob", inbox(t, e, "bob", false), []model.ConversationID{})
	want(t, "of bob", texts(t, e, "bob", id), []string{})
	want(t, "unread of bob", unread(t, e, "bob"), [2]int64{0, 0})
	if hidden, _ := e.Doc(t, "inboxes/bob")["hidden"].(map[string]any); len(hidden) > 0 {
		t.Errorf("the inbox still hides %v", hidden)
	}
	send(t, e.Store, "ann", id, "3")
	want(t, "the inbox of bob", inbox(t, e, "bob", false), []model.ConversationID{id})
	want(t, "of bob", texts(t, e, "bob", id), []string{"3"})
	want(t, "of ann", texts(t, e, "ann", id), []string{"1", "2", "3"})

	many := make([]model.MessageID, model.MaxHiddenMessages)
	for i := range many {
		many[i] = model.NewMessageID(model.NewPartKey(id, "2026-11", 0), int64(i+1))
	}
	_, err := e.Raw.Doc("inboxes/bob").Set(t.Context(), model.Inbox{Hidden: map[string][]model.MessageID{"x": many}})
	testenv.Must(t, err)
	storetest.WantErr(t, e.Messages.Hide(t.Context(), "bob", id, message), errs.Conflict, "too_many_hidden_messages")
}

// What a user deletes for themselves is nowhere the last message for that user.
func TestHiddenLast(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	request := model.Request{Key: "k", Hash: "h"}
	start := func() (*messages.Begun, error) {
		return e.Messages.Begin(t.Context(), "bob", model.NewConversation{Others: []model.UserID{"ann"},
			NewMessage: model.NewMessage{Text: "a secret"}}, request)
	}
	begun, err := start()
	testenv.Must(t, err)
	id := begun.ID
	want(t, "bob, before", begun.ShowsLast(), true)
	testenv.Must(t, e.Messages.Hide(t.Context(), "bob", id, begun.Last.ID))
	for uid, shows := range map[model.UserID]bool{"ann": true, "bob": false} {
		c, err := e.Messages.Conversation(t.Context(), uid, id)
		testenv.Must(t, err)
		want(t, "the conversation of "+string(uid), c.ShowsLast(), shows)
		page, err := e.Messages.List(t.Context(), uid, false, model.Cursor{}, 20)
		testenv.Must(t, err)
		want(t, "the list of "+string(uid), page.Items[0].ShowsLast(), shows)
	}
	again, err := start()
	testenv.Must(t, err)
	want(t, "the same request again", again.ShowsLast(), false)
	request.Key = "another"
	next, err := start()
	testenv.Must(t, err)
	want(t, "the next message", next.ShowsLast(), true)
}

// TestCosts counts what each method bills.
func TestCosts(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	crowd := []model.UserID{"ann", "bob"}
	e.CreateUsers(t, crowd...)
	var others []model.UserID
	for i := range model.MaxConversationMembers - 1 {
		uid := model.UserID(fmt.Sprintf("member%d", i))
		others = append(others, uid)
	}
	e.CreateUsers(t, others...)
	id := begin(t, e, "ann", "1", others...)
	for _, uid := range others {
		testenv.Must(t, e.Messages.Accept(t.Context(), uid, id))
	}
	testenv.Must(t, e.Graph.Follow(t.Context(), "bob", "ann"))
	pair := begin(t, e, "ann", "1", "bob")
	cost := func(what string, reads, writes, deletes int64, do func(context.Context) error) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, deletes, do))
	}
	var last model.MessageID
	sends := func(by model.UserID, id model.ConversationID) func(context.Context) error {
		return func(ctx context.Context) error {
			sent, err := e.Messages.Send(ctx, by, id, model.NewMessage{Text: "x"}, model.Request{Key: "k" + string(by)})
			if err == nil {
				last = sent.ID
			}
			return err
		}
	}
	cost("a message to 32", 2, 2, 0, sends("ann", id))
	cost("a message to one", 3, 2, 0, sends("ann", pair))
	cost("the same again", 3, 0, 0, sends("ann", pair))
	cost("a page", 3, 0, 0, func(ctx context.Context) error {
		_, err := e.Messages.Messages(ctx, "ann", id, "")
		return err
	})
	cost("a conversation", 3, 0, 0, func(ctx context.Context) error {
		_, err := e.Messages.Conversation(ctx, "ann", id)
		return err
	})
	cost("the inbox", 4, 0, 0, func(ctx context.Context) error {
		_, err := e.Messages.List(ctx, "ann", false, model.Cursor{}, 20)
		return err
	})
	cost("the count", 4, 0, 0, func(ctx context.Context) error {
		_, err := e.Messages.Unread(ctx, "ann", time.Time{})
		return err
	})
	cost("a mark", 0, 1, 0, func(ctx context.Context) error { return e.Messages.MarkRead(ctx, "bob", pair, last) })
	cost("a reaction", 3, 1, 0, func(ctx context.Context) error { return e.Messages.React(ctx, "bob", pair, last, "👍") })
	cost("a message for me", 2, 2, 0, func(ctx context.Context) error { return e.Messages.Hide(ctx, "bob", pair, last) })
	cost("a page without it", 4, 0, 0, func(ctx context.Context) error {
		_, err := e.Messages.Messages(ctx, "bob", pair, "")
		return err
	})
	cost("a message back", 2, 2, 0, func(ctx context.Context) error { return e.Messages.TakeBack(ctx, "ann", pair, last) })
	cost("a name", 1, 1, 0, func(ctx context.Context) error {
		return e.Messages.Change(ctx, "ann", id, messages.Patch{Name: new("friends")})
	})
	cost("a conversation for me", 1, 2, 0, func(ctx context.Context) error { return e.Messages.Clear(ctx, "bob", pair) })
	cost("a leave", 1, 2, 0, func(ctx context.Context) error { return e.Messages.Leave(ctx, others[0], id) })
	cost("a beginning with 31", 2+32+2+3+31, 2, 0, func(ctx context.Context) error {
		_, err := e.Again(t, store.Options{}).Messages.Begin(ctx, "bob", model.NewConversation{Others: others,
			NewMessage: model.NewMessage{Text: "x"}}, model.Request{})
		return err
	})
}
