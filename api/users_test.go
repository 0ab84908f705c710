package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/model"
)

// Who changes the email address of the account has the new one with the next token, and it stays. A write is billed for
// the change alone.
func TestAddressFollowsToken(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	uid := testenv.SignUp(t, "").UID
	token := func(address any) string {
		return testenv.Token(emulators.DefaultProject, map[string]any{"sub": uid, "email": address})
	}
	e.do(t, "POST", "/v1/users", token("old@example.com"), map[string]any{"username": "ann"}).
		want(t, http.StatusCreated, nil)
	for _, step := range []struct {
		address any
		want    string
		writes  int64
	}{
		{"old@example.com", "old@example.com", 0},
		{"new@example.com", "new@example.com", 1},
		{"new@example.com", "new@example.com", 0},
		{nil, "", 1}, // an account with a telephone number alone
	} {
		var me api.User
		r := e.do(t, "GET", "/v1/users/me", token(step.address), nil).want(t, http.StatusOK, &me)
		if got, want := r.cost(t), (meter.Counts{Reads: 3, Writes: step.writes}); *me.Email != step.want || got != want {
			t.Errorf("with %v the address is %q for %+v, want %q for %+v", step.address, *me.Email, got, step.want, want)
		}
	}
}

func TestProfile(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	a := testenv.SignUp(t, "")
	introduction := strings.Repeat("ä", 300)
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(e.join(t, "ruth").id), "admin": true})
	e.do(t, "PUT", "/v1/admin/ai-models/m", admin, map[string]any{}).want(t, http.StatusOK, nil)
	var made api.User
	r := e.do(t, "POST", "/v1/users", a.IDToken, map[string]any{
		"username": "ann", "introduction": introduction, "avatar": "https://example.com/a.png", "aiModel": "m",
		"aiPersonality": "kind", "blockStrangers": true,
	}).want(t, http.StatusCreated, &made)
	if got, want := r.header.Get("Location"), "/v1/users/"+a.UID; got != want {
		t.Errorf("Location = %q, want %q", got, want)
	}
	if got, want := r.cost(t), (meter.Counts{Reads: 2, Writes: 6}); got != want {
		t.Errorf("a profile costs %+v, want %+v", got, want)
	}
	if made.ID != model.UserID(a.UID) || made.Username != "ann" || made.Nickname != "ann" ||
		made.Avatar != "https://example.com/a.png" || made.AIModel != "m" ||
		!made.BlockStrangers || made.Snippet != introduction[:2*model.MaxSnippet] || made.CreatedAt.IsZero() ||
		made.UpdatedAt != nil ||
		*made.Introduction != introduction || *made.AIPersonality != "kind" || *made.Email != a.Email {
		t.Errorf("made %s", r.body)
	}

	var read api.User
	r = e.do(t, "GET", "/v1/users/"+a.UID, "", nil).want(t, http.StatusOK, &read)
	if got, want := r.cost(t), (meter.Counts{Reads: 1}); got != want {
		t.Errorf("reading a profile costs %+v, want %+v", got, want)
	}
	if read.Introduction != nil || read.AIPersonality != nil || read.Email != nil || read.Username != "ann" {
		t.Errorf("read %s", r.body)
	}
	r = e.do(t, "GET", "/v1/users/"+a.UID+"?view=full", a.IDToken, nil).want(t, http.StatusOK, &read)
	if got, want := r.cost(t), (meter.Counts{Reads: 2}); got != want || *read.Introduction != introduction ||
		read.Email != nil {
		t.Errorf("the full view costs %+v, want %+v: %s", got, want, r.body)
	}
	r = e.do(t, "GET", "/v1/usernames/ann", "", nil).want(t, http.StatusOK, &read)
	if got, want := r.cost(t), (meter.Counts{Reads: 2}); got != want || read.ID != made.ID {
		t.Errorf("by username: %+v, want %+v: %s", got, want, r.body)
	}
	newcomer := testenv.SignUp(t, "").IDToken
	e.do(t, "GET", "/v1/users/me", newcomer, nil).problem(t, http.StatusNotFound, "user_not_found")
	e.do(t, "GET", "/v1/users/me?ifAny=true", newcomer, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "GET", "/v1/users/me?ifAny=true", a.IDToken, nil).want(t, http.StatusOK, &read)
	if *read.Email != a.Email || *read.Introduction != introduction {
		t.Errorf("me = %+v", read)
	}

	var changed api.User
	r = e.do(t, "PATCH", "/v1/users/me", a.IDToken, map[string]any{"username": "anna", "nickname": "Änn",
		"blockStrangers": false, "introduction": ""}).want(t, http.StatusOK, &changed)
	if changed.Username != "anna" || changed.Nickname != "Änn" || changed.BlockStrangers || *changed.Introduction != "" ||
		changed.Snippet != "" ||
		changed.Avatar != "https://example.com/a.png" || *changed.AIPersonality != "kind" || changed.UpdatedAt == nil {
		t.Errorf("changed to %s", r.body)
	}
	e.do(t, "GET", "/v1/usernames/ann", "", nil).problem(t, http.StatusNotFound, "username_not_found")
	e.do(t, "GET", "/v1/usernames/anna", "", nil).want(t, http.StatusOK, nil)
}

