package digests

import (
	"context"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// keep is how long a Reader remembers digests from before its last query. They are for the other cache, which asks for
// those since its own last request. If pages use only one cache for longer, the Reader reads the digests for the other
// again.
const keep = 15 * time.Second

// Reader reads digests, once for all caches of a process.
//
// It remembers those of the last query, fewer than [readcache.Limit], and those of 15 s before. Ten processes of
// functions write at most 200 in 15 s. A digest has at most 60 kB, and with ten changes less than 1 kB.
//
// If there were more digests than a query returns since the last request, minutes ago, the answer is full. Then the
// cache follows no changes for [readcache.ListenAgain], a minute, and reads its values anew each TTL.
type Reader struct {
	db *db.DB

	mu    sync.Mutex
	asked time.Time // when the last query began, by the clock of the process
	from  time.Time // digests has all digests whose writtenAt is later; zero if it has none
	until time.Time // digests has all digests that were committed until then
	heard []heard   // in the order of the queries
}

// heard is a digest, and when it was committed.
type heard struct {
	model.ChangeDigest
	id string
	at time.Time
}

// NewReader returns a Reader.
func NewReader(d *db.DB) *Reader { return &Reader{db: d} }

// Heads returns the listed heads since a time of the database.
//
// Cost: 1 read for each digest since a second before the last call of Heads or Tweets, at least 1.
func (r *Reader) Heads(ctx context.Context, since time.Time) (readcache.Listed[model.UserID], error) {
	return listedIn(ctx, r, since, 0, func(d *model.ChangeDigest) []model.UserID { return d.Heads })
}

// Tweets returns the listed tweets since a time of the database. It lacks those of the last moments: the result says
// until when it has all.
//
// Cost: nothing if Heads was called within the time. Otherwise that of Heads.
func (r *Reader) Tweets(ctx context.Context, since time.Time,
	within time.Duration) (readcache.Listed[model.TweetID], error) {
	return listedIn(ctx, r, since, within, func(d *model.ChangeDigest) []model.TweetID { return d.Tweets })
}

// listedIn returns what some digests list.
func listedIn[K comparable](ctx context.Context, r *Reader, since time.Time, within time.Duration,
	items func(*model.ChangeDigest) []K) (all readcache.Listed[K], err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	since = since.Add(-late)
	if all.Full, err = r.hear(ctx, since, within); err != nil || all.Full {
		return all, err
	}
	all.Until, all.At = r.until, map[K]time.Time{}
	for i := range r.heard {
		d := &r.heard[i]
		if !d.WrittenAt.After(since) {
			continue
		}
		for _, k := range items(&d.ChangeDigest) {
			if all.At[k].Before(d.at) {
				all.At[k] = d.at
			}
		}
	}
	return all, nil
}

// hear makes sure that the Reader has all digests whose writtenAt is later than a time, and that were committed until
// some time ago. full is true if there are too many. The caller holds the mutex.
func (r *Reader) hear(ctx context.Context, from time.Time, within time.Duration) (full bool, err error) {
	now := r.db.Now()
	known := !r.from.IsZero() && !from.Before(r.from)
	if known && readcache.Elapsed(r.asked, now) < within {
		return false, nil
	}
	if !known {
		r.from, r.heard = from, nil
	} else {
		from = r.until.Add(-late)
	}
	until := r.db.Server.Now() // the answer has everything until then
	snaps, err := r.db.Client.Collection(model.ChangeDigests).Where(fields.WrittenAt, ">", from).
		OrderBy(fields.WrittenAt, firestore.Asc).Limit(readcache.Limit).Documents(ctx).GetAll()
	if full = len(snaps) >= readcache.Limit; err != nil || full {
		r.from = time.Time{}
		return full, err
	}
	for _, snap := range snaps {
		if slices.ContainsFunc(r.heard, func(h heard) bool { return h.id == snap.Ref.ID }) {
			continue
		}
		h := heard{id: snap.Ref.ID, at: snap.UpdateTime}
		if err := snap.DataTo(&h.ChangeDigest); err != nil {
			r.from = time.Time{}
			return false, err
		}
		if r.db.Server.Simulated != nil {
			h.at = h.WrittenAt
		}
		r.heard = append(r.heard, h)
	}
	r.asked, r.until = now, until
	if oldest := from.Add(-keep); r.from.Before(oldest) {
		r.from = oldest
		r.heard = slices.DeleteFunc(r.heard, func(h heard) bool { return !h.WrittenAt.After(oldest) })
	}
	return false, nil
}
