package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"
)

// authorOf is the account that owns fixtures. Its username has the digits of ownedBy.
func authorOf(ownedBy string) person {
	return person{username: "u" + ownedBy, nickname: "Author " + ownedBy,
		introduction: "Posts what hibana seed reads from files."}
}

// seedFixtures posts fixtures through the API and waits for the triggers with follow, if there is one. Repeating it
// within a day changes nothing.
//
// A client cannot choose the id of a tweet. seedFixtures therefore posts a fixture unchanged, with its id as the
// Idempotency-Key, and then edits it if it links to another fixture. A repeated edit changes nothing. Fixtures may link
// to each other in a circle, and a later run may add fixtures.
func seedFixtures(ctx context.Context, c *client, all []fixture, follow func(context.Context) error) error {
	begun := time.Now()
	tokens, tweets := map[string]string{}, map[string]string{}
	var ids, owners []string // of the tweets, in the order of the fixtures; of the fixtures, each once
	for _, f := range all {
		if _, ok := tokens[f.ownedBy]; !ok {
			tokens[f.ownedBy] = ""
			owners = append(owners, f.ownedBy)
		}
	}
	err := showing(ctx, follow, func(p *progress) error {
		err := p.count("people", len(owners), func(done func()) (err error) {
			for _, owner := range owners {
				if tokens[owner], _, err = c.signUp(ctx, authorOf(owner)); err != nil {
					return fmt.Errorf("owner %s: %w", owner, err)
				}
				done()
			}
			return nil
		})
		if err != nil {
			return err
		}
		err = p.count("fixtures", len(all), func(done func()) error {
			for _, f := range all {
				id, err := c.postFixture(ctx, tokens[f.ownedBy], f)
				if err != nil {
					return err
				}
				tweets[f.id] = id
				ids = append(ids, id)
				done()
			}
			return nil
		})
		if err != nil {
			return err
		}
		return p.count("links", len(all), func(done func()) error {
			for i, f := range all {
				known := !slices.ContainsFunc(f.links(), func(l link) bool { return tweets[l.id] == "" })
				if content := f.resolve(tweets); known && content != f.content { // else a run before may have known more
					if err := c.call(ctx, tokens[f.ownedBy], http.MethodPatch, "/v1/tweets/"+ids[i], "",
						map[string]string{"content": content}, nil); err != nil {
						return f.errorf("its links: %w", err)
					}
				}
				done()
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	fmt.Println()
	table := newTable(os.Stdout, "FIXTURE", "TWEET", "AUTHOR", "FROM")
	for i, f := range all {
		fmt.Fprintf(table, "%s\t/tweets/%s\t@%s\t%s:%d\n", f.id, ids[i], authorOf(f.ownedBy).username, f.file, f.line)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, f := range all {
		for _, l := range f.links() {
			if tweets[l.id] == "" {
				fmt.Printf("%s:%d: fixture %s links to /posts/%s, and no file of this run has that fixture: its links stay as "+
					"they were.\n", f.file, f.line, f.id, l.id)
			}
		}
	}
	fmt.Printf("\nFixtures posted: %d; authors: %d; time: %.1f s. An author signs in as USERNAME@example.com with the "+
		"password %s.\n",
		len(all), len(owners), time.Since(begun).Seconds(), seedPassword)
	return nil
}

// postFixture posts a fixture once in a day, and returns the id of its tweet.
func (c *client) postFixture(ctx context.Context, token string, f fixture) (id string, err error) {
	var made struct{ ID string }
	body := map[string]any{"content": f.content, "tags": f.tags, "allowLikes": f.allowLikes,
		"allowReplies": f.allowReplies}
	err = c.call(ctx, token, http.MethodPost, "/v1/tweets", "fixture-"+f.id, body, &made)
	if r, ok := errors.AsType[*refusal](err); ok && r.Code == "idempotency_key_reused" {
		return "", f.errorf("another text, or other tags or switches, were posted with this id in the last 24 hours: edit " +
			"the tweet, or give the fixture another id")
	}
	if err != nil {
		return "", f.errorf("%w", err)
	}
	return made.ID, nil
}
