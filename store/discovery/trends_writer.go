package discovery

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/gate"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// TrendsWriter notes usages in the memory of the process, and writes them all together. Functions have it.
type TrendsWriter struct {
	*TrendsReader
	o TrendsOptions

	flushing chan struct{} // has room for the one flush that runs

	mu      sync.Mutex
	held    map[model.Hour]*heldTrends // usages that are not written yet
	flushed time.Time                  // when the last flush began
	waiting chan struct{}              // ends the timer of the next flush; nil if no timer runs
	closed  bool

	shard     int                        // the part that this process writes
	known     map[model.Hour]*trendsPart // the parts as this process last wrote them
	folded    model.Hour                 // the usual usage covers at least the hours until this one
	published time.Time                  // when this process last published trends
}

// TrendsOptions configures a [TrendsWriter].
type TrendsOptions struct {
	Every time.Duration // how long a usage is held at most
	Log   *slog.Logger  // for flushes that fail and that no caller waits for
}

// heldTrends are usages of an hour. The newest ones are a list, because it costs little to add to one.
type heldTrends struct {
	model.Trending
	newest []model.TrendUse
}

const (
	// mostNewest is how many usages of an hour a process holds one by one. Then it samples them as the document does.
	mostNewest = 1_000

	// trendsFlushTime bounds a flush that no caller waits for, and the last one when the store is closed.
	trendsFlushTime = 2 * time.Second

	// publishEvery is for how many writes of a document the published trends stay, so that each tick renews them.
	publishEvery = 45
)

// fold samples the newest usages.
func (t *heldTrends) fold(h model.Hour) {
	t.Note(h, t.newest)
	t.newest = nil
}

// trendsPart is a document as the process knows it.
type trendsPart struct {
	model.Trending
	shard   int
	there   bool
	updated time.Time
}

// NewTrendsWriter returns the writer of a reader's database.
func NewTrendsWriter(r *TrendsReader, o TrendsOptions) *TrendsWriter {
	return &TrendsWriter{TrendsReader: r, o: o, flushing: make(chan struct{}, 1), held: map[model.Hour]*heldTrends{},
		known: map[model.Hour]*trendsPart{}, flushed: r.db.Now()}
}

// Tweet notes the changes of the usages that a tweet makes: of its tags, and of the tweets that it answers and quotes.
// before and after are the tweet in its event, and at is the time of the change; one version may be nil.
//
// The usages are in the memory of the process until [TrendsWriter.Flush]. They are lost if the process ends before.
//
// Cost: nothing; the flush is billed to no caller.
func (w *TrendsWriter) Tweet(ctx context.Context, id model.TweetID, before, after *model.Tweet, at time.Time) {
	w.use(ctx, id.Time(), model.TrendUses(id, before, after, at)...)
}

// Mark notes that a user likes or shares a tweet, or no longer does, as [TrendsWriter.Tweet] does. at is the time of
// the change.
//
// Cost: nothing; the flush is billed to no caller.
func (w *TrendsWriter) Mark(ctx context.Context, l model.TrendReaction, on bool, at time.Time) {
	if u, ok := l.TrendUse(on, at); ok {
		w.use(ctx, l.Base().CreatedAt, u)
	}
}

// use holds usages that were made at a time. Old usages are no trend any more. It starts a flush if the last one is
// long ago, and otherwise sees that a timer does: a process whose CPU stands still between two events has no timers.
func (w *TrendsWriter) use(ctx context.Context, made time.Time, uses ...model.TrendUse) {
	now := w.db.Now()
	if len(uses) == 0 || now.Sub(made) > model.TrendLate || made.Sub(now) > time.Hour {
		return
	}
	h := model.HourOf(made)
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.held[h]
	if t == nil {
		t = &heldTrends{}
		w.held[h] = t
	}
	if t.newest = append(t.newest, uses...); len(t.newest) > mostNewest {
		t.fold(h)
	}
	if !w.closed && now.Sub(w.flushed) >= w.o.Every && len(w.flushing) == 0 {
		w.flushed = now // so that the next usage starts no other flush
		w.flushLater(ctx)
		return
	}
	w.wait(ctx)
}

