package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hibana-sns/hibana/functions"
)

type triggersCmd struct {
	List  triggersList  `cmd:"" default:"withargs" help:"List the functions, and what triggers each."`
	Check triggersCheck `cmd:"" help:"Compare the triggers of a deployment with the functions."`
}

type triggersList struct {
	JSON bool `name:"json" help:"As JSON, for scripts: name, document pattern and CloudEvent types."`
}

// Run prints the table of functions.
func (c *triggersList) Run() error { return c.print(os.Stdout) }

func (c *triggersList) print(w io.Writer) error {
	if c.JSON {
		type trigger struct {
			Name       string                `json:"name"`
			Document   string                `json:"document"`
			EventTypes []functions.EventType `json:"eventTypes"`
		}
		var all []trigger
		for _, f := range functions.Table {
			all = append(all, trigger{f.Name, f.Document, f.On})
		}
		return printJSON(w, all)
	}
	t := newTable(w, "FUNCTION", "DOCUMENT", "ON")
	for _, f := range functions.Table {
		var on []string
		for _, e := range f.On {
			on = append(on, string(e[strings.LastIndex(string(e), ".")+1:]))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, f.Document, strings.Join(on, ", "))
	}
	return t.Flush()
}
