package functions_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/messages"
)

func (t *talk) String() string {
	if t == nil {
		return "a new conversation"
	}
	s := fmt.Sprintf("%s (%d messages)", t.id, t.last())
	for _, u := range slices.Sorted(maps.Keys(t.members)) {
		s += fmt.Sprintf(" %s:%s", u, t.members[u].state)
	}
	return s
}

// talk lets people do some things with conversations, one after the other or at once.
func (h *history) talk(ctx context.Context, v model.UserID) {
	w := h.world
	if h.rng.IntN(20) == 0 {
		h.erase(ctx)
	}
	for range 4 {
		var in *talk
		var u model.UserID
		if len(w.talks.all) > 0 {
			in = pick(h.rng, w.talks.all)
			u = pick(h.rng, slices.DeleteFunc(slices.Sorted(maps.Keys(in.members)), w.erasedUser)) // who may have left
		}
		n := h.rng.IntN(60)
		if waiting := w.waiting(); (n >= 36 && n < 44 || n == 55) && len(waiting) > 0 {
			in = pick(h.rng, waiting)
			u = pick(h.rng, in.of(model.StateRequested))
		}
		if refused := w.refused(); n < 4 && len(refused) > 0 {
			in = pick(h.rng, refused)
		}
		switch {
		case in != nil && n < 4 && in.refuser() != "":
			h.begin(ctx, in.refuser(), in.other(in.refuser()))
		case in == nil, n < 7:
			h.begin(ctx, pick(h.rng, w.talkers()), v)
		case n < 10:
			h.beginGroup(ctx, pick(h.rng, w.talkers()))
		case n < 18:
			h.send(ctx, u, in)
		case n < 22:
			h.sendPictures(ctx, u, in)
		case n < 25:
			h.sendAtOnce(ctx, in)
		case n < 29:
			h.react(ctx, u, in)
		case n < 32:
			h.takeBack(ctx, in, n == 31)
		case n < 35:
			h.hideMessage(ctx, u, in)
		case n < 36:
			h.rename(ctx, u, in)
		case n < 40:
			h.consent(ctx, u, in)
		case n < 42:
			h.refuseTalk(ctx, u, in)
		case n < 43:
			h.refuseAtOnce(ctx, u, in)
		case n < 46:
			h.clearTalk(ctx, u, in)
		case n < 48:
			h.leaveTalk(ctx, u, in)
		case n < 49:
			h.leaveAtOnce(ctx, in)
		case n < 53:
			h.markRead(ctx, u, in)
		case n < 55:
			h.takeMessagesFrom(ctx, u)
		case n < 57:
			if !w.stays(u) || !w.stays(in.other(u)) {
				continue // blocks of an erased user go
			}
			if h.block(ctx, u, in.other(u)); n == 56 { // while functions may tell of it
				h.unblock(ctx, u, in.other(u))
			}
		default:
			h.compareTalk(u, in)
		}
		if h.rng.IntN(3) > 0 && len(w.talks.all) > 0 { // mostly what somebody sees at once
			in = pick(h.rng, w.talks.all)
			h.compareTalk(pick(h.rng, in.present()), in)
		}
	}
}

// waiting are the conversations to which somebody has not consented yet.
func (w *world) waiting() []*talk {
	return slices.DeleteFunc(slices.Clone(w.talks.all), func(t *talk) bool {
		return len(t.of(model.StateRequested)) == 0
	})
}

// refused are the conversations of two that somebody refused.
func (w *world) refused() []*talk {
	return slices.DeleteFunc(slices.Clone(w.talks.all), func(t *talk) bool { return t.refuser() == "" })
}

// message is a new message, and a request that can be repeated.
func (w *world) message() (model.NewMessage, model.Request) {
	w.talks.sends++
	key := fmt.Sprint("send", w.talks.sends)
	return model.NewMessage{Text: fmt.Sprintf("hello word%d", w.talks.sends)}, model.Request{Key: key, Hash: key}
}

// admitted is what a user is in a conversation that another begins, or the error of it.
func (w *world) admitted(by, u model.UserID) (model.MemberState, string) {
	follows := w.follows[[2]model.UserID{u, by}] != nil
	switch from := w.talks.from[u]; {
	case w.between(by, u), from == model.MessagesFromNobody, from == model.MessagesFromFollowed && !follows:
		return "", "not_allowed"
	case follows:
		return model.StateMember, ""
	}
	return model.StateRequested, ""
}

