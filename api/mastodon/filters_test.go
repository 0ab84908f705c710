package mastodon_test

import (
	"fmt"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

type filter struct {
	ID, Title string
	Context   []string
	ExpiresAt *string `json:"expires_at"`
	Action    string  `json:"filter_action"`
	Keywords  []keyword
}

type keyword struct {
	ID, Keyword string
	WholeWord   bool `json:"whole_word"`
}

// A filter of a client warns of posts, which name it; its keywords change one by one, and in the first version each is
// a filter.
func TestFilters(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.post(t, bob, "a spoiler of the finale")
	var made filter
	e.askAs(t, ann, "POST /api/v2/filters?title=Series&context[]=public&context[]=account&expires_in=3600"+
		"&keywords_attributes[][keyword]=spoiler&keywords_attributes[][whole_word]=true"+
		"&keywords_attributes[][keyword]=finale", "", nil).want(t, http.StatusOK, &made)
	if made.Action != "warn" || len(made.Keywords) != 2 || !made.Keywords[0].WholeWord || made.ExpiresAt == nil {
		t.Fatalf("the filter is %+v", made)
	}
	var posts []struct {
		Filtered []struct {
			Filter  filter
			Matches []string `json:"keyword_matches"`
		}
	}
	e.ask(t, ann, "GET /api/v1/timelines/public", nil).want(t, http.StatusOK, &posts)
	hit := posts[0].Filtered[0]
	same(t, "matches", hit.Matches, []string{"spoiler"})
	keywords := made.Keywords
	made.Keywords, hit.Filter.Keywords = nil, nil
	same(t, "the filter of the post", hit.Filter, made)

	path := "/api/v2/filters/" + made.ID
	e.ask(t, ann, "PUT "+path, map[string]any{"filter_action": "hide", "expires_in": nil}).want(t, http.StatusOK, &made)
	same(t, "what is left", []any{made.Action, made.Title, len(made.Keywords), made.ExpiresAt == nil},
		[]any{"hide", "Series", 2, true})
	e.ask(t, ann, "GET /api/v1/timelines/public", nil).want(t, http.StatusOK, &posts)
	same(t, "what is hidden", len(posts), 0)

	var kept filter
	e.ask(t, ann, "PUT "+path, map[string]any{"keywords_attributes": []map[string]any{
		{"id": keywords[1].ID, "keyword": "finale", "_destroy": true}, {"id": keywords[0].ID, "whole_word": false},
		{"keyword": "cliffhanger", "whole_word": true}}}).want(t, http.StatusOK, &kept)
	same(t, "the keywords after a change", each(kept.Keywords, func(k keyword) string {
		return fmt.Sprint(k.Keyword, k.WholeWord)
	}), []string{"spoilerfalse", "cliffhangertrue"})
	same(t, "the id of a keyword that stays", kept.Keywords[0].ID, keywords[0].ID)
	e.ask(t, ann, "PUT "+path, map[string]any{"keywords_attributes": []map[string]any{
		{"id": keywords[1].ID, "keyword": "unknown"}}}).want(t, http.StatusNotFound, nil)
	e.ask(t, ann, "PUT "+path, map[string]any{"keywords_attributes": []map[string]any{
		{"id": kept.Keywords[1].ID, "keyword": "finale"}}}).want(t, http.StatusOK, &kept)
	same(t, "the changed keyword", kept.Keywords[1].Keyword, "finale")
	keywordsKeepIDs(t, e, ann)

	v1, err := ann.GetFilters(t.Context())
	testenv.Must(t, err)
	same(t, "the first version", []any{len(v1), v1[1].Phrase, v1[1].Irreversible}, []any{2, "finale", true})
	testenv.Must(t, ann.DeleteFilter(t.Context(), v1[0].ID))
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusOK, &made)
	same(t, "the keywords", len(made.Keywords), 1)
	testenv.Must(t, ann.DeleteFilter(t.Context(), v1[1].ID))
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusNotFound, nil)
	for _, bad := range []string{"title=a&context[]=home", "context[]=home&keywords_attributes[][keyword]=a",
		"title=a&context[]=moon&keywords_attributes[][keyword]=a",
		"title=a&context[]=home&keywords_attributes[][keyword]=a&expires_in=soon"} {
		e.askAs(t, ann, "POST /api/v2/filters?"+bad, "", nil).want(t, http.StatusUnprocessableEntity, nil)
	}
}

