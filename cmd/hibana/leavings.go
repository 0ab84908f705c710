package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/model"
)

type leavingsCmd struct {
	Gone  leavingsGoneCmd  `cmd:"" help:"Find the users whose account in Firebase Auth was deleted, and let them leave."`
	Begin leavingsBeginCmd `cmd:"" help:"Let one user leave, as the user could."`
}

type leavingsGoneCmd struct {
	Apply    bool     `help:"Let them leave; otherwise they are only listed."`
	Most     int      `default:"100" help:"Let nobody leave if more have no account: accounts are lost more easily than people leave."`
	Database database `embed:""`
}

// Help returns the text of the command's --help.
func (*leavingsGoneCmd) Help() string {
	return `Whoever deletes an account in Firebase Auth, at the console or with a client library,
sets off no event that a function could take. This command compares all profiles with
the accounts, 100 at a time, at 1 read a profile. Run it daily where clients or people
delete accounts by themselves. With --firestore at an emulator, ` + authEnv + `
names that of Auth.

With --apply nobody leaves if more than --most users have no account. Then the accounts may
have been lost, or the database is a copy of another project's.`
}

// Run prints the users, and with --apply deletes each account.
func (c *leavingsGoneCmd) Run(ctx context.Context) (err error) {
	emulator, err := c.Database.emulator()
	if err != nil {
		return err
	}
	if (emulator != "") != (os.Getenv(authEnv) != "") {
		return fmt.Errorf("the database is in the emulator (%t) and the accounts are in the emulator (%t): every user "+
			"would seem to be gone; set or unset %s",
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
		fmt.Fprintf(os.Stderr, "%d users have no account; --apply lets them leave.\n", len(found))
		return nil
	case len(found) > c.Most:
		return fmt.Errorf("%d users have no account, which is more than --most=%d; nobody leaves", len(found), c.Most)
	}
	for _, uid := range found {
		if _, err := db.Users.Leave(ctx, uid); err != nil {
			return err
		}
	}
	return nil
}

type leavingsBeginCmd struct {
	UID      string   `arg:"" help:"The user."`
	Database database `embed:""`
}

// Run starts the account deletion of a user and prints the receipt.
func (c *leavingsBeginCmd) Run(ctx context.Context) (err error) {
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
