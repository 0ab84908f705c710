package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/danielgtaylor/huma/v2"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A caller gets a text and its snippet as HTML or as a tree, wherever a tweet is shown.
func TestFormats(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	long := e.post(t, ann, map[string]any{"content": "**" + strings.Repeat("a", 275) + "** [here](https://example.com/" +
		strings.Repeat("b", 100) + ") `#include` #go <b>"})
	if len(long.Tags) != 1 || long.Tags[0] != "go" {
		t.Errorf("tags = %q, want go alone", long.Tags)
	}
	snippet := "<p><strong>" + strings.Repeat("a", 275) + `</strong> <a href="https://example.com/` +
		strings.Repeat("b", 100) + `" rel="nofollow ugc noopener noreferrer">here</a></p>`
	var whole api.Tweet
	e.do(t, "GET", "/v1/tweets/"+string(long.ID)+"?format=html", "", nil).want(t, http.StatusOK, &whole)
	html := strings.TrimSuffix(snippet, "</p>") +
		` <code>#include</code> <a href="/tags/go" class="hashtag">#go</a> &lt;b&gt;</p>`
	if whole.HTML != html || whole.SnippetHTML != snippet || whole.SnippetTree != nil {
		t.Errorf("html = %s\nsnippetHtml = %s", whole.HTML, whole.SnippetHTML)
	}
	e.do(t, "GET", "/v1/tweets/"+string(long.ID)+"?format=xml", "", nil).
		problem(t, http.StatusBadRequest, "invalid_request")

	short := e.post(t, ann, map[string]any{"content": "a *spark*", "replyTo": long.ID})
	e.do(t, "PUT", "/v1/tweets/"+string(long.ID)+"/like", ann.token, nil).want(t, http.StatusNoContent, nil)
	for path, want := range map[string]string{
		"/v1/tweets?format=html":                                 snippet,
		"/v1/tweets/" + string(long.ID) + "/replies?format=html": "<p>a <em>spark</em></p>",
		"/v1/tags/go/tweets?format=html":                         snippet,
	} {
		var list server.List[api.Tweet]
		e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].SnippetHTML != want || list.Items[0].HTML != "" {
			t.Errorf("%s answers %+v, want the snippet %s", path, list.Items, want)
		}
	}
	var likes server.List[api.LikedTweet]
	e.do(t, "GET", "/v1/users/"+string(ann.id)+"/likes?format=html", "", nil).want(t, http.StatusOK, &likes)
	if len(likes.Items) != 1 || likes.Items[0].SnippetHTML != snippet {
		t.Errorf("the likes are %+v", likes.Items)
	}
	var batch api.Batch
	e.do(t, "GET", "/v1/tweets:batchGet?format=tree&ids="+string(short.ID), "", nil).want(t, http.StatusOK, &batch)
	tree := batch.Items[0].Tweet.SnippetTree
	if len(tree) != 1 || tree[0].Tag != "p" || len(tree[0].Children) != 2 || tree[0].Children[0].Type != "text" ||
		tree[0].Children[1].Tag != "em" || tree[0].Children[1].Text != "spark" {
		t.Errorf("snippetTree = %+v", tree)
	}
	var plain api.Tweet
	if r := e.do(t, "GET", "/v1/tweets/"+string(short.ID), "", nil).
		want(t, http.StatusOK, &plain); strings.Contains(string(r.body), "html") || strings.Contains(string(r.body),
		"snippetTree") {
		t.Errorf("without a format the answer has one: %s", r.body)
	}
}

// A revision is rendered as the tweet was: its snippet with the structure, and its whole text.
func TestFormatsOfRevisions(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	b := strings.Repeat("b", 100)
	tweet := e.post(t, ann, map[string]any{"content": "**" + strings.Repeat("a", 275) + "** [here](https://example.com/" +
		b + ") @bob <b>"})
	path := "/v1/tweets/" + string(tweet.ID)
	e.do(t, "PATCH", path, ann.token, map[string]any{"content": "_now_"}).want(t, http.StatusOK, nil)
	snippet := "<p><strong>" + strings.Repeat("a", 275) + `</strong> <a href="https://example.com/` + b +
		`" rel="nofollow ugc noopener noreferrer">here</a></p>`

	var list server.List[api.Revision]
	e.do(t, "GET", path+"/revisions?format=html", "", nil).want(t, http.StatusOK, &list)
	if len(list.Items) != 1 || list.Items[0].SnippetHTML != snippet || list.Items[0].HTML != "" {
		t.Errorf("the revisions are %+v, want the snippet %s", list.Items, snippet)
	}
	var one api.Revision
	e.do(t, "GET", path+"/revisions/1?format=html", "", nil).want(t, http.StatusOK, &one)
	if want := strings.TrimSuffix(snippet, "</p>") + " @bob &lt;b&gt;</p>"; one.SnippetHTML != snippet ||
		one.HTML != want {
		t.Errorf("html = %s, want %s\nsnippetHtml = %s", one.HTML, want, one.SnippetHTML)
	}
	var now api.Tweet
	e.do(t, "GET", path+"?format=html", "", nil).want(t, http.StatusOK, &now)
	if now.HTML != "<p><em>now</em></p>" {
		t.Errorf("the tweet now is %s", now.HTML)
	}
	var tree api.Revision
	e.do(t, "GET", path+"/revisions/1?format=tree", "", nil).want(t, http.StatusOK, &tree)
	if len(tree.SnippetTree) != 1 || tree.SnippetTree[0].Tag != "p" || tree.HTML != "" {
		t.Errorf("the tree is %+v", tree.SnippetTree)
	}
	e.do(t, "GET", path+"/revisions/1?format=xml", "", nil).problem(t, http.StatusBadRequest, "invalid_request")

	// The mentions are those of the tweet as it is.
	e.do(t, "PATCH", path, ann.token, map[string]any{"content": "@bob again"}).want(t, http.StatusOK, nil)
	e.do(t, "GET", path+"/revisions/1?format=html", "", nil).want(t, http.StatusOK, &one)
	if !strings.Contains(one.HTML, `href="/users/`+string(bob.id)) {
		t.Errorf("bob is mentioned again, and html = %s", one.HTML)
	}
}

