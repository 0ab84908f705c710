package messages

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// of is the query for the conversations of a user, newest first: those in which the user is a member, or those that
// wait for the user's consent.
func (s *Store) of(uid model.UserID, requests bool) firestore.Query {
	field := fields.MemberIDs
	if requests {
		field = fields.RequestedIDs
	}
	return s.db.Client.Collection(model.Conversations).Where(field, "array-contains", string(uid))
}

// List returns the conversations of a user, newest first, or those that wait for the user's consent. It leaves out
// conversations that the user has deleted for themselves, and requests all of whose members have a block with the user,
// so a page may have fewer than limit.
//
// Cost: 2 reads, and 1 read for each, at least 1.
func (s *Store) List(ctx context.Context, uid model.UserID, requests bool, from model.Cursor,
	limit int) (_ model.Page[*Seen], err error) {
	defer errs.Wrap(&err, "messages.List(%q, %t)", uid, requests)
	var page model.Page[*model.Conversation]
	var inbox *db.Found[model.Inbox]
	var graph *db.Found[model.ViewerGraph]
	g, side := safely.WithContext(ctx)
	g.Go(func() (err error) {
		page, err = db.Page(side, s.of(uid, requests), firestore.FieldPath{fields.ChangedAt}, firestore.Desc, from, limit,
			func(snap *firestore.DocumentSnapshot) (*model.Conversation, model.Cursor, error) {
				c := &model.Conversation{ID: model.ConversationID(snap.Ref.ID)}
				err := snap.DataTo(c)
				return c, model.Cursor{At: c.ChangedAt, ID: snap.Ref.ID}, err
			})
		return err
	})
	g.Go(func() error {
		var l db.Lookup
		inbox, graph = db.Find[model.Inbox](&l, s.inbox(uid)), db.Find[model.ViewerGraph](&l, s.db.Viewer(uid))
		return s.db.Read(side, &l)
	})
	if err := g.Wait(); err != nil {
		return model.Page[*Seen]{}, err
	}
	seen, err := s.see(ctx, uid, &graph.Doc, page.Items...)
	seen = slices.DeleteFunc(seen, func(c *Seen) bool {
		c.know(&inbox.Doc)
		return c.Member(uid).Cleared >= c.Seq || requests && c.blockedSenders()
	})
	return model.Page[*Seen]{Items: seen, Next: page.Next}, err
}

// blockedSenders reports whether the user has a block with each member of the conversation.
func (s *Seen) blockedSenders() bool {
	return !slices.ContainsFunc(s.MemberIDs, func(uid string) bool { return !s.Blocks.Blocks(model.UserID(uid)) })
}

// know adds what the user's inbox says of the conversation.
func (s *Seen) know(i *model.Inbox) {
	s.Read, s.hides = readIn(i, s.Conversation), i.Hidden[string(s.ID)]
}

// readIn is the number of the last message of a conversation that a user has read.
func readIn(i *model.Inbox, c *model.Conversation) int64 {
	mark, ok := i.Read[string(c.ID)]
	if _, waits := i.Waiting[string(c.ID)]; !ok && !waits && !i.CheckedAt.IsZero() && !c.ChangedAt.After(i.CheckedAt) {
		return c.Seq // its mark went long ago
	}
	return min(mark.Number(), c.Seq)
}

// Conversation reads a conversation of a user.
//
// Cost: 3 reads.
func (s *Store) Conversation(ctx context.Context, uid model.UserID, id model.ConversationID) (_ *Seen, err error) {
	defer errs.Wrap(&err, "messages.Conversation(%q, %q)", uid, id)
	var l db.Lookup
	inbox := db.Find[model.Inbox](&l, s.inbox(uid))
	c, _, err := s.look(ctx, uid, id, &l)
	if err != nil {
		return nil, err
	}
	c.know(&inbox.Doc)
	return c, nil
}

// Unread is what waits for a user.
type Unread struct {
	Count     int64     // conversations with messages that the user has not read, up to 1,000
	Requests  int64     // conversations that wait for the user's consent, up to 100
	At        time.Time // since of the next question
	Unchanged bool      // nothing was counted, because no conversation has a new message
}

