// Package store assembles the database. The packages below package store hold every Firestore read and write of
// Hibana. Each of them is concrete. There is no interface and no in-memory twin, because tests use the real emulator.
//
//	users          profiles, usernames, the start of an account deletion
//	graph          follows, follow requests, blocks, lists of people
//	oauth          apps of others that users let in, and their tokens
//	media          uploads, their records and files
//	links          cards of web pages that posts link to
//	federation     keys of users, and actors of other servers
//	tweets         publishing, edits, drafts, threads, pins, polls, mentions
//	profiles       months of authors, newest tweets, embedded authors, renames
//	reactions      likes and shares, bookmarks, muted sharers
//	counters       counts, with shards and roll-ups
//	timelines      home timelines
//	listen         what happens, for those who wait
//	notifications  notification events, notifications, settings, devices
//	messages       conversations and their messages
//	discovery      search, tags, trends and totals
//	shop           products, carts, orders and the stock
//	moderation     account statuses, reports, and the audit log
//	agents         turns and acts of agents
//	erasure        account deletions and exports
//	ops            migrations, dead letters, budgets and jobs
//	verify         comparison of all projections with the sources of truth, and repair
//
// A package imports only packages above it in this list, and the packages of store/internal. The API gets the sources
// of truth and the readers. Only functions and package verify get the writers of projections.
package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"
	_ "time/tzdata" // a container may have no time zones

	"cloud.google.com/go/firestore"
	vkit "cloud.google.com/go/firestore/apiv1"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc"

	"github.com/hibana-sns/hibana/internal/config"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/objects"
	"github.com/hibana-sns/hibana/internal/opensearch"
	"github.com/hibana-sns/hibana/internal/readcache"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/agents"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/erasure"
	"github.com/hibana-sns/hibana/store/federation"
	"github.com/hibana-sns/hibana/store/graph"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/contention"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/digests"
	"github.com/hibana-sns/hibana/store/internal/followerlists"
	"github.com/hibana-sns/hibana/store/internal/hooks"
	"github.com/hibana-sns/hibana/store/internal/notificationlists"
	"github.com/hibana-sns/hibana/store/internal/viewers"
	"github.com/hibana-sns/hibana/store/internal/viewerstate"
	"github.com/hibana-sns/hibana/store/links"
	"github.com/hibana-sns/hibana/store/listen"
	"github.com/hibana-sns/hibana/store/media"
	"github.com/hibana-sns/hibana/store/messages"
	"github.com/hibana-sns/hibana/store/moderation"
	"github.com/hibana-sns/hibana/store/notifications"
	"github.com/hibana-sns/hibana/store/oauth"
	"github.com/hibana-sns/hibana/store/ops"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/reactions"
	"github.com/hibana-sns/hibana/store/shop"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/tweets"
	"github.com/hibana-sns/hibana/store/users"
	"github.com/hibana-sns/hibana/store/verify"
)

