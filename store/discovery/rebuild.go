package discovery

import (
	"context"
	"errors"
	"strings"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/opensearch"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// rebuildPage is how many tweets or documents a step of a rebuild reads.
const rebuildPage = 100

// The cursor of a rebuild is the last tweet of the first pass, and then a position in the engine.
const (
	tweetsCursor    = "tweets/"
	positionsCursor = "places/"
)

// Engine reports whether the documents of tweets are in an engine, and not in the database.
func (w *SearchWriter) Engine() bool { return w.engine != nil }

// Rebuild is a step that makes an engine agree with all tweets. Rebuild first writes the documents of all tweets, and
// then removes documents without a tweet. It begins with an empty cursor and ends when it returns none. done is how
// many tweets or documents it read. It may run while tweets change, concurrently and repeatedly: the engine keeps the
// version that was read last.
//
// Cost: 3 reads for each tweet, and 1 for each document in the engine.
func (w *SearchWriter) Rebuild(ctx context.Context, cursor string) (next string, done int, err error) {
	defer errs.Wrap(&err, "discovery.Rebuild(%q)", cursor)
	if w.engine == nil {
		return "", 0, errors.New("no engine has the documents of tweets; hibana verify --repair makes those in the database")
	}
	if position, ok := strings.CutPrefix(cursor, positionsCursor); ok {
		return w.prune(ctx, position)
	}
	after, ok := strings.CutPrefix(cursor, tweetsCursor)
	if !ok && cursor != "" {
		return "", 0, errs.New(errs.Invalid, "", "%q is not where a rebuild was", model.Snippet(cursor, 50))
	}
	q := w.db.Client.Collection(model.Tweets).Select().OrderBy(firestore.DocumentID, firestore.Asc).Limit(rebuildPage)
	if after != "" {
		q = q.StartAfter(after)
	}
	snaps, err := q.Documents(ctx).GetAll()
	if err != nil {
		return "", 0, err
	}
	if len(snaps) == 0 {
		return positionsCursor, 0, w.engine.Make(ctx) // without tweets the index does not exist yet
	}
	ids := make([]model.TweetID, len(snaps))
	for i, snap := range snaps {
		ids[i] = model.TweetID(snap.Ref.ID)
	}
	all, err := w.read(ctx, ids...)
	if err != nil {
		return "", 0, err
	}
	var writes []opensearch.Write
	for _, v := range all {
		writes = append(writes, writeOf(v))
	}
	return tweetsCursor + string(ids[len(ids)-1]), len(ids), w.engine.Write(ctx, writes...)
}

// prune removes documents of tweets that no search finds.
func (w *SearchWriter) prune(ctx context.Context, after string) (next string, done int, err error) {
	hits, err := w.engine.Search(ctx, opensearch.Query{After: after, Size: rebuildPage})
	if err != nil || len(hits) == 0 {
		return "", 0, err
	}
	var refs []*firestore.DocumentRef
	for _, h := range hits {
		if id, err := model.ParseTweetID(h.ID); err == nil { // no document of ours has another id
			refs = append(refs, w.db.Tweet(id))
		}
	}
	snaps, err := w.db.Client.GetAll(ctx, refs)
	if err != nil {
		return "", 0, err
	}
	var writes []opensearch.Write
	for _, snap := range snaps {
		t, err := db.As[model.Tweet](snap, nil)
		if err != nil {
			return "", 0, err
		}
		if !t.Found || !t.Doc.Searchable() {
			writes = append(writes, opensearch.Write{ID: snap.Ref.ID, Version: snap.ReadTime.UnixMicro()})
		}
	}
	return positionsCursor + hits[len(hits)-1].Place, len(hits), w.engine.Write(ctx, writes...)
}
