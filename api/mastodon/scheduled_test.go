package mastodon_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	client "github.com/mattn/go-mastodon"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

type scheduled struct {
	ID          string
	ScheduledAt time.Time `json:"scheduled_at"`
	Params      struct {
		Text, Visibility string
		SpoilerText      string `json:"spoiler_text"`
		InReplyToID      string `json:"in_reply_to_id"`
		Poll             *struct {
			Options   []string
			ExpiresIn int `json:"expires_in"`
		}
	}
}

// A scheduled post keeps what it says when its time changes. Drafts without a time are no scheduled posts.
func TestScheduled(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	var draft struct{ ID string }
	e.ask(t, ann, "POST /v1/drafts", map[string]any{"content": "some day"}).want(t, http.StatusCreated, &draft)
	root := statusID(e.post(t, ann, "root"))
	at := time.Now().Add(time.Hour).Truncate(time.Second)
	var s scheduled
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "*later*", "spoiler_text": "CW", "visibility": "unlisted",
		"in_reply_to_id": root, "scheduled_at": at,
		"poll": map[string]any{"options": []string{"a", "b"}, "expires_in": "600"}}).want(t, http.StatusOK, &s)
	is := func(s scheduled, at time.Time) {
		t.Helper()
		p := s.Params
		if !s.ScheduledAt.Equal(at) || p.Text != "*later*" || p.SpoilerText != "CW" || p.Visibility != "unlisted" ||
			p.InReplyToID != root || p.Poll == nil || p.Poll.ExpiresIn != 600 || strings.Join(p.Poll.Options, "") != "ab" {
			t.Errorf("scheduled %+v", s)
		}
	}
	is(s, at)
	const path = "/api/v1/scheduled_statuses"
	var all []scheduled
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusOK, &all)
	if len(all) != 1 {
		t.Fatalf("scheduled are %+v", all)
	}
	is(all[0], at)
	var plain scheduled
	e.ask(t, ann, "POST "+statuses, map[string]any{"status": "a", "scheduled_at": at}).want(t, http.StatusOK, &plain)
	same(t, "the usual visibility", plain.Params.Visibility, "public")
	e.ask(t, ann, "DELETE "+path+"/"+plain.ID, nil).want(t, http.StatusOK, nil)
	at = at.Add(time.Hour)
	e.ask(t, ann, "PUT "+path+"/"+s.ID, map[string]any{"scheduled_at": time.Now()}).
		want(t, http.StatusUnprocessableEntity, nil)
	e.ask(t, ann, "PUT "+path+"/"+s.ID, map[string]any{"scheduled_at": at}).want(t, http.StatusOK, &s)
	is(s, at)
	e.ask(t, ann, "GET "+path+"/"+s.ID, nil).want(t, http.StatusOK, &s)
	is(s, at)
	for _, bad := range []struct {
		who person
		id  string
	}{{bob, s.ID}, {ann, "12"}, {ann, draft.ID}} {
		for _, method := range []string{"GET ", "DELETE "} {
			e.ask(t, bad.who, method+path+"/"+bad.id, nil).want(t, http.StatusNotFound, nil)
		}
	}
	e.ask(t, ann, "DELETE "+path+"/"+s.ID, nil).want(t, http.StatusOK, nil)
	e.ask(t, ann, "GET "+path, nil).want(t, http.StatusOK, &all)
	same(t, "scheduled after the end", len(all), 0)
}

