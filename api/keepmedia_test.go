package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// A deletion that keeps media makes them uploads that no post has: their owner alone reads them and posts with them,
// and they go after a day.
func TestKeepMedia(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	used, left := e.uploaded(t, ann.token, "tweet"), e.uploaded(t, ann.token, "tweet")
	posted := e.post(t, ann, map[string]any{"media": []any{used, left}})
	long := strings.Repeat("a", model.MaxEmbeddedAlt+1)
	e.do(t, "PATCH", "/v1/tweets/"+string(posted.ID), ann.token, map[string]any{"media": []any{
		map[string]any{"id": used, "alt": "Mist"}, map[string]any{"id": left, "alt": long}}}).want(t, http.StatusOK, nil)
	tweet := "/v1/tweets/" + string(posted.ID)
	e.do(t, "DELETE", tweet+"?keepMedia=maybe", ann.token, nil).want(t, http.StatusBadRequest, nil)
	e.do(t, "DELETE", tweet+"?keepMedia=true", bob.token, nil).problem(t, http.StatusForbidden, "not_author")
	deleted := e.do(t, "DELETE", tweet+"?keepMedia=true", ann.token, nil)
	deleted.want(t, http.StatusNoContent, nil)
	// Beside the tweet: both records, and the details with the long description.
	if got, want := deleted.cost(t), (meter.Counts{Reads: 4, Writes: 3, Deletes: 2}); got != want {
		t.Errorf("costs %+v, want %+v", got, want)
	}
	e.do(t, "DELETE", tweet, ann.token, nil).want(t, http.StatusGone, nil) // repeated, and media stay

	public := posted.Media[0].URLs.Small
	get(t, e, public).problem(t, http.StatusNotFound, "media_not_found")
	for id, alt := range map[model.MediaID]string{used: "Mist", left: long} {
		path := "/v1/media/" + string(id)
		e.do(t, "GET", path, bob.token, nil).problem(t, http.StatusNotFound, "media_not_found")
		e.do(t, "POST", "/v1/tweets", bob.token, map[string]any{"media": []any{id}}).problem(t, http.StatusNotFound,
			"media_not_found")
		var m api.Media
		e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &m)
		if m.Used || m.ExpiresAt == nil || m.URLs == nil || m.Alt != alt {
			t.Fatalf("kept: %+v", m)
		}
		if ends := time.Until(*m.ExpiresAt); ends > model.MediaWindow || ends < model.MediaWindow-time.Hour {
			t.Errorf("it goes in %v, want %v", ends, model.MediaWindow)
		}
		get(t, e, m.URLs.Small).want(t, http.StatusOK, nil)
	}
	e.now = func() time.Time { return time.Now().Add(time.Minute) } // what was refused is remembered for some seconds
	again := e.post(t, ann, map[string]any{"media": []any{used}})
	if again.Media[0].Alt != "Mist" {
		t.Errorf("posted anew: %+v", again.Media)
	}
	get(t, e, public).want(t, http.StatusOK, nil)
	e.now = func() time.Time { return time.Now().Add(model.MediaWindow + time.Minute) }
	e.do(t, "GET", "/v1/media/"+string(left), ann.token, nil).problem(t, http.StatusNotFound, "media_not_found")
	e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{"media": []any{left}}).problem(t, http.StatusNotFound,
		"media_not_found")
}

// An administrator keeps the media of an own tweet, and never those of another user.
func TestKeepMediaOfOthers(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	ruth := e.join(t, "ruth")
	ruth.token = testenv.Token(emulators.DefaultProject, map[string]any{"sub": ruth.id, "admin": true})
	for _, by := range []person{ann, ruth} {
		id := e.uploaded(t, by.token, "tweet")
		tweet := e.post(t, by, map[string]any{"media": []any{id}})
		e.do(t, "DELETE", "/v1/tweets/"+string(tweet.ID)+"?keepMedia=true", ruth.token, nil).
			want(t, http.StatusNoContent, nil)
		want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[by.id == ruth.id]
		e.do(t, "GET", "/v1/media/"+string(id), by.token, nil).want(t, want, nil)
	}
}
