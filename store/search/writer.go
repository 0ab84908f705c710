package search

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
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
// tweet, if this process knows that the author is gone. Otherwise what [Writer.Index] costs.
func (w *Writer) Update(ctx context.Context, id model.TweetID, before, after *model.Tweet) error {
	if !before.Searchable() && !after.Searchable() || after == nil && w.db.KnowsGone(before.AuthorID) {
		return nil
	}
	return w.Index(ctx, id)
}

// Index makes the document of a tweet agree with the tweet as it is now, whatever an event says.
//
// Index writes what the tweet makes, and then looks whether the tweet is still that. A tweet
// that changes later has an event whose call writes later. So the last write of all calls for a
// tweet is right, in whatever order they come, and without a lock that likes would wait for.
//
// Cost: 3 reads and 1 write; 2 reads and 1 delete for a tweet that no search finds. 1 read, 1
// write and 2 reads more for each change meanwhile.
func (w *Writer) Index(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "search.Index(%q)", id)
	t, err := w.searchable(ctx, id)
	for err == nil {
		if err = w.write(ctx, id, t); err != nil {
			return err
		}
		was := t
		if t, err = w.searchable(ctx, id); err == nil && same(t, was) {
			return nil
		}
	}
	return err
}

// searchable reads a tweet past the cache; nil if no search finds it.
//
// Cost: 1 read.
func (w *Writer) searchable(ctx context.Context, id model.TweetID) (*model.Tweet, error) {
	t := &model.Tweet{ID: id}
	found, err := w.db.Get(ctx, w.db.Tweet(id), t)
	if !found || !t.Searchable() {
		return nil, err
	}
	return t, err
}

// write writes the document of a tweet; nil has none. The text is read after the tweet, so the text is not older than
// the tweet.
//
// Cost: 1 read and 1 write; 1 delete for nil.
func (w *Writer) write(ctx context.Context, id model.TweetID, t *model.Tweet) error {
	ref := w.db.Doc(model.SearchDocs, model.SearchKey(id))
	var d model.TweetDetail
	found := false
	if t != nil {
		var err error
		if found, err = w.db.Get(ctx, w.db.Doc(model.TweetDetails, string(id)), &d); err != nil {
			return err
		}
	}
	if !found {
		_, err := ref.Delete(ctx)
		return err
	}
	_, err := ref.Set(ctx, DocOf(t, d.Content))
	return err
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
