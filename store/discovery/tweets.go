package discovery

import (
	"context"
	"slices"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// SearchResult is a tweet that a search found.
type SearchResult struct {
	*model.Tweet
	model.ViewerState // of the viewer
	Excerpt           []SearchPart
}

// Tweets lists the tweets of a query after a position, newest first, as a viewer sees them. following limits the list
// to tweets of users whom the viewer follows. A page may have fewer tweets than limit though more follow. The last page
// has no next position.
//
// Cost: at most [model.SearchReads] reads of documents, at least 1 for each shard.
func (r *Search) Tweets(ctx context.Context, v model.Viewer, q *SearchQuery, following bool, from string,
	limit int) (all []SearchResult, next string, err error) {
	defer errs.Wrap(&err, "discovery.Tweets")
	limit = min(limit, model.MaxSearchPage)
	if following {
		limit = min(limit, model.MaxFollowedSearchPage)
	}
	var author model.UserID
	if q.From != "" {
		if author, err = r.author(ctx, q.From); author == "" || err != nil {
			return nil, "", err
		}
	}
	docs, next, err := r.index.page(ctx, q, author, from, limit)
	if err != nil {
		return nil, "", err
	}
	if following {
		if docs, err = r.followed(ctx, v, docs); err != nil {
			return nil, "", err
		}
	}
	ids := make([]model.TweetID, len(docs))
	for i, d := range docs {
		ids[i] = d.id
	}
	seen, err := r.access.Batch(ctx, ids, v)
	if err != nil {
		return nil, "", err
	}
	for i, t := range seen {
		// The document of any other tweet, or of another version, has a pending event. Its text may be for fewer users.
		if t.Tweet.Searchable() && t.Tweet.Revision == docs[i].Revision {
			all = append(all, SearchResult{t.Tweet, t.ViewerState, q.Excerpt(&docs[i].SearchDoc)})
		}
	}
	return all, next, nil
}

// followed picks the documents whose authors a viewer follows.
//
// Cost: 1 read for each author.
func (r *Search) followed(ctx context.Context, v model.Viewer, docs []doc) ([]doc, error) {
	var l db.Lookup
	follows := map[model.UserID]*db.Found[struct{}]{}
	for _, d := range docs {
		if follows[d.AuthorID] == nil {
			follows[d.AuthorID] = db.Find[struct{}](&l, r.db.Relationship(v.ID, d.AuthorID))
		}
	}
	if err := r.db.Read(ctx, &l); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(docs, func(d doc) bool { return !follows[d.AuthorID].Found }), nil
}

// author finds the user with a username; none if no user can have it.
//
// Cost: 1 read.
func (r *Search) author(ctx context.Context, username string) (model.UserID, error) {
	if model.ValidateUsername(username) != nil {
		return "", nil
	}
	uid, err := r.users.UserByUsername(ctx, username)
	if errs.KindOf(err) == errs.NotFound {
		return "", nil
	}
	return uid, err
}