func TestRelationships(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob, carol := e.join(t, "ann"), e.join(t, "bob"), e.join(t, "carol")
	for _, p := range []person{bob, bob, carol} { // twice is once
		r := e.do(t, "PUT", "/v1/users/"+string(ann.id)+"/follow", p.token, nil).want(t, http.StatusOK, nil)
		if c := r.cost(t); string(r.body) != "{\"following\":true,\"requested\":false}\n" || c.Writes != 2 && c.Writes != 0 {
			t.Errorf("follow cost %+v and said %q", c, r.body)
		}
	}
	for _, path := range []string{string(bob.id) + "/" + string(ann.id), "me/" + string(ann.id)} {
		var rel api.Relationship
		e.do(t, "GET", "/v1/relationships/"+path, bob.token, nil).want(t, http.StatusOK, &rel)
		if rel.FollowerID != bob.id || rel.FollowedID != ann.id || rel.CreatedAt.IsZero() {
			t.Errorf("relationship = %+v", rel)
		}
	}
	if got := pages[api.Person](t, e, "/v1/users/"+string(ann.id)+"/followers?pageSize=1", ""); len(got) != 2 ||
		got[0].User.ID != carol.id || got[1].User.Username != "bob" {
		t.Errorf("followers = %+v, want carol and bob", got)
	}
	if got := pages[api.Person](t, e, "/v1/users/me/following?pageSize=1", bob.token); len(got) != 1 ||
		got[0].User.ID != ann.id || got[0].CreatedAt.IsZero() {
		t.Errorf("following = %+v, want ann", got)
	}
	if got := pages[api.Person](t, e, "/v1/users/me/following?pageSize=5", ann.token); len(got) != 0 {
		t.Errorf("ann follows %+v, want nobody", got)
	}
	for range 2 {
		e.do(t, "DELETE", "/v1/users/"+string(ann.id)+"/follow", bob.token, nil).want(t, http.StatusNoContent, nil)
	}
	e.do(t, "GET", "/v1/relationships/me/"+string(ann.id), bob.token, nil).problem(t, http.StatusNotFound, "not_following")
	e.do(t, "GET", "/v1/relationships/me/"+string(ann.id), "", nil).problem(t, http.StatusUnauthorized, "unauthenticated")
}

// pages reads a list to its end. The path has a query already.
func pages[T any](t *testing.T, e *env, path, token string) (all []T) {
	t.Helper()
	for next := ""; ; {
		var page server.List[T]
		e.do(t, "GET", path+"&pageToken="+next, token, nil).want(t, http.StatusOK, &page)
		if page.Items == nil {
			t.Fatal("items is null")
		}
		all = append(all, page.Items...)
		if next = page.NextPageToken; next == "" {
			return all
		}
	}
}

// A text counts in NFC at the edge as in the model: a decomposed letter is one character.
func TestDecomposedText(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	var u api.User
	e.do(t, "PATCH", "/v1/users/me", ann.token, map[string]any{"nickname": strings.Repeat("e\u0301", model.MaxNickname)}).
		want(t, http.StatusOK, &u)
	if u.Nickname != strings.Repeat("é", model.MaxNickname) {
		t.Errorf("nickname = %q", u.Nickname)
	}
	tweet := e.post(t, ann, map[string]any{"content": "cafe\u0301", "summary": strings.Repeat("e\u0301",
		model.MaxSummary)})
	if tweet.Snippet != "café" || tweet.Summary != strings.Repeat("é", model.MaxSummary) {
		t.Errorf("tweet = %+v", tweet)
	}
}

