package api_test

import (
	"net/http"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// A poll is asked with a tweet, or saved in a draft. Voters see the counts, others when it has
// closed, and lists have its options alone.
func TestPoll(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	var draft api.Draft
	e.do(t, "POST", "/v1/drafts", ann.token, map[string]any{"content": "?",
		"poll": map[string]any{"options": []string{"yes", "no"}, "minutes": 60}}).want(t, http.StatusCreated, &draft)
	if draft.Poll == nil || len(draft.Poll.Options) != 2 || draft.Poll.Minutes != 60 {
		t.Errorf("draft = %+v", draft)
	}
	var tweet api.Tweet
	e.do(t, "POST", "/v1/drafts/"+draft.ID+"/publish", ann.token, nil).want(t, http.StatusCreated, &tweet)
	path := "/v1/tweets/" + string(tweet.ID)
	// as if counted
	_, err := e.admin.Doc("polls/"+string(tweet.ID)).Update(t.Context(), []firestore.Update{{Path: "votes.2", Value: 7}})
	testenv.Must(t, err)
	sees := func(who, token string, voted int, counts bool) {
		t.Helper()
		var got api.WholeTweet
		e.do(t, "GET", path, token, nil).want(t, http.StatusOK, &got)
		p := got.Poll
		if p == nil || len(p.Options) != 2 || p.Options[0].Text != "yes" || (p.Voted != nil) != (voted > 0) || voted > 0 &&
			*p.Voted != voted || (p.Options[1].Votes != nil) != counts || counts && *p.Options[1].Votes != 7 {
			t.Errorf("%s sees %+v", who, p)
		}
	}
	sees("the author", ann.token, 0, true)
	sees("somebody", bob.token, 0, false)
	sees("nobody", "", 0, false)
	var poll api.Poll
	e.do(t, "PUT", path+"/vote", bob.token, map[string]any{"option": 2}).want(t, http.StatusOK, &poll)
	if poll.Voted == nil || *poll.Voted != 2 || poll.Options[1].Votes == nil || poll.Closed {
		t.Errorf("the answer to a vote is %+v", poll)
	}
	e.do(t, "PUT", path+"/vote", bob.token, map[string]any{"option": 2}).want(t, http.StatusOK, nil)
	e.do(t, "PUT", path+"/vote", bob.token, map[string]any{"option": 1}).problem(t, http.StatusConflict, "already_voted")
	e.do(t, "PUT", path+"/vote", ann.token, map[string]any{"option": 1}).problem(t, http.StatusForbidden, "own_poll")
	sees("a voter", bob.token, 2, true)
	sees("somebody else", cat.token, 0, false)
	var list server.List[api.Tweet]
	e.do(t, "GET", "/v1/tweets", bob.token, nil).want(t, http.StatusOK, &list)
	if p := list.Items[0].Poll; p == nil || p.Options[1].Text != "no" || p.Options[1].Votes != nil || p.Voted != nil ||
		p.ClosesAt.IsZero() {
		t.Errorf("a list has %+v", p)
	}
	if r := e.do(t, "GET", path, cat.token, nil); r.cost(t).Reads != 4 {
		t.Errorf("a tweet with a poll costs %+v, want 4 reads", r.cost(t))
	}
}
