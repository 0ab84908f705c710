package snapshot

import (
	"context"
	"maps"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/safely"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/discovery"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Tweet is one tweet with its author, and with the likes, shares and replies that its counts count, at one moment.
type Tweet struct {
	Tweet   *Counted[model.Tweet] // nil if the tweet is gone
	Written *model.Tweet          // the tweet as computed from its text; nil without a text
	Found   map[model.TweetID]any // digest of the document by which searches find the tweet, if there is one
	Wanted  map[model.TweetID]any // the same as computed from its text
	Revised int                   // number of revisions of a tweet that is gone
	Kept    []model.Reaction      // bookmarks of a tweet that is gone
	Author  *model.User           // nil without a profile
	Liked   []model.Reaction
	Shared  []model.Reaction
	Quotes  []*model.Tweet
	Replies []*model.Tweet
	Months  Months // of the author, with no preview but the tweet's
}

// Tweet reads one tweet with all documents that its counts count, at one moment.
//
// Cost: 5 reads, and 1 read a shard, like, share.
func (r *Reader) Tweet(ctx context.Context, id model.TweetID) (_ *Tweet, err error) {
	defer errs.Wrap(&err, "snapshot.Tweet(%q)", id)
	m, err := r.moment(ctx)
	if err != nil {
		return nil, err
	}
	t := &Tweet{Months: newMonths(), Found: map[model.TweetID]any{}, Wanted: map[model.TweetID]any{}}
	if err := list(ctx, m, r.db.Client.Collection(model.Likes).Where(fields.TweetID, "==", id), &t.Liked); err != nil {
		return nil, err
	}
	found, err := db.As[model.SearchDoc](m.get(ctx, r.db.Doc(model.SearchDocs, model.SearchKey(id))))
	if err != nil {
		return nil, err
	}
	if found.Found {
		t.Found[id] = discovery.Digest(&found.Doc)
	}
	snap, err := m.get(ctx, r.db.Tweet(id))
	if err != nil {
		return t, err
	}
	if !snap.Exists() {
		if err := list(ctx, m, r.db.Client.Collection(model.Bookmarks).Where(fields.TweetID, "==", id), &t.Kept); err != nil {
			return nil, err
		}
		if err := list(ctx, m, r.db.Client.Collection(model.Shares).Where(fields.TweetID, "==", id), &t.Shared); err != nil {
			return nil, err
		}
		return t, each(ctx, m, r.db.Tweet(id).Collection(model.Revisions).Select(), func(*firestore.DocumentSnapshot,
			*struct{}) error {
			t.Revised++
			return nil
		})
	}
	if t.Tweet, err = readCounted[model.Tweet](ctx, m, snap); err != nil {
		return nil, err
	}
	t.Tweet.Doc.ID = id
	author := t.Tweet.Doc.AuthorID
	own, written := map[model.TweetID]*Counted[model.Tweet]{id: t.Tweet}, map[model.TweetID]*model.Tweet{}
	if err := m.written(ctx, own, written, t.Wanted); err != nil {
		return nil, err
	}
	t.Written = written[id]
	g, ctx := safely.WithContext(ctx)
	g.Go(func() error {
		return list(ctx, m, r.db.Client.Collection(model.Shares).Where(fields.TweetID, "==", id), &t.Shared)
	})
	g.Go(func() error {
		return each(ctx, m, r.db.Client.Collection(model.Tweets).Where(fields.ReplyTo, "==", id),
			func(_ *firestore.DocumentSnapshot, r *model.Tweet) error {
				t.Replies = append(t.Replies, r)
				return nil
			})
	})
	g.Go(func() error {
		return each(ctx, m, r.db.Client.Collection(model.Tweets).Where(fields.QuoteOf, "==", id),
			func(_ *firestore.DocumentSnapshot, q *model.Tweet) error {
				t.Quotes = append(t.Quotes, q)
				return nil
			})
	})
	g.Go(func() error {
		u, err := db.As[model.User](m.get(ctx, r.db.User(author)))
		if u.Found {
			t.Author = &u.Doc
		}
		return err
	})
	g.Go(func() error {
		err := m.months(ctx, author, t.Months)
		for _, months := range t.Months {
			for _, month := range months {
				maps.DeleteFunc(month.Previews, func(other model.TweetID, _ model.TweetPreview) bool { return other != id })
			}
		}
		return err
	})
	return t, g.Wait()
}
