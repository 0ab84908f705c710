// Package ops holds what operators need: jobs, migrations, dead letters, and how much of their budgets accounts have
// used today.
package ops