// wait starts the timer of the next flush. The caller holds the mutex.
func (w *TrendsWriter) wait(ctx context.Context) {
	if w.closed || w.waiting != nil {
		return
	}
	ended := make(chan struct{})
	w.waiting = ended
	timer := time.NewTimer(w.o.Every)
	safely.Go(func() error {
		defer timer.Stop()
		select {
		case <-timer.C:
			w.flushLater(ctx)
		case <-ended:
		}
		return nil
	}, nil)
}

// flushLater starts a flush for which no caller waits or pays.
func (w *TrendsWriter) flushLater(ctx context.Context) {
	ctx = meter.With(gate.Outside(ctx), meter.New())
	safely.Go(func() error {
		ctx, cancel := context.WithTimeout(ctx, trendsFlushTime)
		defer cancel()
		return w.Flush(ctx)
	}, func(err error) {
		w.o.Log.WarnContext(ctx, "uses of trends are not written yet", "error", err)
	})
}

// Flush writes the held usages. Usages that could not be written are held on. Two flushes of a process follow one
// another.
//
// Cost: nothing if no usage is held; otherwise 1 write an hour that changes, most often 1. 1 read more for the first
// flush in an hour, 1 read and 1 write for each conflict, and once an hour the cost of fold.
func (w *TrendsWriter) Flush(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "discovery.Flush")
	select {
	case w.flushing <- struct{}{}:
		defer func() { <-w.flushing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	w.mu.Lock()
	held := w.held
	w.held, w.flushed = map[model.Hour]*heldTrends{}, w.db.Now()
	if w.waiting != nil {
		close(w.waiting)
		w.waiting = nil
	}
	w.mu.Unlock()
	if len(held) == 0 {
		return nil
	}
	var failed []error
	for h, t := range held {
		t.fold(h)
		if err := safely.Do(func() error { return w.note(ctx, h, &t.Trending) }); err != nil {
			failed = append(failed, err)
			w.holdAgain(h, t)
		}
	}
	failed = append(failed, w.foldUsual(ctx)) // last, because it may take long and fails no usage
	return errors.Join(failed...)
}

// holdAgain holds usages that were not written, for the next flush.
func (w *TrendsWriter) holdAgain(h model.Hour, t *heldTrends) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if newer := w.held[h]; newer != nil {
		t.Add(&newer.Trending)
		t.newest = newer.newest
	}
	w.held[h] = t
	w.wait(context.Background())
}

// Close writes the held usages within 2 s, and ends the timer. Usages that come later are lost.
//
// Cost: the cost of [TrendsWriter.Flush].
func (w *TrendsWriter) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), trendsFlushTime)
	defer cancel()
	if err := w.Flush(ctx); err != nil {
		w.o.Log.WarnContext(ctx, "the last uses of trends are lost", "error", err)
	}
}

// Publish writes the held usages, and then the trends of this minute, from which all readers get them. It writes no
// trends if this process did so a moment ago.
//
// Cost: the cost of Flush and rank, and 1 write.
func (w *TrendsWriter) Publish(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "discovery.Publish")
	unwritten := w.Flush(ctx)
	now := w.db.Now()
	w.mu.Lock()
	recent := !w.published.IsZero() && now.Sub(w.published) < publishEvery*w.every
	w.mu.Unlock()
	if recent {
		return unwritten
	}
	list, err := w.rank(ctx)
	if err == nil {
		_, err = w.db.Doc(model.Trends, model.TrendsNowKey).Set(ctx, list)
	}
	if err == nil {
		w.mu.Lock()
		w.published = now
		w.mu.Unlock()
	}
	return errors.Join(unwritten, err)
}

// note writes usages into the process's part of an hour. The process caches its last write. So it reads the part only
// if another process wrote there, or if it wrote nothing in that hour. After such a conflict it claims another part.
//
// Cost: nothing if nothing changes; otherwise 1 write. 1 read more for the first usage of an hour, and 1 read and 1
// write for each conflict.
func (w *TrendsWriter) note(ctx context.Context, h model.Hour, uses *model.Trending) error {
	for {
		p, err := w.part(ctx, h)
		if err != nil {
			return err
		}
		if !p.Add(uses) {
			w.keep(h, p)
			return nil
		}
		met, err := w.write(ctx, h, p)
		if err != nil || !met {
			return err
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

// foldUsual brings the usual usage up to the hours before the current trends, for which late events are unlikely. The
// first process that writes a usage in a new hour does that for all.
//
// Cost: nothing if this process has seen that it is done; 1 read if it is done.
func (w *TrendsWriter) foldUsual(ctx context.Context) error {
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