// begin lets a user write to another.
func (h *history) begin(ctx context.Context, u, v model.UserID) {
	w := h.world
	if u == v {
		return
	}
	n, r := w.message()
	t := &talk{id: model.PairID(u, v), pair: true}
	var want []string
	if i := slices.IndexFunc(w.talks.all, func(o *talk) bool { return o.id == t.id }); i >= 0 {
		t = w.talks.all[i]
		if want = w.maySend(u, t, n); w.erasedUser(v) {
			want = []string{"user_not_found"}
		}
	} else {
		state, refused := w.admitted(u, v)
		t.members = map[model.UserID]*talker{u: {state: model.StateMember}, v: {state: state}}
		want = []string{refused}
	}
	if t.refuser() == u {
		h.seen.add(begunAgain, 1)
	}
	h.beginTalk(ctx, u, t, []model.UserID{v}, n, r, want)
}

// beginGroup lets a user write to several others.
func (h *history) beginGroup(ctx context.Context, u model.UserID) {
	w := h.world
	n, r := w.message()
	t := &talk{id: model.GroupID(u, r.Key), members: map[model.UserID]*talker{u: {state: model.StateMember}}}
	want := ""
	var others []model.UserID
	talkers := w.talkers()
	for _, i := range h.rng.Perm(len(talkers))[:2+h.rng.IntN(4)] {
		v := talkers[i]
		if state, refused := w.admitted(u, v); refused != "" && h.rng.IntN(10) > 0 || u == v {
			continue
		} else if refused != "" {
			want = refused
		} else {
			t.members[v] = &talker{state: state}
		}
		others = append(others, v)
	}
	if len(others) > 1 {
		h.beginTalk(ctx, u, t, others, n, r, []string{want})
	}
}

func (h *history) beginTalk(ctx context.Context, u model.UserID, t *talk, others []model.UserID, n model.NewMessage,
	r model.Request, want []string) {
	var id model.MessageID
	err := testenv.Patiently(func() error {
		begun, err := h.store.Messages.Begin(ctx, u, model.NewConversation{Others: others, NewMessage: n}, r)
		if err == nil {
			id = begun.Last.ID // nobody else writes
		}
		return err
	})
	if !h.talked(begunTalk, u, t, err, want...) {
		return
	}
	if t.last() == 0 {
		h.world.talks.all = append(h.world.talks.all, t)
	}
	h.said(t, u, n, id)
}

// said notes a message. Its author consents to the conversation.
func (h *history) said(t *talk, u model.UserID, n model.NewMessage, id model.MessageID) {
	h.t.Helper()
	t.messages = append(t.messages, &said{id: id, by: u, text: n.Text, replyTo: n.ReplyTo, media: n.Media,
		reactions: map[model.UserID]string{}})
	for _, picture := range n.Media {
		h.world.uploads[picture].message = id
		h.seen.add(picturedMessage, 1)
	}
	if id.Number() != t.last() {
		h.t.Errorf("%s: the message of %s has number %d, want %d", t, u, id.Number(), t.last())
	}
	m := t.members[u]
	m.state, m.sent = model.StateMember, t.last()
}

// maySend are the errors that a message of a user may have. A user who was in the conversation of two, and begins it
// anew, is in it again.
func (w *world) maySend(u model.UserID, t *talk, n model.NewMessage) []string {
	return w.codes(u, func(blocked func(model.UserID) bool) string {
		m := t.members[u]
		switch {
		case t.ended(u), t.pair && (w.between(u, t.other(u)) || blocked(t.other(u))):
			return "not_allowed"
		case m.state != model.StateRequested && t.pending(u) && t.last() >= model.MaxPendingMessages:
			return "request_pending"
		}
		if n.ReplyTo != "" {
			to := t.messages[n.ReplyTo.Number()-1]
			if n.ReplyTo.Number() <= m.cleared || !t.pair && to.by != u && blocked(to.by) {
				return "message_not_found"
			}
		}
		return ""
	})
}

// send lets a user answer in a conversation.
func (h *history) send(ctx context.Context, u model.UserID, t *talk) {
	n, r := h.world.message()
	if h.rng.IntN(3) == 0 {
		n.ReplyTo = pick(h.rng, t.messages).id
	}
	want := []string{"conversation_not_found"}
	if t.members[u].state.Present() {
		want = h.world.maySend(u, t, n)
	}
	id, err := h.sendBy(ctx, h.store, u, t, n, r)
	if h.talked(sentMessage, u, t, err, want...) {
		h.said(t, u, n, id)
	}
}

