package timelines

import (
	"context"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// MarkDormant marks a reader as dormant on the pages of each followed author, so that fan-outs stop pushing to the
// reader. It also lists these authors in documents, so that the reader's next home page need not read every
// relationship. MarkDormant ends at once if the reader came back.
//
// Cost: 6 reads and at most 1 write a followed author; 3 reads, 2 writes and 1 delete a step.
func (w *Rebuilder) MarkDormant(ctx context.Context, work model.DormancyWork) (err error) {
	defer errs.Wrap(&err, "timelines.MarkDormant(%q)", work.UserID)
	step, current, err := w.db.Begin(ctx, w.db.Doc(model.Dormancies, string(work.UserID)), work.WrittenAt)
	if err != nil || !current {
		return err
	}
	if rebuilt, err := w.rebuilt(ctx, work.UserID); err != nil {
		return err
	} else if rebuilt {
		return step.End(ctx, func(b *db.Batch) {
			for _, page := range dormantPages(w.db, work.UserID, work.Pages) {
				b.Delete(page)
			}
		})
	}
	authors := map[string]model.TweetID{}
	next := work.After
	for {
		var some []model.UserID
		if some, next, err = w.withFollowed(ctx, work.UserID, next, followedAtOnce, w.timelines.markDormant); err != nil {
			return err
		}
		if err := w.noteNewest(ctx, some, authors); err != nil {
			return err
		}
		if next.IsZero() || step.Over() || len(authors) >= authorsPerPage {
			break
		}
	}
	list := func(b *db.Batch) {
		setDormantPage(b, w.db, work.UserID, work.Pages, authors)
	}
	if !next.IsZero() {
		return step.Save(ctx, map[string]any{fields.After: next, fields.Pages: work.Pages + 1}, list)
	}
	return step.End(ctx, func(b *db.Batch) {
		list(b)
		setDormantRoot(b, w.db, model.DormantFollower{UserID: work.UserID, Since: work.Since, Pages: work.Pages + 1})
	})
}

// authorsPerPage is the number of authors that one document lists. With uids of 128 characters the document has 740 KB.
const authorsPerPage = 5_000

// noteNewest stores the newest tweet of each of some authors in authors.
//
// Cost: 1 read an author.
func (w *Rebuilder) noteNewest(ctx context.Context, some []model.UserID, authors map[string]model.TweetID) error {
	heads, err := w.previews.Heads(ctx, some)
	for _, author := range some {
		authors[string(author)] = ""
		if head := heads[author]; head != nil {
			for _, id := range head.Posts()[:min(1, len(head.Posts()))] {
				authors[string(author)] = id
			}
		}
	}
	return err
}

// rebuilt reports whether a reader came back, so that the home timeline is kept up or soon will be.
//
// Cost: 2 reads.
func (w *Rebuilder) rebuilt(ctx context.Context, uid model.UserID) (bool, error) {
	var l db.Lookup
	home, work := db.Find[struct{}](&l, w.db.Home(uid)), db.Find[struct{}](&l, w.db.Doc(model.Rebuilds, string(uid)))
	err := w.db.Read(ctx, &l)
	return home.Found || work.Found, err
}
