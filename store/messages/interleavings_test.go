package messages_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/messages"
	"github.com/hibana-sns/hibana/store/moderation"
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

// A block ends a conversation of two for both, who still read it. In one of several it hides each from the other.
func TestBlocks(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob", "cat")
	pair := begin(t, e, "ann", "1", "bob")
	group := begin(t, e, "ann", "from ann", "bob", "cat")
	send(t, e.Store, "cat", group, "from cat")
	last := send(t, e.Store, "bob", group, "from bob")
	testenv.Must(t, e.Messages.React(t.Context(), "bob", group, model.NewMessageID(last.Part(group), 2), "👍"))
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	testenv.Must(t, e.Viewers.Block(t.Context(), "ann", "bob"))
	seen := map[model.UserID][]string{"ann": {"from ann", "from cat"}, "bob": {"from cat", "from bob"}}
	for _, uid := range []model.UserID{"ann", "bob"} {
		_, err := e.Messages.Send(t.Context(), uid, pair, model.NewMessage{Text: "x"}, model.Request{})
		storetest.WantErr(t, err, errs.Forbidden, "not_allowed")
		c, err := e.Messages.Conversation(t.Context(), uid, pair)
		testenv.Must(t, err)
		want(t, "ended", c.Ended(), true)
		want(t, "the messages", texts(t, e, uid, pair), []string{"1"})
		want(t, "the group", texts(t, e, uid, group), seen[uid])
	}
	send(t, e.Store, "ann", group, "still here")
	_, err := e.Messages.Begin(t.Context(), "bob", model.NewConversation{Others: []model.UserID{"cat", "ann"},
		NewMessage: model.NewMessage{Text: "x"}}, model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "not_allowed")
	page, err := e.Messages.Messages(t.Context(), "ann", group, "")
	testenv.Must(t, err)
	for _, m := range page.Messages {
		if m.AuthorID == "bob" || m.Reactions["bob"] != "" {
			t.Errorf("ann sees %+v", m)
		}
	}
	want(t, "hidden", page.Hidden("bob"), true)
	want(t, "what cat sees", len(texts(t, e, "cat", group)), 4)
}

// The setting says who may begin a conversation. A conversation that is there goes on.
func TestMessagesFrom(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "friend", "stranger", "early")
	testenv.Must(t, e.Graph.Follow(t.Context(), "ann", "friend"))
	early := begin(t, e, "early", "x", "ann")
	set := func(to model.MessagesFrom) {
		testenv.Must(t, e.Users.UpdateUser(t.Context(), "ann", model.UserPatch{MessagesFrom: &to}))
		e.CoolDown()
	}
	try := func(by model.UserID) error {
		_, err := e.Messages.Begin(t.Context(), by, model.NewConversation{Others: []model.UserID{"ann"},
			NewMessage: model.NewMessage{Text: "x"}}, model.Request{})
		return err
	}
	set(model.MessagesFromFollowed)
	storetest.WantErr(t, try("stranger"), errs.Forbidden, "not_allowed")
	set(model.MessagesFromNobody)
	storetest.WantErr(t, try("stranger"), errs.Forbidden, "not_allowed")
	storetest.WantErr(t, try("friend"), errs.Forbidden, "not_allowed")
	send(t, e.Store, "early", early, "y")
	set(model.MessagesFromFollowed)
	testenv.Must(t, try("friend"))
	set(model.MessagesFromAll)
	testenv.Must(t, try("stranger"))
	want(t, "the requests", len(inbox(t, e, "ann", true)), 2)
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

// An inbox keeps so many marks. The count reads what changed since all was read, and remembers that.
func TestInbox(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	marks := map[string]any{}
	for i := range model.MaxReadMarks {
		marks[string(model.PairID("ann", model.UserID(fmt.Sprint(i))))] = int64(model.MarkOf(model.NewMessageID(
			model.NewPartKey("x", "2026-10", 0), int64(i+1))))
	}
	_, err := e.Raw.Doc("inboxes/ann").Set(t.Context(), map[string]any{"read": marks, "size": model.MaxReadMarks})
	testenv.Must(t, err)
	id := model.PairID("ann", "newest")
	testenv.Must(t, e.Messages.MarkRead(t.Context(), "ann", id, model.NewMessageID(model.NewPartKey(id, "2026-11", 0), 1)))
	left, _ := e.Doc(t, "inboxes/ann")["read"].(map[string]any)
	if _, ok := left[string(id)]; !ok || len(left) != model.MaxReadMarks/2 {
		t.Errorf("%d marks are left, the newest %v", len(left), ok)
	}
	want(t, "size", e.Doc(t, "inboxes/ann")["size"], any(int64(model.MaxReadMarks/2)))
}

