package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/hibana-sns/hibana/functions"
)

type triggersCmd struct {
	JSON bool `name:"json" help:"As JSON, for scripts: name, document pattern and CloudEvent types."`
}

// Run prints the table of functions.
func (c *triggersCmd) Run() error { return c.print(os.Stdout) }

func (c *triggersCmd) print(w io.Writer) error {
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
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "FUNCTION\tDOCUMENT\tON")
	for _, f := range functions.Table {
		var on []string
		for _, e := range f.On {
			on = append(on, string(e[strings.LastIndex(string(e), ".")+1:]))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, f.Document, strings.Join(on, ", "))
	}
	return t.Flush()
}
