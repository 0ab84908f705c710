// Package verify recomputes derived documents from the facts, tells what differs, and
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
package verify

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

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

// All verifies every derived document. It needs memory for the names of all users and
// tags, and for everything about a few users at a time.
func All(ctx context.Context, s *store.Store, o Options) ([]Difference, error) {
	v := &verifier{Options: o, store: s, tags: map[string]bool{}, windows: newWindows()}
	return v.run(ctx, v.everything)
}

// User verifies what is derived for one user: counts, names, tweets, buckets, followers,
// reactions, notifications, and the home timeline.
func User(ctx context.Context, s *store.Store, uid model.UserID, o Options) ([]Difference, error) {
	v := &verifier{Options: o, store: s}
	return v.run(ctx, v.only(v.user(uid), v.timeline(uid)))
}

// Tweet verifies the counts, the author copy and the card of one tweet. Of one that is
// gone no like must be left.
func Tweet(ctx context.Context, s *store.Store, id model.TweetID, o Options) ([]Difference, error) {
	v := &verifier{Options: o, store: s}
	return v.run(ctx, v.only(v.tweet(id)))
}

// Tag verifies the count of one tag.
func Tag(ctx context.Context, s *store.Store, name string, o Options) ([]Difference, error) {
	v := &verifier{Options: o, store: s}
	return v.run(ctx, v.only(v.tag(name)))
}

// Timeline verifies the home timeline of one user.
func Timeline(ctx context.Context, s *store.Store, uid model.UserID, o Options) ([]Difference, error) {
	v := &verifier{Options: o, store: s}
	return v.run(ctx, v.only(v.timeline(uid)))
}

type verifier struct {
	Options
	store   *store.Store
	windows *windows // nil: authors are read each time

	mu          sync.Mutex
	tags        map[string]bool // those that tweets have; nil if nobody wants to know
	done, total int
}

func (v *verifier) only(units ...*unit) func(context.Context) ([]Difference, error) {
	return func(ctx context.Context) ([]Difference, error) { return v.snapshot(ctx, units) }
}

// everything is the first snapshot of [All].
func (v *verifier) everything(ctx context.Context) ([]Difference, error) {
	var owners []model.UserID
	for uid, err := range v.store.Owners(ctx) {
		if err != nil {
			return nil, err
		}
		if _, err := model.ParseUserID(string(uid)); err == nil {
			owners = append(owners, uid)
		}
	}
	slices.Sort(owners)
	var units []*unit
	for _, uid := range slices.Compact(owners) {
		units = append(units, v.user(uid), v.timeline(uid))
	}
	all, err := v.snapshot(ctx, units)
	if err != nil {
		return nil, err
	}
	for name, err := range v.store.TagNames(ctx) {
		if err != nil {
			return nil, err
		}
		v.tags[name] = true
	}
	units = nil
	for name := range v.tags {
		units = append(units, v.tag(name))
	}
	for at, err := range v.store.StrayShards(ctx) {
		if err != nil {
			return nil, err
		}
		units = append(units, v.strayShards(at[0], at[1]))
	}
	more, err := v.snapshot(ctx, units)
	return append(all, more...), err
}

// atOnce is how many units are read side by side.
const atOnce = 4

