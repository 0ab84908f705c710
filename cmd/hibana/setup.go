package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/repository"
)

type setupCmd struct {
	Packages bool `help:"As root on Debian, also install packages of missing tools."`
	Tests    bool `help:"Also install the tools of the tests: a browser, and the packages of the web client."`
}

// Run installs the missing tools. Tools that are still missing are its error.
func (c *setupCmd) Run(ctx context.Context) error {
	say := func(msg string) { fmt.Println(msg) }
	if c.Packages {
		installPackages(ctx, append(emulators.Missing(ctx), c.missing()...))
	}
	_, err := emulators.Install(ctx, say)
	all := missing(ctx)
	if c.Tests {
		for _, m := range c.missing() {
			fmt.Printf("%v\nTests that need it are skipped until then.\n", m)
		}
		dir, webErr := repository.File("web")
		if webErr == nil {
			webErr = emulators.InstallWeb(ctx, dir, say)
		}
		err = cmp.Or(err, webErr)
	}
	if _, ok := errors.AsType[*emulators.MissingTool](err); err != nil && !ok { // those are listed already
		all = append(all, err)
	}
	if ctx.Err() != nil {
		return exitStatus(130)
	}
	if len(all) == 0 {
		fmt.Println("All tools of the emulators are installed.")
	}
	return all.orNil()
}

// missing returns the tools of the tests that are not installed.
func (c *setupCmd) missing() (all []*emulators.MissingTool) {
	if !c.Tests {
		return nil
	}
	for _, find := range []func() (string, error){emulators.FindBrowser, emulators.FindFirefox} {
		_, err := find()
		if m, ok := errors.AsType[*emulators.MissingTool](err); ok {
			all = append(all, m)
		}
	}
	return all
}

// installPackages installs packages from the package sources of this machine. apt-get reports failures, and the list of
// missing tools follows in any case.
func installPackages(ctx context.Context, missing []*emulators.MissingTool) {
	if _, err := exec.LookPath("apt-get"); err != nil || os.Geteuid() != 0 || len(missing) == 0 {
		return
	}
	apt := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		return cmd.Run()
	}
	if apt("update") != nil {
		return
	}
	for _, m := range missing {
		for _, command := range m.Install {
			args := strings.Fields(command)
			if args[0] != "apt-get" {
				continue
			}
			if exec.CommandContext(ctx, "apt-cache", "show", args[len(args)-1]).Run() != nil {
				fmt.Fprintf(os.Stderr, "no package source has %s\n", args[len(args)-1])
				continue
			}
			_ = apt(args[1:]...)
		}
	}
}
