package messages

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/query"
	"github.com/hibana-sns/hibana/store/notifications"
)

// Writer does what changes of messages cause. Functions have it.
type Writer struct {
	*Store
	devices *notifications.Devices
	log     *slog.Logger
}

// NewWriter returns a writer of a database. Only packages below store have a [db.DB].
func NewWriter(s *Store, d *notifications.Devices, log *slog.Logger) *Writer {
	return &Writer{s, d, log}
}

// docOf is a message as a search compares it: its plain text, and whether it has media.
func docOf(m *model.Message) *model.SearchDoc { return query.DocOfText(m.Text, len(m.Media) > 0) }

// TermsOf returns the words of a part; nil for a part without words.
func TermsOf(p *model.MessagePart) *model.MessageTerms {
	terms := map[string]bool{}
	at := p.Messages[model.MessageKey(p.FirstSeq)]
	for n := p.FirstSeq + int64(len(p.Messages)) - 1; n >= p.FirstSeq; n-- {
		if m := p.Messages[model.MessageKey(n)]; m != nil {
			for _, term := range slices.Sorted(maps.Keys(docOf(m).Terms)) {
				if len(terms) < model.MaxPartTerms {
					terms[term] = true
				}
			}
		}
	}
	if len(terms) == 0 || at == nil {
		return nil
	}
	return &model.MessageTerms{ConversationID: p.ConversationID, At: at.At, Terms: slices.Sorted(maps.Keys(terms))}
}

// Index makes the words of a part agree with its messages as they are now. It reads the part once more after its write,
// and begins anew if its words have changed: so those of an older version never stay. After 10 times it returns an
// error, and the event comes again.
//
// Cost: 2 reads and 1 write or 1 delete; 1 read and 1 write or 1 delete more each time that it begins anew.
func (w *Writer) Index(ctx context.Context, key model.PartKey) (err error) {
	defer errs.Wrap(&err, "messages.Index(%q)", key)
	ref := w.db.Doc(model.MessageTermLists, string(key))
	p, err := db.As[model.MessagePart](w.part(key).Get(ctx))
	for range indexRounds {
		if err != nil {
			return err
		}
		terms := TermsOf(&p.Doc)
		if terms != nil {
			_, err = ref.Set(ctx, terms)
		} else {
			_, err = ref.Delete(ctx)
		}
		if err != nil {
			return err
		}
		if p, err = db.As[model.MessagePart](w.part(key).Get(ctx)); err == nil && terms.Equal(TermsOf(&p.Doc)) {
			return nil
		}
	}
	return cmp.Or(err, errors.New("the part changes all the time"))
}

const indexRounds = 10

// Push sends messages to the devices of the members of a conversation about new messages of a part: to present members
// who have neither muted the conversation nor hide the author. Nothing is sent about a message that is older than
// [model.SendWithin], or that was taken back. If the event comes again, the message to a device replaces the first one.
//
// Cost: nothing if nothing is sent at all, or all messages are old; otherwise 2 reads, and for each of up to 31 members
// 1 read, and 1 read more for one with devices.
func (w *Writer) Push(ctx context.Context, key model.PartKey, numbers []string) (err error) {
	defer errs.Wrap(&err, "messages.Push(%q, %d)", key, len(numbers))
	if w.devices.Send == nil || len(numbers) == 0 {
		return nil
	}
	var l db.Lookup
	c := db.Find[model.Conversation](&l, w.ref(key.Conversation()))
	p := db.Find[model.MessagePart](&l, w.part(key))
	if err := w.db.Read(ctx, &l); err != nil {
		return err
	}
	c.Doc.ID = key.Conversation()
	var last *model.Message
	for _, number := range numbers {
		m := p.Doc.Messages[number]
		if m != nil && !m.TakenBack && w.db.Now().Sub(m.At) <= model.SendWithin && (last == nil || m.At.After(last.At)) {
			last = m
		}
	}
	if last == nil {
		return nil
	}
	var g safely.Group // all at once: a device may take 2 seconds, and the event has 8
	for _, uid := range model.UserIDs(c.Doc.MemberIDs) {
		if uid == last.AuthorID || c.Doc.Member(uid).Muted(w.db.Now()) {
			continue
		}
		g.Go(func() error {
			err := w.devices.Message(ctx, uid, func(ctx context.Context) (model.DeviceMessage, bool, error) {
				graph, err := w.viewers.Peek(ctx, uid)
				if err != nil {
					return model.DeviceMessage{}, false, err
				}
				quiet, err := w.viewers.QuietBy(ctx, uid, graph, []model.UserID{last.AuthorID})
				return model.NewConversationMessage(&c.Doc, last), err == nil && !quiet.Hides(last.AuthorID), err
			})
			if err != nil { // as for notifications: a push is no reason to do the rest again
				w.log.WarnContext(ctx, "devices get no message", "error", err)
			}
			return nil
		})
	}
	return g.Wait()
}

// Limits of a search for messages.
const (
	searchedConversations = 30 // without a conversation: those that changed last
	searchedParts         = 10 // of a page
	foundMessages         = 20 // of a page; all of a part
)

