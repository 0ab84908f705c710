package discovery

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Users lists the users of a tag, those with the most public tweets first. The counts are a projection, so a new tweet
// counts some seconds later.
//
// Cost: 1 read for each user, at least 1.
func (r *Tags) Users(ctx context.Context, name string, from model.Cursor, limit int) (_ model.Page[model.TagUsage],
	err error) {
	defer errs.Wrap(&err, "discovery.Users")
	q := r.db.Client.Collection(model.TagUsages).Where(fields.Tag, "==", name).Where(model.TweetCount, ">", 0)
	return db.Page(ctx, q, firestore.FieldPath{model.TweetCount}, firestore.Desc, from, limit, useOf)
}

// NewestUsers lists the users of a tag, each with the newest tweet that everybody sees, the newest tweet first. A page
// reads up to limit tweets, and has each of their authors once. A user on an earlier page does not come again, unless
// the user has written and shared more than [model.HeadItems] tweets since. A user who writes with the tag between two
// pages is on none of the further pages: the newer tweet belongs to the first page, which was read before. Another read
// of the first page has that user.
//
// Cost: 1 read for each of limit tweets, at least 1; on further pages 1 read for each author.
func (r *Tags) NewestUsers(ctx context.Context, name string, from model.Cursor, limit int) (_ model.Page[*model.Tweet],
	err error) {
	defer errs.Wrap(&err, "discovery.NewestUsers")
	found, err := r.Tweets(ctx, name, from, limit)
	if err != nil {
		return found, err
	}
	page := model.Page[*model.Tweet]{Next: found.Next}
	var authors []model.UserID
	once := map[model.UserID]bool{}
	for _, t := range found.Items {
		if !once[t.AuthorID] && model.Visible(model.Viewer{}, t, model.ViewerRelationship{}) {
			once[t.AuthorID] = true
			authors, page.Items = append(authors, t.AuthorID), append(page.Items, t)
		}
	}
	if from.IsZero() {
		return page, nil
	}
	heads, err := db.ReadAll(ctx, r.db, model.Heads, authors, func(model.UserID, *model.Head) {})
	if err != nil {
		return page, err
	}
	later := page.Items[:0]
	for _, t := range page.Items {
		if !hasNewer(heads[t.AuthorID], t, name) {
			later = append(later, t)
		}
	}
	page.Items = later
	return page, nil
}

// hasNewer reports whether an author's head has a tweet with a tag that is newer than t.
func hasNewer(head *model.Head, t *model.Tweet, name string) bool {
	if head == nil {
		return false
	}
	for id, c := range head.Tweets {
		if id.Compare(t.ID) > 0 && c.ShowsTag(name) {
			return true
		}
	}
	return false
}
