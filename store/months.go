package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
)

// PutCard writes a tweet's card into its author's month as it was when its event
// happened: 1 write, for all cards that come within a second together. Settle must
// follow, for the tweet may have changed since.
func (s *Store) PutCard(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "store.PutCard(%q)", t.ID)
	_, err = s.cards.do(ctx, authorMonth{t.AuthorID, t.ID.Month()}, cardWrite{t.ID, new(t.Card())})
	return err
}

// SettleCard makes the card of a tweet in its author's month agree with the tweet
// as it is now, in one transaction that reads the tweet alone: 3 reads and 1
// write, or 2 for a tweet that has moved to an overflow page. For another within the same
// second it is 1 read more. It tells whether the tweet is there.
func (s *Store) SettleCard(ctx context.Context, author model.UserID, id model.TweetID) (held bool, err error) {
	defer errs.Wrap(&err, "store.SettleCard(%q)", id)
	return s.cards.do(ctx, authorMonth{author, id.Month()}, cardWrite{id: id})
}

// authorMonth names a month of an author's tweets.
type authorMonth struct {
	author model.UserID
	month  model.Month
}

// cardWrite is a card to be put into a month, or without one, a tweet whose card is to be
// settled.
type cardWrite struct {
	id  model.TweetID
	put *model.Card
}

// cardsTogether is how many bytes of cards are written at once: a month must have been spilt
// before it has 1 MiB.
const cardsTogether = 64 << 10

// weight is about how many bytes a card has, and more than most for one that is not known.
func (w cardWrite) weight() int {
	if w.put == nil {
		return cardsTogether / 16
	}
	n := 200 + len(w.put.Summary) + len(w.put.Snippet)
	for _, tag := range w.put.Tags {
		n += len(tag)
	}
	return n
}

// writeCards puts and settles cards in a month, and tells of those that are settled
// whether the tweets are there.
func (s *Store) writeCards(ctx context.Context, m authorMonth, writes []cardWrite) ([]bool, error) {
	put, settled := map[string]any{}, map[model.TweetID]bool{}
	for _, w := range writes {
		if w.put != nil {
			put[string(w.id)] = *w.put
		} else {
			settled[w.id] = false
		}
	}
	ctx, grown := watchSizes(ctx)
	if len(settled) == 0 {
		if _, err := s.tweetMonth(m).Set(ctx, cardMerge(m, put, len(put)), firestore.MergeAll); err != nil {
			return nil, err
		}
	} else if err := s.settleCards(ctx, m, put, settled); err != nil {
		return nil, err
	}
	held := make([]bool, len(writes))
	for i, w := range writes {
		held[i] = settled[w.id]
	}
	return held, s.askSpills(ctx, s.monthBuckets, grown)
}

// settleCards puts some cards and settles those of other tweets, and notes whether these
// are there.
func (s *Store) settleCards(ctx context.Context, m authorMonth, put map[string]any, settled map[model.TweetID]bool) error {
	for {
		month, err := s.monthRoot(ctx, m)
		if err != nil {
			return err
		}
		if err := s.trySettleCards(ctx, m, put, settled, month.Pages); err != nil {
			return err
		}
		// A spill may have moved an old card meanwhile.
		again, err := s.monthRoot(ctx, m)
		if err != nil || len(again.Pages) == len(month.Pages) {
			return err
		}
		put = nil // they are there
	}
}

func (s *Store) trySettleCards(ctx context.Context, m authorMonth, put map[string]any, settled map[model.TweetID]bool, pages map[string]model.BucketPage) error {
	bucket := s.tweetMonth(m)
	ids := slices.Collect(maps.Keys(settled))
	refs := make([]*firestore.DocumentRef, len(ids))
	for i, id := range ids {
		refs[i] = s.tweet(id)
	}
	return s.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		cards := map[string]any{}
		maps.Copy(cards, put)
		for i, id := range ids {
			var t model.Tweet
			var card any = firestore.Delete
			if settled[id], err = decode(snaps[i], nil)(&t); err != nil {
				return err
			}
			if settled[id] {
				card = t.Card()
			}
			cards[string(id)] = card
		}
		for n, p := range pages {
			gone := map[string]any{}
			for _, id := range ids {
				if id.Compare(p.Oldest) >= 0 && id.Compare(p.Newest) <= 0 {
					gone[string(id)] = firestore.Delete
				}
			}
			if len(gone) == 0 {
				continue
			}
			if err := tx.Set(s.doc(model.TweetMonths, bucket.ID+"_"+n), map[string]any{"tweets": gone}, firestore.MergeAll); err != nil {
				return err
			}
		}
		return tx.Set(bucket, cardMerge(m, cards, len(put)), firestore.MergeAll)
	})
}

// cardMerge is some cards, and deletions of cards, as a merge into a month, which counts
// how many are put.
func cardMerge(m authorMonth, cards map[string]any, put int) map[string]any {
	merge := map[string]any{"userId": m.author, "month": m.month, "tweets": cards}
	if put > 0 {
		merge[sizeField] = firestore.Increment(put)
	}
	return merge
}

func (s *Store) monthRoot(ctx context.Context, m authorMonth) (root model.TweetMonth, err error) {
	_, err = s.get(ctx, s.tweetMonth(m), &root)
	return root, err
}

// windowCards reads an author's cards of the months that a home timeline shows, and
// tells when its window begins: a read for each month, and each overflow page.
func (s *Store) windowCards(ctx context.Context, author model.UserID) (_ map[model.TweetID]model.Card, oldest time.Time, err error) {
	oldest, months := s.window()
	refs := make([]*firestore.DocumentRef, len(months))
	for i, m := range months {
		refs[i] = s.tweetMonth(authorMonth{author, m})
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

func (s *Store) tweetMonth(m authorMonth) *firestore.DocumentRef {
	return s.doc(model.TweetMonths, model.MonthKey(m.author, m.month))
}
