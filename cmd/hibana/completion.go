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
	return `The shell asks this program for completions, so they always match this build. Add the
line of your shell to its startup file:

  eval "$(hibana completion bash)"     in ~/.bashrc
  eval "$(hibana completion zsh)"      in ~/.zshrc, after compinit
  hibana completion fish | source      in ~/.config/fish/config.fish

If hibana is not in the PATH, use its path instead.`
}

// Run prints the code for the shell.
func (c *completionCmd) Run(command *kong.Context) error {
	return (&kongcompletion.Completion{Shell: c.Shell, Code: true}).Run(command)
}
