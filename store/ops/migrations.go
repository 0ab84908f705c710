// This file fills in fields that older documents lack, so that a later version of the code needs no fallback for their
// absence. A migration is an entry of the list below. Its work document is migrations/{name}.

package ops

import (
	"context"
	"slices"
	"unicode/utf8"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/internal/db"
)

// Migration is a field that older documents of a collection lack. The versions of the code
// that serve while it runs write the field, and read documents with and without it.
type Migration struct {
	Name, Collection, Field string
	About                   string // what the field is, for operators

	with  []string // other fields that value reads
	value func(ctx context.Context, d *db.DB, doc *firestore.DocumentSnapshot) (any, error)
}

// Migrations are the migrations that this version of the code can do.
var Migrations = []Migration{
	{
		Name: "tweet-language", Collection: model.Tweets, Field: "language",
		About: "the language of a tweet, as its script tells",
		with:  []string{"snippet", "length"}, value: language,
	},
}

// named finds a migration by its name. An unknown one is errs.NotFound.
func named(name string) (Migration, error) {
	i := slices.IndexFunc(Migrations, func(m Migration) bool { return m.Name == name })
	if i < 0 {
		return Migration{}, errs.New(errs.NotFound, "migration_not_found", "no migration is named %q", name)
	}
	return Migrations[i], nil
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
