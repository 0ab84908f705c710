package mastodon_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// sent is a server-sent event.
type sent struct{ event, id, data string }

// listen opens a connection with server-sent events, after an event with an id. close ends it.
func (e *env) listen(t *testing.T, who person, path, last string) (events <-chan sent, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, e.url+"/api/v1/streaming/"+path, nil)
	testenv.Must(t, err)
	if who.token != "" {
		r.Header.Set("Authorization", "Bearer "+who.token)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(t, err)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s after %q: %s", path, last, resp.Status)
	}
	all := make(chan sent, 100)
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	lines.Scan() // that it began
	go func() {
		defer close(all)
		var is sent
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case lines.Text() == "" && is.event != "":
				all <- is
				is = sent{}
			case name == "event":
				is.event = value
			case name == "id":
				is.id = value
			case name == "data":
				is.data = value
			}
		}
	}()
	t.Cleanup(cancel)
	return all, func() {
		cancel()
		resp.Body.Close()
	}
}

// next waits for events of a kind on posts, and returns the last one.
func next(t *testing.T, events <-chan sent, ids ...string) (last sent) {
	t.Helper()
	for len(ids) > 0 {
		select {
		case got := <-events:
			if got.event == "notification" {
				continue
			}
			if got.event != "update" || idIn(got.data) != ids[0] {
				t.Fatalf("heard %s of %s, want an update of %q", got.event, idIn(got.data), ids)
			}
			last, ids = got, ids[1:]
		case <-time.After(15 * time.Second):
			t.Fatalf("did not hear of the %d %q", len(ids), ids)
		}
	}
	return last
}

// A client that comes again with the id of the last event gets what came meanwhile, the newest 20, and nothing twice.
func TestStreamingResumes(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	var list struct{ ID string }
	e.ask(t, ann, "POST /v1/lists", map[string]any{"title": "sparks"}).want(t, http.StatusCreated, &list)
	e.ask(t, ann, "PUT /v1/lists/"+list.ID+"/members/"+bob.id, nil).want(t, http.StatusNoContent, nil)
	e.idle(t)
	post := func(content string) string {
		t.Helper()
		return statusID(e.post(t, bob, content))
	}
	paths := []string{"user", "public", "public/local", "hashtag?tag=spark", "list?list=" + list.ID}
	ids := map[string]string{}
	events, ends := map[string]<-chan sent{}, map[string]func(){}
	for _, path := range paths {
		events[path], ends[path] = e.listen(t, ann, path, "")
	}
	first := post("first #spark")
	for _, path := range paths {
		ids[path] = next(t, events[path], first).id
		if ids[path] == "" {
			t.Errorf("events of %s have no id", path)
		}
		ends[path]()
	}
	missed := []string{post("second #spark"), post("third #spark")}
	e.ask(t, bob, "PUT /v1/users/"+ann.id+"/follow", nil).want(t, http.StatusOK, nil)
	e.idle(t)
	for _, path := range paths {
		again, end := e.listen(t, ann, path, ids[path])
		ids[path] = next(t, again, missed...).id
		events[path], ends[path] = again, end
	}
	live := post("live #spark")
	for _, path := range paths {
		next(t, events[path], live)
		ends[path]()
	}
	// A notification that came meanwhile comes once.
	follows := func(last string) (n int) {
		all, end := e.listen(t, ann, "user/notification", last)
		defer end()
		for {
			select {
			case got := <-all:
				if got.event == "notification" {
					n++
					ids["notice"] = got.id
				}
			case <-time.After(700 * time.Millisecond): // the turns are over
				return n
			}
		}
	}
	if n := follows(ids["user"]); n != 1 {
		t.Errorf("%d notifications, want 1", n)
	}
	if n := follows(ids["notice"]); n != 0 {
		t.Errorf("%d notifications after the last one", n)
	}
	if n := follows("0000000000000000000000000000000000000.0"); n != 0 {
		t.Errorf("%d notifications after an id that is none", n)
	}
	long := make([]string, 0, 25)
	for range 25 {
		long = append(long, post("many #spark"))
	}
	e.idle(t)
	for _, path := range []string{"user", "public"} {
		again, end := e.listen(t, ann, path, ids[path])
		next(t, again, long[5:]...)
		end()
	}
	// What is no id of an event begins now, and what the caller may not see any more does not come again.
	for _, bad := range []string{"x", "1", ids["user"] + "x", strings.Repeat("f", 36) + ".1", "\u00e9",
		ids["user"][:36] + ".-1"} {
		again, end := e.listen(t, ann, "user", bad)
		next(t, again, post("now"))
		end()
	}
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/block", nil).want(t, http.StatusNoContent, nil)
	e.idle(t)
	own := statusID(e.post(t, ann, "own"))
	e.idle(t)
	again, end := e.listen(t, ann, "user", ids["user"])
	next(t, again, own)
	end()
}

// A share that was taken back is told of, and so are announcements.
func TestStreamingUnshare(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	root := e.join(t, "ruth").as("admin")
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	shared := e.post(t, root, "to be shared")
	e.idle(t)
	own, stranger := e.connect(t, ann, "stream=user"), e.connect(t, root, "stream=user")
	e.ask(t, bob, "PUT /v1/tweets/"+shared+"/share", nil).want(t, http.StatusNoContent, nil)
	var share event
	select {
	case share = <-own.heard:
	case <-time.After(15 * time.Second):
		t.Fatal("the share did not arrive")
	}
	e.ask(t, bob, "DELETE /v1/tweets/"+shared+"/share", nil).want(t, http.StatusNoContent, nil)
	own.want(t, event{"user delete", share.id})

	const path = "/v1/admin/announcements/"
	soon := time.Now().Add(2 * time.Second)
	put := func(id, title string, more ...any) {
		t.Helper()
		body := map[string]any{"title": title}
		for i := 0; i < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		e.ask(t, root, "PUT "+path+id, body).want(t, http.StatusOK, nil)
	}
	put("one", "Fireworks")
	own.want(t, event{"user announcement", "one"})
	put("one", "Fireworks tonight")
	own.want(t, event{"user announcement", "one"})
	put("later", "Rain", "startsAt", soon, "endsAt", soon.Add(2*time.Second))
	own.want(t, event{"user announcement", "later"})
	if time.Now().Before(soon) {
		t.Error("an announcement is told before its time")
	}
	own.want(t, event{"user announcement.delete", "later"})
	e.ask(t, root, "DELETE "+path+"one", nil).want(t, http.StatusNoContent, nil)
	own.want(t, event{"user announcement.delete", "one"})
	var kinds []string
	for len(stranger.heard) > 0 {
		if got := <-stranger.heard; !strings.HasPrefix(got.what, "user announcement") && got.what != "user notification" {
			kinds = append(kinds, got.what)
		}
	}
	if slices.Contains(kinds, "user delete") {
		t.Errorf("who does not follow hears %q", kinds)
	}
	if text, err := json.Marshal(kinds); err != nil || len(kinds) > 0 {
		t.Errorf("a stranger heard %s", text)
	}
}
