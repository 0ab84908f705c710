package messages

import (
	"context"
	"crypto/rand"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Sent is a message that was sent.
type Sent struct {
	ID model.MessageID
	*model.Message
}

// Send writes a message of a user into a conversation. A user who was asked for consent gives it by that. A repeated
// request with the same key gets the message of the first one, unless the user has sent 10 others since; with another
// hash it is errs.Conflict. A conversation of two that has ended is errs.Forbidden (not_allowed), and more than 5
// messages, and pictures, before anybody has consented are errs.Conflict (request_pending). A missing message that it
// answers is errs.NotFound.
//
// Cost: 2 reads and 2 writes, 1 read more in a conversation of two, and 1 write more for the first message of a part; 1
// read for a message that it answers, and 1 read and 1 write for each of its media. A repeated request costs 3 reads.
func (s *Store) Send(ctx context.Context, by model.UserID, id model.ConversationID, n model.NewMessage,
	r model.Request) (sent *Sent, err error) {
	defer errs.Wrap(&err, "messages.Send(%q, %q)", by, id)
	if n, err = n.Clean(); err != nil {
		return nil, err
	}
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		seen, snap, err := s.look(ctx, by, id, &l)
		if err != nil {
			return err
		}
		sent, err = s.send(ctx, seen, snap, n, r)
		return err
	})
	return sent, err
}

// send writes a message into a conversation that was just read.
//
// Cost: 2 writes, 1 read in a conversation of two, and 1 write more for the first message of a part.
func (s *Store) send(ctx context.Context, c *Seen, snap *firestore.DocumentSnapshot, n model.NewMessage,
	r model.Request) (*Sent, error) {
	if id, err := c.Member(c.By).Repeated(r); err != nil || id != "" {
		if err != nil {
			return nil, err
		}
		m, err := s.message(ctx, c.ID, id)
		return &Sent{id, m}, err
	}
	blocked := c.Blocks.Blocks(c.Other(c.By))
	if c.Pair && !blocked {
		var err error // the graph has blocks by others some seconds late
		if blocked, err = s.db.Get(ctx, s.db.Block(c.Other(c.By), c.By), nil); err != nil {
			return nil, err
		}
	}
	if err := c.MayWriteIn(c.By, blocked, len(n.Media) > 0); err != nil {
		return nil, err
	}
	if n.ReplyTo != "" {
		m, err := s.message(ctx, c.ID, n.ReplyTo)
		if err != nil {
			return nil, err
		}
		if n.ReplyTo.Number() <= c.Member(c.By).Cleared || c.Hidden(m.AuthorID) {
			return nil, model.NoMessage(n.ReplyTo)
		}
	}
	return s.write(ctx, c.Conversation, snap, c.By, n, r)
}

// write commits a message, and the conversation as it is with it. Without a snapshot the conversation is new.
func (s *Store) write(ctx context.Context, c *model.Conversation, snap *firestore.DocumentSnapshot, by model.UserID,
	n model.NewMessage, r model.Request) (*Sent, error) {
	if c.Full(s.db.Time()) {
		return nil, errs.New(errs.Exhausted, "limit_reached", "this conversation takes no more messages this month")
	}
	m := &model.Message{AuthorID: by, Text: n.Text, ReplyTo: n.ReplyTo}
	b := s.db.Batch()
	attach, err := s.attach(ctx, b, by, n.Media, m)
	if err != nil {
		return nil, err
	}
	if c.StateOf(by) != model.StateMember {
		c.Put(by, model.StateMember)
	}
	id, part, previous, began := c.Add(m, r, s.db.Time())
	attach(c.ID, id)
	if began {
		b.Set(s.part(part), &model.MessagePart{ConversationID: c.ID, MadeAt: c.CreatedAt, Previous: previous,
			FirstSeq: c.Seq, Messages: map[string]*model.Message{id.Key(): m}})
		if previous != "" {
			b.Update(s.part(previous), []firestore.Update{{Path: fields.Next, Value: part}})
		}
	} else {
		b.Update(s.part(part), []firestore.Update{{FieldPath: firestore.FieldPath{fields.Messages, id.Key()}, Value: m}})
	}
	if snap == nil {
		b.Create(s.ref(c.ID), c)
	} else {
		b.Update(s.ref(c.ID), updatesOf(c, c.Everybody()...), firestore.LastUpdateTime(snap.UpdateTime))
	}
	_, err = s.db.CommitOnce(ctx, b, func(ctx context.Context) (bool, error) {
		is, err := s.message(ctx, c.ID, id)
		if errs.KindOf(err) == errs.NotFound {
			return false, nil
		}
		return err == nil && is.AuthorID == by && is.At.Equal(m.At) && (is.Text == m.Text || is.TakenBack), err
	})
	return &Sent{id, m}, db.Late(err)
}

