package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// ShownEntry is a tweet or a share in a home timeline.
type ShownEntry struct {
	Position model.Position // of the tweet or share
	Document string         // id in timelines: the month that shows it
	AuthorID model.UserID   // author or sharer in the entry; empty if the entry is pulled
	Settled  bool           // a share that [Reader.Home] does not read
}

// Shown returns every entry of a user's home timeline. It reads the timeline like [Reader.Home], but does not record a
// visit. The list includes every share, and also tweets that Home leaves out because they are gone or violative. It
// does not include the reader's own tweets, because no timeline has them. kept is false for a dormant user. Then the
// list has the entries that the timeline shows without a rebuild, while Home builds pages from relationships and
// authors' months.
//
// Cost: 2 reads, 3 reads a month of the window, and 1 read an uncached large author or an overflow document.
func (r *Reader) Shown(ctx context.Context, uid model.UserID) (entries []ShownEntry, kept bool, err error) {
	defer errs.Wrap(&err, "timelines.Shown(%q)", uid)
	if kept, err = r.db.Get(ctx, r.db.Home(uid), nil); err != nil {
		return nil, false, err
	}
	var viewer model.ViewerGraph
	if _, err := r.db.Get(ctx, r.db.Viewer(uid), &viewer); err != nil {
		return nil, false, err
	}
	oldest, months := r.db.HomeWindow()
	for _, m := range months {
		read, err := r.month(ctx, uid, m)
		if err != nil {
			return nil, false, err
		}
		read.own = &model.TweetMonth{}
		f, err := r.feed(ctx, read, uid, m, "", oldest, nil)
		if err != nil {
			return nil, false, err
		}
		for {
			item, ok, err := f.Next(ctx)
			if err != nil {
				return nil, false, err
			}
			if !ok {
				break
			}
			e := ShownEntry{Position: item.Position, Document: model.MonthKey(uid, m)}
			if item.Pushed {
				e.AuthorID = item.Author
			}
			t := read.timeline
			e.Settled = t.Shares[item.Position] != "" && !t.Pulled[item.Author] &&
				!item.Position.Time().Before(viewer.SharesSince)
			entries = append(entries, e)
		}
	}
	return entries, kept, nil
}
