package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hibana-sns/hibana/functions"
)

type triggersCmd struct {
	List  triggersList  `cmd:"" default:"withargs" help:"List the functions with their triggers."`
	Check triggersCheck `cmd:"" help:"Compare the triggers of a deployment with the functions."`
}

type triggersList struct {
	JSON   bool   `name:"json" help:"Print JSON: name, document pattern or bucket, and CloudEvent types."`
	Format string `enum:",terraform,gcloud" default:"" placeholder:"terraform|gcloud" help:"Print deploy/terraform/triggers.json, or gcloud commands that create the triggers in $$PROJECT, $$REGION, $$LOCATION, $$DATABASE and $$UPLOADS_BUCKET."`
}

// Run prints the table of functions.
func (c *triggersList) Run() error { return c.print(os.Stdout) }

func (c *triggersList) print(w io.Writer) error {
	switch c.Format {
	case "terraform":
		return printJSON(w, triggers())
	case "gcloud":
		return printCommands(w, triggers())
	}
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

// The content types of events of documents and of files.
const protobufType, jsonType = "application/protobuf", "application/json"

// trigger calls one function for one type of event.
type trigger struct {
	Function string              `json:"function"`
	Document string              `json:"document"`
	Type     functions.EventType `json:"type"`
}

// triggers are the triggers of the table by their ids, such as tweet-changed-created.
func triggers() map[string]trigger {
	all := map[string]trigger{}
	for _, f := range functions.Table {
		for _, on := range f.On {
			all[triggerID(f.Name, on)] = trigger{f.Name, f.Document, on}
		}
	}
	return all
}

var word = regexp.MustCompile(`([a-z])([A-Z])`)

func triggerID(function string, on functions.EventType) string {
	kind := string(on[strings.LastIndex(string(on), ".")+1:])
	return strings.ToLower(word.ReplaceAllString(function, "$1-$2") + "-" + kind)
}

// printCommands prints a command for each trigger, in the order of their ids. A shell fills in
// where they are. deploy/triggers.sh also updates triggers, and sets how their subscriptions deliver.
func printCommands(w io.Writer, all map[string]trigger) error {
	for _, id := range slices.Sorted(maps.Keys(all)) {
		t := all[id]
		of, location := fmt.Sprintf(`--event-filters="database=${DATABASE:-(default)}"`+
			` --event-filters-path-pattern='document=%s' --event-data-content-type=%s`, t.Document, protobufType),
			"${LOCATION:-$REGION}"
		if t.Document == functions.Uploads {
			of, location = `--event-filters="bucket=$UPLOADS_BUCKET" --event-data-content-type=`+jsonType, "$REGION"
		}
		if _, err := fmt.Fprintf(w,
			`gcloud eventarc triggers create %s --project="$PROJECT" --location="%s"`+
				` --destination-run-service=hibana-functions --destination-run-region="$REGION" --destination-run-path=/%s`+
				` --event-filters=type=%s %s --service-account="hibana-triggers@$PROJECT.iam.gserviceaccount.com"`+"\n",
			id, location, t.Function, t.Type, of); err != nil {
			return err
		}
	}
	return nil
}
