// This file connects tweets and drafts with uploaded media. Package media makes the records.

package tweets

import (
	"context"
	"slices"
	"time"

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

// release adds to the commit that deletes a tweet that its media are uploads of nothing until a time, with the
// descriptions that the tweet has. A record that is gone, or of another tweet, stays as it is. The commit fails if
// another process wrote a record since. An edit at the same moment may leave a former description.
//
// Cost: 1 read and 1 write for each; 1 read more if the tweet has not all of a description.
func (s *Store) release(ctx context.Context, b *db.Batch, t *model.Tweet, until time.Time) error {
	var l db.Lookup
	found := make([]*db.Found[model.Media], len(t.Media))
	for i, m := range t.Media {
		found[i] = db.Find[model.Media](&l, s.db.Media(m.ID))
	}
	detail := &db.Found[model.TweetDetail]{}
	if slices.ContainsFunc(t.Media, func(m model.TweetMedia) bool { return m.AltCut }) {
		detail = db.Find[model.TweetDetail](&l, s.db.Doc(model.TweetDetails, string(t.ID)))
	}
	if err := s.db.Read(ctx, &l); err != nil {
		return err
	}
	for i, f := range found {
		if !f.Found || f.Doc.TweetID != t.ID {
			continue
		}
		alt := detail.Doc.AltOf(t.Media[i])
		b.Update(f.Snap.Ref, []firestore.Update{{Path: fields.TweetID, Value: firestore.Delete},
			{Path: fields.Alt, Value: db.OrDelete(alt, alt == "")}, {Path: fields.ExpireAt, Value: until}},
			firestore.LastUpdateTime(f.Snap.UpdateTime))
	}
	return nil
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