// sendPictures lets a user send pictures in a conversation.
func (h *history) sendPictures(ctx context.Context, u model.UserID, t *talk) {
	n, r := h.world.message()
	refused := ""
	if n.Media, refused = h.attach(ctx, u); n.Media == nil {
		h.upload(ctx, u)
		h.idle()
		n.Media, refused = h.attach(ctx, u)
	}
	want := []string{"conversation_not_found"}
	if m := t.members[u]; m.state.Present() {
		want = h.world.maySend(u, t, n)
		for i, code := range want {
			pending := m.state != model.StateRequested && t.pending(u)
			switch {
			case code == "" && pending && len(n.Media) > 0:
				want[i] = "request_pending"
			case code == "":
				want[i] = refused
			}
		}
	}
	id, err := h.sendBy(ctx, h.store, u, t, n, r)
	if h.talked(sentMessage, u, t, err, want...) {
		h.said(t, u, n, id)
	}
}

func (h *history) sendBy(ctx context.Context, s *store.Store, u model.UserID, t *talk, n model.NewMessage,
	r model.Request) (id model.MessageID, err error) {
	err = testenv.Patiently(func() error {
		sent, err := s.Messages.Send(ctx, u, t.id, n, r)
		if err == nil {
			id = sent.ID
		}
		return err
	})
	return id, err
}

// sendAtOnce lets all members of a conversation write at once, half of them through another process.
func (h *history) sendAtOnce(ctx context.Context, t *talk) {
	if t.pair && h.world.doubts(t) || len(t.of(model.StateRequested)) > 0 {
		return
	}
	all := t.of(model.StateMember)
	drafts, requests := make([]model.NewMessage, len(all)), make([]model.Request, len(all))
	want, ids := make([][]string, len(all)), make([]model.MessageID, len(all))
	for i, u := range all {
		drafts[i], requests[i] = h.world.message()
		want[i] = h.world.maySend(u, t, drafts[i])
	}
	failures := testenv.AtOnce(len(all), func(i int) (err error) {
		ids[i], err = h.sendBy(ctx, []*store.Store{h.store, h.stack.Store}[i%2], all[i], t, drafts[i], requests[i])
		return err
	})
	order := make([]int, 0, len(all))
	for i, u := range all {
		if h.talked(sentAtOnce, u, t, failures[i], want[i]...) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ids[a].Number(), ids[b].Number()) })
	for _, i := range order {
		h.said(t, all[i], drafts[i], ids[i])
	}
}

// react lets a user react to a message, or take that back.
func (h *history) react(ctx context.Context, u model.UserID, t *talk) {
	m := pick(h.rng, t.messages)
	emoji := pick(h.rng, []string{"🔥", "🎉", ""})
	err := testenv.Patiently(func() error { return h.store.Messages.React(ctx, u, t.id, m.id, emoji) })
	if h.talked(reactedToMessage, u, t, err, h.world.mayReact(u, t, m, emoji)...) {
		m.react(u, emoji)
	}
}

func (m *said) react(u model.UserID, emoji string) {
	if m.reactions[u] = emoji; emoji == "" {
		delete(m.reactions, u)
	}
}

func (w *world) mayReact(u model.UserID, t *talk, m *said, emoji string) []string {
	return w.codes(u, func(blocked func(model.UserID) bool) string {
		me := t.members[u]
		switch {
		case !me.state.Present():
			return "conversation_not_found"
		case m.taken, m.id.Number() <= me.cleared, !t.pair && m.by != u && blocked(m.by):
			return "message_not_found"
		case me.state != model.StateMember:
			return "request_pending"
		case m.reactions[u] == emoji:
			return ""
		case t.ended(u), t.pair && blocked(t.other(u)):
			return "not_allowed"
		}
		return ""
	})
}

