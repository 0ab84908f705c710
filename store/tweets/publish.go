package tweets

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Publish posts a draft of a user now. It returns the errors of [Store.CreateTweet], and then the draft stays. A
// missing draft is errs.NotFound, and a concurrent change of the draft errs.Outdated. The draft of a reply that has to
// wait becomes a held reply.
//
// Cost: 1 read, 1 delete, and the cost of [Store.CreateTweet].
func (s *Drafts) Publish(ctx context.Context, uid model.UserID, id string) (_ Posted, err error) {
	defer errs.Wrap(&err, "tweets.Publish(%q, %q)", uid, id)
	d, snap, err := s.read(ctx, uid, id)
	if err != nil {
		return Posted{}, err
	}
	return s.publish(ctx, d, snap)
}

// publish posts a draft as it was read. One commit creates the tweet and deletes the draft, if no process wrote the
// draft since. So a draft becomes one tweet, even if several processes post it at once or are killed. If the answer to
// the commit is lost, CreateTweet finds its own tweet.
func (s *Drafts) publish(ctx context.Context, d *model.SavedDraft, snap *firestore.DocumentSnapshot) (Posted, error) {
	clean, err := d.Clean()
	if err != nil {
		return Posted{}, err
	}
	tried := false
	posted, err := s.tweets.Post(ctx, d.UserID, clean, model.Request{}, func(ctx context.Context, b *db.Batch) error {
		if tried { // another process has posted, changed or deleted the draft, or has the id of the tweet
			is, now, err := s.read(ctx, d.UserID, d.ID)
			if err != nil {
				return err
			}
			if !now.UpdateTime.Equal(snap.UpdateTime) {
				return model.DraftChanged(is)
			}
		}
		tried = true
		b.Delete(snap.Ref, firestore.LastUpdateTime(snap.UpdateTime))
		return nil
	})
	if errs.CodeOf(err) == "media_in_use" { // perhaps because another process has posted the draft
		if _, _, gone := s.read(ctx, d.UserID, d.ID); gone != nil {
			return Posted{}, gone
		}
	}
	return posted, err
}

const (
	// dueTogether is the number of due drafts that one query reads: they may have 26 MB.
	dueTogether = 100

	// publishersAtOnce is the number of drafts that are posted side by side.
	publishersAtOnce = 16
)

// Published holds the counts of one run of PublishDue.
type Published struct {
	Published, Refused int
}

// PublishDue posts the scheduled drafts that are due until over returns true. The oldest due time comes first. A draft
// may be refused because of its author, its parent or its quoted tweet. A refused draft stays as a draft with the
// reason, and is not due any more. A draft with a temporary failure is due again in the next run, and so is one whose
// media are still on their way.
//
// PublishDue keeps no position, because a posted draft is no longer due. It tries each draft once a run, so a failed
// draft does not stop the others.
//
// Cost: 1 read; with a due draft 1 read more for the instance, and 2 reads, 1 delete or write and the cost of
// [Store.CreateTweet] a due draft; with needed terms up to 2 reads more a draft.
func (s *Drafts) PublishDue(ctx context.Context, over func() bool) (done Published, err error) {
	defer errs.Wrap(&err, "tweets.PublishDue")
	shards := make([]int, model.DueShards)
	for i := range shards {
		shards[i] = i
	}
	q := s.db.Client.Collection(model.Drafts).Where(fields.DueShard, "in", shards).
		Where(fields.PublishAt, "<=", s.db.Time()).
		OrderBy(fields.PublishAt, firestore.Asc).OrderBy(firestore.DocumentID, firestore.Asc).Limit(dueTogether)
	instance := sync.OnceValues(func() (*model.Instance, error) {
		is := &model.Instance{}
		_, err := s.db.Get(ctx, s.db.Instance(), is)
		return is, err
	})
	var failures []error
	for page := q; ; {
		snaps, err := page.Documents(ctx).GetAll()
		if err != nil {
			return done, errors.Join(append(failures, err)...)
		}
		outcomes := make([]outcome, len(snaps))
		var g safely.Group
		g.SetLimit(publishersAtOnce)
		for i, snap := range snaps {
			g.Go(func() error {
				if err := safely.Do(func() error { outcomes[i] = s.publishDue(ctx, snap, instance); return nil }); err != nil {
					outcomes[i].err = err
				}
				return nil
			})
		}
		_ = g.Wait()
		for _, o := range outcomes {
			switch {
			case o.published:
				done.Published++
			case o.refused:
				done.Refused++
			}
			if o.err != nil {
				failures = append(failures, o.err)
			}
		}
		if len(snaps) < dueTogether || over() {
			return done, errors.Join(failures...)
		}
		last := snaps[len(snaps)-1]
		at, err := last.DataAt(fields.PublishAt)
		if err != nil {
			return done, errors.Join(append(failures, err)...)
		}
		page = q.StartAfter(at, last.Ref.ID)
	}
}

