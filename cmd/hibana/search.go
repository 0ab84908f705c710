package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

type searchCmd struct {
	Rebuild searchRebuildCmd `cmd:"" help:"Make the search engine agree with all tweets."`
}

type searchRebuildCmd struct {
	From     string   `placeholder:"CURSOR" help:"Go on where an earlier run ended."`
	Database database `embed:""`
}

// Help returns the text of the command's --help.
func (*searchRebuildCmd) Help() string {
	return `SEARCH_URL names the engine, as for the services, with SEARCH_INDEX and SEARCH_LOGIN.
First the documents of all tweets are written, 100 at a time, at 3 reads a tweet. Then
those that no tweet has are removed, at 1 read a document. It may run while people
tweet, and again. Without an engine the documents are in the database, and hibana
verify --repair makes them.`
}

// Run rebuilds the index to the end, or prints where to continue.
func (c *searchRebuildCmd) Run(ctx context.Context) (err error) {
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all := 0
	for cursor := c.From; ; {
		next, done, err := db.Search.Rebuild(ctx, cursor)
		if err != nil {
			if cursor != "" {
				fmt.Fprintf(os.Stderr, "Go on with --from=%s\n", cursor)
			}
			return err
		}
		all += done
		if next == "" {
			fmt.Printf("%d tweets and documents compared\n", all)
			return nil
		}
		if cursor = next; all%10_000 < done {
			fmt.Fprintf(os.Stderr, "%d tweets and documents compared, at %s\n", all, cursor)
		}
	}
}