// message reads a message. A missing one is errs.NotFound.
//
// Cost: 1 read.
func (s *Store) message(ctx context.Context, of model.ConversationID, id model.MessageID) (*model.Message,
	error) {
	p, err := db.As[model.MessagePart](s.part(id.Part(of)).Get(ctx))
	if err != nil {
		return nil, err
	}
	m := p.Doc.Messages[id.Key()]
	if m == nil {
		return nil, model.NoMessage(id)
	}
	return m, nil
}

// attach adds to the commit of a message that its media belong to it and no longer expire. The caller says of which
// message.
//
// Cost: 1 read and 1 write for each.
func (s *Store) attach(ctx context.Context, b *db.Batch, by model.UserID, ids []model.MediaID,
	m *model.Message) (func(model.ConversationID, model.MessageID), error) {
	var l db.Lookup
	found := make([]*db.Found[model.Media], len(ids))
	for i, id := range ids {
		found[i] = db.Find[model.Media](&l, s.db.Media(id))
		found[i].Doc.ID = id
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	var media []*model.Media
	for _, f := range found {
		if err := f.Doc.Usable(by, model.MediaTweet, s.db.Now()); err != nil {
			return nil, err
		}
		media = append(media, &f.Doc)
	}
	var as model.Tweet
	if err := as.Attach(&model.TweetDetail{}, media); err != nil {
		return nil, err
	}
	m.Media = as.Media
	for i, one := range media { // all of a description: nothing else than the message has it
		m.Media[i].Alt, m.Media[i].AltCut = one.Alt, false
	}
	return func(of model.ConversationID, id model.MessageID) {
		for _, f := range found {
			b.Update(f.Snap.Ref, []firestore.Update{{Path: fields.ConversationID, Value: of},
				{Path: fields.MessageID, Value: id}, {Path: fields.ExpireAt, Value: firestore.Delete}},
				firestore.LastUpdateTime(f.Snap.UpdateTime))
		}
	}, nil
}

// Begun is a conversation that a user began, or wrote in.
type Begun struct {
	*Seen
	Sent *Sent // nil after a repeated request for a conversation of several
	New  bool  // it is new
}

// Begin begins a conversation with others, and sends its first message. Two users have one conversation: the message is
// sent there, also if one has left it. Others who do not follow the user are asked for their consent. If one of them
// takes no messages of the user, because of a block, of the setting, or of too many requests, it is errs.Forbidden
// (not_allowed), and does not say whose. A user without a profile is errs.NotFound, and one of another server, who
// could
// never read it, errs.Forbidden (no_remote_messages).
//
// Cost: 2 reads and 2 writes, 1 read for the user's profile if it is not cached, and for each of the others 1 read for
// the profile, and 1 to 3 reads for the relationship, blocks and requests.
func (s *Store) Begin(ctx context.Context, by model.UserID, n model.NewConversation, r model.Request) (begun *Begun,
	err error) {
	defer errs.Wrap(&err, "messages.Begin(%q, %d)", by, len(n.Others))
	if n, err = n.Clean(by); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(n.Others, model.UserID.Remote) {
		return nil, errs.New(errs.Forbidden, "no_remote_messages", "messages reach people of this server alone")
	}
	id := model.PairID(by, n.Others[0])
	if len(n.Others) > 1 {
		key := r.Key
		if key == "" {
			key = rand.Text()
		}
		id = model.GroupID(by, key)
	}
	err = s.db.Update(ctx, func(ctx context.Context) error {
		var l db.Lookup
		graph := db.Find[model.ViewerGraph](&l, s.db.Viewer(by))
		c := db.Find[model.Conversation](&l, s.ref(id))
		if err := s.db.Read(ctx, &l); err != nil {
			return err
		}
		c.Doc.ID = id
		if c.Found && len(n.Others) > 1 {
			if c.Doc.Request != r.Hash {
				return errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
			}
			if !c.Doc.StateOf(by).Present() {
				return model.NoConversation(id)
			}
			seen, err := s.again(ctx, by, &graph.Doc, &c.Doc)
			begun = &Begun{Seen: seen, New: true}
			return err
		}
		if c.Found {
			if sent, err := s.repeated(ctx, by, &c.Doc, r); err != nil || sent != nil {
				if err != nil {
					return err
				}
				seen, err := s.again(ctx, by, &graph.Doc, &c.Doc)
				begun = &Begun{Seen: seen, Sent: sent}
				return err
			}
		}
		snap := c.Snap
		if !c.Found {
			snap = nil
		}
		if err := s.admit(ctx, by, n, &c.Doc, c.Found, r); err != nil {
			return err
		}
		seen, err := s.see(ctx, by, &graph.Doc, &c.Doc)
		if err != nil {
			return err
		}
		var sent *Sent
		if c.Found {
			sent, err = s.send(ctx, seen[0], snap, n.NewMessage, r)
		} else if err = c.Doc.MayWriteIn(by, false, len(n.Media) > 0); err == nil {
			sent, err = s.write(ctx, &c.Doc, nil, by, n.NewMessage, r)
		}
		begun = &Begun{Seen: seen[0], Sent: sent, New: !c.Found}
		return err
	})
	return begun, err
}

// repeated returns the message of an earlier request with the same key; nil if there is none.
func (s *Store) repeated(ctx context.Context, by model.UserID, c *model.Conversation, r model.Request) (*Sent, error) {
	if !c.StateOf(by).Present() {
		return nil, nil
	}
	id, err := c.Member(by).Repeated(r)
	if err != nil || id == "" {
		return nil, err
	}
	m, err := s.message(ctx, c.ID, id)
	return &Sent{id, m}, err
}

// again is the conversation of a repeated request: the user may have deleted its last message since.
//
// Cost: that of [Store.see], and 1 read if the user has deleted single messages.
func (s *Store) again(ctx context.Context, by model.UserID, graph *model.ViewerGraph, c *model.Conversation) (*Seen,
	error) {
	seen, err := s.see(ctx, by, graph, c)
	if err != nil {
		return nil, err
	}
	if c.Member(by).Hides {
		inbox, err := db.As[model.Inbox](s.inbox(by).Get(ctx))
		if err != nil {
			return nil, err
		}
		seen[0].know(&inbox.Doc)
	}
	return seen[0], nil
}

// admit decides what everybody is in a conversation that is new, or that one of two has left.
func (s *Store) admit(ctx context.Context, by model.UserID, n model.NewConversation, c *model.Conversation, found bool,
	r model.Request) error {
	if found && c.StateOf(by).Present() && c.StateOf(n.Others[0]) != model.StateGone {
		return nil
	}
	me, err := s.access.Profile(ctx, by)
	if err != nil {
		return err
	}
	now := s.db.Time()
	if !found {
		*c = model.Conversation{ID: c.ID, Members: map[string]*model.ConversationMember{}, Pair: len(n.Others) == 1,
			Name: n.Name, CreatedBy: by, CreatedAt: now, Request: r.Hash}
	}
	join := func(u *model.User, state model.MemberState) {
		m := c.Member(u.ID)
		if m == nil {
			m = &model.ConversationMember{}
			c.Members[string(u.ID)] = m
		}
		m.Author, m.JoinedAt, m.Since = u.Author(), now, c.Seq
		c.Put(u.ID, state)
	}
	if !found || c.StateOf(n.Others[0]) == model.StateGone {
		states, users, err := s.consents(ctx, by, n.Others)
		if err != nil {
			return err
		}
		for i, other := range n.Others {
			join(users[other], states[i])
		}
	}
	if !c.StateOf(by).Present() {
		join(me, model.StateMember)
	}
	return nil
}

// consents returns what others are in a conversation that a user begins.
//
// Cost: for each of the others 1 read for the profile, 1 to 2 reads for the relationship and blocks,
// and 1 read for the requests of one whose consent is needed.
func (s *Store) consents(ctx context.Context, by model.UserID, others []model.UserID) ([]model.MemberState,
	map[model.UserID]*model.User, error) {
	follows, blocks := make([]string, len(others)), make([]string, 2*len(others))
	for i, o := range others {
		follows[i], blocks[2*i], blocks[2*i+1] = model.RelationshipKey(o, by), model.BlockKey(o, by), model.BlockKey(by, o)
	}
	var users map[model.UserID]*model.User
	var followed, blocked map[string]bool
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) {
		users, err = s.access.UsersNow(side, others) // a setting counts at once
		return err
	})
	g.Go(func() (err error) {
		followed, err = s.db.There(side, model.Relationships, follows)
		return err
	})
	g.Go(func() (err error) {
		blocked, err = s.db.There(side, model.Blocks, blocks)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	states := make([]model.MemberState, len(others))
	for i, o := range others {
		if users[o] == nil {
			return nil, nil, model.NoUser(o)
		}
		var err error
		if states[i], err = users[o].MessagesFrom.Begins(followed[follows[i]], blocked[blocks[2*i]] ||
			blocked[blocks[2*i+1]]); err != nil {
			return nil, nil, err
		}
	}
	g, side = safely.WithContext(ctx)
	for i, o := range others {
		if states[i] == model.StateRequested {
			g.Go(func() error {
				n, err := s.pending(side, o)
				if err == nil && n >= model.MaxPendingRequests {
					_, err = model.MessagesFromNobody.Begins(false, false)
				}
				return err
			})
		}
	}
	return states, users, g.Wait()
}

// pending counts the conversations that wait for a user's consent, up to model.MaxPendingRequests.
//
// Cost: 1 read.
func (s *Store) pending(ctx context.Context, uid model.UserID) (int64, error) {
	return db.Count(ctx, s.waiting(uid))
}

// waiting is the query for the newest conversations that wait for a user's consent, up to model.MaxPendingRequests.
func (s *Store) waiting(uid model.UserID) firestore.Query {
	return s.of(uid, true).OrderBy(fields.ChangedAt, firestore.Desc).Limit(model.MaxPendingRequests)
}