// A form of several parts is read in its order, as other forms are: else a keyword gets what is of another one.
func TestFilterOfParts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var body strings.Builder
	form := multipart.NewWriter(&body)
	for _, part := range [][2]string{{"title", "Series"}, {"context[]", "home"}, {"keywords_attributes[][keyword]", "a"},
		{"keywords_attributes[][keyword]", "b"}, {"keywords_attributes[][whole_word]", "true"},
		{"keywords_attributes[][keyword]", "c"}} {
		testenv.Must(t, form.WriteField(part[0], part[1]))
	}
	testenv.Must(t, form.Close())
	var made filter
	e.askAs(t, ann, "POST /api/v2/filters", form.FormDataContentType(), strings.NewReader(body.String())).
		want(t, http.StatusOK, &made)
	whole := map[string]bool{}
	for _, k := range made.Keywords {
		whole[k.Keyword] = k.WholeWord
	}
	same(t, "the keywords", whole, map[string]bool{"a": false, "b": true, "c": false})
}

// Several keywords that an app changes at once are each changed: a filter is written as it was read, or read again.
func TestFilterAtOnce(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var made filter
	e.askAs(t, ann, "POST /api/v2/filters?title=Series&context[]=home&keywords_attributes[][keyword]=first"+
		"&keywords_attributes[][keyword]=second", "", nil).want(t, http.StatusOK, &made)
	requests := []string{"DELETE /api/v2/filters/keywords/" + made.Keywords[0].ID,
		"PUT /api/v2/filters/keywords/" + made.Keywords[1].ID + "?keyword=other&whole_word=true",
		"PUT /api/v2/filters/" + made.ID + "?title=Films"}
	for _, k := range []string{"a", "b", "c"} {
		requests = append(requests, "POST /api/v2/filters/"+made.ID+"/keywords?keyword="+k)
	}
	var all sync.WaitGroup
	for _, request := range requests {
		all.Go(func() {
			if a := e.askAs(t, ann, request, "", nil); a.StatusCode != http.StatusOK {
				t.Errorf("%s answered %s: %s", request, a.Status, a.text)
			}
		})
	}
	all.Wait()
	e.ask(t, ann, "GET /api/v2/filters/"+made.ID, nil).want(t, http.StatusOK, &made)
	var keywords []string
	for _, k := range made.Keywords {
		keywords = append(keywords, k.Keyword)
	}
	slices.Sort(keywords)
	same(t, "the title", made.Title, "Films")
	same(t, "the keywords", keywords, []string{"a", "b", "c", "other"})
}

// keywordsKeepIDs changes keywords, whose ids stay, in both versions.
func keywordsKeepIDs(t *testing.T, e *env, who person) {
	t.Helper()
	const one = "/api/v2/filters/keywords/"
	var made filter
	e.askAs(t, who, "POST /api/v2/filters?title=Ids&context[]=home&keywords_attributes[][keyword]=first"+
		"&keywords_attributes[][keyword]=second", "", nil).want(t, http.StatusOK, &made)
	path, first := "/api/v2/filters/"+made.ID, made.Keywords[0].ID
	var k keyword
	e.ask(t, who, "PUT "+one+first, map[string]any{"keyword": " other "}).want(t, http.StatusOK, &k)
	same(t, "a keyword by its id", k, keyword{ID: first, Keyword: "other"})
	e.ask(t, who, "GET "+one+first, nil).want(t, http.StatusOK, &k)
	same(t, "the keyword that changed", k, keyword{ID: first, Keyword: "other"})
	e.ask(t, who, "PUT "+path, map[string]any{"keywords_attributes": []map[string]any{
		{"id": first, "keyword": "third"}}}).want(t, http.StatusOK, &made)
	same(t, "a keyword by its filter", made.Keywords[0], keyword{ID: first, Keyword: "third"})
	// what has the text of another's id gets one of its own
	e.ask(t, who, "POST "+path+"/keywords", map[string]any{"keyword": "first"}).want(t, http.StatusOK, &k)
	if k.ID == first || k.ID == made.Keywords[1].ID || k.Keyword != "first" {
		t.Errorf("another keyword is %+v", k)
	}
	var v1 struct{ ID, Phrase string }
	e.ask(t, who, "PUT /api/v1/filters/"+first, map[string]any{"phrase": "fourth", "context": []string{"home"}}).
		want(t, http.StatusOK, &v1)
	same(t, "in the first version", v1.ID+v1.Phrase, first+"fourth")
	e.ask(t, who, "PUT /v1/users/me/filters/"+made.ID, map[string]any{"title": "Ids", "contexts": []string{"home"},
		"action":                   "warn", "keywords": []map[string]any{{"keyword": "second"}, {"keyword": "fourth"}}}).
		want(t, http.StatusOK, nil) // as a client that knows no ids
	e.ask(t, who, "GET "+one+first, nil).want(t, http.StatusOK, &k)
	same(t, "a keyword without an id", k, keyword{ID: first, Keyword: "fourth"})
	e.ask(t, who, "DELETE "+path, nil).want(t, http.StatusOK, nil)
}
