package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/functions"
)

// deployment is what gcloud lists.
type deployment struct {
	triggers, subscriptions, jobs []map[string]any
}

// wholeTable is the deployment of the whole table, in the form in which gcloud prints it.
func wholeTable(t *testing.T) (d deployment) {
	t.Helper()
	d.jobs = append(d.jobs, parsed(t,
		`{"name": "projects/my-project/locations/asia-northeast1/jobs/report", "schedule": "0 9 * * *", "state": "PAUSED"}`),
		parsed(t, `{
		"attemptDeadline": "60s",
		"httpTarget": {
			"headers": {"User-Agent": "Google-Cloud-Scheduler"}, "httpMethod": "POST",
			"oidcToken": {"audience": "https://hibana-functions-x.a.run.app",
				"serviceAccountEmail": "hibana-triggers@my-project.iam.gserviceaccount.com"},
			"uri": "https://hibana-functions-x.a.run.app/Tick"
		},
		"name": "projects/my-project/locations/asia-northeast1/jobs/hibana-functions-tick",
		"schedule": "* * * * *", "state": "ENABLED", "timeZone": "Etc/UTC"
	}`))
	for _, f := range functions.Table {
		for _, on := range f.On {
			id := f.Name + "-" + string(on[strings.LastIndex(string(on), ".")+1:])
			contentType, filters := "application/protobuf", fmt.Sprintf(`
					{"attribute": "database", "value": "(default)"},
					{"attribute": "document", "operator": "match-path-pattern", "value": "%s"},`, f.Document)
			if f.OfBucket() {
				contentType, filters = "application/json", `{"attribute": "bucket", "value": "my-project-uploads"},`
			}
			d.triggers = append(d.triggers, parsed(t, fmt.Sprintf(`{
				"createTime": "2026-11-20T02:14:03.104729Z",
				"destination": {"cloudRun": {"path": "/%[1]s", "region": "asia-northeast1", "service": "hibana-functions"}},
				"etag": "\"-1x0c5h\"",
				"eventDataContentType": "%[5]s",
				"eventFilters": [%[2]s
					{"attribute": "type", "value": "%[3]s"}
				],
				"name": "projects/my-project/locations/nam5/triggers/%[4]s",
				"serviceAccount": "hibana-triggers@my-project.iam.gserviceaccount.com",
				"transport": {"pubsub": {
					"subscription": "projects/my-project/subscriptions/eventarc-nam5-%[4]s-sub-817",
					"topic": "projects/my-project/topics/eventarc-nam5-%[4]s-817"
				}},
				"uid": "5ee1a7d6-2b2c-4b5c-8f3b-0a7b3c6d9e10",
				"updateTime": "2026-11-20T02:14:09.482111Z"
			}`, f.Name, filters, on, id, contentType)))
			d.subscriptions = append(d.subscriptions, parsed(t, fmt.Sprintf(`{
				"ackDeadlineSeconds": 600,
				"expirationPolicy": {},
				"labels": {"goog-eventarc": ""},
				"messageRetentionDuration": "86400s",
				"name": "projects/my-project/subscriptions/eventarc-nam5-%[1]s-sub-817",
				"pushConfig": {"oidcToken": {"serviceAccountEmail": "hibana-triggers@my-project.iam.gserviceaccount.com"},
					"pushEndpoint": "https://hibana-functions-x.a.run.app/%[2]s?__GCP_CloudEventsMode=CE_PUBSUB_BINDING"},
				"retryPolicy": {"maximumBackoff": "600s", "minimumBackoff": "10s"},
				"state": "ACTIVE",
				"topic": "projects/my-project/topics/eventarc-nam5-%[1]s-817"
			}`, id, f.Name)))
		}
	}
	return d
}