// A full inbox of marks is made smaller once: the next mark costs one write again.
func TestFullInbox(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	ids, marks := []model.ConversationID{}, map[string]any{}
	for i := range model.MaxReadMarks {
		ids = append(ids, model.PairID("ann", model.UserID(fmt.Sprint(i))))
		marks[string(ids[i])] = int64(model.MarkOf(newest(ids[i], int64(i+1))))
	}
	_, err := e.Raw.Doc("inboxes/ann").Set(t.Context(), map[string]any{"read": marks, "size": model.MaxReadMarks})
	testenv.Must(t, err)
	last := ids[len(ids)-1]
	for n := range int64(2) { // of a conversation with a mark
		testenv.Must(t, e.Messages.MarkRead(t.Context(), "ann", last, newest(last, 2000+n)))
	}
	left, _ := e.Doc(t, "inboxes/ann")["read"].(map[string]any)
	want(t, "the marks that are left", len(left), model.MaxReadMarks/2)
	testenv.Must(t, storetest.Costs(t, "the next mark", 0, 1, 0, func(ctx context.Context) error {
		return e.Messages.MarkRead(ctx, "ann", last, newest(last, 3000))
	}))
}

// The unread count gets cheap again after much was read.
func TestUnreadBehind(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	var others []model.UserID
	for i := range model.UnreadBehind + 2 {
		others = append(others, model.UserID(fmt.Sprintf("other%d", i)))
	}
	friends(t, e, append(others[:1:1], "ann")...)
	e.CreateUsers(t, others[1:]...)
	for _, uid := range others[1:] {
		testenv.Must(t, e.Graph.Follow(t.Context(), "ann", uid))
	}
	for _, uid := range others {
		e.Clock.Add(time.Second)
		id := begin(t, e, uid, "x", "ann")
		if uid != others[len(others)-1] { // the last one stays unread
			testenv.Must(t, e.Messages.MarkRead(t.Context(), "ann", id, model.NewMessageID(model.NewPartKey(id, "2026-11", 0),
				1)))
		}
	}
	e.Clock.Add(2 * model.ConversationLag)
	count := func(what string, reads, writes int64) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
			n, err := e.Messages.Unread(ctx, "ann", time.Time{})
			want(t, what, n.Count, int64(1))
			return err
		}))
	}
	count("the first", int64(2+len(others)), 1)
	count("the next", 3, 0)
	page, err := e.Messages.List(t.Context(), "ann", false, model.Cursor{}, 20)
	testenv.Must(t, err)
	if !slices.ContainsFunc(page.Items, func(c *messages.Seen) bool { return c.Unread("ann", c.Read) == 1 }) {
		t.Error("no conversation is unread")
	}
}

