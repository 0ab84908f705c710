package discovery

import (
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

// SuggestionsWriter computes suggestions. The functions have it.
type SuggestionsWriter struct {
	*Suggestions
	reads int64         // that the computations of a day may cost
	every time.Duration // the shortest time between two looks for due computations

	mu     sync.Mutex
	looked time.Time // when this process last looked
	full   string    // the day whose reads are used up; it may be over
}

const (
	// suggestionsEvery is for how many writes of a document no process looks again for due computations.
	suggestionsEvery = 300

	// suggestedTogether is how many due computations one query finds.
	suggestedTogether = 20

	// suggestAgain is when a failed computation is tried again. Others go first.
	suggestAgain = time.Hour
)

// NewSuggestionsWriter returns the writer of a reader's database. The computations of a day cost at most about reads.
func NewSuggestionsWriter(s *Suggestions, reads int, every time.Duration) *SuggestionsWriter {
	return &SuggestionsWriter{Suggestions: s, reads: int64(reads), every: suggestionsEvery * every}
}

// ComputeDue computes the suggestions that are due, the longest due first, until over returns true or the day's reads
// are used up. What is left stays due, and is first on the next day. A process looks every 5 minutes. A failure
// puts that user's computation off, and does not stop the others. Two calls at once may compute the same twice, and the
// first commit counts. Each knows what the others spend before its next computation.
//
// Cost: nothing, or 1 read. If a computation is due, 1 read for each in the first 20 of the due, 1 for the spending,
// and for each computation the cost of compute, 1 read, and 2 writes. Nothing once the process knows that the day's
// reads are used up.
func (w *SuggestionsWriter) ComputeDue(ctx context.Context, over func() bool) (computed int, err error) {
	defer errs.Wrap(&err, "discovery.ComputeDue")
	now := w.db.Now()
	w.mu.Lock()
	again := now.Sub(w.looked).Abs() < w.every
	if !again {
		w.looked = now
	}
	w.mu.Unlock()
	if again {
		return 0, nil
	}
	return w.Compute(ctx, over)
}

// Compute is [SuggestionsWriter.ComputeDue] without a pause after the last look.
func (w *SuggestionsWriter) Compute(ctx context.Context, over func() bool) (computed int, err error) {
	day := model.DayOf(w.db.Now())
	w.mu.Lock()
	full := w.full == day
	w.mu.Unlock()
	if full {
		return 0, nil
	}
	var spent model.SuggestionSpending
	var failed error
	for looks := 0; ; looks++ {
		snaps, err := w.db.Client.Collection(model.SuggestionLists).Where(fields.DueAt, "<=", w.db.Time()).
			OrderBy(fields.DueAt, firestore.Asc).Limit(suggestedTogether).Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return computed, errors.Join(failed, err)
		}
		if looks == 0 {
			if _, err := w.db.Get(ctx, w.spending(), &spent); err != nil {
				return computed, err
			}
			spent.Begin(day)
		}
		for _, snap := range snaps {
			if over() {
				return computed, failed
			}
			if spent.Reads+model.SuggestMostReads > w.reads {
				w.mu.Lock()
				w.full = spent.Day
				w.mu.Unlock()
				return computed, failed
			}
			var reads int
			err := safely.Do(func() (err error) { reads, err = w.renew(ctx, snap); return err })
			if err == nil {
				computed++
			} else {
				failed = errors.Join(failed, err)
				err = w.putOff(ctx, snap)
			}
			now, spendErr := w.spend(ctx, day, reads)
			if err := errors.Join(err, spendErr); err != nil {
				return computed, errors.Join(failed, err)
			}
			spent = now
		}
		if len(snaps) < suggestedTogether {
			return computed, failed
		}
	}
}

func (w *SuggestionsWriter) spending() *firestore.DocumentRef {
	return w.db.Doc(model.Jobs, model.SuggestionsJob)
}

// spend adds to what a day has cost, and returns what all processes have spent on it. If the answer to the commit is
// lost, it may add twice. On a day that another process has begun after this one, it adds to that day.
//
// Cost: 1 read and 1 write.
func (w *SuggestionsWriter) spend(ctx context.Context, day string, reads int) (now model.SuggestionSpending,
	err error) {
	err = w.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		now = model.SuggestionSpending{}
		if _, err := db.GetIn(tx, w.spending(), &now); err != nil {
			return err
		}
		now.Begin(day)
		now.Reads += int64(reads)
		return tx.Set(w.spending(), map[string]any{fields.Day: now.Day, fields.Reads: now.Reads}, firestore.MergeAll)
	})
	return now, err
}

