package mastodon_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/api/mastodon"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// secrets are texts of ann, each with a word of its own, by who may see it of those who are asked. One that is nobody's
// was deleted.
var secrets = map[string][]string{
	"followers": {"ann", "friend"}, "later": {"ann", "friend"}, "reply": {"ann", "friend", "stranger"}, // whom it answers
	"once": {"ann", "friend"}, "narrowed": {"ann", "friend"}, "direct": {"ann", "friend"},
	"flagged": {"ann"}, "deleted": {}, "quoting": {"ann", "friend"}, "long": {"ann", "friend"}, "poll": {"ann", "friend"},
	"scheduled": {"ann"}, "list": {"ann"}, "filter": {"ann"}, "note": {"ann"},
}

// hides is a world with texts that not all may see, in all lists in which they can be.
type hides struct {
	*env
	people  map[string]person
	ids     []string // of posts, as clients have them
	options []string // of paths, such as lists
}

func (h *hides) tell(t *testing.T, by, what string, body any) {
	t.Helper()
	a := h.ask(t, h.people[by], what, body)
	if a.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s: %s answered %s: %s", by, what, a.Status, a.text)
	}
}

// write posts natively. The text is a word, and what follows.
func (h *hides) write(t *testing.T, by, word, more, visibility string, fields map[string]any) string {
	t.Helper()
	body := map[string]any{"content": secret(word) + " #spark " + more, "visibility": visibility, "allowLikes": true,
		"allowReplies": true}
	maps.Copy(body, fields)
	var made struct{ ID string }
	h.ask(t, h.people[by], "POST /v1/tweets", body).want(t, http.StatusCreated, &made)
	h.ids = append(h.ids, statusID(made.ID))
	return made.ID
}

// mark likes, shares, bookmarks, answers and quotes a post, as far as somebody may.
func (h *hides) mark(t *testing.T, by, tweet string) {
	t.Helper()
	for _, what := range []string{"like", "share", "bookmark"} {
		h.ask(t, h.people[by], "PUT /v1/tweets/"+tweet+"/"+what, nil)
	}
	for _, as := range []string{"replyTo", "quoteOf"} {
		var made struct{ ID string }
		a := h.ask(t, h.people[by], "POST /v1/tweets", map[string]any{"content": "@ann so " + by, as: tweet})
		if a.StatusCode < http.StatusMultipleChoices {
			testenv.Must(t, json.Unmarshal(a.text, &made))
			h.ids = append(h.ids, statusID(made.ID))
		}
	}
}

// newHides makes the people. The friend follows ann, and the former does for now. All others keep ann in a list.
func newHides(t *testing.T) *hides {
	t.Helper()
	h := &hides{env: newEnv(t, streams), people: map[string]person{"nobody": {}}}
	for _, name := range []string{"ann", "friend", "former", "stranger", "blocked"} {
		h.people[name] = h.join(t, name)
	}
	h.people["ada"] = h.join(t, "ada").as("admin")
	ann := h.people["ann"].id
	for _, name := range []string{"friend", "former"} {
		h.tell(t, name, "PUT /v1/users/"+ann+"/follow", nil)
		h.tell(t, name, "PUT /v1/users/"+ann+"/notify", nil)
	}
	for _, name := range []string{"friend", "former", "stranger", "blocked"} {
		var list struct{ ID string }
		h.ask(t, h.people[name], "POST /v1/lists", map[string]any{"title": "x"}).want(t, http.StatusCreated, &list)
		h.tell(t, name, "PUT /v1/lists/"+list.ID+"/members/"+ann, nil)
		h.options = append(h.options, list.ID)
	}
	h.idle(t)
	return h
}