// snapshot reads units and lists what differs, in their order.
func (v *verifier) snapshot(ctx context.Context, units []*unit) ([]Difference, error) {
	found := make([][]Difference, len(units))
	v.progress(0, len(units))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i, u := range units {
		g.Go(func() (err error) {
			found[i], err = u.read(ctx)
			for j := range found[i] {
				found[i][j].unit = u
			}
			v.progress(1, 0)
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(found...), err
}

func (v *verifier) progress(done, total int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done += done
	v.total += total
	if v.Progress != nil {
		v.Progress(v.done, v.total)
	}
}

// run takes the first snapshot and then as many more as are asked for.
func (v *verifier) run(ctx context.Context, first func(context.Context) ([]Difference, error)) ([]Difference, error) {
	if v.Wait == nil && v.Settle > 0 {
		v.Wait = v.settle
	}
	if v.Repair && v.Wait == nil && v.Against == nil {
		return nil, errs.New(errs.Invalid, "", "repair needs two snapshots: a settle time, or an earlier verification")
	}
	found, err := first(ctx)
	if err != nil {
		return nil, err
	}
	v.windows, v.tags, v.Progress = nil, nil, nil // what follows concerns little
	settled := found
	if v.Against != nil {
		settled, found = agree(v.Against, found)
		if settled, err = v.repair(ctx, settled, &found); err != nil {
			return nil, err
		}
	} else if v.Wait != nil {
		settled = nil
	}
	for round := 0; v.Wait != nil && len(found) > 0 && round < max(v.Rounds, 1); round++ {
		if err := v.Wait(ctx); err != nil {
			return nil, err
		}
		again, err := v.snapshot(ctx, unitsOf(found))
		if err != nil {
			return nil, err
		}
		var both []Difference
		both, found = agree(found, again)
		if both, err = v.repair(ctx, both, &found); err != nil {
			return nil, err
		}
		settled = append(settled, both...)
	}
	if v.OnUnsettled != nil && (v.Wait != nil || v.Against != nil) {
		for _, d := range found {
			v.OnUnsettled(d)
		}
	}
	return settled, nil
}

func (v *verifier) settle(ctx context.Context) error {
	select {
	case <-time.After(v.Settle):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func unitsOf(found []Difference) (units []*unit) {
	seen := map[*unit]bool{}
	for _, d := range found {
		if !seen[d.unit] {
			seen[d.unit] = true
			units = append(units, d.unit)
		}
	}
	return units
}

// agree splits what a later snapshot found into the differences that the earlier found
// as well, and those that it found otherwise. What came up in between is neither: most
// likely its event is on its way.
func agree(earlier, later []Difference) (both, otherwise []Difference) {
	was := map[string]*Difference{}
	for i := range earlier {
		was[earlier[i].key()] = &earlier[i]
	}
	for _, d := range later {
		switch before := was[d.key()]; {
		case before == nil:
		case before.same(&d):
			both = append(both, d)
		default:
			otherwise = append(otherwise, d)
		}
	}
	return both, otherwise
}

// order is in which kinds are mended: what comes later may be made from what comes before.
var order = []string{model.TweetMonths, model.UserRecents, model.Usernames, model.EventLogs, model.Notifications, model.FollowerPages, model.Timelines}

// repair mends what is settled, if that is asked for, and gives it back. A count whose
// document was written meanwhile goes to unsettled instead.
func (v *verifier) repair(ctx context.Context, settled []Difference, unsettled *[]Difference) ([]Difference, error) {
	if !v.Repair {
		return settled, nil
	}
	counts := map[string]int{} // document → one of its differences
	by := map[string]map[string]int64{}
	for i, d := range settled {
		if d.count != nil {
			counts[d.Document] = i
			if by[d.Document] == nil {
				by[d.Document] = map[string]int64{}
			}
			by[d.Document][d.Field] = d.count.by
		}
	}
	corrected := map[string]bool{}
	for document, i := range counts {
		c := settled[i].count
		done, err := v.store.CorrectCounts(ctx, document, c.updated, by[document], c.pending)
		if err != nil {
			return nil, err
		}
		corrected[document] = done
	}
	var kept []Difference
	for _, d := range settled {
		if d.count != nil && !corrected[d.Document] {
			*unsettled = append(*unsettled, d)
			continue
		}
		d.Repaired = d.count != nil
		kept = append(kept, d)
	}
	slices.SortStableFunc(kept, func(a, b Difference) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	fixed := map[string]bool{}
	for from := 0; from < len(kept); {
		to := from
		for to < len(kept) && kept[to].Kind == kept[from].Kind {
			to++
		}
		if err := mend(ctx, kept[from:to], fixed); err != nil {
			return nil, err
		}
		from = to
	}
	for i, d := range kept {
		if d.fix != nil {
			kept[i].Repaired = fixed[d.fix.name]
		}
	}
	return kept, nil
}

// mend does what mends differences of one kind, side by side, since changes of one document
// are committed together. Fixed are those that were tried, by name, and whether they
// succeeded: a conflict needs a person.
func mend(ctx context.Context, ds []Difference, fixed map[string]bool) error {
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sideBySide)
	for _, d := range ds {
		if d.fix == nil {
			continue
		}
		mu.Lock()
		_, tried := fixed[d.fix.name]
		if !tried {
			fixed[d.fix.name] = false
		}
		mu.Unlock()
		if tried {
			continue
		}
		g.Go(func() error {
			err := d.fix.do(ctx)
			var e *errs.Error
			if errors.As(err, &e) && e.Kind == errs.Conflict {
				return nil
			}
			mu.Lock()
			fixed[d.fix.name] = err == nil
			mu.Unlock()
			return err
		})
	}
	return g.Wait()
}

// sideBySide is how many differences are mended at once.
const sideBySide = 32

// add notes a difference.
func add(ds *[]Difference, kind, document, field string, have, want any, f *fix) {
	*ds = append(*ds, Difference{Kind: kind, Document: document, Field: field, Have: have, Want: want, fix: f})
}

// at is the path of a document.
func at(parts ...string) string { return strings.Join(parts, "/") }