// Options configures a Store. The zero value is right for production.
type Options struct {
	Now      func() time.Time // the clock; time.Now if nil
	CacheTTL time.Duration    // how old a cached tweet, profile or month may be; 2 s if 0
	// Patience is how long a home page waits for the change feed, [readcache.Patience] if 0. A request waits as long for
	// account statuses, unless AccountStatus sets another time.
	Patience      time.Duration
	AccountStatus time.Duration // how long a request waits at most for account statuses; Patience, or 5 s, if 0
	Emulator      string        // host:port of a Firestore emulator; empty is the cloud
	Meter         meter.Options // what the meter does besides counting
	Log           *slog.Logger  // for failures that no caller receives; slog.Default() if nil

	// WriteEvery is about the shortest time between two writes of one document; 1 s if 0. Increments of a hot counter
	// wait in the shards for WriteEvery. Callers that change the same month or head share a commit.
	WriteEvery time.Duration

	// TrendsEvery is how long a use of a tag or tweet waits in memory for its write at most; 15 s if 0. A process that
	// ends without Close loses the uses that wait.
	TrendsEvery time.Duration

	// FlushAfter is how long notification events of a hot user are collected, and so about the shortest time
	// between two writes of the notification; 1 s if 0.
	FlushAfter time.Duration

	// ServerNow is the clock of the database in a simulation. If nil, the database uses its own clock.
	ServerNow func() time.Time

	// StaleAfter is the age at which the event of a work document counts as lost; 1 min if 0. StepTime is how long a step
	// of long work lasts; 5 s if 0.
	StaleAfter, StepTime time.Duration

	// SlowCommit is how long a commit takes that probably waits for other processes, so that hot events no longer share
	// commits; 1 s if 0.
	SlowCommit time.Duration

	// LeavePause is how long an account deletion waits for events between two passes; 5 s if 0. LeaveAfter is when the
	// account deletion makes its last pass, after a pass that found nothing. LeaveAfter is 25 h if 0, which is longer
	// than events are redelivered. DeleteAccount deletes the sign-in account of a user; if nil, there are no accounts.
	LeavePause, LeaveAfter time.Duration
	DeleteAccount          func(context.Context, model.UserID) error

	// SendToDevice sends a message to a device of a user, and returns whether the device is gone. If nil, no device gets
	// messages.
	SendToDevice func(context.Context, model.UserID, model.Device, model.DeviceMessage) (gone bool, err error)

	// FetchLink fetches the page of a link, see package linkcard. If nil, links get no cards.
	FetchLink func(context.Context, string) (model.LinkPage, error)

	// SendWebhook sends a delivery to a webhook, see package webhook. If nil, deliveries wait. LoopbackWebhooks allows
	// webhooks with addresses of the machine itself: for tests and development.
	SendWebhook      moderation.SendWebhook
	LoopbackWebhooks bool

	// Federation has the keys of users and the actors of other servers. The zero value has none.
	Federation federation.Options
	// LocalHandle is the username here of a handle with a host, as ann of ann@hibana.example; ok is false for a handle of
	// another server. If nil, no text mentions a user by a handle of this installation.
	LocalHandle func(handle string) (username string, ok bool)

	// VerifyLink asks the page of a link in a profile, see package relme. If nil, no link is verified.
	VerifyLink users.VerifyLink
	// Decider decides what agents do. If nil, no agent acts.
	Decider agents.Decider

	// Gists are the options of gists. Without a summarizer there are none.
	Gists tweets.GistOptions

	// ExportBucket is where exports are, see [objects.Open]. If it is empty, no user can export. Links to the files of a
	// folder begin with ExportLinks.
	ExportBucket, ExportLinks string
	// ExportPartBytes and ExportPageSize are sizes of exports for tests, see [erasure.ExportOptions].
	ExportPartBytes, ExportPageSize int

	// UploadsBucket and MediaBucket are where clients upload media and where the results are, see [objects.Open]. If both
	// are empty, there are no media. MediaURL is the beginning of the addresses of media, and MediaKey signs them; a
	// missing key is random.
	UploadsBucket, MediaBucket, MediaURL string
	MediaKey                             []byte

	// Search is the engine that finds tweets by their words. If it has no URL, the database finds them.
	Search opensearch.Options

	// TimeZone decides the day of a notification event; Asia/Tokyo if nil.
	TimeZone *time.Location
	// NotificationWindow is how long notifications are kept from now on; [model.NotificationWindow] if 0.
	NotificationWindow time.Duration

	// Limits. A limit of 0 is the limit in package model, or of the package that holds it.
	SharesPerBucket   int // shares in a month of a user, before it overflows
	PreviewsPerBucket int // post previews in a month of an author, before it overflows
	NotificationBytes int // bytes of a list of notifications, before it gives some to other lists
	ReactionsPerMonth int // likes in a month of a user's reactions, before it is saturated
	MaxFollows        int // how many users one user may follow
	MaxFollowers      int // how many followers one user may have
	MaxViewerEntries  int // follows, mutes and blocks in the document of a reader
	ListedFollowers   int // followers in the list of a user's newest followers
	CacheBytes        int // about how many bytes the caches of the process use
	MaxEdits          int // edits of one tweet, model.MaxRevisions at most
	MaxOpenOrders     int // orders of one user that are pending or confirmed

	// SuggestionReads is how many reads the computations of suggestions may cost in a day; less than
	// [model.SuggestMostReads] computes none.
	SuggestionReads int

	// EditWithin is the age of the oldest tweet that its author may edit; any age if 0.
	EditWithin time.Duration

	// ChangeDigests is how processes hear of changed heads and tweets; model.DigestsOff if empty.
	ChangeDigests model.DigestMode
}

