package store

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// A userRecent document is always written whole, on the condition that nobody
// wrote it since it was read, and always with another updatedAt, so that even a
// write that changes no card is seen by whoever read before it. A writer first
// puts its card into the month, then reads. So the last of several concurrent
// writers has read after every other's card was there.
//
// (Its keys are plain strings: the client does not write maps with other keys.)
type recent struct {
	Tweets    map[string]model.Card `firestore:"tweets"`
	UpdatedAt time.Time             `firestore:"updatedAt,serverTimestamp"`
}

// Settle finishes what PutCard began. It reads the tweet as it is now together
// with its author's recent tweets: 2 reads. A tweet that is still as its event said
// joins the recent ones: 1 write. For one that changed or is gone the month and the
// recent tweets are mended. It tells whether the tweet is there.
func (s *Store) Settle(ctx context.Context, put *model.Tweet) (held bool, err error) {
	defer errs.Wrap(&err, "store.Settle(%q)", put.ID)
	for {
		ref := s.userRecent(put.AuthorID)
		snaps, err := s.fs.GetAll(ctx, []*firestore.DocumentRef{s.tweet(put.ID), ref})
		if err != nil {
			return false, err
		}
		var now model.Tweet
		if held, err = decode(snaps[0], nil)(&now); err != nil {
			return false, err
		}
		if !held || !now.Card().Equal(put.Card()) {
			if held, err = s.SettleCard(ctx, put.AuthorID, put.ID); err != nil {
				return false, err
			}
			return held, s.RebuildRecent(ctx, put.AuthorID)
		}
		var r model.UserRecent
		if _, err := decode(snaps[1], nil)(&r); err != nil {
			return false, err
		}
		if r.Tweets == nil {
			r.Tweets = map[model.TweetID]model.Card{}
		}
		r.Tweets[put.ID] = now.Card()
		if written, err := s.writeRecent(ctx, snaps[1], r.Tweets); err != nil || written {
			return true, err
		}
	}
}

// RebuildRecent makes an author's recent tweets anew from the months: 1 read, one for
// each month until there are enough or no more, which costs a read to see, and 1 write.
func (s *Store) RebuildRecent(ctx context.Context, author model.UserID) (err error) {
	defer errs.Wrap(&err, "store.RebuildRecent(%q)", author)
	for {
		snap, err := s.userRecent(author).Get(ctx)
		if _, err := decode(snap, err)(nil); err != nil {
			return err
		}
		tweets := map[model.TweetID]model.Card{}
		months := s.fs.Collection(model.TweetMonths).Where("userId", "==", author).OrderBy("month", firestore.Desc).Limit(1)
		for q := months; len(tweets) < model.RecentTweets; {
			found, err := q.Documents(ctx).GetAll()
			if err != nil {
				return err
			}
			if len(found) == 0 {
				break
			}
			var m model.TweetMonth
			if err := found[0].DataTo(&m); err != nil {
				return err
			}
			for r := read(s, s.monthBuckets, found[0].Ref.ID, m.Tweets, m.Pages, ""); len(tweets) < model.RecentTweets; r.skip() {
				id, ok, err := r.peek(ctx, "")
				if err != nil {
					return err
				}
				if !ok {
					break
				}
				tweets[id] = r.items[id]
			}
			q = months.StartAfter(m.Month)
		}
		if written, err := s.writeRecent(ctx, snap, tweets); err != nil || written {
			return err
		}
	}
}

// writeRecent replaces the document by the newest of tweets, unless somebody else
// wrote it since old was read.
func (s *Store) writeRecent(ctx context.Context, old *firestore.DocumentSnapshot, tweets map[model.TweetID]model.Card) (bool, error) {
	newest := map[string]model.Card{}
	for _, id := range model.Newest(tweets, model.RecentTweets) {
		newest[string(id)] = tweets[id]
	}
	var err error
	if old.Exists() {
		_, err = old.Ref.Update(ctx, []firestore.Update{
			{Path: "tweets", Value: newest}, {Path: "updatedAt", Value: firestore.ServerTimestamp},
		}, firestore.LastUpdateTime(old.UpdateTime))
	} else {
		_, err = old.Ref.Create(ctx, recent{Tweets: newest})
	}
	if exists(err) || outdated(err) {
		return false, nil
	}
	return err == nil, err
}

func (s *Store) userRecent(author model.UserID) *firestore.DocumentRef {
	return s.doc(model.UserRecents, string(author))
}
