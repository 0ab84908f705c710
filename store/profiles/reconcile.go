package profiles

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// reconciling is a month as it was read, in which previews are reconciled.
type reconciling struct {
	authorMonth
	ref      *firestore.DocumentRef
	root     model.TweetMonth
	overflow map[string]*overflow // overflow documents whose range has a tweet
}

// overflow is an overflow document as it was read.
type overflow struct {
	ref       *firestore.DocumentRef
	writtenAt time.Time
	previews  map[model.TweetID]model.TweetPreview
}

// reconcilePreviews puts previews into a month and reconciles the previews of other tweets. It stores in reconciled
// whether those tweets exist.
func (w *Writer) reconcilePreviews(ctx context.Context, m authorMonth, put map[string]any,
	reconciled map[model.TweetID]bool) error {
	for {
		s, err := w.readReconciling(ctx, m, reconciled)
		if err != nil {
			return err
		}
		done := s != nil
		if done {
			done, err = w.tryReconcile(ctx, s, put, reconciled)
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
		put = nil // already written
		// An overflow may have moved an old preview to an overflow document meanwhile.
		var again model.TweetMonth
		if _, err := w.db.Get(ctx, s.ref, &again); err != nil || maps.Equal(again.Pages, s.root.Pages) {
			return err
		}
	}
}

// readReconciling reads a month's own document, and the overflow documents whose range has a tweet of reconciled. It
// returns nil if a listed overflow document does not exist. Then the month no longer lists that document, and the
// caller reads the month again.
//
// Cost: 1 read, and 1 read for each overflow document.
func (w *Writer) readReconciling(ctx context.Context, m authorMonth, reconciled map[model.TweetID]bool) (*reconciling,
	error) {
	s := &reconciling{authorMonth: m, ref: w.tweetMonth(m), overflow: map[string]*overflow{}}
	read, err := db.As[model.TweetMonth](s.ref.Get(ctx))
	if err != nil {
		return nil, err
	}
	s.root = read.Doc
	var l db.Lookup
	pages := map[string]*db.Found[model.TweetMonth]{}
	for n, p := range s.root.Pages {
		for id := range reconciled {
			if p.Has(id.Position()) {
				pages[n] = db.Find[model.TweetMonth](&l, w.buckets[m.audiencePartition].Page(s.ref.ID, n))
				break
			}
		}
	}
	if err := w.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	for n, page := range pages {
		if !page.Found {
			// If this update fails, the month no longer lists the document and has another update time.
			_, err := s.ref.Update(ctx, []firestore.Update{{FieldPath: firestore.FieldPath{fields.Pages, n},
				Value: firestore.Delete}},
				firestore.LastUpdateTime(read.Snap.UpdateTime))
			if db.Outdated(err) || db.NotFound(err) {
				err = nil
			}
			return nil, err
		}
		s.overflow[n] = &overflow{page.Snap.Ref, page.Snap.UpdateTime, page.Doc.Tweets}
	}
	return s, nil
}

// tryReconcile reconciles previews of a month. It returns false if another process wrote one of the overflow documents
// meanwhile. If the tweet belongs to the audience partition, its preview goes to the overflow document with the tweet's
// range. The preview goes to the month itself if there is no such document, or no room in it. The next overflow then
// moves the preview to its document.
func (w *Writer) tryReconcile(ctx context.Context, s *reconciling, put map[string]any,
	reconciled map[model.TweetID]bool) (bool, error) {
	var dropped map[string]any // overflow documents without previews
	err := w.db.Transact(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var l db.Lookup
		tweets := make(map[model.TweetID]*db.Found[model.Tweet], len(reconciled))
		for id := range reconciled {
			tweets[id] = db.Find[model.Tweet](&l, w.db.Tweet(id))
		}
		err := l.ReadIn(tx)
		if err != nil {
			return err
		}
		previews, added, marked := map[string]any{}, len(put), len(put) > 0
		maps.Copy(previews, put)
		pages := map[string]map[model.TweetID]model.TweetPreview{} // new content of the overflow documents
		for n, o := range s.overflow {
			pages[n] = map[model.TweetID]model.TweetPreview{}
			maps.Copy(pages[n], o.previews)
		}
		changes := map[string][]firestore.Update{}
		for id, found := range tweets {
			t := &found.Doc
			reconciled[id] = found.Found
			on := t.AudiencePartition() == s.audiencePartition // a tweet that is gone is in no audience partition
			marked = marked || on
			position := "" // the month itself
			for _, n := range slices.Sorted(maps.Keys(s.overflow)) {
				if !s.root.Pages[n].Has(id.Position()) {
					continue
				}
				_, there := pages[n][id]
				change := firestore.Update{FieldPath: firestore.FieldPath{fields.Tweets, string(id)}, Value: firestore.Delete}
				delete(pages[n], id)
				if position == "" && on && (there || len(pages[n]) < w.buckets[s.audiencePartition].Limit()) {
					position, change.Value, pages[n][id] = n, t.Preview(), t.Preview()
				}
				changes[n] = append(changes[n], change)
			}
			previews[string(id)] = firestore.Delete
			if on && position == "" {
				previews[string(id)] = t.Preview()
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
		merge := previewMerge(s.authorMonth, previews, added)
		if len(dropped) > 0 {
			merge[fields.Pages] = dropped
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
