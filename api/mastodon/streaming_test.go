package mastodon_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// streams lets clients stream, at a quick pace.
func streams(o *api.Options) {
	o.Streaming = &mastodon.Streaming{Pace: 10 * time.Millisecond, CheckEvery: 200 * time.Millisecond,
		BeatEvery: 100 * time.Millisecond}
}

// event is what a connection hears: "stream event" and the id of its payload, or the payload.
type event struct{ what, id string }

// ear is a connection.
type ear struct {
	conn   *websocket.Conn
	heard  chan event
	ended  chan error
	before []event
}

// connect opens a WebSocket with parameters.
func (e *env) connect(t testing.TB, who person, query string) *ear {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	options := &websocket.DialOptions{HTTPHeader: http.Header{}}
	if who.token != "" {
		options.HTTPHeader.Set("Authorization", "Bearer "+who.token)
	}
	conn, _, err := websocket.Dial(ctx, e.url+"/api/v1/streaming?"+query, options)
	testenv.Must(t, err)
	conn.SetReadLimit(1 << 20)
	c := &ear{conn: conn, heard: make(chan event, 100), ended: make(chan error, 1)}
	listening := context.WithoutCancel(t.Context())
	go func() {
		for {
			_, text, err := conn.Read(listening)
			if err != nil {
				c.ended <- err
				return
			}
			var m struct {
				Stream                []string
				Event, Payload, Error string
			}
			json.Unmarshal(text, &m) //nolint:errcheck // then the event has nothing
			c.heard <- event{strings.Join(m.Stream, " ") + " " + m.Event + m.Error, idIn(m.Payload)}
		}
	}()
	t.Cleanup(func() { conn.CloseNow() })
	return c
}

// idIn is the id of a payload, or the payload.
func idIn(payload string) string {
	var is struct{ ID string }
	if json.Unmarshal([]byte(payload), &is) == nil && is.ID != "" {
		return is.ID
	}
	return payload
}

// say sends a message.
func (c *ear) say(t testing.TB, message string) {
	t.Helper()
	testenv.Must(t, c.conn.Write(t.Context(), websocket.MessageText, []byte(message)))
}

// want waits until a connection has heard some events, in any order, and nothing else.
func (c *ear) want(t testing.TB, want ...event) {
	t.Helper()
	late := time.After(15 * time.Second)
	left := slices.Clone(want)
	for len(left) > 0 {
		select {
		case got := <-c.heard:
			i := slices.Index(left, got)
			if i < 0 {
				t.Fatalf("heard %q, want %q of %q", got, left, want)
			}
			left = slices.Delete(left, i, i+1)
		case err := <-c.ended:
			t.Fatalf("the connection ended before %q: %v", left, err)
		case <-late:
			t.Fatalf("did not hear %q of %q", left, want)
		}
	}
}

// end waits until a connection ends, and returns the code of its end.
func (c *ear) end(t testing.TB) websocket.StatusCode {
	t.Helper()
	select {
	case err := <-c.ended:
		return websocket.CloseStatus(err)
	case <-time.After(15 * time.Second):
		t.Fatal("the connection goes on")
		return 0
	}
}

