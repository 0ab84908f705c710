package discovery

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// Writer notes uses. Functions have it.
type TrendsWriter struct {
	*TrendsReader
	notes *groupcommit.Group[model.Hour, []model.TrendUse, struct{}]

	mu     sync.Mutex
	shard  int                        // where this process writes
	known  map[model.Hour]*trendsPart // what this process wrote last
	folded model.Hour                 // the usual is at least of the hours until this one
}

// part is a document as the process knows it.
type trendsPart struct {
	model.Trending
	shard   int
	there   bool
	updated time.Time
}

// NewWriter returns the writer of a reader's database.
func NewTrendsWriter(r *TrendsReader) *TrendsWriter {
	w := &TrendsWriter{TrendsReader: r, known: map[model.Hour]*trendsPart{}}
	w.notes = groupcommit.New(r.every, 0, w.note)
	return w
}

// Tweet notes what changed in the uses that a tweet makes: of its tags, and of the tweets that
// it answers and quotes. before and after are the tweet as its event says, and at when it
// changed; one version may be nil.
//
// Cost: nothing for a tweet that uses nothing. Otherwise what [Writer.note] costs.
func (w *TrendsWriter) Tweet(ctx context.Context, id model.TweetID, before, after *model.Tweet,
	at time.Time) (err error) {
	defer errs.Wrap(&err, "discovery.Tweet(%q)", id)
	return w.use(ctx, id.Time(), model.TrendUses(id, before, after, at))
}

// Mark notes that a user likes or shares a tweet, or does not any more. at is when that changed.
// kind tells likes from shares.
//
// Cost: nothing for a use that does not count. Otherwise what [Writer.note] costs.
func (w *TrendsWriter) Mark(ctx context.Context, kind string, l *model.Like, on bool, at time.Time) (err error) {
	defer errs.Wrap(&err, "discovery.Mark(%q, %q)", l.UserID, l.TweetID)
	u, ok := l.TrendUse(kind, on, at)
	if !ok {
		return nil
	}
	return w.use(ctx, l.CreatedAt, []model.TrendUse{u})
}

// use hands uses in that were made at a time. What is long past is no trend any more.
func (w *TrendsWriter) use(ctx context.Context, made time.Time, uses []model.TrendUse) error {
	now := w.db.Now()
	if len(uses) == 0 || now.Sub(made) > model.TrendLate || made.Sub(now) > time.Hour {
		return nil
	}
	_, err := w.notes.Do(ctx, model.HourOf(made), uses)
	return err
}

// note writes the uses of all callers of a second into the process's part of an hour. The
// process knows what it wrote last. So it reads the part only if another process wrote there,
// or if it wrote nothing in that hour; after a meeting it takes another part.
//
// Cost: 1 write. 1 read more for the first use of an hour, and 1 read and 1 write for each meeting.
func (w *TrendsWriter) note(ctx context.Context, h model.Hour, all [][]model.TrendUse) ([]struct{}, error) {
	if err := w.fold(ctx); err != nil {
		return nil, err
	}
	for {
		p, err := w.part(ctx, h)
		if err != nil {
			return nil, err
		}
		if !p.Note(h, slices.Concat(all...)) {
			w.keep(h, p)
			return make([]struct{}, len(all)), nil
		}
		met, err := w.write(ctx, h, p)
		if err == nil && !met {
			return make([]struct{}, len(all)), nil
		}
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		w.shard = rand.IntN(model.TrendShards)
		w.mu.Unlock()
	}
}

// part is the part of an hour that the process writes. It takes the part from those that the
// process knows, so that nothing is left of a write that failed.
func (w *TrendsWriter) part(ctx context.Context, h model.Hour) (*trendsPart, error) {
	w.mu.Lock()
	p, shard := w.known[h], w.shard
	delete(w.known, h)
	w.mu.Unlock()
	if p != nil && p.shard == shard {
		return p, nil
	}
	p = &trendsPart{shard: shard}
	snap, err := w.db.Doc(model.Trends, model.TrendKey(h, shard)).Get(ctx)
	if p.there, err = db.Decode(snap, err)(&p.Trending); err != nil {
		return nil, err
	}
	if p.there {
		p.updated = snap.UpdateTime
	}
	return p, nil
}

// write writes a part, unless another process wrote it meanwhile: then met is true.
func (w *TrendsWriter) write(ctx context.Context, h model.Hour, p *trendsPart) (met bool, err error) {
	ref := w.db.Doc(model.Trends, model.TrendKey(h, p.shard))
	b := w.db.Batch()
	if p.there {
		b.Update(ref, []firestore.Update{{Path: "tags", Value: p.Tags}, {Path: "tweets", Value: p.Tweets}},
			firestore.LastUpdateTime(p.updated))
	} else {
		p.ExpireAt = h.Add(1).Time.Add(2 * model.TrendLate)
		b.Create(ref, p.Trending)
	}
	results, err := b.Commit(ctx)
	if db.Outdated(err) || db.AlreadyExists(err) || db.NotFound(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	p.there, p.updated = true, results[0].UpdateTime
	w.keep(h, p)
	return false, nil
}

// keep remembers a part that the database has like this. A process writes in few hours at once.
func (w *TrendsWriter) keep(h model.Hour, p *trendsPart) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.known) > model.TrendHours {
		clear(w.known)
	}
	w.known[h] = p
}

// fold makes the usual that of the hours before those that trends are of, of which nothing is
// likely to come any more. The first process that notes a use in a new hour does that for all.
//
// Cost: nothing if this process has seen that it is done; 1 read if it is done.
func (w *TrendsWriter) fold(ctx context.Context) error {
	last := model.HourOf(w.db.Now()).Add(-model.TrendHours)
	w.mu.Lock()
	done := !w.folded.Before(last.Time)
	w.mu.Unlock()
	if done {
		return nil
	}
	for {
		again, err := w.foldTo(ctx, last)
		if err != nil {
			return err
		}
		if !again {
			break
		}
	}
	w.mu.Lock()
	w.folded = last
	w.mu.Unlock()
	return nil
}

// foldTo folds the hours until the last. It answers true if another process did so at once.
func (w *TrendsWriter) foldTo(ctx context.Context, last model.Hour) (again bool, err error) {
	var u model.TrendUsual
	snap, err := w.usual().Get(ctx)
	there, err := db.Decode(snap, err)(&u)
	if err != nil || there && !u.Through.Before(last.Time) {
		return false, err
	}
	// Documents of older hours have expired, and what was usual a week ago is nearly forgotten.
	const most = 7 * 24
	first := last.Add(-most)
	if next := (model.Hour{Time: u.Through.UTC()}).Add(1); next.After(first.Time) {
		first = next
	}
	kept := last.Add(-int(2 * model.TrendLate / time.Hour))
	if kept.Before(first.Time) {
		kept = first
	}
	hours, err := w.hours(ctx, kept, last)
	if err != nil {
		return false, err
	}
	for h := first; !h.After(last.Time); h = h.Add(1) {
		u.Fold(h, hours[h])
	}
	if there {
		_, err = w.usual().Update(ctx, []firestore.Update{{Path: "through", Value: u.Through}, {Path: "tags", Value: u.Tags},
			{Path: "tweets", Value: u.Tweets}}, firestore.LastUpdateTime(snap.UpdateTime))
	} else {
		_, err = w.usual().Create(ctx, u)
	}
	if db.Outdated(err) || db.AlreadyExists(err) || db.NotFound(err) {
		return true, nil
	}
	return false, err
}