// takeBack lets somebody who may not, or the author, take a message back. Another may react to it at once.
func (h *history) takeBack(ctx context.Context, t *talk, atOnce bool) {
	m := pick(h.rng, t.messages)
	if i := slices.IndexFunc(t.messages, func(m *said) bool { return len(m.media) > 0 }); i >= 0 && h.rng.IntN(2) == 0 {
		m = t.messages[i]
	}
	u, v := m.by, pick(h.rng, slices.DeleteFunc(slices.Sorted(maps.Keys(t.members)), h.world.erasedUser))
	if h.rng.IntN(4) == 0 || h.world.erasedUser(u) {
		u = v
	}
	want := ""
	switch {
	case !t.members[u].state.Present():
		want = "conversation_not_found"
	case u != m.by:
		want = "not_author"
	}
	acts := []func(*store.Store) error{func(s *store.Store) error { return s.Messages.TakeBack(ctx, u, t.id, m.id) }}
	if atOnce {
		acts = append(acts, func(s *store.Store) error { return s.Messages.React(ctx, v, t.id, m.id, "🎉") })
	}
	may := append(h.world.mayReact(v, t, m, "🎉"), "message_not_found")
	failures := testenv.AtOnce(len(acts), func(i int) error { return acts[i]([]*store.Store{h.store, h.stack.Store}[i]) })
	if atOnce && h.talked(reactedAtOnce, v, t, failures[1], may...) {
		m.react(v, "🎉")
	}
	if h.talked(tookBack, u, t, failures[0], want) {
		h.seen.add(pictureTakenBack, len(m.media))
		h.world.take(m)
	}
}

// hideMessage lets a user delete a message for themselves.
func (h *history) hideMessage(ctx context.Context, u model.UserID, t *talk) {
	m, me, want := pick(h.rng, t.messages), t.members[u], ""
	if !me.state.Present() {
		want = "conversation_not_found"
	}
	err := testenv.Patiently(func() error { return h.store.Messages.Hide(ctx, u, t.id, m.id) })
	if h.talked(hidMessage, u, t, err, want) {
		if me.hidden == nil {
			me.hidden = map[int64]bool{}
		}
		me.hidden[m.id.Number()] = true
	}
}

// rename lets a user give a conversation a name.
func (h *history) rename(ctx context.Context, u model.UserID, t *talk) {
	name, want := fmt.Sprint("name ", h.rng.IntN(10)), ""
	switch {
	case !t.members[u].state.Present():
		want = "conversation_not_found"
	case t.pair:
		want = "conversation_of_two"
	case t.members[u].state != model.StateMember:
		want = "request_pending"
	}
	err := testenv.Patiently(func() error {
		return h.store.Messages.Change(ctx, u, t.id, messages.Patch{Name: &name})
	})
	if h.talked(renamedTalk, u, t, err, want) {
		t.name = name
	}
}

// consent lets a user accept a conversation.
func (h *history) consent(ctx context.Context, u model.UserID, t *talk) {
	m, want := t.members[u], ""
	if !m.state.Present() {
		want = "conversation_not_found"
	}
	err := testenv.Patiently(func() error { return h.store.Messages.Accept(ctx, u, t.id) })
	if h.talked(acceptedTalk, u, t, err, want) {
		m.state = model.StateMember
	}
}

// refuseTalk lets a user refuse a conversation.
func (h *history) refuseTalk(ctx context.Context, u model.UserID, t *talk) {
	want := ""
	switch t.members[u].state {
	case model.StateMember:
		want = "no_request"
	case model.StateRequested:
	default:
		want = "conversation_not_found"
	}
	err := testenv.Patiently(func() error { return h.store.Messages.Refuse(ctx, u, t.id) })
	if h.talked(refusedTalk, u, t, err, want) {
		h.world.leave(t, u)
	}
}

// refuseAtOnce lets a user refuse a conversation of two while the stranger writes.
func (h *history) refuseAtOnce(ctx context.Context, u model.UserID, t *talk) {
	if !t.pair || t.members[u].state != model.StateRequested {
		return
	}
	stranger := t.other(u)
	n, r := h.world.message()
	want := append(h.world.maySend(stranger, t, n), "not_allowed")
	var id model.MessageID
	failures := testenv.AtOnce(2, func(i int) (err error) {
		if i == 0 {
			return h.store.Messages.Refuse(ctx, u, t.id)
		}
		id, err = h.sendBy(ctx, h.stack.Store, stranger, t, n, r)
		return err
	})
	if h.talked(sentAtOnce, stranger, t, failures[1], want...) {
		h.said(t, stranger, n, id)
	}
	if h.talked(refusedAtOnce, u, t, failures[0], "") {
		h.world.leave(t, u)
	}
}

