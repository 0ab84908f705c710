package jobs

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/moderation"
)

// The most that one sweep does about unused accounts.
const (
	lookedAt  = 1_000 // accounts of Firebase Auth
	abandoned = 100   // account deletions that begin
)

// Accounts are the accounts of Firebase Auth.
type Accounts interface {
	moderation.Accounts

	// Page returns at most most accounts, from a page token on; empty is the first page. next is empty at the end.
	Page(ctx context.Context, token string, most int) (page []model.Account, next string, err error)
}

// unused begins the account deletions of accounts that have no profile, and that nobody used for UnusedAfter. It looks
// at one page of the accounts in each sweep. It returns how many account deletions began, and the token of the next
// page. If 100 began, the next sweep looks at the same page again.
//
// Accounts of staff, and of frozen and suspended users, stay: a suspended user could sign up again. So do accounts from
// before the first sweep: with another database, or an empty one, every account would seem unused.
//
// Firebase Auth may refuse a token of the day before. Then the round begins anew with the next sweep.
//
// Cost: 1 read for each unused account that has a profile, at most 1,000; at least 1 for each 30. 2 reads and 1 write
// for each account that goes.
func (o *Options) unused(ctx context.Context, token string, firstSweep, now time.Time) (begun int, next string,
	err error) {
	page, next, err := o.Accounts.Page(ctx, token, lookedAt)
	if err != nil {
		return 0, "", err
	}
	var uids []model.UserID
	for _, a := range page {
		if _, err := model.ParseUserID(string(a.UID)); err != nil {
			continue // of another app: the API refuses its tokens
		}
		if !a.Admin && !a.Moderator && !a.Frozen && !a.Disabled && a.CreatedAt.After(firstSweep) &&
			now.Sub(a.SeenAt) >= o.UnusedAfter {
			uids = append(uids, a.UID)
		}
	}
	begun, err = o.Store.Users.Abandon(ctx, uids, abandoned)
	if err != nil || begun == abandoned {
		next = token
	}
	return begun, next, err
}
