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
// happened: 1 write. SettleCard must follow, for the tweet may have changed since.
func (s *Store) PutCard(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "store.PutCard(%q)", t.ID)
	_, err = s.tweetMonth(t.AuthorID, t.ID.Month()).Set(ctx, cardMerge(t.AuthorID, t.ID, t.Card()), firestore.MergeAll)
	return err
}

// SettleCard makes the card of a tweet in its author's month agree with the tweet
// as it is now, in one transaction that reads the tweet alone: 1 read and 1
// write. It tells whether the tweet is there.
func (s *Store) SettleCard(ctx context.Context, author model.UserID, id model.TweetID) (held bool, err error) {
	defer errs.Wrap(&err, "store.SettleCard(%q)", id)
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
		return tx.Set(s.tweetMonth(author, id.Month()), cardMerge(author, id, card), firestore.MergeAll)
	})
	return held, err
}

func cardMerge(author model.UserID, id model.TweetID, card any) map[string]any {
	return map[string]any{"userId": author, "month": id.Month(), "tweets": map[string]any{string(id): card}}
}

// WindowCards reads an author's cards of the months that a home timeline shows, and
// tells when its window begins: a read for each month, in one round trip.
func (s *Store) WindowCards(ctx context.Context, author model.UserID) (_ map[model.TweetID]model.Card, oldest time.Time, err error) {
	defer errs.Wrap(&err, "store.WindowCards(%q)", author)
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
		maps.Copy(cards, month.Tweets)
	}
	return cards, oldest, nil
}

// CardOf is a card with the tweet that it is of.
type CardOf struct {
	ID model.TweetID
	model.Card
}

// TweetsBy lists an author's tweets, newest first, those older than before if that
// is not empty. The first page, up to model.RecentTweets, costs 1 read; others
// cost a read for each month that they touch, and months without tweets nothing.
func (s *Store) TweetsBy(ctx context.Context, author model.UserID, before model.TweetID, limit int) (items []CardOf, next model.TweetID, err error) {
	defer errs.Wrap(&err, "store.TweetsBy(%q)", author)
	if before == "" && limit <= model.RecentTweets {
		var recent model.UserRecent
		if _, err := s.get(ctx, s.userRecent(author), &recent); err != nil {
			return nil, "", err
		}
		items, more := take(nil, recent.Tweets, "", limit)
		all := len(recent.Tweets) < model.RecentTweets
		if more || len(items) == limit && !all {
			next = items[len(items)-1].ID
		}
		if next != "" || all {
			return items, next, nil
		}
		// Some of the recent ones are not shown: the months have more.
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
		var more bool
		if items, more = take(items, month.Tweets, before, limit); more || len(items) == limit {
			return items, items[len(items)-1].ID, nil
		}
		q = q.StartAfter(month.Month)
	}
}

// take adds the newest cards that are older than before to items, up to limit in
// all, and tells whether some are left over.
func take(items []CardOf, cards map[model.TweetID]model.Card, before model.TweetID, limit int) ([]CardOf, bool) {
	for _, id := range model.Newest(cards, 0) {
		if before != "" && id.Compare(before) >= 0 || cards[id].IsViolative {
			continue
		}
		if len(items) == limit {
			return items, true
		}
		items = append(items, CardOf{ID: id, Card: cards[id]})
	}
	return items, false
}

func (s *Store) tweetMonth(author model.UserID, m model.Month) *firestore.DocumentRef {
	return s.doc(model.TweetMonths, model.MonthKey(author, m))
}
