package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"golang.org/x/time/rate"

	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/internal/safely"
)

// seedPassword is the password of every user of the seed, with the address username@example.com.
const seedPassword = "sparkler"

type seedCmd struct {
	Ports         partPorts `embed:""`
	File          []string  `arg:"" optional:"" help:"Fixtures to post, instead of the 20 people."`
	Import        bool      `help:"Keep the ids and owners of the fixtures."`
	CreateOwners  bool      `help:"With --import: make the accounts of owners who have none. Nobody can sign in with them."`
	Volume        int       `placeholder:"N" help:"Make N acts of people: posts, follows, likes, blocks, edits and more."`
	Rate          float64   `default:"50" help:"With --import or --volume: acts a second at most, up to 500."`
	Seed          uint64    `default:"1" help:"With --volume: the same seed makes the same people and texts. Up to 9999."`
	Epoch         string    `placeholder:"DAY" help:"With --volume: its tweets are of the 30 days before. Today if absent."`
	Resume        string    `placeholder:"FILE" help:"With --volume: go on where the file says, and note in it how far it comes."`
	API           string    `placeholder:"URL" help:"With --import or --volume: another API than that of hibana dev."`
	TokenFile     string    `placeholder:"FILE" help:"With --api: the file with an administrator's ID token, read again as it changes."`
	YesProduction bool      `help:"With --volume: the API of --api may be of another machine."`
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
file has a mistake, the command posts nothing. A repetition within a day changes nothing.

With --import the fixtures keep their ids. The tweet of a fixture has two digits before the 16 of
the fixture, and the time in them; it notifies nobody. Its owner has ownedBy as uid. Links lead to
fixtures of this run and of earlier runs. A repetition at any time changes nothing.

--volume makes people and what they do, from --seed. A repetition with the same --epoch changes
nothing. --resume names a small file for runs that end early.

With --api the ID token of an administrator is in ` + tokenEnv + ` or in --token-file.
Both modes post, follow, like, block and edit in the name of users; the audit log has each act.`
}

// administers reports whether the command acts as an administrator.
func (c *seedCmd) administers() bool { return c.Import || c.Volume != 0 }

// validate refuses flags that do not go together.
func (c *seedCmd) validate() error {
	switch {
	case c.Import && c.Volume != 0:
		return errors.New("--import and --volume exclude each other")
	case c.Import && len(c.File) == 0:
		return errors.New("--import needs files")
	case c.Volume != 0 && len(c.File) > 0:
		return errors.New("--volume takes no files")
	case c.Volume != 0 && (c.Volume < minVolume || c.Volume > maxVolume):
		return fmt.Errorf("--volume=%d: a volume has %d to %d acts", c.Volume, minVolume, maxVolume)
	case c.CreateOwners && !c.Import:
		return errors.New("--create-owners goes with --import")
	case !c.administers() && c.API+c.TokenFile != "":
		return errors.New("--api and --token-file go with --import or --volume")
	case c.API == "" && c.TokenFile != "":
		return errors.New("--token-file goes with --api")
	case c.Rate <= 0 || c.Rate > 500:
		return fmt.Errorf("--rate=%g: the rate is above 0, and 500 at most", c.Rate)
	case c.Seed > 9999:
		return fmt.Errorf("--seed=%d: a seed is 9999 at most", c.Seed)
	}
	return nil
}

// Run fills a system that another process runs.
func (c *seedCmd) Run(ctx context.Context) error {
	if err := c.validate(); err != nil {
		return err
	}
	fixtures, err := readFixtures(c.File)
	if err != nil {
		return err
	}
	if c.API != "" {
		base, local, err := parseAPI(c.API)
		if err != nil {
			return err
		}
		if c.Volume != 0 && !local && !c.YesProduction {
			return fmt.Errorf("--volume fills %s with people who do not exist; add --yes-production if you mean that", base)
		}
		return c.administer(ctx, &administrator{client: &client{api: base, appCheck: os.Getenv(appCheckEnv)},
			renew: tokenFrom(c.TokenFile)}, fixtures)
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
	to := &client{api: "http://" + api, auth: "http://" + auth}
	switch {
	case c.administers():
		err = c.administer(ctx, &administrator{client: to, renew: to.signInAdmin}, fixtures)
		if err == nil && follow != nil {
			err = follow(ctx)
		}
	case len(c.File) > 0:
		err = seedFixtures(ctx, to, fixtures, follow)
	default:
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

// administer imports fixtures or makes a volume.
func (c *seedCmd) administer(ctx context.Context, a *administrator, fixtures []fixture) error {
	a.pace = rate.NewLimiter(rate.Limit(c.Rate), 1)
	if c.Import {
		return importFixtures(ctx, a, fixtures, c.CreateOwners)
	}
	at := volumeCursor{Volume: c.Volume, Seed: c.Seed}
	if c.Resume != "" {
		var err error
		if at, err = readCursor(c.Resume, at); err != nil {
			return err
		}
	}
	if c.Epoch != "" && at.Epoch != "" && at.Epoch != c.Epoch {
		return fmt.Errorf("%s is of --epoch=%s", c.Resume, at.Epoch)
	}
	at.Epoch = cmp.Or(at.Epoch, c.Epoch, time.Now().UTC().Format(volumeEpoch))
	return seedVolume(ctx, a, at, c.Resume)
}

// seed executes the plan through the API as its users, and waits for the triggers with follow, if there is one.
// Repeating it within a day changes nothing.
func seed(ctx context.Context, c *client, follow func(context.Context) error) error {
	begun := time.Now()
	plan := newPlan()
	if err := showing(ctx, follow, func(p *progress) error { return plan.carryOut(ctx, p, c) }); err != nil {
		return err
	}
	fmt.Printf("\nSeeded %d people, %d follows, %d tweets (%d of them replies), %d likes, %d products, "+
		"pictures and %d bots in %.1f s.\n"+
		"Sign in as %s@example.com, or as the administrator %s, with the password %s.\n",
		len(people), len(plan.follows), len(plan.tweets), plan.replies(), len(plan.likes), len(products), len(bots),
		time.Since(begun).Seconds(),
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
	w, err := c.newWriter(ctx, pl, tokens, uids)
	if err != nil {
		return err
	}
	if err := c.presentAdmin(ctx); err != nil { // without a profile nobody uploads pictures
		return err
	}
	g, both := safely.WithContext(ctx)
	g.Go(func() error { return c.addProducts(both, parallel) })
	g.Go(func() error { return w.past(parallel) })
	g.Go(func() error { return w.pictures(parallel) })
	if err := g.Wait(); err != nil {
		return err
	}
	if err := w.profiles(parallel); err != nil {
		return err
	}
	if err := w.share(parallel); err != nil {
		return err
	}
	if err := w.present(ctx, p); err != nil {
		return err
	}
	if err := w.reactions(ctx, parallel); err != nil {
		return err
	}
	if err := w.extras(ctx); err != nil {
		return err
	}
	return c.addBots(ctx, parallel, tokens, uids)
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
