package moderation

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

const (
	// AskEvery is the shortest time between two queries of a process for changed account statuses. While the database
	// answers, every process knows an account status after twice that.
	AskEvery = 20 * time.Second

	// KnownFor is how long a process relies on its cache while the database does not answer. After that no user is known
	// to be free.
	KnownFor = 5 * time.Minute

	// tokenLife is for how long an account status must be known after it changed. An ID token is valid for an hour; the
	// rest is for clocks and for the query.
	tokenLife = 75 * time.Minute

	// overlap is how much of the past each query repeats. The database takes the time of a change when it begins to write,
	// and may commit a little later.
	overlap = 10 * time.Second

	// A page has at most pageSize account statuses, and a query reads at most pages pages. The next query reads the rest.
	pageSize = 300
	pages    = 10

	// askWithin bounds the time of a query. A failed query is repeated after enqueueAgain.
	askWithin    = 5 * time.Second
	enqueueAgain = 2 * time.Second
)

// Statuses caches the account statuses that changed within tokenLife, and account statuses of any age that Firebase
// Auth may not have.
type Statuses struct {
	db              *db.DB
	log             *slog.Logger
	bill            *meter.Meter // the bill of all queries
	within, overlap time.Duration

	mu     sync.Mutex
	recent map[model.UserID]model.AccountStatus
	// by the clock of the process: when it learned of an unmirrored account status, or when unmirrored last returned it
	tried map[model.UserID]time.Time
	// by the clock of the database: every change until then is known; zero before the first answer
	since  time.Time
	knew   time.Time     // by the clock of the process: when the last answer came
	asked  time.Time     // by the clock of the process: when the last query began
	asking chan struct{} // closed when the running query ends; nil if none runs
}

func newStatuses(d *db.DB, log *slog.Logger) *Statuses {
	return &Statuses{db: d, log: log, bill: meter.New(), within: askWithin, overlap: overlap,
		recent: map[model.UserID]model.AccountStatus{}, tried: map[model.UserID]time.Time{}}
}

// Reads returns how many documents all queries of the process read.
func (w *Statuses) Reads() int64 { return w.bill.Reads() }

// SetOverlap sets how much of the past each query repeats, before the first query.
func (w *Statuses) SetOverlap(d time.Duration) { w.overlap = d }

// SetTimeout sets how long a query may take.
func (w *Statuses) SetTimeout(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.within = d
}

// Note caches an account status that this process wrote or read.
func (w *Statuses) Note(s model.AccountStatus) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known, ok := w.recent[s.UserID]; !ok || !s.ChangedAt.Before(known.ChangedAt) {
		if w.recent[s.UserID] = s; s.ToMirror && known.Action != s.Action {
			w.tried[s.UserID] = w.db.Now()
		}
	}
}

// unmirrored is [Store.Unmirrored].
func (w *Statuses) unmirrored(uid model.UserID) *model.AccountStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	is, now := w.recent[uid], w.db.Now()
	if !is.ToMirror || now.Sub(w.tried[uid]) < max(AskEvery, mirrorTime) {
		return nil
	}
	w.tried[uid] = now
	return &is
}

// state returns the state of an account, or "" if it did not change lately. The first caller after AskEvery runs the
// query, and waits for the answer. Other callers wait only if the process has no answer of the last minute.
func (w *Statuses) state(ctx context.Context, uid model.UserID) (model.AccountStatusState, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.db.Now()
	wait := w.asking
	if wait == nil && (w.asked.IsZero() || now.Sub(w.asked) >= AskEvery) {
		wait = make(chan struct{})
		w.asking, w.asked = wait, now
		safely.Go(func() error { w.ask(context.WithoutCancel(ctx), wait); return nil }, nil)
	} else if !w.knew.IsZero() && now.Sub(w.knew) < 2*AskEvery {
		wait = nil
	}
	if wait != nil {
		w.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
		}
		w.mu.Lock()
	}
	if w.knew.IsZero() || now.Sub(w.knew) >= KnownFor {
		return "", errs.New(errs.Unavailable, "standings_unknown",
			"the service cannot tell which accounts are suspended; try again shortly")
	}
	return w.recent[uid].State, nil
}

// ask reads the account statuses that changed since the last query. It has a meter of its own: the query is not the
// caller's.
func (w *Statuses) ask(ctx context.Context, done chan struct{}) {
	w.mu.Lock()
	since, within := w.since, w.within
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(meter.With(ctx, w.bill), within)
	defer cancel()
	var until time.Time
	err := safely.Do(func() error {
		changed, heard, err := w.changed(ctx, since)
		until = heard
		for _, s := range changed {
			w.Note(s)
		}
		return err
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asking = nil
	close(done)
	if err != nil {
		w.asked = w.db.Now().Add(enqueueAgain - AskEvery)
		w.log.Warn("changed account statuses could not be read", "error", err)
		return
	}
	w.since, w.knew = until, w.db.Now()
	for uid, s := range w.recent {
		if until.Sub(s.ChangedAt) > tokenLife && !s.ToMirror {
			delete(w.recent, uid)
			delete(w.tried, uid)
		}
	}
}

// changed reads the account statuses that changed since a time, and returns until when it found all of them. The zero
// time is a token's life ago. With it, changed also reads the first pageSize account statuses that Firebase Auth may
// not have.
//
// Cost: 1 read for each account status, at least 1; at the zero time at least 2.
func (w *Statuses) changed(ctx context.Context, since time.Time) (all []model.AccountStatus, until time.Time,
	err error) {
	if w.db.Server.Now().IsZero() { // any answer has the time of the database
		if _, err := w.db.Get(ctx, w.db.Doc(model.AccountStatuses, "me"), nil); err != nil {
			return nil, time.Time{}, err
		}
	}
	until = w.db.Server.Now()
	if since.IsZero() {
		since = until.Add(-tokenLife)
		snaps, err := w.db.Client.Collection(model.AccountStatuses).Where(fields.ToMirror, "==", true).Limit(pageSize).
			Documents(ctx).GetAll()
		if err != nil {
			return nil, time.Time{}, err
		}
		if all, err = decodeAccountStatuses(nil, snaps); err != nil {
			return all, time.Time{}, err
		}
	}
	q := w.db.Client.Collection(model.AccountStatuses).Where(fields.ChangedAt, ">", since.Add(-w.overlap)).
		OrderBy(fields.ChangedAt, firestore.Asc).Limit(pageSize)
	for n := 1; ; n++ {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil {
			return all, time.Time{}, err
		}
		if n == 1 && len(snaps) > 0 {
			until = w.db.Server.ReadAt(snaps[0])
		}
		if all, err = decodeAccountStatuses(all, snaps); err != nil {
			return all, time.Time{}, err
		}
		if len(snaps) < pageSize {
			return all, until, nil
		}
		if n == pages {
			return all, all[len(all)-1].ChangedAt, nil
		}
		q = q.StartAfter(snaps[len(snaps)-1])
	}
}

// decodeAccountStatuses appends the account statuses of documents to all.
func decodeAccountStatuses(all []model.AccountStatus, snaps []*firestore.DocumentSnapshot) ([]model.AccountStatus,
	error) {
	for _, snap := range snaps {
		s := model.AccountStatus{UserID: model.UserID(snap.Ref.ID)}
		if err := snap.DataTo(&s); err != nil {
			return all, err
		}
		all = append(all, s)
	}
	return all, nil
}
