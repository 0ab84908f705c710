package contract

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// complaints notes what a check finds wrong.
type complaints struct {
	testing.TB
	n int
}

func (c *complaints) Errorf(string, ...any) { c.n++ }

// The check notices a route, a status and a body that the document does not have.
func TestCheck(t *testing.T) {
	t.Parallel()
	type answer struct {
		status int
		header http.Header
		body   []byte
	}
	json := http.Header{"Content-Type": {"application/json"}}
	for _, test := range []struct {
		request string
		answer  answer
		wrong   int
	}{
		{"GET /v1/notifications/unreadCount", answer{http.StatusOK, json, []byte(`{"count": 3}`)}, 0},
		{"GET /v1/notifications/unreadCount", answer{http.StatusOK, json, []byte(`{"count": 3, "more": false}`)}, 1},
		{"GET /v1/notifications/unreadCount", answer{http.StatusOK, json, []byte(`{"count": "3"}`)}, 1},
		{"GET /v1/notifications/unreadCount", answer{http.StatusOK, json, []byte(`{}`)}, 1},
		{"GET /v1/notifications/unreadCount", answer{http.StatusOK, http.Header{"Content-Type": {"text/plain"}}, []byte(`3`)},
			1},
		{"GET /v1/notifications/unreadCount", answer{http.StatusTeapot, json, []byte(`{}`)}, 1},
		{"GET /v1/nothing", answer{http.StatusOK, json, []byte(`{}`)}, 1},
		{"GET /v1/nothing", answer{http.StatusNotFound, json, []byte(`{}`)}, 0},
	} {
		method, path, _ := strings.Cut(test.request, " ")
		req, err := http.NewRequestWithContext(t.Context(), method, "http://api.test"+path, nil)
		testenv.Must(t, err)
		found := &complaints{TB: t}
		Check(found, req, test.answer.status, test.answer.header, test.answer.body)
		if found.n != test.wrong {
			t.Errorf("%s answers %d with %s: %d things are wrong, want %d", test.request, test.answer.status, test.answer.body,
				found.n, test.wrong)
		}
	}
}

// A handler's answers are checked as they were sent, and those for nobody are not.
func TestHandler(t *testing.T) {
	t.Parallel()
	found := &complaints{TB: t}
	handler := Handler(found, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		w.Write([]byte(`{"count":`))
		w.Write([]byte(req.URL.Query().Get("count") + "}"))
	}))
	for _, test := range []struct {
		method, count string
		wrong         int
	}{{"GET", "3", 0}, {"GET", `"3"`, 1}, {"HEAD", `"3"`, 0}} {
		found.n = 0
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), test.method, "/v1/notifications/unreadCount?count="+
			test.count, nil))
		if found.n != test.wrong || w.Body.String() != `{"count":`+test.count+"}" {
			t.Errorf("%s with %s: %d things are wrong, want %d; sent %s", test.method, test.count, found.n, test.wrong, w.Body)
		}
	}
}
