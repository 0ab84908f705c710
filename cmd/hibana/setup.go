package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/hibana-sns/hibana/internal/local/emulators"
)

type setupCmd struct {
	Packages bool `help:"As root on Debian, also install the packages of what is missing."`
}

// Run installs what it can. What is missing after that is its error.
func (c *setupCmd) Run(ctx context.Context) error {
	if c.Packages {
		installPackages(ctx, emulators.Missing(ctx))
	}
	_, err := emulators.Install(ctx, func(msg string) { fmt.Println(msg) })
	all := missing(ctx)
	if _, ok := errors.AsType[*emulators.MissingTool](err); err != nil && !ok { // those are listed already
		all = append(all, err)
	}
	if ctx.Err() != nil {
		return exitStatus(130)
	}
	if len(all) == 0 {
		fmt.Println("Everything that the emulators need is installed.")
	}
	return all.orNil()
}

// installPackages installs what the package sources of this machine have. Failures
// are for apt-get to report: what is still missing is listed in any case.
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
