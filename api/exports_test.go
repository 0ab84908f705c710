package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Somebody who is frozen takes everything along. Only a recent sign-in begins an export, and
// only a recent sign-in gets the links.
func TestExport(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	signedIn := func(ago time.Duration) string {
		return testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id),
			"auth_time": time.Now().Add(-ago).Unix(), "frozen": true})
	}
	e.do(t, "POST", "/v1/users/me/export", signedIn(6*time.Minute), nil).
		problem(t, http.StatusForbidden, "recent_sign_in_required")
	e.do(t, "GET", "/v1/users/me/export", signedIn(0), nil).problem(t, http.StatusNotFound, "export_not_found")
	e.do(t, "GET", "/v1/users/me/export?ifAny=true", signedIn(0), nil).want(t, http.StatusNoContent, nil)
	var begun, now api.Export
	r := e.do(t, "POST", "/v1/users/me/export", signedIn(4*time.Minute), nil)
	r.want(t, http.StatusAccepted, &begun)
	if begun.State != "writing" || begun.StartedAt.IsZero() || r.header.Get("Location") != "/v1/users/me/export" ||
		begun.Archives == nil {
		t.Errorf("POST = %+v at %q", begun, r.header.Get("Location"))
	}
	e.do(t, "POST", "/v1/users/me/export", signedIn(0), nil).want(t, http.StatusAccepted, nil)
	e.do(t, "GET", "/v1/users/me/export?ifAny=true", signedIn(0), nil).want(t, http.StatusOK, &now)
	if now.State != "writing" {
		t.Errorf("with ifAny an export is %+v", now)
	}

	ref := e.admin.Doc("exports/" + string(ann.id))
	for range 10 { // what the events would do
		snap, err := ref.Get(t.Context())
		testenv.Must(t, err)
		var work model.ExportWork
		testenv.Must(t, snap.DataTo(&work))
		testenv.Must(t, e.db.Exports.Export(t.Context(), work))
	}
	e.do(t, "GET", "/v1/users/me/export", signedIn(6*time.Minute), nil).want(t, http.StatusOK, &now)
	if now.State != "ready" || !now.SignInAgain || len(now.Archives) > 0 || now.Items["profile"] != 1 {
		t.Errorf("GET long after the sign-in = %+v", now)
	}
	e.do(t, "GET", "/v1/users/me/export", signedIn(0), nil).want(t, http.StatusOK, &now)
	if now.SignInAgain || len(now.Archives) != 1 || time.Until(now.Archives[0].ExpiresAt) > 15*time.Minute ||
		now.ExpiresAt == nil {
		t.Fatalf("GET = %+v", now)
	}
	link, err := url.Parse(now.Archives[0].URL)
	testenv.Must(t, err)
	w := httptest.NewRecorder()
	e.db.Objects.ServeHTTP(w, httptest.NewRequest("GET", link.String(), nil))
	if w.Code != http.StatusOK || int64(w.Body.Len()) != now.Archives[0].Bytes {
		t.Errorf("%s answers %d, with %d bytes of %d", link, w.Code, w.Body.Len(), now.Archives[0].Bytes)
	}
	soon := e.do(t, "POST", "/v1/users/me/export", signedIn(0), nil)
	soon.problem(t, http.StatusTooManyRequests, "export_limit")
	if wait, err := strconv.Atoi(soon.header.Get("Retry-After")); err != nil || wait < 23*3600 || wait > 24*3600 {
		t.Errorf("Retry-After = %q, want almost a day", soon.header.Get("Retry-After"))
	}

	_, err = ref.Update(t.Context(), []firestore.Update{{Path: "failed", Value: "too large"}})
	testenv.Must(t, err)
	var failed api.Export
	e.do(t, "GET", "/v1/users/me/export", signedIn(0), nil).want(t, http.StatusOK, &failed)
	if failed.State != "failed" || failed.Failure != "too large" || len(failed.Archives) > 0 {
		t.Errorf("GET of a failed export = %+v", failed)
	}
}
