package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
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

// A batch of tweets brings polls as a tweet that is read by itself has them, if it is asked to, and reads no vote and
// no counts else.
func TestPollsOfBatch(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, cat := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "cat")
	ask := func(p person, more map[string]any) string {
		t.Helper()
		body := map[string]any{"content": "?", "poll": map[string]any{"options": []string{"yes", "no"}, "minutes": 60}}
		for name, value := range more {
			body[name] = value
		}
		return string(e.post(t, p, body).ID)
	}
	voted, open, own := ask(ann, nil), ask(ann, nil), ask(bob, nil)
	closed, hidden := ask(ann, nil), ask(ann, map[string]any{"visibility": "mentioned"})
	gone, plain := ask(ann, nil), string(e.post(t, ann, map[string]any{"content": "none"}).ID)
	for n, id := range []string{voted, open, own, closed, hidden} { // as if counted
		_, err := e.admin.Doc("polls/"+id).Update(t.Context(), []firestore.Update{{Path: "votes.2", Value: 7 + n}})
		testenv.Must(t, err)
	}
	past := []firestore.Update{{Path: "poll.closesAt", Value: time.Now().Add(-time.Hour)}}
	_, err := e.admin.Doc("tweets/"+closed).Update(t.Context(), past)
	testenv.Must(t, err)
	e.do(t, "PUT", "/v1/tweets/"+voted+"/vote", bob.token, map[string]any{"option": 2}).want(t, http.StatusOK, nil)
	e.do(t, "DELETE", "/v1/tweets/"+gone, ann.token, nil).want(t, http.StatusNoContent, nil)
	const never = "0000000000000000aa"
	ids := []string{voted, open, own, closed, hidden, gone, plain, never, voted}
	path := "/v1/tweets:batchGet?ids=" + strings.Join(ids, ",")
	says := func(token, more string) (lines []string, reads int64) {
		t.Helper()
		var got api.Batch
		r := e.do(t, "GET", path+more, token, nil).want(t, http.StatusOK, &got)
		for _, item := range got.Items {
			line := item.Status
			if item.Tweet != nil && item.Tweet.Poll != nil {
				p := item.Tweet.Poll
				if line = "poll"; p.Closed {
					line += " closed"
				}
				if p.Voted != nil {
					line += fmt.Sprint(" voted ", *p.Voted)
				}
				if p.Options[1].Votes != nil {
					line += fmt.Sprint(" counts ", *p.Options[1].Votes)
				}
			}
			lines = append(lines, line)
		}
		return lines, r.cost(t).Reads
	}
	for _, test := range []struct {
		who, token string
		want       []string
		more       int64 // reads
	}{
		{"a voter", bob.token, []string{"poll voted 2 counts 7", "poll", "poll counts 9", "poll closed counts 10",
			"unknown", "gone", "found", "unknown", "poll voted 2 counts 7"}, 3 + 4},
		{"who has not voted", cat.token, []string{"poll", "poll", "poll", "poll closed counts 10", "unknown", "gone", "found",
			"unknown", "poll"}, 4 + 4},
		{"a guest", "", []string{"poll", "poll", "poll", "poll closed counts 10", "unknown", "gone", "found", "unknown",
			"poll"}, 4},
	} {
		says(test.token, "") // what the process keeps is kept now
		without, before := says(test.token, "")
		got, after := says(test.token, "&polls=true")
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s sees (-want +got):\n%s", test.who, diff)
		}
		if text := strings.Join(without, ","); strings.Contains(text, "counts") || strings.Contains(text, "voted") {
			t.Errorf("%s sees without polls: %s", test.who, text)
		}
		if after-before != test.more {
			t.Errorf("polls cost %s %d reads more, want %d", test.who, after-before, test.more)
		}
	}
	many := strings.Repeat(never+",", model.MaxPollBatch)
	e.do(t, "GET", "/v1/tweets:batchGet?polls=true&ids="+many+never, "", nil).problem(t, http.StatusBadRequest,
		"too_many_ids")
	e.do(t, "GET", "/v1/tweets:batchGet?polls=true&ids="+strings.TrimSuffix(many, ","), "", nil).
		want(t, http.StatusOK, nil)
	e.do(t, "GET", "/v1/tweets:batchGet?polls=perhaps&ids="+never, "", nil).problem(t, http.StatusBadRequest,
		"invalid_request")
}
