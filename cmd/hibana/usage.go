package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// explain describes the mistake in the command line, and names the help text. kong suggests a similar command or flag.
// Without a suggestion explain lists the commands.
func explain(w io.Writer, wrong *kong.ParseError) {
	text := wrong.Error()
	node := wrong.Context.Selected()
	if node == nil {
		node = wrong.Context.Model.Node
	}
	if strings.HasPrefix(text, "unexpected argument") {
		// A word after a command that has a default subcommand is an argument of the
		// latter to kong. A mistyped subcommand is more likely.
		if node.Parent != nil && node.Parent.DefaultCmd == node {
			node = node.Parent
		}
		if len(node.Children) > 0 && !strings.Contains(text, "did you mean") {
			text += "; the commands of " + node.FullPath() + " are " + children(node)
		}
	}
	fmt.Fprintf(w, "hibana: %s\nRun \"%s --help\" for help.\n", text, node.FullPath())
}

// children are the names of a command's subcommands.
func children(node *kong.Node) string {
	var names []string
	for _, child := range node.Children {
		names = append(names, child.Name)
	}
	return strings.Join(names, ", ")
}
