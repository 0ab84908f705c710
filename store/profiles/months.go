package profiles

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/bucket"
)

// Put writes a tweet's card into its author's month, as the tweet was when its event
// happened. The tweet may have changed since, so [Writer.Settle] must follow. Cards that
// come within a second are written together. A tweet on no shelf has no card.
//
// If the event is late, the tweet has most likely been edited or deleted by now, or an earlier delivery failed. Then Put
// writes no card from the event: whoever may not see the tweet any more would see the card until Settle. Put settles the
// card instead.
//
// Cost: 1 write; 3 writes for a tweet for followers. A late event costs what [Writer.SettleCard] costs.
func (w *Writer) Put(ctx context.Context, t *model.Tweet) (err error) {
	defer errs.Wrap(&err, "profiles.Put(%q)", t.ID)
	if t.Shelf() == model.NoShelf {
		return nil
	}
	card := cardWrite{t.ID, new(t.Card())}
	if w.db.Time().Sub(t.ID.Time()) > lateAfter {
		card.put = nil
	}
	_, err = w.puts.Do(ctx, authorMonth{t.AuthorID, t.ID.Month(), t.Shelf()}, card)
	return err
}

// lateAfter is the age of a new tweet from which on its event counts as late. Most events
// come within 2 s.
const lateAfter = 10 * time.Second

// SettleCard makes the card of a tweet in its author's month on a shelf agree with the tweet
// as it is now: a tweet that belongs on the shelf has a card there, and every other has none. It
// tells whether the tweet is there. The transaction reads the tweet alone, and writes blind
// into the month. Cards that come within a second are settled together.
//
// Each shelf is settled by itself. A tweet that moves from one to the other has an event that
// names both, see [Writer.Update]. So whoever handles an event that names one shelf need not
// look at the other.
//
// Cost: 3 reads and 1 write; 1 write more for a tweet in the range of an overflow
// document, and 2 more for a tweet for followers.
// Each further tweet within the same second costs 1 read.
func (w *Writer) SettleCard(ctx context.Context, author model.UserID, id model.TweetID, shelf model.Shelf) (found bool, err error) {
	defer errs.Wrap(&err, "profiles.SettleCard(%q, %d)", id, shelf)
	return w.puts.Do(ctx, authorMonth{author, id.Month(), shelf}, cardWrite{id: id})
}

// cardWrite is a card that is put into a month. Without a card it is a tweet whose card
// is settled.
type cardWrite struct {
	id  model.TweetID
	put *model.Card
}

// cardsTogether is how many bytes of cards are written at once. The limit leaves a month
// time to spill before it has 1 MiB.
const cardsTogether = 64 << 10

// weight is about how many bytes a card has. A card that is to be settled is not known
// yet, and weighs more than most cards.
func (c cardWrite) weight() int {
	if c.put == nil {
		return cardsTogether / 16
	}
	n := 200 + len(c.put.Summary) + len(c.put.Snippet) + len(c.put.SnippetTree)
	for _, tag := range c.put.Tags {
		n += len(tag)
	}
	return n
}

// writeCards puts and settles cards in a month. For each card that it settles, it tells
// whether the tweet is there.
func (w *Writer) writeCards(ctx context.Context, m authorMonth, writes []cardWrite) ([]bool, error) {
	put, settled := map[string]any{}, map[model.TweetID]bool{}
	for _, write := range writes {
		if write.put != nil {
			put[string(write.id)] = *write.put
		} else {
			settled[write.id] = false
		}
	}
	ctx, grown := bucket.Watch(ctx)
	if len(settled) == 0 {
		b := w.db.Batch()
		b.Set(w.tweetMonth(m), cardMerge(m, put, len(put)), firestore.MergeAll)
		for ref, mark := range w.followerMarks(m) {
			b.Set(ref, mark, firestore.MergeAll)
		}
		if _, err := b.Commit(ctx); err != nil {
			return nil, err
		}
	} else if err := w.settleCards(ctx, m, put, settled); err != nil {
		return nil, err
	}
	found := make([]bool, len(writes))
	for i, write := range writes {
		found[i] = settled[write.id]
	}
	return found, w.buckets[m.shelf].AskSpills(ctx, grown)
}

// followerMarks are what a commit that puts a card for followers writes into the author's
// open documents: that there is one. So a reader who finds no mark need not look for a month
// for followers. A mark stays when the last such card goes.
func (w *Writer) followerMarks(m authorMonth) map[*firestore.DocumentRef]map[string]any {
	if m.shelf != model.FollowersShelf {
		return nil
	}
	return map[*firestore.DocumentRef]map[string]any{
		w.tweetMonth(authorMonth{m.author, m.month, model.OpenShelf}): {"userId": m.author, "month": m.month, "followers": true},
		w.db.UserRecent(m.author):                                     {"followers": true},
	}
}

// cardMerge is some cards, and deletions of cards, as a merge into a month. The month's
// size counts the put cards.
func cardMerge(m authorMonth, cards map[string]any, put int) map[string]any {
	merge := map[string]any{"userId": m.author, "month": m.month, "tweets": cards}
	if put > 0 {
		merge[bucket.SizeField] = firestore.Increment(put)
	}
	return merge
}
