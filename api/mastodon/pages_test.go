package mastodon_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// walk follows the Link of pages in one direction from a page on, and returns the ids of each page.
func (e *env) walk(t testing.TB, who person, path, rel string) (pages [][]string) {
	t.Helper()
	for range 40 {
		a := e.ask(t, who, "GET "+path, nil).want(t, http.StatusOK, nil)
		ids := idsOf(t, a)
		pages = append(pages, ids)
		next := ""
		for part := range strings.SplitSeq(a.Header.Get("Link"), ", ") {
			if at, is, _ := strings.Cut(part, ">; "); is == `rel="`+rel+`"` {
				at, err := url.Parse(strings.TrimPrefix(at, "<"))
				if err != nil {
					t.Fatal(err)
				}
				next = at.RequestURI()
			}
		}
		if next == "" || len(ids) == 0 {
			return pages
		}
		if next == path {
			t.Fatalf("%s links to itself", path)
		}
		path = next
	}
	t.Fatalf("%s has no end: %q", path, pages)
	return nil
}

// idsOf are the ids of a list, or the keys of groups of notifications.
func idsOf(t testing.TB, a answer) []string {
	t.Helper()
	type item struct {
		ID  string
		Key string `json:"group_key"`
	}
	var all []item
	if a.text[0] == '{' {
		var groups struct {
			All []item `json:"notification_groups"`
		}
		a.want(t, http.StatusOK, &groups)
		all = groups.All
	} else if err := json.Unmarshal(a.text, &all); err != nil {
		t.Fatalf("%s: %v", a.Request.URL, err)
	}
	return each(all, func(i item) string {
		if i.ID == "" {
			return i.Key
		}
		return i.ID
	})
}

// Each list has each of its items once on the pages to which it links: from the first one to its end, and where pages
// follow on an item also back. A limit out of range is the nearest in range.
func TestPages(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	const many = 3
	ann := e.join(t, "ann")
	var others []person
	for n := range many {
		others = append(others, e.join(t, fmt.Sprint("other", n)))
	}
	bob, zoe := others[0], e.join(t, "zoe") // who sees one share of each post
	do := func(who person, what string, body any) (id string) {
		t.Helper()
		var made struct{ ID string }
		a := e.ask(t, who, what, body)
		if a.StatusCode >= http.StatusBadRequest {
			t.Fatalf("%s answered %s: %.300s", what, a.Status, a.text)
		}
		json.Unmarshal(a.text, &made)
		return made.ID
	}
	do(zoe, "POST /api/v1/accounts/"+bob.id+"/follow", nil)
	list := do(ann, "POST /api/v1/lists", map[string]any{"title": "all"})
	hit := do(ann, "POST "+statuses, map[string]any{"status": "hit"})
	for n, o := range others {
		do(ann, "POST /api/v1/accounts/"+o.id+"/follow", nil)
		do(o, "POST /api/v1/accounts/"+ann.id+"/follow", nil)
		do(ann, "POST /api/v1/lists/"+list+"/accounts", map[string]any{"account_ids": []string{o.id}})
		do(o, "POST "+statuses+"/"+hit+"/favourite", nil)
		do(o, "POST "+statuses+"/"+hit+"/reblog", nil)
		do(o, "POST "+statuses, map[string]any{"status": "@ann alone", "visibility": "direct"})
		do(o, "POST "+statuses, map[string]any{"status": "quotes", "quoted_status_id": hit})
		s := do(bob, "POST "+statuses, map[string]any{"status": fmt.Sprint("#tag @ann ", n)})
		do(bob, "POST "+statuses, map[string]any{"status": "goes on", "in_reply_to_id": s})
		do(bob, "POST "+statuses, map[string]any{"status": "answers", "in_reply_to_id": hit})
		do(ann, "POST "+statuses+"/"+s+"/bookmark", nil)
		do(ann, "POST "+statuses+"/"+s+"/favourite", nil)
		do(ann, "POST "+statuses, map[string]any{"status": "later", "scheduled_at": time.Now().Add(time.Hour)})
		if n > 0 {
			do(bob, "POST /api/v1/accounts/"+o.id+"/mute", nil)
			do(bob, "POST /api/v1/accounts/"+o.id+"/block", nil)
		}
	}
	e.idle(t)
	for _, test := range []struct {
		who   person
		path  string
		items int
		back  bool // pages follow on an item
	}{
		{zoe, "/api/v1/timelines/home", -1, true},
		{ann, "/api/v1/timelines/public", 7, true},
		{ann, "/api/v1/timelines/tag/tag", many, true},
		{ann, "/api/v1/timelines/list/" + list, 12, true},
		{ann, "/api/v1/accounts/" + bob.id + "/statuses", 11, true},
		{ann, "/api/v1/accounts/" + bob.id + "/statuses?exclude_replies=true", 8, true},
		{ann, "/api/v1/accounts/" + bob.id + "/statuses?exclude_replies=true&exclude_reblogs=true", 7, true},
		{ann, "/api/v1/notifications", -1, true},
		{ann, "/api/v2/notifications", -1, true},
		{ann, "/api/v1/conversations", many, true},
		{ann, "/api/v1/timelines/direct", many, true},
		{ann, "/api/v1/bookmarks", many, false},
		{ann, "/api/v1/favourites", many, false},
		{ann, "/api/v1/accounts/" + ann.id + "/followers", many, false},
		{ann, "/api/v1/accounts/" + ann.id + "/following", many, false},
		{ann, "/api/v1/lists/" + list + "/accounts", many, true},
		{ann, statuses + "/" + hit + "/favourited_by", many, false},
		{ann, statuses + "/" + hit + "/reblogged_by", many, false},
		{ann, statuses + "/" + hit + "/quotes", many, false},
		{ann, "/api/v1/scheduled_statuses", many, false},
		{bob, "/api/v1/mutes", many - 1, false},
		{bob, "/api/v1/blocks", many - 1, false},
	} {
		e.pagesOf(t, test.who, test.path, test.items, test.back)
	}
}

