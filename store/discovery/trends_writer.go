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
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/groupcommit"
)

// TrendsWriter notes uses. Functions have it.
type TrendsWriter struct {
	*TrendsReader
	notes groupcommit.Queue[model.Hour, []model.TrendUse, struct{}]

	mu     sync.Mutex
	shard  int                        // the part that this process writes
	known  map[model.Hour]*trendsPart // the parts as this process last wrote them
	folded model.Hour                 // the usual usage covers at least the hours until this one
}

// trendsPart is a document as the process knows it.
type trendsPart struct {
	model.Trending
	shard   int
	there   bool
	updated time.Time
}

// NewTrendsWriter returns the writer of a reader's database.
func NewTrendsWriter(r *TrendsReader) *TrendsWriter {
	w := &TrendsWriter{TrendsReader: r, known: map[model.Hour]*trendsPart{}}
	w.notes = groupcommit.New(r.every, 0, w.note)
	return w
}

// Tweet writes the changes of the usages that a tweet makes: of its tags, and of the tweets that it answers and quotes.
// before and after are the tweet in its event, and at is the time of the change; one version may be nil.
//
// Cost: nothing for a tweet that uses nothing. Otherwise what note costs.
func (w *TrendsWriter) Tweet(ctx context.Context, id model.TweetID, before, after *model.Tweet,
	at time.Time) (err error) {
	defer errs.Wrap(&err, "discovery.Tweet(%q)", id)
	return w.use(ctx, id.Time(), model.TrendUses(id, before, after, at))
}

// Mark writes that a user likes or shares a tweet, or no longer does. at is the time of the change.
//
// Cost: nothing for a usage that does not count. Otherwise what note costs.
func (w *TrendsWriter) Mark(ctx context.Context, l model.TrendReaction, on bool, at time.Time) (err error) {
	r := l.Base()
	defer errs.Wrap(&err, "discovery.Mark(%q, %q)", r.UserID, r.TweetID)
	u, ok := l.TrendUse(on, at)
	if !ok {
		return nil
	}
	return w.use(ctx, r.CreatedAt, []model.TrendUse{u})
}

// use submits usages that were made at a time. Old usages are no trend any more.
func (w *TrendsWriter) use(ctx context.Context, made time.Time, uses []model.TrendUse) error {
	now := w.db.Now()
	if len(uses) == 0 || now.Sub(made) > model.TrendLate || made.Sub(now) > time.Hour {
		return nil
	}
	_, err := w.notes.Do(ctx, model.HourOf(made), uses)
	return err
}

// note writes the usages of all callers of a second into the process's part of an hour. The process caches its last
// write. So it reads the part only if another process wrote there, or if it wrote nothing in that hour. After such a
// conflict it claims another part.
//
// Cost: 1 write. 1 read more for the first usage of an hour, and 1 read and 1 write for each conflict.
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

// part returns the part of an hour that the process writes. It removes the part from the cache, so a failed write
// leaves nothing there.
func (w *TrendsWriter) part(ctx context.Context, h model.Hour) (*trendsPart, error) {
	w.mu.Lock()
	p, shard := w.known[h], w.shard
	delete(w.known, h)
	w.mu.Unlock()
	if p != nil && p.shard == shard {
		return p, nil
	}
	is, err := db.As[model.Trending](w.db.Doc(model.Trends, model.TrendKey(h, shard)).Get(ctx))
	if err != nil {
		return nil, err
	}
	return &trendsPart{Trending: is.Doc, shard: shard, there: is.Found, updated: is.Snap.UpdateTime}, nil
}

// write writes a part. If another process wrote it meanwhile, met is true and nothing is written.
func (w *TrendsWriter) write(ctx context.Context, h model.Hour, p *trendsPart) (met bool, err error) {
	ref := w.db.Doc(model.Trends, model.TrendKey(h, p.shard))
	b := w.db.Batch()
	if p.there {
		b.Update(ref, []firestore.Update{{Path: fields.Tags, Value: p.Tags}, {Path: fields.Tweets, Value: p.Tweets}},
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

// keep caches a part as the database has it. A process writes in few hours at once.
func (w *TrendsWriter) keep(h model.Hour, p *trendsPart) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.known) > model.TrendHours {
		clear(w.known)
	}
	w.known[h] = p
}

// fold brings the usual usage up to the hours before the current trends, for which late events are unlikely. The first
// process that writes a usage in a new hour does that for all.
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

// foldTo folds the hours until the last. It returns true if another process did so at the same time.
func (w *TrendsWriter) foldTo(ctx context.Context, last model.Hour) (again bool, err error) {
	found, err := db.As[model.TrendUsual](w.usual().Get(ctx))
	u := &found.Doc
	if err != nil || found.Found && !u.Through.Before(last.Time) {
		return false, err
	}
	// Documents of older hours have expired, and the usage of a week ago has nearly no weight.
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
	if found.Found {
		_, err = w.usual().Update(ctx, []firestore.Update{{Path: fields.Through, Value: u.Through},
			{Path: fields.Tags, Value: u.Tags},
			{Path: fields.Tweets, Value: u.Tweets}}, firestore.LastUpdateTime(found.Snap.UpdateTime))
	} else {
		_, err = w.usual().Create(ctx, u)
	}
	if db.Outdated(err) || db.AlreadyExists(err) || db.NotFound(err) {
		return true, nil
	}
	return false, err
}