// What happens arrives on the streams that have it, and only for those who may see it and want to.
func TestStreaming(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann, bob, cid, eve := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid"), e.join(t, "eve")
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	var list struct{ ID string }
	e.ask(t, ann, "POST /v1/lists", map[string]any{"title": "sparks"}).want(t, http.StatusCreated, &list)
	e.ask(t, ann, "PUT /v1/lists/"+list.ID+"/members/"+bob.id, nil).want(t, http.StatusNoContent, nil)
	e.ask(t, ann, "PUT /v1/users/"+cid.id+"/mute", map[string]any{}).want(t, http.StatusNoContent, nil)
	e.ask(t, eve, "PUT /v1/users/"+ann.id+"/block", nil).want(t, http.StatusNoContent, nil)
	early := e.post(t, bob, "before the connection #spark")
	e.idle(t)
	if page, err := ann.GetTimelineHome(t.Context(), nil); err != nil || len(page) != 1 {
		t.Fatalf("home has %d posts, %v", len(page), err)
	}
	time.Sleep(2 * time.Millisecond) // ids have milliseconds

	own := e.connect(t, ann, "stream=user")
	for _, stream := range []string{`"public:local"`, `"hashtag","tag":"Spark"`, `"list","list":"` + list.ID + `"`} {
		own.say(t, `{"type":"subscribe","stream":`+stream+`}`)
	}
	own.say(t, `{"type":"subscribe","stream":"none"}`)
	own.want(t, event{` there is no stream "none"`, ""})
	stranger := e.connect(t, cid, "stream=user")
	visitor := e.connect(t, person{}, "stream=public")

	e.post(t, cid, "by a muted author #spark")
	e.post(t, eve, "by an author who blocks #spark")
	first := e.post(t, bob, "flies #spark")
	id := statusID(first)
	e.idle(t)
	own.want(t, event{"user update", id}, event{"public:local update", id}, event{"hashtag spark update", id},
		event{"list " + list.ID + " update", id})
	var private struct{ ID string }
	e.ask(t, bob, "POST /v1/tweets", map[string]any{"content": "for friends", "visibility": "followers"}).
		want(t, http.StatusCreated, &private)
	own.want(t, event{"user update", statusID(private.ID)}, event{"list " + list.ID + " update", statusID(private.ID)})

	e.ask(t, bob, "PATCH /v1/tweets/"+first, map[string]any{"content": "flew #spark"}).want(t, http.StatusOK, nil)
	own.want(t, event{"user status.update", id}, event{"public:local status.update", id},
		event{"hashtag spark status.update", id}, event{"list " + list.ID + " status.update", id})
	for _, gone := range []string{first, early, private.ID} {
		e.ask(t, bob, "DELETE /v1/tweets/"+gone, nil).want(t, http.StatusNoContent, nil)
	}
	own.want(t, event{"user delete", id}, event{"public:local delete", id}, event{"hashtag spark delete", id},
		event{"list " + list.ID + " delete", id},
		event{"user delete", statusID(early)}, event{"public:local delete", statusID(early)},
		event{"list " + list.ID + " delete", statusID(early)},
		event{"user delete", statusID(private.ID)}, event{"list " + list.ID + " delete", statusID(private.ID)})

	var kept []string
	for len(visitor.heard) > 0 {
		kept = append(kept, (<-visitor.heard).what)
	}
	same(t, "what a visitor heard", slices.DeleteFunc(kept, func(s string) bool {
		return !strings.HasSuffix(s,
			"update")
	}),
		[]string{"public update", "public update", "public update", "public status.update"})
	for len(stranger.heard) > 0 {
		if got := <-stranger.heard; got.what != "user update" { // the own post
			t.Errorf("a stranger heard %q", got)
		}
	}
	dan := e.join(t, "dan")
	shared := e.post(t, dan, "to be shared")
	own.want(t, event{"public:local update", statusID(shared)})
	e.ask(t, bob, "PUT /v1/tweets/"+shared+"/share", nil).want(t, http.StatusNoContent, nil)
	select {
	case got := <-own.heard:
		if got.what != "user update" || !strings.HasSuffix(got.id, shared[2:]+shared[:2]) {
			t.Errorf("heard %q, want the share of %s", got, shared)
		}
	case <-time.After(15 * time.Second):
		t.Error("the share did not arrive")
	}
	e.ask(t, bob, "PUT /v1/users/"+ann.id+"/follow", nil).want(t, http.StatusOK, nil)
	select {
	case got := <-own.heard:
		if got.what != "user notification" {
			t.Errorf("heard %q, want the follow", got)
		}
	case <-time.After(15 * time.Second):
		t.Error("the notification did not arrive")
	}
	if a := e.ask(t, ann, "PUT /v1/users/me/filters/none", map[string]any{"title": "none", "action": "hide",
		"keywords": []map[string]any{{"keyword": "wet powder", "wholeWord": true}},
		"contexts": []string{"home"}}); a.StatusCode >= 400 {
		t.Fatalf("a filter: %s %s", a.Status, a.text)
	}
	own.want(t, event{"user filters_changed", ""})
	own.say(t, `{"type":"unsubscribe","stream":"user"}`)
	own.say(t, `{"type":"subscribe","stream":"none"}`)
	own.want(t, event{` there is no stream "none"`, ""})
	last := e.post(t, bob, "the last #spark")
	own.want(t, event{"public:local update", statusID(last)}, event{"hashtag spark update", statusID(last)},
		event{"list " + list.ID + " update", statusID(last)})
}

// The public streams have what the public timeline has: no replies. The stream of a tag has them.
func TestStreamingReplies(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	root := statusID(e.post(t, ann, "root"))
	visitor := e.connect(t, person{}, "stream=public")
	visitor.say(t, `{"type":"subscribe","stream":"hashtag","tag":"spark"}`)
	visitor.say(t, `{"type":"subscribe","stream":"none"}`)
	visitor.want(t, event{` there is no stream "none"`, ""})
	var reply struct{ ID string }
	e.ask(t, bob, "POST "+statuses, map[string]any{"status": "reply #spark", "in_reply_to_id": root}).
		want(t, http.StatusOK, &reply)
	visitor.want(t, event{"hashtag spark update", reply.ID})
	e.ask(t, bob, "PUT "+statuses+"/"+reply.ID, map[string]any{"status": "edited #spark"}).want(t, http.StatusOK, nil)
	visitor.want(t, event{"hashtag spark status.update", reply.ID})
	last := statusID(e.post(t, ann, "last"))
	visitor.want(t, event{"public update", last})
}