// A poll takes one vote, and its id is that of its post.
func TestPoll(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	s, err := ann.PostStatus(t.Context(), &client.Toot{Status: "Tea?", Poll: &client.TootPoll{
		Options: []string{"yes", "no"}, ExpiresInSeconds: 3600, HideTotals: true}})
	testenv.Must(t, err)
	if s.Poll == nil || s.Poll.ID != s.ID || len(s.Poll.Options) != 2 {
		t.Fatalf("the poll is %+v", s.Poll)
	}
	// Clients offer a vote until somebody voted, and nobody votes in a poll of their own.
	var own struct {
		Voted bool
		Votes []int `json:"own_votes"`
	}
	for path, out := range map[string]any{
		"/api/v1/polls/" + string(s.ID): &own, statuses + "/" + string(s.ID): &struct{ Poll any }{&own},
	} {
		e.ask(t, ann, "GET "+path, nil).want(t, http.StatusOK, out)
		if !own.Voted || own.Votes == nil || len(own.Votes) > 0 {
			t.Errorf("to its author, %s says %+v", path, own)
		}
		own.Voted = false
	}
	e.ask(t, bob, "POST /api/v1/polls/"+string(s.ID)+"/votes", map[string]any{"choices": []int{0, 1}}).
		want(t, http.StatusUnprocessableEntity, nil)
	e.ask(t, bob, "POST /api/v1/polls/"+string(s.ID)+"/votes", map[string]any{"choices": []int{7}}).
		want(t, http.StatusUnprocessableEntity, nil)
	voted, err := bob.PollVote(t.Context(), s.Poll.ID, 1)
	testenv.Must(t, err)
	if !voted.Voted || len(voted.OwnVotes) != 1 || voted.OwnVotes[0] != 1 || voted.Options[1].VotesCount != 1 ||
		voted.VotesCount != 1 {
		t.Errorf("the vote answers %+v", voted)
	}
	e.idle(t)
	p, err := bob.GetPoll(t.Context(), s.Poll.ID)
	testenv.Must(t, err)
	if !p.Voted || p.VotesCount != 1 || p.Multiple {
		t.Errorf("the poll is %+v", p)
	}
	e.ask(t, bob, "GET /api/v1/polls/"+statusID(e.post(t, ann, "no poll")), nil).want(t, http.StatusNotFound, nil)
}

// Direct posts are conversations by their threads, each with whom it is with and its newest post.
func TestConversations(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cid := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cid")
	say := func(who person, text string, to client.ID) client.ID {
		t.Helper()
		s, err := who.PostStatus(t.Context(), &client.Toot{Status: text, Visibility: "direct", InReplyToID: to})
		testenv.Must(t, err)
		return s.ID
	}
	first := say(bob, "@ann psst", "")
	answer := say(ann, "@bob yes", first)
	other := say(ann, "@cid and you?", "")
	_, err := bob.PostStatus(t.Context(), &client.Toot{Status: "@ann in public"})
	testenv.Must(t, err)
	e.idle(t)
	all, err := ann.GetConversations(t.Context(), nil)
	testenv.Must(t, err)
	if len(all) != 2 || all[0].LastStatus.ID != other || all[1].LastStatus.ID != answer || all[1].Unread ||
		len(all[0].Accounts) != 1 || string(all[0].Accounts[0].ID) != cid.id || len(all[1].Accounts) != 1 ||
		string(all[1].Accounts[0].ID) != bob.id {
		t.Fatalf("the conversations are %+v", all)
	}
	p := &client.Pagination{Limit: 1}
	page, err := ann.GetConversations(t.Context(), p)
	testenv.Must(t, err)
	if len(page) != 1 || page[0].ID != all[0].ID || p.MaxID != other {
		t.Errorf("the first page is %+v, and goes on below %q", page, p.MaxID)
	}
	for query, want := range map[string][]string{"max_id=" + string(other): {string(all[1].ID)},
		"max_id=" + string(answer): {}, "since_id=" + string(other): {},
		"min_id=" + string(first) + "&limit=1": {string(all[1].ID)}} {
		var some []status
		e.ask(t, ann, "GET /api/v1/conversations?"+query, nil).want(t, http.StatusOK, &some)
		same(t, query, each(some, func(s status) string { return s.ID }), want)
	}
	testenv.Must(t, ann.MarkConversationAsRead(t.Context(), all[1].ID))
	e.ask(t, cid, "POST /api/v1/conversations/"+string(all[1].ID)+"/read", nil).want(t, http.StatusNotFound, nil)
	e.ask(t, cid, "GET "+statuses+"/"+string(answer), nil).want(t, http.StatusNotFound, nil)
	var direct []status
	e.ask(t, ann, "GET /api/v1/timelines/direct?limit=2", nil).want(t, http.StatusOK, &direct)
	if len(direct) != 2 || direct[0].ID != string(other) || direct[1].ID != string(answer) {
		t.Errorf("the direct timeline is %+v", direct)
	}
}