// Hit is a message that a search found.
type Hit struct {
	ConversationID model.ConversationID
	*Sent
}

// Search finds messages by words and "phrases" of their plain text, newest parts first: in a conversation of a user, or
// in the 30 that changed last. Of the filters it has has:media, which also finds pictures without a text; others are
// errs.Invalid (invalid_query). It leaves out what [Store.Messages] leaves out. The words come some seconds late.
//
// Cost: in a conversation 2 reads, otherwise up to 32; 2 reads for each part, at most 20, at least 1; 1 read if the
// user has deleted single messages.
func (s *Store) Search(ctx context.Context, uid model.UserID, typed string, in model.ConversationID,
	from model.Cursor) (_ model.Page[Hit], err error) {
	defer errs.Wrap(&err, "messages.Search(%q, %q)", uid, in)
	var page model.Page[Hit]
	q, err := query.Parse(typed)
	if err != nil {
		return page, err
	}
	term, err := termOf(q)
	if err != nil {
		return page, err
	}
	conversations, err := s.searched(ctx, uid, in)
	if err != nil || len(conversations) == 0 {
		return page, err
	}
	hidden := model.Inbox{}
	var ids []string
	for id, c := range conversations {
		if ids = append(ids, string(id)); c.Member(uid).Hides && hidden.Hidden == nil {
			if _, err := s.db.Get(ctx, s.inbox(uid), &hidden); err != nil {
				return page, err
			}
		}
	}
	slices.Sort(ids)
	found, err := db.Page(ctx, s.db.Client.Collection(model.MessageTermLists).Where(fields.ConversationID, "in", ids).
		Where(fields.Terms, "array-contains", term), firestore.FieldPath{fields.At}, firestore.Desc, from,
		searchedParts, func(snap *firestore.DocumentSnapshot) (model.Cursor, model.Cursor, error) {
			var is model.MessageTerms
			err := snap.DataTo(&is)
			at := model.Cursor{At: is.At, ID: snap.Ref.ID}
			return at, at, err
		})
	if err != nil {
		return page, err
	}
	page.Next = found.Next
	parts, err := db.ReadAll(ctx, s.db, model.ConversationMonths, keysOf(found.Items),
		func(key model.PartKey, p *model.MessagePart) { p.Key = key })
	if err != nil {
		return page, err
	}
	for i, at := range found.Items {
		if p := parts[model.PartKey(at.ID)]; p != nil {
			page.Items = append(page.Items, hitsIn(p, conversations[p.ConversationID], &hidden, q)...)
		}
		if len(page.Items) >= foundMessages && i+1 < len(found.Items) {
			page.Next = at
			break
		}
	}
	return page, nil
}

// termOf is the term by which parts are found: the longest word, because long words are rare.
func termOf(q *query.Query) (string, error) {
	other := func(filter string) bool { return filter != query.MediaTerm }
	if q.From != "" || !q.Since.IsZero() || !q.Before.IsZero() || slices.ContainsFunc(q.Filters, other) {
		return "", errs.New(errs.Invalid, "invalid_query",
			"a search of messages has words, \"phrases\" and has:media, and none "+
				"of from:, since:, until:, #tag and is:reply")
	}
	if len(q.Words) == 0 && len(q.Filters) == 0 {
		return "", errs.New(errs.Invalid, "invalid_query", "a search of messages needs a whole word beside a part of one")
	}
	if len(q.Words) == 0 {
		return q.Filters[0], nil
	}
	return slices.MaxFunc(q.Words, func(a, b string) int { return cmp.Compare(len(a), len(b)) }), nil
}

func keysOf(all []model.Cursor) []model.PartKey {
	keys := make([]model.PartKey, len(all))
	for i, at := range all {
		keys[i] = model.PartKey(at.ID)
	}
	return keys
}

// searched reads the conversations in which a user searches.
func (s *Store) searched(ctx context.Context, uid model.UserID,
	in model.ConversationID) (map[model.ConversationID]*Seen,
	error) {
	all := map[model.ConversationID]*Seen{}
	if in != "" {
		var l db.Lookup
		seen, _, err := s.look(ctx, uid, in, &l)
		if err == nil {
			all[in] = seen
		}
		return all, err
	}
	page, err := s.List(ctx, uid, false, model.Cursor{}, searchedConversations)
	for _, c := range page.Items {
		all[c.ID] = c
	}
	return all, err
}

// hitsIn returns the messages of a part that a user sees and that match, newest first.
func hitsIn(p *model.MessagePart, c *Seen, hidden *model.Inbox, q *query.Query) (hits []Hit) {
	for number, m := range p.Messages {
		id := model.NewMessageID(p.Key, numberOf(number))
		if !c.shows(id, m, hidden) {
			continue
		}
		if c.trim(m); q.Matches(docOf(m)) {
			hits = append(hits, Hit{p.ConversationID, &Sent{id, m}})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Compare(b.ID, a.ID) })
	return hits
}