// A caller gets an introduction and its snippet as HTML or as a tree, wherever a person is shown with the snippet. A
// profile from before the tree was kept is rendered from its snippet.
func TestFormatsOfIntroductions(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	a, b := strings.Repeat("a", 270), strings.Repeat("b", 100)
	introduction := "**" + a + "** [here](https://example.com/" + b +
		") @bob #go <img src=x onerror=alert(1)> [x](javascript:alert(1))"
	changed := e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"introduction": introduction}).
		want(t, http.StatusOK, nil)
	if strings.Contains(string(changed.body), "Html") || strings.Contains(string(changed.body), "snippetTree") {
		t.Errorf("without a format the answer has one: %s", changed.body)
	}
	snippet := "<p><strong>" + a + `</strong> <a href="https://example.com/` + b +
		`" rel="nofollow ugc noopener noreferrer">here</a> @bob</p>`
	whole := strings.TrimSuffix(snippet, "</p>") +
		` <a href="/tags/go" class="hashtag">#go</a> &lt;img src=x onerror=alert(1)&gt; x</p>`

	profile := "/v1/users/" + string(ann.id)
	one := func(path, token string) (u api.User) {
		t.Helper()
		e.do(t, "GET", path, token, nil).want(t, http.StatusOK, &u)
		return u
	}
	for path, html := range map[string]string{profile + "?": "", "/v1/usernames/ann?": "", profile + "?view=full&": whole,
		"/v1/users/me?": whole} {
		if u := one(path+"format=html", ann.token); u.SnippetHTML != snippet || u.IntroductionHTML != html ||
			u.SnippetTree != nil {
			t.Errorf("%s: introductionHtml = %s, want %s\nsnippetHtml = %s, want %s", path, u.IntroductionHTML, html,
				u.SnippetHTML, snippet)
		}
		u := one(path+"format=tree", ann.token)
		if tree := u.SnippetTree; len(tree) != 1 || tree[0].Tag != "p" || len(tree[0].Children) != 4 ||
			tree[0].Children[0].Text != a || u.SnippetHTML != "" || u.IntroductionHTML != "" {
			t.Errorf("%s: the tree is %+v", path, tree)
		}
		if u := one(strings.TrimRight(path, "&?"), ann.token); u.SnippetHTML != "" || u.IntroductionHTML != "" ||
			u.SnippetTree != nil {
			t.Errorf("%s: without a format there is one: %+v", path, u)
		}
	}

	// The lists. Dan is locked, so that ann asks.
	carol, dan := e.join(t, "carol"), e.join(t, "dan")
	e.do(t, "PATCH", "/v1/users/me", dan.token, map[string]any{"locked": true}).want(t, http.StatusOK, nil)
	tweet := e.post(t, bob, map[string]any{"content": "a spark"})
	e.post(t, ann, map[string]any{"content": "my #spark"})
	for _, put := range []struct {
		by     person
		path   string
		status int
	}{
		{ann, "/users/" + string(bob.id) + "/follow", http.StatusOK}, {ann, "/users/" + string(dan.id) + "/follow",
			http.StatusOK},
		{ann, "/tweets/" + string(tweet.ID) + "/like", http.StatusNoContent}, {ann, "/tweets/" + string(tweet.ID) + "/share",
			http.StatusNoContent},
		{bob, "/users/" + string(ann.id) + "/follow", http.StatusOK}, {bob, "/users/" + string(ann.id) + "/hideShares",
			http.StatusNoContent},
		{carol, "/users/" + string(ann.id) + "/block", http.StatusNoContent},
	} {
		e.do(t, "PUT", "/v1"+put.path, put.by.token, nil).want(t, put.status, nil)
	}
	e.notify(t, model.NewNotificationEvent("1", model.NotificationFollow, bob.id, model.NotificationEventPayload{
		UserID: ann.id}, noon(3)))
	_, err := e.admin.Doc("tagUses/"+model.TagUsageKey(ann.id, "spark")).
		Set(t.Context(), model.TagUsage{UserID: ann.id, Name: "spark", Content: "spark", TweetCount: 1})
	testenv.Must(t, err)
	lists := []struct{ path, token string }{
		{"/v1/users/" + string(bob.id) + "/followers?", ""}, {"/v1/users/" + string(bob.id) + "/following?", ""},
		{"/v1/users/me/followRequests?", dan.token}, {"/v1/users/me/blocks?", carol.token}, {"/v1/users/me/hiddenSharers?",
			bob.token},
		{"/v1/tweets/" + string(tweet.ID) + "/likes?", ""}, {"/v1/tweets/" + string(tweet.ID) + "/shares?", ""},
		{"/v1/search/users?q=ann&", ""}, {"/v1/tags/spark/users?", ""}, {"/v1/tags/spark/users?orderBy=newest&", ""},
		{"/v1/notifications?", bob.token},
	}
	shown := func(path, token string) map[string]any {
		t.Helper()
		var answer any
		r := e.do(t, "GET", path, token, nil).want(t, http.StatusOK, &answer)
		u := withSnippet(answer, "ann")
		if u == nil {
			t.Fatalf("%s does not show ann with a snippet: %s", path, r.body)
		}
		return u
	}
	for _, list := range lists {
		if u := shown(list.path+"format=html", list.token); u["snippetHtml"] != snippet || u["snippetTree"] != nil ||
			u["introductionHtml"] != nil {
			t.Errorf("%s shows %v, want the snippet %s", list.path, u, snippet)
		}
		if u := shown(list.path+"format=tree", list.token); u["snippetTree"] == nil || u["snippetHtml"] != nil {
			t.Errorf("%s shows %v, want a tree", list.path, u)
		}
		if u := shown(list.path, list.token); u["snippetTree"] != nil || u["snippetHtml"] != nil {
			t.Errorf("%s without a format shows %v", list.path, u)
		}
		e.do(t, "GET", list.path+"format=xml", list.token, nil).problem(t, http.StatusBadRequest, "invalid_request")
	}

	// Before, a profile had the first characters alone, which end within the link.
	_, err = e.admin.Doc("users/"+string(ann.id)).
		Update(t.Context(), []firestore.Update{{Path: "snippetTree", Value: firestore.Delete}})
	testenv.Must(t, err)
	if u, want := one(profile+"?format=html", ""), "<p><strong>"+a+"</strong> [here</p>"; u.SnippetHTML != want {
		t.Errorf("of an old profile snippetHtml = %s, want %s", u.SnippetHTML, want)
	}
	if u := one(profile+"?format=tree", ""); len(u.SnippetTree) != 1 || len(u.SnippetTree[0].Children) != 2 {
		t.Errorf("of an old profile snippetTree = %+v", u.SnippetTree)
	}
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"introduction": ""}).want(t, http.StatusOK, nil)
	if u := one(profile+"?format=html&view=full", ""); u.SnippetHTML != "" || u.IntroductionHTML != "" {
		t.Errorf("of an empty introduction there is HTML: %+v", u)
	}
}

