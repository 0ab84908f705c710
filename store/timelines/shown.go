package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// ShownEntry is a tweet that a home timeline shows.
type ShownEntry struct {
	ID       model.TweetID
	Document string       // id in timelines: the month that shows the tweet
	AuthorID model.UserID // as the entry has it; empty if the tweet is pulled
}

// Shown lists everything that a user's home timeline shows, as [Reader.Home] does, but
// does not note that the user looked. The list includes tweets that Home leaves out
// because they are gone or violative. kept is false for a user who is asleep: then the
// list is what the timeline shows without Wake, and Home answers from relationships and
// authors' months.
//
// Cost: 1 read, 2 reads a month of the window, 1 read a large author whose month is not
// cached, and 1 read an overflow document.
func (r *Reader) Shown(ctx context.Context, uid model.UserID) (entries []ShownEntry, kept bool, err error) {
	defer errs.Wrap(&err, "timelines.Shown(%q)", uid)
	if kept, err = r.db.Get(ctx, r.db.Home(uid), nil); err != nil {
		return nil, false, err
	}
	oldest, months := r.db.HomeWindow()
	for _, m := range months {
		timeline, _, _, err := r.homeMonth(ctx, uid, m)
		if err != nil {
			return nil, false, err
		}
		f, err := r.feed(ctx, timeline, uid, m, "", oldest)
		if err != nil {
			return nil, false, err
		}
		for {
			id, ok, err := f.Next(ctx)
			if err != nil {
				return nil, false, err
			}
			if !ok {
				break
			}
			entries = append(entries, ShownEntry{id, model.MonthKey(uid, m), f.Author(id)})
		}
	}
	return entries, kept, nil
}
