package mastodon_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/mastodon"
)

// A process may show a list as it was 2 s ago. What somebody posts, shares and edits one after another arrives all the
// same, and before the next check of a connection.
func TestStreamingSoon(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	other := e.another(t, func(o *api.Options) { o.Streaming = &mastodon.Streaming{Pace: 10 * time.Millisecond} })
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	var list struct{ ID string }
	e.ask(t, ann, "POST /v1/lists", map[string]any{"title": "sparks"}).want(t, http.StatusCreated, &list)
	e.ask(t, ann, "PUT /v1/lists/"+list.ID+"/members/"+bob.id, nil).want(t, http.StatusNoContent, nil)
	liked := e.post(t, cid, "shared soon")
	e.idle(t)
	own := other.connect(t, ann, "stream=user")
	own.say(t, `{"type":"subscribe","stream":"list","list":"`+list.ID+`"}`)
	time.Sleep(200 * time.Millisecond) // until the members of the list are read
	var want []event
	for n := range 3 {
		for _, visibility := range []string{"public", "private"} {
			var made struct{ ID string }
			e.ask(t, bob, "POST "+statuses, map[string]any{"status": fmt.Sprint("soon ", n), "visibility": visibility}).
				want(t, http.StatusOK, &made)
			want = append(want, event{"user update", made.ID}, event{"list " + list.ID + " update", made.ID})
			time.Sleep(30 * time.Millisecond)
		}
	}
	var share shared
	e.ask(t, bob, "POST "+statuses+"/"+statusID(liked)+"/reblog", nil).want(t, http.StatusOK, &share)
	own.want(t, append(want, event{"user update", share.ID})...)

	post := e.post(t, bob, "before")
	events, end := other.listen(t, ann, "user", "")
	defer end()
	for _, text := range []string{"after", "later"} {
		other.ask(t, ann, "GET "+statuses+"/"+statusID(post), nil).want(t, http.StatusOK, nil)
		e.ask(t, bob, "PATCH /v1/tweets/"+post, map[string]any{"content": text}).want(t, http.StatusOK, nil)
		late := time.After(15 * time.Second)
		for heard := false; !heard; {
			select {
			case is := <-events:
				heard = is.event == "status.update" && strings.Contains(is.data, text)
			case <-late:
				t.Fatalf("did not hear of the edit %q", text)
			}
		}
	}
}