// fill makes the texts. What all could see at first is marked by all, before it is hidden.
func (h *hides) fill(t *testing.T) {
	t.Helper()
	narrowed := h.write(t, "ann", "once", "@friend", "public", nil)
	flagged, deleted := h.write(t, "ann", "flagged", "", "public", nil), h.write(t, "ann", "deleted", "", "public", nil)
	h.tell(t, "ann", "PUT /v1/tweets/"+flagged+"/pin", nil)
	poll := map[string]any{"poll": map[string]any{"options": []string{secret("poll"), "no"}, "minutes": 5}}
	followers := h.write(t, "ann", "followers", "", "followers", poll)
	h.write(t, "ann", "direct", "@friend", "mentioned", nil)
	h.tell(t, "ann", "PUT /v1/tweets/"+followers+"/pin", nil)
	h.write(t, "ann", "", "", "followers", map[string]any{"content": strings.Repeat("spark ", 100) + secret("long")})
	theirs := h.write(t, "stranger", "theirs", "@ann", "public", nil)
	h.write(t, "ann", "reply", "", "followers", map[string]any{"replyTo": theirs})
	h.write(t, "ann", "quoting", "", "followers", map[string]any{"quoteOf": theirs})
	h.idle(t)
	for _, by := range []string{"former", "stranger", "blocked", "friend"} {
		for _, tweet := range []string{narrowed, flagged, deleted, followers} {
			h.mark(t, by, tweet)
		}
	}
	h.idle(t)
	h.tell(t, "ann", "PATCH /v1/tweets/"+narrowed, map[string]any{"visibility": "followers",
		"content": secret("narrowed") + " #spark @friend"})
	h.tell(t, "ada", "PUT /v1/admin/tweets/"+flagged+"/flag", map[string]any{"reason": "x"})
	h.tell(t, "ann", "DELETE /v1/tweets/"+deleted, nil)
	h.tell(t, "ann", "DELETE /v1/users/me/followers/"+h.people["former"].id, nil)
	h.tell(t, "ann", "PUT /v1/users/"+h.people["blocked"].id+"/block", nil)
	var draft, list struct{ ID string }
	h.ask(t, h.people["ann"], "POST /v1/lists", map[string]any{"title": secret("list")}).want(t, http.StatusCreated, &list)
	h.ask(t, h.people["ann"], "POST /api/v1/statuses", map[string]any{"status": secret("scheduled"),
		"scheduled_at": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)}).want(t, http.StatusOK, &draft)
	h.tell(t, "ann", "POST /api/v2/filters", map[string]any{"title": secret("filter"), "context": []string{"home"},
		"keywords_attributes": []any{map[string]any{"keyword": "x"}}})
	h.tell(t, "ann", "PUT /v1/users/"+h.people["stranger"].id+"/note", map[string]any{"text": secret("note")})
	h.options = append(h.options, draft.ID, list.ID, "spark", "ungrouped-x")
	h.idle(t)
	h.write(t, "ann", "later", "", "followers", nil)
	h.write(t, "ann", "canary", "", "public", nil)
	h.idle(t)
}

// queries are the parameters with which a method is asked, in the place of none.
func (h *hides) queries(path string) []string {
	ids := "?" + url.Values{"id[]": h.ids}.Encode()
	var people url.Values = map[string][]string{}
	for _, p := range h.people {
		if p.id != "" {
			people.Add("id[]", p.id)
		}
	}
	of := "?" + people.Encode()
	switch path {
	case "/api/v1/statuses":
		return []string{ids}
	case "/api/v1/accounts", "/api/v1/accounts/relationships", "/api/v1/accounts/familiar_followers":
		return []string{of}
	case "/api/v1/accounts/lookup":
		return []string{"?acct=ann"}
	case "/api/v1/accounts/search":
		return []string{"?q=ann"}
	case "/api/v1/search", "/api/v2/search":
		all := []string{"?q=spark&limit=40&type=statuses", "?q=%23spark"}
		for word := range secrets {
			all = append(all, "?q="+secret(word))
		}
		return all
	case "/api/v1/accounts/:id/statuses":
		return []string{"?limit=40", "?pinned=true", "?tagged=spark", "?exclude_replies=true", "?exclude_reblogs=true"}
	}
	if strings.Contains(path, "timelines") || strings.Contains(path, "notifications") {
		return []string{"?limit=40"}
	}
	return []string{""}
}

