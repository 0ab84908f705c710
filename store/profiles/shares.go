package profiles

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// A user's shares are in months of their own beside the previews. So a list of the user's tweets never reads them. A
// month of shares serves only the home timelines of followers, and expires when no home timeline reaches back to it.

// shareWrite is a share that enters a month, or leaves it.
type shareWrite struct {
	position model.Position
	value    any // the author of the tweet, or firestore.Delete
}

// sharesTogether is the number of shares of one month that one write joins.
const sharesTogether = 100

// PutShare writes a share into its sharer's month. It writes shares of one second together.
//
// Cost: 1 write; 1 write more for the first share of a month in a process.
func (w *Writer) PutShare(ctx context.Context, l *model.Share) (err error) {
	defer errs.Wrap(&err, "profiles.PutShare(%q, %q)", l.UserID, l.TweetID)
	_, err = w.shares.Do(ctx, shareMonth{l.UserID, l.Position().Month()}, shareWrite{l.Position(), l.AuthorID})
	return err
}

// RemoveShare removes a share from its sharer's month. A share in an overflow document stays there: a page reads
// the source document of such a share.
//
// Cost: 1 write.
func (w *Writer) RemoveShare(ctx context.Context, sharer model.UserID, position model.Position) (err error) {
	defer errs.Wrap(&err, "profiles.RemoveShare(%q, %q)", sharer, position)
	_, err = w.shares.Do(ctx, shareMonth{sharer, position.Month()}, shareWrite{position, firestore.Delete})
	return err
}

// ReconcileShare makes the month of a share agree with the share's source document. there reports whether the share
// exists.
//
// Cost: 1 read and 1 write.
func (w *Writer) ReconcileShare(ctx context.Context, sharer model.UserID, position model.Position) (there bool,
	err error) {
	defer errs.Wrap(&err, "profiles.ReconcileShare(%q, %q)", sharer, position)
	var l model.Share
	found, err := w.db.Get(ctx, w.db.Share(sharer, position.Tweet()), &l)
	switch {
	case err != nil:
		return false, err
	case found && l.Position() == position:
		return true, w.PutShare(ctx, &l)
	}
	return false, w.RemoveShare(ctx, sharer, position)
}

// OverflowShares moves the older shares of a month to overflow documents, if the month is beyond its limit.
//
// Cost: 1 read, 1 delete, and 1 write a document.
func (w *Writer) OverflowShares(ctx context.Context, month string) (err error) {
	defer errs.Wrap(&err, "profiles.OverflowShares(%q)", month)
	return w.shared.Overflow(ctx, month)
}

// shareMonth names a month of a user's shares.
type shareMonth struct {
	sharer model.UserID
	month  model.Month
}

// writeShares writes additions to a month of shares, and removals from it. Of two writes of one share the last one
// wins.
//
// Cost: 1 write; 1 write more for the first share of a month in a process.
func (w *Writer) writeShares(ctx context.Context, m shareMonth, all []shareWrite) ([]struct{}, error) {
	shares, added := map[string]any{}, 0
	for _, s := range all {
		if shares[string(s.position)] = s.value; s.value != firestore.Delete {
			added++
		}
	}
	merge := map[string]any{fields.UserID: m.sharer, fields.Month: m.month, model.SharesField: shares,
		fields.ExpireAt: model.TimelineExpiry(m.month)}
	if added > 0 {
		merge[bucket.SizeField] = firestore.Increment(added)
	}
	ctx, grown := bucket.Watch(ctx)
	b := w.db.Batch()
	b.Set(w.shareMonth(m), merge, firestore.MergeAll)
	if added > 0 && !w.sharing.Contains(m) {
		ref, mark := w.sharesMark(m)
		b.Set(ref, mark, firestore.MergeAll)
	}
	if _, err := b.Commit(ctx); err != nil {
		return nil, err
	}
	if added > 0 {
		w.sharing.Add(m, struct{}{})
	}
	return make([]struct{}, len(all)), w.shared.AskOverflows(ctx, grown)
}

// sharesMark returns the mark of a month of tweets by which its readers know that there are shares.
func (w *Writer) sharesMark(m shareMonth) (*firestore.DocumentRef, map[string]any) {
	return w.tweetMonth(authorMonth{m.sharer, m.month, model.OpenAudiencePartition}),
		map[string]any{fields.UserID: m.sharer, fields.Month: m.month, fields.Shares: true}
}

// MarkShares writes the mark that a user has shares in a month, also if this process has written the mark before.
//
// Cost: 1 write.
func (w *Writer) MarkShares(ctx context.Context, sharer model.UserID, m model.Month) (err error) {
	defer errs.Wrap(&err, "profiles.MarkShares(%q, %s)", sharer, m)
	ref, mark := w.sharesMark(shareMonth{sharer, m})
	_, err = ref.Set(ctx, mark, firestore.MergeAll)
	return err
}

// ShareMonths reads one month of shares of each of some users, through the cache.
//
// Cost: 1 read a user whose month is not cached.
func (r *Reader) ShareMonths(ctx context.Context, sharers []model.UserID,
	m model.Month) (_ map[model.UserID]*model.ShareMonth, err error) {
	defer errs.Wrap(&err, "profiles.ShareMonths(%d, %s)", len(sharers), m)
	keys := make([]shareMonth, len(sharers))
	for i, sharer := range sharers {
		keys[i] = shareMonth{sharer, m}
	}
	found, err := r.shareMonths.All(ctx, keys)
	months := make(map[model.UserID]*model.ShareMonth, len(found))
	for key, month := range found {
		months[key.sharer] = month
	}
	return months, err
}

// ReadShares opens a month of a user's shares at the newest share that is older than before.
func (r *Reader) ReadShares(sharer model.UserID, m model.Month, month *model.ShareMonth,
	before model.Position) *bucket.Reader[model.UserID] {
	return bucket.Read(r.shared, model.MonthKey(sharer, m), month.Shares, month.Pages, before, time.Time{})
}

// readShareMonths reads months of shares for the cache.
//
// Cost: 1 read a month.
func (r *Reader) readShareMonths(ctx context.Context, months []shareMonth) (map[shareMonth]*model.ShareMonth, error) {
	var l db.Lookup
	read := make(map[shareMonth]*db.Found[model.ShareMonth], len(months))
	for _, m := range months {
		read[m] = db.Find[model.ShareMonth](&l, r.shareMonth(m))
	}
	if err := r.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	found := make(map[shareMonth]*model.ShareMonth, len(months))
	for m, is := range read {
		month := is.Doc // a copy without the snapshot; the cache remembers a month without shares too
		found[m] = &month
	}
	return found, nil
}

// shareMonth returns the document of a month of shares.
func (r *Reader) shareMonth(m shareMonth) *firestore.DocumentRef {
	return r.db.Doc(model.ShareMonths, model.MonthKey(m.sharer, m.month))
}
