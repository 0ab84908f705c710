// Package store reads and writes every document of Hibana. A Store is concrete:
// there is no interface and no in-memory twin, tests use the real emulator.
//
// Facts (tweets, relationships, likes, profiles) are written by the methods
// that the API calls; derived documents (counts, buckets, timelines, pages of
// followers) by those that the triggers call. Each file holds one collection or
// bucket. The errors of every method are of package errs.
package store

import (
	"cmp"
	"context"
	"time"
	_ "time/tzdata" // a container may have no time zones

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// Options of a Store. The zero value is right for production.
type Options struct {
	Now      func() time.Time // the clock; time.Now if nil
	CacheTTL time.Duration    // how old a cached tweet or profile may be; 2 s if 0
	Emulator string           // host:port of a Firestore emulator; empty is the cloud
	Meter    meter.Options    // what the meter does beside counting

	// RollUpEvery is how long increments of a hot counter may wait in its shards,
	// and so about how often the counted document is written, and how often any page of
	// followers, month of an author's tweets or list of recent ones is; 1 s if 0.
	RollUpEvery time.Duration

	// DrainAfter is how long events are collected before they are put on
	// notification cards, and so about how often a card is written; 1 s if 0.
	DrainAfter time.Duration

	// TimeZone decides on which day an event is; Asia/Tokyo if nil.
	TimeZone *time.Location

	// The limits at which documents are split and authors pulled, those of package
	// model if 0.
	FollowersPerPage int // on an author's single page
	PullAbove        int // followers of an author
	EntriesPerBucket int // of a month of a home timeline
	CardsPerBucket   int // of a month of an author
}

// Store is the database. Its methods may be called concurrently.
type Store struct {
	fs               *firestore.Client
	now              func() time.Time
	ids              *model.TweetIDs
	tweets           *cache[model.TweetID, *model.Tweet]
	users            *cache[model.UserID, *model.User]
	public           *cache[publicPage, Page[*model.Tweet]]
	layouts          layouts
	heat             *heat
	rollUpEvery      time.Duration
	drainAfter       time.Duration
	zone             *time.Location
	months           *cache[string, *model.TweetMonth]
	swept            sweepDay
	changes          changes
	links            *gather[model.UserID, model.UserID, linked]   // followers, by author
	sleepers         *gather[model.UserID, model.UserID, struct{}] // by author whom they follow
	backfills        *gather[model.UserID, backfill, bool]         // by follower
	deliveries       *gather[audiencePart, delivery, struct{}]
	cards            *gather[authorMonth, cardWrite, bool]
	recents          *gather[model.UserID, *model.Tweet, bool] // by author
	rollUps          *gather[rollUp, struct{}, struct{}]
	followersPerPage int
	pullAbove        int
	timelineBuckets  bucket
	monthBuckets     bucket
}

// Open connects to a database of a project; database is "(default)" if empty. What
// each call costs is added to the meter in its context.
func Open(ctx context.Context, project, database string, o Options) (_ *Store, err error) {
	defer errs.Wrap(&err, "store.Open(%q, %q)", project, database)
	if database == "" {
		database = firestore.DefaultDatabaseID
	}
	o.Meter.OnCommit = noteSizes
	metered, err := meter.ClientOptions(o.Emulator, o.Meter)
	if err != nil {
		return nil, err
	}
	fs, err := firestore.NewClientWithDatabase(ctx, project, database, metered...)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.CacheTTL == 0 {
		o.CacheTTL = 2 * time.Second
	}
	if o.RollUpEvery == 0 {
		o.RollUpEvery = time.Second
	}
	if o.DrainAfter == 0 {
		o.DrainAfter = time.Second
	}
	if o.TimeZone == nil {
		if o.TimeZone, err = time.LoadLocation("Asia/Tokyo"); err != nil {
			return nil, err
		}
	}
	s := &Store{
		fs: fs, now: o.Now, ids: model.NewTweetIDs(o.Now),
		heat: newHeat(o.Now), rollUpEvery: o.RollUpEvery, drainAfter: o.DrainAfter, zone: o.TimeZone,
		followersPerPage: cmp.Or(o.FollowersPerPage, model.FollowersPerPage),
		pullAbove:        cmp.Or(o.PullAbove, model.PullAbove),
		timelineBuckets:  bucket{model.Timelines, "entries", cmp.Or(o.EntriesPerBucket, model.EntriesPerBucket)},
		monthBuckets:     bucket{model.TweetMonths, "tweets", cmp.Or(o.CardsPerBucket, model.CardsPerBucket)},
	}
	s.months = newCache(o.Now, o.CacheTTL, monthsCached, s.readMonths)
	s.tweets = newCache(o.Now, o.CacheTTL, CacheSize, s.readTweets)
	s.users = newCache(o.Now, o.CacheTTL, CacheSize, s.readUsers)
	s.public = newCache(o.Now, publicTTL, publicPages, s.readPublic)
	s.links = newGather(s.rollUpEvery, runSize, s.linkAll)
	s.sleepers = newGather(s.rollUpEvery, runSize, s.sleep)
	s.backfills = newGather(s.rollUpEvery, backfillsTogether, s.writeBackfills)
	s.deliveries = newGather(s.rollUpEvery, deliveriesTogether, s.deliverAll)
	s.cards = newGather(s.rollUpEvery, cardsTogether, s.writeCards)
	s.cards.weigh = cardWrite.weight
	s.recents = newGather(s.rollUpEvery, runSize, s.writeRecents)
	s.rollUps = newGather(min(askEvery, s.rollUpEvery), 0, s.askRollUp)
	return s, nil
}

// OpenConfigured connects to the database that a service's configuration names.
func OpenConfigured(ctx context.Context, cfg config.Service) (_ *Store, err error) {
	defer errs.Wrap(&err, "store.OpenConfigured")
	zone, err := time.LoadLocation(cfg.TimeZone)
	if err != nil {
		return nil, err
	}
	return Open(ctx, cfg.Project, cfg.Database, Options{
		Emulator: cfg.FirestoreEmulator, TimeZone: zone,
		RollUpEvery: cfg.RollUpEvery, DrainAfter: cfg.DrainAfter,
		FollowersPerPage: cfg.FollowersPerPage, PullAbove: cfg.PullAbove,
		EntriesPerBucket: cfg.EntriesPerBucket, CardsPerBucket: cfg.CardsPerBucket,
	})
}

// Close frees the connection.
func (s *Store) Close() error { return s.fs.Close() }

// Ping reads one document, which need not exist: it fails if the database
// cannot be reached.
func (s *Store) Ping(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "store.Ping")
	_, err = s.get(ctx, s.fs.Collection(model.Usernames).Doc("me"), nil)
	return err
}

