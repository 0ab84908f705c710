package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hibana-sns/hibana/model"
)

type federationCmd struct {
	Database database `embed:""`

	Rotate     federationRotate     `cmd:"" help:"Take the key of a user out of use; the next need makes another."`
	Deliveries federationDeliveries `cmd:"" help:"List what other servers did not take yet, or never took."`
}

// Help returns the text of the command's --help.
func (*federationCmd) Help() string {
	return `A user signs what other servers of the fediverse get by a key.
Change the key if somebody may have read it. The former key is kept for 7 days.

A delivery that fails is tried again for about 3 days, and then given up; it stays in the list for some days.`
}

type federationRotate struct {
	UID string `arg:"" optional:"" help:"Id of the user."`
	Own bool   `help:"Change the key of the installation itself."`
}

// Run changes a key.
func (c *federationRotate) Run(ctx context.Context, parent *federationCmd) error {
	if (c.UID == "") != c.Own {
		return errors.New("name a user, or --own for the key of the installation")
	}
	db, err := parent.Database.open(ctx)
	if err != nil {
		return err
	}
	err = db.Federation.Rotate(ctx, model.UserID(c.UID))
	if err == nil && !c.Own {
		err = db.Federation.ActorChanged(ctx, model.UserID(c.UID))
	}
	err = errors.Join(err, db.Close())
	if err == nil {
		fmt.Println("The key is out of use within a minute. The next need makes another.")
	}
	return err
}

type federationDeliveries struct {
	Host  string `help:"Only those to a server, such as social.example."`
	Limit int    `default:"100" help:"How many, at most 1000."`
}

// Run lists deliveries.
func (c *federationDeliveries) Run(ctx context.Context, parent *federationCmd) error {
	db, err := parent.Database.open(ctx)
	if err != nil {
		return err
	}
	all, err := db.Federation.Deliveries(ctx, c.Host, min(max(c.Limit, 1), 1000))
	for _, d := range all {
		next := "given up"
		if !d.DueAt.IsZero() {
			next = "again at " + d.DueAt.Format(time.RFC3339)
		}
		fmt.Printf("%s  %d attempts, %s: status %d %s\n", d.Inbox, d.Attempts, next, d.Status, d.Failure)
	}
	return errors.Join(err, db.Close())
}
