package api_test

import (
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
)

// TestPolicies posts tweets with policies, in full and in short, and edits them. Tweets, drafts and revisions show the
// policies, and their short forms.
func TestPolicies(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	type want struct {
		replies, quotes string
		reply, quote    bool
	}
	check := func(what string, reply, quote bool, p api.Policies, w want) {
		t.Helper()
		if got := (want{string(p.ReplyPolicy), string(p.QuotePolicy), reply, quote}); got != w {
			t.Errorf("%s: %+v, want %+v", what, got, w)
		}
	}
	for _, test := range []struct {
		body map[string]any
		want want
	}{
		{map[string]any{}, want{"everybody", "everybody", true, true}},
		{map[string]any{"allowReplies": false, "allowQuotes": false}, want{"nobody", "nobody", false, false}},
		{map[string]any{"replyPolicy": "followers", "quotePolicy": "mentioned"}, want{"followers", "mentioned", true, true}},
		{map[string]any{"replyPolicy": "nobody", "quotePolicy": "everybody", "allowReplies": true, "allowQuotes": false},
			want{"nobody", "everybody", false, true}},
	} {
		test.body["content"] = "a spark"
		posted := e.post(t, ann, test.body)
		check("a tweet", posted.AllowReplies, posted.AllowQuotes, posted.Policies, test.want)
		var d api.Draft
		e.do(t, "POST", "/v1/drafts", ann.token, test.body).want(t, http.StatusCreated, &d)
		check("a draft", d.AllowReplies, d.AllowQuotes, d.Policies, test.want)
		var published api.Tweet
		e.do(t, "POST", "/v1/drafts/"+d.ID+"/publish", ann.token, nil).want(t, http.StatusCreated, &published)
		check("a published draft", published.AllowReplies, published.AllowQuotes, published.Policies, test.want)
	}

	id := e.post(t, ann, map[string]any{"content": "a spark", "replyPolicy": "following"}).ID
	reply := map[string]any{"content": "re", "replyTo": id}
	e.do(t, "POST", "/v1/tweets", bob.token, reply).problem(t, http.StatusForbidden, "not_allowed")
	for _, step := range []struct {
		patch map[string]any
		want  want
	}{
		{map[string]any{"allowReplies": true}, want{"following", "everybody", true, true}},
		{map[string]any{"quotePolicy": "followers"}, want{"following", "followers", true, true}},
		{map[string]any{"allowReplies": false, "allowQuotes": true}, want{"nobody", "followers", false, true}},
		{map[string]any{"allowReplies": true, "allowQuotes": false}, want{"everybody", "nobody", true, false}},
	} {
		var tweet api.Tweet
		e.do(t, "PATCH", "/v1/tweets/"+string(id), ann.token, step.patch).want(t, http.StatusOK, &tweet)
		check("an edited tweet", tweet.AllowReplies, tweet.AllowQuotes, tweet.Policies, step.want)
	}
	e.do(t, "POST", "/v1/tweets", bob.token, reply).want(t, http.StatusCreated, nil)
	var before server.List[api.Revision]
	e.do(t, "GET", "/v1/tweets/"+string(id)+"/revisions", bob.token, nil).want(t, http.StatusOK, &before)
	if len(before.Items) != 3 {
		t.Fatalf("%d revisions", len(before.Items))
	}
	r := before.Items[1]
	check("a revision", r.AllowReplies, r.AllowQuotes, r.Policies, want{"following", "followers", true, true})
}
