// Package messages stores conversations of users and their messages.
//
// A conversation is one document, with its members and its last message. Its messages are in parts, 100 in one at most,
// and never move. Every write of a conversation is on the condition that nobody else has written it since it was read,
// so the numbers of its messages have no gap, and a user who has left writes nothing.
//
// Blocks are stored nowhere here: each request derives them from the graph.
package messages

import (
	"context"
	"reflect"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/viewers"
)

// Store keeps conversations. Its methods may be called concurrently. Their errors are those of package errs. A
// conversation in which the caller is not present is errs.NotFound (conversation_not_found), as a missing one is.
type Store struct {
	db      *db.DB
	access  *access.Store
	viewers *viewers.Store
}

// New returns the conversations of a database.
func New(d *db.DB, a *access.Store, v *viewers.Store) *Store { return &Store{d, a, v} }

// Seen is a conversation as one of its present users sees it.
type Seen struct {
	*model.Conversation
	By     model.UserID
	Read   int64        // number of the last message that the user has read
	Blocks *model.Quiet // whom the user does not see
	At     time.Time    // when it was read

	hides []model.MessageID // messages that the user deleted for themselves
}

// ShowsLast reports whether the user sees the last message.
func (s *Seen) ShowsLast() bool {
	return s.Seq > s.Member(s.By).Cleared && !s.Hidden(s.Last.AuthorID) && !slices.Contains(s.hides, s.Last.ID)
}

// Ended reports whether the user can write no more to a conversation of two.
func (s *Seen) Ended() bool {
	return s.Conversation.Ended(s.By) || s.Pair && s.Blocks.Blocks(s.Other(s.By))
}

// Hidden reports whether a conversation of several hides a user.
func (s *Seen) Hidden(uid model.UserID) bool { return !s.Pair && s.Blocks.Blocks(uid) }

func (s *Store) ref(id model.ConversationID) *firestore.DocumentRef {
	return s.db.Doc(model.Conversations, string(id))
}

func (s *Store) part(key model.PartKey) *firestore.DocumentRef {
	return s.db.Doc(model.ConversationMonths, string(key))
}

func (s *Store) inbox(uid model.UserID) *firestore.DocumentRef {
	return s.db.Doc(model.Inboxes, string(uid))
}

// find reads a conversation. Without one, found is false.
//
// Cost: 1 read.
func (s *Store) find(ctx context.Context, id model.ConversationID) (*db.Found[model.Conversation], error) {
	c, err := db.As[model.Conversation](s.ref(id).Get(ctx))
	c.Doc.ID = id
	return c, err
}

// mine reads a conversation in which a user is present.
//
// Cost: 1 read.
func (s *Store) mine(ctx context.Context, uid model.UserID, id model.ConversationID) (*db.Found[model.Conversation],
	error) {
	c, err := s.find(ctx, id)
	if err == nil && !c.Doc.StateOf(uid).Present() {
		err = model.NoConversation(id)
	}
	return c, err
}

// look reads a conversation in which a user is present, and the user's blocks, together with other documents of a
// lookup.
//
// Cost: 2 reads, and those of the lookup; without a whole graph, of each 30 members, 1 read for each block, at least 1
// in each direction.
func (s *Store) look(ctx context.Context, uid model.UserID, id model.ConversationID, l *db.Lookup) (*Seen,
	*firestore.DocumentSnapshot, error) {
	c := db.Find[model.Conversation](l, s.ref(id))
	graph := db.Find[model.ViewerGraph](l, s.db.Viewer(uid))
	if err := s.db.Read(ctx, l); err != nil {
		return nil, nil, err
	}
	c.Doc.ID = id
	if !c.Doc.StateOf(uid).Present() {
		return nil, nil, model.NoConversation(id)
	}
	seen, err := s.see(ctx, uid, &graph.Doc, &c.Doc)
	if err != nil {
		return nil, nil, err
	}
	return seen[0], c.Snap, nil
}

// see adds a user's blocks to conversations.
//
// Cost: nothing; without a whole graph, of each 30 members, 1 read for each block, at least 1 in each direction.
func (s *Store) see(ctx context.Context, uid model.UserID, graph *model.ViewerGraph,
	all ...*model.Conversation) ([]*Seen, error) {
	var others []model.UserID
	for _, c := range all {
		others = append(others, c.Everybody()...)
	}
	graph, err := s.viewers.Complete(ctx, uid, graph)
	if err != nil {
		return nil, err
	}
	quiet, err := s.viewers.BlocksBy(ctx, uid, graph, others)
	if err != nil {
		return nil, err
	}
	seen := make([]*Seen, len(all))
	for i, c := range all {
		seen[i] = &Seen{Conversation: c, By: uid, Blocks: quiet, At: s.db.Now()}
	}
	return seen, nil
}

