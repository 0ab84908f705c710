package cards

import (
	"context"
	"maps"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Put writes a tweet's card into its author's month as it was when its event
// happened: 1 write, for all cards that come within a second together. Settle must
// follow, for the tweet may have changed since.
func (s *Writer) Put(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "cards.Put(%q)", t.ID)
	_, err = s.puts.Do(ctx, authorMonth{t.AuthorID, t.ID.Month()}, cardWrite{t.ID, new(t.Card())})
	return err
}

// SettleCard makes the card of a tweet in its author's month agree with the tweet
// as it is now, in one transaction that reads the tweet alone: 3 reads and 1
// write, or 2 for a tweet that has moved to an overflow page. For another within the same
// second it is 1 read more. It tells whether the tweet is there.
func (s *Writer) SettleCard(ctx context.Context, author model.UserID, id model.TweetID) (found bool, err error) {
	defer errs.Wrap(&err, "cards.SettleCard(%q)", id)
	return s.puts.Do(ctx, authorMonth{author, id.Month()}, cardWrite{id: id})
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
func (s *Writer) writeCards(ctx context.Context, m authorMonth, writes []cardWrite) ([]bool, error) {
	put, settled := map[string]any{}, map[model.TweetID]bool{}
	for _, w := range writes {
		if w.put != nil {
			put[string(w.id)] = *w.put
		} else {
			settled[w.id] = false
		}
	}
	ctx, grown := bucket.Watch(ctx)
	if len(settled) == 0 {
		if _, err := s.tweetMonth(m).Set(ctx, cardMerge(m, put, len(put)), firestore.MergeAll); err != nil {
			return nil, err
		}
	} else if err := s.settleCards(ctx, m, put, settled); err != nil {
		return nil, err
	}
	found := make([]bool, len(writes))
	for i, w := range writes {
		found[i] = settled[w.id]
	}
	return found, s.buckets.AskSpills(ctx, grown)
}

// settleCards puts some cards and settles those of other tweets, and notes whether these
// are there.
func (s *Writer) settleCards(ctx context.Context, m authorMonth, put map[string]any, settled map[model.TweetID]bool) error {
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

func (s *Writer) trySettleCards(ctx context.Context, m authorMonth, put map[string]any, settled map[model.TweetID]bool, pages map[string]model.BucketPage) error {
	bucket := s.tweetMonth(m)
	ids := slices.Collect(maps.Keys(settled))
	refs := make([]*firestore.DocumentRef, len(ids))
	for i, id := range ids {
		refs[i] = s.db.Tweet(id)
	}
	return s.db.Client.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		cards := map[string]any{}
		maps.Copy(cards, put)
		for i, id := range ids {
			var t model.Tweet
			var card any = firestore.Delete
			if settled[id], err = db.Decode(snaps[i], nil)(&t); err != nil {
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
			if err := tx.Set(s.db.Doc(model.TweetMonths, bucket.ID+"_"+n), map[string]any{"tweets": gone}, firestore.MergeAll); err != nil {
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
		merge[bucket.SizeField] = firestore.Increment(put)
	}
	return merge
}

func (s *Writer) monthRoot(ctx context.Context, m authorMonth) (root model.TweetMonth, err error) {
	_, err = s.db.Get(ctx, s.tweetMonth(m), &root)
	return root, err
}
