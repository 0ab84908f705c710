package mastodon_test

import (
	"net/http"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

type tag struct {
	ID, Name, URL        string
	History              []struct{ Day, Uses, Accounts string }
	Following, Featuring *bool
}

// A tag is followed and shown on the profile in any spelling, also one that no post has.
func TestTags(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	e.post(t, ann, "Sparks #Spark #fire")
	e.idle(t)
	is := func(what string, b *bool) bool {
		t.Helper()
		if b == nil {
			t.Fatalf("%s is not said", what)
		}
		return *b
	}
	for _, name := range []string{"SPARK", "Unknown"} {
		for _, step := range []struct {
			do                   string
			following, featuring bool
		}{{"follow", true, false}, {"feature", true, true}, {"feature", true, true},
			{"unfollow", false, true}, {"unfeature", false, false}} {
			var did, read tag
			e.ask(t, ann, "POST /api/v1/tags/"+name+"/"+step.do, nil).want(t, http.StatusOK, &did)
			e.ask(t, ann, "GET /api/v1/tags/"+name, nil).want(t, http.StatusOK, &read)
			if is("following", read.Following) != step.following || is("featuring", read.Featuring) != step.featuring ||
				len(read.History) != 7 || read.URL != e.url+"/tags/"+read.ID || did.ID != read.ID {
				t.Errorf("after %s %s is %+v", step.do, name, read)
			}
		}
	}
	var featured struct {
		ID, Name, URL string
		StatusesCount string `json:"statuses_count"`
	}
	e.ask(t, ann, "POST /api/v1/featured_tags", map[string]any{"name": "#SPARK"}).want(t, http.StatusOK, &featured)
	if featured.ID != "spark" || featured.Name != "SPARK" || featured.StatusesCount != "1" {
		t.Errorf("featured is %+v", featured)
	}
	var suggested, followed []tag
	e.ask(t, ann, "GET /api/v1/featured_tags/suggestions", nil).want(t, http.StatusOK, &suggested)
	if len(suggested) != 1 || suggested[0].Name != "fire" {
		t.Errorf("suggested is %+v", suggested)
	}
	var of []struct{ Name string }
	e.ask(t, person{}, "GET /api/v1/accounts/"+ann.id+"/featured_tags", nil).want(t, http.StatusOK, &of)
	same(t, "featured tags of ann", len(of), 1)
	e.ask(t, ann, "DELETE /api/v1/featured_tags/spark", nil).want(t, http.StatusOK, nil)
	e.ask(t, ann, "GET /api/v1/featured_tags", nil).want(t, http.StatusOK, &of)
	same(t, "featured tags", len(of), 0)
	_, err := ann.TagFollow(t.Context(), "fire")
	testenv.Must(t, err)
	e.ask(t, ann, "GET /api/v1/followed_tags", nil).want(t, http.StatusOK, &followed)
	if len(followed) != 1 || followed[0].ID != "fire" || !is("following", followed[0].Following) {
		t.Errorf("followed is %+v", followed)
	}
	e.ask(t, person{}, "GET /api/v1/accounts/nobody/featured_tags", nil).want(t, http.StatusNotFound, nil)
	for _, bad := range []string{"GET /api/v1/tags/a%20b", "POST /api/v1/tags/%21/follow",
		"POST /api/v1/tags/%21/feature"} {
		e.ask(t, ann, bad, nil).want(t, http.StatusUnprocessableEntity, nil)
	}
}
