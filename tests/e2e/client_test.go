package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/contract"
	"github.com/hibana-sns/hibana/internal/meter"
)

// What clients read of the API. The types are apart from package api's, so that a
// name that changes there is noticed.
type (
	user struct {
		ID             string
		Username       string
		Nickname       string
		FollowerCount  int
		FollowedCount  int
		TweetCount     int
		Email          string
		Introduction   string
		BlockStrangers bool
	}
	tweet struct {
		ID         string
		AuthorID   string
		Author     struct{ Username, Nickname string }
		Content    string
		ReplyTo    *string
		RootID     string
		Tags       []string
		LikeCount  int
		ReplyCount int
		Liked      bool
	}
	tag struct {
		Name, Content string
		TweetCount    int
	}
	relative struct {
		User      user
		CreatedAt time.Time
	}
	batchItem struct {
		ID, Status string
		Tweet      *tweet
		Tombstone  *problem
	}
	problem struct {
		Status     int
		Code       string
		ID         string
		FormerType string
		AuthorID   string
		DeletedAt  time.Time
	}
	list[T any] struct {
		Items         []T
		NextPageToken string
	}
)

// person is somebody who signed up. The zero person is signed out.
type person struct{ id, name, token string }

// answer is an answer that was read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request, such as "PUT /v1/users/u/follow". A body goes out as JSON.
// Headers are names and values.
func (e *env) do(t testing.TB, who person, request string, body any, headers ...string) answer {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, e.url+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if who.token != "" {
		req.Header.Set("Authorization", "Bearer "+who.token)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{resp.StatusCode, resp.Header, text}
	contract.Check(t, req, a.status, a.header, a.body)
	return a
}

// want fails the test unless the answer has the status, and decodes it into to unless
// that is nil.
func (a answer) want(t testing.TB, status int, to any) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("status = %d, want %d: %s", a.status, status, a.body)
	}
	if to != nil {
		if err := json.Unmarshal(a.body, to); err != nil {
			t.Fatalf("%v: %s", err, a.body)
		}
	}
	return a
}

// refused fails the test unless the answer is a problem with the code.
func (a answer) refused(t testing.TB, status int, code string) (p problem) {
	t.Helper()
	a.want(t, status, &p)
	if p.Code != code || p.Status != status {
		t.Errorf("problem = %d %s, want %d %s", p.Status, p.Code, status, code)
	}
	return p
}

// cost reads what the request was billed from its Server-Timing header.
func (a answer) cost(t testing.TB) meter.Counts {
	t.Helper()
	c, err := meter.ParseServerTiming(a.header.Get("Server-Timing"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// get reads something.
func get[T any](t testing.TB, e *env, who person, path string) (v T) {
	t.Helper()
	e.do(t, who, "GET "+path, nil).want(t, http.StatusOK, &v)
	return v
}

// items reads the first page of a list.
func items[T any](t testing.TB, e *env, who person, path string) []T {
	t.Helper()
	return get[list[T]](t, e, who, path).Items
}

// all reads a list to its end, in pages of a size.
func all[T any](t testing.TB, e *env, who person, path string, size int) (pages [][]T) {
	t.Helper()
	for token := ""; ; {
		page := get[list[T]](t, e, who, path+"?pageSize="+strconv.Itoa(size)+"&pageToken="+url.QueryEscape(token))
		pages = append(pages, page.Items)
		if token = page.NextPageToken; token == "" {
			return pages
		}
	}
}

// put and remove change what may be changed again and again.
func (e *env) put(t testing.TB, who person, path string) {
	t.Helper()
	want := http.StatusNoContent
	if strings.HasSuffix(path, "/follow") { // says whether it is a request
		want = http.StatusOK
	}
	e.do(t, who, "PUT "+path, nil).want(t, want, nil)
}

func (e *env) remove(t testing.TB, who person, path string) {
	t.Helper()
	e.do(t, who, "DELETE "+path, nil).want(t, http.StatusNoContent, nil)
}

func (e *env) follow(t testing.TB, who, whom person) {
	t.Helper()
	e.put(t, who, "/v1/users/"+whom.id+"/follow")
}

func (e *env) unfollow(t testing.TB, who, whom person) {
	t.Helper()
	e.remove(t, who, "/v1/users/"+whom.id+"/follow")
}

func (e *env) like(t testing.TB, who person, tw tweet) {
	t.Helper()
	e.put(t, who, "/v1/tweets/"+tw.ID+"/like")
}

// post posts a tweet, as a reply unless to is zero.
func (e *env) post(t testing.TB, who person, content string, to tweet) (made tweet) {
	t.Helper()
	body := map[string]any{"content": content}
	if to.ID != "" {
		body["replyTo"] = to.ID
	}
	e.do(t, who, "POST /v1/tweets", body).want(t, http.StatusCreated, &made)
	return made
}

// timeline reads a home timeline of up to 100 tweets.
func (e *env) timeline(t testing.TB, who person) []tweet {
	t.Helper()
	return items[tweet](t, e, who, "/v1/timeline?pageSize=100")
}

func (e *env) user(t testing.TB, of person) user {
	t.Helper()
	return get[user](t, e, person{}, "/v1/users/"+of.id)
}

func (e *env) tweet(t testing.TB, who person, tw tweet) tweet {
	t.Helper()
	return get[tweet](t, e, who, "/v1/tweets/"+tw.ID)
}

// ids are the tweets' ids, in their order.
func ids(tweets []tweet) []string {
	ids := make([]string, len(tweets))
	for i, tw := range tweets {
		ids[i] = tw.ID
	}
	return ids
}

// newest are the ids of tweets that were posted in this order, newest first.
func newest(tweets ...tweet) []string {
	newest := make([]string, len(tweets))
	for i, tw := range tweets {
		newest[len(tweets)-1-i] = tw.ID
	}
	return newest
}

// names are the user names of people in a list.
func names(people []relative) []string {
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = p.User.Username
	}
	return names
}