func parsed(t *testing.T, text string) (m map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// at follows keys into a value.
func at(v any, keys ...string) map[string]any {
	for _, key := range keys {
		v = v.(map[string]any)[key]
	}
	return v.(map[string]any)
}

// setFilter changes one filter of a trigger.
func setFilter(trigger map[string]any, attribute, key, value string) {
	for _, f := range trigger["eventFilters"].([]any) {
		if f := f.(map[string]any); f["attribute"] == attribute {
			f[key] = value
		}
	}
}

func TestTriggersCheck(t *testing.T) {
	t.Parallel()
	table := functions.Table
	first := table[0].Name + "-" + string(table[0].On[0][strings.LastIndex(string(table[0].On[0]), ".")+1:])
	media := 0 // the index of the trigger of files
	for i, d := range wholeTable(t).triggers {
		if at(d, "destination", "cloudRun")["path"] == "/MediaUploaded" {
			media = i
		}
	}
	tests := map[string]struct {
		change func(*deployment)
		want   []string // a piece of each line; none if the deployment is right
	}{
		"right": {change: func(*deployment) {}},
		"missing": {
			func(d *deployment) { d.triggers = d.triggers[1:] },
			[]string{table[0].Name + " has no trigger on " + string(table[0].On[0])},
		},
		"no function": {
			func(d *deployment) { at(d.triggers[0], "destination", "cloudRun")["path"] = "/Bygone" },
			[]string{first + `: there is no function "Bygone"`, table[0].Name + " has no trigger on"},
		},
		"another type": {
			func(d *deployment) {
				setFilter(d.triggers[0], "type", "value", "google.cloud.firestore.document.v1.written")
			},
			[]string{first + ": " + table[0].Name + ` has no event type "google.cloud.firestore.document.v1.written"`, table[0].Name +
				" has no trigger on"},
		},
		"another pattern": {
			func(d *deployment) { setFilter(d.triggers[0], "document", "value", "secrets/{id}") },
			[]string{first + ": the document pattern is secrets/{id}, want " + table[0].Document},
		},
		"a path in the place of the pattern": {
			func(d *deployment) { setFilter(d.triggers[0], "document", "operator", "") },
			[]string{first + ": the document pattern is"},
		},
		"another database": {
			func(d *deployment) { setFilter(d.triggers[0], "database", "value", "other") },
			[]string{first + ": the database is other, want (default)"},
		},
		"another content type": {
			func(d *deployment) { delete(d.triggers[0], "eventDataContentType") },
			[]string{first + ": the content type is missing, want application/protobuf"},
		},
		"another bucket": {
			func(d *deployment) { setFilter(d.triggers[media], "bucket", "value", "my-project-media") },
			[]string{"MediaUploaded-finalized: the bucket is my-project-media, want my-project-uploads"},
		},
		"files as protobuf": {
			func(d *deployment) { d.triggers[media]["eventDataContentType"] = "application/protobuf" },
			[]string{"MediaUploaded-finalized: the content type is application/protobuf, want application/json"},
		},
		"a short deadline": {
			func(d *deployment) { d.subscriptions[0]["ackDeadlineSeconds"] = 10 },
			[]string{first + ": the acknowledgement deadline of the subscription eventarc-nam5-" + first +
				"-sub-817 is 10 s, want 600 s"},
		},
		"a token for its service": {change: func(d *deployment) {
			at(d.subscriptions[0], "pushConfig", "oidcToken")["audience"] = "https://hibana-functions-x.a.run.app"
		}},
		"a token for another": {
			func(d *deployment) {
				at(d.subscriptions[0], "pushConfig", "oidcToken")["audience"] = "https://hibana-functions-1.asia-northeast1.run.app"
			},
			[]string{"has the audience https://hibana-functions-1.asia-northeast1.run.app, which the functions refuse: they " +
				"accept https://hibana-functions-x.a.run.app"},
		},
		"no token": {
			func(d *deployment) { delete(at(d.subscriptions[0], "pushConfig"), "oidcToken") },
			[]string{"calls without an ID token"},
		},
		"no subscription": {
			func(d *deployment) { d.subscriptions = d.subscriptions[1:] },
			[]string{first + `: the subscription "projects/my-project/subscriptions/eventarc-nam5-` + first +
				`-sub-817" is not in the list`},
		},
		"twice": {
			func(d *deployment) {
				again := parsed(t, mustJSON(t, d.triggers[0]))
				again["name"] = "projects/my-project/locations/nam5/triggers/again"
				d.triggers = append(d.triggers, again)
			},
			[]string{"again: " + table[0].Name + " gets the same events from " + first},
		},
		"no job": {func(d *deployment) { d.jobs = d.jobs[:1] }, []string{"there is no job hibana-functions-tick"}},
		"a job that waits": {func(d *deployment) { d.jobs[1]["state"] = "PAUSED" },
			[]string{"hibana-functions-tick: the state is PAUSED, want ENABLED"}},
		"a job a day": {func(d *deployment) { d.jobs[1]["schedule"] = "0 9 * * *" },
			[]string{"the schedule is 0 9 * * *, want * * * * *"}},
		"a job that asks": {func(d *deployment) { at(d.jobs[1], "httpTarget")["httpMethod"] = "GET" },
			[]string{"the method is GET, want POST"}},
		"a job that calls something else": {
			func(d *deployment) { at(d.jobs[1], "httpTarget")["uri"] = "https://hibana-functions-x.a.run.app" },
			[]string{"the address is https://hibana-functions-x.a.run.app, want https://hibana-functions-x.a.run.app/Tick"},
		},
		"a job without a token": {
			func(d *deployment) { delete(at(d.jobs[1], "httpTarget"), "oidcToken") },
			[]string{"the audience of the token is missing", "without an ID token"},
		},
		"another service": {change: func(d *deployment) {
			other := parsed(t, mustJSON(t, d.triggers[0]))
			at(other, "destination", "cloudRun")["service"] = "billing"
			workflow := parsed(t, `{"name": "projects/my-project/locations/nam5/triggers/w", "destination": {"workflow": "projects/my-project/locations/nam5/workflows/w"}}`)
			pull := parsed(t, `{"name": "projects/my-project/subscriptions/pull", "ackDeadlineSeconds": 10}`)
			d.triggers, d.subscriptions = append(d.triggers, other, workflow), append(d.subscriptions, pull)
		}},
	}
	for name, test := range tests {
		d := wholeTable(t)
		test.change(&d)
		triggers, subscriptions := mustJSON(t, d.triggers), mustJSON(t, d.subscriptions)
		c := &triggersCheck{Service: "hibana-functions", Database: "(default)", UploadsBucket: "my-project-uploads"}
		got, err := c.read(strings.NewReader(triggers + "\n" + subscriptions + mustJSON(t, d.jobs)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		problems := append(c.problems(got), c.jobProblems(got.jobs)...)
		if !slices.EqualFunc(problems, test.want, strings.Contains) {
			t.Errorf("%s: found %q, want %q", name, problems, test.want)
		}
	}
}

// With an audience, tokens must be made out to it.
func TestTriggersCheckAudience(t *testing.T) {
	t.Parallel()
	d := wholeTable(t)
	at(d.subscriptions[0], "pushConfig", "oidcToken")["audience"] = "https://functions.internal"
	c := &triggersCheck{Service: "hibana-functions", Database: "(default)", UploadsBucket: "my-project-uploads",
		Audience: "https://functions.internal"}
	got, err := c.read(strings.NewReader(mustJSON(t, d.triggers) + mustJSON(t, d.subscriptions) + mustJSON(t, d.jobs)))
	if err != nil {
		t.Fatal(err)
	}
	if problems := c.problems(got); len(problems) != len(d.triggers)-1 || !strings.Contains(problems[0],
		"they accept https://functions.internal and paths below it") {
		t.Errorf("of %d subscriptions, one of which has the audience: %q", len(d.subscriptions), problems)
	}
}

// With a topic for dead letters, as deploy/terraform makes one, each subscription must have it.
func TestTriggersCheckDeadLetters(t *testing.T) {
	t.Parallel()
	policy := func(d *deployment) map[string]any { return at(d.subscriptions[0], "deadLetterPolicy") }
	tests := map[string]struct {
		change func(*deployment)
		want   []string
	}{
		"right": {change: func(*deployment) {}},
		"no policy": {func(d *deployment) { delete(d.subscriptions[0], "deadLetterPolicy") },
			[]string{"has no dead letter topic, want hibana-dead-events"}},
		"another topic": {func(d *deployment) {
			policy(d)["deadLetterTopic"] = "projects/my-project/topics/_deleted-topic_"
		}, []string{"sends dead letters after 100 attempts to _deleted-topic_, want 100 to hibana-dead-events"}},
		"few attempts": {func(d *deployment) { policy(d)["maxDeliveryAttempts"] = 5 },
			[]string{"sends dead letters after 5 attempts"}},
		"no waits": {func(d *deployment) { delete(d.subscriptions[0], "retryPolicy") },
			[]string{"waits 0s to 0s between attempts, want 10s to 600s"}},
		"shorter waits": {func(d *deployment) { at(d.subscriptions[0], "retryPolicy")["maximumBackoff"] = "60s" },
			[]string{"waits 10s to 60s"}},
		"a short deadline": {func(d *deployment) { d.subscriptions[0]["ackDeadlineSeconds"] = 10 },
			[]string{"is 10 s, want 600 s"}},
	}
	for name, test := range tests {
		d := wholeTable(t)
		for _, s := range d.subscriptions {
			s["deadLetterPolicy"] = parsed(t,
				`{"deadLetterTopic": "projects/my-project/topics/hibana-dead-events", "maxDeliveryAttempts": 100}`)
		}
		test.change(&d)
		c := &triggersCheck{Service: "hibana-functions", Database: "(default)", UploadsBucket: "my-project-uploads",
			DeadLetters: "hibana-dead-events"}
		got, err := c.read(strings.NewReader(mustJSON(t, d.triggers) + mustJSON(t, d.subscriptions)))
		if err != nil {
			t.Fatal(err)
		}
		if problems := c.problems(got); !slices.EqualFunc(problems, test.want, strings.Contains) {
			t.Errorf("%s: found %q, want %q", name, problems, test.want)
		}
	}
}

// Without media there is no trigger of files, and one that is there is reported.
func TestTriggersCheckWithoutMedia(t *testing.T) {
	t.Parallel()
	d := wholeTable(t)
	file := slices.IndexFunc(d.triggers, func(t map[string]any) bool {
		return at(t, "destination", "cloudRun")["path"] == "/MediaUploaded"
	})
	c := &triggersCheck{Service: "hibana-functions", Database: "(default)"}
	found := func() []string {
		t.Helper()
		got, err := c.read(strings.NewReader(mustJSON(t, d.triggers) + mustJSON(t, d.subscriptions) + mustJSON(t, d.jobs)))
		if err != nil {
			t.Fatal(err)
		}
		return c.problems(got)
	}
	if got := found(); len(got) != 1 || !strings.Contains(got[0], "want none; name it by --uploads-bucket") {
		t.Errorf("with the trigger of files: %q", got)
	}
	d.triggers = slices.Delete(d.triggers, file, file+1)
	if got := found(); len(got) > 0 {
		t.Errorf("without the trigger of files: %q", got)
	}
	c.UploadsBucket = "my-project-uploads"
	if got := found(); len(got) != 1 || !strings.Contains(got[0], "MediaUploaded has no trigger") {
		t.Errorf("with a bucket and without its trigger: %q", got)
	}
}

// The command reads files or standard input, in any order, and its exit status says what it
// found.
func TestTriggersCheckCommand(t *testing.T) {
	t.Parallel()
	d := wholeTable(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	triggers, subscriptions, jobs := file("t", mustJSON(t, d.triggers)), file("s", mustJSON(t, d.subscriptions)),
		file("j", mustJSON(t, d.jobs))
	d.subscriptions[0]["ackDeadlineSeconds"] = 10
	short := file("short", mustJSON(t, d.subscriptions))
	tests := []struct {
		args   []string
		stdin  string
		status int
		want   string
	}{
		{[]string{triggers, subscriptions, jobs}, "", 0, "match the functions"},
		{[]string{jobs, subscriptions, triggers}, "", 0, "match the functions"},
		{[]string{triggers, subscriptions}, "", 1, "there is no job"},
		{nil, mustJSON(t, d.triggers) + mustJSON(t, d.subscriptions), 1, "is 10 s, want 600 s"},
		{[]string{triggers, short}, "", 1, "is 10 s, want 600 s"},
		{[]string{triggers, subscriptions, "--database=other"}, "", 1, "the database is (default), want other"},
		{[]string{triggers, subscriptions, "--service=other"}, "", 1, "has no trigger on"},
		{[]string{file("empty", "[]")}, "", 1, "has no trigger on"},
		{nil, "", 2, "--format=json"},
		{[]string{triggers, file("table", "NAME TYPE")}, "", 2, "--format=json"},
		{[]string{triggers, file("other", `[{"name": "projects/p/topics/t"}]`)}, "", 2, "projects/p/topics/t"},
		{[]string{filepath.Join(dir, "absent")}, "", 2, "absent"},
	}
	for _, test := range tests {
		p := hibana(t, nil, append([]string{"triggers", "check", "--uploads-bucket=my-project-uploads"}, test.args...)...)
		if _, err := p.in.Write([]byte(test.stdin)); err != nil && test.stdin != "" {
			t.Fatal(err)
		}
		if err := p.in.Close(); err != nil {
			t.Fatal(err)
		}
		p.ends(test.status)
		wantText(t, p.out.String()+p.errout.String(), test.want)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