// reads are the requests that only read, with all ids that they may be about.
func (h *hides) reads() (all []string) {
	for _, m := range mastodon.Methods() {
		if m.Verb != http.MethodGet || !m.Works() || m.Live || m.Staff {
			continue
		}
		ids := h.options
		switch {
		case strings.Contains(m.Path, "/statuses/:id"), strings.Contains(m.Path, "/polls/:id"):
			ids = h.ids
		case strings.Contains(m.Path, "/accounts/:id"):
			ids = []string{h.people["ann"].id, h.people["stranger"].id, h.people["former"].id, h.people["friend"].id}
		case !strings.Contains(m.Path, ":"):
			ids = []string{""}
		}
		for _, id := range ids {
			for _, query := range h.queries(m.Path) {
				all = append(all, "GET "+named.ReplaceAllString(m.Path, id)+query)
			}
		}
	}
	return all
}

// Nobody reads by any method, in any list, what is not for them: of followers, of mentioned users, flagged, deleted or
// private, also if they saw and marked it while it was for them. No stream brings it.
func TestHidden(t *testing.T) {
	testenv.Slow(t, "every list with every id")
	t.Parallel()
	h := newHides(t)
	heard := h.listen(t)
	h.fill(t)
	seen := map[string]map[string]bool{}
	var g sync.WaitGroup
	for _, who := range []string{"nobody", "stranger", "blocked", "former", "friend", "ann"} {
		words := map[string]bool{}
		seen[who] = words
		g.Go(func() { h.sweep(t, who, words) })
	}
	g.Wait()
	for word, by := range secrets {
		for _, who := range by {
			if !seen[who][word] {
				t.Errorf("%s does not see what is %s", who, word)
			}
		}
	}
	for who, texts := range heard {
		text := texts.text()
		for word, by := range secrets {
			// all was for the former at first, and these for everybody
			first := who == "former" && word != "later" && word != "direct" ||
				slices.Contains([]string{"once", "flagged", "deleted"}, word)
			if strings.Contains(text, secret(word)) && !slices.Contains(by, who) && !first {
				t.Errorf("%s hears what is %s: %s", who, word, around([]byte(text), word))
			}
		}
		if !strings.Contains(text, secret("canary")) {
			t.Errorf("%s hears nothing", who)
		}
	}
	if !strings.Contains(heard["friend"].text(), secret("later")) {
		t.Error("the friend hears nothing for followers")
	}
}

// sweep asks for all lists, and notes which words are in an answer.
func (h *hides) sweep(t *testing.T, who string, seen map[string]bool) {
	t.Helper()
	for _, what := range h.reads() {
		a := h.ask(t, h.people[who], what, nil)
		if a.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s: %s answered %s: %s", who, what, a.Status, a.text)
		}
		for word, by := range secrets {
			if !bytes.Contains(a.text, []byte(secret(word))) {
				continue
			}
			if seen[word] = true; !slices.Contains(by, who) {
				t.Errorf("%s sees what is %s in %s: %s", who, word, what, around(a.text, word))
			}
		}
	}
}

// around is the part of an answer that has a word.
func around(text []byte, word string) string {
	i := bytes.Index(text, []byte(secret(word)))
	return string(text[max(0, i-300):min(len(text), i+100)])
}

// heardText is what somebody heard so far.
type heardText struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (h *heardText) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.Write(p)
}

func (h *heardText) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}

// listen connects all to all streams.
func (h *hides) listen(t *testing.T) map[string]*heardText {
	t.Helper()
	all := map[string]*heardText{}
	for n, who := range []string{"friend", "former", "stranger", "blocked", "nobody"} {
		all[who] = &heardText{}
		paths := []string{"/public", "/public/local", "/hashtag?tag=spark"}
		if who != "nobody" {
			paths = append(paths, "/user", "/user/notification", "/direct", "/list?list="+h.options[n])
		}
		for _, path := range paths {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.url+"/api/v1/streaming"+path, nil)
			testenv.Must(t, err)
			if who != "nobody" {
				r.Header.Set("Authorization", "Bearer "+h.people[who].token)
			}
			resp, err := http.DefaultClient.Do(r)
			testenv.Must(t, err)
			same(t, who+" of "+path, resp.StatusCode, http.StatusOK)
			go func() {
				defer resp.Body.Close()
				resp.Write(all[who]) //nolint:errcheck // it ends with the test
			}()
		}
	}
	return all
}