// putOff lets a computation that failed wait. A document that is gone stays away.
//
// Cost: 1 write.
func (w *SuggestionsWriter) putOff(ctx context.Context, snap *firestore.DocumentSnapshot) error {
	_, err := snap.Ref.Update(ctx, []firestore.Update{{Path: fields.DueAt, Value: w.db.Time().Add(suggestAgain)}})
	if db.NotFound(err) {
		return nil
	}
	return err
}

// renew computes the suggestions of a user. It commits nothing if the document changed meanwhile: then the computation
// stays due, and the next one knows the change. A question during an account deletion may leave a document: renew
// deletes that of a user without a profile.
//
// Cost: that of compute, and 1 write.
func (w *SuggestionsWriter) renew(ctx context.Context, snap *firestore.DocumentSnapshot) (reads int, err error) {
	uid := model.UserID(snap.Ref.ID)
	defer errs.Wrap(&err, "discovery.renew(%q)", uid)
	var is model.Suggestions
	if err := snap.DataTo(&is); err != nil {
		return 1, err
	}
	now := w.db.Time()
	updates, reads, err := w.compute(ctx, uid, &is, now)
	if err != nil {
		return reads, err
	}
	if updates == nil {
		_, err = snap.Ref.Delete(ctx, firestore.LastUpdateTime(snap.UpdateTime))
		return reads, unlessChanged(err)
	}
	next := is.Next(now)
	_, err = snap.Ref.Update(ctx, append(updates, firestore.Update{Path: fields.ComputedAt, Value: now},
		firestore.Update{Path: fields.DueAt, Value: db.OrDelete(next, next.IsZero())}),
		firestore.LastUpdateTime(snap.UpdateTime))
	return reads, unlessChanged(err)
}

// unlessChanged is the error of a commit, unless the document changed: by a question or a dismissal, or because the
// account is deleted.
func unlessChanged(err error) error {
	if db.Outdated(err) || db.NotFound(err) {
		return nil
	}
	return err
}

// compute finds the best candidates of a user, as updates of the document: whom the followed users follow, and who uses
// the user's tags. It reads the graphs one after the other, because a large one has 800 KB, and keeps only whom it
// follows. Whom somebody follows is public, see GET /v1/users/{uid}/following; what else a graph has is not looked at.
// Without a profile there are no updates.
//
// Cost: reads, at most [model.SuggestMostReads]: the query's 1 for the document, 1 for the user's graph, 1 for each of
// 16 followed users, 5 tags, 4 users of each of 3 tags, and 5 follow requests. For a user who follows nobody 1 for the
// profile; a deletion removes all follows.
func (w *SuggestionsWriter) compute(ctx context.Context, uid model.UserID, is *model.Suggestions,
	at time.Time) (updates []firestore.Update, reads int, err error) {
	own, err := w.viewers.Peek(ctx, uid)
	if err != nil {
		return nil, 1, err
	}
	reads = 2
	if len(own.Follows) == 0 {
		reads++
		there, err := w.db.There(ctx, model.Users, []string{string(uid)})
		if err != nil || !there[string(uid)] {
			return nil, reads, err
		}
	}
	found := model.NewCandidates(uid, own, is.Dismissed, at)
	for _, by := range model.Sample(uid, own, at) {
		var theirs struct {
			Follows map[model.UserID]time.Time `firestore:"follows"`
		}
		reads++
		if _, err := w.db.Get(ctx, w.db.Viewer(by), &theirs); err != nil {
			return nil, reads, err
		}
		found.Follows(by, theirs.Follows)
	}
	used, err := w.tags.UsedBy(ctx, uid, model.Cursor{}, model.SuggestTags)
	if err != nil {
		return nil, reads, err
	}
	reads += max(1, len(used.Items))
	for _, tag := range used.Items[:min(len(used.Items), model.SuggestTagsRead)] {
		users, err := w.tags.Users(ctx, tag.Name, model.Cursor{}, model.SuggestTagUsers)
		if err != nil {
			return nil, reads, err
		}
		reads += max(1, len(users.Items))
		for _, u := range users.Items {
			found.Tag(u.UserID, tag.Content)
		}
	}
	requests, err := w.db.Client.Collection(model.FollowRequests).Where(fields.FollowerID, "==", uid).
		Limit(model.SuggestRequests).Documents(ctx).GetAll()
	if err != nil {
		return nil, reads, err
	}
	reads += max(1, len(requests))
	for _, snap := range requests {
		var r model.FollowRequest
		if err := snap.DataTo(&r); err != nil {
			return nil, reads, err
		}
		found.Remove(r.FollowedID)
	}
	return []firestore.Update{{Path: fields.People, Value: found.Best(model.MaxCandidates)},
		{Path: fields.Followed, Value: len(own.Follows)},
		{Path: fields.Checked, Value: len(requests) < model.SuggestRequests}}, reads, nil
}