// Unread counts the unread conversations of a user, and the requests, as [Store.List] has them. A client that has
// counted before says since: what At was then. Without a new message since then the counts of then still hold, and
// nothing is counted. What the user has read and hidden is no change, and neither is a new request: a client counts
// with a zero time after its own acts, and now and then. A time that is more than an hour ago, or to come, is none.
//
// At is a minute ago, because clocks of processes differ, and because a message may be written somewhat after its time.
// So questions of the next minute may find a message again.
//
// What changed more than an hour ago is counted once: its time goes into the inbox, with the 100 newest conversations
// that were unread then; older ones count as read. An hour, because the clocks of processes differ.
//
// Cost: 1 read without a new message since a time. Otherwise 2 reads, 1 read for each conversation that changed since
// the time in the inbox, at least 1, at most 1,000, and 1 read with a time; 1 write after each 3 conversations. With
// requests 1 read more, and with blocks 1 read more for each request.
func (s *Store) Unread(ctx context.Context, uid model.UserID, since time.Time) (u Unread, err error) {
	defer errs.Wrap(&err, "messages.Unread(%q)", uid)
	now := s.db.Time()
	u.At = now.Add(-model.UnreadOverlap)
	if since.After(now.Add(-model.ConversationLag)) && !since.After(now) {
		if u.Unchanged, err = s.unchanged(ctx, uid, since); err != nil || u.Unchanged {
			return u, err
		}
	}
	g, side := safely.WithContext(ctx)
	g.Go(func() error {
		counted, err := s.count(side, uid, model.UnreadBehind)
		if err == nil {
			u.Count = counted.unread
		}
		return err
	})
	g.Go(func() (err error) {
		u.Requests, err = s.requests(side, uid)
		return err
	})
	err = g.Wait()
	return u, err
}

// unchanged reports whether no conversation of a user has a message since a time.
//
// Cost: 1 read.
func (s *Store) unchanged(ctx context.Context, uid model.UserID, since time.Time) (bool, error) {
	snaps, err := s.of(uid, false).OrderBy(fields.ChangedAt, firestore.Desc).Where(fields.ChangedAt, ">", since).Limit(1).
		SelectPaths(firestore.FieldPath{fields.ChangedAt}).Documents(ctx).GetAll()
	return len(snaps) == 0, err
}

// requests counts the conversations that wait for a user's consent, up to model.MaxPendingRequests, without those that
// [Store.List] leaves out.
//
// Cost: 1 read; with requests 1 read more, and with blocks 1 read more for each request. With a graph that lacks
// entries the cost of [Store.see].
func (s *Store) requests(ctx context.Context, uid model.UserID) (int64, error) {
	n, err := s.pending(ctx, uid)
	if err != nil || n == 0 {
		return 0, err
	}
	graph, err := s.viewers.Read(ctx, uid)
	if err != nil || graph.Whole && len(graph.Blocks)+len(graph.BlockedBy) == 0 {
		return n, err
	}
	snaps, err := s.waiting(uid).Select(fields.MemberIDs).Documents(ctx).GetAll()
	if err != nil {
		return 0, err
	}
	var all []model.Conversation
	var others []model.UserID
	for _, snap := range snaps {
		var c model.Conversation
		if err := snap.DataTo(&c); err != nil {
			return 0, err
		}
		all, others = append(all, c), append(others, model.UserIDs(c.MemberIDs)...)
	}
	quiet, err := s.viewers.BlocksBy(ctx, uid, graph, others)
	n = 0
	for _, c := range all {
		if !(&Seen{Conversation: &c, Blocks: quiet}).blockedSenders() {
			n++
		}
	}
	return n, err
}

// count is what an unread count found.
type count struct {
	unread int64
	recent map[string]bool // ids of the conversations that changed after the inbox's CheckedAt
}

