package inbox_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/fediverse/remote"
)

// Of a post with very many links the first ones name people.
func TestManyLinks(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob, iri := f.Actor("bob", nil), f.URL+"/notes/1"
	e.gets(t, say("Create", bob, iri+"#create", note(iri, bob, map[string]any{
		"content": strings.Repeat(`<a href="`+site.User("ann")+`">@ann</a> `, remote.MaxLinks+50),
		"tag":     []any{map[string]any{"type": "Mention", "href": site.User("ann"), "name": "@ann"}}}), nil))
	id, err := e.of.KnownPost(t.Context(), iri)
	testenv.Must(t, err)
	content, _ := e.Doc(t, "tweetDetails/"+string(id))["content"].(string)
	if named, links := strings.Count(content, "@ann_u"), strings.Count(content, site.User("ann")); named !=
		remote.MaxLinks || links == 0 {
		t.Errorf("%d names, and %d links", named, links)
	}
}

// A post for one user reaches that user, also when its text has a longer name, or the name where it names nobody.
func TestNamedAlike(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	bob := f.Actor("bob", nil)
	for i, text := range []string{`<p>say hi to @ann_ux</p>`, `<p>see <code>@ann_u</code></p>`, `<p>mail x@ann_u</p>`} {
		iri := fmt.Sprint(f.URL, "/notes/", i)
		e.gets(t, say("Create", bob, iri+"#create", note(iri, bob, map[string]any{"content": text,
			"to": []any{site.User("ann")}}), nil))
		id, err := e.of.KnownPost(t.Context(), iri)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if named, _ := e.Doc(t, "tweets/"+string(id))["mentions"].(map[string]any); named["ann"] == nil {
			t.Errorf("%s: ann is not named: %v", text, e.Doc(t, "tweetDetails/"+string(id))["content"])
		}
	}
}