// The tweets of a user are listed without replies, with an image, or with a tag, and with counts
// and what the caller did.
func TestAuthoredTweets(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	root := e.post(t, ann, map[string]any{"content": "root #Go",
		"poll": map[string]any{"options": []string{"yes", "no"}, "minutes": 60}})
	reply := e.post(t, ann, map[string]any{"content": "reply", "replyTo": root.ID})
	image := e.post(t, ann, map[string]any{"content": "![a](https://example.com/a.png) #go", "replyTo": root.ID})
	all := []model.TweetID{image.ID, reply.ID, root.ID}
	tweets, err := e.db.Tweets.TweetsNow(t.Context(), all)
	testenv.Must(t, err)
	for _, id := range all {
		testenv.Must(t, e.db.Previews.Put(t.Context(), tweets[id]))
		_, err := e.db.Previews.Reconcile(t.Context(), tweets[id])
		testenv.Must(t, err)
	}
	path := "/v1/users/" + string(ann.id) + "/tweets"
	list := func(query string, token string) (items []api.AuthoredTweet, next string) {
		t.Helper()
		var got server.List[api.AuthoredTweet]
		e.do(t, "GET", path+query, token, nil).want(t, http.StatusOK, &got)
		return got.Items, got.NextPageToken
	}
	for query, want := range map[string][]model.TweetID{
		"":                           all,
		"?rootOnly=true":             {root.ID},
		"?mediaOnly=true":            {image.ID},
		"?tag=%23GO":                 {image.ID, root.ID},
		"?tag=go&mediaOnly=true":     {image.ID},
		"?rootOnly=true&tag=nothing": {},
	} {
		items, _ := list(query, "")
		got := []model.TweetID{}
		for _, item := range items {
			got = append(got, item.ID)
			if item.LikeCount != nil || item.Liked != nil || item.HasMedia != (item.ID == image.ID) ||
				item.Poll != nil {
				t.Errorf("%q: %+v", query, item)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", query, got, want)
		}
	}
	e.do(t, "GET", path+"?tag=a%20b", "", nil).problem(t, http.StatusBadRequest, "invalid_tag")
	e.do(t, "GET", path+"?view=all", "", nil).problem(t, http.StatusBadRequest, "invalid_request")

	for _, act := range []string{"/like", "/share", "/bookmark"} {
		e.do(t, "PUT", "/v1/tweets/"+string(root.ID)+act, bob.token, nil).want(t, http.StatusNoContent, nil)
	}
	for token, did := range map[string]bool{"": false, ann.token: false, bob.token: true} {
		items, _ := list("?view=full", token)
		if len(items) != 3 {
			t.Fatalf("view=full lists %d tweets", len(items))
		}
		for _, item := range items {
			want := did && item.ID == root.ID
			if *item.Liked != want || *item.Shared != want || *item.Bookmarked != want || item.LikeCount == nil ||
				item.ReplyCount == nil || item.ShareCount == nil || (item.Poll != nil) != (item.ID == root.ID) {
				t.Errorf("view=full: %+v, want %t", item, want)
			}
		}
	}
	// Every answer with the tweet has the same three, for the caller alone.
	var one api.WholeTweet
	var batch api.Batch
	var public server.List[api.Tweet]
	var kept server.List[api.BookmarkedTweet]
	var liked server.List[api.LikedTweet]
	for token, did := range map[string]bool{"": false, ann.token: false, bob.token: true} {
		e.do(t, "GET", "/v1/tweets/"+string(root.ID), token, nil).want(t, http.StatusOK, &one)
		e.do(t, "GET", "/v1/tweets:batchGet?ids="+string(root.ID), token, nil).want(t, http.StatusOK, &batch)
		e.do(t, "GET", "/v1/tweets", token, nil).want(t, http.StatusOK, &public)
		e.do(t, "GET", "/v1/users/"+string(bob.id)+"/likes", token, nil).want(t, http.StatusOK, &liked)
		all := []api.Tweet{one.Tweet, *batch.Items[0].Tweet, liked.Items[0].Tweet}
		for _, item := range public.Items {
			if item.ID == root.ID {
				all = append(all, item)
			}
		}
		if did {
			e.do(t, "GET", "/v1/users/me/bookmarks", token, nil).want(t, http.StatusOK, &kept)
			all = append(all, kept.Items[0].Tweet)
		}
		for i, item := range all {
			if item.Liked != did || item.Shared != did || item.Bookmarked != did || item.ID != root.ID {
				t.Errorf("answer %d: liked %t, shared %t, bookmarked %t, want %t", i, item.Liked, item.Shared, item.Bookmarked, did)
			}
		}
	}
	// The place in one list is no place in another.
	_, next := list("?pageSize=1&tag=go", "")
	if items, _ := list("?pageSize=1&tag=go&pageToken="+next, ""); len(items) != 1 || items[0].ID != root.ID {
		t.Errorf("the second page has %+v", items)
	}
	e.do(t, "GET", path+"?pageSize=1&rootOnly=true&pageToken="+next, "", nil).
		problem(t, http.StatusBadRequest, "invalid_page_token")
	// A tweet that was deleted a moment ago has no counts, and is left out.
	testenv.Must(t, e.db.Tweets.DeleteTweet(t.Context(), ann.id, false, reply.ID))
	if items, _ := list("?view=full", bob.token); len(items) != 2 {
		t.Errorf("after a deletion view=full lists %d tweets", len(items))
	}
}
