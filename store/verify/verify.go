// Package verify recomputes projections from the sources of truth, reports differences, and repairs them while the
// service runs.
//
// A verification reads the documents of one user, tweet or tag at one moment in the history of the database. So sources
// of truth and projections that were committed together never seem to differ. Only a home timeline, which follows from
// the tweets of many authors, is read before its sources of truth.
//
// But triggers run some time after a write, at most as late as an event can be. So a difference counts only if two
// snapshots agree on it, and are further apart than an event can be late. For a count both snapshots must also find a
// document, and shards, that no process wrote in between. Then every event from before the first snapshot has had its
// effect without changing the count, or was lost. So the difference is old, and adding it to the count is right
// whatever events are on their way.
package verify

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/erasure"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/followerlists"
	"github.com/hibana-sns/hibana/store/internal/viewers"
	"github.com/hibana-sns/hibana/store/media"
	"github.com/hibana-sns/hibana/store/messages"
	"github.com/hibana-sns/hibana/store/notifications"
	"github.com/hibana-sns/hibana/store/profiles"
	"github.com/hibana-sns/hibana/store/reactions"
	"github.com/hibana-sns/hibana/store/shop"
	"github.com/hibana-sns/hibana/store/timelines"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// Auditor verifies and repairs projections. Its methods may be called concurrently.
// Their errors are errors of package errs.
type Auditor struct {
	db                 *db.DB
	read               *snapshot.Reader
	access             *access.Store
	viewers            *viewers.Store
	followerLists      *followerlists.Writer
	reactions          *reactions.Store
	counters           *counters.Store
	previews           *profiles.Writer
	timelines          *timelines.Writer
	notificationEvents *notifications.Writer
	search             *discovery.SearchWriter
	accountDeletions   *erasure.Writer
	orders             *shop.OrdersWriter
	media              *media.Writer
	messages           *messages.Writer
	zone               *time.Location
}

// New returns an auditor of a database. The zone decides the day of a notification event.
func New(d *db.DB, ac *access.Store, vs *viewers.Store, f *followerlists.Writer, r *reactions.Store,
	cn *counters.Store, cd *profiles.Writer, t *timelines.Writer, n *notifications.Writer, s *discovery.SearchWriter,
	l *erasure.Writer, o *shop.OrdersWriter, m *media.Writer, ms *messages.Writer,
	zone *time.Location) *Auditor {
	return &Auditor{d, snapshot.New(d), ac, vs, f, r, cn, cd, t, n, s, l, o, m, ms, zone}
}

// Options configure a verification. The zero value takes one snapshot and reports all differences at that moment. They
// include documents that only wait for their triggers.
type Options struct {
	// Reconcile is the time between the first snapshot and the second: longer than an event can be late. If 0, there is
	// no second snapshot.
	Reconcile time.Duration

	// Wait, if not nil, replaces the wait of Reconcile. Wait returns when every event from before the call has had its
	// effect.
	Wait func(context.Context) error

	// Rounds is how many snapshots follow the first, each Reconcile after the snapshot before; 1 if 0. From the third on,
	// a snapshot reads only the documents that keep changing.
	Rounds int

	// Repair repairs the differences on which two snapshots agree. Repair needs Reconcile, Wait or Against.
	Repair bool

	// Against has the differences of an earlier verification with the zero Options. If not nil, it replaces the first
	// snapshot, and the verification does not wait.
	Against []Difference

	// Pause is how long the verification waits after a failure of the database before it tries again; 1 s if 0. The pause
	// doubles each time.
	Pause time.Duration

	// OnUnsettled, if not nil, is called with each difference on which no two snapshots
	// agreed, because its document keeps changing.
	OnUnsettled func(Difference)

	// Progress, if not nil, is called now and then, one call at a time. done is how many
	// parts of the first snapshot are done, total is how many parts are known so far.
	Progress func(done, total int)
}

// Difference is a place where a projection differs from the sources of truth.
type Difference struct {
	Kind     string `json:"kind"`              // the collection, such as "users"; for shards "shards"
	Document string `json:"document"`          // its path
	Field    string `json:"field"`             // a field path; empty for the whole document
	Have     any    `json:"have"`              // what is there; null for nothing
	Want     any    `json:"want"`              // what should be there; null for nothing
	Version  string `json:"version,omitempty"` // for a count: of its document and shards, when the difference was found
	Repaired bool   `json:"repaired"`

	unit  *unit
	count *count
	fix   *fix
}

// count is the repair of a count: one write has it with all other counts of its document.
type count struct {
	updated time.Time
	by      int64
	pending map[string]int64
}

// fix is the repair of any other difference. Several differences may share a fix, by its name.
type fix struct {
	name string
	do   func(context.Context) error
}

