// Package audit recomputes derived documents from the facts, tells what differs, and
// mends it while everything else goes on.
//
// What is read of one user, tweet or tag is read at one moment in the history of the
// database, so facts and derived documents that were committed together never seem to
// differ. But triggers follow the facts some time after, at most as long as an event can
// be late. So a difference counts only if two snapshots agree on it that lie further
// apart than that. For a count they must also find a document, and shards, that nobody
// wrote in between. Then every event from before the first snapshot has had its effect
// without moving the count, or was lost: the difference is one of the past, and moving
// the count by it is right whatever is on its way.
package audit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/cards"
	"github.com/hibana-sns/hibana/store/counters"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/notices"
	"github.com/hibana-sns/hibana/store/timelines"
)

// Auditor verifies and repairs. Its methods may be called concurrently. Their errors are
// those of package errs.
type Auditor struct {
	db        *db.DB
	facts     *facts.Store
	counters  *counters.Store
	cards     *cards.Writer
	timelines *timelines.Writer
	notices   *notices.Writer
	zone      *time.Location
}

// New returns an auditor of a database. The zone decides on which day a notice is.
func New(d *db.DB, f *facts.Store, cn *counters.Store, cd *cards.Writer, t *timelines.Writer, n *notices.Writer, zone *time.Location) *Auditor {
	return &Auditor{d, f, cn, cd, t, n, zone}
}

// Options of a verification. The zero value takes one snapshot and reports all that
// differs at that moment, also what only waits for its trigger.
type Options struct {
	// Settle is how long after the first snapshot the second is taken: longer than an
	// event can be late. If 0, there is no second.
	Settle time.Duration

	// Wait, if not nil, takes the place of waiting for Settle: it returns when every event
	// from before it was called has had its effect.
	Wait func(context.Context) error

	// Rounds is how many snapshots follow the first, of what keeps changing, each Settle
	// after the one before; 1 if 0.
	Rounds int

	// Repair mends what two snapshots agree on. It needs Settle, Wait or Against.
	Repair bool

	// Against is what an earlier verification with the zero Options found. It takes the
	// place of the first snapshot if it is not nil, and there is no wait.
	Against []Difference

	// OnUnsettled, if not nil, hears of differences on which no two snapshots agreed,
	// because their documents keep changing.
	OnUnsettled func(Difference)

	// Progress, if not nil, is called now and then, one call at a time, with how many
	// parts of the first snapshot are done of how many that are known so far.
	Progress func(done, total int)
}

// Difference is a place where a derived document is not as the facts say.
type Difference struct {
	Kind     string `json:"kind"`              // the collection, such as "users"
	Document string `json:"document"`          // its path
	Field    string `json:"field"`             // a field path; empty for the whole document
	Have     any    `json:"have"`              // null for what is not there
	Want     any    `json:"want"`              // null for what should not be there
	Version  string `json:"version,omitempty"` // of the document of a count, when the difference was found
	Repaired bool   `json:"repaired"`

	unit  *unit
	count *count
	fix   *fix
}

// count is how a count is mended: together with all others of its document.
type count struct {
	updated time.Time
	by      int64
	pending map[string]int64
}

// fix is how anything else is mended: something that several differences may share.
type fix struct {
	name string
	do   func(context.Context) error
}

// unit is what is read, and found right or wrong, at one moment.
type unit struct {
	read func(context.Context) ([]Difference, error)
}

func (d *Difference) key() string { return d.Document + "#" + d.Field }

// same tells whether two snapshots agree.
func (d *Difference) same(o *Difference) bool {
	return d.Version == o.Version && text(d.Have) == text(o.Have) && text(d.Want) == text(o.Want)
}

// text is a value as JSON, in which what was read from JSON and what was not are equal.
func text(v any) string {
	t, err := json.Marshal(v)
	if err != nil {
		panic(err) // values are plain
	}
	return string(t)
}

// add notes a difference.
func add(ds *[]Difference, kind, document, field string, have, want any, f *fix) {
	*ds = append(*ds, Difference{Kind: kind, Document: document, Field: field, Have: have, Want: want, fix: f})
}

// All verifies every derived document. It needs memory for the names of all users and
// tags, and for everything about a few users at a time.
func (a *Auditor) All(ctx context.Context, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "audit.All")
	v := &verifier{Options: o, Auditor: a, tags: map[string]bool{}, windows: newWindows()}
	return v.run(ctx, v.everything)
}

// User verifies what is derived for one user: counts, names, tweets, buckets, followers,
// reactions, notifications, and the home timeline.
func (a *Auditor) User(ctx context.Context, uid model.UserID, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "audit.User(%q)", uid)
	v := &verifier{Options: o, Auditor: a}
	return v.run(ctx, v.only(v.user(uid), v.timeline(uid)))
}

// Tweet verifies the counts, the author copy and the card of one tweet. Of one that is
// gone no like must be left.
func (a *Auditor) Tweet(ctx context.Context, id model.TweetID, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "audit.Tweet(%q)", id)
	v := &verifier{Options: o, Auditor: a}
	return v.run(ctx, v.only(v.tweet(id)))
}

// Tag verifies the count of one tag.
func (a *Auditor) Tag(ctx context.Context, name string, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "audit.Tag(%q)", name)
	v := &verifier{Options: o, Auditor: a}
	return v.run(ctx, v.only(v.tag(name)))
}

// Timeline verifies the home timeline of one user.
func (a *Auditor) Timeline(ctx context.Context, uid model.UserID, o Options) (_ []Difference, err error) {
	defer errs.Wrap(&err, "audit.Timeline(%q)", uid)
	v := &verifier{Options: o, Auditor: a}
	return v.run(ctx, v.only(v.timeline(uid)))
}
