// This file stores drafts: tweets that their authors have not posted yet. It also posts scheduled drafts when they are
// due. A draft is a source document that concerns only its author.

package tweets

import (
	"context"
	"crypto/rand"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Drafts stores and posts drafts. Its methods may be called concurrently. Their errors are errors of package errs.
type Drafts struct {
	db     *db.DB
	tweets *Store
}

// NewDrafts returns the drafts of a database.
func NewDrafts(d *db.DB, t *Store) *Drafts { return &Drafts{db: d, tweets: t} }

// Save stores a new draft of a user. Content that no tweet may have is errs.Invalid, as in [Store.CreateTweet]. A past
// time to post is errs.Invalid, too. Media have the errors of [Drafts.keep]. A user without a profile is
// errs.Forbidden. A user with model.MaxDrafts drafts is errs.Conflict. Concurrent requests may exceed the limit by
// their number.
//
// A second request with the same key gets the draft of the first request, in its present state. With another hash it is
// errs.Conflict. If the draft is gone by then, Save stores it anew, unless its time to post has passed.
//
// Cost: 1 read and 1 write; 1 read more with a key, and 1 more if the user's profile is not remembered; 1 read
// and 1 write for each of its media.
func (s *Drafts) Save(ctx context.Context, uid model.UserID, d model.SavedDraft, r model.Request) (_ *model.SavedDraft,
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
	if err := s.tweets.MayWrite(ctx, uid); err != nil {
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
	err = s.db.Update(ctx, func(ctx context.Context) error {
		b := s.db.Batch()
		if err := s.keep(ctx, b, &d); err != nil {
			return err
		}
		b.Create(s.ref(uid, d.ID), d)
		_, err := s.db.CommitOnce(ctx, b, s.db.Made(s.ref(uid, d.ID)))
		if db.AlreadyExists(err) {
			return err
		}
		return db.Late(err) // another process wrote its media
	})
	if db.AlreadyExists(err) {
		// The same request came twice at once, or the answer to this commit was lost.
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

// requested returns the draft that an earlier request with the same key created, or nil.
//
// Cost: 1 read.
func (s *Drafts) requested(ctx context.Context, uid model.UserID, r model.Request) (*model.SavedDraft, error) {
	d, _, err := s.read(ctx, uid, model.NewDraftID(uid, r.Key))
	if errs.KindOf(err) == errs.NotFound {
		return nil, nil
	}
	if err == nil && d.Request != r.Hash {
		return nil, errs.New(errs.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request")
	}
	return d, err
}

// Of returns the drafts of a user, newest first.
//
// Cost: 1 read for each draft, at least 1.
func (s *Drafts) Of(ctx context.Context, uid model.UserID, from model.Cursor,
	limit int) (_ model.Page[*model.SavedDraft], err error) {
	defer errs.Wrap(&err, "tweets.Of(%q)", uid)
	q := s.db.Client.Collection(model.Drafts).Where(fields.UserID, "==", uid)
	return db.Page(ctx, q, firestore.FieldPath{fields.CreatedAt}, firestore.Desc, from, limit,
		func(snap *firestore.DocumentSnapshot) (*model.SavedDraft, model.Cursor, error) {
			d, err := decode(snap)
			return d, model.Cursor{At: d.CreatedAt, ID: snap.Ref.ID}, err
		})
}

// Draft reads a draft of a user. An unknown draft is errs.NotFound, and so is a draft of another user.
//
// Cost: 1 read.
func (s *Drafts) Draft(ctx context.Context, uid model.UserID, id string) (_ *model.SavedDraft, err error) {
	defer errs.Wrap(&err, "tweets.Draft(%q, %q)", uid, id)
	d, _, err := s.read(ctx, uid, id)
	return d, err
}

// Change replaces the whole content of a draft, including the time to post. If from is not empty, it has the accepted
// numbers of earlier changes; another number is errs.Outdated. A change to the draft's present content succeeds and
// writes nothing, for any from. A missing draft is errs.NotFound: it may have been posted.
//
// Cost: 1 read and 1 write; no write without a change; 1 read more for each concurrent change; 1 read and 1
// write for each of its media.
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
		b := s.db.Batch()
		if err := s.keep(ctx, b, changed); err != nil {
			return err
		}
		b.Update(snap.Ref, draftUpdates(changed), firestore.LastUpdateTime(snap.UpdateTime))
		_, err = b.Commit(ctx)
		return db.Late(err) // another change came first, or the draft is gone, or the answer to this commit was lost
	})
	if err != nil {
		return nil, err
	}
	return changed, nil
}

// draftUpdates returns all fields that a change writes. A change removes the reason of an earlier failure.
func draftUpdates(d *model.SavedDraft) []firestore.Update {
	set := func(path string, value any, none bool) firestore.Update {
		return firestore.Update{Path: path, Value: db.OrDelete(value, none)}
	}
	return []firestore.Update{
		set(fields.Content, d.Content, false), set(fields.Summary, d.Summary, d.Summary == ""),
		set(fields.Tags, d.Tags, len(d.Tags) == 0),
		set(fields.ReplyTo, d.ReplyTo, d.ReplyTo == nil), set(fields.QuoteOf, d.QuoteOf, d.QuoteOf == ""),
		set(fields.AllowLikes, d.AllowLikes, false), set(fields.AllowReplies, d.AllowReplies, false),
		set(fields.DenyQuotes, d.DenyQuotes, !d.DenyQuotes),
		set(fields.ReplyPolicy, d.ReplyPolicy, d.ReplyPolicy == ""),
		set(fields.QuotePolicy, d.QuotePolicy, d.QuotePolicy == ""),
		set(fields.Visibility, d.Visibility, d.Visibility == ""), set(fields.Language, d.Language, d.Language == ""),
		set(fields.Named, d.Named, len(d.Named) == 0),
		set(fields.Poll, d.Poll, d.Poll == nil), set(fields.Media, d.Media, len(d.Media) == 0),
		set(fields.PublishAt, d.PublishAt, d.PublishAt == nil), set(fields.DueShard, d.DueShard, d.DueShard == nil),
		set(fields.Failure, nil, true),
		set(fields.Revision, d.Revision, false), set(fields.UpdatedAt, d.UpdatedAt, false),
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

// read reads a draft. A missing draft is errs.NotFound.
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

// decode decodes a draft from a query's snapshot.
func decode(snap *firestore.DocumentSnapshot) (*model.SavedDraft, error) {
	d := &model.SavedDraft{ID: model.DraftID(snap.Ref.ID)}
	return d, snap.DataTo(d)
}

// ref returns the document of a draft.
func (s *Drafts) ref(uid model.UserID, id string) *firestore.DocumentRef {
	return s.db.Doc(model.Drafts, model.DraftKey(uid, id))
}