// Store is the database. The API gets the sources of truth and the readers. Functions get the writers.
type Store struct {
	Users              *users.Store
	Fields             *users.Verifier
	Graph              *graph.Store
	Viewers            *viewers.Writer
	FollowerLists      *followerlists.Writer
	Tweets             *tweets.Store
	Media              *media.Writer
	Reactions          *reactions.Store
	Counters           *counters.Store
	Previews           *profiles.Writer
	Timelines          *timelines.Writer
	NotificationEvents *notifications.Writer
	AccountDeletions   *erasure.Writer
	Exports            *erasure.Exporter
	Migrations         *ops.Migrator
	DeadLetters        *ops.DeadLetters
	Budgets            *ops.Budgets
	Edits              *tweets.Edits
	Shares             *reactions.Shares
	Requests           *graph.Requests
	Lists              *graph.Lists
	Bookmarks          *reactions.Bookmarks
	Pins               *tweets.Pins
	Devices            *notifications.Devices
	Drafts             *tweets.Drafts
	HeldReplies        *tweets.HeldReplies
	Polls              *tweets.Polls
	Gists              *tweets.Gists
	Threads            *tweets.Threads
	Tags               *discovery.Tags
	Links              *links.Writer
	Federation         *federation.Store
	Search             *discovery.SearchWriter
	Messages           *messages.Writer
	Trends             *discovery.TrendsWriter
	Directory          *discovery.Directory
	Suggestions        *discovery.SuggestionsWriter
	Totals             *discovery.TotalsWriter
	Mentions           *tweets.Mentions
	Settings           *notifications.Settings
	Moderation         *moderation.Store
	Agents             *agents.Runner
	Shop               *shop.Store
	Orders             *shop.OrdersWriter
	Audit              *verify.Auditor
	Jobs               *ops.Jobs
	OAuth              *oauth.Store
	Objects            *objects.Objects // the files of exports; nil if there are none
	Listen             *listen.Hub

	db      *db.DB
	buckets buckets
}

// Emulated changes the options of each store of this process that is on an emulator. In production Emulated is nil.
var Emulated func(*Options) error

// Open connects to a database of a project. An empty database is "(default)". The meter in the context of a call counts
// the billed operations of the call.
func Open(ctx context.Context, project, database string, o Options) (_ *Store, err error) {
	defer errs.Wrap(&err, "store.Open(%q, %q)", project, database)
	if database == "" {
		database = firestore.DefaultDatabaseID
	}
	if o.Emulator != "" && Emulated != nil {
		if err := Emulated(&o); err != nil {
			return nil, err
		}
	}
	onCommit := o.Meter.OnCommit
	o.Meter.OnCommit = func(ctx context.Context, req *pb.CommitRequest, resp *pb.CommitResponse) {
		bucket.RecordSizes(ctx, req, resp)
		if onCommit != nil {
			onCommit(ctx, req, resp)
		}
	}
	if below := o.Meter.Below; below != nil {
		o.Meter.Below = func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn,
			invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			return db.BeginOnce(ctx, method, req, reply, conn, func(ctx context.Context, method string, req, reply any,
				conn *grpc.ClientConn, opts ...grpc.CallOption) error {
				return below(ctx, method, req, reply, conn, invoke, opts...)
			}, opts...)
		}
	} else {
		o.Meter.Below = db.BeginOnce
	}
	server := &db.Server{Simulated: o.ServerNow}
	o.Meter.OnTime, o.Meter.ServerNow = server.Heard, server.Stamps()
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
	var files *objects.Objects
	if o.ExportBucket != "" {
		if files, err = objects.Open(ctx, o.ExportBucket, o.ExportLinks); err != nil {
			return nil, errors.Join(err, client.Close())
		}
	}
	var uploads, results *objects.Objects
	if o.UploadsBucket != "" && o.MediaBucket != "" {
		if uploads, err = objects.Open(ctx, o.UploadsBucket, ""); err == nil {
			results, err = objects.Open(ctx, o.MediaBucket, "")
		}
		if err != nil {
			return nil, errors.Join(err, client.Close())
		}
	}
	if len(o.MediaKey) == 0 {
		o.MediaKey = []byte(rand.Text() + rand.Text())
	}
	var engine *opensearch.Client
	if o.Search.URL != "" {
		if engine, err = opensearch.New(o.Search); err != nil {
			return nil, errors.Join(err, client.Close())
		}
	}
	d := db.New(client, o.Now, server, o.StaleAfter, o.StepTime)
	d.NotificationWindow = cmp.Or(o.NotificationWindow, d.NotificationWindow)
	s := assemble(d, buckets{files, uploads, results}, engine, o)
	s.Listen = listen.New(d, listen.Options{Log: o.Log,
		Digests: o.ChangeDigests == model.DigestsHeard || o.ChangeDigests == model.DigestsWritten,
		Open: func(ctx context.Context) (*vkit.Client, error) {
			own, err := meter.ClientOptions(o.Emulator, o.Meter)
			if err != nil {
				return nil, err
			}
			return vkit.NewClient(ctx, own...)
		}})
	return s, nil
}

