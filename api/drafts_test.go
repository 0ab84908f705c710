package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A user writes a draft in several sittings, on two devices, schedules it, and finds it posted.
// Nobody else sees the draft.
func TestDrafts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	first := map[string]any{"content": "a spark #go", "summary": "fire", "tags": []string{"x"}, "allowQuotes": false,
		"visibility": "unlisted"}
	var draft, again api.Draft
	r := e.do(t, "POST", "/v1/drafts", ann.token, first, "Idempotency-Key", "k").want(t, http.StatusCreated, &draft)
	path := r.header.Get("Location")
	e.do(t, "POST", "/v1/drafts", ann.token, first, "Idempotency-Key", "k").want(t, http.StatusCreated, &again)
	e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "y"}, "Idempotency-Key", "k").
		problem(t, http.StatusConflict, "idempotency_key_reused")
	if again.ID != draft.ID || path != "/v1/drafts/"+draft.ID || draft.Content != "a spark #go" ||
		draft.Summary != "fire" || !slices.Equal(draft.Tags, []string{"x"}) ||
		draft.AllowQuotes || !draft.AllowLikes || draft.Visibility != "unlisted" || draft.PublishAt != nil ||
		draft.Revision != 0 {
		t.Errorf("draft = %+v, repeated %s", draft, again.ID)
	}
	tag := e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &again).header.Get("ETag")
	for _, method := range []string{"GET", "PUT"} {
		e.do(t, method, path, bob.token, map[string]any{"content": "mine"}).problem(t, http.StatusNotFound, "draft_not_found")
	}
	e.do(t, "DELETE", path, bob.token, nil).want(t, http.StatusNoContent, nil)

	at := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	second := map[string]any{"content": "another spark", "publishAt": at}
	changed := e.do(t, "PUT", path, ann.token, second, "If-Match", tag).want(t, http.StatusOK, &draft)
	if draft.Content != "another spark" || draft.Summary != "" || len(draft.Tags) > 0 || !draft.PublishAt.Equal(at) ||
		draft.Revision != 1 || changed.header.Get("ETag") == tag {
		t.Errorf("draft = %+v", draft)
	}
	e.do(t, "PUT", path, ann.token, map[string]any{"content": "of the other device"}, "If-Match", tag).
		problem(t, http.StatusPreconditionFailed, "draft_changed")
	e.do(t, "PUT", path, ann.token, second, "If-Match", tag).want(t, http.StatusOK, nil) // the answer was lost
	e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "waits"}).want(t, http.StatusCreated, nil)
	var page server.List[api.Draft]
	e.do(t, "GET", "/v1/drafts?pageSize=1", ann.token, nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].Content != "waits" || page.NextPageToken == "" {
		t.Errorf("drafts = %+v", page)
	}
	e.do(t, "GET", "/v1/drafts?pageSize=5&pageToken="+page.NextPageToken, ann.token, nil).want(t, http.StatusOK, &page)
	if len(page.Items) != 1 || page.Items[0].ID != draft.ID {
		t.Errorf("drafts = %+v", page)
	}

	// The time comes, and then the author is impatient with the other one.
	_, err := e.admin.Doc("drafts/"+string(ann.id)+"_"+draft.ID).
		Update(t.Context(), []firestore.Update{{Path: "publishAt", Value: time.Now()}})
	testenv.Must(t, err)
	for range 2 {
		done, err := e.db.Drafts.PublishDue(t.Context(), func() bool { return false })
		if testenv.Must(t, err); done.Refused > 0 {
			t.Errorf("PublishDue = %+v", done)
		}
	}
	e.do(t, "GET", path, ann.token, nil).problem(t, http.StatusNotFound, "draft_not_found")
	e.do(t, "GET", "/v1/drafts", ann.token, nil).want(t, http.StatusOK, &page)
	var tweet api.Tweet
	r = e.do(t, "POST", "/v1/drafts/"+page.Items[0].ID+"/publish", ann.token, nil).want(t, http.StatusCreated, &tweet)
	e.do(t, "POST", "/v1/drafts/"+page.Items[0].ID+"/publish", ann.token, nil).
		problem(t, http.StatusNotFound, "draft_not_found")
	e.do(t, "GET", r.header.Get("Location"), "", nil).want(t, http.StatusOK, &tweet)
	var public server.List[api.Tweet]
	e.do(t, "GET", "/v1/tweets", "", nil).want(t, http.StatusOK, &public)
	var contents []string
	for _, tweet := range public.Items {
		contents = append(contents, *tweet.Content)
	}
	if !slices.Equal(contents, []string{"waits", "another spark"}) || *tweet.Content != "waits" {
		t.Errorf("tweets = %q, and %q", contents, *tweet.Content)
	}
}

