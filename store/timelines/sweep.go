package timelines

import (
	"context"

	"cloud.google.com/go/firestore"
	"golang.org/x/sync/errgroup"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Sweep stops pushing to readers who have not opened their home timeline for
// model.SleepAfter. It deletes the reader's home document, and marks the reader as asleep
// on the pages of each author whom the reader follows.
//
// Cost: 1 read and 1 delete a reader. 5 reads and at most 1 write an author whom the
// reader follows; several readers who follow one author share a read and the write.
func (w *Writer) Sweep(ctx context.Context) (err error) {
	defer errs.Wrap(&err, "timelines.Sweep")
	for {
		q := w.db.Client.Collection(model.Homes).Where("seenAt", "<", w.db.Time().Add(-model.SleepAfter)).Limit(100)
		snaps, err := q.Documents(ctx).GetAll()
		if err != nil || len(snaps) == 0 {
			return err
		}
		g, side := errgroup.WithContext(ctx)
		for _, snap := range snaps {
			g.Go(func() error {
				_, err := snap.Ref.Delete(side, firestore.LastUpdateTime(snap.UpdateTime))
				if db.Outdated(err) || db.NotFound(err) {
					return nil // the reader looks at this moment, or another sweep was first
				}
				if err != nil {
					return err
				}
				return w.withFollowed(side, model.UserID(snap.Ref.ID), func(ctx context.Context, follower, author model.UserID) error {
					_, err := w.sleepers.Do(ctx, author, follower)
					return err
				})
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
}

// sleep marks followers on an author's pages as asleep, unless a follower is awake again
// or has left. A mark that is missing, or on the wrong page while the author's page is
// split, costs needless writes and nothing else.
//
// Cost: 3 reads a follower, and 1 write a page.
func (w *Writer) sleep(ctx context.Context, author model.UserID, followers []model.UserID) ([]struct{}, error) {
	first, err := w.firstPage(ctx, author)
	if err != nil {
		return nil, err
	}
	l := first.layout()
	var refs []*firestore.DocumentRef
	for _, f := range followers {
		refs = append(refs, w.db.Home(f), w.db.Doc(model.Wakes, string(f)), w.db.Relationship(f, author))
	}
	err = w.db.Client.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		pages := map[string]map[string]any{}
		for i, f := range followers {
			if snaps[3*i].Exists() || snaps[3*i+1].Exists() || !snaps[3*i+2].Exists() {
				continue
			}
			page := l.pagesOf(author, f)[0]
			if pages[page] == nil {
				pages[page] = map[string]any{}
			}
			pages[page][string(f)] = true
		}
		for page, asleep := range pages {
			if err := tx.Set(w.db.Doc(model.FollowerPages, page), map[string]any{"asleep": asleep}, firestore.MergeAll); err != nil {
				return err
			}
		}
		return nil
	})
	return make([]struct{}, len(followers)), err
}
