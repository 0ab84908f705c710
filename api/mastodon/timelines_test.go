package mastodon_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// post posts a text by the native API, and returns its native id.
func (e *env) post(t testing.TB, who person, text string) string {
	t.Helper()
	var made struct{ ID string }
	e.ask(t, who, "POST /v1/tweets", map[string]any{"content": text}).want(t, http.StatusCreated, &made)
	return made.ID
}

// A home timeline has posts and shares in the order of their times, and pages by max_id, since_id and min_id have each
// once.
func TestHome(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	shared := e.post(t, cid, "shared by bob")
	for n := range 12 {
		e.post(t, bob, fmt.Sprint("post ", n))
	}
	e.ask(t, bob, "PUT /v1/tweets/"+shared+"/share", nil).want(t, http.StatusNoContent, nil)
	e.post(t, bob, "the last one")
	e.idle(t)

	whole, err := ann.GetTimelineHome(t.Context(), nil)
	testenv.Must(t, err)
	if len(whole) != 14 || whole[1].Reblog == nil || whole[1].Reblog.Content != "<p>shared by bob</p>" ||
		whole[1].Account.Acct != "bob" || whole[1].Reblog.Account.Acct != "cid" ||
		!strings.Contains(whole[0].Content, "last") {
		t.Fatalf("home has %d posts: %+v", len(whole), whole[1])
	}
	ids := each(whole, func(s *client.Status) string { return string(s.ID) })
	if !slices.IsSortedFunc(ids, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("ids do not sort: %q", ids)
	}

	var walked []string
	for p := (&client.Pagination{Limit: 5}); len(walked) < 30; {
		some, err := ann.GetTimelineHome(t.Context(), p)
		testenv.Must(t, err)
		walked = append(walked, each(some, func(s *client.Status) string { return string(s.ID) })...)
		if p.MaxID == "" {
			break
		}
		p = &client.Pagination{Limit: 5, MaxID: p.MaxID}
	}
	same(t, "the pages", walked, ids)

	since, err := ann.GetTimelineHome(t.Context(), &client.Pagination{SinceID: client.ID(ids[3])})
	testenv.Must(t, err)
	same(t, "since", each(since, func(s *client.Status) string { return string(s.ID) }), ids[:3])
	least, err := ann.GetTimelineHome(t.Context(), &client.Pagination{MinID: client.ID(ids[9]), Limit: 3})
	testenv.Must(t, err)
	same(t, "what follows on a post", each(least, func(s *client.Status) string { return string(s.ID) }), ids[6:9])
}

// What follows on a post is what comes next to it, however many posts are newer: on pages by min_id each comes once.
func TestFollowing(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	const many = 130
	ids := make([]string, many)
	for n := range many {
		ids[n] = statusID(e.post(t, ann, fmt.Sprint("#", []string{"red", "blue"}[n%40/39], " ", n)))
	}
	e.idle(t)
	for _, path := range []string{"timelines/home?", "timelines/tag/red?any[]=blue&", "accounts/" + ann.id +
		"/statuses?"} {
		walked := []string{ids[0]}
		for len(walked) < 2*many {
			var some []status
			e.ask(t, ann, "GET /api/v1/"+path+"limit=20&min_id="+walked[len(walked)-1], nil).want(t, http.StatusOK, &some)
			if len(some) == 0 {
				break
			}
			for _, s := range slices.Backward(some) {
				walked = append(walked, s.ID)
			}
		}
		same(t, path, walked, ids)
	}
}

