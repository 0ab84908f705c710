package messages_test

import (
	"context"
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
)

// leaves deletes the account of a user, to the end.
func leaves(t *testing.T, e *storetest.Env, uid model.UserID) {
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
		testenv.Must(t, e.AccountDeletions.Leave(t.Context(), work))
	}
	t.Fatal("the account deletion does not end")
}

// A request whose senders are gone, or blocked, or that the user deleted, counts no more than the list shows: so nobody
// fills the requests of a user for ever.
func TestRequestsOfNobody(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{LeavePause: 1})
	e.CreateUsers(t, "ann", "bob", "blocked", "group", "cleared", "gone", "deserted", "stays")
	begin(t, e, "blocked", "x", "ann")
	begin(t, e, "group", "x", "ann", "bob")
	deserted := begin(t, e, "deserted", "x", "ann", "bob")
	cleared := begin(t, e, "cleared", "x", "ann")
	begin(t, e, "gone", "x", "ann")
	stays := begin(t, e, "stays", "x", "ann")
	want(t, "the count before", unread(t, e, "ann"), [2]int64{0, 6})
	for _, uid := range []model.UserID{"blocked", "group"} {
		testenv.Must(t, e.Graph.Block(t.Context(), "ann", uid))
		testenv.Must(t, e.Viewers.Block(t.Context(), "ann", uid))
	}
	testenv.Must(t, e.Messages.RefuseBetween(t.Context(), "ann", "blocked"))
	testenv.Must(t, e.Messages.Clear(t.Context(), "ann", cleared))
	testenv.Must(t, e.Messages.Leave(t.Context(), "deserted", deserted))
	leaves(t, e, "gone")
	want(t, "the list", inbox(t, e, "ann", true), []model.ConversationID{stays})
	want(t, "the count", unread(t, e, "ann"), [2]int64{0, 1})
	want(t, "of bob, who may consent to one of several", unread(t, e, "bob"), [2]int64{0, 1})
	want(t, "the conversations", len(e.IDs(t, model.Conversations)), 4) // of blocked, group, cleared and stays
	_, err := e.Messages.Begin(t.Context(), "cleared", model.NewConversation{Others: []model.UserID{"ann"},
		NewMessage: model.NewMessage{Text: "x"}}, model.Request{})
	storetest.WantErr(t, err, errs.Forbidden, "not_allowed")
}

// Reading refuses nothing: a request of a user with a block is neither listed nor counted, and comes back with the end
// of the block.
func TestBlockedRequests(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann", "bob", "cat", "dan")
	cats := begin(t, e, "cat", "x", "ann")
	e.Clock.Add(time.Second)
	bobs := begin(t, e, "bob", "x", "ann")
	e.Clock.Add(time.Second)
	group := begin(t, e, "bob", "x", "ann", "dan")
	reads := func(what string, list, count int64, ids ...model.ConversationID) {
		t.Helper()
		testenv.Must(t, storetest.Costs(t, what+": the list", list, 0, 0, func(ctx context.Context) error {
			page, err := e.Messages.List(ctx, "ann", true, model.Cursor{}, 20)
			got := []model.ConversationID{}
			for _, c := range page.Items {
				got = append(got, c.ID)
			}
			want(t, what+": the list", got, ids)
			return err
		}))
		testenv.Must(t, storetest.Costs(t, what+": the count", count, 0, 0, func(ctx context.Context) error {
			is, err := e.Messages.Unread(ctx, "ann", time.Time{})
			want(t, what+": the count", is.Requests, int64(len(ids)))
			return err
		}))
	}
	reads("without a block", 2+3, 3+1, group, bobs, cats)
	testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
	testenv.Must(t, e.Viewers.Block(t.Context(), "ann", "bob"))
	reads("with a block", 2+3, 3+1+3, cats)
	testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
	reads("after its end", 2+3, 3+1, group, bobs, cats)
}

