package mastodon_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// relationship is the whole entity.
type relationship struct {
	client.Relationship

	Notifying       bool
	RequestedBy     bool       `json:"requested_by"`
	MutingExpiresAt *time.Time `json:"muting_expires_at"`
	BlockedBy       bool       `json:"blocked_by"`
	Note            string
}

// text names what is true.
func (r relationship) text() string {
	var all []string
	for _, is := range []struct {
		name string
		true bool
	}{{"following", r.Following}, {"reblogs", r.ShowingReblogs}, {"notifying", r.Notifying}, {"requested", r.Requested},
		{"followed", r.FollowedBy}, {"asked", r.RequestedBy}, {"blocking", r.Blocking}, {"blocked", r.BlockedBy},
		{"muting", r.Muting}, {"silent", r.MutingNotifications}, {"until", r.MutingExpiresAt != nil},
		{"note=" + r.Note, r.Note != ""}} {
		if is.true {
			all = append(all, is.name)
		}
	}
	return strings.Join(all, " ")
}

// Every change of a relationship answers with what is then so, and the list of relationships says the same at once.
func TestRelationships(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	e.ask(t, cid, "PATCH /api/v1/profile", map[string]any{"locked": true}).want(t, http.StatusOK, nil)
	for _, step := range []struct {
		by   person
		do   string
		to   person
		body map[string]any
		want string
	}{
		{ann, "follow", bob, nil, "following reblogs"},
		{ann, "follow", bob, map[string]any{"reblogs": false, "notify": true}, "following notifying"},
		{ann, "follow", bob, nil, "following notifying"},
		{ann, "follow", bob, map[string]any{"reblogs": true}, "following reblogs notifying"},
		{ann, "note", bob, map[string]any{"comment": "We met"}, "following reblogs notifying note=We met"},
		{bob, "follow", ann, nil, "following reblogs followed"},
		{ann, "mute", bob, map[string]any{"duration": 3600, "notifications": false},
			"following reblogs notifying followed muting until note=We met"},
		{ann, "mute", bob, nil, "following reblogs notifying followed muting silent note=We met"},
		{ann, "unmute", bob, nil, "following reblogs notifying followed note=We met"},
		{ann, "remove_from_followers", bob, nil, "following reblogs notifying note=We met"},
		{ann, "note", bob, nil, "following reblogs notifying"},
		{ann, "unfollow", bob, nil, ""},
		{ann, "follow", bob, nil, "following reblogs"},
		{bob, "block", ann, nil, "blocking"},
		{ann, "unfollow", bob, nil, ""},
		{bob, "unblock", ann, nil, ""},
		{ann, "follow", cid, map[string]any{"notify": true}, "reblogs requested"},
		{ann, "unpin", bob, nil, ""},
	} {
		var body any
		if step.body != nil {
			body = step.body
		}
		var got relationship
		e.ask(t, step.by, "POST /api/v1/accounts/"+step.to.id+"/"+step.do, body).want(t, http.StatusOK, &got)
		var all []relationship
		e.ask(t, step.by, "GET /api/v1/accounts/relationships?id[]="+step.to.id, nil).want(t, http.StatusOK, &all)
		if got.text() != step.want || len(all) != 1 || all[0].text() != step.want || string(all[0].ID) != step.to.id {
			t.Errorf("%s %s %s: %q, then %+v, want %q", step.by.name, step.do, step.to.name, got.text(), all, step.want)
		}
	}
	asks, err := cid.GetFollowRequests(t.Context(), nil)
	testenv.Must(t, err)
	same(t, "who asks to follow cid", names(asks), []string{"ann"})
	var all []relationship
	e.ask(t, cid, "GET /api/v1/accounts/relationships?id[]="+ann.id, nil).want(t, http.StatusOK, &all)
	same(t, "cid and ann", all[0].text(), "asked")
	var got relationship
	e.ask(t, cid, "POST /api/v1/follow_requests/"+ann.id+"/authorize", nil).want(t, http.StatusOK, &got)
	same(t, "accepted", got.text(), "followed")
	e.ask(t, cid, "POST /api/v1/follow_requests/"+bob.id+"/authorize", nil).want(t, http.StatusNotFound, nil)
	for _, path := range []string{"/api/v1/accounts/nobody/follow", "/api/v1/accounts/nobody/mute"} {
		e.ask(t, ann, "POST "+path, nil).want(t, http.StatusNotFound, nil)
	}
	e.ask(t, ann, "POST /api/v1/accounts/"+bob.id+"/pin", nil).want(t, http.StatusForbidden, nil)
	e.ask(t, ann, "POST /api/v1/domain_blocks", map[string]any{"domain": "x.example"}).want(t, http.StatusForbidden, nil)
}

// Lists of blocks and mutes have whom the caller blocks and mutes, each mute with its end. A mute of shares alone is
// none.
func TestBlocksAndMutes(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid, dan := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid"), e.join(t, "dan")
	for _, what := range []string{cid.id + "/block", bob.id + "/mute?duration=86400", cid.id + "/mute"} {
		e.ask(t, ann, "POST /api/v1/accounts/"+what, nil).want(t, http.StatusOK, nil)
	}
	e.ask(t, ann, "PUT /v1/users/"+dan.id+"/mute", map[string]any{"part": "shares"}).want(t, http.StatusNoContent, nil)
	blocks, err := ann.GetBlocks(t.Context(), nil)
	testenv.Must(t, err)
	same(t, "blocks", names(blocks), []string{"cid"})
	var mutes []struct {
		Acct          string
		MuteExpiresAt *time.Time `json:"mute_expires_at"`
	}
	// One at a time, the newest, of shares, is passed over.
	a := e.ask(t, ann, "GET /api/v1/mutes?limit=1", nil).want(t, http.StatusOK, &mutes)
	if len(mutes) != 1 || mutes[0].Acct != "cid" || mutes[0].MuteExpiresAt != nil || a.Header.Get("Link") == "" {
		t.Errorf("the first mutes are %+v, with Link %q", mutes, a.Header.Get("Link"))
	}
	e.ask(t, ann, "GET /api/v1/mutes", nil).want(t, http.StatusOK, &mutes)
	if len(mutes) != 2 || mutes[1].Acct != "bob" || mutes[1].MuteExpiresAt == nil {
		t.Errorf("mutes are %+v", mutes)
	}
	var tied []relationship
	e.ask(t, ann, "GET /api/v1/accounts/relationships?id[]="+dan.id, nil).want(t, http.StatusOK, &tied)
	same(t, "ann and dan", tied[0].text(), "")
}

// The relationships of a page of accounts are read together.
func TestManyRelationships(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	query := "?&id[]=" + bob.id
	for n := range 79 {
		query += fmt.Sprintf("&id[]=nobody%d", n)
	}
	_, err := ann.AccountFollow(t.Context(), client.ID(bob.id))
	testenv.Must(t, err)
	var all []relationship
	a := e.ask(t, ann, "GET /api/v1/accounts/relationships"+query, nil).want(t, http.StatusOK, &all)
	reads := 0
	for _, m := range billed.FindAllStringSubmatch(a.Header.Get("Server-Timing"), -1) {
		if m[1] == "reads" {
			reads, err = strconv.Atoi(m[2])
			testenv.Must(t, err)
		}
	}
	if reads == 0 || reads > 40 || len(all) != 80 {
		t.Errorf("%d relationships cost %d reads", len(all), reads)
	}
	e.ask(t, ann, "GET /api/v1/accounts/relationships"+query+strings.ReplaceAll(query[1:], "nobody", "other"), nil).
		want(t, http.StatusUnprocessableEntity, nil)
}
