package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/internal/safely"
)

// seedPassword is the password of every user of the seed, with the address username@example.com.
const seedPassword = "sparkler"

type seedCmd struct {
	Ports partPorts `embed:""`
	File  []string  `arg:"" optional:"" help:"Fixtures to post, instead of the 20 people."`
}

// Help returns the text of the command's --help.
func (*seedCmd) Help() string {
	return `Fills the system of "hibana dev", as "hibana dev --seed" does. A repetition within a day
changes nothing. ` + authEnv + ` names another Auth emulator.

With files, the command posts only their fixtures. A file has one or more fixtures:

  id: 0002000000000013
  ownedBy: 0001000000000002
  allowLikes: false
  allowReplies: false
  tags: help, markdown
  content:<<____EOF____
  # Text in Markdown
  ____EOF____

The headers id, ownedBy and content are required. Ids have 16 hexadecimal digits. Each ownedBy
is a separate account. The server chooses the ids of tweets, and the command prints the tweet
of each fixture. A link to /posts/ and the id of a fixture becomes a link to its tweet. If a
file has a mistake, the command posts nothing. A repetition within a day changes nothing.`
}

// Run fills a system that another process runs.
func (c *seedCmd) Run(ctx context.Context) error {
	fixtures, err := readFixtures(c.File)
	if err != nil {
		return err
	}
	api, events := localAddress(c.Ports.APIPort), localAddress(c.Ports.EventsPort)
	auth := cmp.Or(os.Getenv(authEnv), localAddress(c.Ports.AuthPort))
	if err := isReady(ctx, api); err != nil {
		return fmt.Errorf("no API of Hibana answers at %s (%w): start hibana dev, or name the API's port with "+
			"--api-port", api, err)
	}
	if err := answers(ctx, authEnv, auth); err != nil {
		return fmt.Errorf("no Auth emulator answers at %s (%w): name its port with --auth-port", auth, err)
	}
	// Without the events of hibana dev, nothing listens for the events of the emulators.
	var follow func(context.Context) error
	if listens(ctx, events) {
		follow = func(ctx context.Context) error {
			if err := eventarc.AwaitIdle(ctx, events); err != nil {
				return fmt.Errorf("all tweets are posted, but no event runner answers; name its port with --events-port: %w", err)
			}
			return nil
		}
	}
	if to := (&client{api: "http://" + api, auth: "http://" + auth}); len(c.File) > 0 {
		err = seedFixtures(ctx, to, fixtures, follow)
	} else {
		err = seed(ctx, to, follow)
	}
	switch {
	case ctx.Err() != nil:
		return exitStatus(130)
	case err == nil && follow == nil:
		fmt.Printf("No event runner listens on %s (--events-port): counts and timelines may be some seconds late.\n",
			events)
	}
	return err
}

// seed executes the plan through the API as its users, and waits for the triggers with follow, if there is one.
// Repeating it within a day changes nothing.
func seed(ctx context.Context, c *client, follow func(context.Context) error) error {
	begun := time.Now()
	plan := newPlan()
	if err := showing(ctx, follow, func(p *progress) error { return plan.carryOut(ctx, p, c) }); err != nil {
		return err
	}
	fmt.Printf("\nSeeded %d people, %d follows, %d tweets (%d of them replies), %d likes, %d products "+
		"and pictures in %.1f s.\n"+
		"Sign in as %s@example.com, or as the administrator %s, with the password %s.\n",
		len(people), len(plan.follows), len(plan.tweets), plan.replies(), len(plan.likes), len(products), time.Since(begun).
			Seconds(),
		people[0].username, seedAdmin, seedPassword)
	return nil
}

// showing runs do with its progress on standard output, and then waits for the triggers with follow, if there is one.
func showing(ctx context.Context, follow func(context.Context) error, do func(*progress) error) error {
	p := newProgress(os.Stdout)
	defer p.wait()
	if err := do(p); err != nil || follow == nil {
		return err
	}
	return p.step("triggers", func(func(string)) error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
		defer cancel()
		return follow(ctx)
	})
}

// parallel runs do n times, several at once, and shows the progress.
type parallel func(name string, n int, do func(ctx context.Context, i int) error) error

// carryOut executes the plan.
func (pl *plan) carryOut(ctx context.Context, p *progress, c *client) error {
	// Enough to keep the API busy, and few enough for a laptop to stay usable.
	const concurrency = 8
	parallel := func(name string, n int, do func(ctx context.Context, i int) error) error {
		return p.count(name, n, func(done func()) error {
			g, ctx := safely.WithContext(ctx)
			g.SetLimit(concurrency)
			for i := range n {
				g.Go(func() error {
					defer done()
					return do(ctx, i)
				})
			}
			return g.Wait()
		})
	}

	tokens, uids := make([]string, len(people)), make([]string, len(people))
	err := parallel("people", len(people), func(ctx context.Context, i int) (err error) {
		tokens[i], uids[i], err = c.signUp(ctx, people[i])
		return err
	})
	if err != nil {
		return err
	}
	err = parallel("follows", len(pl.follows), func(ctx context.Context, i int) error {
		f := pl.follows[i]
		return c.call(ctx, tokens[f.who], http.MethodPut, "/v1/users/"+uids[f.what]+"/follow", "", nil, nil)
	})
	if err != nil {
		return err
	}
	ids := make([]string, len(pl.tweets))
	g, both := safely.WithContext(ctx)
	g.Go(func() error { return c.addProducts(both, parallel) })
	g.Go(func() error { return pl.tweet(both, p, c, tokens, ids) })
	if err := g.Wait(); err != nil {
		return err
	}
	if err := c.addPictures(ctx, parallel, tokens, uids); err != nil {
		return err
	}
	return parallel("likes", len(pl.likes), func(ctx context.Context, i int) error {
		l := pl.likes[i]
		return c.call(ctx, tokens[l.who], http.MethodPut, "/v1/tweets/"+ids[l.what]+"/like", "", nil, nil)
	})
}

// signUp returns the ID token and the id of a person's account, and creates a missing account and profile.
func (c *client) signUp(ctx context.Context, p person) (token, uid string, err error) {
	if token, uid, err = c.signIn(ctx, p.username+"@example.com"); err != nil {
		return "", "", err
	}
	// This check comes first, so that a repeated seeding uses none of the sign-ups of an address.
	if err := c.call(ctx, token, http.MethodGet, "/v1/usernames/"+p.username, "", nil, nil); err == nil {
		return token, uid, nil
	}
	err = c.call(ctx, token, http.MethodPost, "/v1/users", "", map[string]string{
		"username": p.username, "nickname": p.nickname, "introduction": p.introduction,
	}, nil)
	if r, ok := errors.AsType[*refusal](err); ok && r.Code == "user_exists" {
		err = nil
	}
	return token, uid, err
}

// tweet posts the tweets of the plan one after the other, because a reply needs the id of its parent.
func (pl *plan) tweet(ctx context.Context, p *progress, c *client, tokens, ids []string) error {
	return p.count("tweets", len(pl.tweets), func(done func()) error {
		for i, t := range pl.tweets {
			body := map[string]any{"content": t.content, "tags": t.tags, "summary": t.summary}
			if t.replyTo >= 0 {
				body["replyTo"] = ids[t.replyTo]
			}
			var made struct{ ID string }
			if err := c.call(ctx, tokens[t.author], http.MethodPost, "/v1/tweets", fmt.Sprintf("seed-%d", i), body,
				&made); err != nil {
				return err
			}
			ids[i] = made.ID
			done()
		}
		return nil
	})
}
