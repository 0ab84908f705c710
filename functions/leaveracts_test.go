package functions_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// Leavers are users who only write messages, and delete their accounts. All others stay: what an account deletion
// removes besides is compared in package erasure.

// manyLeavers is how many leavers there are.
const manyLeavers = 2

// welcome lets the leavers sign up. Each begins a conversation of two and one of several.
func (h *history) welcome(ctx context.Context) {
	for i := range manyLeavers {
		u := model.UserID(fmt.Sprint("leaver_", i))
		_, err := h.store.Users.CreateUser(ctx, u, model.NewUser{Username: string(u), Nickname: string(u)})
		h.must(err)
		h.world.talks.leavers = append(h.world.talks.leavers, u)
		h.begin(ctx, u, pick(h.rng, h.world.users))
		h.beginGroup(ctx, u)
	}
}

// talkers are all users who may write messages: the others, and the leavers who have not left.
func (w *world) talkers() []model.UserID { return append(slices.Clone(w.users), w.talks.leavers...) }

// stays reports whether a user is no leaver.
func (w *world) stays(u model.UserID) bool { return slices.Contains(w.users, u) }

// erasedUser reports whether a user has deleted the account.
func (w *world) erasedUser(u model.UserID) bool {
	return !w.stays(u) && !slices.Contains(w.talks.leavers, u)
}

// erase lets a leaver delete the account, while the leaver and another user write in one of the leaver's conversations.
// Then the functions remove all documents of the leaver. A process that is killed lives shorter than they wait between
// two passes.
func (h *history) erase(ctx context.Context) {
	w := h.world
	if len(w.talks.leavers) == 0 || h.kills {
		return
	}
	u := w.talks.leavers[0]
	w.talks.leavers = w.talks.leavers[1:]
	acts := []func() error{func() error {
		return testenv.Patiently(func() error {
			_, err := h.store.Users.Leave(ctx, u)
			return err
		})
	}}
	t := w.commonTalk(u)
	type try struct {
		by    model.UserID
		draft model.NewMessage
		want  []string
		id    model.MessageID
	}
	var tries []*try
	if t != nil {
		others := slices.DeleteFunc(t.present(), func(v model.UserID) bool { return v == u })
		for i, by := range []model.UserID{u, pick(h.rng, others)} {
			n, r := w.message()
			one := &try{by: by, draft: n, want: append(w.maySend(by, t, n), "conversation_not_found", "not_allowed")}
			tries = append(tries, one)
			acts = append(acts, func() (err error) {
				one.id, err = h.sendBy(ctx, []*store.Store{h.store, h.stack.Store}[i], by, t, n, r)
				return err
			})
		}
	}
	failures := testenv.AtOnce(len(acts), func(i int) error { return acts[i]() })
	h.must(failures[0])
	var sent []*try
	for i, one := range tries {
		if h.talked(sentAtOnce, one.by, t, failures[i+1], one.want...) {
			sent = append(sent, one)
		}
	}
	h.idle()
	for _, one := range tries {
		if one.id == "" { // a try that succeeded may have seemed to fail
			if one.id = h.idOf(t, one.by); one.id != "" {
				sent = append(sent, one)
			}
		}
	}
	slices.SortFunc(sent, func(a, b *try) int { return cmp.Compare(a.id.Number(), b.id.Number()) })
	for _, one := range sent {
		h.said(t, one.by, one.draft, one.id)
	}
	w.erased(u)
	h.seen.add(erasedTalker, 1)
}

// commonTalk is a conversation in which a user and somebody else are present; nil if there is none.
func (w *world) commonTalk(u model.UserID) *talk {
	for _, t := range w.talks.all {
		if m := t.members[u]; m != nil && m.state.Present() && len(t.present()) > 1 {
			return t
		}
	}
	return nil
}

// idOf is the id of a message by a user in a conversation that the model does not know; empty if there is none.
func (h *history) idOf(t *talk, by model.UserID) (id model.MessageID) {
	h.each(model.ConversationMonths, func(snap *firestore.DocumentSnapshot) {
		var part model.MessagePart
		h.must(snap.DataTo(&part))
		for key, m := range part.Messages {
			var n int64
			_, err := fmt.Sscan(key, &n)
			if h.must(err); part.ConversationID == t.id && m.AuthorID == by && n > t.last() {
				id = model.NewMessageID(model.PartKey(snap.Ref.ID), n)
			}
		}
	})
	return id
}

// erased removes a user from all conversations. The user's messages stay as taken back, without reactions,
// and the user's uploads go.
func (w *world) erased(u model.UserID) {
	for _, t := range slices.Clone(w.talks.all) {
		if t.members[u] == nil {
			continue
		}
		t.members[u] = &talker{state: model.StateGone}
		for _, m := range t.messages {
			if delete(m.reactions, u); m.by == u {
				w.take(m)
			}
		}
		w.close(t)
	}
	maps.DeleteFunc(w.uploads, func(_ model.MediaID, one *upload) bool { return one.owner == u })
}
