package main

import (
	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help returns the text of the command's --help.
func (*completionCmd) Help() string {
	return `The shell asks this program what can follow, so the answer is always of this build. Put
the line of your shell into the file that it reads at its start:

  eval "$(hibana completion bash)"     in ~/.bashrc
  eval "$(hibana completion zsh)"      in ~/.zshrc, after compinit
  hibana completion fish | source      in ~/.config/fish/config.fish

Where hibana is not in the PATH, its path stands there instead. A command line is
completed under any path.`
}

// Run prints the code for the shell.
func (c *completionCmd) Run(command *kong.Context) error {
	return (&kongcompletion.Completion{Shell: c.Shell, Code: true}).Run(command)
}
