package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Every path that takes GET takes HEAD, which is answered with the same status and headers, and
// without a body.
func TestHead(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	tweet := string(e.post(t, ann, map[string]any{"content": "x"}).ID)
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	paths := []string{"/openapi.json", "/docs", "/nowhere", "/v1/tweets/" + tweet, "/v1/users/" + string(ann.id),
		"/v1/search/tweets?q=x", "/v1/tweets:batchGet?ids=" + tweet}
	for path, item := range e.about.Paths {
		if item.Get != nil {
			paths = append(paths, parameter.ReplaceAllString(path, "ann"))
		}
	}
	if len(paths) < 50 {
		t.Fatalf("only %d paths", len(paths))
	}
	for _, path := range paths {
		for _, token := range []string{"", ann.token} {
			get, head := e.do(t, "GET", path, token, nil, "Accept-Encoding", "identity"), e.do(t, "HEAD", path, token, nil,
				"Accept-Encoding", "identity")
			if head.status != get.status || len(head.body) > 0 {
				t.Errorf("HEAD %s is answered %d with %d bytes, GET %d", path, head.status, len(head.body), get.status)
			}
			for name := range get.header {
				if name == "Date" || name == "Server-Timing" || strings.HasPrefix(name, "Ratelimit") || name == "Content-Length" {
					continue
				}
				if !slices.Equal(head.header.Values(name), get.header.Values(name)) {
					t.Errorf("HEAD %s: %s = %q, GET has %q", path, name, head.header.Values(name), get.header.Values(name))
				}
			}
		}
	}
	tag := e.do(t, "HEAD", "/v1/tweets/"+tweet, "", nil).want(t, http.StatusOK, nil).header.Get("ETag")
	e.do(t, "HEAD", "/v1/tweets/"+tweet, "", nil, "If-None-Match", tag).want(t, http.StatusNotModified, nil)
	r := e.do(t, "HEAD", "/v1/tweets/"+tweet+"/like", ann.token, nil).want(t, http.StatusMethodNotAllowed, nil)
	if strings.Contains(r.header.Get("Allow"), "HEAD") {
		t.Errorf("Allow = %q", r.header.Get("Allow"))
	}
	if got := e.do(t, "PUT", "/v1/tweets", ann.token, nil).header.Get("Allow"); !strings.Contains(got, "HEAD") {
		t.Errorf("Allow = %q, want HEAD", got)
	}
}

// A path is decoded once, segment by segment: what is escaped is what it stands for.
func TestEscapedPaths(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	tweet := string(e.post(t, ann, map[string]any{"content": "x #a+b"}).ID)
	for path, route := range map[string]string{
		"/v1/tweets%3AbatchGet?ids=" + tweet: "/v1/tweets:batchGet", "/v1/tweets%3abatchGet?ids=" +
			tweet: "/v1/tweets:batchGet",
		"/v1/%75sers/m%65": "/v1/users/me", "/v1/usernames/ANN": "", "/v1/usernames/%41nN": "", "/v1/tweets/" + tweet[:3] +
			"%3" + tweet[3:4] + tweet[4:]: "",
	} {
		if strings.Contains(route, "/") || strings.Contains(path, "usernames") {
			e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, nil)
		}
	}
	for i, uid := range []string{"a+b", "a b", "a%b", "a%2Fb", "%41", "a:b", "é", "a&b=c", "a;b", "...", "~*'()", "mee",
		"m", "Me", "ME"} {
		_, err := e.db.Users.CreateUser(t.Context(), model.UserID(uid), model.NewUser{Username: fmt.Sprintf("odd_%d", i)})
		testenv.Must(t, err)
		var read struct{ ID string }
		r := e.do(t, "GET", "/v1/users/"+url.PathEscape(uid), ann.token, nil)
		if r.status != http.StatusOK || json.Unmarshal(r.body, &read) != nil || read.ID != uid {
			t.Errorf("uid %q is answered %d %.200s", uid, r.status, r.body)
		}
		e.do(t, "PUT", "/v1/users/"+url.PathEscape(uid)+"/follow", ann.token, nil).want(t, http.StatusOK, nil)
	}
	for _, path := range []string{"/v1%2Fusers/me", "/v1/users%2Fme", "//v1/users/me", "/v1//users/me", "/v1/users/me/"} {
		if r := e.do(t, "GET", path, ann.token, nil); r.status != http.StatusNotFound {
			t.Errorf("%s is answered %d", path, r.status)
		}
	}
	for _, segment := range []string{"%ff", "%00", "%2e%2e", "%E3%81", strings.Repeat("%41", 500)} {
		for path, item := range e.about.Paths {
			if item.Get != nil && strings.Contains(path, "{") {
				if r := e.do(t, "GET", regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(path, segment), ann.token,
					nil); r.status >= 500 {
					t.Errorf("%s with %s is answered %d %s", path, segment, r.status, r.body)
				}
			}
		}
	}
}

