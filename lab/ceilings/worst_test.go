package ceilings

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// maxReads and maxWrites are the largest bill of one request of any caller.
const maxReads, maxWrites = 120, 20

// mostMarked is what a page of tweets may be billed whose viewer likes, shares and keeps each of
// them, in months that are full of all three. At 50 shares a day it takes 40 days to fill one.
const mostMarked = 220

// mostDeep is what a page of a home timeline may be billed that reads a head and a month of 100 followed users. An
// instance that has just started reads 1 head for each followed user, however many.
const mostDeep = 330

// mostTagged is what a page of a home timeline may be billed that is the first in its process with any of its reader's
// followed tags: of each 40 tweets, and the profiles of their authors.
const mostTagged = 900

// input is a bad request of a route: the most expensive one that is known.
type input struct {
	route, what string
	target      string // the path of the route if empty
	token, body string
	status      int   // 200 if 0
	most        int64 // what a request may be billed instead of maxReads, if its route promises less
	once        int64 // what a request may be billed instead of maxReads, if it is rarely dear
}

// wanted orders 50 products, at prices that they have not.
func wanted() string {
	var items []string
	for n := range model.MaxCartItems {
		items = append(items, fmt.Sprintf(`{"productId":"%s","quantity":%d,"price":{"amount":9,"currency":"JPY"}}`,
			model.NewProductID("ann", fmt.Sprint(n)), 1+98*max(0, 1-n)))
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

// inputs are the most expensive requests. Requests that only read come before the first that writes.
func inputs(w *world) []input {
	ids := func(all []model.TweetID) string {
		text := make([]string, len(all))
		for i, id := range all {
			text[i] = string(id)
		}
		return url.QueryEscape(strings.Join(text, ","))
	}
	viewer, tweet := w.viewer.IDToken, "/v1/tweets/"+string(w.tweet)
	long := strings.Repeat("x", model.MaxContent)
	product := func(n int) string { return "/v1/products/" + string(model.NewProductID("ann", fmt.Sprint(n))) }
	draft := func(n int) string { return "/v1/drafts/" + model.NewDraftID(model.UserID(w.loud.UID), fmt.Sprint(n)) }
	talk := func(n int) string { return "/v1/conversations/" + string(w.conversations[n]) }
	last := func(n int64) string {
		return string(model.NewMessageID(model.NewPartKey("", model.MonthOf(time.Now()), 0), n))
	}
	var strangers []string
	for n := range model.MaxConversationMembers - 1 {
		strangers = append(strangers, fmt.Sprintf("user_%03d", n))
	}
	list := func(owner testenv.Account, n int) string {
		return "/v1/lists/" + model.NewListID(model.UserID(owner.UID), fmt.Sprint(n))
	}
	public := "/v1/users/" + w.viewer.UID + list(w.viewer, 3)[len("/v1"):]
	return []input{
		{route: "GET /v1/lists/{id}/timeline", what: "30 members, all for followers, full month", target: list(w.viewer, 0) +
			"/timeline?pageSize=100", token: viewer},
		{route: "GET /v1/lists/{id}/timeline", what: "30 members, each blocks the owner and is blocked", target: list(w.loud,
			0) + "/timeline?pageSize=100", token: w.loud.IDToken},
		{route: "GET /v1/lists/{id}/members", what: "30 members", target: list(w.viewer, 0) + "/members", token: viewer},
		{route: "GET /v1/lists", what: "50 lists", token: viewer},
		{route: "GET /v1/lists/{id}", target: list(w.viewer, 0), token: viewer},
		{route: "GET /v1/users/{uid}/lists", what: "50 lists", target: "/v1/users/me/lists", token: viewer},
		{route: "GET /v1/users/{uid}/lists/{id}", target: public, token: w.collector.IDToken},
		{route: "GET /v1/users/{uid}/lists/{id}/members", what: "30 members", target: public + "/members",
			token: w.collector.IDToken},
		{route: "GET /v1/users/{uid}/lists/{id}/timeline", what: "30 members", target: public + "/timeline?pageSize=100",
			token: w.collector.IDToken},
		{route: "GET /v1/users/me/followedTags", token: viewer},
		{route: "GET /v1/tweets:batchGet", what: "invented ids, signed out", target: "?ids=" + batch(w.invented)},
		{route: "GET /v1/tweets:batchGet", what: "invented ids in as many months", target: "?ids=" + batch(w.invented),
			token: viewer},
		{route: "GET /v1/tweets:batchGet", what: "ids, a full month of reactions", target: "?ids=" +
			ids(w.ids[:model.MaxBatch]), token: viewer},
		{route: "GET /v1/tweets:batchGet", what: "polls in which the caller voted, a full month", target: "?polls=true&ids=" +
			ids(w.voted), token: viewer},
		{route: "GET /v1/tweets", what: "public timeline", target: "?replies=true&pageSize=100", token: viewer},
		{route: "GET /v1/tweets:batchGet", what: "each liked, shared and kept in full months", target: "?ids=" +
			ids(w.ids[:model.MaxBatch]), token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets:batchGet", what: "long texts, each liked, shared and kept in full months",
			target: "?texts=true&ids=" + ids(w.longs), token: w.collector.IDToken, once: mostWritten},
		{route: "GET /v1/tweets", what: "each liked, shared and kept in full months", target: "?replies=true&pageSize=100",
			token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets/{id}/replies", what: "each liked, shared and kept in full months", target: tweet +
			"/replies?pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets/{id}/thread", what: "each liked, shared and kept in full months", target: tweet +
			"/thread?pageSize=100&depth=6", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets/{id}/thread", what: "replies below replies, each liked, shared and kept in full months",
			target: "/v1/tweets/" + string(w.longTalk) + "/thread?pageSize=100&depth=6", token: w.collector.IDToken,
			once: mostMarked},
		{route: "GET /v1/tweets/{id}/thread", what: "long texts, each liked, shared and kept in full months",
			target: "/v1/tweets/" + string(w.longTalk) + "/thread?pageSize=100&depth=6&texts=true", token: w.collector.IDToken,
			once: mostWritten},
		{route: "GET /v1/tags/{tag}/tweets", what: "each liked, shared and kept in full months",
			target: "/v1/tags/go/tweets?replies=true&pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/users/{uid}/likes", what: "each liked, shared and kept in full months",
			target: "/v1/users/ann/likes?pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/users/{uid}/shares", what: "each liked, shared and kept in full months",
			target: "/v1/users/ann/shares?pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/users/me/bookmarks", what: "each liked, shared and kept in full months", target: "?pageSize=100",
			token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/search/tweets", what: "each liked, shared and kept in full months",
			target: "?q=from:ann+spark&pageSize=100", token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/timeline", what: "each liked, shared and kept in full months", target: "?pageSize=100",
			token: w.collector.IDToken, once: mostMarked},
		{route: "GET /v1/tweets/{id}", what: "full month", target: tweet, token: viewer},
		{route: "GET /v1/tweets/{id}", what: "a quote, full month", target: "/v1/tweets/" + string(w.quote), token: viewer},
		{route: "GET /v1/tweets/{id}", what: "deleted", target: "/v1/tweets/" + string(w.gone), token: viewer,
			status: http.StatusGone},
		{route: "GET /v1/tweets/{id}/replies", what: "full month", target: tweet + "/replies?pageSize=100", token: viewer},
		{route: "GET /v1/tweets/{id}/thread", what: "full month", target: tweet + "/thread?pageSize=100&depth=6",
			token: viewer},
		{route: "GET /v1/tweets/{id}/likes", what: "a page of users", target: tweet + "/likes?pageSize=100", token: viewer},
		{route: "GET /v1/tweets/{id}/shares", what: "a page of users", target: tweet + "/shares?pageSize=100", token: viewer},
		{route: "GET /v1/tweets/{id}/quotes", what: "for followers of as many authors", target: tweet +
			"/quotes?pageSize=100", token: viewer},
		{route: "GET /v1/tweets/{id}/revisions", what: "edited 100 times", target: tweet + "/revisions?pageSize=100",
			token: viewer},
		{route: "GET /v1/tweets/{id}/revisions/{number}", target: tweet + "/revisions/100", token: viewer},
		{route: "GET /v1/tags", what: "a page", target: "?pageSize=100"},
		{route: "GET /v1/tags/{tag}", target: "/v1/tags/tag001"},
		{route: "GET /v1/users/me/mentioned", what: "full month", target: "/v1/users/me/mentioned?pageSize=100",
			token: viewer},
		{route: "GET /v1/users/me/mentions", what: "full month", target: "/v1/users/me/mentions?pageSize=100", token: viewer},
		{route: "GET /v1/tags/{tag}/tweets", what: "full month", target: "/v1/tags/go/tweets?replies=true&pageSize=100",
			token: viewer},
		{route: "GET /v1/search/tweets", what: "of one shard, full month", target: "?q=from:ann+spark&pageSize=100",
			token: viewer},
		{route: "GET /v1/search/tweets", what: "one tweet a month", target: "?q=crowd&pageSize=100", token: viewer},
		{route: "GET /v1/search/tweets", what: "no tweet has the phrase", target: "?q=%22spark+big%22&pageSize=100"},
		{route: "GET /v1/search/tweets", what: "of people whom the caller follows",
			target: "?q=crowd&following=true&pageSize=100", token: w.fan.IDToken},
		{route: "GET /v1/totals", target: ""},
		{route: "GET /v1/trends", what: "48 parts, full month", target: "", token: viewer},
		{route: "GET /v1/search/users", what: "a page", target: "?q=user&pageSize=100"},
		{route: "GET /v1/tags/{tag}/users", what: "a page", target: "/v1/tags/go/users?pageSize=100", token: viewer},
		{route: "GET /v1/tags/{tag}/users", what: "newest", target: "/v1/tags/go/users?orderBy=newest&pageSize=100",
			token: viewer},
		{route: "GET /v1/users/me/blocks", what: "a page", target: "?pageSize=100", token: w.loud.IDToken},
		{route: "GET /v1/users/me/hiddenSharers", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/users/me/mutes", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/users/me/filters", token: viewer},
		{route: "GET /v1/users/{uid}/note", target: "/v1/users/ann/note", token: viewer},
		{route: "GET /v1/users/{uid}/notify", target: "/v1/users/ann/notify", token: viewer},
		{route: "GET /v1/users/me/markers", token: viewer},
		{route: "GET /v1/users/me/sign-ins", token: viewer},
		{route: "GET /v1/authorizations", what: "100 apps", token: viewer},
		{route: "POST /v1/authorizations:check", what: "100 apps", body: w.asked, token: viewer},
		{route: "GET /v1/users/me/decisions", what: "none", target: "?pageSize=100", token: viewer},
		{route: "PUT /v1/users/me/decisions/{id}/appeal", what: "none", target: "/v1/users/me/decisions/unknown/appeal",
			body: `{"text":"x"}`, token: viewer, status: http.StatusNotFound},
		{route: "GET /v1/announcements", what: "some show", token: viewer},
		{route: "GET /v1/instance"},
		{route: "GET /v1/ai-models"},
		{route: "GET /v1/users/me/sign-up", what: "none", token: viewer, status: http.StatusNotFound},
		{route: "DELETE /v1/users/me/sign-up", what: "none", token: viewer, status: http.StatusNoContent},
		{route: "GET /v1/users/me/agent", what: "none", token: viewer, status: http.StatusNotFound},
		{route: "PUT /v1/users/me/agent", what: "none", token: viewer, body: `{"running":false}`,
			status: http.StatusNotFound},
		{route: "POST /v1/tweets/{id}/gist", what: "a new one", target: "/v1/tweets/" + string(w.essay) + "/gist",
			token: viewer},
		{route: "GET /v1/users/me/agent/acts", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/admin/agents", what: "a page", target: "?pageSize=100", token: w.admin},
		{route: "GET /v1/admin/agents/{uid}/acts", what: "a page", target: "/v1/admin/agents/" + w.viewer.UID +
			"/acts?pageSize=100", token: w.admin},
		{route: "PUT /v1/admin/agents/{uid}", what: "a new agent", target: "/v1/admin/agents/ann", token: w.admin,
			body: `{"model":"m","budget":{"posts":1}}`},
		{route: "PUT /v1/admin/ai-models/{label}", what: "one of 200", target: "/v1/admin/ai-models/m", token: w.admin,
			body: `{"provider":"other","enabled":true}`},
		{route: "DELETE /v1/admin/ai-models/{label}", what: "one of 200", target: "/v1/admin/ai-models/gone",
			token: w.admin, status: http.StatusNoContent},
		{route: "GET /v1/linkCards", what: "none", target: "?url=https://example.com/none"},
		{route: "GET /v1/users/{uid}/pinnedTags", what: "10 tags", target: "/v1/users/ann/pinnedTags"},
		{route: "GET /v1/users/me/followRequests", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/tags", what: "a page", target: "/v1/users/ann/tags?pageSize=100"},
		{route: "GET /v1/users/{uid}", what: "full", target: "/v1/users/ann?view=full", token: viewer},
		{route: "GET /v1/users/me", what: "another e-mail address than before, and 1,000 replies wait", token: viewer},
		{route: "GET /v1/heldReplies", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/users/me/heldReplies", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/conversations", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/conversations", what: "requests", target: "?requests=true&pageSize=100", token: viewer},
		{route: "GET /v1/conversations/unreadCount", what: "100 unread", token: viewer},
		{route: "GET /v1/conversations/unreadCount", what: "100 unread, some new since the last count", target: "?since=" +
			time.Now().Add(-model.ConversationLag/2).UTC().Format(time.RFC3339), token: viewer},
		{route: "GET /v1/conversations/search", what: "10 parts of 30 conversations", target: "?query=word", token: viewer},
		{route: "GET /v1/conversations/{id}", what: "of 32", target: talk(0), token: viewer},
		{route: "GET /v1/conversations/{id}/messages", what: "of 32, some deleted for the viewer", target: talk(0) +
			"/messages",
			token: viewer},
		{route: "GET /v1/users:batchGet", what: "nobody is cached", target: "?ids=" + batch(w.invented)},
		{route: "GET /v1/usernames/{username}", target: "/v1/usernames/ann", token: viewer},
		{route: "GET /v1/users/{uid}/followers", what: "a page of users", target: "/v1/users/ann/followers?pageSize=100"},
		{route: "GET /v1/users/{uid}/followers", what: "in the list", target: "/v1/users/bea/followers?pageSize=100"},
		{route: "GET /v1/suggestions", what: "nobody's profile is cached, and all were asked and once suspended",
			target: "?limit=20", token: w.seeker.IDToken},
		{route: "GET /v1/suggestions", what: "a new account, nothing is cached", target: "?limit=20&language=en",
			token: w.newcomer.IDToken},
		{route: "GET /v1/directory", what: "a page of users who were once suspended", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/familiarFollowers", what: "60 relationships beyond the list",
			target: "/v1/users/ann/familiarFollowers", token: w.friend.IDToken},
		{route: "GET /v1/users", what: "a page", target: "?pageSize=100", token: w.admin},
		{route: "GET /v1/users/{uid}/following", what: "a page of users", target: "/v1/users/ann/following?pageSize=100"},
		{route: "GET /v1/users/{uid}/tweets", what: "one tweet a month",
			target: "/v1/users/ann/tweets?pageSize=100&ownOnly=true"},
		{route: "GET /v1/users/{uid}/tweets", what: "one tweet a month, full",
			target: "/v1/users/seldom/tweets?pageSize=100&ownOnly=true&view=full", token: viewer},
		{route: "GET /v1/users/{uid}/tweets", what: "one tweet a month, and shares",
			target: "/v1/users/seldom/tweets?pageSize=100", token: viewer, most: 40},
		{route: "GET /v1/users/{uid}/tweets", what: "nothing but shares", target: "/v1/users/passes/tweets", token: viewer,
			most: 40},
		{route: "GET /v1/users/{uid}/tweets", what: "nothing but shares, of authors who all block and are blocked",
			target: "/v1/users/passes/tweets", token: w.loud.IDToken, most: 40},
		{route: "GET /v1/users/{uid}/tweets", what: "nothing but shares, full month",
			target: "/v1/users/passes/tweets?view=full", token: viewer},
		{route: "GET /v1/users/{uid}/tweets", what: "none with an image", target: "/v1/users/seldom/tweets?mediaOnly=true",
			token: viewer},
		{route: "GET /v1/users/{uid}/likes", what: "full month", target: "/v1/users/ann/likes?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/likes", what: "deleted tweets of many months",
			target: "/v1/users/bob/likes?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/shares", what: "full month", target: "/v1/users/ann/shares?pageSize=100", token: viewer},
		{route: "GET /v1/users/{uid}/shares", what: "deleted tweets of many months",
			target: "/v1/users/bob/shares?pageSize=100", token: viewer},
		{route: "GET /v1/relationships", what: "100 who follow each other", target: "?ids=" + together(""),
			token: w.friend.IDToken},
		{route: "GET /v1/relationships", what: "in full, 100 who follow each other",
			target: "?view=full&ids=" + together(""), token: w.friend.IDToken},
		{route: "GET /v1/relationships", what: "50 strangers, then 50 who follow each other", target: "?ids=" +
			together("stranger"), token: w.friend.IDToken},
		{route: "GET /v1/relationships/{followerId}/{followedId}", target: "/v1/relationships/user_001/ann"},
		{route: "GET /v1/timeline", what: "deleted tweets, full month", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/timeline", what: "shares by as many users, cold heads, full month",
			target: "?pageSize=100", token: w.loud.IDToken, once: mostDeep},
		{route: "GET /v1/timeline", what: "cold heads, follows 100", target: "?pageSize=20", token: w.hundred.IDToken,
			once: 130},
		{route: "GET /v1/timeline", what: "follows 100", target: "?pageSize=20", token: w.hundred.IDToken},
		{route: "GET /v1/timeline", what: "months of 100 authors", target: "?pageSize=20", token: w.deep.IDToken,
			once: mostDeep},
		{route: "GET /v1/timeline", what: "follows 10 cold tags, whose newest tweets are by one author",
			target: "?pageSize=20",
			token:  w.tagger.IDToken, once: mostTagged},
		{route: "GET /v1/timeline", what: "follows 10 tags", target: "?pageSize=20", token: w.tagger.IDToken},
		{route: "GET /v1/timeline", what: "without a profile", token: w.bare.IDToken},
		{route: "GET /v1/timeline", what: "without an account", token: w.anonymous},
		{route: "GET /v1/notifications", what: "10 actors each, quotes by as many authors", target: "?pageSize=100",
			token: w.loud.IDToken},
		{route: "GET /v1/notifications/unreadCount", token: w.loud.IDToken},
		{route: "GET /health"}, {route: "GET /ready"},

		{route: "PUT /v1/notifications/{id}/read", target: "/v1/notifications/quote:" + string(w.ids[0]) + "_" +
			time.Now().UTC().Format(time.DateOnly) + "/read", token: w.loud.IDToken, status: http.StatusNoContent},
		{route: "PUT /v1/notifications/read", what: "109 unread", token: w.loud.IDToken, status: http.StatusNoContent},
		{route: "POST /v1/users", what: "longest, with an invitation and a consent to terms",
			body:  `{"username":"somebody_new","termsVersion":1,"invitation":"AAAABBBBCCCCDDDD","introduction":"` + long + `"}`,
			token: w.bare.IDToken, status: http.StatusCreated},
		{route: "PATCH /v1/users/{uid}", what: "everything", target: "/v1/users/me",
			body: `{"username":"viewer_2","nickname":"V","avatar":"https://example.com/a","introduction":"` + long +
				`","blockStrangers":true,"holdReplies":"strangers"}`, token: viewer},
		{route: "PUT /v1/users/{uid}/follow", target: "/v1/users/ann/follow", token: viewer},
		{route: "PUT /v1/users/{uid}/follow", what: "a user whom 4,999 ask", target: "/v1/users/recluse/follow",
			token: viewer},
		{route: "PUT /v1/users/me/followRequests/{uid}", target: "/v1/users/me/followRequests/recluse", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/me/followRequests/{uid}", target: "/v1/users/me/followRequests/user_001", token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/users/{uid}/notify", what: "at the limit, and one of the 50 holds no more",
			target: "/v1/users/ann/notify", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/{uid}/notify", target: "/v1/users/ann/notify", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/{uid}/follow", target: "/v1/users/ann/follow", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/users/me/followers/{uid}", target: "/v1/users/me/followers/user_001", token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/users/{uid}/note", target: "/v1/users/ann/note", body: `{"text":"` + strings.Repeat("ä", 2000) +
			`"}`,
			token: viewer},
		{route: "GET /v1/aliases", token: viewer},
		{route: "PUT /v1/aliases", body: `{"accounts":[]}`, token: viewer},
		{route: "POST /v1/move", what: "without federation", body: `{"account":"@bob@example.org"}`, token: viewer,
			status: http.StatusNotFound},
		{route: "DELETE /v1/users/{uid}/note", target: "/v1/users/ann/note", token: viewer, status: http.StatusNoContent},
		{route: "PATCH /v1/users/me/markers", body: `{"home":{"lastReadId":"` + string(w.tweet) + `"}}`, token: viewer},
		{route: "PUT /v1/users/me/sign-in", what: "an earlier push subscription ends", token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/announcements/{id}/dismissed", target: "/v1/announcements/maintenance/dismissed", token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/users/me/terms", body: `{"version":1}`, token: viewer},
		{route: "PUT /v1/users/{uid}/block", target: "/v1/users/ann/block", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/users/{uid}/block", target: "/v1/users/ann/block", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/users/{uid}/mute", target: "/v1/users/ann/mute", body: `{"seconds":60}`, token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/{uid}/mute", target: "/v1/users/ann/mute", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/users/me/filters/{id}", target: "/v1/users/me/filters/f",
			body: `{"title":"f","contexts":["home"],"action":"hide","keywords":[{"keyword":"finale"}]}`, token: viewer},
		{route: "DELETE /v1/users/me/filters/{id}", target: "/v1/users/me/filters/f", token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/users/{uid}/hideShares", target: "/v1/users/ann/hideShares", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/{uid}/hideShares", target: "/v1/users/ann/hideShares", token: viewer,
			status: http.StatusNoContent},
		{route: "POST /v1/reports", what: "longest", body: `{"tweetId":"` + string(w.tweet) + `","reason":"spam","text":"` +
			strings.Repeat("ä", 1000) + `"}`, token: viewer, status: http.StatusNoContent},
		{route: "POST /v1/tweets", what: "a reply that quotes, as followers may, with 10 tags and 10 mentions",
			body:  `{"content":"` + crowdedText + `","replyTo":"` + string(w.quote) + `","quoteOf":"` + string(w.quote) + `"}`,
			token: viewer, status: http.StatusCreated},
		{route: "POST /v1/tweets", what: "a reply that quotes and waits, as followers may, with 10 tags and 10 mentions",
			body: `{"content":"` + crowdedText + `","replyTo":"` + string(w.heldThread) + `","quoteOf":"` +
				string(w.heldThread) + `"}`, token: viewer, status: http.StatusAccepted},
		{route: "POST /v1/heldReplies/{id}/approve", what: "it quotes, with 10 tags and 10 mentions",
			target: "/v1/heldReplies/" + w.held[0] + "/approve", token: viewer, status: http.StatusCreated},
		{route: "DELETE /v1/heldReplies/{id}", what: "with 4 pictures", target: "/v1/heldReplies/" + w.held[1], token: viewer,
			status: http.StatusNoContent},
		{route: "PATCH /v1/tweets/{id}", what: "10 tags for 10 others, 10 mentions, full month", target: "/v1/tweets/" +
			string(w.own),
			body: `{"content":"#k #l #m #n #o #p #q #r #s #t @user_000 @user_001 @user_002 @user_003 @user_004 @user_005 @user_006 @user_007 @user_008 @user_009"}`, token: viewer},
		{route: "PUT /v1/tweets/{id}/like", target: tweet + "/like", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/like", target: tweet + "/like", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/share", target: tweet + "/share", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/share", target: tweet + "/share", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/fold", target: "/v1/tweets/" + string(w.answer) + "/fold", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/fold", target: "/v1/tweets/" + string(w.answer) + "/fold", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/quotes/{quote}", target: "/v1/tweets/" + string(w.own) + "/quotes/" +
			string(w.answer), token: viewer, status: http.StatusNoContent},
		{route: "GET /v1/users/{uid}/pins", what: "of tweets that are gone", target: "/v1/users/ann/pins", token: viewer},
		{route: "PUT /v1/tweets/{id}/pin", what: "5 pins", target: "/v1/tweets/" + string(w.own) + "/pin", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/pin", target: "/v1/tweets/" + string(w.own) + "/pin", token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/bookmark", target: tweet + "/bookmark", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/bookmark", target: tweet + "/bookmark", token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/vote", target: "/v1/tweets/" + string(w.poll) + "/vote", body: `{"option":2}`,
			token: viewer},
		{route: "GET /v1/tweets/{id}", what: "a poll that quotes, full month", target: "/v1/tweets/" + string(w.poll),
			token: viewer},
		{route: "POST /v1/drafts", what: "without a cached profile", body: `{"content":"` + long + `","publishAt":"` +
			time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `"}`, token: viewer, status: http.StatusCreated},
		{route: "GET /v1/drafts", what: "a page", target: "?pageSize=100", token: w.loud.IDToken},
		{route: "GET /v1/drafts/{id}", target: draft(0), token: w.loud.IDToken},
		{route: "PUT /v1/drafts/{id}", what: "longest", target: draft(0), body: `{"content":"` + long + `"}`,
			token: w.loud.IDToken},
		{route: "POST /v1/drafts/{id}/publish", what: "a reply that quotes, with 10 tags and 10 mentions", target: draft(1) +
			"/publish", token: w.loud.IDToken, status: http.StatusCreated},
		{route: "DELETE /v1/drafts/{id}", target: draft(2), token: w.loud.IDToken, status: http.StatusNoContent},
		{route: "POST /v1/media", what: "without a cached profile", body: `{"contentType":"image/png","bytes":1}`,
			token: w.collector.IDToken, status: http.StatusCreated},
		{route: "GET /v1/media/{id}", target: "/v1/media/" + string(w.media[0]), token: viewer},
		{route: "PATCH /v1/media/{id}", target: "/v1/media/" + string(w.media[0]), body: `{"alt":"x"}`, token: viewer},
		{route: "GET /media/{id}/{size}", what: "of a tweet that is gone, uncached", target: "/media/" + string(w.media[1]) +
			"/small", status: http.StatusNotFound},
		{route: "POST /v1/tweets", what: "4 pictures", body: `{"media":["` + string(w.media[2]) + `","` + string(w.media[3]) +
			`","` + string(w.media[4]) + `","` + string(w.media[5]) + `"]}`, token: viewer, status: http.StatusCreated},
		{route: "DELETE /v1/media/{id}", what: "of another user, by an administrator", target: "/v1/media/" +
			string(w.media[0]), token: w.admin, status: http.StatusNoContent},
		{route: "DELETE /v1/suggestions/{uid}", target: "/v1/suggestions/seldom", token: viewer,
			status: http.StatusNoContent},
		{route: "POST /v1/conversations", what: "with 31 strangers", body: `{"memberIds":["` +
			strings.Join(strangers, `","`) +
			`"],"text":"x"}`, token: w.collector.IDToken, status: http.StatusCreated},
		{route: "POST /v1/conversations/{id}/messages", what: "the first of a month, to one, as a reply", target: talk(1) +
			"/messages", body: `{"text":"x","replyTo":"` + last(2) + `"}`, token: viewer, status: http.StatusCreated},
		{route: "PATCH /v1/conversations/{id}", target: talk(0), body: `{"name":"x"}`, token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/conversations/{id}/read", target: talk(0) + "/read", body: `{"messageId":"` + last(2) + `"}`,
			token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/conversations/{id}/messages/{messageId}/reaction", target: talk(0) + "/messages/" + last(1) +
			"/reaction", body: `{"emoji":"👍"}`, token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/conversations/{id}/messages/{messageId}/reaction", target: talk(0) + "/messages/" + last(1) +
			"/reaction", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/conversations/{id}/messages/{messageId}", what: "the last one", target: talk(2) + "/messages/" +
			last(3), token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/conversations/{id}/messages/{messageId}", what: "for the viewer", target: talk(3) + "/messages/" +
			last(3) + "?for=me", token: viewer, status: http.StatusNoContent},
		{route: "POST /v1/conversations/{id}/accept", target: talk(len(w.conversations)-1) + "/accept", token: viewer,
			status: http.StatusNoContent},
		{route: "POST /v1/conversations/{id}/refuse", what: "one that was accepted", target: talk(len(w.conversations)-2) +
			"/refuse", token: viewer, status: http.StatusConflict},
		{route: "DELETE /v1/conversations/{id}", target: talk(1), token: viewer, status: http.StatusNoContent},
		{route: "POST /v1/conversations/{id}/leave", target: talk(0) + "/leave", token: viewer,
			status: http.StatusNoContent},
		{route: "POST /v1/lists", what: "without a cached profile", body: `{"title":"x"}`, token: w.collector.IDToken,
			status: http.StatusCreated},
		{route: "PATCH /v1/lists/{id}", target: list(w.viewer, 1), body: `{"title":"y","exclusive":true}`, token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/lists/{id}/members/{uid}", target: list(w.viewer, 1) + "/members/seldom", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/lists/{id}/members/{uid}", target: list(w.viewer, 1) + "/members/seldom", token: viewer,
			status: http.StatusNoContent},
		{route: "POST /v1/users/{uid}/lists/{id}/follow", what: "5 new members", target: public + "/follow",
			token: w.collector.IDToken},
		{route: "PUT /v1/tags/{tag}/follow", target: "/v1/tags/go/follow", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tags/{tag}/follow", target: "/v1/tags/go/follow", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/lists/{id}", target: list(w.viewer, 2), token: viewer, status: http.StatusNoContent},
		{route: "GET /v1/products", what: "a page", target: "?sort=price&pageSize=100"},
		{route: "GET /v1/products/{id}", target: product(0)},
		{route: "POST /v1/products", body: `{"name":"x","price":{"amount":1,"currency":"JPY"},"stock":1}`, token: w.admin,
			status: http.StatusCreated},
		{route: "PATCH /v1/products/{id}", target: product(0), body: `{"name":"other"}`, token: w.admin},
		{route: "POST /v1/products/{id}/restock", target: product(0) + "/restock", body: `{"pieces":1}`, token: w.admin},
		{route: "PUT /v1/cart/items/{id}", what: "one more product", target: strings.Replace(product(0), "products",
			"cart/items", 1), body: `{"quantity":99}`, token: viewer, status: http.StatusNoContent},
		{route: "PUT /v1/cart/seen", target: "/v1/cart/seen", body: `{"prices":{"` + strings.TrimPrefix(product(0),
			"/v1/products/") + `":{"amount":2,"currency":"JPY"}}}`, token: viewer, status: http.StatusNoContent},
		{route: "POST /v1/cart/merge", what: "50 products", target: "/v1/cart/merge", body: `{"guestToken":"` + w.anonymous +
			`"}`, token: viewer},
		{route: "GET /v1/cart", what: "50 products", token: viewer},
		{route: "POST /v1/orders", what: "50 products, prices that changed", body: wanted(), token: viewer,
			status: http.StatusConflict},
		{route: "POST /v1/orders", what: "50 products, more pieces than a guest may order", token: w.anonymous,
			body: strings.TrimSuffix(wanted(), "}") + `,"email":"ann@example.com"}`, status: http.StatusConflict},
		{route: "GET /v1/orders", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "GET /v1/orders/{id}", what: "that hangs", target: "/v1/orders/" + fmt.Sprintf("%018x", 1), token: viewer},
		{route: "POST /v1/orders/{id}/cancel", target: "/v1/orders/" + fmt.Sprintf("%018x", 1) + "/cancel", token: viewer},
		{route: "DELETE /v1/cart/items/{id}", target: strings.Replace(product(0), "products", "cart/items", 1), token: viewer,
			status: http.StatusNoContent},
		{route: "PUT /v1/tweets/{id}/mute", target: tweet + "/mute", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}/mute", target: tweet + "/mute", token: viewer, status: http.StatusNoContent},
		{route: "GET /v1/users/me/settings/notifications", target: "/v1/users/me/settings/notifications", token: viewer},
		{route: "PATCH /v1/users/me/settings/notifications", target: "/v1/users/me/settings/notifications",
			body: `{"like":false,"reply":false}`, token: viewer},
		{route: "GET /v1/users/me/settings/notificationPolicy", target: "/v1/users/me/settings/notificationPolicy",
			token: viewer},
		{route: "PATCH /v1/users/me/settings/notificationPolicy", target: "/v1/users/me/settings/notificationPolicy",
			body: `{"newAccounts":"filter","notFollowers":"filter"}`, token: viewer},
		{route: "GET /v1/users/me/notificationRequests", what: "a page", target: "?pageSize=100", token: viewer},
		{route: "POST /v1/users/me/notificationRequests/{uid}/accept", what: "15 notifications",
			target: "/v1/users/me/notificationRequests/" + w.filtered[0] + "/accept", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/me/notificationRequests/{uid}/accept",
			target: "/v1/users/me/notificationRequests/" + w.filtered[0] + "/accept", token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/me/notificationRequests/{uid}",
			target: "/v1/users/me/notificationRequests/" + w.filtered[1], token: viewer, status: http.StatusNoContent},
		{route: "GET /v1/push"}, {route: "GET /v1/users/me/pushSubscriptions", token: viewer},
		{route: "PUT /v1/users/me/pushSubscriptions/{id}", target: "/v1/users/me/pushSubscriptions/phone",
			body: `{"fcmToken":"` + strings.Repeat("x", 1000) + `"}`, token: viewer, status: http.StatusNoContent},
		{route: "PATCH /v1/users/me/pushSubscriptions/{id}", target: "/v1/users/me/pushSubscriptions/app",
			body: `{"alerts":["mention"]}`, token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/users/me/pushSubscriptions/{id}", target: "/v1/users/me/pushSubscriptions/phone", token: viewer,
			status: http.StatusNoContent},
		{route: "GET /v1/users/me/bookmarks", what: "of tweets that are gone", target: "?pageSize=100",
			token: w.loud.IDToken},
		{route: "POST /v1/users/me/export", what: "right after sign-in", token: w.loud.IDToken, status: http.StatusAccepted},
		{route: "GET /v1/users/me/export", token: w.loud.IDToken, status: http.StatusOK},
		{route: "DELETE /v1/users/me", what: "right after sign-in", token: w.loud.IDToken, status: http.StatusAccepted},
		{route: "POST /v1/authorizations", what: "100 apps", body: w.asked, token: viewer, status: http.StatusCreated},
		{route: "DELETE /v1/authorizations/{id}", what: "10 tokens", target: "/v1/authorizations/" + w.app, token: viewer,
			status: http.StatusNoContent},
		{route: "DELETE /v1/users/me/sign-ins", token: w.fan.IDToken, status: http.StatusNoContent},
		{route: "GET /v1/leavings/{id}", what: "unknown", target: "/v1/leavings/" + strings.Repeat("0", 64), token: viewer,
			status: http.StatusNotFound},
		{route: "DELETE /v1/tweets/{id}", what: "whose 4 pictures are kept", target: "/v1/tweets/" +
			string(w.album) + "?keepMedia=true", token: viewer, status: http.StatusNoContent},
		{route: "DELETE /v1/tweets/{id}", what: "by an administrator", target: tweet, token: w.admin,
			status: http.StatusNoContent},
	}
}

// together are as many users as one request may ask for. Each follows the viewer, and the viewer follows each, but for
// the first half if another name is given.
func together(half string) string {
	var ids []string
	for i := range 100 {
		name := "user"
		if i < 50 && half != "" {
			name = half
		}
		ids = append(ids, fmt.Sprintf("%s_%03d", name, i))
	}
	return url.QueryEscape(strings.Join(ids, ","))
}

// batch is the largest batch of the ids.
func batch(ids string) string {
	all := strings.Split(ids, ",")
	return url.QueryEscape(strings.Join(all[:min(len(all), model.MaxBatch)], ","))
}

// Administrators' routes may read all of a user. Nobody else can call them.
func forAdministrators(route string) bool { return strings.Contains(route, " /v1/admin/") }

// TestCeiling measures the worst input of every route, holds it to maxReads and maxWrites, and compares it
// with the table of the report. With -update it writes the table instead, in which rows that hold stay as they are.
func TestCeiling(t *testing.T) {
	testenv.Slow(t, "the most expensive request of every route")
	t.Parallel()
	e := newEnv(t)
	w := build(t, e)
	partial := partialInputs(w)
	all := append(partial, inputs(w)...)
	for _, route := range e.routes(t) {
		if !forAdministrators(route) && !slices.ContainsFunc(all, func(in input) bool { return in.route == route }) {
			t.Errorf("%s has no worst input here; give it the one that is billed most", route)
		}
	}
	promised := promises(t)
	var measured, table strings.Builder
	table.WriteString("| route | input | reads | writes and deletes | events |\n|---|---|---|---|---|\n")
	for i, in := range all {
		by := e
		if i < len(partial) {
			by = e.again(t) // finds nothing cached, however slow the test is
		}
		method, path, _ := strings.Cut(in.route, " ")
		target := in.target
		if target == "" || target[0] == '?' {
			target = path + target
		}
		status := in.status
		if status == 0 {
			status = http.StatusOK
		}
		b, _ := by.do(t, method, target, in.token, in.body, status)
		if b.reads > max(cmp.Or(in.most, maxReads), in.once) || b.writes+b.deletes > maxWrites {
			t.Errorf("%s (%s) is billed %d reads and %d writes; no request may take more than %d and %d",
				in.route, in.what, b.reads, b.writes+b.deletes, maxReads, maxWrites)
		}
		row := rowOf(in.route, in.what)
		p, ok := promised[row]
		now := promise{b.reads, b.writes + b.deletes, b.events}
		if !ok || !within(now[0], p[0]) || now[1] > p[1] || now[2] > p[2] {
			if !*update {
				t.Errorf("%s is billed %d reads, %d writes and deletes, and %d events; %s says %v", row, now[0], now[1], now[2],
					report, p)
			}
			p = now
		}
		fmt.Fprintf(&measured, "| `%s` | %s | %d | %d | %d |\n", in.route, in.what, now[0], now[1], now[2])
		fmt.Fprintf(&table, "| `%s` | %s | %d | %d | %d |\n", in.route, in.what, p[0], p[1], p[2])
		delete(promised, row)
	}
	t.Logf("worst requests:\n%s", &measured)
	if *update {
		write(t, table.String())
		return
	}
	for row := range promised {
		t.Errorf("%s has a row of %s, which is no input here", report, row)
	}
}