// Time is the store's clock with the precision of a Firestore timestamp.
func (s *Store) time() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

func (s *Store) doc(collection, id string) *firestore.DocumentRef {
	return s.fs.Collection(collection).Doc(id)
}

// get reads one document into to, and tells whether it exists.
func (s *Store) get(ctx context.Context, ref *firestore.DocumentRef, to any) (bool, error) {
	return decode(ref.Get(ctx))(to)
}

// decode turns a missing document from an error into false.
func decode(snap *firestore.DocumentSnapshot, err error) func(to any) (bool, error) {
	return func(to any) (bool, error) {
		switch {
		case status.Code(err) == codes.NotFound:
			return false, nil
		case err != nil:
			return false, err
		case to == nil || !snap.Exists():
			return snap.Exists(), nil
		}
		return true, snap.DataTo(to)
	}
}

// batch collects writes that are committed together in one round trip. The
// client marks WriteBatch as deprecated in favour of transactions, but a
// transaction costs a second round trip and BulkWriter is not atomic.
func (s *Store) batch() *firestore.WriteBatch { return s.fs.Batch() }

func exists(err error) bool  { return status.Code(err) == codes.AlreadyExists }
func missing(err error) bool { return status.Code(err) == codes.NotFound }

// outdated tells whether a document was no longer as it had been read.
func outdated(err error) bool { return status.Code(err) == codes.FailedPrecondition }

// Cursor is a place in a list that a query orders by a time or a count, and
// then by document id. The zero Cursor is the beginning.
type Cursor struct {
	At    time.Time `json:"at,omitzero"`
	Count int64     `json:"count,omitzero"`
	ID    string    `json:"id,omitzero"`
}

// IsZero tells whether the cursor is the beginning of the list.
func (c Cursor) IsZero() bool { return c.ID == "" }

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	Next  Cursor // zero at the end of the list
}

// page runs a query that is ordered by field and then by document id, from the
// cursor on, and decodes each document.
func page[T any](ctx context.Context, q firestore.Query, field firestore.FieldPath, dir firestore.Direction, from Cursor, limit int,
	decode func(*firestore.DocumentSnapshot) (T, Cursor, error)) (Page[T], error) {
	q = q.OrderByPath(field, dir).OrderBy(firestore.DocumentID, dir).Limit(limit)
	if !from.IsZero() {
		if from.At.IsZero() {
			q = q.StartAfter(from.Count, from.ID)
		} else {
			q = q.StartAfter(from.At, from.ID)
		}
	}
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return Page[T]{}, err
	}
	p := Page[T]{Items: make([]T, 0, len(snaps))}
	var last Cursor
	for _, snap := range snaps {
		item, at, err := decode(snap)
		if err != nil {
			return Page[T]{}, err
		}
		p.Items, last = append(p.Items, item), at
	}
	if len(snaps) == limit {
		p.Next = last
	}
	return p, nil
}