// withSnippet finds a user with a snippet in an answer.
func withSnippet(answer any, username string) map[string]any {
	switch in := answer.(type) {
	case []any:
		for _, v := range in {
			if u := withSnippet(v, username); u != nil {
				return u
			}
		}
	case map[string]any:
		if _, ok := in["snippet"]; ok && in["username"] == username {
			return in
		}
		return withSnippet(any(slices.Collect(maps.Values(in))), username)
	}
	return nil
}

// Every operation that answers a GET with people's or tweets' snippets takes a format.
func TestFormatIsEverywhere(t *testing.T) {
	t.Parallel()
	about := newEnv(t).about
	var has func(schema *huma.Schema, seen map[string]bool) bool
	has = func(schema *huma.Schema, seen map[string]bool) bool {
		if schema == nil || seen[schema.Ref] {
			return false
		}
		if schema.Ref != "" {
			seen[schema.Ref] = true
			schema = about.Components.Schemas.SchemaFromRef(schema.Ref)
		}
		if schema.Properties["snippet"] != nil || has(schema.Items, seen) {
			return true
		}
		for _, p := range schema.Properties {
			if has(p, seen) {
				return true
			}
		}
		return false
	}
	n := 0
	for path, item := range about.Paths {
		if item.Get == nil || item.Get.Responses["200"] == nil ||
			item.Get.Responses["200"].Content["application/json"] == nil ||
			!has(item.Get.Responses["200"].Content["application/json"].Schema, map[string]bool{}) {
			continue
		}
		n++
		if !slices.ContainsFunc(item.Get.Parameters, func(p *huma.Param) bool { return p.Name == "format" }) {
			t.Errorf("GET %s answers with snippets and takes no format", path)
		}
	}
	if n < 30 {
		t.Errorf("%d operations answer with snippets, so the test finds them no more", n)
	}
}
