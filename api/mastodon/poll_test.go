package mastodon_test

import (
	"net/http"
	"testing"
)

// A poll says how many voted before the caller votes, too, and hides the votes of each option until then.
func TestPollTotals(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	type poll struct {
		ID      string
		Votes   *int `json:"votes_count"`
		Voters  *int `json:"voters_count"`
		Options []struct {
			Votes *int `json:"votes_count"`
		}
	}
	var made struct {
		ID   string
		Poll poll
	}
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "Tea?", "poll": map[string]any{
		"options": []string{"yes", "no"}, "expires_in": 86104.161}}).want(t, http.StatusOK, &made)
	var voted poll
	e.ask(t, bob, "POST /api/v1/polls/"+made.Poll.ID+"/votes", map[string]any{"choices": []int{1}}).
		want(t, http.StatusOK, &voted)
	check := func(what string, p poll, no int, hidden bool) {
		t.Helper()
		if p.Votes == nil || *p.Votes != 1 || p.Voters == nil || *p.Voters != 1 || len(p.Options) != 2 ||
			(p.Options[1].Votes == nil) != hidden || !hidden && *p.Options[1].Votes != no {
			t.Errorf("%s has %+v", what, p)
		}
	}
	check("the answer to a vote", voted, 1, false)
	e.idle(t)
	for _, who := range []person{ann, bob, cid, {}} {
		var direct poll
		e.ask(t, who, "GET /api/v1/polls/"+made.Poll.ID, nil).want(t, http.StatusOK, &direct)
		check("a poll for "+who.name, direct, 1, who.name == "cid" || who.name == "")
		var list []struct{ Poll poll }
		e.ask(t, who, "GET /api/v1/timelines/public", nil).want(t, http.StatusOK, &list)
		check("a poll of a list for "+who.name, list[0].Poll, 1, who.name == "cid" || who.name == "")
	}
}
