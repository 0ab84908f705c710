package model

import "time"

// Budget says what an account has used in a day: budgets/{uid}_{YYYY-MM-DD}. Only an account
// that used a tenth of a limit has one.
type Budget struct {
	// Used has the counts of each process, by what is limited.
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

// BudgetKey names what an account has used in a day, in UTC.
func BudgetKey(user UserID, day time.Time) string {
	return key(user) + "_" + day.UTC().Format(time.DateOnly)
}
