package mastodon_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is a request for a method, as a client sends it.
type sample struct {
	of    string // name of the method
	path  string // with its query; the method's own path if empty. {names} stand for ids of the world
	body  any    // as JSON, in which {names} stand for ids, too
	media string // media type of a body that is a []byte or string; JSON if empty
	by    string // who asks: ann, bob, cid, mo, a moderator, or ruth, an administrator; ann if empty
	want  int    // status, 200 if 0
	keep  string // the name under which the id of the answer, or of its first element, is kept
	idle  bool   // wait until all events are handled before
	shard int    // reads that are more or fewer, as chance has put posts into shards
}

// samples has requests for every method that is here, in an order in which they work.
func samples() []sample {
	return slices.Concat(accountSamples(), statusSamples(), timelineSamples(), mediaSamples(), pollSamples(),
		scheduledSamples(), conversationSamples(), notificationSamples(), pushSamples(), markerSamples(), filterSamples(),
		listSamples(), relationshipSamples(), tagSamples(), suggestionSamples(), searchSamples(), trendSamples(),
		announcementSamples(), reportSamples(), instanceSamples(), adminSamples(), streamingSamples(), oauthSamples())
}

// world is what samples are about: ann follows bob, who posts.
type world struct {
	*env
	people map[string]person
	ids    map[string]string
}

// newWorld makes the people and posts of the samples.
func newWorld(t testing.TB, change ...func(*api.Options)) *world {
	t.Helper()
	w := &world{env: newEnv(t, append(change, withPush)...), people: map[string]person{"": {}}, ids: map[string]string{}}
	for _, name := range []string{"ann", "bob", "cid"} {
		p := w.join(t, name)
		w.people[name], w.ids[name] = p, p.id
	}
	w.people["mo"], w.people["ruth"] = w.join(t, "moe").as("moderator"), w.join(t, "ruth").as("admin")
	ann, bob := w.people["ann"], w.people["bob"]
	w.ask(t, w.people["ruth"], "PUT /v1/admin/announcements/party", map[string]any{"title": "Party", "text": "Tonight"}).
		want(t, http.StatusOK, nil)
	w.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	w.ids["native"] = w.env.post(t, bob, "Sparks fly #spark")
	w.ids["post"] = statusID(w.ids["native"])
	var list struct{ ID string }
	w.ask(t, ann, "POST /v1/lists", map[string]any{"title": "friends"}).want(t, http.StatusCreated, &list)
	w.ids["list"] = list.ID
	w.ask(t, ann, "PUT /v1/lists/"+list.ID+"/members/"+bob.id, nil)
	w.withApp(t)
	w.idle(t)
	return w
}

// statusID is the id of a post by the id that the native API gives it.
func statusID(native string) string { return native[2:] + native[:2] + strings.Repeat("0", 18) }

var placeholder = regexp.MustCompile(`\{[a-z0-9_]+\}`)

// fill puts ids into a text.
func (w *world) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if id, ok := w.ids[strings.Trim(name, "{}")]; ok {
			return id
		}
		return name
	})
}

// send sends a sample as somebody.
func (w *world) send(t testing.TB, s sample, by person) answer {
	t.Helper()
	verb, path, _ := strings.Cut(s.of, " ")
	if s.path != "" {
		path = s.path
	}
	what := verb + " " + w.fill(path)
	switch body := s.body.(type) {
	case nil:
		return w.askAs(t, by, what, "", nil)
	case []byte:
		return w.askAs(t, by, what, s.media, bytes.NewReader(body))
	case string:
		return w.askAs(t, by, what, s.media, strings.NewReader(w.fill(body)))
	default:
		text, err := json.Marshal(body)
		testenv.Must(t, err)
		return w.askAs(t, by, what, "application/json", strings.NewReader(w.fill(string(text))))
	}
}

var billed = regexp.MustCompile(`fs-(reads|writes|deletes);desc="?(\d+)`)

// Every method that is here answers with what its documentation says, and costs no more documents than costs.txt says.
// -update writes that file.
func TestCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	costs, tried, documented := map[string][3]int{}, map[string]bool{}, readEntities(t)
	for _, s := range samples() {
		if s.idle {
			w.idle(t)
		}
		by := s.by
		if by == "" {
			by = "ann"
		}
		a := w.send(t, s, w.people[by])
		want := s.want
		if want == 0 {
			want = http.StatusOK
		}
		if a.StatusCode != want {
			t.Errorf("%s %s answered %s: %.300s", s.of, w.fill(s.path), a.Status, a.text)
			continue
		}
		if s.keep != "" {
			var made struct{ ID string }
			text := a.text
			if list := []json.RawMessage{}; json.Unmarshal(text, &list) == nil && len(list) > 0 {
				text = list[0]
			}
			if err := json.Unmarshal(text, &made); err != nil || made.ID == "" {
				t.Errorf("%s has no id: %.300s", s.of, a.text)
			}
			w.ids[s.keep] = made.ID
		}
		tried[s.of] = true
		documented.answer(t, s.of, a)
		var cost [3]int
		for _, m := range billed.FindAllStringSubmatch(a.Header.Get("Server-Timing"), -1) {
			n, err := strconv.Atoi(m[2])
			testenv.Must(t, err)
			cost[map[string]int{"reads": 0, "writes": 1, "deletes": 2}[m[1]]] = n
		}
		if *update {
			cost[0] += s.shard
		}
		most := costs[s.of]
		for i := range most {
			most[i] = max(most[i], cost[i])
		}
		costs[s.of] = most
	}
	for _, m := range mastodon.Methods() {
		if m.Works() && !m.Live && !tried[m.Name()] {
			t.Errorf("no sample of %s", m.Name())
		}
	}
	compareCosts(t, costs)
}

// compareCosts holds costs against the file.
func compareCosts(t *testing.T, costs map[string][3]int) {
	t.Helper()
	const file = "testdata/costs.txt"
	if *update {
		var b strings.Builder
		for _, m := range mastodon.Methods() {
			if c, ok := costs[m.Name()]; ok {
				fmt.Fprintf(&b, "%s: %d reads, %d writes, %d deletes\n", m.Name(), c[0], c[1], c[2])
			}
		}
		testenv.Must(t, os.MkdirAll("testdata", 0o755))
		testenv.Must(t, os.WriteFile(file, []byte(b.String()), 0o644))
		return
	}
	text, err := os.ReadFile(file)
	testenv.Must(t, err)
	budget := map[string][3]int{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		name, cost, _ := strings.Cut(lines.Text(), ": ")
		var c [3]int
		if _, err := fmt.Sscanf(cost, "%d reads, %d writes, %d deletes", &c[0], &c[1], &c[2]); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		budget[name] = c
	}
	for name, c := range costs {
		b, ok := budget[name]
		if !ok || c[0] > b[0] || c[1] > b[1] || c[2] > b[2] {
			t.Errorf("%s costs %d reads, %d writes, %d deletes; its budget is %v (-update changes it)", name, c[0], c[1], c[2],
				b)
		}
	}
}
