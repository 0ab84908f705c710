package mastodon_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Posts with pictures, polls, cards, quotes of quotes, mentions, tags, warnings and edits, and what lists and
// notifications have of them, are as documented. Each has what it is there for.
func TestEntities(t *testing.T) {
	t.Parallel()
	e, is := newEnv(t), readEntities(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	for _, pair := range [][2]person{{ann, bob}, {bob, ann}} {
		e.ask(t, pair[0], "PUT /v1/users/"+pair[1].id+"/follow", nil).want(t, http.StatusOK, nil)
	}
	post := func(who person, body map[string]any) string {
		t.Helper()
		var s struct{ ID string }
		a := e.ask(t, who, "POST "+statuses, body).want(t, http.StatusOK, &s)
		is.check(t, "a new post", "OwnStatus", a.text)
		return s.ID
	}
	const address = "https://example.com/a"
	page := model.LinkPage{Title: "T", Picture: &model.LinkPicture{ContentType: "image/jpeg", Width: 4, Height: 2,
		Data: []byte{1}}}
	_, err := testenv.Client(t, e.stack.Project).Doc("linkCards/"+model.LinkKey(address)).
		Set(t.Context(), page.Card(address, nil, time.Now()))
	testenv.Must(t, err)
	var media struct{ ID string }
	e.upload(t, ann, "/api/v2/media", map[string]string{"description": "Gray"}, nil, picture()).read(t, &media)
	e.idle(t)

	shown := post(ann, map[string]any{"status": "see", "media_ids": []string{media.ID}, "spoiler_text": "CW",
		"sensitive": true})
	asked := post(bob, map[string]any{"status": "Tea? @ann #spark", "language": "en", "poll": map[string]any{
		"options": []string{"yes", "no"}, "expires_in": 600}})
	carded := post(ann, map[string]any{"status": "see " + address})
	quote := post(bob, map[string]any{"status": "quotes", "quoted_status_id": carded})
	twice := post(ann, map[string]any{"status": "quotes a quote", "quoted_status_id": quote})
	reply := post(bob, map[string]any{"status": "answers", "in_reply_to_id": shown})
	post(bob, map[string]any{"status": "@ann alone", "visibility": "direct"})
	e.ask(t, ann, "PUT "+statuses+"/"+carded, map[string]any{"status": "see now " + address}).
		want(t, http.StatusOK, nil)
	e.ask(t, bob, "POST "+statuses+"/"+shown+"/favourite", nil).want(t, http.StatusOK, nil)
	e.ask(t, bob, "POST "+statuses+"/"+shown+"/reblog", nil).want(t, http.StatusOK, nil)
	e.ask(t, ann, "POST /api/v2/filters", map[string]any{"title": "Tea", "context": []string{"home", "public"},
		"keywords_attributes": []any{map[string]any{"keyword": "tea"}}}).want(t, http.StatusOK, nil)
	e.idle(t)

	one := statuses + "/"
	for _, test := range []struct {
		who        person
		path, kind string
		has        []string // parts of the answer, without spaces
	}{
		{ann, one + shown, "OwnStatus", []string{`"blurhash":"`, `"small":{"aspect":1.5,"height":20,"size":"30x20","width":30}`,
			`"description":"Gray"`, `"sensitive":true`}},
		{person{}, one + shown, "Status", nil},
		{ann, one + asked, "OwnStatus", []string{`"own_votes":[]`, `"mentions":[{"id":"`, `"tags":[{"name":"spark"`}},
		{ann, one + carded, "OwnStatus", []string{`"card":{"url":"` + address, `"edited_at":"`, `"pinned":false`}},
		{ann, one + twice, "OwnStatus", []string{`"quoted_status_id":"` + carded, `"state":"accepted"`}},
		{bob, one + reply, "OwnStatus", []string{`"in_reply_to_account_id":"` + ann.id}},
		{ann, one + shown + "/context", "Context", []string{reply}},
		{ann, one + carded + "/history", "[StatusEdit]", []string{"see now"}},
		{ann, one + asked + "/history", "[StatusEdit]", []string{`"options":[{"title":"yes"`}},
		{ann, "/api/v1/timelines/home", "[OwnStatus]", []string{`"reblog":{`, `"keyword_matches":["tea"]`}},
		{person{}, "/api/v1/timelines/public", "[Status]", []string{`"poll":{`}},
		{ann, "/api/v1/accounts/" + bob.id + "/statuses", "[OwnStatus]", []string{`"reblog":{`}},
		{ann, "/api/v1/notifications", "[Notification]", []string{`"type":"mention"`, `"type":"favourite"`,
			`"type":"reblog"`, `"type":"follow"`}},
		{ann, "/api/v2/notifications", "GroupedNotifications", []string{`"status_id":"`, `"page_max_id":"`}},
		{ann, "/api/v1/conversations", "[Conversation]", []string{`"last_status":{`}},
		{ann, "/api/v1/accounts/" + bob.id, "Account", nil},
		{ann, "/api/v1/polls/" + asked, "Poll", []string{`"options":[{"title":"yes","votes_count":null}`}},
	} {
		a := e.ask(t, test.who, "GET "+test.path, nil).want(t, http.StatusOK, nil)
		is.check(t, test.path, test.kind, a.text)
		for _, part := range test.has {
			if !strings.Contains(string(a.text), part) {
				t.Errorf("%s has no %s in %.3000s", test.path, part, a.text)
			}
		}
	}
}
