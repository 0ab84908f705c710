package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/hibana-sns/hibana/dev/child"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/eventarc"
	"github.com/hibana-sns/hibana/dev/repository"
	"github.com/hibana-sns/hibana/dev/storage"
	"github.com/hibana-sns/hibana/internal/gcplog"
)

type execCmd struct {
	Command []string `arg:"" passthrough:"" help:"The command and its arguments."`
}

// Help returns the text of the command's --help.
func (*execCmd) Help() string {
	return `The emulators listen on free ports. The command gets their addresses in
` + firestoreEnv + `, ` + authEnv + ` and
` + storage.Env + `, the address of the event relay in
` + eventsEnv + `, and the project in GOOGLE_CLOUD_PROJECT.
hibana exits with the status of the command.`
}

// Run starts emulators and relay, runs the command, and stops all of them.
func (c *execCmd) Run(ctx context.Context) error {
	args := c.Command
	if args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return errors.New("exec needs a command")
	}
	cmd := exec.Command(args[0], args[1:]...)
	all := missing(ctx)
	if cmd.Err != nil {
		all = append(all, cmd.Err)
	}
	rules, err := repository.File("firestore.rules")
	if err != nil {
		all = append(all, err)
	}
	if err := all.orNil(); err != nil {
		return err
	}

	received := make(chan os.Signal, 8)
	signal.Notify(received, signals()...)
	relay := eventarc.NewRelay(gcplog.NewText(os.Stderr, slog.LevelError))
	defer relay.Close()
	server, events, err := serve(relay)
	if err != nil {
		return err
	}
	defer server.Close()

	files, err := net.Listen("tcp", localAddress(0))
	if err != nil {
		return err
	}
	stopFiles, err := startStorage(files, gcplog.NewText(os.Stderr, slog.LevelError))
	if err != nil {
		return errors.Join(err, files.Close())
	}
	defer func() { _ = stopFiles(ctx) }()

	died := make(chan error, 2) // of two emulators
	p := newProgress(os.Stderr)
	stop, err := startPair(ctx, p,
		emulators.FirestoreOptions{RulesFile: rules, EventsHost: events, MaxHeapMB: 4096},
		emulators.AuthOptions{}, func(err error) { died <- err })
	p.wait()
	switch {
	case ctx.Err() != nil:
		err = exitStatus(130)
	case err == nil:
		os.Setenv(eventsEnv, events)
		os.Setenv("GOOGLE_CLOUD_PROJECT", emulators.DefaultProject)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		err = attend(cmd, received, died)
	}
	if stopErr := stop(context.WithoutCancel(ctx)); stopErr != nil {
		return errors.Join(err, stopErr)
	}
	return err
}

// attend runs the command to its end and forwards signals. If an emulator dies, it ends the command too.
func attend(cmd *exec.Cmd, received <-chan os.Signal, died <-chan error) error {
	if err := child.Start(cmd); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// A Ctrl-C in a terminal reaches the command directly.
	terminal := isatty.IsTerminal(os.Stdin.Fd())
	for {
		select {
		case s := <-received:
			if s != os.Interrupt || !terminal {
				_ = cmd.Process.Signal(s) // fails if it ended just now
			}
		case err := <-died:
			_ = cmd.Process.Signal(syscall.SIGTERM)
			time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
			<-ended
			return err
		case err := <-ended:
			return statusOf(err)
		}
	}
}

// statusOf returns the exit status with which a shell reports the end of a command.
func statusOf(err error) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return exitStatus(128 + int(status.Signal()))
	}
	return exitStatus(exit.ExitCode())
}
