package verify

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
)

// order is the order in which kinds are repaired: a later kind may be computed from an earlier kind. Other kinds come
// first.
var order = []string{model.FollowerMonths, model.TweetMonths, model.Heads, model.Usernames,
	model.NotificationLogs, model.Notifications, model.NotificationLists}

// repair returns the reconciled differences, and repairs them if the options say so. A count whose document was written
// meanwhile goes to unsettled instead.
func (v *verifier) repair(ctx context.Context, reconciled []Difference, unsettled *[]Difference) ([]Difference, error) {
	if !v.Repair {
		return reconciled, nil
	}
	counts := map[string]int{} // document → one of its differences
	by := map[string]map[string]int64{}
	for i, d := range reconciled {
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
		c := reconciled[i].count
		err := v.again(ctx, func() (err error) {
			corrected[document], err = v.counters.CorrectCounts(ctx, document, c.updated, by[document], c.pending)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	var kept []Difference
	for _, d := range reconciled {
		if d.count != nil && !corrected[d.Document] {
			*unsettled = append(*unsettled, d)
			continue
		}
		d.Repaired = d.count != nil
		kept = append(kept, d)
	}
	slices.SortStableFunc(kept, func(a, b Difference) int {
		return slices.Index(order, a.Kind) - slices.Index(order,
			b.Kind)
	})
	fixed := map[string]bool{}
	for from := 0; from < len(kept); {
		to := from
		for to < len(kept) && kept[to].Kind == kept[from].Kind {
			to++
		}
		if err := v.mend(ctx, kept[from:to], fixed); err != nil {
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

// mend applies the fixes of differences of one kind concurrently, since changes of one document are committed together.
// fixed records by name which fixes were tried, and whether they succeeded. A fix that meets a conflict needs an
// operator; that is no error of mend.
func (v *verifier) mend(ctx context.Context, ds []Difference, fixed map[string]bool) error {
	var mu sync.Mutex
	g, ctx := safely.WithContext(ctx)
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
			err := v.again(ctx, func() error { return d.fix.do(ctx) })
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

// sideBySide is how many fixes run at once.
const sideBySide = 32
