package messages_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/messages"
)

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// friends makes users who all follow each other.
func friends(t *testing.T, e *storetest.Env, uids ...model.UserID) {
	t.Helper()
	e.CreateUsers(t, uids...)
	for _, a := range uids {
		for _, b := range uids {
			if a != b {
				testenv.Must(t, e.Graph.Follow(t.Context(), a, b))
			}
		}
	}
}

// begin begins a conversation.
func begin(t *testing.T, e *storetest.Env, by model.UserID, text string, others ...model.UserID) model.ConversationID {
	t.Helper()
	begun, err := e.Messages.Begin(t.Context(), by, model.NewConversation{Others: others,
		NewMessage: model.NewMessage{Text: text}}, model.Request{})
	testenv.Must(t, err)
	return begun.ID
}

func send(t *testing.T, s *store.Store, by model.UserID, id model.ConversationID, text string) model.MessageID {
	t.Helper()
	sent, err := s.Messages.Send(t.Context(), by, id, model.NewMessage{Text: text}, model.Request{})
	testenv.Must(t, err)
	return sent.ID
}

// texts returns all messages of a conversation as a user sees them, the oldest first.
func texts(t *testing.T, e *storetest.Env, uid model.UserID, id model.ConversationID) []string {
	t.Helper()
	all := []string{}
	for key := model.PartKey(""); ; {
		page, err := e.Messages.Messages(t.Context(), uid, id, key)
		testenv.Must(t, err)
		for _, m := range page.Messages {
			text := m.Text
			if m.TakenBack {
				text = "(taken back)"
			}
			all = append(all, text)
		}
		if key = page.Older; key == "" {
			slices.Reverse(all)
			return all
		}
	}
}

// inbox returns the ids in a user's list of conversations, or of requests.
func inbox(t *testing.T, e *storetest.Env, uid model.UserID, requests bool) []model.ConversationID {
	t.Helper()
	page, err := e.Messages.List(t.Context(), uid, requests, model.Cursor{}, 20)
	testenv.Must(t, err)
	ids := []model.ConversationID{}
	for _, c := range page.Items {
		ids = append(ids, c.ID)
	}
	return ids
}

func unread(t *testing.T, e *storetest.Env, uid model.UserID) [2]int64 {
	t.Helper()
	is, err := e.Messages.Unread(t.Context(), uid, time.Time{})
	testenv.Must(t, err)
	return [2]int64{is.Count, is.Requests}
}

// Two friends write to each other. Each finds one conversation, with what the other wrote unread.
func TestPair(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "hello", "bob")
	want(t, "the conversation by the other", begin(t, e, "bob", "hi", "ann"), id)
	last := send(t, e.Store, "ann", id, "how are you?")
	want(t, "the id", last,
		model.MessageID(string(model.MonthOf(e.Clock.Now()))[:4]+string(model.MonthOf(e.Clock.Now()))[5:]+
			"-0000-000000003"))
	for _, uid := range []model.UserID{"ann", "bob"} {
		want(t, "the messages", texts(t, e, uid, id), []string{"hello", "hi", "how are you?"})
		want(t, "the inbox", inbox(t, e, uid, false), []model.ConversationID{id})
		want(t, "the requests", inbox(t, e, uid, true), []model.ConversationID{})
	}
	want(t, "unread of ann", unread(t, e, "ann"), [2]int64{0, 0})
	want(t, "unread of bob", unread(t, e, "bob"), [2]int64{1, 0})
	testenv.Must(t, e.Messages.MarkRead(t.Context(), "bob", id, last))
	want(t, "unread of bob", unread(t, e, "bob"), [2]int64{0, 0})
	send(t, e.Store, "ann", id, "?")
	testenv.Must(t, e.Messages.MarkRead(t.Context(), "bob", id, last)) // a late request
	c, err := e.Messages.Conversation(t.Context(), "bob", id)
	testenv.Must(t, err)
	want(t, "the number of unread", c.Unread("bob", c.Read), int64(1))
}