// A block refuses the request between the two for good, whoever of them asked, and nothing else.
func TestRefuseBetween(t *testing.T) {
	t.Parallel()
	for _, asker := range []model.UserID{"ann", "bob"} {
		t.Run(string(asker), func(t *testing.T) {
			t.Parallel()
			e := storetest.Open(t, store.Options{})
			e.CreateUsers(t, "ann", "bob", "cat")
			asked := map[model.UserID]model.UserID{"ann": "bob", "bob": "ann"}[asker]
			id := begin(t, e, asker, "x", asked)
			between := func(what string, reads, writes int64) {
				t.Helper()
				testenv.Must(t, storetest.Costs(t, what, reads, writes, 0, func(ctx context.Context) error {
					return e.Messages.RefuseBetween(ctx, "ann", "bob")
				}))
			}
			between("without a block", 2, 0)
			want(t, "the requests without a block", inbox(t, e, asked, true), []model.ConversationID{id})
			testenv.Must(t, e.Graph.Block(t.Context(), "ann", "bob"))
			between("the refusal", 3, 1)
			between("the same again", 1, 0)
			testenv.Must(t, e.Graph.Unblock(t.Context(), "ann", "bob"))
			want(t, "the requests", inbox(t, e, asked, true), []model.ConversationID{})
			want(t, "the asker", inbox(t, e, asker, false), []model.ConversationID{id})
			other := begin(t, e, "ann", "x", "cat")
			testenv.Must(t, e.Messages.RefuseBetween(t.Context(), "ann", "bob"))
			want(t, "another request", inbox(t, e, "cat", true), []model.ConversationID{other})
		})
	}
}

// The last user refuses, or leaves and the process dies then. The event of the newest part finishes it, however many
// parts there are.
func TestLastUser(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	friends(t, e, "ann", "bob")
	e.CreateUsers(t, "cat")
	id := begin(t, e, "ann", "x", "bob", "cat")
	for n := range 120 {
		key := model.NewPartKey(id, "2026-01", n)
		_, err := e.Raw.Doc("conversationMonths/"+string(key)).Set(t.Context(), model.MessagePart{ConversationID: id})
		testenv.Must(t, err)
	}
	testenv.Must(t, e.Messages.Leave(t.Context(), "bob", id))
	dying := e.Again(t, store.Options{Meter: meter.Options{Below: func(ctx context.Context, method string, req, reply any,
		conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if c, ok := req.(*pb.CommitRequest); ok && c.Writes[0].GetDelete() != "" {
			return status.Error(codes.Internal, "the process was killed")
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	}}})
	if err := dying.Messages.Leave(t.Context(), "ann", id); err == nil {
		t.Error("nothing was to be deleted")
	}
	want(t, "the event of the newest part", e.Doc(t, "conversationMonths/"+string(model.NewPartKey(id,
		model.MonthOf(e.Clock.Now()), 0)))["cleanings"], any(int64(1)))
	testenv.Must(t, e.Messages.Finish(t.Context(), id)) // does it
	testenv.Must(t, e.Messages.Finish(t.Context(), id)) // those of the parts that it deleted
	want(t, "conversations", e.IDs(t, model.Conversations), []string{})
	want(t, "parts", e.IDs(t, model.ConversationMonths), []string{})
	stays := begin(t, e, "ann", "x", "bob")
	testenv.Must(t, e.Messages.Finish(t.Context(), stays))
	want(t, "one with users", texts(t, e, "bob", stays), []string{"x"})
}

// A reaction is on its way while the account of its author is deleted: it does not stay.
func TestReactionOfNobody(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{LeavePause: 1})
	friends(t, e, "ann", "bob")
	id := begin(t, e, "ann", "x", "bob")
	part := model.NewPartKey(id, model.MonthOf(e.Clock.Now()), 0)
	racing := e.Again(t, store.Options{Meter: meter.Options{Below: storetest.Before(storetest.WritesTo(
		"conversationMonths/"+string(part)), func() { leaves(t, e, "bob") })}})
	err := racing.Messages.React(t.Context(), "bob", id, model.NewMessageID(part, 1), "👍")
	storetest.WantErr(t, err, errs.NotFound, "conversation_not_found")
	page, err := e.Messages.Messages(t.Context(), "ann", id, "")
	testenv.Must(t, err)
	want(t, "the reactions", len(page.Messages[0].Reactions), 0)
}
