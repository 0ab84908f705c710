package moderation

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Actor is the author of an act, with a reason.
type Actor struct {
	UID    model.UserID
	Role   model.StaffRole
	Reason string
}

// ActLine is the message of the log line of each act.
const ActLine = "act"

// entry makes an entry of the audit log. The first two digits of its id are a hash of the actor, and spread writes over
// 256 key ranges. The rest grows with time, and ends with random digits. So no id is used twice.
func (s *Store) entry(by Actor, act model.Act, uid model.UserID) *model.Action {
	return &model.Action{
		ID: string(s.ids.Next(by.UID)) + rand.Text()[:10],
		By: by.UID, Role: by.Role, Act: act, UserID: uid, Reason: by.Reason,
	}
}

// log adds an entry of the audit log to a commit. It sets the document instead of creating it: the client may send a
// commit a second time, and no other entry has the id.
func (s *Store) log(b *db.Batch, a *model.Action) {
	shorten(a)
	b.Set(s.db.Doc(model.AdminActions, a.ID), a)
}

// shorten shortens the texts of an entry to what the audit log keeps of them.
func shorten(a *model.Action) {
	for _, texts := range []map[string]string{a.Before, a.After} {
		for field, text := range maps.All(texts) {
			texts[field] = model.Snippet(text, model.MaxBefore)
		}
	}
}

// done writes the log line of a committed entry: actor, act and target, by ids. The line has no reason, no text, and no
// report, whose id names the reporter. Writers of the database cannot change the log, so the log shows an entry that
// was deleted. A process that ends right after its commit leaves an entry without a line.
func (s *Store) done(ctx context.Context, a *model.Action, err error) {
	if a == nil || err != nil {
		return
	}
	attrs := []slog.Attr{slog.String("action", a.ID), slog.String("act", string(a.Act)), slog.String("by", string(a.By)),
		slog.String("role", string(a.Role))}
	for _, of := range []struct{ name, id string }{
		{"of_user", string(a.UserID)}, {"of_tweet", string(a.TweetID)}, {"of_product", string(a.ProductID)},
		{"of_order", string(a.OrderID)},
	} {
		if of.id != "" {
			attrs = append(attrs, slog.String(of.name, of.id))
		}
	}
	s.acts.LogAttrs(ctx, slog.LevelInfo, ActLine, attrs...)
}

// Log writes an entry of the audit log for an act whose commit has none. Such an act is in another package, in another
// system, or has more writes than one commit. The entry comes before its act, which may fail then. a has the act and
// its target; Log adds the actor.
//
// Cost: 1 write.
func (s *Store) Log(ctx context.Context, by Actor, a model.Action) (err error) {
	defer errs.Wrap(&err, "moderation.Log(%q, %s)", by.UID, a.Act)
	is := s.entry(by, a.Act, a.UserID)
	a.ID, a.By, a.Role, a.Reason = is.ID, is.By, is.Role, is.Reason
	b := s.db.Batch()
	s.log(b, &a)
	_, err = b.Commit(ctx)
	s.done(ctx, &a, err)
	return err
}

// ActionFilter chooses entries of the audit log. At most one field may be set.
type ActionFilter struct {
	By        model.UserID
	UserID    model.UserID // the target
	TweetID   model.TweetID
	ProductID model.ProductID
	OrderID   model.OrderID
}

// Actions lists entries of the audit log, newest first. Times are in milliseconds: entries of one millisecond are
// sorted by actor, not by time.
//
// Cost: 1 read for each entry, at least 1.
func (s *Store) Actions(ctx context.Context, f ActionFilter, from model.Cursor, limit int) (_ model.Page[model.Action],
	err error) {
	defer errs.Wrap(&err, "moderation.Actions(%+v)", f)
	q := s.db.Client.Collection(model.AdminActions).Query
	switch {
	case f.By != "":
		q = q.Where(fields.By, "==", f.By)
	case f.UserID != "":
		q = q.Where(fields.UserID, "==", f.UserID)
	case f.TweetID != "":
		q = q.Where(fields.TweetID, "==", f.TweetID)
	case f.ProductID != "":
		q = q.Where(fields.ProductID, "==", f.ProductID)
	case f.OrderID != "":
		q = q.Where(fields.OrderID, "==", f.OrderID)
	}
	return db.Page(ctx, q, firestore.FieldPath{fields.At}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (a model.Action, at model.Cursor, err error) {
			err = snap.DataTo(&a)
			a.ID = snap.Ref.ID
			return a, model.Cursor{At: a.At, ID: a.ID}, err
		})
}
