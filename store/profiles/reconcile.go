package profiles

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// settling is a month as it was read to settle cards in it.
type settling struct {
	authorMonth
	ref      *firestore.DocumentRef
	root     model.TweetMonth
	overflow map[string]*overflow // overflow documents in whose range a tweet is
}

// overflow is an overflow document as it was read.
type overflow struct {
	ref       *firestore.DocumentRef
	writtenAt time.Time
	cards     map[model.TweetID]model.Card
}

// settleCards puts some cards into a month and settles the cards of other tweets. It
// notes in settled whether those tweets are there.
func (w *Writer) settleCards(ctx context.Context, m authorMonth, put map[string]any, settled map[model.TweetID]bool) error {
	for {
		s, err := w.readSettling(ctx, m, settled)
		if err != nil {
			return err
		}
		done := s != nil
		if done {
			done, err = w.trySettle(ctx, s, put, settled)
		}
		switch {
		case err != nil:
			return err
		case !done:
			if err := db.Pause(ctx, rand.N(50*time.Millisecond)); err != nil {
				return err
			}
			continue
		}
		put = nil // put already
		// A spill may have moved an old card to an overflow document meanwhile.
		var again model.TweetMonth
		if _, err := w.db.Get(ctx, s.ref, &again); err != nil || maps.Equal(again.Pages, s.root.Pages) {
			return err
		}
	}
}

// readSettling reads a month's own document, and the overflow documents in whose range a
// tweet of settled is. It answers nil if an overflow document is listed and not there; then
// the month is to be read again, and does not list the overflow document any more.
//
// Cost: 1 read, and 1 read for each overflow document.
func (w *Writer) readSettling(ctx context.Context, m authorMonth, settled map[model.TweetID]bool) (*settling, error) {
	s := &settling{authorMonth: m, ref: w.tweetMonth(m), overflow: map[string]*overflow{}}
	read, err := s.ref.Get(ctx)
	if _, err := db.Decode(read, err)(&s.root); err != nil {
		return nil, err
	}
	var names []string
	var refs []*firestore.DocumentRef
	for n, p := range s.root.Pages {
		for id := range settled {
			if p.Has(id) {
				names, refs = append(names, n), append(refs, w.buckets[m.shelf].Page(s.ref.ID, n))
				break
			}
		}
	}
	if len(refs) == 0 {
		return s, nil
	}
	snaps, err := w.db.Client.GetAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i, n := range names {
		var page model.TweetMonth
		found, err := db.Decode(snaps[i], nil)(&page)
		if err != nil {
			return nil, err
		}
		if !found {
			// Either the month does not list it any more, and has another update time.
			_, err := s.ref.Update(ctx, []firestore.Update{{FieldPath: firestore.FieldPath{"pages", n}, Value: firestore.Delete}},
				firestore.LastUpdateTime(read.UpdateTime))
			if db.Outdated(err) || db.NotFound(err) {
				err = nil
			}
			return nil, err
		}
		s.overflow[n] = &overflow{refs[i], snaps[i].UpdateTime, page.Tweets}
	}
	return s, nil
}

// trySettle settles cards of a month. It answers false if another process wrote one of the
// overflow documents meanwhile. The card of a tweet that belongs on the shelf stands in the overflow document
// that has the tweet's range. It stands in the month itself if there is none, or no room: the
// next spill moves the card to its place.
func (w *Writer) trySettle(ctx context.Context, s *settling, put map[string]any, settled map[model.TweetID]bool) (bool, error) {
	ids := slices.Collect(maps.Keys(settled))
	refs := make([]*firestore.DocumentRef, len(ids))
	for i, id := range ids {
		refs[i] = w.db.Tweet(id)
	}
	var dropped map[string]any // overflow documents without cards
	err := w.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		cards, added, marked := map[string]any{}, len(put), len(put) > 0
		maps.Copy(cards, put)
		pages := map[string]map[model.TweetID]model.Card{} // what the overflow documents will have
		for n, o := range s.overflow {
			pages[n] = map[model.TweetID]model.Card{}
			maps.Copy(pages[n], o.cards)
		}
		changes := map[string][]firestore.Update{}
		for i, id := range ids {
			var t model.Tweet
			if settled[id], err = db.Decode(snaps[i], nil)(&t); err != nil {
				return err
			}
			on := t.Shelf() == s.shelf // a tweet that is gone is on none
			marked = marked || on
			place := "" // the month itself
			for _, n := range slices.Sorted(maps.Keys(s.overflow)) {
				if !s.root.Pages[n].Has(id) {
					continue
				}
				_, there := pages[n][id]
				change := firestore.Update{FieldPath: firestore.FieldPath{"tweets", string(id)}, Value: firestore.Delete}
				delete(pages[n], id)
				if place == "" && on && (there || len(pages[n]) < w.buckets[s.shelf].Limit()) {
					place, change.Value, pages[n][id] = n, t.Card(), t.Card()
				}
				changes[n] = append(changes[n], change)
			}
			cards[string(id)] = firestore.Delete
			if on && place == "" {
				cards[string(id)] = t.Card()
				if _, there := s.root.Tweets[id]; !there {
					added++
				}
			}
		}
		dropped = map[string]any{}
		for n, o := range s.overflow {
			if len(pages[n]) == 0 {
				dropped[n] = firestore.Delete
				err = tx.Delete(o.ref, firestore.LastUpdateTime(o.writtenAt))
			} else {
				err = tx.Update(o.ref, changes[n], firestore.LastUpdateTime(o.writtenAt))
			}
			if err != nil {
				return err
			}
		}
		for ref, mark := range w.followerMarks(s.authorMonth) {
			if !marked {
				break
			}
			if err := tx.Set(ref, mark, firestore.MergeAll); err != nil {
				return err
			}
		}
		merge := cardMerge(s.authorMonth, cards, added)
		if len(dropped) > 0 {
			merge["pages"] = dropped
		}
		return tx.Set(s.ref, merge, firestore.MergeAll)
	})
	if db.Outdated(err) || db.NotFound(err) {
		return false, nil
	}
	for n := range dropped {
		delete(s.root.Pages, n)
	}
	return err == nil, err
}