// count counts unread conversations. If it read at least so many that changed long ago, the next count does not.
//
// The inbox is read first, and written on the condition that nothing changed it: so a conversation that the user
// deletes or leaves meanwhile does not come back. The next count does what this one could not.
func (s *Store) count(ctx context.Context, uid model.UserID, least int) (*count, error) {
	inbox, err := db.As[model.Inbox](s.inbox(uid).Get(ctx))
	if err != nil {
		return nil, err
	}
	waiting := map[string]any{} // updates
	var checked time.Time
	settled, behind, out := s.db.Time().Add(-model.ConversationLag), 0, &count{recent: map[string]bool{}}
	q := s.of(uid, false).OrderBy(fields.ChangedAt, firestore.Desc).Limit(model.MaxUnreadConversations)
	if !inbox.Doc.CheckedAt.IsZero() {
		q = q.Where(fields.ChangedAt, ">", inbox.Doc.CheckedAt)
	}
	q = q.SelectPaths(firestore.FieldPath{fields.Seq}, firestore.FieldPath{fields.ChangedAt},
		firestore.FieldPath{fields.Last}, firestore.FieldPath{fields.Members, string(uid)})
	kept := 0
	for more := true; more; {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return nil, err
		}
		for _, snap := range snaps {
			c := model.Conversation{ID: model.ConversationID(snap.Ref.ID)}
			if err := snap.DataTo(&c); err != nil {
				return nil, err
			}
			isUnread := c.Unread(uid, readIn(&inbox.Doc, &c)) > 0
			if out.recent[snap.Ref.ID] = true; isUnread {
				out.unread++
			}
			if !c.ChangedAt.Before(settled) {
				continue
			}
			if behind++; checked.IsZero() {
				checked = c.ChangedAt
			}
			if isUnread && kept < model.MaxWaiting {
				waiting[snap.Ref.ID] = model.MarkOf(c.Last.ID)
				kept++
			} else if _, ok := inbox.Doc.Waiting[snap.Ref.ID]; ok {
				waiting[snap.Ref.ID] = firestore.Delete
			}
		}
		if more = len(snaps) == model.MaxUnreadConversations && len(out.recent) < model.MaxReadMarks; more {
			q = q.StartAfter(snaps[len(snaps)-1])
		}
	}
	// The older ones, newest first.
	for _, id := range slices.SortedFunc(maps.Keys(inbox.Doc.Waiting), func(a, b string) int {
		return cmp.Or(cmp.Compare(inbox.Doc.Waiting[b], inbox.Doc.Waiting[a]), cmp.Compare(a, b))
	}) {
		switch {
		case out.recent[id]:
		case inbox.Doc.Read[id] >= inbox.Doc.Waiting[id]:
			waiting[id] = firestore.Delete
		case kept >= model.MaxWaiting:
			out.unread++
			waiting[id] = firestore.Delete
		default:
			out.unread++
			kept++
		}
	}
	if behind < least || behind == 0 {
		return out, nil
	}
	if !inbox.Found {
		for id, mark := range waiting {
			if mark == firestore.Delete {
				delete(waiting, id)
			}
		}
		_, err = s.inbox(uid).Create(ctx, map[string]any{fields.CheckedAt: checked, fields.Waiting: waiting})
	} else {
		updates := []firestore.Update{{Path: fields.CheckedAt, Value: checked}}
		for id, mark := range waiting {
			updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Waiting, id}, Value: mark})
		}
		_, err = s.inbox(uid).Update(ctx, updates, firestore.LastUpdateTime(inbox.Snap.UpdateTime))
	}
	if db.Outdated(err) || db.AlreadyExists(err) || db.NotFound(err) {
		err = nil
	}
	return out, err
}

// MarkRead notes that a user has read a conversation up to a message. A mark never goes back. Nobody else learns of it.
//
// Cost: 1 write, and 1 read if the process does not remember the user's profile; the cost of trim after each
// 250 marks or more.
func (s *Store) MarkRead(ctx context.Context, uid model.UserID, id model.ConversationID,
	last model.MessageID) (err error) {
	defer errs.Wrap(&err, "messages.MarkRead(%q, %q, %q)", uid, id, last)
	if err := s.access.MayWrite(ctx, uid); err != nil {
		return err
	}
	watched, grown := bucket.Watch(ctx)
	_, err = s.inbox(uid).Set(watched, map[string]any{
		fields.Read:      map[string]any{string(id): firestore.FieldTransformMaximum(int64(model.MarkOf(last)))},
		bucket.SizeField: firestore.Increment(1),
	}, firestore.MergeAll)
	if err == nil && grown.Of(string(uid), bucket.SizeField) > model.MaxReadMarks {
		err = s.trim(ctx, uid)
	}
	return err
}