// Server-sent events have the token in the header or in the query, and heartbeats.
func TestEventStream(t *testing.T) {
	t.Parallel()
	e := newEnv(t, streams)
	ann := e.join(t, "ann")
	e.idle(t)
	e.ask(t, person{}, "GET /api/v1/streaming/user", nil).want(t, http.StatusUnauthorized, nil)
	e.ask(t, ann, "GET /api/v1/streaming/list?list=none", nil).want(t, http.StatusNotFound, nil)
	e.ask(t, ann, "GET /api/v1/streaming", nil).want(t, http.StatusNotFound, nil)
	if a := e.ask(t, person{}, "GET /api/v1/streaming/health", nil); string(a.text) != "OK" {
		t.Errorf("health is %q", a.text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, e.url+"/api/v1/streaming/user?access_token="+ann.token,
		nil)
	testenv.Must(t, err)
	r.Header.Set("Accept-Encoding", "gzip")
	resp, err := http.DefaultClient.Do(r)
	testenv.Must(t, err)
	defer resp.Body.Close()
	same(t, "headers", []string{resp.Status, resp.Header.Get("Content-Type"), resp.Header.Get("Content-Encoding"),
		resp.Header.Get("Cache-Control")}, []string{"200 OK", "text/event-stream", "", "no-store"})
	id := statusID(e.post(t, ann, "hello"))
	lines, beats := bufio.NewScanner(resp.Body), 0
	lines.Buffer(nil, 1<<20)
	for (beats < 3 || id != "") && lines.Scan() {
		switch line := lines.Text(); {
		case line == ":thump":
			beats++
		case strings.HasPrefix(line, "data: "):
			if got := idIn(strings.TrimPrefix(line, "data: ")); got != id {
				t.Errorf("data is of %s, want %s", got, id)
			}
			id = ""
		}
	}
	if id != "" {
		t.Error("the post did not arrive")
	}
}

// A connection ends when the session ends or the account is suspended, when the client is slow, when its time is over,
// and with the process. Nothing of it is left then.
func TestStreamingEnds(t *testing.T) {
	t.Parallel()
	ends := make(chan struct{})
	var limits mastodon.Streaming
	e := newEnv(t, streams, func(o *api.Options) {
		o.Ends = ends
		limits = mastodon.Streaming{Most: 4, MostOfUser: 2, MostStreams: 3, Queue: 4, Pace: 10 * time.Millisecond,
			CheckEvery: 100 * time.Millisecond, BeatEvery: time.Hour}
		o.Streaming = &limits
	})
	ann, bob, mo := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "moe")

	first := e.connect(t, ann, "stream=user")
	e.connect(t, ann, "stream=user")
	for _, stream := range []string{"user", "public"} { // the limits of an account, and of a process
		if stream == "public" {
			e.connect(t, bob, "stream=user")
			e.connect(t, bob, "stream=user")
			e.ask(t, mo, "GET /api/v1/streaming/public", nil).want(t, http.StatusServiceUnavailable, nil)
			continue
		}
		e.ask(t, ann, "GET /api/v1/streaming/user", nil).want(t, http.StatusTooManyRequests, nil)
	}
	for _, stream := range []string{"public", "direct", "user:notification"} {
		first.say(t, `{"type":"subscribe","stream":"`+stream+`"}`)
	}
	first.want(t, event{" a connection may have 3 streams", ""})
	first.say(t, "no JSON")
	first.want(t, event{" a message is an object of JSON with type and stream", ""})
	time.Sleep(1100 * time.Millisecond) // the end of sessions has whole seconds: the token must be of an earlier one
	e.ask(t, ann, "DELETE /v1/users/me/sign-ins", nil).want(t, http.StatusNoContent, nil)
	same(t, "the end after that of the session", first.end(t), websocket.StatusPolicyViolation)

	long := e.connect(t, mo, "stream=user")
	long.say(t, `{"type":"`+strings.Repeat("x", 5_000)+`"}`)
	same(t, "the end after a long message", long.end(t), websocket.StatusMessageTooBig)
	last := e.connect(t, mo, "stream=public")
	close(ends)
	same(t, "the end with the process", last.end(t), websocket.StatusGoingAway)
	for try := 0; ; try++ {
		text := make([]byte, 4<<20)
		text = text[:runtime.Stack(text, true)]
		if !bytes.Contains(text, []byte("mastodon.(*connection)")) {
			break
		}
		if try == 600 {
			t.Fatalf("connections are left: %s", text)
		}
		time.Sleep(50 * time.Millisecond) // they end one after another
	}
}
