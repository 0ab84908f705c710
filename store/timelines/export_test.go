package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// Audience exports the step that returns the active followers on an author's single page, or the number of hashed
// pages.
func (w *Writer) Audience(ctx context.Context, author model.UserID, m model.Month) (followers []model.UserID, pages int,
	err error) {
	a, err := w.pages.Audience(ctx, author, m, w.pullAbove)
	return a.Followers, a.Pages, err
}

// FollowersOnPage exports the step that reads one hashed page.
func (w *Writer) FollowersOnPage(ctx context.Context, author model.UserID, n int) ([]model.UserID, error) {
	return w.pages.OnPage(ctx, author, n)
}

// FollowerPages exports the pages of followers of all authors.
type FollowerPages = followerPages

// NewFollowerPages returns the pages of a database.
var NewFollowerPages = newFollowerPages
