package inbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/far"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// A post that its author narrows is no more public here. One that its author widens stays as it is.
func TestNarrowed(t *testing.T) {
	t.Parallel()
	e, f := open(t), far.New(t)
	followers := f.URL + "/users/bob/followers"
	bob := f.Actor("bob", map[string]any{"followers": followers})
	iri := f.URL + "/notes/1"
	visibility := func() model.Audience {
		t.Helper()
		id, err := e.of.KnownPost(t.Context(), iri)
		testenv.Must(t, err)
		is, _ := e.Doc(t, "tweets/"+string(id))["visibility"].(string)
		return model.Audience(is)
	}
	update := func(n int, to ...any) {
		t.Helper()
		e.Clock.Add(2 * time.Second)
		e.gets(t, say("Update", bob, fmt.Sprint(iri, "#update-", n), note(iri, bob, map[string]any{
			"content": fmt.Sprint("version ", n), "to": to, "updated": e.Clock.Now().Format(time.RFC3339)}), nil))
	}
	e.gets(t, say("Create", bob, iri+"#create", note(iri, bob, map[string]any{"cc": []any{site.User("ann")}}), nil))
	if got := visibility(); got != model.Public {
		t.Fatalf("the post is %q", got)
	}
	update(1, followers)
	if got := visibility(); got != model.Followers {
		t.Errorf("for followers: %q", got)
	}
	update(2, "https://www.w3.org/ns/activitystreams#Public")
	if got := visibility(); got != model.Followers {
		t.Errorf("for all again: %q", got)
	}
	update(3, site.User("ann"))
	if got := visibility(); got != model.Mentioned {
		t.Errorf("for ann: %q", got)
	}
}
