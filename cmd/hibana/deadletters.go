package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/gcplog"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

type deadLettersCmd struct {
	Database database `embed:""`

	List   deadLettersList   `cmd:"" default:"withargs" help:"List the dead letters, the newest first."`
	Show   deadLettersShow   `cmd:"" help:"Print a dead letter with its document change."`
	Replay deadLettersReplay `cmd:"" help:"Deliver dead letters again, and remove the handled ones."`
	Lookup deadLettersLookup `cmd:"" help:"Print a notification event."`
}

// Help returns the text of the command's --help.
func (*deadLettersCmd) Help() string {
	return `A dead letter is an event that a function can never read. Hibana stores it for 31 days.
After a fix of the function, replay the dead letter.`
}

type deadLettersList struct {
	Limit int  `default:"100" help:"Maximum number of dead letters; each costs a read."`
	JSON  bool `name:"json" help:"Print a JSON array."`
}

// Run prints the dead letters.
func (c *deadLettersList) Run(ctx context.Context, parent *deadLettersCmd) error {
	return parent.with(ctx, func(db *store.Store) error { return c.print(ctx, db, os.Stdout) })
}

func (c *deadLettersList) print(ctx context.Context, db *store.Store, w io.Writer) error {
	dead, err := deadEvents(ctx, db, c.Limit)
	if err != nil {
		return err
	}
	if c.JSON {
		letters := make([]letter, len(dead))
		for i := range dead {
			letters[i] = letterOf(&dead[i])
		}
		return printJSON(w, letters)
	}
	if len(dead) == 0 {
		_, err := fmt.Fprintln(w, "There are no dead letters.")
		return err
	}
	t := newTable(w, "DIED", "ID", "DOCUMENT", "ON", "CAUSE")
	for _, e := range dead {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", e.DiedAt.Format(time.DateTime), e.ID,
			strings.TrimPrefix(e.Subject, "documents/"),
			e.Type[strings.LastIndex(e.Type, ".")+1:], model.Snippet(strings.Join(strings.Fields(e.Cause), " "), 120))
	}
	return t.Flush()
}

type deadLettersShow struct {
	ID string `arg:"" help:"Id of the dead letter."`
}

// Run prints a dead letter.
func (c *deadLettersShow) Run(ctx context.Context, parent *deadLettersCmd) error {
	return parent.with(ctx, func(db *store.Store) error {
		e, err := db.DeadLetters.Get(ctx, c.ID)
		if err != nil {
			return err
		}
		l := letterOf(e)
		var change firestoredata.DocumentEventData
		if proto.Unmarshal(e.Data, &change) == nil && !e.Truncated {
			l.Change, err = protojson.Marshal(&change)
		} else {
			l.Data = e.Data
		}
		return cmp.Or(err, printJSON(os.Stdout, l))
	})
}

type deadLettersReplay struct {
	ID           []string `arg:"" optional:"" help:"Ids of dead letters."`
	All          bool     `help:"Replay all dead letters."`
	Force        bool     `help:"Replay events older than 24 hours too. They may count twice; verify afterwards."`
	FunctionsURL string   `placeholder:"URL" help:"URL of the functions. By default the command runs its own functions on the database."`
	Token        string   `env:"HIBANA_FUNCTIONS_TOKEN" placeholder:"TOKEN" help:"ID token for private functions; gcloud auth print-identity-token --audiences=URL prints one."`
}

// Run replays dead letters. It continues after a failure and then fails at the end.
func (c *deadLettersReplay) Run(ctx context.Context, parent *deadLettersCmd) error {
	if c.All == (len(c.ID) > 0) {
		return errors.New("replay needs ids of dead letters, or --all")
	}
	if c.Token != "" && !safeForToken(c.FunctionsURL) {
		return errors.New("replay sends a token only by https, or to this machine")
	}
	return parent.with(ctx, func(db *store.Store) error {
		address := strings.TrimSuffix(c.FunctionsURL, "/")
		if address == "" {
			server, addr, err := serve(functions.Handler(db, gcplog.NewText(os.Stderr, slog.LevelError)))
			if err != nil {
				return err
			}
			defer server.Close()
			address = "http://" + addr
		}
		return c.replay(ctx, db, functions.Address{URL: address, Token: c.Token}, os.Stdout)
	})
}