// trim removes the oldest marks of an inbox down to half of model.MaxReadMarks, and corrects its size. With less than
// three quarters it corrects the size alone, so the next trim is at least a quarter away. First it counts, so that
// conversations without marks are read ones. Marks of those that changed since, and of unread ones, stay.
//
// Cost: 2 reads, 1 read for each conversation that changed in the last hour, or since the last count, and 2 writes.
func (s *Store) trim(ctx context.Context, uid model.UserID) error {
	if _, err := s.count(ctx, uid, 1); err != nil {
		return err
	}
	counted, err := s.count(ctx, uid, model.MaxReadMarks)
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(ctx context.Context) error {
		i, err := db.As[model.Inbox](s.inbox(uid).Get(ctx))
		if err != nil || !i.Found {
			return err
		}
		ids := slices.SortedFunc(maps.Keys(i.Doc.Read), func(a, b string) int {
			return cmp.Or(cmp.Compare(i.Doc.Read[a], i.Doc.Read[b]), cmp.Compare(a, b))
		})
		var updates []firestore.Update
		if len(ids) > model.MaxReadMarks*3/4 {
			goes := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
				_, waits := i.Doc.Waiting[id]
				return waits || counted.recent[id]
			})
			for _, id := range goes[:min(len(goes), len(ids)-model.MaxReadMarks/2)] {
				updates = append(updates, firestore.Update{FieldPath: firestore.FieldPath{fields.Read, id},
					Value: firestore.Delete})
			}
		}
		updates = append(updates, firestore.Update{Path: bucket.SizeField, Value: len(ids) - len(updates)})
		_, err = s.inbox(uid).Update(ctx, updates, firestore.LastUpdateTime(i.Snap.UpdateTime))
		return db.Late(err)
	})
}

// Page is a part of the messages of a conversation as one of its users sees it.
type Page struct {
	*Seen
	Messages []*Sent       // newest first
	Part     model.PartKey // the part, to which clients may listen
	Older    model.PartKey // the part before it; empty at the end
}

// Messages returns a part of the messages of a conversation, newest first: the newest part if key is empty. It leaves
// out what the user has deleted for themselves, and in a conversation of several the messages and reactions of users
// with a block. A user who has not consented sees no pictures. So a page may have few messages, or none.
//
// Cost: 3 reads, and 1 read if the user has deleted single messages.
func (s *Store) Messages(ctx context.Context, uid model.UserID, id model.ConversationID, key model.PartKey) (_ *Page,
	err error) {
	defer errs.Wrap(&err, "messages.Messages(%q, %q, %q)", uid, id, key)
	if key != "" && key.Conversation() != id {
		return nil, model.NoConversation(id)
	}
	var l db.Lookup
	part := &db.Found[model.MessagePart]{}
	if key != "" {
		part = db.Find[model.MessagePart](&l, s.part(key))
	}
	seen, _, err := s.look(ctx, uid, id, &l)
	if err != nil {
		return nil, err
	}
	if key == "" {
		key = seen.Part
		if part, err = db.As[model.MessagePart](s.part(key).Get(ctx)); err != nil {
			return nil, err
		}
	}
	me := seen.Member(uid)
	var inbox model.Inbox
	if me.Hides {
		if _, err := s.db.Get(ctx, s.inbox(uid), &inbox); err != nil {
			return nil, err
		}
	}
	p := &Page{Seen: seen, Part: key}
	if part.Doc.FirstSeq-1 > me.Cleared {
		p.Older = part.Doc.Previous
	}
	for number, m := range part.Doc.Messages {
		if id := model.NewMessageID(key, numberOf(number)); seen.shows(id, m, &inbox) {
			seen.trim(m)
			p.Messages = append(p.Messages, &Sent{id, m})
		}
	}
	slices.SortFunc(p.Messages, func(a, b *Sent) int { return cmp.Compare(b.ID, a.ID) })
	return p, nil
}

// Shown reads a message that a user sees, also before the user has consented.
//
// Cost: 3 reads, and 1 read if the user has deleted single messages.
func (s *Store) Shown(ctx context.Context, uid model.UserID, id model.ConversationID,
	message model.MessageID) (_ *model.Message, err error) {
	defer errs.Wrap(&err, "messages.Shown(%q, %q, %q)", uid, id, message)
	page, err := s.Messages(ctx, uid, id, message.Part(id))
	if err != nil {
		return nil, err
	}
	for _, m := range page.Messages {
		if m.ID == message && !m.TakenBack {
			return m.Message, nil
		}
	}
	return nil, model.NoMessage(message)
}

// shows reports whether the user sees a message.
func (s *Seen) shows(id model.MessageID, m *model.Message, inbox *model.Inbox) bool {
	return id.Number() > s.Member(s.By).Cleared && !s.Hidden(m.AuthorID) &&
		!slices.Contains(inbox.Hidden[string(s.ID)], id)
}

// trim removes from a message the reactions of hidden users, and its media before the user has consented.
func (s *Seen) trim(m *model.Message) {
	maps.DeleteFunc(m.Reactions, func(by, _ string) bool { return s.Hidden(model.UserID(by)) })
	if s.Member(s.By).State == model.StateRequested {
		m.Media = nil
	}
}