// TweetBytes returns the tweets' part of all bytes of a process's caches: seven sixteenths. A tweet takes between one
// and two kilobytes. Profiles, listed profiles, users with profiles and pages of the public timeline get one sixteenth
// each. The rest is for heads and months of authors, in packages timelines and profiles.
func TweetBytes(all int) int { return all * 7 / 16 }

// buckets are the places of files: those of exports, uploads, and media. A nil one is off.
type buckets struct{ exports, uploads, media *objects.Objects }

// assemble builds the domains from the lowest to the highest.
func assemble(d *db.DB, b buckets, engine *opensearch.Client, o Options) *Store {
	cacheTTL := cmp.Or(o.CacheTTL, 2*time.Second)
	every := cmp.Or(o.WriteEvery, time.Second)
	cacheBytes := cmp.Or(o.CacheBytes, model.CacheBytes)
	var heard *digests.Reader
	if o.ChangeDigests == model.DigestsHeard || o.ChangeDigests == model.DigestsWritten {
		heard = digests.NewReader(d)
	}
	written := digests.NewWriter(d, o.ChangeDigests, every)
	accessOptions := access.Options{CacheTTL: cacheTTL, TweetBytes: TweetBytes(cacheBytes), ProfileBytes: cacheBytes / 16,
		ListedBytes: cacheBytes / 16, MemberBytes: cacheBytes / 16, Patience: cmp.Or(o.Patience, readcache.Patience),
		Log: o.Log, Digests: heard}
	previewOptions := profiles.Options{CacheTTL: cacheTTL, CacheBytes: cacheBytes, Every: every,
		PerBucket:       cmp.Or(o.PreviewsPerBucket, model.PreviewsPerBucket),
		SharesPerBucket: cmp.Or(o.SharesPerBucket, model.SharesPerBucket), Digests: written}
	timelineOptions := timelines.Options{CacheTTL: cacheTTL, CacheBytes: cacheBytes, Patience: accessOptions.Patience,
		Log: o.Log, Digests: heard}
	h := contention.New(o.Now)
	h.Slow = cmp.Or(o.SlowCommit, h.Slow)
	months := viewerstate.New(d, cmp.Or(o.ReactionsPerMonth, model.ReactionsPerMonth))
	a := access.New(d, months, accessOptions)
	s := &Store{db: d, Objects: b.exports, buckets: b}
	told := hooks.New(d, o.Log)
	s.Users = users.New(d, a, told)
	s.Fields = users.NewVerifier(s.Users, o.VerifyLink)
	readers := viewers.New(d, cmp.Or(o.MaxViewerEntries, model.MaxViewerEntries))
	s.Viewers = viewers.NewWriter(readers, every)
	s.FollowerLists = followerlists.NewWriter(d, cmp.Or(o.ListedFollowers, model.ListedFollowers), every)
	s.Graph = graph.New(d, a, readers, graph.Limits{Follows: cmp.Or(o.MaxFollows, model.MaxFollows),
		Followers: cmp.Or(o.MaxFollowers, model.MaxFollowers)})
	s.Requests = graph.NewRequests(d, a, s.Graph)
	s.Lists = graph.NewLists(d, a, readers)
	s.Tweets = tweets.New(d, a, tweets.Options{CacheTTL: cacheTTL, PublicBytes: cacheBytes / 16, Log: o.Log,
		Digests: written, Local: o.LocalHandle})
	s.Media = media.NewWriter(media.New(d, a, media.Options{Uploads: b.uploads, Files: b.media, URL: o.MediaURL,
		Key: o.MediaKey}))
	s.Links = links.NewWriter(links.New(d, cacheBytes/32), o.FetchLink)
	s.Federation = federation.New(d, cacheBytes/64, o.Federation)
	s.Edits = tweets.NewEdits(d, s.Tweets, tweets.EditLimits{Most: cmp.Or(o.MaxEdits, model.MaxRevisions),
		Within: o.EditWithin})
	o.Gists.Log = o.Log
	s.Gists = tweets.NewGists(d, s.Tweets, o.Gists)
	s.Threads = tweets.NewThreads(d, s.Tweets)
	s.Drafts = tweets.NewDrafts(d, s.Tweets)
	s.HeldReplies = tweets.NewHeldReplies(d, s.Tweets)
	s.Mentions = tweets.NewMentions(d, a)
	s.Pins = tweets.NewPins(d, a)
	s.Polls = tweets.NewPolls(d, a)
	s.Previews = profiles.NewWriter(d, previewOptions)
	s.Reactions = reactions.New(d, a, months)
	s.Shares = reactions.NewShares(d, a, s.Reactions, s.Previews.Reader, readers)
	s.Bookmarks = reactions.NewBookmarks(d, a, s.Reactions)
	s.Counters = counters.New(d, s.Reactions, h, written, every, o.Log)
	s.Timelines = timelines.NewWriter(d, a, s.Previews, readers, timelineOptions)
	s.Devices = notifications.NewDevices(d, a, notifications.DeviceOptions{Send: o.SendToDevice, Log: o.Log})
	s.NotificationEvents = notifications.NewWriter(d, h, cmp.Or(o.FlushAfter, time.Second), o.TimeZone, s.Devices)
	s.NotificationEvents.Silenced = s.silenced
	s.Previews.Subscribers = profiles.Subscribers{Notify: s.NotificationEvents.NotifyPost,
		Withdraw: s.NotificationEvents.WithdrawPost}
	if o.NotificationBytes > 0 {
		s.NotificationEvents.Limits = notificationlists.Limits{Newest: o.NotificationBytes, Day: o.NotificationBytes}
	}
	s.Settings = notifications.NewSettings(d, a)
	s.Messages = messages.NewWriter(messages.New(d, a, readers), s.Devices, o.Log)
	s.Tags = discovery.NewTags(d, a, every)
	s.Search = discovery.NewSearchWriter(discovery.NewSearch(d, a, s.Users, engine))
	s.Totals = discovery.NewTotalsWriter(discovery.NewTotals(d, every), every)
	s.Trends = discovery.NewTrendsWriter(discovery.NewTrendsReader(d, a, every), discovery.TrendsOptions{
		Every: cmp.Or(o.TrendsEvery, 15*time.Second), Log: o.Log})
	s.Directory = discovery.NewDirectory(d, a, every)
	s.Suggestions = discovery.NewSuggestionsWriter(discovery.NewSuggestions(d, a, s.Graph, readers, s.Directory, s.Tags,
		every), cmp.Or(o.SuggestionReads, model.SuggestionReads), every)
	s.Shop = shop.New(d, a)
	s.Orders = shop.NewOrdersWriter(shop.NewOrders(d, a, cmp.Or(o.MaxOpenOrders, model.MaxOpenOrders)), every)
	s.Moderation = moderation.New(d, a, s.Users, s.Tweets, s.Messages.Store, told, moderation.Options{
		Patience: cmp.Or(o.AccountStatus, o.Patience), Log: o.Log, Send: o.SendWebhook, Loopback: o.LoopbackWebhooks,
		ForgetDomains: s.Federation.ForgetDomains})
	s.Agents = agents.New(d, agents.Stores{Users: s.Users, Graph: s.Graph, Tweets: s.Tweets, Reactions: s.Reactions,
		Timelines: s.Timelines.Reader, Moderation: s.Moderation}, o.Decider, o.Log)
	s.Exports = erasure.NewExporter(d, erasure.ExportOptions{Objects: b.exports, Media: b.media,
		PartBytes: o.ExportPartBytes, PageSize: o.ExportPageSize})
	s.AccountDeletions = erasure.NewWriter(d, erasure.Options{
		Exports: erasure.Files{Reachable: b.exports != nil, List: s.Exports.Files, Remove: s.Exports.Remove}, Log: o.Log,
		Pause: cmp.Or(o.LeavePause, 5*time.Second), After: cmp.Or(o.LeaveAfter, model.DedupeWindow+time.Hour),
		DeleteAccount: o.DeleteAccount,
	})
	s.DeadLetters = ops.NewDeadLetters(d)
	s.Budgets = ops.NewBudgets(d)
	s.Jobs = ops.NewJobs(d)
	s.OAuth = oauth.New(d, s.Devices.RemoveIn, o.Log)
	s.Audit = verify.New(d, a, readers, s.FollowerLists, s.Reactions, s.Counters, s.Previews, s.Timelines,
		s.NotificationEvents, s.Search, s.AccountDeletions, s.Orders, s.Media, s.Messages, o.TimeZone)
	s.Migrations = ops.NewMigrator(d, o.Log, layoutMigrations(s, readers)...)
	return s
}

