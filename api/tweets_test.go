package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/errs"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/store/counters"
)

func TestTweet(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	var made api.Tweet
	content := "Sparks #Go " + strings.Repeat("x", 300)
	r := e.do(t, "POST", "/v1/tweets", ann.token, map[string]any{
		"content": content, "summary": "s", "tags": []string{"#Firestore", "go"}, "allowReplies": false,
	}).want(t, http.StatusCreated, &made)
	if got, want := r.header.Get("Location"), "/v1/tweets/"+string(made.ID); got != want {
		t.Errorf("Location = %q, want %q", got, want)
	}
	if c := r.cost(t); c.Writes > 3 || c.Reads > 1 {
		t.Errorf("posting cost %+v, want at most 3 writes and the author's profile", c)
	}
	want := api.Tweet{
		ID: made.ID, AuthorID: ann.id, Author: api.Author{Username: "ann", Nickname: "ann"},
		Content: &content, Summary: "s", Snippet: content[:model.MaxSnippet], Length: len(content), RootID: made.ID,
		Tags: []string{"firestore", "go"}, AllowLikes: true, AllowQuotes: true, Visibility: "public", Language: "und",
		To: []string{"public"}, CC: []string{"followers"},
		CreatedAt: made.ID.Time(), Policies: api.Policies{ReplyPolicy: "nobody", QuotePolicy: "everybody"},
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	var read api.Tweet
	r = e.do(t, "GET", "/v1/tweets/"+string(made.ID), bob.token, nil).want(t, http.StatusOK, &read)
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if got, want := r.cost(t), (meter.Counts{Reads: 3}); got != want {
		t.Errorf("reading a tweet costs %+v, want %+v", got, want)
	}
	e.do(t, "POST", "/v1/tweets", bob.token, map[string]any{"content": "x", "replyTo": made.ID}).
		problem(t, http.StatusForbidden, "not_allowed")
	r = e.do(t, "DELETE", "/v1/tweets/"+string(made.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	if got, want := r.cost(t), (meter.Counts{Reads: 1, Writes: 1, Deletes: 2}); got != want {
		t.Errorf("deleting costs %+v, want %+v", got, want)
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	root := e.post(t, ann, map[string]any{"content": "root"})
	path := "/v1/tweets/" + string(root.ID) + "/replies?pageSize=2"
	if got := pages[api.Tweet](t, e, path, ""); len(got) != 0 {
		t.Errorf("replies = %v, want none", got)
	}
	var want []model.TweetID
	for i := range 3 {
		reply := e.post(t, bob, map[string]any{"content": fmt.Sprint(i), "replyTo": root.ID})
		if *reply.ReplyTo != root.ID || reply.RootID != root.ID {
			t.Errorf("reply = %+v", reply)
		}
		want = append(want, reply.ID)
	}
	nested := e.post(t, ann, map[string]any{"content": "nested", "replyTo": want[0]})
	if nested.RootID != root.ID {
		t.Errorf("nested.rootId = %s, want %s", nested.RootID, root.ID)
	}
	e.do(t, "PUT", "/v1/tweets/"+string(want[1])+"/like", ann.token, nil).want(t, http.StatusNoContent, nil)
	check := func(token string, liked int) {
		t.Helper()
		got := pages[api.Tweet](t, e, path, token)
		if len(got) != len(want) {
			t.Fatalf("%d replies, want %d", len(got), len(want))
		}
		for i, reply := range got {
			if reply.ID != want[i] || reply.Liked != (i == liked) || *reply.Content != fmt.Sprint(i) {
				t.Errorf("reply %d = %+v", i, reply)
			}
		}
	}
	check(ann.token, 1)
	check("", -1)
	e.do(t, "DELETE", "/v1/tweets/"+string(root.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	check("", -1) // replies outlive their parent
}

func TestBatch(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	one, two := e.post(t, ann, map[string]any{"content": "1"}), e.post(t, ann, map[string]any{"content": "2"})
	gone := e.post(t, ann, map[string]any{"content": "3"})
	e.do(t, "DELETE", "/v1/tweets/"+string(gone.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", "/v1/tweets/"+string(two.ID)+"/like", ann.token, nil).want(t, http.StatusNoContent, nil)
	const never = "0000000000000000aa"
	var got api.Batch
	r := e.do(t, "GET", fmt.Sprintf("/v1/tweets:batchGet?ids=%s,%s&ids=%s,%s&ids=%s", two.ID, gone.ID, never, one.ID,
		two.ID), ann.token, nil).want(t, http.StatusOK, &got)
	var statuses []string
	for _, item := range got.Items {
		statuses = append(statuses, string(item.ID)+item.Status)
	}
	want := []string{string(two.ID) + "found", string(gone.ID) + "gone", never + "unknown", string(one.ID) + "found",
		string(two.ID) + "found"}
	if diff := cmp.Diff(want, statuses); diff != "" {
		t.Fatalf("batch (-want +got):\n%s", diff)
	}
	if !got.Items[0].Tweet.Liked || got.Items[3].Tweet.Liked || *got.Items[3].Tweet.Content != "1" ||
		got.Items[1].Tombstone.AuthorID != ann.id || got.Items[1].Tombstone.DeletedAt.IsZero() || got.Items[2].Tweet != nil {
		t.Errorf("batch = %s", r.body)
	}
}

func TestLikes(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	tweet := e.post(t, ann, map[string]any{"content": "like me"})
	path := "/v1/tweets/" + string(tweet.ID)
	for _, p := range []person{bob, carol, bob} {
		c := e.do(t, "PUT", path+"/like", p.token, nil).want(t, http.StatusNoContent, nil).cost(t)
		if c.Reads > 5 || c.Writes > 3 {
			t.Errorf("a like cost %+v, want at most 5 reads and 3 writes", c)
		}
	}
	if got := pages[api.Person](t, e, path+"/likes?pageSize=1", ""); len(got) != 2 || got[0].User.ID != carol.id ||
		got[1].User.ID != bob.id {
		t.Errorf("likes = %+v, want carol and bob", got)
	}
	if got := pages[api.LikedTweet](t, e, "/v1/users/me/likes?pageSize=1", bob.token); len(got) != 1 ||
		got[0].ID != tweet.ID || !got[0].Liked || got[0].LikedAt.IsZero() {
		t.Errorf("bob likes %+v", got)
	}
	if got := pages[api.LikedTweet](t, e, "/v1/users/"+string(bob.id)+"/likes?pageSize=1", ann.token); len(got) != 1 ||
		got[0].Liked {
		t.Errorf("ann sees bob's likes as %+v", got)
	}
	for range 2 {
		e.do(t, "DELETE", path+"/like", bob.token, nil).want(t, http.StatusNoContent, nil)
	}
	if got := pages[api.LikedTweet](t, e, "/v1/users/me/likes?pageSize=1", bob.token); len(got) != 0 {
		t.Errorf("bob still likes %+v", got)
	}

	closed := e.post(t, ann, map[string]any{"content": "no", "allowLikes": false})
	e.do(t, "PUT", "/v1/tweets/"+string(closed.ID)+"/like", bob.token, nil).problem(t, http.StatusForbidden, "not_allowed")
	e.do(t, "PUT", "/v1/users/"+string(carol.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "POST", "/v1/tweets", carol.token, map[string]any{"content": "x", "replyTo": tweet.ID}).
		problem(t, http.StatusForbidden, "not_allowed")
	e.do(t, "DELETE", "/v1/users/"+string(carol.id)+"/block", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.post(t, carol, map[string]any{"content": "x", "replyTo": tweet.ID})
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"blockStrangers": true}).want(t, http.StatusOK, nil)
	e.do(t, "PUT", path+"/like", bob.token, nil).problem(t, http.StatusForbidden, "not_allowed")
	e.do(t, "PUT", "/v1/users/"+string(bob.id)+"/follow", ann.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "PUT", path+"/like", bob.token, nil).want(t, http.StatusNoContent, nil)
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	send := func(p person, body string) reply {
		return e.do(t, "POST", "/v1/tweets", p.token, body, "Idempotency-Key", "key-1")
	}
	var first, again, other api.Tweet
	c := send(ann, `{"content":"once","allowLikes":true}`).want(t, http.StatusCreated, &first).cost(t)
	if c.Writes > 3 {
		t.Errorf("posting with a key cost %+v, want at most 3 writes", c)
	}
	r := send(ann, ` {"allowLikes": true, "content": "once"} `).want(t, http.StatusCreated, &again)
	if diff := cmp.Diff(first, again); diff != "" || r.cost(t).Writes != 0 || r.header.Get("Location") == "" {
		t.Errorf("a repeated request differs, or cost %+v (-first +again):\n%s", r.cost(t), diff)
	}
	send(ann, `{"content":"twice"}`).problem(t, http.StatusConflict, "idempotency_key_reused")
	if send(bob, `{"content":"once"}`).want(t, http.StatusCreated, &other); other.ID == first.ID {
		t.Error("two users share a key")
	}

	ids := make([]model.TweetID, 10)
	for _, err := range testenv.AtOnce(len(ids), func(i int) error {
		r := e.do(t, "POST", "/v1/tweets", ann.token, `{"content":"at once"}`, "Idempotency-Key", "key-2")
		if r.status == http.StatusServiceUnavailable {
			return errs.New(errs.Unavailable, "", "busy")
		}
		if r.status != http.StatusCreated {
			return fmt.Errorf("concurrent request: %d %s", r.status, r.body)
		}
		var tweet api.Tweet
		r.want(t, http.StatusCreated, &tweet)
		ids[i] = tweet.ID
		return nil
	}) {
		testenv.Must(t, err)
	}
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("the same request made %v", ids)
			break
		}
	}
	if n := countTweets(t, e); n != 3 {
		t.Errorf("there are %d tweets, want 3", n)
	}
}

func countTweets(t *testing.T, e *env) (n int) {
	for path := range e.documents(t) {
		if strings.HasPrefix(path, "tweets/") {
			n++
		}
	}
	return n
}

// After its window a key is free again.
func TestIdempotencyExpires(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var first, second, again api.Tweet
	for _, step := range []struct {
		after time.Duration
		to    *api.Tweet
	}{{0, &first}, {model.IdempotencyWindow + time.Minute, &second}, {0, &again}} {
		e.offset += step.after
		e.do(t, "POST", "/v1/tweets", ann.token, `{"content":"daily"}`, "Idempotency-Key", "daily").
			want(t, http.StatusCreated, step.to)
	}
	if first.ID == second.ID || again.ID != second.ID {
		t.Errorf("ids = %s, %s, %s; want a new one after the window, and then the same", first.ID, second.ID, again.ID)
	}
}

func TestUserTweets(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	path := "/v1/users/" + string(ann.id) + "/tweets?pageSize=20"
	if got := pages[api.Card](t, e, path, ""); len(got) != 0 {
		t.Errorf("tweets = %v, want none", got)
	}
	var want []model.TweetID
	for i := range 23 {
		tweet := e.post(t, ann, map[string]any{"content": fmt.Sprintf("%d #go", i)})
		want = append([]model.TweetID{tweet.ID}, want...)
		e.card(t, tweet.ID)
	}
	var got []model.TweetID
	for _, c := range pages[api.Card](t, e, path, "") {
		got = append(got, c.ID)
		if c.AuthorID != ann.id || !strings.HasSuffix(*c.Content, " #go") || len(c.Tags) != 1 || !c.AllowLikes ||
			c.ReplyTo != nil || !c.CreatedAt.Equal(c.ID.Time()) {
			t.Errorf("card = %+v", c)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tweets (-want +got):\n%s", diff)
	}
	profile := e.do(t, "GET", "/v1/users/"+string(ann.id), "", nil).cost(t)
	if total := profile.Add(e.do(t, "GET", path, "", nil).cost(t)); total != (meter.Counts{Reads: 2}) {
		t.Errorf("a profile page costs %+v, want 2 reads", total)
	}
	if own := e.do(t, "GET", path+"&ownOnly=true", "", nil).cost(t); own != (meter.Counts{Reads: 1}) {
		t.Errorf("a page of own tweets costs %+v, want 1 read", own)
	}
}

// card does the work of the new tweet's trigger for its author's buckets.
func (e *env) card(t *testing.T, id model.TweetID) {
	t.Helper()
	full, err := e.db.Tweets.Tweet(t.Context(), id, model.Viewer{})
	if err == nil {
		err = e.db.Previews.Put(t.Context(), full.Tweet)
	}
	if err == nil {
		_, err = e.db.Previews.Reconcile(t.Context(), full.Tweet)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	for _, reader := range []person{bob, carol} {
		e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", reader.token, nil).want(t, http.StatusOK, nil)
	}
	var want []model.TweetID
	for i := range 5 {
		tweet := e.post(t, ann, map[string]any{"content": fmt.Sprint(i)})
		full, err := e.db.Tweets.Tweet(t.Context(), tweet.ID, model.Viewer{})
		testenv.Must(t, err)
		testenv.Must(t, e.db.Timelines.Deliver(t.Context(), full.Tweet))
		want = append([]model.TweetID{tweet.ID}, want...)
	}
	e.do(t, "PUT", "/v1/tweets/"+string(want[1])+"/like", bob.token, nil).want(t, http.StatusNoContent, nil)
	var got []model.TweetID
	for next := ""; ; {
		var page api.HomePage
		e.do(t, "GET", "/v1/timeline?pageSize=2&pageToken="+next, bob.token, nil).want(t, http.StatusOK, &page)
		for _, tweet := range page.Items {
			if tweet.Author.Username != "ann" || tweet.Liked != (len(got) == 1) {
				t.Errorf("tweet %d = %+v", len(got), tweet)
			}
			got = append(got, tweet.ID)
		}
		if next = page.NextPageToken; next == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
	var page api.HomePage
	e.do(t, "GET", "/v1/timeline?pageSize=2", bob.token, nil).want(t, http.StatusOK, &page)
	e.do(t, "GET", "/v1/timeline?pageToken="+page.NextPageToken, bob.token, nil).want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/timeline?pageToken="+page.NextPageToken, carol.token, nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")

	// The new tweets, for a reader who has the newest page.
	var top, since api.HomePage
	e.do(t, "GET", "/v1/timeline?pageSize=2", bob.token, nil).want(t, http.StatusOK, &top)
	e.do(t, "GET", "/v1/timeline?after="+top.Newest, bob.token, nil).want(t, http.StatusOK, &since)
	if len(since.Items) != 0 || since.Newest != top.Newest {
		t.Errorf("after the newest there are %d tweets, and the newest is another: %v", len(since.Items),
			since.Newest != top.Newest)
	}
	newer := e.post(t, ann, map[string]any{"content": "newer"})
	full, err := e.db.Tweets.Tweet(t.Context(), newer.ID, model.Viewer{})
	testenv.Must(t, err)
	testenv.Must(t, e.db.Timelines.Deliver(t.Context(), full.Tweet))
	time.Sleep(2100 * time.Millisecond) // the process asks for changed heads each 2 s
	e.do(t, "GET", "/v1/timeline?after="+top.Newest, bob.token, nil).want(t, http.StatusOK, &since)
	if len(since.Items) != 1 || since.Items[0].ID != newer.ID || since.Newest == top.Newest || since.NextPageToken != "" {
		t.Errorf("after a new tweet the answer is %+v", since)
	}
	for _, wrong := range []string{top.NextPageToken, "x"} {
		e.do(t, "GET", "/v1/timeline?after="+wrong, bob.token, nil).problem(t, http.StatusBadRequest, "invalid_page_token")
	}
	e.do(t, "GET", "/v1/timeline?after="+top.Newest, carol.token, nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
}

func TestTags(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	counts := map[string]int64{"go": 3, "firestore": 1, "火花": 2}
	for i, content := range []string{"#Go #火花", "#go #火花 #Firestore", "#GO"} {
		e.post(t, ann, map[string]any{"content": fmt.Sprintf("%d %s", i, content)})
	}
	labels := map[string]string{"go": "Go", "firestore": "Firestore"}
	if err := e.db.Counters.CountTags(t.Context(), counters.IdempotencyRecord{EventID: "1", Function: "f"}, ann.id, counts,
		labels); err != nil {
		t.Fatal(err)
	}
	want := []api.Tag{{Name: "go", Content: "Go", TweetCount: 3}, {Name: "火花", Content: "火花", TweetCount: 2},
		{Name: "firestore", Content: "Firestore", TweetCount: 1}}
	if diff := cmp.Diff(want, pages[api.Tag](t, e, "/v1/tags?orderBy=tweetCount&pageSize=2", "")); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	used := []api.UsedTag{{Name: "go", Content: "Go", TweetCount: 3}, {Name: "火花", Content: "火花", TweetCount: 2},
		{Name: "firestore", Content: "Firestore", TweetCount: 1}}
	for _, path := range []string{"/v1/users/" + string(ann.id) + "/tags", "/v1/users/me/tags"} {
		if diff := cmp.Diff(used, pages[api.UsedTag](t, e, path+"?pageSize=2", ann.token)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	bob := e.join(t, "bob")
	if got := pages[api.UsedTag](t, e, "/v1/users/"+string(bob.id)+"/tags?pageSize=2", ""); len(got) != 0 {
		t.Errorf("bob uses %+v, want nothing", got)
	}
	for _, spelling := range []string{"go", "GO", "%23go", "%EF%BC%A7o"} {
		var tag api.Tag
		if e.do(t, "GET", "/v1/tags/"+spelling, "", nil).want(t, http.StatusOK, &tag); tag != want[0] {
			t.Errorf("tag %s = %+v, want %+v", spelling, tag, want[0])
		}
	}
	var got []string
	for _, tweet := range pages[api.Tweet](t, e, "/v1/tags/Go/tweets?pageSize=2", "") {
		got = append(got, tweet.Snippet[:1])
	}
	if diff := cmp.Diff([]string{"2", "1", "0"}, got); diff != "" {
		t.Errorf("tweets of go (-want +got):\n%s", diff)
	}
	if got := pages[api.Tweet](t, e, "/v1/tags/%E7%81%AB%E8%8A%B1/tweets?pageSize=5", ann.token); len(got) != 2 {
		t.Errorf("火花 has %d tweets, want 2", len(got))
	} else if _, err := e.admin.Doc("tweets/"+string(got[0].ID)).
		Update(t.Context(), []firestore.Update{{Path: "isViolative", Value: true}}); err != nil {
		t.Fatal(err)
	}
	if got := pages[api.Tweet](t, e, "/v1/tags/%E7%81%AB%E8%8A%B1/tweets?pageSize=5", bob.token); len(got) != 1 ||
		got[0].Flagged {
		t.Errorf("火花 has %d tweets with a flagged one, want 1", len(got))
	}
	if got := pages[api.Tweet](t, e, "/v1/tags/%E7%81%AB%E8%8A%B1/tweets?pageSize=5", ann.token); len(got) != 2 ||
		!got[0].Flagged {
		t.Errorf("火花 has %d tweets for the author of a flagged one, want 2", len(got))
	}
}
