package discovery

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// index is where the documents are by which searches find tweets: the collection searchDocs, or an
// engine. It is an index and not the truth: what it says of a tweet may be old, and the caller
// reads the tweet before anybody sees it.
type index interface {
	// page lists documents that match a query, newest first, after a place; those of an author
	// unless author is empty. It may list fewer than limit, and none, though there are more; after
	// the last there is no next place.
	page(ctx context.Context, q *SearchQuery, author model.UserID, from string, limit int) (docs []doc, next string,
		err error)
	// put makes the document of a tweet that of a version, or removes it. It may be repeated. An
	// engine keeps the version that was read last, in whatever order they come.
	put(ctx context.Context, v version) error
}

// doc is a document that a search found.
type doc struct {
	model.SearchDoc
	id       model.TweetID
	position string
}

// version is what a tweet was at a moment.
type version struct {
	id    model.TweetID
	tweet *model.Tweet     // nil if no search finds it
	doc   *model.SearchDoc // by which searches find it; nil for none
	at    time.Time        // of the database; zero if the tweet was not read
}
