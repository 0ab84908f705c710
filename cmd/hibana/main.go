// Command hibana is the developer's command of Hibana, a social network with a shop and a web client.
//
//	hibana dev           runs all of Hibana on this machine
//	hibana seed          fills a system that hibana dev runs
//	hibana exec          runs a command, such as go test, with emulators
//	hibana setup         installs the tools that dev and exec need
//	hibana triggers      lists the functions and their triggers, and checks a deployment
//	hibana load          runs a load test, and reports the limits
//	hibana top           shows the metrics of running services
//	hibana jobs          runs the scheduled jobs
//	hibana cost          measures the Firestore bill of a day
//	hibana simulate      computes costs and limits of large networks
//	hibana drill         loses a database, restores it and verifies it
//	hibana deadletters   lists events that a function could not read, and replays them
//	hibana admin         grants and revokes roles
//	hibana verify        finds projections that differ from their sources of truth
//	hibana search        rebuilds the index of a search engine
//	hibana migrate       brings documents of earlier versions into the present layout, or back
//	hibana deletions     starts account deletions
//	hibana vapid         generates keys for web push
//	hibana completion    prints shell completions
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
	Version kong.VersionFlag `help:"Print the version, the revision and the Go version."`

	Dev         devCmd         `cmd:"" help:"Run all of Hibana on this machine: emulators, event runner, functions, API and web client."`
	Seed        seedCmd        `cmd:"" help:"Add 20 people, their tweets, follows and likes, and a shop, through the API of hibana dev."`
	Exec        execCmd        `cmd:"" help:"Start the emulators, run a command with their addresses in its environment, and stop the emulators."`
	Setup       setupCmd       `cmd:"" help:"Install the tools that the emulators need, and report missing ones."`
	Triggers    triggersCmd    `cmd:"" help:"List the functions with their triggers, and check the triggers of a deployment."`
	Verify      verifyCmd      `cmd:"" help:"Recompute every projection from its sources, report differences, and repair them."`
	Drill       drillCmd       `cmd:"" help:"Run a recovery drill: lose a database of an emulator, restore it from an export, and verify it."`
	Jobs        jobsCmd        `cmd:"" help:"Run the scheduled jobs: verify, export, sweep."`
	Load        loadCmd        `cmd:"" help:"Run a load test on this machine, at the required rates and above, and report the limits."`
	Top         topCmd         `cmd:"" help:"Show the metrics of running services."`
	Cost        costCmd        `cmd:"" help:"Measure the Firestore bill of a day, and compare it with a baseline layout."`
	Simulate    simulateCmd    `cmd:"" help:"Compute the costs of home timelines, and the limits of the cloud, by the number of users."`
	Federation  federationCmd  `cmd:"" help:"Change the keys of users in the fediverse."`
	DeadLetters deadLettersCmd `cmd:"" name:"deadletters" help:"List dead letters, which are events that a function could not read, and replay them."`
	Search      searchCmd      `cmd:"" help:"Rebuild the index of a search engine."`
	Migrate     migrateCmd     `cmd:"" help:"Bring documents of earlier versions into the present layout, or back."`
	Deletions   deletionsCmd   `cmd:"" help:"Start account deletions: for users without an account in Firebase Auth, or for one user."`
	Admin       adminCmd       `cmd:"" help:"Grant, revoke and list the roles administrator and moderator."`
	Vapid       vapidCmd       `cmd:"" help:"Generate a key pair for web push (VAPID)."`
	Completion  completionCmd  `cmd:"" help:"Print the shell code that completes commands and flags."`
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
