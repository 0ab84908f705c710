package profiles

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// recent is the document userRecent/{author}. A write always replaces the whole document, on the condition that no
// process wrote it since the read. Every write sets another updatedAt. So even a write that changes no preview makes
// other writers start again if they have read the document before. A writer first puts its preview into the month and
// then reads. So the last of several concurrent writers reads after every other writer's preview is in the month.
//
// The keys of Tweets are plain strings, because the client does not write maps with other keys.
type recent struct {
	Tweets    map[string]model.TweetPreview `firestore:"tweets"`
	UpdatedAt time.Time                     `firestore:"updatedAt,serverTimestamp"`
}

// Reconcile finishes the work of Put. It reads the present tweet together with the author's newest tweets. If the tweet
// is still as its event says, it joins the newest tweets. If the tweet changed or is gone, Reconcile corrects the month
// and the newest tweets. found reports whether the tweet exists. A tweet for followers does not join the newest tweets.
//
// Cost: 2 reads and 1 write; no write for followers; 1 read for each further tweet of the same second.
func (w *Writer) Reconcile(ctx context.Context, put *model.Tweet) (found bool, err error) {
	defer errs.Wrap(&err, "profiles.Reconcile(%q)", put.ID)
	same, err := w.recents.Do(ctx, put.AuthorID, put)
	if err != nil || same {
		return same, err
	}
	audiencePartition := put.AudiencePartition()
	if found, err = w.ReconcilePreview(ctx, put.AuthorID, put.ID, audiencePartition); err != nil ||
		audiencePartition != model.OpenAudiencePartition {
		return found, err
	}
	return found, w.RebuildRecent(ctx, put.AuthorID)
}

// RebuildRecent rebuilds an author's newest tweets from the author's months. Calls within a second share the work.
//
// Cost: 1 read, 1 read a month until there are enough tweets, and 1 write.
func (w *Writer) RebuildRecent(ctx context.Context, author model.UserID) (err error) {
	defer errs.Wrap(&err, "profiles.RebuildRecent(%q)", author)
	_, err = w.recents.Do(ctx, author, nil)
	return err
}

// Recents reads the newest tweets of some authors. An author without tweets is absent.
//
// Cost: 1 read an author.
func (r *Reader) Recents(ctx context.Context, authors []model.UserID) (_ map[model.UserID]*model.UserRecent,
	err error) {
	defer errs.Wrap(&err, "profiles.Recents(%d)", len(authors))
	return db.ReadAll(ctx, r.db, model.UserRecents, authors, func(model.UserID, *model.UserRecent) {})
}

// writeRecents adds tweets to their author's newest tweets, if they are still as their events say. same has the result
// for each tweet. If one of puts is nil, writeRecents rebuilds the newest tweets instead.
func (w *Writer) writeRecents(ctx context.Context, author model.UserID, puts []*model.Tweet) (same []bool, err error) {
	rebuild := slices.Contains(puts, nil)
	for {
		var l db.Lookup
		recent, now := db.Find[model.UserRecent](&l, w.db.UserRecent(author)), map[model.TweetID]*db.Found[model.Tweet]{}
		for _, t := range puts {
			if t != nil && now[t.ID] == nil {
				now[t.ID] = db.Find[model.Tweet](&l, w.db.Tweet(t.ID))
			}
		}
		if err := w.db.Read(ctx, &l); err != nil {
			return nil, err
		}
		same, joining := make([]bool, len(puts)), map[model.TweetID]model.TweetPreview{}
		for i, t := range puts {
			if t == nil {
				continue
			}
			is := now[t.ID]
			if same[i] = is.Found && is.Doc.Preview().Equal(t.Preview()); same[i] &&
				is.Doc.AudiencePartition() == model.OpenAudiencePartition {
				joining[t.ID] = is.Doc.Preview()
			}
		}
		tweets := map[model.TweetID]model.TweetPreview{}
		switch {
		case rebuild: // Put was first, so a tweet that joins is in the months already
			var err error
			if tweets, err = w.newestPreviews(ctx, author); err != nil {
				return nil, err
			}
		case len(joining) == 0:
			return same, nil
		default:
			maps.Copy(tweets, recent.Doc.Tweets)
			maps.Copy(tweets, joining)
		}
		if written, err := writeRecent(ctx, recent.Snap, tweets); err != nil || written {
			return same, err
		}
	}
}

// newestPreviews reads the newest of an author's previews from the months, at least model.RecentTweets if there are
// that many.
//
// Cost: 1 read a month, and 1 read an overflow document; 1 read more if there are too few previews.
func (w *Writer) newestPreviews(ctx context.Context, author model.UserID) (map[model.TweetID]model.TweetPreview,
	error) {
	tweets := map[model.TweetID]model.TweetPreview{}
	months := w.db.Client.Collection(model.TweetMonths).Where(fields.UserID, "==", author).
		OrderBy(fields.Month, firestore.Desc)
	for q := months; len(tweets) < model.RecentTweets; {
		found, err := db.First[model.TweetMonth](ctx, q)
		if err != nil || !found.Found {
			return tweets, err
		}
		m := &found.Doc
		for r := bucket.Read(w.buckets[model.OpenAudiencePartition], found.Snap.Ref.ID, m.Tweets, m.Pages, "",
			found.Snap.ReadTime); len(tweets) < model.RecentTweets; {
			position, ok, err := r.Next(ctx)
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			tweets[position.Tweet()] = r.Items[position]
		}
		q = months.StartAfter(m.Month)
	}
	return tweets, nil
}

// writeRecent replaces the document with the newest of tweets. It returns false if another process wrote the document
// since old was read.
//
// Cost: 1 write.
func writeRecent(ctx context.Context, old *firestore.DocumentSnapshot,
	tweets map[model.TweetID]model.TweetPreview) (bool, error) {
	newest := map[string]model.TweetPreview{}
	for _, id := range model.Newest(tweets, model.RecentTweets) {
		newest[string(id)] = tweets[id]
	}
	var err error
	if old.Exists() {
		_, err = old.Ref.Update(ctx, []firestore.Update{
			{Path: fields.Tweets, Value: newest}, {Path: fields.UpdatedAt, Value: firestore.ServerTimestamp},
		}, firestore.LastUpdateTime(old.UpdateTime))
	} else {
		_, err = old.Ref.Create(ctx, recent{Tweets: newest})
	}
	if db.AlreadyExists(err) || db.Outdated(err) {
		return false, nil
	}
	return err == nil, err
}
