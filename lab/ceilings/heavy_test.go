package ceilings

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// heavy are the posts that cost most to show whole. Each is by another author, has a text that is longer than its
// snippet and a poll, and quotes a post by yet another author that is so long, too.
type heavy struct {
	talk    model.TweetID   // the first of a thread
	replies []model.TweetID // to talk, and one to each of these
	essays  model.TweetID   // the first of a thread of 200 long replies by 3 authors
	roots   []model.TweetID // with the tag heavy, newest first
	app     model.ClientID
	tokens  map[string]string // access tokens of an app, by uid

	keywords []string // ids of keywords of the viewer's filter f
}

const heavyTag = "heavy"

// newHeavy adds the posts to the world, and an app that its users have let in. All are liked, shared and kept by
// collector.
func newHeavy(t *testing.T, e *env, w *world) *heavy {
	t.Helper()
	now := time.Now().UTC()
	at := now.Add(-time.Minute)
	newIDs := model.NewTweetIDs(func() time.Time { return at })
	h, docs, authors := &heavy{tokens: map[string]string{}}, map[string]any{}, 0
	author := func() *model.User {
		u := &model.User{ID: model.UserID(fmt.Sprint("heavy_", authors)), Username: fmt.Sprint("heavy_", authors),
			CreatedAt: now.AddDate(-1, 0, 0)}
		authors++
		docs[model.Users+"/"+string(u.ID)] = u
		return u
	}
	long := strings.Repeat("word ", model.MaxSnippet/4)
	person := author
	put := func(parent, quoted *model.Tweet, d model.Draft) *model.Tweet {
		at = at.Add(-time.Second)
		by := person()
		tweet, text, err := model.NewTweet(newIDs.Next(by.ID), by, parent, d)
		testenv.Must(t, err)
		if quoted != nil {
			tweet.Quote(quoted)
		}
		if d.Poll != nil {
			docs[model.Polls+"/"+string(tweet.ID)] = tweet.PollCounts()
		}
		docs[model.Tweets+"/"+string(tweet.ID)] = tweet
		docs[model.TweetDetails+"/"+string(tweet.ID)] = text
		for _, kind := range []model.ReactionKind{model.ReactionLike, model.ReactionShare, model.ReactionBookmark} {
			docs[kind.Collection()+"/"+model.ReactionKey(model.UserID(w.collector.UID), tweet.ID)] = model.Reaction{
				UserID: model.UserID(w.collector.UID), TweetID: tweet.ID, AuthorID: by.ID, CreatedAt: now}
		}
		return tweet
	}
	whole := func(parent *model.Tweet, text string) *model.Tweet {
		quoted := put(nil, nil, model.Draft{Content: "q " + long, AllowLikes: true})
		return put(parent, quoted, model.Draft{Content: text + " " + long, AllowReplies: true, AllowLikes: true,
			Poll: &model.NewPoll{Options: []string{"yes", "no"}, Minutes: model.MaxPollMinutes}})
	}
	talk := whole(nil, "talk")
	h.talk = talk.ID
	for range 100 {
		reply := whole(talk, "re")
		reply.ReplyCount = 1
		h.replies = append(h.replies, reply.ID)
		whole(reply, "re")
	}
	for range 2 * 40 {
		h.roots = append(h.roots, whole(nil, "#"+heavyTag).ID)
	}
	essayists, n := []*model.User{author(), author(), author()}, 0
	person = func() *model.User {
		n++
		return essayists[n%len(essayists)]
	}
	essays := put(nil, nil, model.Draft{Content: long, AllowReplies: true})
	h.essays = essays.ID
	for range 200 {
		put(essays, nil, model.Draft{Content: "re " + long})
	}
	h.app = model.NewClientID()
	docs[model.OAuthApps+"/"+string(h.app)] = model.OAuthApp{Name: "App", RedirectURIs: []string{"app://"},
		Scopes: []string{"read", "write", "follow", "push"}, SecretHash: model.OAuthHash("secret"), CreatedAt: now,
		ExpireAt: now.Add(model.AppWindow)}
	for _, uid := range []string{w.viewer.UID, w.fan.UID, w.loud.UID, w.hundred.UID, w.deep.UID, w.collector.UID,
		w.friend.UID, w.tagger.UID, w.wary.UID, w.seeker.UID, w.newcomer.UID} {
		text := model.NewAccessToken()
		h.tokens[uid] = text
		docs[model.OAuthTokens+"/"+model.OAuthHash(text)] = model.OAuthToken{UserID: model.UserID(uid), ClientID: h.app,
			AppName: "App", Scopes: []string{"read", "write", "follow", "push"}, AuthorizedAt: now, LastUsedAt: now,
			ExpireAt: now.Add(model.TokenWindow)}
	}
	e.put(t, docs)
	h.filter(t, e, w)
	return h
}

// filter makes filters of the viewer, as many as one may have.
func (h *heavy) filter(t *testing.T, e *env, w *world) {
	t.Helper()
	for n := range model.MaxFilters - 2 {
		id, keywords := fmt.Sprint("f", n), `{"keyword":"neverthere"}`
		if n == 0 {
			id, keywords = "f", `{"keyword":"first0"},{"keyword":"second0"},{"keyword":"third0"}`
		}
		e.do(t, "PUT", "/v1/users/me/filters/"+id, w.viewer.IDToken, `{"title":"f","contexts":["home"],"action":"hide",`+
			`"keywords":[`+keywords+`]}`, http.StatusOK)
	}
	var found struct {
		Keywords []struct{ ID string }
	}
	_, text := e.do(t, "GET", "/api/v2/filters/f", h.tokens[w.viewer.UID], "", http.StatusOK)
	testenv.Must(t, json.Unmarshal(text, &found))
	for _, k := range found.Keywords {
		h.keywords = append(h.keywords, k.ID)
	}
}
