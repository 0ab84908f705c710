package messages_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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

// Nobody begins a conversation with a user of another server, who would never read it.
func TestRemoteMembers(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	iri := "https://far.example/eve"
	eve, err := e.Users.PutRemote(t.Context(), model.RemotePerson{User: model.User{ID: model.RemoteUserID(iri),
		Username: "eve@far.example", Nickname: "eve", Remote: &model.RemoteUser{IRI: iri, Inbox: iri + "/inbox",
			FetchedAt: e.Clock.Now(), StaleAt: e.Clock.Now().Add(time.Hour)}}})
	testenv.Must(t, err)
	for _, others := range [][]model.UserID{{eve.ID}, {"bob", eve.ID}} {
		_, err := e.Messages.Begin(t.Context(), "ann", model.NewConversation{Others: others,
			NewMessage: model.NewMessage{Text: "x"}}, model.Request{})
		storetest.WantErr(t, err, errs.Forbidden, "no_remote_messages")
	}
	if ids := e.IDs(t, model.Conversations); len(ids) != 0 {
		t.Errorf("there are conversations: %v", ids)
	}
}