// A caller who may not post without a verified address may write a draft, and may not schedule it.
func TestDraftOfUnverified(t *testing.T) {
	t.Parallel()
	e := newEnv(t, func(o *api.Options) { o.RequireVerifiedEmail = true })
	ann := e.join(t, "ann")
	var draft api.Draft
	e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "x"}).want(t, http.StatusCreated, &draft)
	for _, r := range []reply{
		e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "x", "publishAt": time.Now().Add(time.Hour)}),
		e.do(t, "PUT", "/v1/drafts/"+draft.ID, ann.token, map[string]any{"content": "x",
			"publishAt": time.Now().Add(time.Hour)}),
		e.do(t, "POST", "/v1/drafts/"+draft.ID+"/publish", ann.token, nil),
	} {
		r.problem(t, http.StatusForbidden, "email_not_verified")
	}
}

// A time that RFC 3339 does not have is refused, and so is one that is too far, in both routes and
// with a key alike.
func TestTimesOfDrafts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	draft := e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "x"}).want(t, http.StatusCreated, nil).
		header.Get("Location")
	year := fmt.Sprint(time.Now().UTC().AddDate(0, 1, 0).Format("2006-01-02"))
	times := map[string]string{}
	for _, bad := range []string{"T10:00:00+24:00", "T10:00:00-24:00", "T10:00:00+12:60", "T10:00:00+99:99", "T1:00:00Z",
		"T10:00:00,5Z", "T10:00:00", "T24:00:00Z", "T10:00Z", "T10:00:60Z", "T10:00:00+0900", "T10:00:00.Z", " 10:00:00Z", "",
		"T10:00:00Z\n"} {
		times[year+bad] = "invalid_request"
	}
	for _, bad := range []string{"x", "2026-02-30T10:00:00Z", "2026-13-01T10:00:00Z", "10000-01-01T00:00:00Z"} {
		times[bad] = "invalid_request"
	}
	for _, far := range []string{"9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999999999-00:01",
		"0000-01-01T00:00:00+23:59", "0001-01-01T00:00:00Z", "2001-01-01T00:00:00Z"} {
		times[far] = "invalid_publish_at"
	}
	for at, code := range times {
		for _, send := range []func(...string) reply{
			func(h ...string) reply {
				return e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "x", "publishAt": at}, h...)
			},
			func(...string) reply {
				return e.do(t, "PUT", draft, ann.token, map[string]any{"content": "x", "publishAt": at})
			},
		} {
			for _, headers := range [][]string{nil, {"Idempotency-Key", "k"}} {
				p := send(headers...).problem(t, http.StatusBadRequest, code)
				if code == "invalid_request" && (len(p.Errors) == 0 || p.Errors[0].Location != "body.publishAt") {
					t.Errorf("%q: %+v does not name the field", at, p)
				}
			}
		}
	}
	for i, good := range []string{"T10:00:00Z", "T10:00:00.5Z", "T23:59:59+23:59", "T10:00:00.123456789-11:30"} {
		e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "x", "publishAt": year + good}, "Idempotency-Key",
			fmt.Sprint(i)).want(t, http.StatusCreated, nil)
		e.do(t, "PUT", draft, ann.token, map[string]any{"content": "x", "publishAt": year + good}).want(t, http.StatusOK, nil)
	}
	again := func(at string) reply {
		return e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "y", "publishAt": year + at},
			"Idempotency-Key", "forms")
	}
	first := again("T10:00:00Z").want(t, http.StatusCreated, nil).header.Get("Location")
	if got := again("T12:00:00+02:00").want(t, http.StatusCreated, nil).header.Get("Location"); got != first {
		t.Errorf("the same moment in another form made %s, want %s", got, first)
	}
	again("T12:00:00Z").problem(t, http.StatusConflict, "idempotency_key_reused")
}
