// This file connects tweets and drafts with uploaded media. Package media makes the records.

package tweets

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// attach gives a new tweet the media of its draft, and adds to its commit that the records belong to the tweet and no
// longer expire. The commit fails, and is tried again, if another process wrote a record since: another tweet that took
// it, or its deletion.
//
// Cost: 1 read and 1 write for each.
func (s *Store) attach(ctx context.Context, b *db.Batch, author model.UserID, ids []model.MediaID, t *model.Tweet,
	detail *model.TweetDetail) error {
	found, err := s.media(ctx, ids)
	if err != nil {
		return err
	}
	media := make([]*model.Media, len(found))
	for i, f := range found {
		media[i] = &f.Doc
		if err := f.Doc.Usable(author, model.MediaTweet, s.db.Now()); err != nil {
			return err
		}
		b.Update(f.Snap.Ref, []firestore.Update{{Path: fields.TweetID, Value: t.ID},
			{Path: fields.ExpireAt, Value: firestore.Delete}}, firestore.LastUpdateTime(f.Snap.UpdateTime))
	}
	return t.Attach(detail, media)
}

// media reads records. A missing one has no owner.
//
// Cost: 1 read for each.
func (s *Store) media(ctx context.Context, ids []model.MediaID) ([]*db.Found[model.Media], error) {
	var l db.Lookup
	found := make([]*db.Found[model.Media], len(ids))
	for i, id := range ids {
		found[i] = db.Find[model.Media](&l, s.db.Media(id))
		found[i].Doc.ID = id
	}
	return found, s.db.Read(ctx, &l)
}

// keep adds to the commit of a draft that its media expire as [model.Media.DraftUntil] says. So a draft that waits
// longer loses its media. Media may still be on their way: whether a post can take them is decided when it is posted.
// Of another user's, expired, attached and failed media keep returns the errors of [model.Media.Usable].
//
// Cost: 1 read and 1 write for each.
func (s *Drafts) keep(ctx context.Context, b *db.Batch, d *model.SavedDraft) error {
	found, err := s.tweets.media(ctx, d.Media)
	if err != nil {
		return err
	}
	for _, f := range found {
		is := f.Doc
		if is.State == model.MediaUploading {
			is.State = model.MediaReady
		}
		if err := is.Usable(d.UserID, model.MediaTweet, s.db.Now()); err != nil {
			return err
		}
		until, err := is.DraftUntil(d.PublishAt)
		if err != nil {
			return err
		}
		if is.ExpireAt.Before(until) {
			b.Update(f.Snap.Ref, []firestore.Update{{Path: fields.ExpireAt, Value: until}},
				firestore.LastUpdateTime(f.Snap.UpdateTime))
		}
	}
	return nil
}
