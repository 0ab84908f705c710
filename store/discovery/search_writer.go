package discovery

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// SearchWriter keeps the documents by which tweets are found. Functions and audit have it.
type SearchWriter struct {
	*Search
}

// NewSearchWriter returns the writer of a reader's database.
func NewSearchWriter(r *Search) *SearchWriter { return &SearchWriter{r} }

// Update makes the document of a tweet that was posted, changed or deleted agree with the tweet. before and after are
// the tweet in its event; one of them may be nil. A tweet that no search finds, before and after, has another event
// when that changes.
//
// The documents of a deleted account are removed by the account deletion. Those in an engine are removed by the events
// of the deleted tweets.
//
// A new tweet that is no longer than its snippet is indexed as its event has it, unless the event is late.
//
// Cost: nothing for a tweet that no search finds, before and after. 1 read and 1 write for a new tweet that is no
// longer than its snippet. Otherwise what [SearchWriter.Index] costs.
func (w *SearchWriter) Update(ctx context.Context, id model.TweetID, before, after *model.Tweet) (err error) {
	defer errs.Wrap(&err, "discovery.Update(%q)", id)
	if !before.Searchable() && !after.Searchable() {
		return nil
	}
	if w.engine == nil { // an engine needs the time of each version of a tweet
		switch {
		case after == nil && w.db.KnowsGone(before.AuthorID):
			return nil
		case !after.Searchable():
			return w.write(ctx, version{id: id}) // if the event is late, write finds out
		case before == nil && model.IsWhole(after.Snippet, after.Length) &&
			w.db.Time().Sub(id.Time()) <= lateAfter:
			return w.write(ctx, version{id: id, tweet: after, doc: DocOf(after, after.Snippet)})
		}
	}
	return w.Index(ctx, id)
}

// lateAfter is the age of a new tweet at which its event counts as late. The tweet was probably edited or deleted
// since, or an earlier delivery failed. An old version would take the place of the present one until the check of
// write.
const lateAfter = 10 * time.Second

// Index makes the document of a tweet agree with the tweet as it is now, whatever an event says.
//
// Index writes the document of the tweet, and then checks that the tweet is unchanged. A tweet that changes later has
// an event whose call writes later. So the last write of all calls for a tweet is right, in any order, and without a
// lock that likes would wait for. A killed call may leave the document of an old version; no search shows it. An engine
// does not accept a version older than the one it has.
//
// Cost: 3 reads and 1 write; 3 reads and 1 delete for a tweet that no search finds. With an engine only the reads.
func (w *SearchWriter) Index(ctx context.Context, id model.TweetID) (err error) {
	defer errs.Wrap(&err, "discovery.Index(%q)", id)
	all, err := w.read(ctx, id)
	if err != nil {
		return err
	}
	return w.write(ctx, all[0])
}

// read reads tweets past the cache, at one moment, and makes their documents. The texts are of the same moment, because
// the text of a later version may be for fewer users.
//
// Cost: 2 reads for each.
func (w *SearchWriter) read(ctx context.Context, ids ...model.TweetID) ([]version, error) {
	var l db.Lookup
	tweets, texts := make([]*db.Found[model.Tweet], len(ids)), make([]*db.Found[model.TweetDetail], len(ids))
	for i, id := range ids {
		tweets[i] = db.Find[model.Tweet](&l, w.db.Tweet(id))
		texts[i] = db.Find[model.TweetDetail](&l, w.db.Doc(model.TweetDetails, string(id)))
	}
	if err := w.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	all := make([]version, len(ids))
	for i, t := range tweets {
		all[i] = version{id: ids[i], at: t.Snap.ReadTime}
		if t.Doc.ID = ids[i]; !t.Found || !t.Doc.Searchable() {
			continue
		}
		if all[i].tweet = &t.Doc; texts[i].Found {
			all[i].doc = DocOf(&t.Doc, texts[i].Doc.Content)
		}
	}
	return all, nil
}

// write writes the document of a tweet, and checks that the tweet is unchanged. If it changed, write begins again.
//
// Cost: 1 read, and 1 write or delete; 3 reads and 1 write or delete more for each change.
func (w *SearchWriter) write(ctx context.Context, v version) error {
	for {
		if err := w.index.put(ctx, v); err != nil {
			return err
		}
		now := &model.Tweet{ID: v.id}
		if found, err := w.db.Get(ctx, w.db.Tweet(v.id), now); err != nil {
			return err
		} else if !found || !now.Searchable() {
			now = nil
		}
		if same(now, v.tweet) {
			return nil
		}
		all, err := w.read(ctx, v.id)
		if err != nil {
			return err
		}
		v = all[0]
	}
}

// same reports whether the same searches find two versions of a tweet; no search finds nil. An edit makes another
// revision.
func same(t, other *model.Tweet) bool {
	if t == nil || other == nil {
		return t == other
	}
	return t.Preview().Equal(other.Preview())
}

// Digest returns a text that is the same for two equal documents; nil for none. It says how many terms there are.
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
