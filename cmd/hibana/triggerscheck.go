package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/callers"
)

// ackDeadline is the acknowledgement deadline that deploy/triggers.sh gives to the
// subscription of each trigger, in seconds.
const ackDeadline = 600

// The retry policy that deploy/terraform and deploy/triggers.sh give to each subscription.
const (
	minBackoff, maxBackoff = "10s", "600s"
	maxAttempts            = 100
)

type triggersCheck struct {
	File     []string `arg:"" optional:"" help:"Lists of triggers, subscriptions and jobs from gcloud; standard input by default."`
	Service  string   `default:"hibana-functions" help:"Cloud Run service of the functions. Triggers of other services are ignored."`
	Database string   `default:"(default)" help:"Database of the triggers."`

	UploadsBucket string `placeholder:"NAME" help:"Bucket to which clients upload, PROJECT-uploads with deploy/terraform. Without it media are off, and have no trigger."`

	Audience string `placeholder:"ADDRESS" help:"CALLER_AUDIENCE of the functions, if set. Tokens must have it as their audience, or otherwise the called host."`

	DeadLetters string `placeholder:"TOPIC" help:"Dead letter topic of the subscriptions: hibana-dead-events with deploy/terraform and deploy/triggers.sh. The flag also checks the retry policy."`
}

// Help returns the text of the command's --help.
func (*triggersCheck) Help() string {
	return `The command reads lists of triggers, subscriptions and Cloud Scheduler jobs:

  gcloud eventarc triggers list --format=json > triggers.json
  gcloud pubsub subscriptions list --format=json > subscriptions.json
  gcloud scheduler jobs list --location=REGION --format=json > jobs.json
  hibana triggers check triggers.json subscriptions.json jobs.json

It reports:

  * missing triggers, and triggers of an unknown function or event type
  * a wrong document pattern, database, bucket or content type of a trigger
  * an acknowledgement deadline other than 600 s, and tokens that the functions refuse
  * a missing or wrong job that calls /Tick each minute
  * with --dead-letters, a wrong dead letter topic or retry policy

deploy/triggers.sh --apply and deploy/schedule.sh --apply repair all but unknown triggers;
delete these.

Exit status: 0 if the deployment matches the functions, 1 if it differs, 2 if unknown.`
}

// Run checks and prints.
func (c *triggersCheck) Run() error {
	d, err := c.read(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hibana: triggers check:", err)
		return exitStatus(2)
	}
	problems := append(c.problems(d), c.jobProblems(d.jobs)...)
	for _, problem := range problems {
		fmt.Println(problem)
	}
	if len(problems) > 0 {
		return exitStatus(1)
	}
	fmt.Println("The triggers match the functions, and a job calls each minute.")
	return nil
}

// resource is a trigger, a subscription or a job as gcloud prints it, with the fields that
// the check needs.
type resource struct {
	Name string `json:"name"`

	// Of a trigger.
	EventFilters []eventFilter `json:"eventFilters"`
	Destination  struct {
		CloudRun struct {
			Service string `json:"service"`
			Path    string `json:"path"`
		} `json:"cloudRun"`
	} `json:"destination"`
	Transport struct {
		PubSub struct {
			Subscription string `json:"subscription"`
		} `json:"pubsub"`
	} `json:"transport"`
	EventDataContentType string `json:"eventDataContentType"`

	// Of a subscription.
	AckDeadlineSeconds int `json:"ackDeadlineSeconds"`
	RetryPolicy        struct {
		MinimumBackoff string `json:"minimumBackoff"`
		MaximumBackoff string `json:"maximumBackoff"`
	} `json:"retryPolicy"`
	PushConfig struct {
		Endpoint  string `json:"pushEndpoint"`
		OIDCToken struct {
			Account  string `json:"serviceAccountEmail"`
			Audience string `json:"audience"`
		} `json:"oidcToken"`
	} `json:"pushConfig"`
	DeadLetterPolicy struct {
		Topic       string `json:"deadLetterTopic"`
		MaxAttempts int    `json:"maxDeliveryAttempts"`
	} `json:"deadLetterPolicy"`

	// Of a job.
	Schedule   string `json:"schedule"`
	State      string `json:"state"`
	HTTPTarget struct {
		URI       string `json:"uri"`
		Method    string `json:"httpMethod"`
		OIDCToken struct {
			Account  string `json:"serviceAccountEmail"`
			Audience string `json:"audience"`
		} `json:"oidcToken"`
	} `json:"httpTarget"`
}

