package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/model"
)

// Audience is the private step that lists the followers on an author's single page who
// are active, or tells how many hashed pages there are.
func (w *Writer) Audience(ctx context.Context, author model.UserID, m model.Month) (followers []model.UserID, pages int,
	err error) {
	a, err := w.pages.Audience(ctx, author, m, w.pullAbove)
	return a.Followers, a.Pages, err
}

// FollowersOnPage is the private step that reads one hashed page.
func (w *Writer) FollowersOnPage(ctx context.Context, author model.UserID, n int) ([]model.UserID, error) {
	return w.pages.OnPage(ctx, author, n)
}

// FollowerPages are the private pages of followers of an author.
type FollowerPages = followerPages

// NewFollowerPages returns the pages of a database.
var NewFollowerPages = newFollowerPages