// unit is a part of a snapshot: it reads one user, home timeline, tweet or tag, and lists the differences.
type unit struct {
	read func(context.Context) ([]Difference, error)
}

// key names the place of a difference.
func (d *Difference) key() string { return d.Document + "#" + d.Field }

// same reports whether two snapshots agree on a difference.
func (d *Difference) same(o *Difference) bool {
	return d.Version == o.Version && text(d.Have) == text(o.Have) && text(d.Want) == text(o.Want)
}

// text is a value as JSON. So a value that came back from JSON equals the value that was
// written.
func text(v any) string {
	t, err := json.Marshal(v)
	if err != nil {
		panic(err) // values of differences are plain
	}
	return string(t)
}

// add appends a difference.
func add(ds *[]Difference, kind, document, field string, have, want any, f *fix) {
	*ds = append(*ds, Difference{Kind: kind, Document: document, Field: field, Have: have, Want: want, fix: f})
}

// All verifies every projection. All needs memory for the names of all users and tags, and for all documents of a few
// users, 300 records of uploads, or 20 parts of conversations, at a time.
//
// Cost: at least 1 read for each document of the database.
func (a *Auditor) All(ctx context.Context, o Options) (_ []Difference, err error) {
	found, _, err := a.Part(ctx, "", 0, o)
	return found, err
}

// Part is [Auditor.All] for the n users that come after a user, in the order of their ids; 0 is all. It returns the
// last of them, after whom the next part begins, and the empty id at the end. Only the part with the last user verifies
// tags that have a document, and shards of deleted documents.
//
// That part also verifies the first n records of uploads, with the files beside them. If there are more, Part returns a
// position among them, as media/ID, and the next parts have n records each. The part with the last record also verifies
// the words of the first n parts of conversations, and goes on likewise, from messageTerms/ID.
//
// Cost: 1 read a user of the database, and what All costs for the users of the part. Of a part of uploads 1 read a
// record, and 1 read for each tweet, part of a conversation and profile that uses some; a list of the bucket for each
// 300 records or 1,000 files. Of a part of words 1 read a part of a conversation, and 1 for its words.
func (a *Auditor) Part(ctx context.Context, after model.UserID, n int, o Options) (_ []Difference, next model.UserID,
	err error) {
	defer errs.Wrap(&err, "verify.Part(%q, %d)", after, n)
	v := &verifier{Options: o, Auditor: a, tags: map[string]bool{}, windows: newWindows()}
	found, err := v.run(ctx, func(ctx context.Context) (ds []Difference, err error) {
		ds, next, err = v.part(ctx, after, n)
		return ds, err
	})
	return found, next, err
}

// User verifies the projections of one user: counts, tag usages, usernames, tweets, search documents, months and head,
// the reader's graph, the list of followers, reactions, notifications, polls, and the home timeline. Of a deleted
// account nothing must be left.
//
// Cost: 1 read a source document and projection of the user, and the cost of [Auditor.Timeline].
func (a *Auditor) User(ctx context.Context, uid model.UserID, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "verify.User(%q)", uid)
	v := &verifier{Options: o, Auditor: a}
	return v.run(ctx, func(ctx context.Context) ([]Difference, error) {
		ds, err := v.snapshot(ctx, []*unit{v.user(uid), v.polls("authorId", uid), v.left(uid)})
		if err != nil {
			return nil, err
		}
		home, err := v.home(ctx, []model.UserID{uid}, ds)
		return append(ds, home...), err
	})
}

// Tweet verifies the counts, the embedded author, the preview, the search document and the poll of one tweet, and the
// fields that follow from its text. A deleted tweet must have no likes, votes and revisions left.
//
// Cost: 8 reads, 1 read for each vote but the first and for each poll and its shards, and 1 read a shard, like, share.
func (a *Auditor) Tweet(ctx context.Context, id model.TweetID, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "verify.Tweet(%q)", id)
	v := &verifier{Options: o, Auditor: a}
	return v.run(ctx, v.only(v.tweet(id), v.polls("tweetId", id)))
}

// Tag verifies the count of one tag.
//
// Cost: 2 reads, and 1 read a shard and a tweet with the tag; each kind at least 1.
func (a *Auditor) Tag(ctx context.Context, name string, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "verify.Tag(%q)", name)
	v := &verifier{Options: o, Auditor: a}
	return v.run(ctx, v.only(v.tag(name)))
}

// Timeline verifies the home timeline of one user.
//
// Cost: the cost of [timelines.Reader.Shown], and 1 read a tweet and a share of the window of each author whom the user
// follows.
func (a *Auditor) Timeline(ctx context.Context, uid model.UserID, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "verify.Timeline(%q)", uid)
	v := &verifier{Options: o, Auditor: a}
	return v.run(ctx, v.only(v.timeline(uid)))
}
