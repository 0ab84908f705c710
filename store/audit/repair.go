package audit

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// order is in which kinds are mended: what comes later may be made from what comes before.
var order = []string{model.TweetMonths, model.UserRecents, model.Usernames, model.NoticeLogs, model.Notifications, model.FollowerPages, model.Timelines}

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
		done, err := v.counters.CorrectCounts(ctx, document, c.updated, by[document], c.pending)
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
