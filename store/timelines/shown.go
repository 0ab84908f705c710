package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// ShownEntry is a tweet or a share in a home timeline.
type ShownEntry struct {
	Position model.Position // of the tweet or share
	AuthorID model.UserID   // author of the tweet, or the sharer
	Settled  bool           // a share that [Reader.Home] does not read
	Tagged   bool           // a tweet that comes by a followed tag alone
}

// Shown returns every entry of a user's home timeline. It reads the timeline like [Reader.Home], without a limit of
// authors. The list includes every share, and also tweets that Home leaves out because they are gone or violative. It
// does not include the reader's own tweets.
//
// Cost: 2 reads, 1 read for each head that is not cached, and beyond the heads 1 read for each author and month and 2
// more with posts for followers and shares; the cost of [tagLists.Now].
func (r *Reader) Shown(ctx context.Context, uid model.UserID) (entries []ShownEntry, err error) {
	defer errs.Wrap(&err, "timelines.Shown(%q)", uid)
	k := newPositionPage("", "")
	if _, err := r.reader(ctx, uid, k); err != nil {
		return nil, err
	}
	m, err := r.mergeOf(ctx, uid, k, "", 0)
	if err != nil {
		return nil, err
	}
	for {
		item, ok, err := m.Next(ctx)
		if err != nil || !ok {
			return entries, err
		}
		if item.Author != uid {
			entries = append(entries, ShownEntry{item.Position, item.Author, item.settled, item.tagged})
		}
	}
}
