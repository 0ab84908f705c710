package mastodon_test

import (
	"net/http"
	"testing"
)

// The posts of an account have its shares, also without replies, which are answers to others. What a request leaves out
// is not there, and pins are on one page.
func TestAccountStatuses(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	post := func(who person, body map[string]any) string {
		t.Helper()
		var s status
		e.ask(t, who, "POST "+statuses, body).want(t, http.StatusOK, &s)
		return s.ID
	}
	root := post(ann, map[string]any{"status": "root"})
	own := post(bob, map[string]any{"status": "own #spark"})
	reply := post(bob, map[string]any{"status": "reply", "in_reply_to_id": root})
	thread := post(bob, map[string]any{"status": "goes on #spark", "in_reply_to_id": own})
	var share status
	e.ask(t, bob, "POST "+statuses+"/"+root+"/reblog", nil).want(t, http.StatusOK, &share)
	e.idle(t)
	e.ask(t, bob, "POST "+statuses+"/"+own+"/pin", nil).want(t, http.StatusOK, nil)
	of := "GET /api/v1/accounts/" + bob.id + "/statuses?"
	for query, want := range map[string][]string{
		"":                                   {share.ID, thread, reply, own},
		"exclude_replies=true":               {share.ID, thread, own},
		"exclude_replies=true&limit=1":       {share.ID},
		"exclude_reblogs=true":               {thread, reply, own},
		"exclude_replies=1&max_id=" + thread: {own},
		"exclude_replies=1&limit=1&min_id=" + own:   {thread},
		"exclude_replies=true&exclude_reblogs=true": {thread, own},
		"exclude_replies=true&tagged=spark":         {thread, own},
		"only_media=true":                           {},
		"pinned=true":                               {own},
		"pinned=true&max_id=" + own:                 {},
	} {
		var all []status
		e.ask(t, ann, of+query, nil).want(t, http.StatusOK, &all)
		same(t, query, each(all, func(s status) string { return s.ID }), want)
	}
	for who, want := range map[*person]bool{&ann: false, &bob: true} {
		var pins []status
		e.ask(t, *who, of+"pinned=true", nil).want(t, http.StatusOK, &pins)
		if len(pins) != 1 || (pins[0].Pinned != nil) != want {
			t.Errorf("the pins for %s are %+v", who.name, pins)
		}
	}
}