// clearTalk lets a user delete a conversation for themselves, or refuse it by that. Somebody else may write at once.
func (h *history) clearTalk(ctx context.Context, u model.UserID, t *talk) {
	me, want := t.members[u], ""
	if !me.state.Present() {
		want = "conversation_not_found"
	}
	others := slices.DeleteFunc(t.of(model.StateMember), func(v model.UserID) bool { return v == u })
	if me.state == model.StateMember && len(others) > 0 && h.rng.IntN(2) == 0 {
		h.clearAtOnce(ctx, u, pick(h.rng, others), t)
		return
	}
	err := testenv.Patiently(func() error { return h.store.Messages.Clear(ctx, u, t.id) })
	if !h.talked(clearedTalk, u, t, err, want) {
		return
	}
	if me.state == model.StateRequested {
		h.world.leave(t, u)
		return
	}
	me.cleared, me.hidden = t.last(), nil
}

func (h *history) clearAtOnce(ctx context.Context, u, v model.UserID, t *talk) {
	n, r := h.world.message()
	want := h.world.maySend(v, t, n)
	var id model.MessageID
	failures := testenv.AtOnce(2, func(i int) (err error) {
		if i == 0 {
			return h.store.Messages.Clear(ctx, u, t.id)
		}
		id, err = h.sendBy(ctx, h.stack.Store, v, t, n, r)
		return err
	})
	before := t.last()
	if h.talked(sentAtOnce, v, t, failures[1], want...) {
		h.said(t, v, n, id)
	}
	if !h.talked(clearedAtOnce, u, t, failures[0], "") {
		return
	}
	seen, err := h.store.Messages.Conversation(ctx, u, t.id)
	h.must(err)
	me := t.members[u]
	me.hidden, me.cleared = nil, seen.Member(u).Cleared
	if me.cleared < before || me.cleared > t.last() {
		h.t.Errorf("%s is cleared for %s up to %d, want %d to %d", t, u, me.cleared, before, t.last())
	}
}

// leaveTalk lets a user leave a conversation.
func (h *history) leaveTalk(ctx context.Context, u model.UserID, t *talk) {
	want := ""
	switch {
	case !t.members[u].state.Present():
		want = "conversation_not_found"
	case t.pair:
		want = "conversation_of_two"
	}
	if h.talked(leftTalk, u, t, h.leaveBy(ctx, h.store, u, t), want) {
		h.world.leave(t, u)
	}
}

// leaveBy leaves a conversation. One that was left by a try that seemed to fail is not found.
func (h *history) leaveBy(ctx context.Context, s *store.Store, u model.UserID, t *talk) error {
	tries := 0
	return testenv.Patiently(func() error {
		tries++
		err := s.Messages.Leave(ctx, u, t.id)
		if tries > 1 && errs.CodeOf(err) == "conversation_not_found" {
			return nil
		}
		return err
	})
}

// leaveAtOnce lets everybody leave a conversation of several at once. A stranger who was asked for consent may find
// that it is over.
func (h *history) leaveAtOnce(ctx context.Context, t *talk) {
	if t.pair {
		return
	}
	all := t.present()
	failures := testenv.AtOnce(len(all), func(i int) error {
		return h.leaveBy(ctx, []*store.Store{h.store, h.stack.Store}[i%2], all[i], t)
	})
	for i, u := range all {
		want := []string{""}
		if t.members[u].state == model.StateRequested {
			want = append(want, "conversation_not_found")
		}
		h.talked(leftAtOnce, u, t, failures[i], want...)
	}
	for _, u := range all {
		h.world.leave(t, u)
	}
}

// markRead lets a user read up to a message.
func (h *history) markRead(ctx context.Context, u model.UserID, t *talk) {
	m, me := pick(h.rng, t.messages), t.members[u]
	if !me.state.Present() {
		return
	}
	h.must(testenv.Patiently(func() error { return h.store.Messages.MarkRead(ctx, u, t.id, m.id) }))
	me.read = max(me.read, m.id.Number())
	h.seen.add(readMessages, 1)
}

// takeMessagesFrom lets a user choose who may begin conversations with the user.
func (h *history) takeMessagesFrom(ctx context.Context, u model.UserID) {
	from := pick(h.rng, []model.MessagesFrom{model.MessagesFromAll, model.MessagesFromAll, model.MessagesFromFollowed,
		model.MessagesFromNobody})
	h.must(testenv.Patiently(func() error {
		return h.store.Users.UpdateUser(ctx, u, model.UserPatch{MessagesFrom: &from})
	}))
	h.world.talks.from[u] = from
}
