package functions_test

import (
	"maps"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/messages"
)

// shownMessage is a message as somebody sees it.
type shownMessage struct {
	By        model.UserID
	Text      string
	ReplyTo   model.MessageID
	Media     []model.MediaID
	Reactions map[string]string
	Taken     bool
}

// hidesIn reports whether a conversation of several hides a user from another.
func (w *world) hidesIn(t *talk, u, other model.UserID) bool { return !t.pair && w.between(u, other) }

// shows are the messages that a user sees in a conversation.
func (w *world) shows(t *talk, u model.UserID) map[model.MessageID]shownMessage {
	all, me := map[model.MessageID]shownMessage{}, t.members[u]
	for i, m := range t.messages {
		if n := int64(i + 1); n <= me.cleared || me.hidden[n] || w.hidesIn(t, u, m.by) {
			continue
		}
		s := shownMessage{m.by, m.text, m.replyTo, nil, map[string]string{}, m.taken}
		if me.state == model.StateMember { // strangers show no pictures
			s.Media = append(s.Media, m.media...)
		}
		for by, emoji := range m.reactions {
			if !w.hidesIn(t, u, by) {
				s.Reactions[string(by)] = emoji
			}
		}
		all[m.id] = s
	}
	return all
}

// unread is how many messages of a conversation a member has not read.
func (t *talk) unread(u model.UserID) int64 {
	m := t.members[u]
	if m.state != model.StateMember {
		return 0
	}
	return max(0, t.last()-max(m.read, m.sent, m.cleared))
}

// compareTalk compares what a user sees in a conversation, unless a block is on its way.
func (h *history) compareTalk(u model.UserID, t *talk) {
	h.t.Helper()
	ctx, w := h.t.Context(), h.world
	c, err := h.store.Messages.Conversation(ctx, u, t.id)
	if !t.members[u].state.Present() || !slices.Contains(w.talks.all, t) {
		if errs.CodeOf(err) != "conversation_not_found" {
			h.t.Errorf("%s reads %s, in which the user is no more: %v", u, t, err)
		}
		return
	}
	h.must(err)
	if w.doubts(t) {
		return
	}
	h.seen.add(comparedTalk, 1)
	states, want := map[model.UserID]model.MemberState{}, map[model.UserID]model.MemberState{}
	for v, m := range t.members {
		want[v] = m.state
	}
	for _, v := range c.Everybody() {
		states[v] = c.StateOf(v)
	}
	if diff := gocmp.Diff(want, states); diff != "" {
		h.t.Errorf("the users in %s for %s (-want +got):\n%s", t, u, diff)
	}
	if c.Name != t.name || c.Pair != t.pair || c.Seq != t.last() {
		h.t.Errorf("%s has the name %q and %d messages, want %q and %d", t, c.Name, c.Seq, t.name, t.last())
	}
	if got, want := c.Unread(u, c.Read), t.unread(u); got != want {
		h.t.Errorf("%s has %d unread messages in %s, want %d", u, got, t, want)
	}
	if got, want := c.Ended(), t.ended(u) || t.pair && w.between(u, t.other(u)); got != want {
		h.t.Errorf("%s has ended for %s: %v, want %v", t, u, got, want)
	}
	last := t.messages[t.last()-1]
	if is := (model.LastMessage{ID: last.id, AuthorID: last.by, Snippet: last.text, HasMedia: len(last.media) > 0,
		Taken: last.taken}); c.Last != is {
		h.t.Errorf("the last message of %s is %+v, want %+v", t, c.Last, is)
	}
	if _, shows := w.shows(t, u)[last.id]; c.ShowsLast() != shows {
		h.t.Errorf("%s sees the last message of %s: %v, want %v", u, t, c.ShowsLast(), shows)
	}
	got := map[model.MessageID]shownMessage{}
	for key := model.PartKey(""); ; {
		page, err := h.store.Messages.Messages(ctx, u, t.id, key)
		h.must(err)
		for _, m := range page.Messages {
			s := shownMessage{m.AuthorID, m.Text, m.ReplyTo, nil, map[string]string{}, m.TakenBack}
			for _, picture := range m.Media {
				s.Media = append(s.Media, picture.ID)
			}
			maps.Copy(s.Reactions, m.Reactions)
			got[m.ID] = s
		}
		if key = page.Older; key == "" {
			break
		}
		h.seen.add(olderPart, 1)
	}
	if diff := gocmp.Diff(w.shows(t, u), got); diff != "" {
		h.t.Errorf("the messages of %s for %s (-want +got):\n%s", t, u, diff)
	}
}

