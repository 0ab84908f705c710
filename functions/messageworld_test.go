package functions_test

import (
	"maps"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// talks are the conversations of the model.
type talks struct {
	all   []*talk // those in which somebody is present
	from  map[model.UserID]model.MessagesFrom
	doubt map[[2]model.UserID]bool // pairs whose blocks changed: the graph of one may say so later
	sends int                      // tries to send

	leavers []model.UserID // who have not left yet
}

// talk is a conversation.
type talk struct {
	id       model.ConversationID
	pair     bool
	name     string
	members  map[model.UserID]*talker // all who ever were in it
	messages []*said                  // message n at n-1
}

// talker is a user in a conversation.
type talker struct {
	state               model.MemberState
	read, sent, cleared int64
	hidden              map[int64]bool // messages that the user deleted for themselves
}

// said is a message.
type said struct {
	id        model.MessageID
	by        model.UserID
	text      string
	replyTo   model.MessageID
	media     []model.MediaID
	reactions map[model.UserID]string
	taken     bool
}

func newTalks() talks {
	return talks{from: map[model.UserID]model.MessagesFrom{}, doubt: map[[2]model.UserID]bool{}}
}

func (t *talk) last() int64 { return int64(len(t.messages)) }

// of lists the users of a conversation who are in a state, in order.
func (t *talk) of(states ...model.MemberState) (uids []model.UserID) {
	for _, u := range slices.Sorted(maps.Keys(t.members)) {
		if slices.Contains(states, t.members[u].state) {
			uids = append(uids, u)
		}
	}
	return uids
}

func (t *talk) present() []model.UserID { return t.of(model.StateMember, model.StateRequested) }

// other is the other of two; of several the first one.
func (t *talk) other(u model.UserID) model.UserID {
	for _, v := range slices.Sorted(maps.Keys(t.members)) {
		if v != u {
			return v
		}
	}
	return ""
}

// refuser is who refused a conversation of two; empty if nobody did.
func (t *talk) refuser() model.UserID {
	for _, u := range t.of(model.StateRefused) {
		return u
	}
	return ""
}

// ended reports whether the other of two has refused.
func (t *talk) ended(u model.UserID) bool { return t.pair && !t.members[t.other(u)].state.Present() }

// pending reports whether others were asked for their consent, and nobody but a user is a member.
func (t *talk) pending(u model.UserID) bool {
	members := t.of(model.StateMember)
	return len(t.of(model.StateRequested)) > 0 && (len(members) == 0 || len(members) == 1 && members[0] == u)
}

// leave lets a user be in a conversation no more. Without a member it is over.
func (w *world) leave(t *talk, u model.UserID) {
	m := t.members[u]
	m.state, m.hidden = model.StateLeft, nil
	if t.pair {
		m.state, m.cleared = model.StateRefused, t.last()
	}
	w.close(t)
}

// close ends a conversation without a member. Its pictures go with it.
func (w *world) close(t *talk) {
	if len(t.of(model.StateMember)) > 0 {
		return
	}
	w.talks.all = slices.DeleteFunc(w.talks.all, func(o *talk) bool { return o == t })
	for _, m := range t.messages {
		w.take(m)
	}
}

// take takes a message back, with its pictures.
func (w *world) take(m *said) {
	for _, id := range m.media {
		delete(w.uploads, id)
	}
	*m = said{id: m.id, by: m.by, taken: true, reactions: map[model.UserID]string{}}
}

// doubtful returns the two users as a pair without an order.
func doubtful(u, v model.UserID) [2]model.UserID { return [2]model.UserID{min(u, v), max(u, v)} }

// doubts reports whether blocks between users of a conversation may not have come to their graphs.
func (w *world) doubts(t *talk) bool {
	for u := range t.members {
		for v := range t.members {
			if w.talks.doubt[doubtful(u, v)] {
				return true
			}
		}
	}
	return false
}

// codes are the errors that a request may have, by an expectation that asks whether the graph of the user has a block
// with another.
func (w *world) codes(u model.UserID, expect func(blocked func(model.UserID) bool) string) []string {
	return []string{
		expect(func(v model.UserID) bool { return w.between(u, v) }),
		expect(func(v model.UserID) bool { return w.between(u, v) != w.talks.doubt[doubtful(u, v)] }),
	}
}

// talked reports whether a request succeeded, and fails the test unless it did as expected.
func (h *history) talked(what string, u model.UserID, t *talk, err error, want ...string) bool {
	h.t.Helper()
	code := ""
	if err != nil {
		code = errs.CodeOf(err)
	}
	if !slices.Contains(want, code) {
		h.t.Errorf("%s by %s in %s: %v, want one of %q", what, u, t, err, want)
	}
	if err != nil {
		h.seen.add(refusedMessage, 1)
	} else {
		h.seen.add(what, 1)
	}
	return err == nil
}
