package discovery

import (
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/query"
)

// SearchQuery is what tweets are searched by. Tweets must have all of it.
type SearchQuery = query.Query

// SearchPart is a part of an excerpt.
type SearchPart = query.Part

// ParseSearch reads a query, see [query.Parse]. Errors are errs.Invalid.
func ParseSearch(typed string) (*SearchQuery, error) { return query.Parse(typed) }

// DocOf returns the search document of a tweet, see [query.DocOf]. It is nil for a tweet that no search finds.
func DocOf(t *model.Tweet, content string) *model.SearchDoc { return query.DocOf(t, content) }
