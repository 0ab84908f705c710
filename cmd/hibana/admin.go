package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hibana-sns/hibana/internal/accounts"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
	"github.com/hibana-sns/hibana/store/moderation"
)

// localAuth is the default address of the Auth emulator of hibana dev.
const localAuth = "127.0.0.1:9099"

type adminCmd struct {
	Database database `embed:""`
	Auth     string   `group:"Database" env:"FIREBASE_AUTH_EMULATOR_HOST" placeholder:"HOST:PORT|cloud" help:"Firebase Auth: the emulator at HOST:PORT, or the cloud. By default a project demo-… uses the emulator at 127.0.0.1:9099, and any other project uses the cloud."`

	Grant  adminGrant  `cmd:"" help:"Grant a role to an account."`
	Revoke adminRevoke `cmd:"" help:"Revoke a role, and end the sessions of the account."`
	List   adminList   `cmd:"" help:"List the accounts that have a role."`
}

// Help returns the text of the command's --help.
func (*adminCmd) Help() string {
	return `An administrator has all rights of a moderator. A role is part of ID tokens from the
next sign-in, or after an hour. A revoked role ends at once: the API asks Firebase Auth
on each request, and firestore.rules know no roles. The audit log records each change.`
}

type adminChange struct {
	Account string `arg:"" help:"The uid or the e-mail address of an account."`
	Role    string `default:"administrator" enum:"administrator,moderator" help:"administrator or moderator."`
	By      string `placeholder:"UID" default:"hibana" help:"The operator, for the audit log."`
	Reason  string `help:"The reason, for the audit log."`
}

type adminGrant struct {
	adminChange `embed:""`
}

// Run gives a role to an account.
func (c *adminGrant) Run(ctx context.Context, parent *adminCmd) error {
	return c.change(ctx, parent, true, os.Stdout)
}

type adminRevoke struct {
	adminChange `embed:""`
}

// Run removes a role.
func (c *adminRevoke) Run(ctx context.Context, parent *adminCmd) error {
	return c.change(ctx, parent, false, os.Stdout)
}

// change writes the audit log first, so that no account has a role without an entry. If the command fails after that,
// it can be run again.
func (c *adminChange) change(ctx context.Context, parent *adminCmd, has bool, w io.Writer) error {
	by, err := model.ParseUserID(c.By)
	if err != nil {
		return fmt.Errorf("--by: %w", err)
	}
	if err := model.ValidateReason(c.Reason, false); err != nil {
		return fmt.Errorf("--reason: %w", err)
	}
	return parent.with(ctx, func(auth *accounts.Accounts, db *store.Store) error {
		account, err := auth.Find(ctx, c.Account)
		if err != nil {
			return err
		}
		role, act := model.StaffRole(c.Role), model.ActGrant
		done := "is now %s; the next ID token of the account has the role\n"
		if !has {
			act, done = model.ActRevoke, "is no longer %s\n"
		}
		actor := moderation.Actor{UID: by, Role: model.RoleCommand, Reason: c.Reason}
		if err := db.Moderation.Log(ctx, actor, model.Action{Act: act, UserID: account.UID,
			After: map[string]string{"role": c.Role}}); err != nil {
			return err
		}
		if err := db.Moderation.SetRole(ctx, auth, account.UID, role, has); err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s "+done, account.UID, c.Role)
		return err
	})
}

type adminList struct {
	JSON bool `name:"json" help:"Print a JSON array."`
}

// Run lists the accounts that have a role.
func (c *adminList) Run(ctx context.Context, parent *adminCmd) error {
	return parent.with(ctx, func(auth *accounts.Accounts, _ *store.Store) error {
		staff, err := auth.Staff(ctx)
		if err != nil {
			return err
		}
		type row struct {
			UID   model.UserID      `json:"uid"`
			Email string            `json:"email"`
			Roles []model.StaffRole `json:"roles"`
		}
		rows := []row{}
		for _, a := range staff {
			r := row{UID: a.UID, Email: a.Email}
			if a.Admin {
				r.Roles = append(r.Roles, model.RoleAdministrator)
			}
			if a.Moderator {
				r.Roles = append(r.Roles, model.RoleModerator)
			}
			rows = append(rows, r)
		}
		if c.JSON {
			return printJSON(os.Stdout, rows)
		}
		if len(rows) == 0 {
			_, err := fmt.Println("No account has a role. hibana admin grant grants one.")
			return err
		}
		t := newTable(os.Stdout, "UID", "EMAIL", "ROLES")
		for _, r := range rows {
			roles := make([]string, len(r.Roles))
			for i, role := range r.Roles {
				roles[i] = string(role)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\n", r.UID, r.Email, strings.Join(roles, ", "))
		}
		return t.Flush()
	})
}

// with runs f on the accounts and the database.
func (c *adminCmd) with(ctx context.Context, f func(*accounts.Accounts, *store.Store) error) error {
	emulator := c.Auth
	if emulator == "" && strings.HasPrefix(c.Database.Project, "demo-") {
		emulator = localAuth
	}
	if emulator == "" || emulator == theCloud {
		os.Unsetenv(authEnv) // the client reads the variable by itself
	} else {
		if err := answers(ctx, authEnv, emulator); err != nil {
			return fmt.Errorf("no Auth emulator answers at %s (%w): start one with hibana dev, or name another address with "+
				"--auth=HOST:PORT or --auth=%s",
				emulator, err, theCloud)
		}
		os.Setenv(authEnv, emulator)
	}
	db, err := c.Database.open(ctx)
	if err != nil {
		return err
	}
	auth := accounts.New(c.Database.Project)
	return errors.Join(f(auth, db), db.Close())
}