// Nobody else learns whether there is a conversation.
func TestStrangersFindNothing(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	e.CreateUsers(t, "eve")
	there := begin(t, e, "ann", "hello", "bob")
	message := send(t, e.Store, "ann", there, "x")
	for _, id := range []model.ConversationID{there, model.PairID("ann", "nobody")} {
		for what, do := range map[string]func(context.Context) error{
			"read": func(ctx context.Context) error { _, err := e.Messages.Conversation(ctx, "eve", id); return err },
			"list": func(ctx context.Context) error { _, err := e.Messages.Messages(ctx, "eve", id, ""); return err },
			"send": func(ctx context.Context) error {
				_, err := e.Messages.Send(ctx, "eve", id, model.NewMessage{Text: "x"}, model.Request{})
				return err
			},
			"accept": func(ctx context.Context) error { return e.Messages.Accept(ctx, "eve", id) },
			"refuse": func(ctx context.Context) error { return e.Messages.Refuse(ctx, "eve", id) },
			"leave":  func(ctx context.Context) error { return e.Messages.Leave(ctx, "eve", id) },
			"clear":  func(ctx context.Context) error { return e.Messages.Clear(ctx, "eve", id) },
			"change": func(ctx context.Context) error {
				return e.Messages.Change(ctx, "eve", id, messages.Patch{Name: new("x")})
			},
			"take back": func(ctx context.Context) error { return e.Messages.TakeBack(ctx, "eve", id, message) },
			"hide":      func(ctx context.Context) error { return e.Messages.Hide(ctx, "eve", id, message) },
			"react":     func(ctx context.Context) error { return e.Messages.React(ctx, "eve", id, message, "👍") },
		} {
			err := do(t.Context())
			if errs.KindOf(err) != errs.NotFound || errs.CodeOf(err) != "conversation_not_found" {
				t.Errorf("%s of %s: %v", what, id, err)
			}
		}
	}
}

// A stranger's messages are a request, which the other accepts, by a message too, or refuses.
func TestRequests(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	id := begin(t, e, "ann", "1", "bob")
	want(t, "the inbox", inbox(t, e, "bob", false), []model.ConversationID{})
	want(t, "the requests", inbox(t, e, "bob", true), []model.ConversationID{id})
	want(t, "unread", unread(t, e, "bob"), [2]int64{0, 1})
	for _, text := range []string{"2", "3", "4", "5"} {
		send(t, e.Store, "ann", id, text)
	}
	_, err := e.Messages.Send(t.Context(), "ann", id, model.NewMessage{Text: "6"}, model.Request{})
	storetest.WantErr(t, err, errs.Conflict, "request_pending")
	testenv.Must(t, e.Messages.Accept(t.Context(), "bob", id))
	send(t, e.Store, "ann", id, "6")
	want(t, "unread", unread(t, e, "bob"), [2]int64{1, 0})
	storetest.WantErr(t, e.Messages.Refuse(t.Context(), "bob", id), errs.Conflict, "no_request")

	answered := begin(t, e, "ann", "x", "cat")
	send(t, e.Store, "cat", answered, "an answer consents")
	want(t, "the inbox", inbox(t, e, "cat", false), []model.ConversationID{answered})

	refused := begin(t, e, "ann", "x", "dan")
	testenv.Must(t, e.Messages.Refuse(t.Context(), "dan", refused))
	_, err = e.Messages.Send(t.Context(), "ann", refused, model.NewMessage{Text: "x"}, model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "not_allowed")
	_, err = e.Messages.Begin(t.Context(), "ann", model.NewConversation{Others: []model.UserID{"dan"},
		NewMessage: model.NewMessage{Text: "x"}}, model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "not_allowed")
	_, err = e.Messages.Conversation(t.Context(), "dan", refused)
	storetest.WantErr(t, err, errs.NotFound, "conversation_not_found")
	want(t, "the conversation that the refuser begins", begin(t, e, "dan", "after all", "ann"), refused)
	send(t, e.Store, "ann", refused, "thanks")
	want(t, "what the refuser sees", texts(t, e, "dan", refused), []string{"after all", "thanks"})
}

func muting(until time.Time) messages.Patch { return messages.Patch{MutedUntil: &until} }