// OpenConfigured connects to the database that a service's configuration names. Failures that no caller receives go to
// log. more sets the options that no environment variable has.
func OpenConfigured(ctx context.Context, cfg config.Service, log *slog.Logger, more ...func(*Options)) (_ *Store,
	err error) {
	defer errs.Wrap(&err, "store.OpenConfigured")
	zone, err := time.LoadLocation(cfg.TimeZone)
	if err != nil {
		return nil, err
	}
	o := Options{
		Emulator: cfg.FirestoreEmulator, TimeZone: zone, Log: log,
		NotificationWindow: time.Duration(cfg.NotificationDays) * 24 * time.Hour,
		WriteEvery:         cfg.WriteEvery, FlushAfter: cfg.FlushAfter, StaleAfter: cfg.StaleAfter,
		SharesPerBucket: cfg.SharesPerBucket, PreviewsPerBucket: cfg.PreviewsPerBucket,
		MaxFollows: cfg.MaxFollows, MaxFollowers: cfg.MaxFollowers,
		CacheBytes: cfg.CacheBytes, MaxEdits: cfg.EditLimit, MaxOpenOrders: cfg.OpenOrders, EditWithin: cfg.EditWithin,
		ChangeDigests: cfg.ChangeDigests, SuggestionReads: cfg.SuggestionReads,
		UploadsBucket: cfg.UploadsBucket, MediaBucket: cfg.MediaBucket,
		ExportBucket: cfg.ExportBucket, ExportLinks: cfg.ExportLinks(),
		Search: cfg.SearchEngine(), LoopbackWebhooks: cfg.AllowLoopbackLinks,
	}
	for _, set := range more {
		set(&o)
	}
	return Open(ctx, cfg.Project, cfg.Database, o)
}