// A home timeline of which mutes and filters hide many posts goes on to those that they do not hide. Where they hide
// too many, the page is empty and links to the next.
func TestHiddenHome(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.ask(t, ann, "PUT /v1/users/"+bob.id+"/follow", nil).want(t, http.StatusOK, nil)
	first := statusID(e.post(t, bob, "first"))
	for range 130 {
		e.post(t, bob, "spoiler")
	}
	e.ask(t, ann, "PUT /v1/users/me/filters/f", map[string]any{"title": "f", "contexts": []string{"home"},
		"action": "hide", "keywords": []any{map[string]any{"keyword": "spoiler"}}}).want(t, http.StatusOK, nil)
	e.idle(t)
	for _, limit := range []string{"20", "2"} {
		var walked []string
		address, pages := "/api/v1/timelines/home?limit="+limit, 0
		for ; address != "" && pages < 20; pages++ {
			var some []status
			a := e.ask(t, ann, "GET "+address, nil).want(t, http.StatusOK, &some)
			walked = append(walked, each(some, func(s status) string { return s.ID })...)
			address = ""
			if next := nextLink.FindStringSubmatch(a.Header.Get("Link")); next != nil {
				address = strings.TrimPrefix(next[1], e.url)
			}
		}
		same(t, "what is not hidden, on pages of "+limit, walked, []string{first})
		if most := map[string]int{"20": 2, "2": 5}[limit]; pages > most {
			t.Errorf("%d pages of %s, want %d at most", pages, limit, most)
		}
	}
	e.ask(t, ann, "GET /api/v1/timelines/home?max_id="+strings.Repeat("x", 100), nil).
		want(t, http.StatusUnprocessableEntity, nil)
}

var nextLink = regexp.MustCompile(`<([^>]*)>; rel="next"`)

// The public timeline has no replies, and posts by anybody.
func TestPublicTimeline(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	root := statusID(e.post(t, ann, "root"))
	e.ask(t, bob, "POST "+statuses, map[string]any{"status": "reply", "in_reply_to_id": root}).want(t, http.StatusOK, nil)
	last := statusID(e.post(t, bob, "last"))
	e.idle(t)
	for query, want := range map[string][]string{"": {last, root}, "local=true": {last, root}, "remote=true": {},
		"max_id=" + last: {root}, "since_id=" + root: {last}} {
		var all []status
		e.ask(t, person{}, "GET /api/v1/timelines/public?"+query, nil).want(t, http.StatusOK, &all)
		same(t, query, each(all, func(s status) string { return s.ID }), want)
	}
}

func each[F, T any](from []F, to func(F) T) []T {
	all := make([]T, len(from))
	for i, f := range from {
		all[i] = to(f)
	}
	return all
}

// The posts that follow on one are found behind hundreds of newer ones also where a timeline joins several tags, of
// which one has nearly all posts.
func TestFollowingFarBack(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	const many = 240
	ids := make([]string, many)
	for n := range many {
		ids[n] = statusID(e.post(t, ann, fmt.Sprint("#", []string{"red", "blue"}[n/(many-1)], " ", n)))
	}
	e.idle(t)
	var some []status
	e.ask(t, ann, "GET /api/v1/timelines/tag/red?any[]=blue&limit=2&min_id="+ids[0], nil).want(t, http.StatusOK, &some)
	same(t, "what follows", each(some, func(s status) string { return s.ID }), []string{ids[2], ids[1]})
}

// Who walks a timeline from its beginning begins with its first posts, by an id that is before all of them.
func TestFollowingFromTheBeginning(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	e.ask(t, bob, "PUT /v1/users/"+ann.id+"/follow", nil).want(t, http.StatusOK, nil)
	const many = 130
	ids := make([]string, many)
	for n := range many {
		ids[n] = statusID(e.post(t, ann, fmt.Sprint("#red ", n)))
	}
	e.idle(t)
	for _, path := range []string{"/api/v1/timelines/public", "/api/v1/timelines/home", "/api/v1/timelines/tag/red",
		"/api/v1/accounts/" + ann.id + "/statuses"} {
		for _, before := range []string{"0", strings.Repeat("0", len(ids[0]))} {
			var some []status
			e.ask(t, bob, "GET "+path+"?limit=3&min_id="+before, nil).want(t, http.StatusOK, &some)
			same(t, path+" after "+before, each(some, func(s status) string { return s.ID }), []string{ids[2], ids[1], ids[0]})
		}
	}
}
