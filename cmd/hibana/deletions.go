package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/model"
)

type deletionsCmd struct {
	Orphans deletionsOrphansCmd `cmd:"" help:"Find users without an account in Firebase Auth, and delete their data."`
	Start   deletionsStartCmd   `cmd:"" help:"Start the account deletion of one user."`
}

type deletionsOrphansCmd struct {
	Apply    bool     `help:"Start the account deletions; otherwise the command only lists the users."`
	Most     int      `default:"100" help:"Maximum number of deletions; with more orphans the command starts none."`
	Database database `embed:""`
}

// Help returns the text of the command's --help.
func (*deletionsOrphansCmd) Help() string {
	return `The deletion of an account in Firebase Auth, at the console or with a client library, causes
no event. This command compares all profiles with the accounts, 100 at a time, for 1 read
a profile. Run it daily if clients or operators delete accounts in Firebase Auth. With
--firestore at an emulator, ` + authEnv + ` names the Auth emulator.

With --apply and more than --most orphans, the command starts no deletion. The accounts may
be lost, or the database may be a copy of another project's.`
}

// Run prints the users, and with --apply deletes each account.
func (c *deletionsOrphansCmd) Run(ctx context.Context) (err error) {
	emulator, err := c.Database.emulator()
	if err != nil {
		return err
	}
	if (emulator != "") != (os.Getenv(authEnv) != "") {
		return fmt.Errorf("the database is in the emulator (%t) and the accounts are in the emulator (%t), so every user "+
			"would be an orphan; set or unset %s",
			emulator != "", os.Getenv(authEnv) != "", authEnv)
	}
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, found := accounts.New(c.Database.Project), []model.UserID(nil)
	for after := model.UserID(""); ; {
		uids, err := db.Users.Profiles(ctx, after, 100)
		if err != nil {
			return err
		}
		if len(uids) == 0 {
			break
		}
		after = uids[len(uids)-1]
		gone, err := all.Gone(ctx, uids)
		if err != nil {
			return err
		}
		for _, uid := range gone {
			fmt.Println(uid)
			found = append(found, uid)
		}
	}
	switch {
	case len(found) == 0:
		return nil
	case !c.Apply:
		fmt.Fprintf(os.Stderr, "%d users have no account; --apply starts their account deletions.\n", len(found))
		return nil
	case len(found) > c.Most:
		return fmt.Errorf("%d users have no account, which is more than --most=%d; no account deletion starts", len(found),
			c.Most)
	}
	for _, uid := range found {
		if _, err := db.Users.Leave(ctx, uid); err != nil {
			return err
		}
	}
	return nil
}

type deletionsStartCmd struct {
	UID      string   `arg:"" help:"Id of the user."`
	Database database `embed:""`
}

// Run starts the account deletion of a user and prints the receipt.
func (c *deletionsStartCmd) Run(ctx context.Context) (err error) {
	uid, err := model.ParseUserID(c.UID)
	if err != nil {
		return err
	}
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	work, err := db.Users.Leave(ctx, uid)
	if err == nil {
		fmt.Println("/v1/leavings/" + work.Receipt)
	}
	return err
}