// deployed is the deployment according to the lists.
type deployed struct {
	triggers, jobs []resource
	subscriptions  map[string]resource // by name
}

type eventFilter struct {
	Attribute string `json:"attribute"`
	Operator  string `json:"operator"`
	Value     string `json:"value"`
}

// filter returns the filter on an attribute, without the attribute.
func (r *resource) filter(attribute string) (operator, value string) {
	for _, f := range r.EventFilters {
		if f.Attribute == attribute {
			return f.Operator, f.Value
		}
	}
	return "", ""
}

// read reads the lists from the files, or from stdin. A name has the kind of its resource, so the lists may come in any
// order.
func (c *triggersCheck) read(stdin io.Reader) (d deployed, err error) {
	var all []resource
	if len(c.File) == 0 {
		all, err = readResources(stdin)
	}
	for _, name := range c.File {
		f, failed := os.Open(name)
		if failed != nil {
			return d, failed
		}
		more, failed := readResources(f)
		err = errors.Join(err, failed, f.Close())
		all = append(all, more...)
	}
	d.subscriptions = map[string]resource{}
	for _, r := range all {
		switch {
		case strings.Contains(r.Name, "/triggers/"):
			d.triggers = append(d.triggers, r)
		case strings.Contains(r.Name, "/subscriptions/"):
			d.subscriptions[r.Name] = r
		case strings.Contains(r.Name, "/jobs/"):
			d.jobs = append(d.jobs, r)
		default:
			err = errors.Join(err, fmt.Errorf("%q is not the name of a trigger, subscription or job", r.Name))
		}
	}
	return d, err
}

// readResources reads JSON arrays until the end. No array at all is an error.
func readResources(r io.Reader) (all []resource, err error) {
	d := json.NewDecoder(r)
	for first := true; ; first = false {
		var list []resource
		switch err := d.Decode(&list); {
		case err == io.EOF && !first:
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("not a list of gcloud --format=json: %w", err)
		}
		all = append(all, list...)
	}
}

