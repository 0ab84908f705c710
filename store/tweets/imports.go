package tweets

import (
	"context"
	"errors"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/internal/mentions"
)

// Import is a tweet that an administrator posts in the name of a user.
type Import struct {
	ID     model.TweetID // empty for a new tweet of this moment, which notifies as every tweet does
	Author model.UserID
	Draft  *model.CleanDraft // without media and without a poll
	Digest string            // of the request; only of a tweet with an ID
}

// Import writes a tweet in the name of a user. With an ID the tweet is imported: its time is that of the ID, and it
// notifies nobody. The same request with an ID may come any number of times, and later answers with the tweet as it is
// by then. Another request with the ID is errs.Exists (tweet_exists). The commit includes the writes that also adds; a
// repetition has none.
//
// An ID of the future is errs.Invalid, and so is a reply that is no newer than its parent. A deleted tweet is errs.Gone
// and does not come back. Other errors are those of [Store.Post]. A reply does not wait for approval.
//
// A transaction reads the tweet and its tombstone. So of an import and a deletion at the same moment, one sees the
// other.
//
// Cost: 4 reads, 2 writes, and the cost of [mentions.Find]; a profile that is not cached 1 read more, a reply or a
// quote 2 reads more, and another 1 if only followers may. Without an ID 2 reads less. A repetition 4 reads.
func (s *Store) Import(ctx context.Context, i Import,
	also func(*firestore.Transaction, model.TweetID) error) (made *FullTweet, err error) {
	defer errs.Wrap(&err, "tweets.Import(%q, %q)", i.Author, i.ID)
	if i.ID != "" {
		if err := model.ValidateImportID(i.Author, i.ID, s.db.Now()); err != nil {
			return nil, err
		}
		// The tweet may exist although its author or its parent is gone by now.
		if made, err = s.imported(ctx, i); made != nil || err != nil {
			return made, err
		}
	}
	begun := s.db.Now()
	t, detail, err := s.importOf(ctx, i)
	if err != nil {
		return nil, err
	}
	refs := []*firestore.DocumentRef{s.db.Tweet(t.ID), s.db.Doc(model.Tombstones, string(t.ID))}
	there := false
	err = s.db.Transact(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		snaps, err := tx.GetAll(refs)
		if err != nil {
			return err
		}
		if there = snaps[0].Exists() || snaps[1].Exists(); there {
			return nil
		}
		return errors.Join(tx.Create(s.db.Doc(model.TweetDetails, string(t.ID)), detail), tx.Create(refs[0], t),
			also(tx, t.ID))
	})
	switch {
	case err != nil:
		return nil, err
	case there && i.ID != "":
		return s.imported(ctx, i)
	case there: // the answer to the commit was lost, or another process took the id
		if own, err := s.written(ctx, t, detail); err != nil {
			return nil, err
		} else if !own {
			return nil, errs.New(errs.Unavailable, "", "another process took the id of this tweet; send it once more")
		}
	}
	mentions.Anew(ctx, s.db, s.o.Log, t, begun.Add(s.o.CacheTTL))
	return &FullTweet{Tweet: t, Content: detail.Content}, nil
}

// importOf makes the documents of an import.
func (s *Store) importOf(ctx context.Context, i Import) (t *model.Tweet, detail *model.TweetDetail, err error) {
	profile, err := s.Profile(ctx, i.Author)
	if err != nil {
		return nil, nil, err
	}
	found := mentions.Start(ctx, s.db, s.o.Local, i.Author, i.Draft.Names())
	defer func() { _, _ = found() }()
	id := i.ID
	if id == "" {
		id = s.ids.Next(i.Author)
	}
	var parent *model.Tweet
	if i.Draft.ReplyTo() != nil {
		e, err := s.answered(ctx, i.Author, i.Draft)
		if err != nil {
			return nil, nil, err
		}
		if parent = e.Tweet; id.Compare(parent.ID) <= 0 {
			return nil, nil, errs.New(errs.Invalid, "invalid_tweet_id",
				"a reply is newer than what it answers: tweet %q is of %s",
				parent.ID, parent.CreatedAt)
		}
	}
	mentioned, err := found()
	if err != nil {
		return nil, nil, err
	}
	if t, detail, err = i.Draft.Tweet(id, profile, parent, mentioned); err != nil {
		return nil, nil, err
	}
	t.Imported = i.Digest
	s.o.Digests.Unheard(t)
	return t, detail, s.quote(ctx, i.Author, i.Draft, t)
}

// imported returns the tweet of an earlier import with the same ID; nil if there is none.
//
// Cost: 2 reads; 2 reads more for a tweet that exists, or existed.
func (s *Store) imported(ctx context.Context, i Import) (*FullTweet, error) {
	var l db.Lookup
	is, stone := db.Find[model.Tweet](&l, s.db.Tweet(i.ID)),
		db.Find[struct{}](&l, s.db.Doc(model.Tombstones, string(i.ID)))
	if err := s.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	switch viewer := (model.Viewer{ID: i.Author, Role: model.Administrator}); {
	case is.Found && is.Doc.AuthorID == i.Author && is.Doc.Imported == i.Digest && i.Digest != "":
		return s.Tweet(ctx, i.ID, viewer)
	case is.Found:
		return nil, errs.New(errs.Exists, "tweet_exists", "tweet %q exists, and another request made it", i.ID)
	case stone.Found:
		return nil, s.Gone(ctx, viewer, i.ID)
	}
	return nil, nil
}
