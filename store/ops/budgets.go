// This file shares the daily usage of accounts among the processes of the API. It has no limits: package
// internal/limits decides which requests are allowed.

package ops

import (
	"context"
	"crypto/rand"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Budgets is the ledger of one process. Its methods may be called concurrently.
type Budgets struct {
	db      *db.DB
	process string // names the process in documents
}

// NewBudgets returns the ledger of a process that has counted nothing yet.
func NewBudgets(d *db.DB) *Budgets { return &Budgets{db: d, process: rand.Text()[:10]} }

// Share writes the counts of this process for an account in a day, and returns the sum of the counts of all other
// processes. used has the numbers of the whole day. So a call that is repeated, or whose answer is lost, changes
// nothing.
//
// Cost: 1 read, and 1 write.
func (s *Budgets) Share(ctx context.Context, account string, day time.Time,
	used map[string]int64) (others map[string]int64, err error) {
	defer errs.Wrap(&err, "ops.Share")
	ref := s.db.Doc(model.Budgets, model.BudgetKey(model.UserID(account), day))
	var b model.Budget
	if _, err := s.db.Get(ctx, ref, &b); err != nil {
		return nil, err
	}
	_, mine := b.Used[s.process]
	if mine || len(b.Used) < model.BudgetProcesses {
		_, err = ref.Set(ctx, map[string]any{
			fields.Used: map[string]any{s.process: used}, fields.ExpireAt: day.Add(model.BudgetWindow),
		}, firestore.MergeAll)
	}
	others = map[string]int64{}
	for process, counts := range b.Used {
		if process == s.process {
			continue
		}
		for what, n := range counts {
			others[what] += n
		}
	}
	return others, err
}
