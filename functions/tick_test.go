package functions_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/stack"
	"github.com/hibana-sns/hibana/dev/testing/stacktest"
	"github.com/hibana-sns/hibana/dev/testing/storetest"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/functions"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store"
)

// A tick posts what is due, tells what it did, and asks for another call if something failed. A call with another
// method does nothing.
func TestTick(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	var log bytes.Buffer
	server := httptest.NewServer(functions.Handler(e.Store, slog.New(slog.NewTextHandler(&log, nil))))
	defer server.Close()
	call := func(method string, want int, says string) {
		t.Helper()
		log.Reset()
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/"+functions.Tick, nil)
		testenv.Must(t, err)
		resp, err := http.DefaultClient.Do(req)
		testenv.Must(t, err)
		resp.Body.Close()
		if resp.StatusCode != want || !strings.Contains(log.String(), says) || (says == "") != (log.Len() == 0) {
			t.Errorf("%s answered %d and logged %q, want %d and %q", method, resp.StatusCode, log.String(), want, says)
		}
	}
	at := e.Clock.Now().Add(time.Minute)
	for _, quoted := range []model.TweetID{"", "0000000000000000aa"} {
		_, err := e.Drafts.Save(t.Context(), "ann", model.SavedDraft{Draft: model.Draft{Content: "x", QuoteOf: quoted},
			PublishAt: &at}, model.Request{})
		testenv.Must(t, err)
	}
	call("POST", http.StatusNoContent, "")
	e.Clock.Add(time.Minute)
	call("GET", http.StatusMethodNotAllowed, "")
	call("POST", http.StatusNoContent, "published=1 refused=1")
	call("POST", http.StatusNoContent, "")
	_, err := e.Raw.Doc("drafts/ann_broken").Set(t.Context(), map[string]any{"userId": 1, "dueShard": 3, "publishAt": at})
	testenv.Must(t, err)
	call("POST", http.StatusInternalServerError, "level=WARN msg=tick published=0")
	if n := len(e.IDs(t, model.Tweets)); n != 1 {
		t.Errorf("%d tweets, want 1", n)
	}
}

// A stack ticks by itself, and everything follows that follows from a tweet.
func TestTicking(t *testing.T) {
	t.Parallel()
	s := stacktest.Run(t, stack.Options{TickEvery: 10 * time.Millisecond})
	_, err := s.Store.Users.CreateUser(t.Context(), "ann", model.NewUser{Username: "ann", Nickname: "Ann"})
	testenv.Must(t, err)
	var at time.Time
	for lead := 2 * time.Second; lead < time.Minute; lead *= 2 { // later than Save, on any machine
		at = time.Now().Add(lead)
		_, err = s.Store.Drafts.Save(t.Context(), "ann", model.SavedDraft{Draft: model.Draft{Content: "x"}, PublishAt: &at},
			model.Request{})
		if errs.KindOf(err) != errs.Invalid {
			break
		}
	}
	testenv.Must(t, err)
	for until := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		waiting, err := s.Store.Drafts.Of(t.Context(), "ann", model.Cursor{}, 1)
		testenv.Must(t, err)
		if len(waiting.Items) == 0 {
			break
		}
		if time.Now().After(until) {
			t.Fatal("the draft was not posted")
		}
	}
	if time.Now().Before(at) {
		t.Error("the draft was posted before its time")
	}
	stacktest.Idle(t, s)
	u, err := s.Store.Users.User(t.Context(), "ann")
	testenv.Must(t, err)
	if u.TweetCount != 1 {
		t.Errorf("%d tweets are counted, want 1", u.TweetCount)
	}
}

// A tick tells of polls that have ended, also if drafts fail, and the next tick tells nobody again.
func TestTickPolls(t *testing.T) {
	t.Parallel()
	e := storetest.Open(t, store.Options{})
	e.CreateUsers(t, "ann")
	e.Draft(t, "ann", model.Draft{Content: "?", Poll: &model.NewPoll{Options: []string{"yes", "no"}, Minutes: 5}})
	_, err := e.Raw.Doc("drafts/ann_broken").
		Set(t.Context(), map[string]any{"userId": 1, "dueShard": 3, "publishAt": e.Clock.Now()})
	testenv.Must(t, err)
	e.Clock.Add(5*time.Minute + model.PollReconciles)
	var log bytes.Buffer
	handler := functions.Handler(e.Store, slog.New(slog.NewTextHandler(&log, nil)))
	for _, ended := range []string{"polls_ended=1", "polls_ended=0"} {
		log.Reset()
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "POST", "/"+functions.Tick, nil))
		if w.Code != http.StatusInternalServerError || !strings.Contains(log.String(), ended) {
			t.Errorf("the tick answered %d and logged %q, want %q", w.Code, log.String(), ended)
		}
	}
	page, _, err := e.NotificationEvents.Notifications(t.Context(), "ann", nil, model.Cursor{}, 20)
	testenv.Must(t, err)
	if len(page.Items) != 1 {
		t.Errorf("ann is told %+v", page.Items)
	}
}