// pagesOf walks a list of so many items by pages of several sizes; -1 for any number.
func (e *env) pagesOf(t testing.TB, who person, path string, items int, back bool) {
	t.Helper()
	with := func(limit any) string {
		if strings.Contains(path, "?") {
			return fmt.Sprint(path, "&limit=", limit)
		}
		return fmt.Sprint(path, "?limit=", limit)
	}
	whole := slices.Concat(e.walk(t, who, with(40), "next")...)
	if items >= 0 && len(whole) != items || len(whole) == 0 {
		t.Errorf("%s has %d items, want %d", path, len(whole), items)
	}
	for _, limit := range []int{1, 2} {
		pages := e.walk(t, who, with(limit), "next")
		for _, page := range pages {
			if len(page) > limit {
				t.Errorf("%s has a page of %d", with(limit), len(page))
			}
		}
		same(t, with(limit), slices.Concat(pages...), whole)
	}
	for _, limit := range []any{-1, "x", 1000} {
		if got := idsOf(t, e.ask(t, who, "GET "+with(limit), nil).want(t, http.StatusOK, nil)); len(got) == 0 ||
			!slices.Equal(got, whole[:min(len(got), len(whole))]) {
			t.Errorf("%s has %q", with(limit), got)
		}
	}
	if !back {
		return
	}
	oldest := whole[len(whole)-1]
	for _, limit := range []int{1, 2, 40} {
		walked := []string{oldest}
		for _, page := range e.walk(t, who, with(limit)+"&min_id="+e.minID(t, who, path, oldest), "prev") {
			slices.Reverse(page)
			walked = append(walked, page...)
		}
		slices.Reverse(walked)
		same(t, with(limit)+" back", walked, whole)
	}
}

// minID is the id by which pages follow on an item: that of a conversation is of its last post, and that of a group of
// its newest notification.
func (e *env) minID(t testing.TB, who person, path, id string) string {
	t.Helper()
	if strings.Contains(path, "/v2/") {
		var groups struct {
			All []struct {
				ID string `json:"page_max_id"`
			} `json:"notification_groups"`
		}
		e.ask(t, who, "GET "+path, nil).want(t, http.StatusOK, &groups)
		return groups.All[len(groups.All)-1].ID
	}
	if !strings.Contains(path, "conversations") {
		return id
	}
	var all []struct {
		ID   string
		Last struct{ ID string } `json:"last_status"`
	}
	e.ask(t, who, "GET "+path, nil).want(t, http.StatusOK, &all)
	for _, c := range all {
		if c.ID == id {
			return c.Last.ID
		}
	}
	return ""
}