// problems compares the triggers of the service with the table.
func (c *triggersCheck) problems(d deployed) (problems []string) {
	found := map[string]string{} // trigger by function and type
	for _, t := range d.triggers {
		if path.Base(t.Destination.CloudRun.Service) != c.Service {
			continue
		}
		add := func(format string, args ...any) {
			problems = append(problems, path.Base(t.Name)+": "+fmt.Sprintf(format, args...))
		}
		name := strings.Trim(t.Destination.CloudRun.Path, "/")
		_, on := t.filter("type")
		i := slices.IndexFunc(functions.Table, func(f functions.Function) bool { return f.Name == name })
		switch {
		case i < 0:
			add("there is no function %q; delete the trigger", name)
			continue
		case !slices.Contains(functions.Table[i].On, functions.EventType(on)):
			add("%s has no event type %q; delete the trigger", name, on)
			continue
		case found[name+on] != "":
			add("%s gets the same events from %s; delete one of the two", name, found[name+on])
		}
		found[name+on] = path.Base(t.Name)
		wantType := protobufType
		if f := &functions.Table[i]; f.OfBucket() {
			wantType = jsonType
			if _, bucket := t.filter("bucket"); bucket != c.UploadsBucket {
				add("the bucket is %s, want %s", cmp.Or(bucket, "missing"),
					cmp.Or(c.UploadsBucket, "none; name it by --uploads-bucket"))
			}
		} else {
			if operator, pattern := t.filter("document"); operator != "match-path-pattern" || pattern != f.Document {
				add("the document pattern is %s, want %s", cmp.Or(pattern, "missing"), f.Document)
			}
			if _, database := t.filter("database"); database != c.Database {
				add("the database is %s, want %s", cmp.Or(database, "missing"), c.Database)
			}
		}
		if got := t.EventDataContentType; got != wantType {
			add("the content type is %s, want %s", cmp.Or(got, "missing"), wantType)
		}
		subscription := t.Transport.PubSub.Subscription
		sub, there := d.subscriptions[subscription]
		if !there {
			add("the subscription %q is not in the list", subscription)
			continue
		}
		if deadline := sub.AckDeadlineSeconds; deadline != ackDeadline {
			add("the acknowledgement deadline of the subscription %s is %d s, want %d s", path.Base(subscription), deadline,
				ackDeadline)
		}
		if push := sub.PushConfig; push.OIDCToken.Account == "" {
			add("the subscription %s calls without an ID token, which the functions refuse", path.Base(subscription))
			// Pub/Sub's own default is the endpoint
		} else if to := cmp.Or(push.OIDCToken.Audience, push.Endpoint); !callers.MadeOut(to,
			cmp.Or(c.Audience, callers.Origin(push.Endpoint))) {
			add("the token of the subscription %s has the audience %s, which the functions refuse: they accept %s and "+
				"paths below it; CALLER_AUDIENCE changes that", path.Base(subscription), to,
				cmp.Or(c.Audience, callers.Origin(push.Endpoint)))
		}
		if c.DeadLetters == "" {
			continue
		}
		if dead := sub.DeadLetterPolicy; dead.Topic == "" {
			add("the subscription %s has no dead letter topic, want %s", path.Base(subscription), c.DeadLetters)
		} else if path.Base(dead.Topic) != c.DeadLetters || dead.MaxAttempts != maxAttempts {
			add("the subscription %s sends dead letters after %d attempts to %s, want %d to %s", path.Base(subscription),
				dead.MaxAttempts, path.Base(dead.Topic), maxAttempts, c.DeadLetters)
		}
		if retry := sub.RetryPolicy; retry.MinimumBackoff != minBackoff || retry.MaximumBackoff != maxBackoff {
			add("the subscription %s waits %s to %s between attempts, want %s to %s", path.Base(subscription),
				cmp.Or(retry.MinimumBackoff, "0s"), cmp.Or(retry.MaximumBackoff, "0s"), minBackoff, maxBackoff)
		}
	}
	for _, f := range functions.Table {
		if f.OfBucket() && c.UploadsBucket == "" {
			continue // media are off
		}
		for _, on := range f.On {
			if found[f.Name+string(on)] == "" {
				problems = append(problems, fmt.Sprintf("%s has no trigger on %s", f.Name, on))
			}
		}
	}
	return problems
}

// eachMinute is the schedule that deploy/schedule.sh gives to the job.
const eachMinute = "* * * * *"

// jobProblems returns the problems of the job that deploy/schedule.sh creates. It ignores other jobs.
func (c *triggersCheck) jobProblems(jobs []resource) (problems []string) {
	name := c.Service + "-tick"
	i := slices.IndexFunc(jobs, func(j resource) bool { return path.Base(j.Name) == name })
	if i < 0 {
		return []string{fmt.Sprintf("there is no job %s, so scheduled tweets are not posted; run deploy/schedule.sh --apply",
			name)}
	}
	j := jobs[i]
	add := func(what, got, want string) {
		if got != want {
			problems = append(problems, fmt.Sprintf("%s: the %s is %s, want %s", name, what, cmp.Or(got, "missing"), want))
		}
	}
	base := strings.TrimSuffix(j.HTTPTarget.URI, "/"+functions.Tick)
	add("schedule", j.Schedule, eachMinute)
	add("state", j.State, "ENABLED")
	add("method", j.HTTPTarget.Method, "POST")
	add("address", j.HTTPTarget.URI, base+"/"+functions.Tick)
	add("audience of the token", j.HTTPTarget.OIDCToken.Audience, base)
	if j.HTTPTarget.OIDCToken.Account == "" {
		problems = append(problems, name+": the job calls without an ID token")
	}
	return problems
}
