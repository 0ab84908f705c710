package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/timelines/internal/followerpages"
)

// startPull marks the audience of a large author, once a month. From then on, readers take the author's tweets of that
// month from the author's own month.
//
// The order matters. startPull sets the mark first, and reads the audience again after the mark. A new follower after
// the mark sees the mark. So the pages read after the mark hold all other followers.
//
// Cost: nothing if all are marked; otherwise 1 read, 2 writes, and 1 write an active follower or a page.
func (w *Writer) startPull(ctx context.Context, position model.Position, author model.UserID,
	a followerpages.Audience) error {
	if a.Pulled {
		return nil
	}
	m := position.Month()
	if err := w.pages.SetPull(ctx, author, m, followerpages.PullMarking); err != nil {
		return err
	}
	a, err := w.Audience(ctx, author, m)
	if err != nil {
		return err
	}
	if a.Pages > 0 {
		err = w.startFanOut(ctx, position, author, a.Pages, model.FanOutPull)
	} else {
		err = w.pull(ctx, author, m, a.Followers)
	}
	if err != nil {
		return err
	}
	return w.pages.SetPull(ctx, author, m, followerpages.PullMarked)
}

// pull makes the home timelines of followers show an author's unpushed tweets of a month.
//
// Cost: 1 write a follower.
func (w *Writer) pull(ctx context.Context, author model.UserID, m model.Month, followers []model.UserID) error {
	return w.toTimelines(ctx, m, followers, func(model.UserID) map[string]any {
		return map[string]any{fields.Pulled: map[string]any{string(author): true}}
	})
}