// updatesOf returns updates of all fields of a conversation that may change, of its members those of some users.
func updatesOf(c *model.Conversation, uids ...model.UserID) []firestore.Update {
	all := []firestore.Update{
		{Path: fields.MemberIDs, Value: c.MemberIDs}, {Path: fields.RequestedIDs, Value: c.RequestedIDs},
		{Path: fields.Participants, Value: c.Participants},
		{Path: fields.Name, Value: db.OrDelete(c.Name, c.Name == "")}, {Path: fields.Seq, Value: c.Seq},
		{Path: fields.Part, Value: c.Part}, {Path: fields.PartCount, Value: c.PartCount},
		{Path: fields.PartBytes, Value: c.PartBytes}, {Path: fields.Last, Value: c.Last},
		{Path: fields.ChangedAt, Value: c.ChangedAt},
	}
	for _, uid := range uids {
		all = append(all, firestore.Update{FieldPath: firestore.FieldPath{fields.Members, string(uid)},
			Value: c.Members[string(uid)]})
	}
	return all
}

// change changes a conversation in which a user is present: do changes it, and what the user is in it, and returns
// whether it did. If that was the last member, the messages go: what is left of them after removedAtOnce parts, or
// after the end of the process, [Writer.Finish] deletes.
//
// Cost: 1 read and 1 write; 1 read if nothing changes; 1 write more for a user who is in it no more, or deleted it; for
// the last member 1 write more, and the cost of [remove].
func (s *Store) change(ctx context.Context, uid model.UserID, id model.ConversationID,
	do func(*model.Conversation, *model.ConversationMember) (bool, error)) error {
	empty := false
	err := s.db.Update(ctx, func(ctx context.Context) error {
		c, err := s.mine(ctx, uid, id)
		if err != nil {
			return err
		}
		uids, was := c.Doc.Present(), *c.Doc.Member(uid)
		if changed, err := do(&c.Doc, c.Doc.Member(uid)); err != nil || !changed {
			return err
		}
		b := s.db.Batch()
		if empty = c.Doc.Close(); empty && c.Doc.Part != "" {
			b.Update(s.part(c.Doc.Part), []firestore.Update{{Path: fields.Cleanings, Value: firestore.Increment(1)}})
		}
		me := c.Doc.Member(uid)
		cleared := was.State == model.StateMember && (!me.State.Present() || me.Cleared > was.Cleared)
		if cleared || was.Hides && !me.State.Present() {
			me.Hides = false // and it waits no more
			b.Set(s.inbox(uid), map[string]any{fields.Hidden: map[string]any{string(id): firestore.Delete},
				fields.Waiting: map[string]any{string(id): firestore.Delete}}, firestore.MergeAll)
		}
		b.Update(s.ref(id), updatesOf(&c.Doc, uids...), firestore.LastUpdateTime(c.Snap.UpdateTime))
		_, err = s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) {
			now, err := s.find(ctx, id)
			return err == nil && (!now.Found && empty ||
				now.Doc.Name == c.Doc.Name && reflect.DeepEqual(now.Doc.Member(uid), c.Doc.Member(uid))), err
		})
		return db.Late(err)
	})
	if err == nil && empty {
		_, err = remove(ctx, s.db, id, atMost(removedAtOnce/partsAtOnce))
	}
	return err
}

// Accept consents to a conversation that a stranger began. A member stays one.
//
// Cost: 1 read and 1 write; 1 read for a member.
func (s *Store) Accept(ctx context.Context, uid model.UserID, id model.ConversationID) (err error) {
	defer errs.Wrap(&err, "messages.Accept(%q, %q)", uid, id)
	return s.change(ctx, uid, id, func(c *model.Conversation, m *model.ConversationMember) (bool, error) {
		if m.State == model.StateMember {
			return false, nil
		}
		c.Put(uid, model.StateMember)
		return true, nil
	})
}

// Refuse refuses a conversation that a stranger began. The stranger can write no more in a conversation of two, and is
// not told why. The user leaves one of several. A member's is errs.Conflict (no_request). The last user takes the
// messages along.
//
// Cost: 1 read and 1 write; 1 write more if the user had deleted single messages; for the last user as [Store.Leave].
func (s *Store) Refuse(ctx context.Context, uid model.UserID, id model.ConversationID) (err error) {
	defer errs.Wrap(&err, "messages.Refuse(%q, %q)", uid, id)
	return s.change(ctx, uid, id, func(c *model.Conversation, m *model.ConversationMember) (bool, error) {
		if m.State != model.StateRequested {
			return false, errs.New(errs.Conflict, "no_request", "you have accepted this conversation")
		}
		refuse(uid, c, m)
		return true, nil
	})
}

