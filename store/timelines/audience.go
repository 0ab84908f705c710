package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/timelines/internal/followerpages"
)

// Audience reads to whom a fan-out delivers the author's tweets of a month.
//
// Cost: see [followerpages.Pages.Audience].
func (w *Writer) Audience(ctx context.Context, author model.UserID, m model.Month) (followerpages.Audience, error) {
	return w.pages.Audience(ctx, author, m, w.pullAbove)
}

// FollowersOnPage reads the active followers on one hashed page.
//
// Cost: 1 read.
func (w *Writer) FollowersOnPage(ctx context.Context, author model.UserID, n int) ([]model.UserID, error) {
	return w.pages.OnPage(ctx, author, n)
}
