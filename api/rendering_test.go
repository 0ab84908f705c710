package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
)

// A caller gets a text and its snippet as HTML or as a tree, wherever a tweet is shown.
func TestFormats(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	long := e.post(t, ann, map[string]any{"content": "**" + strings.Repeat("a", 275) + "** [here](https://example.com/" + strings.Repeat("b", 100) + ") `#include` #go <b>"})
	if len(long.Tags) != 1 || long.Tags[0] != "go" {
		t.Errorf("tags = %q, want go alone", long.Tags)
	}
	snippet := "<p><strong>" + strings.Repeat("a", 275) + `</strong> <a href="https://example.com/` + strings.Repeat("b", 100) + `" rel="nofollow ugc noopener noreferrer">here</a></p>`
	var whole api.Tweet
	e.do(t, "GET", "/v1/tweets/"+string(long.ID)+"?format=html", "", nil).want(t, http.StatusOK, &whole)
	html := strings.TrimSuffix(snippet, "</p>") + ` <code>#include</code> <a href="/tags/go" class="hashtag">#go</a> &lt;b&gt;</p>`
	if whole.HTML != html || whole.SnippetHTML != snippet || whole.SnippetTree != nil {
		t.Errorf("html = %s\nsnippetHtml = %s", whole.HTML, whole.SnippetHTML)
	}
	e.do(t, "GET", "/v1/tweets/"+string(long.ID)+"?format=xml", "", nil).problem(t, http.StatusBadRequest, "invalid_request")

	short := e.post(t, ann, map[string]any{"content": "a *spark*", "replyTo": long.ID})
	e.do(t, "PUT", "/v1/tweets/"+string(long.ID)+"/like", ann.token, nil).want(t, http.StatusNoContent, nil)
	for path, want := range map[string]string{
		"/v1/tweets?format=html":                                 snippet,
		"/v1/tweets/" + string(long.ID) + "/replies?format=html": "<p>a <em>spark</em></p>",
		"/v1/tags/go/tweets?format=html":                         snippet,
	} {
		var list api.List[api.Tweet]
		e.do(t, "GET", path, ann.token, nil).want(t, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].SnippetHTML != want || list.Items[0].HTML != "" {
			t.Errorf("%s answers %+v, want the snippet %s", path, list.Items, want)
		}
	}
	var likes api.List[api.LikedTweet]
	e.do(t, "GET", "/v1/users/"+string(ann.id)+"/likes?format=html", "", nil).want(t, http.StatusOK, &likes)
	if len(likes.Items) != 1 || likes.Items[0].SnippetHTML != snippet {
		t.Errorf("the likes are %+v", likes.Items)
	}
	var batch api.Batch
	e.do(t, "GET", "/v1/tweets:batchGet?format=tree&ids="+string(short.ID), "", nil).want(t, http.StatusOK, &batch)
	tree := batch.Items[0].Tweet.SnippetTree
	if len(tree) != 1 || tree[0].Tag != "p" || len(tree[0].Children) != 2 || tree[0].Children[0].Type != "text" || tree[0].Children[1].Tag != "em" || tree[0].Children[1].Text != "spark" {
		t.Errorf("snippetTree = %+v", tree)
	}
	var plain api.Tweet
	if r := e.do(t, "GET", "/v1/tweets/"+string(short.ID), "", nil).want(t, http.StatusOK, &plain); strings.Contains(string(r.body), "html") || strings.Contains(string(r.body), "snippetTree") {
		t.Errorf("without a format the answer has one: %s", r.body)
	}
}
