// This file keeps tweets that their authors have not posted yet, and posts those that
// are scheduled when they are due. A draft is a fact that concerns its author alone.

package tweets

import (
	"context"
	"crypto/rand"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Drafts keeps and posts drafts. Its methods may be called concurrently. Their errors are
// those of package errs.
type Drafts struct {
	db    *db.DB
	facts *facts.Store
}

// NewDrafts returns the drafts of a database.
func NewDrafts(d *db.DB, f *facts.Store) *Drafts { return &Drafts{db: d, facts: f} }

// Save keeps a new draft of a user. What no tweet may have is errs.Invalid, as in
// [facts.Store.CreateTweet], and so is a time to post that has passed. A user without a profile
// is errs.Forbidden. A user who has model.MaxDrafts drafts is errs.Conflict; requests at the
// same moment may pass the limit by their number.
//
// A second request with the same key gets the draft of the first, as the draft is then. With
// another hash it is errs.Conflict. A draft that is gone by then is saved anew, unless its time
// has passed.
//
// Cost: 1 read and 1 write; 1 read more if the request has a key, and if this process does not
// remember the user's profile.
func (s *Drafts) Save(ctx context.Context, uid model.UserID, d model.SavedDraft, r facts.Request) (_ *model.SavedDraft,
	err error) {
	defer errs.Wrap(&err, "tweets.Save(%q)", uid)
	key := r.Key
	if key == "" {
		key = rand.Text()
	} else if is, err := s.requested(ctx, uid, r); is != nil || err != nil {
		return is, err
	}
	now := s.db.Time()
	if err := d.Validate(now); err != nil {
		return nil, err
	}
	if err := s.facts.MayWrite(ctx, uid); err != nil {
		return nil, err
	}
	n, err := db.Count(ctx, s.db.Keyed(model.Drafts, uid).Limit(model.MaxDrafts))
	if err != nil {
		return nil, err
	}
	if n >= model.MaxDrafts {
		return nil, errs.New(errs.Conflict, "too_many_drafts", "you have %d drafts; the limit is %d", n, model.MaxDrafts)
	}
	d.ID, d.UserID, d.Request, d.CreatedAt, d.UpdatedAt = model.NewDraftID(uid, key), uid, r.Hash, now, now
	d.Reconcile()
	if err := s.db.CreateOnce(ctx, s.ref(uid, d.ID), d); db.AlreadyExists(err) {
		// The same request came in twice at once, or the answer to this commit was lost.
		r.Key = key
		if is, err := s.requested(ctx, uid, r); is != nil || err != nil {
			return is, err
		}
		return nil, model.NoDraft(d.ID) // deleted at this very moment
	} else if err != nil {
		return nil, err
	}
	return &d, nil
}

// requested finds the draft that an earlier request with the same key made; nil if there is
// none.
//
// Cost: 1 read.
func (s *Drafts) requested(ctx context.Context, uid model.UserID, r facts.Request) (*model.SavedDraft, error) {
	d, _, err := s.read(ctx, uid, model.NewDraftID(uid, r.Key))
	if errs.KindOf(err) == errs.NotFound {
		return nil, nil
	}
	if err == nil && d.Request != r.Hash {
		return nil, errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
	}
	return d, err
}

// Of lists the drafts of a user, newest first.
//
// Cost: 1 read for each draft, at least 1.
func (s *Drafts) Of(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[*model.SavedDraft], err error) {
	defer errs.Wrap(&err, "tweets.Of(%q)", uid)
	q := s.db.Client.Collection(model.Drafts).Where("userId", "==", uid)
	return db.Page(ctx, q, firestore.FieldPath{"createdAt"}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.SavedDraft, model.Cursor, error) {
			d, err := decode(snap)
			return d, model.Cursor{At: d.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// Draft reads a draft of a user. A draft that the user does not have is errs.NotFound.
//
// Cost: 1 read.
func (s *Drafts) Draft(ctx context.Context, uid model.UserID, id string) (_ *model.SavedDraft, err error) {
	defer errs.Wrap(&err, "tweets.Draft(%q, %q)", uid, id)
	d, _, err := s.read(ctx, uid, id)
	return d, err
}

// Change puts another text and another time into a draft, in the place of all that it says. If
// from is not empty, the draft must have changed as often as one of these numbers says, or
// Change is errs.Outdated. A change to what the draft says already succeeds and writes nothing,
// whatever from says. A draft that is not there is errs.NotFound: it may have been posted.
//
// Cost: 1 read and 1 write; no write if nothing changes. Each change by another process that
// comes in between costs 1 read more.
func (s *Drafts) Change(ctx context.Context, uid model.UserID, id string, to model.SavedDraft,
	from []int) (changed *model.SavedDraft, err error) {
	defer errs.Wrap(&err, "tweets.Change(%q, %q)", uid, id)
	err = s.db.Update(ctx, func(ctx context.Context) error {
		is, snap, err := s.read(ctx, uid, id)
		if err != nil {
			return err
		}
		to.ID = id
		if to.Reconcile(); to.Says(is) {
			changed = is
			return nil
		}
		if err := to.Validate(s.db.Time()); err != nil {
			return err
		}
		if len(from) > 0 && !slices.Contains(from, is.Revision) {
			return model.DraftChanged(is)
		}
		after := to
		after.UserID, after.Request, after.CreatedAt = uid, is.Request, is.CreatedAt
		after.Revision, after.UpdatedAt = is.Revision+1, s.db.Time()
		changed = &after
		_, err = snap.Ref.Update(ctx, fields(changed), firestore.LastUpdateTime(snap.UpdateTime))
		return db.Late(err) // another change came in between, or the draft went, or the answer to this commit was lost
	})
	if err != nil {
		return nil, err
	}
	return changed, nil
}

// fields are all fields that a change writes. A change takes the reason of a failure away.
func fields(d *model.SavedDraft) []firestore.Update {
	set := func(path string, value any, none bool) firestore.Update {
		return firestore.Update{Path: path, Value: db.OrDelete(value, none)}
	}
	return []firestore.Update{
		set("content", d.Content, false), set("summary", d.Summary, d.Summary == ""), set("tags", d.Tags, len(d.Tags) == 0),
		set("replyTo", d.ReplyTo, d.ReplyTo == nil), set("quoteOf", d.QuoteOf, d.QuoteOf == ""),
		set("allowLikes", d.AllowLikes, false), set("allowReplies", d.AllowReplies, false), set("denyQuotes", d.DenyQuotes,
			!d.DenyQuotes),
		set("visibility", d.Visibility, d.Visibility == ""), set("language", d.Language, d.Language == ""),
		set("poll", d.Poll, d.Poll == nil),
		set("publishAt", d.PublishAt, d.PublishAt == nil), set("dueShard", d.DueShard, d.DueShard == nil),
		set("failure", nil, true),
		set("revision", d.Revision, false), set("updatedAt", d.UpdatedAt, false),
	}
}

// Delete removes a draft of a user. Without the draft it changes nothing.
//
// Cost: 1 delete.
func (s *Drafts) Delete(ctx context.Context, uid model.UserID, id string) (err error) {
	defer errs.Wrap(&err, "tweets.Delete(%q, %q)", uid, id)
	_, err = s.ref(uid, id).Delete(ctx)
	return err
}

// read reads a draft. A draft that is not there is errs.NotFound.
func (s *Drafts) read(ctx context.Context, uid model.UserID, id string) (*model.SavedDraft, *firestore.DocumentSnapshot,
	error) {
	snap, err := s.ref(uid, id).Get(ctx)
	if db.NotFound(err) {
		return nil, nil, model.NoDraft(id)
	}
	if err != nil {
		return nil, nil, err
	}
	d, err := decode(snap)
	return d, snap, err
}

// decode reads a draft that a query found.
func decode(snap *firestore.DocumentSnapshot) (*model.SavedDraft, error) {
	d := &model.SavedDraft{ID: model.DraftID(snap.Ref.ID)}
	return d, snap.DataTo(d)
}

// ref names a draft.
func (s *Drafts) ref(uid model.UserID, id string) *firestore.DocumentRef {
	return s.db.Doc(model.Drafts, model.DraftKey(uid, id))
}
