// Command hibana is the developer's command of Hibana, a social network with a shop and a web client.
//
//	hibana dev           runs all of Hibana on this machine
//	hibana seed          fills what hibana dev runs
//	hibana exec          runs a command, such as go test, with emulators
//	hibana setup         installs what they need
//	hibana triggers      lists the functions and what triggers them, and checks a deployment
//	hibana load          loads a running system, and reports its limits
//	hibana top           shows what running services measure
//	hibana jobs          runs the scheduled jobs
//	hibana cost          measures what a day of users is billed
//	hibana rehearse      loses a database, restores it and verifies
//	hibana deadletters   lists events that no function could read, and delivers them again
//	hibana admin         gives roles to accounts
//	hibana verify        finds projections that differ from their sources of truth
//	hibana search        makes a search engine agree with the tweets
//	hibana migrate       fills in fields that older documents lack
//	hibana leavings      deletes the data of users whose account is gone
//	hibana vapid         makes keys for web push
//	hibana completion    makes a shell complete commands and flags
//
// It is run inside the repository, whose firestore.rules and firestore.indexes.json it reads.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"github.com/hibana-sns/hibana/dev/quotas"
	"github.com/hibana-sns/hibana/internal/version"
)

// commands lists the subcommands, one file each.
type commands struct {
	Version kong.VersionFlag `help:"Print the version, the revision and the version of Go."`

	Dev         devCmd         `cmd:"" help:"Run all of Hibana on this machine: emulators, event runner, functions, API and web client."`
	Seed        seedCmd        `cmd:"" help:"Fill what hibana dev runs with 20 people, their tweets, follows and likes, and a shop, through the API."`
	Exec        execCmd        `cmd:"" help:"Start the emulators, run a command with their addresses in its environment, and stop them."`
	Setup       setupCmd       `cmd:"" help:"Install what the emulators need, and tell what else is missing."`
	Triggers    triggersCmd    `cmd:"" help:"List the functions, and what triggers each, and check the triggers of a deployment."`
	Verify      verifyCmd      `cmd:"" help:"Recompute what is derived from facts, tell what differs, and mend it."`
	Rehearse    rehearseCmd    `cmd:"" help:"Lose a database of an emulator on purpose, restore it from an export, and verify."`
	Jobs        jobsCmd        `cmd:"" help:"Run what is done by the calendar: verify, export, sweep."`
	Load        loadCmd        `cmd:"" help:"Load a system that runs on this machine, at the rates of the sources and beyond, and tell where it bends."`
	Top         topCmd         `cmd:"" help:"Show what running services measure."`
	Cost        costCmd        `cmd:"" help:"Measure what a day of users is billed, beside a naive layout."`
	DeadLetters deadLettersCmd `cmd:"" name:"deadletters" help:"List the dead letters, which are events that no function could read, and deliver them again."`
	Search      searchCmd      `cmd:"" help:"Keep the search engine, where there is one."`
	Migrate     migrateCmd     `cmd:"" help:"Fill in fields that older documents lack."`
	Leavings    leavingsCmd    `cmd:"" help:"Let users leave whose account is gone, or who asked for it elsewhere."`
	Admin       adminCmd       `cmd:"" help:"Make accounts administrators or moderators, take that back, and list them."`
	Vapid       vapidCmd       `cmd:"" help:"Print a new pair of keys, by which push services know a server."`
	Completion  completionCmd  `cmd:"" help:"Print the code that makes a shell complete hibana's commands and flags."`
}

func main() {
	quotas.Enforce()
	ctx, stop := signal.NotifyContext(context.Background(), signals()...)
	context.AfterFunc(ctx, stop) // a second signal does not wait
	parser := kong.Must(&commands{}, kong.Name("hibana"), kong.Description("Hibana, a social network with a shop and a "+
		"web client, on your machine."),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Vars{"version": version.Line("hibana")})
	kongcompletion.Register(parser) // ends here if a shell requests completions
	command, err := parser.Parse(os.Args[1:])
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
		if len(os.Args) == 1 {
			_ = wrong.Context.PrintUsage(false)
		} else {
			explain(os.Stderr, wrong)
		}
		os.Exit(wrong.ExitCode())
	}
	if err == nil {
		err = command.Run()
	}
	if status, ok := errors.AsType[exitStatus](err); ok {
		os.Exit(int(status))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hibana:", err)
		os.Exit(1)
	}
}

// signals lists the signals that end a command in good order. A signal that was ignored from the start stays ignored,
// as SIGHUP with nohup.
func signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// exitStatus is an error that was already reported.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
