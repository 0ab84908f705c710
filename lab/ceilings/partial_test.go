package ceilings

import (
	"net/url"
	"strings"

	"github.com/hibana-sns/hibana/model"
)

// partialInputs are the most expensive requests of readers without a whole graph. Each user on their pages is one of
// whom a mute is read that hides nothing on the page, or a block.
func partialInputs(w *world) []input {
	const mutes, blocks = "; partial graph, all muted in part", "; partial graph, all block and are blocked"
	crowd := make([]string, model.MaxBatch)
	for i := range crowd {
		crowd[i] = string(w.crowd[i])
	}
	batch := "?ids=" + url.QueryEscape(strings.Join(crowd, ","))
	tweet, list := "/v1/tweets/"+string(w.tweet), "/v1/lists/"+model.NewListID(model.UserID(w.wary.UID), "0")
	all := []input{
		{route: "GET /v1/tweets/{id}/likes", what: "a page of users", target: tweet + "/likes?pageSize=100"},
		{route: "GET /v1/tweets/{id}/shares", what: "a page of users", target: tweet + "/shares?pageSize=100"},
		{route: "GET /v1/tweets/{id}/quotes", what: "for followers of as many authors, full month",
			target: tweet + "/quotes?pageSize=100"},
		{route: "GET /v1/tags/{tag}/users", what: "a page", target: "/v1/tags/go/users?pageSize=100"},
		{route: "GET /v1/search/users", what: "a page", target: "?q=user&pageSize=100"},
		{route: "GET /v1/users/{uid}/followers", what: "a page of users", target: "/v1/users/ann/followers?pageSize=100"},
		{route: "GET /v1/users/{uid}/following", what: "a page of users", target: "/v1/users/ann/following?pageSize=100"},
		{route: "GET /v1/tweets:batchGet", what: "as many authors and months", target: batch},
		{route: "GET /v1/users/{uid}/shares", what: "of as many authors and months",
			target: "/v1/users/passes/shares?pageSize=100"},
		{route: "GET /v1/search/tweets", what: "one tweet a month", target: "?q=crowd&pageSize=100"},
		{route: "GET /v1/trends", what: "48 parts, full month"},
		{route: "GET /v1/relationships", what: "100 who follow each other", target: "?ids=" + together("")},
		{route: "GET /v1/relationships", what: "in full, 100 who follow each other",
			target: "?view=full&ids=" + together("")},
		{route: "GET /v1/tweets", what: "public timeline", target: "?replies=true&pageSize=100"},
		{route: "GET /v1/tweets/{id}/thread", what: "full month", target: tweet + "/thread?pageSize=100&depth=6"},
		{route: "GET /v1/lists/{id}/timeline", what: "30 members, all for followers, full month",
			target: list + "/timeline?pageSize=100"},
		{route: "GET /v1/users/{uid}/lists/{id}/members", what: "30 members",
			target: "/v1/users/" + w.viewer.UID + "/lists/" + model.NewListID(model.UserID(w.viewer.UID), "3") + "/members"},
		{route: "GET /v1/users/{uid}/likes", what: "deleted tweets of many months",
			target: "/v1/users/bob/likes?pageSize=100"},
		{route: "GET /v1/users/{uid}/tweets", what: "one tweet a month, and shares",
			target: "/v1/users/seldom/tweets?pageSize=100", most: 40},
		{route: "GET /v1/users/{uid}/tweets", what: "nothing but shares", target: "/v1/users/passes/tweets", most: 40},
		{route: "GET /v1/users/{uid}/tweets", what: "nothing but shares, full month",
			target: "/v1/users/passes/tweets?view=full"},
	}
	for i := range all {
		all[i].what, all[i].token = all[i].what+mutes, w.wary.IDToken
	}
	return append(all,
		input{route: "GET /v1/tweets/{id}/likes", what: "a page of users" + blocks, target: tweet + "/likes?pageSize=100",
			token: w.loud.IDToken},
		input{route: "GET /v1/tweets:batchGet", what: "as many authors and months" + blocks, target: batch,
			token: w.loud.IDToken},
		input{route: "GET /v1/search/users", what: "a page" + blocks, target: "?q=user&pageSize=100",
			token: w.loud.IDToken})
}
