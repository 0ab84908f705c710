// Package store assembles the database: the domains below it hold every Firestore read
// and write of Hibana. Each domain is concrete. There is no interface and no in-memory
// twin, because tests use the real emulator.
//
//	facts        what people do and say, and what pages show of it
//	counters     counts: of followers, tweets, tags, likes, shares, replies
//	cards        an author's months, newest tweets, and the copy of the author in tweets
//	timelines    home timelines, pages of followers, who is asleep
//	notices      the event log and notifications
//	deadletters  events that no function can handle
//	audit        whether all that is derived is as the facts say, and repair
//
// A domain knows only those above it in this list, except that audit knows all.
// Readers serve the API. Writers of derived documents are in reach of functions and
// audit alone.
package store

import (
	"cmp"
	"context"
	"log/slog"
	"time"
	_ "time/tzdata" // a container may have no time zones

	"cloud.google.com/go/firestore"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/audit"
	"github.com/hibana-sns/hibana/store/cards"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/deadletters"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/heat"
	"github.com/hibana-sns/hibana/store/notices"
	"github.com/hibana-sns/hibana/store/timelines"
)

// Options of a Store. The zero value is right for production.
type Options struct {
	Now      func() time.Time // the clock; time.Now if nil
	CacheTTL time.Duration    // how old a cached tweet or profile may be; 2 s if 0
	Emulator string           // host:port of a Firestore emulator; empty is the cloud
	Meter    meter.Options    // what the meter does beside counting
	Log      *slog.Logger     // for failures that no caller hears of; slog.Default() if nil

	// WriteEvery is about how often one document is written at most: increments of a hot
	// counter wait in its shards for so long, and callers that want the same page of
	// followers, month or list of newest tweets changed share a commit; 1 s if 0.
	WriteEvery time.Duration

	// DrainAfter is how long notices of a hot notification are collected, and so about how
	// often the notification is written; 1 s if 0.
	DrainAfter time.Duration

	// TimeZone decides on which day a notice is; Asia/Tokyo if nil.
	TimeZone *time.Location

	// The limits at which documents are split and authors pulled; those of package model
	// if 0.
	FollowersPerPage int // on an author's single page
	PullAbove        int // followers of an author
	EntriesPerBucket int // of a month of a home timeline
	CardsPerBucket   int // of a month of an author
}

// Store is the database. The API gets its facts and readers, functions get its writers.
type Store struct {
	Facts       *facts.Store
	Counters    *counters.Store
	Cards       *cards.Writer
	Timelines   *timelines.Writer
	Notices     *notices.Writer
	DeadLetters *deadletters.Store
	Audit       *audit.Auditor

	db *db.DB
}

// Open connects to a database of a project; database is "(default)" if empty. The meter
// in the context of a call counts what the call is billed.
func Open(ctx context.Context, project, database string, o Options) (_ *Store, err error) {
	defer errs.Wrap(&err, "store.Open(%q, %q)", project, database)
	if database == "" {
		database = firestore.DefaultDatabaseID
	}
	theirs := o.Meter.OnCommit
	o.Meter.OnCommit = func(ctx context.Context, req *pb.CommitRequest, resp *pb.CommitResponse) {
		bucket.NoteSizes(ctx, req, resp)
		if theirs != nil {
			theirs(ctx, req, resp)
		}
	}
	metered, err := meter.ClientOptions(o.Emulator, o.Meter)
	if err != nil {
		return nil, err
	}
	client, err := firestore.NewClientWithDatabase(ctx, project, database, metered...)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.TimeZone == nil {
		if o.TimeZone, err = time.LoadLocation("Asia/Tokyo"); err != nil {
			return nil, err
		}
	}
	return assemble(&db.DB{Client: client, Now: o.Now}, o), nil
}

func assemble(d *db.DB, o Options) *Store {
	cacheTTL := cmp.Or(o.CacheTTL, 2*time.Second)
	every := cmp.Or(o.WriteEvery, time.Second)
	cardOptions := cards.Options{CacheTTL: cacheTTL, Every: every, PerBucket: cmp.Or(o.CardsPerBucket, model.CardsPerBucket)}
	timelineOptions := timelines.Options{
		Every:            every,
		FollowersPerPage: cmp.Or(o.FollowersPerPage, model.FollowersPerPage),
		PullAbove:        cmp.Or(o.PullAbove, model.PullAbove),
		PerBucket:        cmp.Or(o.EntriesPerBucket, model.EntriesPerBucket),
	}
	h := heat.New(o.Now)
	s := &Store{db: d, Facts: facts.New(d, cacheTTL), DeadLetters: deadletters.New(d)}
	s.Counters = counters.New(d, s.Facts, h, every, o.Log)
	s.Cards = cards.NewWriter(cards.NewReader(d, cardOptions), cardOptions)
	s.Timelines = timelines.NewWriter(timelines.NewReader(d, s.Facts, s.Cards.Reader, timelineOptions), s.Cards, timelineOptions)
	s.Notices = notices.NewWriter(notices.NewReader(d), h, cmp.Or(o.DrainAfter, time.Second), o.TimeZone)
	s.Audit = audit.New(d, s.Facts, s.Counters, s.Cards, s.Timelines, s.Notices, o.TimeZone)
	return s
}

// OpenConfigured connects to the database that a service's configuration names. Failures that no
// caller hears of go to log.
func OpenConfigured(ctx context.Context, cfg config.Service, log *slog.Logger) (_ *Store, err error) {
	defer errs.Wrap(&err, "store.OpenConfigured")
	zone, err := time.LoadLocation(cfg.TimeZone)
	if err != nil {
		return nil, err
	}
	return Open(ctx, cfg.Project, cfg.Database, Options{
		Emulator: cfg.FirestoreEmulator, TimeZone: zone, Log: log,
		WriteEvery: cfg.WriteEvery, DrainAfter: cfg.DrainAfter,
		FollowersPerPage: cfg.FollowersPerPage, PullAbove: cfg.PullAbove,
		EntriesPerBucket: cfg.EntriesPerBucket, CardsPerBucket: cfg.CardsPerBucket,
	})
}

// Close frees the connection.
func (s *Store) Close() error { return s.db.Client.Close() }

// Ping reads one document, which need not exist. It fails if the database cannot be
// reached.
//
// Cost: 1 read.
func (s *Store) Ping(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "store.Ping")
	_, err = s.db.Get(ctx, s.db.Doc(model.Usernames, "me"), nil)
	return err
}
