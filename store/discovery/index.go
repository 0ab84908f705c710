package discovery

import (
	"context"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// index holds the documents by which searches find tweets: the collection searchDocs, or an engine. An index is not the
// source of truth: its version of a tweet may be old. The caller reads the tweet before any user sees it.
type index interface {
	// page lists the documents that match a query after a position, newest first. If author is not empty, the documents
	// are by that author. It may list fewer than limit, and none, though there are more. After the last document there is
	// no next position.
	page(ctx context.Context, q *SearchQuery, author model.UserID, from string, limit int) (docs []doc, next string,
		err error)
	// put writes the document of a version of a tweet, or removes it. It may be repeated. An engine keeps the version that
	// was read last, in any order of calls.
	put(ctx context.Context, v version) error
}

// doc is a document that a search found.
type doc struct {
	model.SearchDoc
	id       model.TweetID
	position string
}

// version is a tweet at a moment.
type version struct {
	id    model.TweetID
	tweet *model.Tweet     // nil if no search finds the tweet
	doc   *model.SearchDoc // the document by which searches find the tweet; nil for none
	at    time.Time        // the database's time; zero if the tweet was not read
}
