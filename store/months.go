package store

import (
	"context"
	"maps"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// PutCard writes a tweet's card into its author's month as it was when its event
// happened: 1 write. Settle must follow, for the tweet may have changed since.
func (s *Store) PutCard(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "store.PutCard(%q)", t.ID)
	ctx, grown := watchSizes(ctx)
	merge := cardMerge(t.AuthorID, t.ID, t.Card())
	merge[sizeField] = firestore.Increment(1)
	if _, err := s.tweetMonth(t.AuthorID, t.ID.Month()).Set(ctx, merge, firestore.MergeAll); err != nil {
		return err
	}
	return s.askSpills(ctx, s.monthBuckets, grown)
}

// SettleCard makes the card of a tweet in its author's month agree with the tweet
// as it is now, in one transaction that reads the tweet alone: 3 reads and 1
// write, or 2 for a tweet that has moved to an overflow page. It tells whether the
// tweet is there.
func (s *Store) SettleCard(ctx context.Context, author model.UserID, id model.TweetID) (held bool, err error) {
	defer errs.Wrap(&err, "store.SettleCard(%q)", id)
	for {
		month, err := s.monthRoot(ctx, author, id.Month())
		if err != nil {
			return false, err
		}
		if held, err = s.settleCard(ctx, author, id, month.Pages); err != nil {
			return false, err
		}
		// A spill may have moved the old card meanwhile.
		again, err := s.monthRoot(ctx, author, id.Month())
		if err != nil || len(again.Pages) == len(month.Pages) {
			return held, err
		}
	}
}

func (s *Store) settleCard(ctx context.Context, author model.UserID, id model.TweetID, pages map[string]model.BucketPage) (held bool, err error) {
	bucket := model.MonthKey(author, id.Month())
	err = s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var t model.Tweet
		var card any = firestore.Delete
		held, err = decode(tx.Get(s.tweet(id)))(&t)
		if err != nil {
			return err
		}
		if held {
			card = t.Card()
		}
		for n, p := range pages {
			if id.Compare(p.Oldest) < 0 || id.Compare(p.Newest) > 0 {
				continue
			}
			gone := map[string]any{"tweets": map[string]any{string(id): firestore.Delete}}
			if err := tx.Set(s.doc(model.TweetMonths, bucket+"_"+n), gone, firestore.MergeAll); err != nil {
				return err
			}
		}
		return tx.Set(s.doc(model.TweetMonths, bucket), cardMerge(author, id, card), firestore.MergeAll)
	})
	return held, err
}

func cardMerge(author model.UserID, id model.TweetID, card any) map[string]any {
	return map[string]any{"userId": author, "month": id.Month(), "tweets": map[string]any{string(id): card}}
}

func (s *Store) monthRoot(ctx context.Context, author model.UserID, m model.Month) (root model.TweetMonth, err error) {
	_, err = s.get(ctx, s.tweetMonth(author, m), &root)
	return root, err
}

// windowCards reads an author's cards of the months that a home timeline shows, and
// tells when its window begins: a read for each month, and each overflow page.
func (s *Store) windowCards(ctx context.Context, author model.UserID) (_ map[model.TweetID]model.Card, oldest time.Time, err error) {
	oldest, months := s.window()
	refs := make([]*firestore.DocumentRef, len(months))
	for i, m := range months {
		refs[i] = s.tweetMonth(author, m)
	}
	snaps, err := s.fs.GetAll(ctx, refs)
	if err != nil {
		return nil, oldest, err
	}
	cards := map[model.TweetID]model.Card{}
	for _, snap := range snaps {
		var month model.TweetMonth
		if _, err := decode(snap, nil)(&month); err != nil {
			return nil, oldest, err
		}
		all, err := read(s, s.monthBuckets, snap.Ref.ID, month.Tweets, month.Pages, "").all(ctx)
		if err != nil {
			return nil, oldest, err
		}
		maps.Copy(cards, all)
	}
	return cards, oldest, nil
}

// monthsCached is how many months of large authors a process keeps; one may be as large as
// a document.
const monthsCached = 500

// readMonths is how the cache reads months of authors, by their document ids.
func (s *Store) readMonths(ctx context.Context, ids []string) (map[string]*model.TweetMonth, error) {
	found, err := readAll(ctx, s, model.TweetMonths, ids, func(string, *model.TweetMonth) {})
	for _, id := range ids {
		if err == nil && found[id] == nil {
			found[id] = &model.TweetMonth{} // an author who wrote nothing in it is worth remembering too
		}
	}
	return found, err
}

// CardOf is a card with the tweet that it is of.
type CardOf struct {
	ID model.TweetID
	model.Card
}

// TweetsBy lists an author's tweets, newest first, those older than before if that
// is not empty. The first page, up to model.RecentTweets, costs 1 read; others
// cost a read for each month that they touch, and the last one a read to see that there
// are no more. Months without tweets cost nothing.
func (s *Store) TweetsBy(ctx context.Context, author model.UserID, before model.TweetID, limit int) (items []CardOf, next model.TweetID, err error) {
	defer errs.Wrap(&err, "store.TweetsBy(%q)", author)
	if before == "" && limit <= model.RecentTweets {
		var recent model.UserRecent
		if _, err := s.get(ctx, s.userRecent(author), &recent); err != nil {
			return nil, "", err
		}
		for _, id := range model.Newest(recent.Tweets, 0) {
			if !recent.Tweets[id].IsViolative {
				items = append(items, CardOf{ID: id, Card: recent.Tweets[id]})
			}
		}
		switch all := len(recent.Tweets) < model.RecentTweets; {
		case len(items) > limit, len(items) == limit && !all:
			return items[:limit], items[limit-1].ID, nil
		case all:
			return items, "", nil
		}
		items = nil // some of the recent ones are not shown, so that the months have more
	}
	q := s.fs.Collection(model.TweetMonths).Where("userId", "==", author).OrderBy("month", firestore.Desc)
	if before != "" {
		q = q.StartAt(before.Month())
	}
	for q = q.Limit(1); ; {
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return items, "", err
		}
		var month model.TweetMonth
		if err := snaps[0].DataTo(&month); err != nil {
			return nil, "", err
		}
		for r := read(s, s.monthBuckets, snaps[0].Ref.ID, month.Tweets, month.Pages, before); ; r.skip() {
			id, ok, err := r.peek(ctx, before)
			if err != nil {
				return nil, "", err
			}
			if !ok {
				break
			}
			if r.items[id].IsViolative {
				continue
			}
			if len(items) == limit {
				return items, items[limit-1].ID, nil
			}
			items = append(items, CardOf{ID: id, Card: r.items[id]})
		}
		if len(items) == limit {
			return items, items[limit-1].ID, nil
		}
		q = q.StartAfter(month.Month)
	}
}

func (s *Store) tweetMonth(author model.UserID, m model.Month) *firestore.DocumentRef {
	return s.doc(model.TweetMonths, model.MonthKey(author, m))
}