// No id is the name of a route beside it: where a route has a word and another one an id, the word
// is no such id.
func TestNoIDIsARoute(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	parse := map[string]func(string) error{
		"uid": func(s string) error { _, err := model.ParseUserID(s); return err }, "followerId": func(s string) error {
			_,
				err := model.ParseUserID(s)
			return err
		}, "followedId": func(s string) error { _, err := model.ParseUserID(s); return err },
		"/v1/tweets/":        func(s string) error { _, err := model.ParseTweetID(s); return err },
		"/v1/conversations/": func(s string) error { _, err := model.ParseConversationID(s); return err },
		"/v1/drafts/":        func(s string) error { _, err := model.ParseDraftID(s); return err },
		"/v1/products/":      func(s string) error { _, err := model.ParseProductID(s); return err },
		"/v1/orders/":        func(s string) error { _, err := model.ParseOrderID(s); return err },
		"/v1/notifications/": func(s string) error { _, err := model.ParseNotificationID(s); return err },
	}
	parserOf := func(template string, i int) func(string) error {
		parts := strings.Split(template, "/")
		if p := parse[strings.Trim(parts[i], "{}")]; p != nil {
			return p
		}
		return parse[strings.Join(parts[:i], "/")+"/"]
	}
	var pairs int
	for one := range e.about.Paths {
		for other := range e.about.Paths {
			a, b := strings.Split(one, "/"), strings.Split(other, "/")
			if one == other || len(a) != len(b) {
				continue
			}
			met, words := true, map[int]string{} // whether a path may be of both, and the ids of other that are words of one
			for i := range a {
				switch idA, idB := strings.HasPrefix(a[i], "{"), strings.HasPrefix(b[i], "{"); {
				case !idA && !idB:
					met = met && a[i] == b[i]
				case idB && !idA:
					words[i] = a[i]
				}
			}
			if !met || len(words) == 0 {
				continue
			}
			pairs++
			refused := false
			for i, word := range words {
				p := parserOf(other, i)
				refused = refused || p != nil && p(word) != nil
			}
			if !refused {
				t.Errorf("%s and %s: %v may be an id, and then the second route cannot be asked for it", one, other, words)
			}
		}
	}
	if pairs == 0 {
		t.Error("no routes meet, and some do")
	}
	me := testenv.Token(emulators.DefaultProject, map[string]any{"sub": "me"})
	e.do(t, "GET", "/v1/users/me", me, nil).problem(t, http.StatusUnauthorized, "invalid_token")
}

// A semicolon in a query is text, and a bad escape is an error.
func TestQueries(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	for _, q := range []string{"a;b", "a%3Bb", "a;b=c", ";a"} {
		e.do(t, "GET", "/v1/search/users?q="+q, "", nil).want(t, http.StatusOK, nil)
	}
	e.do(t, "GET", "/v1/tags?pageSize=1;pageSize=2", "", nil).problem(t, http.StatusBadRequest, "invalid_request")
	for _, q := range []string{"%", "a%zz", "%4"} {
		p := e.do(t, "GET", "/v1/search/users?q="+q, "", nil).problem(t, http.StatusBadRequest, "invalid_request")
		if !strings.Contains(p.Detail, "%25") {
			t.Errorf("q=%s: %s", q, p.Detail)
		}
	}
}
