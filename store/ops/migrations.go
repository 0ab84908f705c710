// This file defines what a migration is. A migration changes the documents of a collection that older versions of the
// code wrote. Its work document is migrations/{name}.

package ops

import (
	"context"
	"unicode/utf8"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Migration is a change that older documents of a collection need. The versions of the code that serve while it runs
// write new documents as the change makes them, and read both kinds. So a migration may run under traffic.
type Migration struct {
	Name, Collection string
	About            string // what changes, for operators
	Group            Group

	Fields []string // of a document, which Lacks and Update read; none for a change by the document's id
	// Lacks reports whether a document needs the change, by its fields or its id. Lacking does the same for the documents
	// of a page, and reads other documents. With neither, each document needs the change.
	Lacks   func(*firestore.DocumentSnapshot) bool
	Lacking func(context.Context, []*firestore.DocumentSnapshot) ([]*firestore.DocumentSnapshot, error)

	// Update returns the updates of a document. They are written only if the document is unchanged. Do makes a change by
	// other means; it must tolerate that it is repeated, and that other processes write. A migration has one of the two.
	Update func(context.Context, *firestore.DocumentSnapshot) ([]firestore.Update, error)
	Do     func(context.Context, *firestore.DocumentRef) error
	// Once says that one pass is enough, because the change does not show in the document. Older says that only documents
	// from before the start need the change.
	Once, Older bool
	// Page is how many documents a query reads at most; 200 if 0. Slow changes have small pages.
	Page int

	// Count counts the documents that change, if they are not those of the collection. Reads, Writes and Deletes are about
	// what the change of each costs. All are for a plan, which leaves out the group Back.
	Count                  func(context.Context) (int64, error)
	Reads, Writes, Deletes int64
}

// Group is a group of migrations that are run one after the other, in the order of the list.
type Group string

// The groups. A migration without a group is started by its name.
const (
	Forward Group = "forward" // from the layout of version 0.1.0 to this one
	Back    Group = "back"    // what version 0.1.0 needs again
	Former  Group = "former"  // deletes what version 0.1.0 alone reads
)

// fieldMigrations are the migrations that fill in one field.
func fieldMigrations(d *db.DB) []Migration {
	return []Migration{{
		Name: "tweet-language", Collection: model.Tweets, About: "the language of a tweet, as its script tells",
		Fields: []string{"language", "snippet", "length"}, Reads: 1, Writes: 1,
		Lacks: func(snap *firestore.DocumentSnapshot) bool { return !Has(snap, fields.Language) },
		Update: func(ctx context.Context, snap *firestore.DocumentSnapshot) ([]firestore.Update, error) {
			language, err := language(ctx, d, snap)
			return []firestore.Update{{Path: fields.Language, Value: language}}, err
		},
	}}
}

// Has reports whether a document has one of some fields.
func Has(snap *firestore.DocumentSnapshot, names ...string) bool {
	for _, name := range names {
		if _, err := snap.DataAt(name); err == nil {
			return true
		}
	}
	return false
}

// language returns the language of a tweet by its text, as an edit would set it. A short tweet is its own snippet. If
// the text is edited meanwhile, the tweet changes too, and the value is not written.
//
// Cost: 1 read for a tweet of which the snippet is not all of the text.
func language(ctx context.Context, d *db.DB, doc *firestore.DocumentSnapshot) (any, error) {
	var t model.Tweet
	if err := doc.DataTo(&t); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(t.Snippet) == t.Length {
		return model.DetectLanguage(t.Snippet), nil
	}
	var text model.TweetDetail
	_, err := d.Get(ctx, d.Doc(model.TweetDetails, doc.Ref.ID), &text)
	return model.DetectLanguage(text.Content), err
}