// A user's account is deleted in steps that stop anywhere. The texts go, the other keeps the rest, and a user who signs
// up again finds nothing from before. The last one takes everything along.
func TestForget(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob", "cat")
	pair, group := begin(t, e, "ann", "1", "bob"), begin(t, e, "ann", "1", "bob", "cat")
	for range model.MaxPartMessages {
		send(t, e.Store, "bob", pair, "x")
	}
	last := send(t, e.Store, "ann", pair, "2")
	testenv.Must(t, e.Messages.React(t.Context(), "ann", pair, model.NewMessageID(last.Part(pair), 101), "👍"))
	testenv.Must(t, e.Messages.Leave(t.Context(), "ann", group))
	var commits atomic.Int64
	stopping := e.Again(t, store.Options{LeavePause: time.Nanosecond, Meter: meter.Options{Below: func(ctx context.Context,
		method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if _, ok := req.(*pb.CommitRequest); ok && commits.Add(1)%4 == 0 {
			return status.Error(codes.Internal, "the process was killed")
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	leave := func(uid model.UserID) {
		t.Helper()
		_, err := e.Users.Leave(t.Context(), uid)
		testenv.Must(t, err)
		for range 200 {
			snap, err := e.Raw.Doc("leavings/" + string(uid)).Get(t.Context())
			testenv.Must(t, err)
			work := model.DeletionWork{UserID: uid, WrittenAt: snap.UpdateTime}
			testenv.Must(t, snap.DataTo(&work))
			if !work.ClearedAt.IsZero() {
				return
			}
			_ = stopping.AccountDeletions.Leave(t.Context(), work) // an event comes again
		}
		t.Fatal("the account deletion does not end")
	}
	leave("ann")
	for _, id := range []model.ConversationID{pair, group} {
		for _, text := range texts(t, e, "bob", id) {
			if text != "x" && text != "(taken back)" {
				t.Errorf("a text is left: %q", text)
			}
		}
		if got := fmt.Sprint(e.Doc(t, "conversations/"+string(id))["participants"]); strings.Contains(got, "ann") {
			t.Errorf("the participants of %s are %s", id, got)
		}
	}
	_, err := e.Messages.Send(t.Context(), "bob", pair, model.NewMessage{Text: "x"}, model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "not_allowed")

	// The user signs up again: the same two have the same conversation, of which the user sees what comes now.
	_, err = e.Raw.Doc("leavings/ann").Delete(t.Context())
	testenv.Must(t, err)
	e.CoolDown()
	_, err = e.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "again", Nickname: "Ann"})
	testenv.Must(t, err)
	e.CoolDown()
	want(t, "the conversation", begin(t, e, "bob", "welcome", "ann"), pair)
	want(t, "the requests", inbox(t, e, "ann", true), []model.ConversationID{pair})
	want(t, "what ann sees", texts(t, e, "ann", pair), []string{"welcome"})
	leave("bob")
	leave("ann")
	leave("cat")
	want(t, "conversations", e.IDs(t, model.Conversations), []string{})
	want(t, "parts", e.IDs(t, model.ConversationMonths), []string{})
}

// A rename reaches all conversations of a user, also one that others write in at that moment.
func TestRename(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{CacheTTL: time.Millisecond})
	friends(t, e, "ann", "bob", "cat")
	pair, group := begin(t, e, "ann", "1", "bob"), begin(t, e, "ann", "1", "bob", "cat")
	testenv.Must(t, e.Users.UpdateUser(t.Context(), "bob", model.UserPatch{Nickname: new("Bobby")}))
	e.CoolDown()
	others := e.Again(t, store.Options{})
	racing := e.Again(t, store.Options{CacheTTL: time.Millisecond, Meter: meter.Options{Below: storetest.Before(
		storetest.WritesTo("conversations/"+string(pair)), func() { send(t, others, "bob", pair, "meanwhile") })}})
	testenv.Must(t, racing.Previews.PropagateProfile(t.Context(), model.PropagationWork{UserID: "bob"}))
	for _, id := range []model.ConversationID{pair, group} {
		c, err := e.Messages.Conversation(t.Context(), "ann", id)
		testenv.Must(t, err)
		want(t, "the nickname", c.Member("bob").Nickname, "Bobby")
	}
	want(t, "the messages", texts(t, e, "ann", pair), []string{"1", "meanwhile"})
}

// Moderators see the message that a member reports, and a stranger reports none.
func TestReport(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	e.CreateUsers(t, "eve")
	id := begin(t, e, "ann", "bad", "bob")
	message := model.NewMessageID(model.NewPartKey(id, "2026-11", 0), 1)
	n := moderation.NewReport{ConversationID: id, MessageID: message, Reason: "spam"}
	storetest.WantErr(t, e.Moderation.Report(t.Context(), "eve", n), errs.NotFound, "conversation_not_found")
	storetest.WantErr(t, e.Moderation.Report(t.Context(), "ann", n), errs.Invalid, "self_report")
	testenv.Must(t, e.Moderation.Report(t.Context(), "bob", n))
	testenv.Must(t, e.Messages.TakeBack(t.Context(), "ann", id, message))
	page, err := e.Moderation.Reports(t.Context(), model.Cursor{}, 10)
	testenv.Must(t, err)
	if len(page.Items) != 1 || page.Items[0].Message == nil || page.Items[0].Message.Text != "bad" ||
		page.Items[0].UserID != "ann" {
		t.Errorf("the reports are %+v", page.Items)
	}
	storetest.WantErr(t, e.Moderation.Report(t.Context(), "bob", n), errs.NotFound, "message_not_found")
}
