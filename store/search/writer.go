package search

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Writer keeps the documents by which tweets are found. Functions and audit have it.
type Writer struct {
	*Reader
}

// NewWriter returns the writer of a reader's database.
func NewWriter(r *Reader) *Writer { return &Writer{r} }

// Update makes the document of a tweet that was posted, changed or deleted agree with the
// tweet. before and after are the tweet as its event says; one of them may be nil. A tweet
// that no search finds, before and after, has an event of its own when that changes.
//
// The documents of an author who has left are removed by the leaving.
//
// Cost: nothing for a tweet that no search finds, before and after; nothing for a deleted
// tweet, if this process knows that the author is gone; 1 read and 1 delete for a tweet that
// no search finds any more. Otherwise what [Writer.Index] costs.
func (w *Writer) Update(ctx context.Context, id model.TweetID, before, after *model.Tweet) (err error) {
	defer errs.Wrap(&err, "search.Update(%q)", id)
	switch {
	case !before.Searchable() && !after.Searchable() || after == nil && w.db.KnowsGone(before.AuthorID):
		return nil
	case !after.Searchable():
		return w.write(ctx, id, nil, nil) // if the event is late, write sees that
	}
	return w.Index(ctx, id)
}

// Index makes the document of a tweet agree with the tweet as it is now, whatever an event says.
//
// Index writes what the tweet makes, and then looks whether the tweet is still that. A tweet
// that changes later has an event whose call writes later. So the last write of all calls for a
// tweet is right, in whatever order they come, and without a lock that likes would wait for.
// What a call that was killed wrote last may be of an old version; no search shows it.
//
// Cost: 3 reads and 1 write; 3 reads and 1 delete for a tweet that no search finds. 3 reads and
// 1 write more for each change meanwhile.
func (w *Writer) Index(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "search.Index(%q)", id)
	t, d, err := w.read(ctx, id)
	if err != nil {
		return err
	}
	return w.write(ctx, id, t, d)
}

// read reads a tweet past the cache, and makes its document; nil if no search finds it. The text
// is of the same moment: that of a later version may be for fewer people.
//
// Cost: 2 reads.
func (w *Writer) read(ctx context.Context, id model.TweetID) (*model.Tweet, *model.SearchDoc, error) {
	snaps, err := w.db.Client.GetAll(ctx, []*firestore.DocumentRef{w.db.Tweet(id), w.db.Doc(model.TweetDetails, string(id))})
	if err != nil {
		return nil, nil, err
	}
	t := &model.Tweet{ID: id}
	var text model.TweetDetail
	if found, err := db.Decode(snaps[0], nil)(t); err != nil || !found || !t.Searchable() {
		return nil, nil, err
	}
	if found, err := db.Decode(snaps[1], nil)(&text); err != nil || !found {
		return t, nil, err
	}
	return t, DocOf(t, text.Content), nil
}

// write writes the document of a tweet, and looks whether the tweet is still that. If it is not,
// write begins again.
//
// Cost: 1 read, and 1 write or delete; 3 reads and 1 write or delete more for each change.
func (w *Writer) write(ctx context.Context, id model.TweetID, t *model.Tweet, d *model.SearchDoc) (err error) {
	ref := w.db.Doc(model.SearchDocs, model.SearchKey(id))
	for {
		if d == nil {
			_, err = ref.Delete(ctx)
		} else {
			_, err = ref.Set(ctx, d)
		}
		if err != nil {
			return err
		}
		now := &model.Tweet{ID: id}
		if found, err := w.db.Get(ctx, w.db.Tweet(id), now); err != nil {
			return err
		} else if !found || !now.Searchable() {
			now = nil
		}
		if same(now, t) {
			return nil
		}
		if t, d, err = w.read(ctx, id); err != nil {
			return err
		}
	}
}

// same tells whether two versions of a tweet are found by the same; nil is found by nothing. An
// edit makes another revision.
func same(t, other *model.Tweet) bool {
	if t == nil || other == nil {
		return t == other
	}
	return t.Card().Equal(other.Card())
}

// Digest is a text that is the same for two documents that say the same; nil for none. It says
// how many terms there are.
func Digest(d *model.SearchDoc) any {
	if d == nil {
		return nil
	}
	text, err := json.Marshal(d) // keys of a map are sorted
	if err != nil {
		panic(err) // texts and booleans
	}
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%d terms, %x", len(d.Terms), sum[:8])
}
