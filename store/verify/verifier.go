package verify

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// verifier is one verification.
type verifier struct {
	Options
	*Auditor
	doubts  doubts
	windows windows // cached windows of authors; if nil, each window is read each time

	mu          sync.Mutex
	tags        map[string]bool // the tags of all tweets, for All; if nil, no tags are recorded
	done, total int
}

// only is a first snapshot of some units.
func (v *verifier) only(units ...*unit) func(context.Context) ([]Difference, error) {
	return func(ctx context.Context) ([]Difference, error) { return v.snapshot(ctx, units) }
}

// part is the first snapshot of [Auditor.Part].
func (v *verifier) part(ctx context.Context, after model.UserID, n int) (_ []Difference, next model.UserID, err error) {
	if id, ok := strings.CutPrefix(string(after), mediaPlace); ok {
		all, next, err := v.uploads(ctx, model.MediaID(id), n)
		if err == nil && next == "" {
			return v.first(ctx, all, n)
		}
		return all, next, err
	}
	if key, ok := strings.CutPrefix(string(after), wordsPlace); ok {
		return v.words(ctx, key, n)
	}
	var owners []model.UserID
	err = v.again(ctx, func() error {
		owners = nil
		for uid, err := range v.read.Owners(ctx) {
			if err != nil {
				return err
			}
			if _, err := model.ParseUserID(string(uid)); err == nil && uid > after {
				owners = append(owners, uid)
			}
		}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	slices.Sort(owners)
	owners = slices.Compact(owners)
	if n > 0 && len(owners) > n {
		owners, next = owners[:n], owners[n-1]
	}
	var units []*unit
	for _, uid := range owners {
		units = append(units, v.user(uid), v.polls("authorId", uid))
	}
	all, err := v.snapshot(ctx, units)
	if err != nil {
		return nil, "", err
	}
	homes, err := v.home(ctx, owners, all)
	if err != nil {
		return nil, "", err
	}
	all = append(all, homes...)
	err = v.again(ctx, func() (err error) {
		units, err = v.rest(ctx, next == "")
		return err
	})
	if err != nil {
		return nil, "", err
	}
	more, err := v.snapshot(ctx, units)
	if all = append(all, more...); err != nil || next != "" {
		return all, next, err
	}
	more, next, err = v.uploads(ctx, "", n)
	if all = append(all, more...); err != nil || next != "" {
		return all, next, err
	}
	return v.first(ctx, all, n)
}

// first adds the first words of messages to the differences of the last part with uploads.
func (v *verifier) first(ctx context.Context, all []Difference, n int) (_ []Difference, next model.UserID, err error) {
	words, next, err := v.words(ctx, "", n)
	return append(all, words...), next, err
}

// rest lists the units of a part that belong to no existing user. Each tag costs a read for each of its tweets. So a
// part that is not the last has only the tags without a document: no other part may find them.
func (v *verifier) rest(ctx context.Context, last bool) (units []*unit, err error) {
	for name := range v.tags {
		if !last {
			if found, err := v.db.Get(ctx, v.db.Tag(name), nil); err != nil {
				return nil, err
			} else if found {
				continue
			}
		}
		units = append(units, v.tag(name))
	}
	if !last {
		return units, nil
	}
	units = append(units, v.stock())
	for uid, err := range v.read.Leavers(ctx) {
		if err != nil {
			return nil, err
		}
		units = append(units, v.left(uid))
	}
	for name, err := range v.read.TagNames(ctx) {
		if err != nil {
			return nil, err
		}
		if !v.tags[name] {
			units = append(units, v.tag(name))
		}
	}
	for at, err := range v.read.OrphanedShards(ctx) {
		if err != nil {
			return nil, err
		}
		units = append(units, v.strayShards(at[0], at[1]))
	}
	return units, nil
}

// atOnce is how many units are read concurrently.
const atOnce = 4

// snapshot reads units and lists the differences, in the order of the units.
func (v *verifier) snapshot(ctx context.Context, units []*unit) ([]Difference, error) {
	found := make([][]Difference, len(units))
	v.progress(0, len(units))
	g, ctx := safely.WithContext(ctx)
	g.SetLimit(atOnce)
	for i, u := range units {
		g.Go(func() error {
			err := v.again(ctx, func() (err error) {
				found[i], err = u.read(ctx)
				return err
			})
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

// progress counts finished parts, and newly found ones.
func (v *verifier) progress(done, total int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.done += done
	v.total += total
	if v.Progress != nil {
		v.Progress(v.done, v.total)
	}
}

// run takes the first snapshot, and as many more as the options say.
func (v *verifier) run(ctx context.Context, first func(context.Context) ([]Difference, error)) ([]Difference, error) {
	if v.Wait == nil && v.Reconcile > 0 {
		v.Wait = func(ctx context.Context) error { return db.Pause(ctx, v.Reconcile) }
	}
	if v.Repair && v.Wait == nil && v.Against == nil {
		return nil, errs.New(errs.Invalid, "", "repair needs two snapshots: a settle time, or an earlier verification")
	}
	found, err := first(ctx)
	if err != nil {
		return nil, err
	}
	v.windows, v.tags, v.Progress = nil, nil, nil // later snapshots read few units
	reconciled := found
	if v.Against != nil {
		reconciled, found = agree(v.Against, found)
		if reconciled, err = v.repair(ctx, reconciled, &found); err != nil {
			return nil, err
		}
	} else if v.Wait != nil {
		reconciled = nil
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
		reconciled = append(reconciled, both...)
	}
	if v.OnUnsettled != nil && (v.Wait != nil || v.Against != nil) {
		for _, d := range found {
			v.OnUnsettled(d)
		}
	}
	return reconciled, nil
}

// unitsOf lists the units of differences, each once.
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

// agree splits the differences of a later snapshot. both are differences that the earlier snapshot found as well.
// otherwise are differences that the earlier snapshot found with other values. A difference that appeared in between is
// neither: most likely its event is on its way.
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
