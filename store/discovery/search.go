// This file finds users by the beginning of their names, and tweets by their words.
//
// Each public tweet has a document with its terms, see [DocOf]. A search reads the documents with all terms of a query
// from an index, newest first. The index is Firestore, which merges the single-field indexes of the terms and lists
// documents by key. For more tweets the index is an engine. Conditions that terms cannot express, such as adjacent
// words, are checked in the text of the document.

package discovery

import (
	"github.com/hibana-sns/hibana/internal/opensearch"
	"github.com/hibana-sns/hibana/store/internal/access"
	"github.com/hibana-sns/hibana/store/internal/db"
	"github.com/hibana-sns/hibana/store/users"
)

// Search finds people and tweets. Its methods may be called concurrently. Their errors are
// those of package errs.
type Search struct {
	db     *db.DB
	access *access.Store
	users  *users.Store
	index  index
	engine *opensearch.Client // nil for Firestore
}

// NewSearch returns the search of a database. The documents of tweets are in an engine or, if it is nil, in the
// database.
func NewSearch(d *db.DB, a *access.Store, u *users.Store, engine *opensearch.Client) *Search {
	r := &Search{db: d, access: a, users: u, index: documents{d}, engine: engine}
	if engine != nil {
		r.index = keywords{engine}
	}
	return r
}
