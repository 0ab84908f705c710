package mastodon_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A timeline of several tags has each post once, in order, on pages without gaps.
func TestTagTimeline(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var want []string
	for n := range 9 {
		text := fmt.Sprint(n, " ", []string{"#Red", "#blue", "#red #blue"}[n%3])
		want = append([]string{statusID(e.post(t, ann, text))}, want...)
	}
	e.idle(t)
	const path = "/api/v1/timelines/tag/"
	ids := func(what string) (all []string) {
		t.Helper()
		var list []status
		e.ask(t, ann, "GET "+path+what, nil).want(t, http.StatusOK, &list)
		return each(list, func(s status) string { return s.ID })
	}
	same(t, "any", ids("red?any[]=BLUE&any[]=green"), want)
	var walked []string
	for p := (&client.Pagination{Limit: 2}); len(walked) < 20; {
		some, err := ann.GetTimelineHashtagMultiple(t.Context(), "red", false, &client.TagData{Any: []string{"blue"}}, p)
		testenv.Must(t, err)
		walked = append(walked, each(some, func(s *client.Status) string { return string(s.ID) })...)
		if p.MaxID == "" {
			break
		}
		p = &client.Pagination{Limit: 2, MaxID: p.MaxID}
	}
	same(t, "the pages", walked, want)
	same(t, "what follows", ids("red?any[]=blue&limit=2&min_id="+want[5]), want[3:5])
	same(t, "all", ids("red?all[]=Blue"), []string{want[0], want[3], want[6]})
	same(t, "none", ids("red?none[]=blue"), []string{want[2], want[5], want[8]})
	same(t, "of no post", len(ids("never")), 0)
	same(t, "with media", len(ids("red?only_media=true")), 0)
	same(t, "remote", len(ids("red?remote=true")), 0)
	same(t, "local", len(ids("red?local=true")), 6)
	e.ask(t, ann, "GET "+path+"a?"+strings.Repeat("any[]=b&", 2)+"any[]=c&any[]=d&any[]=e", nil).
		want(t, http.StatusUnprocessableEntity, nil)

	// where much of one list is left out, a page ends before the other list goes on alone
	var mixed []string
	for _, text := range []string{"#ba", "#ba", "#ba", "#ba", "#ra", "#ra #no", "#ra #no", "#ra", "#ra"} {
		if id := statusID(e.post(t, ann, text)); !strings.Contains(text, "#no") {
			mixed = append([]string{id}, mixed...)
		}
	}
	e.idle(t)
	walked = nil
	for maxID := ""; len(walked) < 20; maxID = "&max_id=" + walked[len(walked)-1] {
		some := ids("ra?any[]=ba&none[]=no&limit=4" + maxID)
		if len(some) == 0 {
			break
		}
		walked = append(walked, some...)
	}
	same(t, "the pages with a gap", walked, mixed)

	var m attachment
	e.upload(t, ann, "/api/v1/media", nil, nil, picture()).read(t, &m)
	e.idle(t)
	var s status
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "#red", "media_ids": []string{m.ID}}).
		want(t, http.StatusOK, &s)
	e.idle(t)
	same(t, "with media", ids("red?only_media=true"), []string{s.ID})
	var list []status
	e.ask(t, ann, "GET /api/v1/timelines/public?only_media=true", nil).want(t, http.StatusOK, &list)
	if len(list) != 1 || list[0].ID != s.ID {
		t.Errorf("public with media: %+v", list)
	}
	e.ask(t, ann, "GET /api/v1/timelines/link?url=https://a.example", nil).want(t, http.StatusNotFound, nil)
}

// A timeline of several tags begins with its first posts, and looks for them no further than that of one.
func TestTagTimelineCosts(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var posts []string
	for n := range 50 {
		posts = append([]string{statusID(e.post(t, ann, fmt.Sprint("#one #two #three #four ", n)))}, posts...)
	}
	e.idle(t)
	path, reads := "/api/v1/timelines/tag/one?any[]=two&any[]=three&any[]=four&min_id=0&limit=20", 0
	var some []status
	a := e.ask(t, ann, "GET "+path, nil).want(t, http.StatusOK, &some)
	if len(some) == 0 { // a page may have few, and none is left out
		t.Error("a page has no posts")
	}
	same(t, "the first posts", each(some, func(s status) string { return s.ID }), posts[len(posts)-len(some):])
	for _, m := range billed.FindAllStringSubmatch(a.Header.Get("Server-Timing"), -1) {
		if m[1] == "reads" {
			reads, _ = strconv.Atoi(m[2])
		}
	}
	if reads == 0 || reads > 300+20 {
		t.Errorf("4 tags cost %d reads", reads)
	}
}
