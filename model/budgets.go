package model

import "time"

// Budget has the usage of an account in a day: budgets/{uid}_{YYYY-MM-DD}. Only an account that used a tenth of a limit
// has one.
type Budget struct {
	// Used has the counts of each process, by limit.
	Used     map[string]map[string]int64 `firestore:"used"`
	ExpireAt time.Time                   `firestore:"expireAt"`
}

const (
	// BudgetProcesses is how many processes write into the budget of an account. Further
	// processes only read it.
	BudgetProcesses = 500

	// BudgetWindow is how long a budget is kept after its day began.
	BudgetWindow = 48 * time.Hour
)

// BudgetKey names the usage of an account in a day, in UTC.
func BudgetKey(user UserID, day time.Time) string {
	return key(user) + "_" + day.UTC().Format(time.DateOnly)
}
