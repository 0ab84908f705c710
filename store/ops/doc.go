// Package ops serves operators: jobs, migrations, dead letters, and the daily usage of accounts.
package ops