// RefuseBetween refuses the request in the conversation of two users, one of whom blocks the other, as if the user who
// was asked had done so: it would take one of the places for requests, and no list shows it. Without a block, and
// without a request, it changes nothing. Requests in conversations of several stay, and are not shown.
//
// Cost: 1 read; with a request 1 read for each block, at least 1, and the cost of [Store.Refuse].
func (s *Store) RefuseBetween(ctx context.Context, a, b model.UserID) (err error) {
	defer errs.Wrap(&err, "messages.RefuseBetween(%q, %q)", a, b)
	id := model.PairID(a, b)
	c, err := s.find(ctx, id)
	if err != nil || !c.Found || len(c.Doc.RequestedIDs) == 0 {
		return err
	}
	blocks, err := s.db.There(ctx, model.Blocks, []string{model.BlockKey(a, b), model.BlockKey(b, a)})
	if err != nil || !blocks[model.BlockKey(a, b)] && !blocks[model.BlockKey(b, a)] {
		return err
	}
	err = s.Refuse(ctx, model.UserID(c.Doc.RequestedIDs[0]), id)
	if kind := errs.KindOf(err); kind == errs.NotFound || kind == errs.Conflict {
		return nil // meanwhile it is no request
	}
	return err
}

func refuse(uid model.UserID, c *model.Conversation, m *model.ConversationMember) {
	state := model.StateLeft
	if c.Pair {
		state, m.Cleared = model.StateRefused, c.Seq
	}
	c.Put(uid, state)
}

// Leave leaves a conversation of several for ever. One of two is errs.Conflict (conversation_of_two). The last user
// takes the messages along.
//
// Cost: 1 read and 2 writes; for the last user 1 write more, the cost of
// [remove] for at most 100 parts, and what [Writer.Finish] costs afterwards.
func (s *Store) Leave(ctx context.Context, uid model.UserID, id model.ConversationID) (err error) {
	defer errs.Wrap(&err, "messages.Leave(%q, %q)", uid, id)
	return s.change(ctx, uid, id, func(c *model.Conversation, _ *model.ConversationMember) (bool, error) {
		if c.Pair {
			return false, model.NotOfTwo()
		}
		c.Put(uid, model.StateLeft)
		return true, nil
	})
}

// removedAtOnce is how many parts a request, or an event, deletes at most.
const removedAtOnce = 100

// Patch changes a conversation for its members, or for one of them. A nil field stays as it is.
type Patch struct {
	Name       *string
	MutedUntil *time.Time // the zero time ends a mute
}

// Change changes the name of a conversation of several, for all, or mutes it for a user. A name of two is errs.Conflict
// (conversation_of_two). An unfit one, and an end of the mute outside the years 1 to 9999, are errs.Invalid.
//
// Cost: 1 read and 1 write; 1 read if nothing changes.
func (s *Store) Change(ctx context.Context, uid model.UserID, id model.ConversationID, p Patch) (err error) {
	defer errs.Wrap(&err, "messages.Change(%q, %q)", uid, id)
	muted := time.Time{}
	if p.MutedUntil != nil {
		if muted, err = model.KeptTime("invalid", "mutedUntil", *p.MutedUntil); err != nil {
			return err
		}
	}
	return s.change(ctx, uid, id, func(c *model.Conversation, m *model.ConversationMember) (bool, error) {
		name, until := c.Name, m.MutedUntil
		if p.Name != nil {
			if c.Pair {
				return false, model.NotOfTwo()
			}
			if m.State != model.StateMember {
				return false, errs.New(errs.Conflict, "request_pending", "accept the conversation first")
			}
			clean, err := model.ConversationName(*p.Name)
			if err != nil {
				return false, err
			}
			c.Name = clean
		}
		if p.MutedUntil != nil {
			m.MutedUntil = muted
		}
		return c.Name != name || !m.MutedUntil.Equal(until), nil
	})
}

// Clear deletes the messages of a conversation for a user, and lists leave it out until there is another message.
// Others keep theirs. A request is refused by that.
//
// Cost: 1 read and 2 writes; 1 read if it is clear.
func (s *Store) Clear(ctx context.Context, uid model.UserID, id model.ConversationID) (err error) {
	defer errs.Wrap(&err, "messages.Clear(%q, %q)", uid, id)
	return s.change(ctx, uid, id, func(c *model.Conversation, m *model.ConversationMember) (bool, error) {
		switch {
		case m.State == model.StateRequested:
			refuse(uid, c, m)
			return true, nil
		case m.Cleared == c.Seq:
			return false, nil
		}
		m.Cleared, m.Hides = c.Seq, false
		return true, nil
	})
}
