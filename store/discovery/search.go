// This file finds users by the beginning of their names, and tweets by their words.
//
// Each public tweet has a document with its terms, see [DocOf]. A search reads the documents with all terms of a query
// from an index, newest first. The index is Firestore, which merges the single-field indexes of the terms and lists
// documents by key. For more tweets the index is an engine. Conditions that terms cannot express, such as adjacent
// words, are checked in the text of the document.

package discovery

import (
	"github.com/hibana-sns/hibana/internal/opensearch"
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Search finds people and tweets. Its methods may be called concurrently. Their errors are
// those of package errs.
type Search struct {
	db     *db.DB
	facts  *facts.Store
	index  index
	engine *opensearch.Client // nil for Firestore
}

// NewSearch returns the search of a database. The documents of tweets are in an engine or, if it is nil, in the
// database.
func NewSearch(d *db.DB, f *facts.Store, engine *opensearch.Client) *Search {
	r := &Search{db: d, facts: f, index: documents{d}, engine: engine}
	if engine != nil {
		r.index = keywords{engine}
	}
	return r
}
