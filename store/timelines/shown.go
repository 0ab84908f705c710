package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// ShownEntry is a tweet in a home timeline.
type ShownEntry struct {
	ID       model.TweetID
	Document string       // of timelines, the month where it is shown
	AuthorID model.UserID // as the entry has it; empty if it is taken from the author's own month
}

// Shown is all that a user's home timeline shows, as [Store.Home] does, but nobody notes
// that somebody looked. It includes tweets that Home leaves out because they are gone or
// violative. kept is false for somebody who was away for long: they are answered from
// the facts until their timeline is rebuilt.
func (r *Reader) Shown(ctx context.Context, uid model.UserID) (entries []ShownEntry, kept bool, err error) {
	defer errs.Wrap(&err, "timelines.Shown(%q)", uid)
	if kept, err = r.db.Get(ctx, r.db.Home(uid), nil); err != nil || !kept {
		return nil, false, err
	}
	oldest, months := r.db.HomeWindow()
	for _, m := range months {
		timeline, _, err := r.homeMonth(ctx, uid, m)
		if err != nil {
			return nil, false, err
		}
		f, err := r.feed(ctx, timeline, uid, m, "", oldest)
		if err != nil {
			return nil, false, err
		}
		for {
			id, ok, err := f.next(ctx)
			if err != nil {
				return nil, false, err
			}
			if !ok {
				break
			}
			entries = append(entries, ShownEntry{id, model.MonthKey(uid, m), f.pushed.Items[id].AuthorID})
		}
	}
	return entries, true, nil
}