// outcome is the result for one due draft. An error in it may be gone in the next run.
type outcome struct {
	published, refused bool
	err                error
}

// publishDue posts a due draft, or writes the reason of a refusal into it.
func (s *Drafts) publishDue(ctx context.Context, snap *firestore.DocumentSnapshot,
	instance func() (*model.Instance, error)) outcome {
	d, err := decode(snap)
	if err != nil {
		return outcome{err: err}
	}
	err = s.mayPublish(ctx, d, instance)
	if err == nil {
		_, err = s.publish(ctx, d, snap)
	}
	switch kind, code := errs.KindOf(err), errs.CodeOf(err); {
	case err == nil:
		return outcome{published: true}
	case code == "media_processing":
		if wait, err := s.waits(ctx, d); err != nil || wait {
			return outcome{err: err} // due again in the next run
		}
		if err = s.refuse(ctx, d, snap, code, "media of this tweet did not come in time"); err == nil {
			return outcome{refused: true}
		}
	case code == "draft_not_found", code == "draft_changed":
		return outcome{} // another process has posted the draft, or its author has changed it
	case code == "media_in_use", code == "too_many_held_replies", kind == errs.Invalid,
		kind == errs.Forbidden, kind == errs.NotFound, kind == errs.Gone:
		if err = s.refuse(ctx, d, snap, code, errs.PublicText(err)); err == nil {
			return outcome{refused: true}
		}
	}
	return outcome{err: err}
}

// waits reports whether the media of a draft may still come: none that is on its way was announced longer ago than
// [model.MediaPatience].
//
// Cost: 1 read for each.
func (s *Drafts) waits(ctx context.Context, d *model.SavedDraft) (bool, error) {
	found, err := s.tweets.media(ctx, d.Media)
	for _, f := range found {
		if f.Doc.State == model.MediaUploading && s.db.Now().Sub(f.Doc.CreatedAt) > model.MediaPatience {
			return false, err
		}
	}
	return true, err
}

// mayPublish returns an error if a scheduled draft may not be posted any more. Then its author is frozen or suspended,
// or has not consented to the terms that the instance needs now, or its time to post passed long ago.
//
// Cost: 1 read, and that of instance; with needed terms also that of [access.Store.Consented].
func (s *Drafts) mayPublish(ctx context.Context, d *model.SavedDraft, instance func() (*model.Instance, error)) error {
	var accountStatus model.AccountStatus
	if _, err := s.db.Get(ctx, s.db.Doc(model.AccountStatuses, string(d.UserID)), &accountStatus); err != nil {
		return err
	}
	switch late := s.db.Time().Sub(*d.PublishAt); {
	case accountStatus.State == model.AccountStatusFrozen:
		return model.MayWrite(model.Frozen)
	case accountStatus.State == model.AccountStatusSuspended:
		return errs.New(errs.Forbidden, "account_suspended", "this account is suspended")
	case late > model.MaxLate:
		return errs.New(errs.Forbidden, "too_late_to_publish", "this tweet was to be posted %s ago; a tweet that is later "+
			"than %s stays a draft", late.Round(time.Minute), model.MaxLate)
	}
	is, err := instance()
	if err != nil || is.Demands() == 0 {
		return err
	}
	return s.tweets.Consented(ctx, d.UserID, is.Demands())
}

// refuse writes the reason of a refusal into a draft. The draft is not due any more.
//
// Cost: 1 write.
func (s *Drafts) refuse(ctx context.Context, d *model.SavedDraft, snap *firestore.DocumentSnapshot, code,
	detail string) error {
	now := s.db.Time()
	_, err := snap.Ref.Update(ctx, []firestore.Update{
		{Path: fields.PublishAt, Value: firestore.Delete}, {Path: fields.DueShard, Value: firestore.Delete},
		{Path: fields.Failure, Value: model.DraftFailure{Code: code, Detail: cmp.Or(detail, code), At: now,
			PublishAt: *d.PublishAt}},
		{Path: fields.Revision, Value: d.Revision + 1}, {Path: fields.UpdatedAt, Value: now},
	}, firestore.LastUpdateTime(snap.UpdateTime))
	if db.Outdated(err) || db.NotFound(err) {
		return nil // the author changed the draft meanwhile, or the answer was lost
	}
	return err
}
