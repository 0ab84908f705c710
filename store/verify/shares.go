package verify

import (
	"context"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/verify/internal/snapshot"
)

// shareMonths compares the months of a user's shares with the shares. It also compares the marks by which readers of
// the months of tweets know that there are shares. A mark stays after the last share, so a mark too many is no
// difference.
func shareMonths(a *Auditor, u *snapshot.User) (ds []Difference) {
	for _, d := range u.CompareShares(a.db.Now()) {
		add(&ds, model.ShareMonths, at(model.ShareMonths, d.Document), model.SharesField+"."+string(d.Position),
			d.Have, d.Want, &fix{"share " + string(u.ID) + " " + string(d.Position), func(ctx context.Context) error {
				return a.restoreShare(ctx, u.ID, d.Position, d.Document)
			}})
	}
	marked := map[model.Month]bool{}
	for _, l := range u.Done {
		position := l.Position()
		if position == "" || marked[position.Month()] || !model.TimelineExpiry(position.Month()).After(a.db.Now()) {
			continue
		}
		m := position.Month()
		marked[m] = true
		if open := u.Months[model.OpenAudiencePartition][m]; open == nil || !open.Shares {
			document := at(model.TweetMonths, model.MonthKey(u.ID, m))
			add(&ds, model.TweetMonths, document, model.SharesField, false, true,
				&fix{"shares of " + document, func(ctx context.Context) error { return a.previews.MarkShares(ctx, u.ID, m) }})
		}
	}
	return ds
}

// restoreShare makes the month of a share agree with the source document. It removes the share from a document in which
// it can never belong.
//
// Cost: 1 read, and 1 or 2 writes.
func (a *Auditor) restoreShare(ctx context.Context, sharer model.UserID, position model.Position,
	document string) (err error) {
	defer errs.Wrap(&err, "verify.restoreShare(%q, %q)", sharer, position)
	if _, err := a.previews.ReconcileShare(ctx, sharer, position); err != nil ||
		strings.HasPrefix(document, model.MonthKey(sharer, position.Month())) {
		return err
	}
	return removeFields(ctx, a.db.Doc(model.ShareMonths, document), firestore.FieldPath{model.SharesField,
		string(position)})
}