// Close writes the uses of trends that are in memory, and frees the connection. It takes 2 s at most.
func (s *Store) Close() error {
	s.Trends.Close()
	err := errors.Join(s.Listen.Close(), s.db.Client.Close())
	for _, files := range []*objects.Objects{s.buckets.exports, s.buckets.uploads, s.buckets.media} {
		if files != nil {
			err = errors.Join(err, files.Close())
		}
	}
	return err
}

// silenced reports whether the server of a user of another server is silenced.
//
// Cost: nothing if none is; else 1 read if the profile is not cached. That of [federation.Store.Domain].
func (s *Store) silenced(ctx context.Context, uid model.UserID) (bool, error) {
	if some, err := s.Federation.Silences(ctx); err != nil || !some {
		return false, err
	}
	found, err := s.Users.Users(ctx, []model.UserID{uid})
	if err != nil || found[uid] == nil || found[uid].Remote == nil {
		return false, err
	}
	rule, err := s.Federation.Domain(ctx, model.HostOf(found[uid].Remote.IRI))
	return rule.Silenced(), err
}

// Now is the time by the clock of the store.
func (s *Store) Now() time.Time { return s.db.Now() }

// Ping fails if the database cannot be reached. Ping reads one document, which need not
// exist.
//
// Cost: 1 read.
func (s *Store) Ping(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "store.Ping")
	_, err = s.db.Get(ctx, s.db.Doc(model.Usernames, "me"), nil)
	return err
}