func (c *deadLettersReplay) replay(ctx context.Context, db *store.Store, at functions.Address, w io.Writer) error {
	ids := c.ID
	if c.All {
		dead, err := deadEvents(ctx, db, 0)
		if err != nil {
			return err
		}
		for _, e := range dead {
			ids = append(ids, e.ID)
		}
	}
	failed := 0
	for _, id := range ids {
		err := functions.Replay(ctx, db, at, id, c.Force)
		switch {
		case err == nil:
			fmt.Fprintf(w, "%s: handled\n", id)
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			failed++
			text := errs.PublicText(err)
			if errs.KindOf(err) == errs.Unavailable || errs.KindOf(err) == errs.Internal {
				text = err.Error()
			}
			fmt.Fprintf(w, "%s: %s\n", id, text)
		}
	}
	fmt.Fprintf(w, "%d handled, %d not\n", len(ids)-failed, failed)
	if failed > 0 {
		return exitStatus(1)
	}
	return nil
}

// safeForToken reports whether nobody on the way to a URL can read a token. An empty URL is safe.
func safeForToken(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (address == "" || u.Scheme == "https" || u.Hostname() == "localhost" ||
		net.ParseIP(u.Hostname()).IsLoopback())
}

type deadLettersLookup struct {
	EventID string `arg:"" name:"event-id" help:"Id of a notification event: 29 hexadecimal digits."`
}

// Run prints a notification event.
func (c *deadLettersLookup) Run(ctx context.Context, parent *deadLettersCmd) error {
	return parent.with(ctx, func(db *store.Store) error {
		e, err := db.NotificationEvents.NotificationEvent(ctx, c.EventID)
		if err != nil {
			return err
		}
		return printJSON(os.Stdout, struct {
			ID       string                 `json:"id"`
			Type     model.NotificationKind `json:"type"`
			UserID   model.UserID           `json:"userId"`
			By       model.UserID           `json:"by"`
			TweetID  model.TweetID          `json:"tweetId,omitempty"`
			ReplyTo  model.TweetID          `json:"replyTo,omitempty"`
			At       time.Time              `json:"at"`
			Pending  bool                   `json:"pending"`
			ExpireAt time.Time              `json:"expireAt"`
		}{e.ID, e.Type, e.UserID, e.Payload.UserID, e.Payload.TweetID, e.Payload.ReplyTo, e.At, e.Pending, e.ExpireAt})
	})
}

// with runs f on the database.
func (c *deadLettersCmd) with(ctx context.Context, f func(*store.Store) error) error {
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f(db), db.Close())
}

// deadEvents lists at most limit dead letters, or all of them if limit is 0.
func deadEvents(ctx context.Context, db *store.Store, limit int) (all []model.DeadLetter, err error) {
	for from := (model.Cursor{}); ; {
		n := model.MaxPageSize
		if limit > 0 {
			n = min(n, limit-len(all))
		}
		page, err := db.DeadLetters.List(ctx, from, n)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if from = page.Next; from.IsZero() || len(all) == limit {
			return all, nil
		}
	}
}

// letter is a dead letter as JSON.
type letter struct {
	ID        string    `json:"id"`
	EventID   string    `json:"eventId"`
	Function  string    `json:"function"`
	Type      string    `json:"type"`
	Subject   string    `json:"subject"`
	Source    string    `json:"source"`
	Time      time.Time `json:"time"`
	Cause     string    `json:"cause"`
	DiedAt    time.Time `json:"diedAt"`
	ExpireAt  time.Time `json:"expireAt"`
	Truncated bool      `json:"truncated"`

	// With show only: the change, or the raw bytes if they do not decode.
	Change json.RawMessage `json:"change,omitempty"`
	Data   []byte          `json:"data,omitempty"`
}

func letterOf(e *model.DeadLetter) letter {
	return letter{
		ID: e.ID, EventID: e.EventID, Function: e.Function, Type: e.Type, Subject: e.Subject, Source: e.Source, Time: e.Time,
		Cause: e.Cause, DiedAt: e.DiedAt, ExpireAt: e.ExpireAt, Truncated: e.Truncated,
	}
}
