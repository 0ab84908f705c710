package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

type searchCmd struct {
	Rebuild searchRebuildCmd `cmd:"" help:"Rebuild the search index from all tweets."`
}

type searchRebuildCmd struct {
	From     string   `placeholder:"CURSOR" help:"Resume an earlier run."`
	Database database `embed:""`
}

// Help returns the text of the command's --help.
func (*searchRebuildCmd) Help() string {
	return `SEARCH_URL, SEARCH_INDEX and SEARCH_LOGIN name the engine, as for the services. The command
writes a document for each tweet, 100 at a time, for 3 reads a tweet. Then it removes
documents without a tweet, for 1 read a document. It is safe under traffic, and may run
again. Without an engine the search documents are in Firestore, and hibana verify --repair
writes them.`
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
				fmt.Fprintf(os.Stderr, "Resume with --from=%s\n", cursor)
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
