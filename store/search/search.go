// Package search finds people by the beginning of their names, and tweets by their words.
//
// Each public tweet has a document with its terms, see [DocOf]. A search asks the database for
// the documents with all terms of a query. Firestore merges the single-field indexes of the
// terms, and lists the documents by key, which is newest first. What terms cannot tell, as
// whether two words stand together, is looked up in the text that the document has.
package search

import (
	"github.com/hibana-sns/hibana/store/facts"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Reader finds people and tweets. Its methods may be called concurrently. Their errors are
// those of package errs.
type Reader struct {
	db    *db.DB
	facts *facts.Store
}

// New returns the search of a database.
func New(d *db.DB, f *facts.Store) *Reader { return &Reader{d, f} }