// compareTalks compares the conversations of all users, when nothing is on its way.
func (h *history) compareTalks() {
	h.t.Helper()
	w, all := h.world, map[string]bool{}
	for _, t := range w.talks.all {
		all[string(t.id)] = true
	}
	for _, u := range w.talkers() {
		h.compareInbox(u, true)
		h.compareInbox(u, false)
		h.compareUnread(u)
		for _, t := range w.talks.all {
			if t.members[u] != nil {
				h.compareTalk(u, t)
			}
		}
		h.compareWords(u)
	}
	h.idle()
	for _, collection := range []string{model.Conversations, model.ConversationMonths, model.MessageTermLists} {
		got := map[string]bool{}
		h.each(collection, func(snap *firestore.DocumentSnapshot) {
			id, _, _ := strings.Cut(snap.Ref.ID, "_")
			got[id] = true
		})
		for id := range got {
			if !all[id] {
				h.t.Errorf("%s of conversation %s are left, in which nobody is", collection, id)
			}
		}
		if collection != model.MessageTermLists && len(got) != len(all) {
			h.t.Errorf("%s of %d conversations, want %d", collection, len(got), len(all))
		}
	}
}

// barred reports whether all members of a conversation have a block with a user.
func (w *world) barred(t *talk, u model.UserID) bool {
	return !slices.ContainsFunc(t.of(model.StateMember), func(v model.UserID) bool { return !w.between(u, v) })
}

// compareInbox compares a user's list of conversations, or of those that wait for the user's consent. The list leaves
// requests of the barred out.
func (h *history) compareInbox(u model.UserID, requests bool) {
	h.t.Helper()
	w, want, got := h.world, map[model.ConversationID]bool{}, map[model.ConversationID]bool{}
	for _, t := range w.talks.all {
		m := t.members[u]
		state := model.StateMember
		if requests {
			state = model.StateRequested
		}
		if m == nil || m.state != state {
			continue
		}
		if requests && w.barred(t, u) {
			h.seen.add(barredTalk, 1)
			continue
		}
		if m.cleared < t.last() {
			want[t.id] = true
		}
	}
	last := time.Time{}
	for from := (model.Cursor{}); ; {
		var page model.Page[*messages.Seen]
		h.must(testenv.Patiently(func() (err error) {
			page, err = h.store.Messages.List(h.t.Context(), u, requests, from, 3)
			return err
		}))
		for _, c := range page.Items {
			if got[c.ID] || !last.IsZero() && c.ChangedAt.After(last) {
				h.t.Errorf("the conversations of %s are out of order at %s", u, c.ID)
			}
			got[c.ID], last = true, c.ChangedAt
		}
		if from = page.Next; from.IsZero() {
			break
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		h.t.Errorf("the conversations of %s, requests: %v (-want +got):\n%s", u, requests, diff)
	}
}

// compareUnread compares a user's counts.
func (h *history) compareUnread(u model.UserID) {
	h.t.Helper()
	is, err := h.store.Messages.Unread(h.t.Context(), u, time.Time{})
	h.must(err)
	unread, requests := is.Count, is.Requests
	var wantUnread, wantRequests int64
	for _, t := range h.world.talks.all {
		switch m := t.members[u]; {
		case m == nil:
		case m.state == model.StateRequested:
			if !h.world.barred(t, u) {
				wantRequests++
			}
		case t.unread(u) > 0:
			wantUnread++
		}
	}
	if unread != wantUnread || requests != wantRequests {
		h.t.Errorf("%s has %d unread conversations and %d requests, want %d and %d", u, unread, requests, wantUnread,
			wantRequests)
	}
}

// compareWords compares what a user finds: a word of all messages in the conversations of the user, and the word of one
// message in its conversation.
func (h *history) compareWords(u model.UserID) {
	h.t.Helper()
	w, want := h.world, map[string]bool{}
	for _, t := range w.talks.all {
		if m := t.members[u]; m == nil || !m.state.Present() {
			continue
		}
		shown := w.shows(t, u)
		for id, s := range shown {
			if t.members[u].state == model.StateMember && !s.Taken {
				want[string(t.id)+" "+string(id)] = true
			}
		}
		one := pick(h.rng, t.messages)
		if one.taken {
			continue
		}
		only := map[string]bool{}
		if _, ok := shown[one.id]; ok {
			only[string(t.id)+" "+string(one.id)] = true
		}
		_, word, _ := strings.Cut(one.text, " ")
		if diff := gocmp.Diff(only, h.found(u, word, t.id)); diff != "" {
			h.t.Errorf("what %s finds of %q in %s (-want +got):\n%s", u, word, t, diff)
		}
	}
	if diff := gocmp.Diff(want, h.found(u, "hello", "")); diff != "" {
		h.t.Errorf("what %s finds (-want +got):\n%s", u, diff)
	}
	h.seen.add(foundMessage, len(want))
}

// found are the conversations and messages that a search finds.
func (h *history) found(u model.UserID, word string, in model.ConversationID) map[string]bool {
	h.t.Helper()
	got := map[string]bool{}
	for from := (model.Cursor{}); ; {
		page, err := h.store.Messages.Search(h.t.Context(), u, word, in, from)
		h.must(err)
		for _, hit := range page.Items {
			got[string(hit.ConversationID)+" "+string(hit.ID)] = true
		}
		if from = page.Next; from.IsZero() {
			return got
		}
	}
}
