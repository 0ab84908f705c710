package ceilings

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// statusID is the id of a post by its native id.
func statusID(id model.TweetID) string {
	return string(id[2:]+id[:2]) + strings.Repeat("0", 18)
}

// named repeats a parameter with each of some ids.
func named(parameter string, ids []string) string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = parameter + "=" + url.QueryEscape(id)
	}
	return "?" + strings.Join(all, "&")
}

// statusIDs are the ids of posts.
func statusIDs(of []model.TweetID) []string {
	all := make([]string, len(of))
	for i, id := range of {
		all[i] = statusID(id)
	}
	return all
}

// inJSON is a value as the body of a request.
func inJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// mastodonReads are the most expensive requests to methods that only read.
func (h *heavy) mastodonReads(w *world) []input {
	viewer, collector, wary, loud := h.tokens[w.viewer.UID], h.tokens[w.collector.UID], h.tokens[w.wary.UID],
		h.tokens[w.loud.UID]
	const v1, v2, statuses, ann = "/api/v1", "/api/v2", "/api/v1/statuses/", "/api/v1/accounts/ann"
	tweet, talk, oldest := statuses+statusID(w.tweet), statuses+statusID(h.talk), strings.Repeat("0", 36)
	below := "max_id=" + statusID(after(h.roots[0]))
	var users, invented []string
	for i := range 100 {
		users, invented = append(users, fmt.Sprintf("user_%03d", i)), append(invented, fmt.Sprintf("nobody_%03d", i))
	}
	list := func(uid string) string { return model.NewListID(model.UserID(uid), "0") }
	const heavyPage, marked = "40 long polls that quote long posts", ", each liked, shared and kept in full months"
	all := []input{
		{route: "GET /api/v1/statuses/:id/context", what: "200 long polls that quote long posts", target: talk + "/context",
			token: wary},
		{route: "GET /api/v1/statuses/:id/context", what: "200 long polls that quote long posts, signed out",
			target: talk + "/context"},
		{route: "GET /api/v1/statuses/:id/context", what: "200 long polls that quote long posts" + marked,
			target: talk + "/context", token: collector},
		{route: "GET /api/v1/statuses/:id/context", what: "110 short replies, full month", target: tweet + "/context",
			token: viewer},
		{route: "GET /api/v1/timelines/tag/:hashtag", what: heavyPage,
			target: v1 + "/timelines/tag/heavy?limit=40", token: wary},
		{route: "GET /api/v1/timelines/tag/:hashtag", what: heavyPage + marked,
			target: v1 + "/timelines/tag/heavy?limit=40", token: collector},
		{route: "GET /api/v1/timelines/tag/:hashtag", what: "min_id in the past, of 4 tags",
			target: v1 + "/timelines/tag/go?limit=40&any[]=heavy&any[]=followed0&any[]=followed1&min_id=" + oldest, token: viewer},
		{route: "GET /api/v1/timelines/tag/:hashtag", what: "4 tags without a post that is asked for",
			target: v1 + "/timelines/tag/go?limit=40&any[]=heavy&any[]=followed0&any[]=followed1&none[]=go&none[]=heavy&" +
				"none[]=followed0&none[]=followed1", token: viewer},
		{route: "GET /api/v1/timelines/public", what: heavyPage, target: v1 + "/timelines/public?limit=40&" + below,
			token: wary},
		{route: "GET /api/v1/timelines/public", what: "min_id in the past", target: v1 + "/timelines/public?limit=40&min_id=" +
			oldest, token: viewer},
		{route: "GET /api/v1/timelines/public", what: "no post of another server",
			target: v1 + "/timelines/public?limit=40&remote=true", token: viewer},
		{route: "GET /api/v1/timelines/home", what: "shares by as many users, cold heads, full month",
			target: v1 + "/timelines/home?limit=40", token: loud},
		{route: "GET /api/v1/timelines/home", what: "follows 100", target: v1 + "/timelines/home?limit=40",
			token: h.tokens[w.hundred.UID]},
		{route: "GET /api/v1/timelines/home", what: "min_id in the past, follows 100",
			target: v1 + "/timelines/home?limit=40&min_id=" + oldest, token: h.tokens[w.hundred.UID]},
		{route: "GET /api/v1/timelines/home", what: "months of 100 authors", target: v1 + "/timelines/home?limit=40",
			token: h.tokens[w.deep.UID]},
		{route: "GET /api/v1/timelines/home", what: "follows 10 cold tags", target: v1 + "/timelines/home?limit=40",
			token: h.tokens[w.tagger.UID]},
		{route: "GET /api/v1/timelines/list/:list_id", what: "30 members, all for followers",
			target: v1 + "/timelines/list/" + list(w.wary.UID) + "?limit=40", token: wary},
		{route: "GET /api/v1/timelines/list/:list_id", what: "min_id in the past",
			target: v1 + "/timelines/list/" + list(w.viewer.UID) + "?limit=40&min_id=" + oldest, token: viewer},
		{route: "GET /api/v1/timelines/list/:list_id", what: "30 members, each blocks the owner and is blocked",
			target: v1 + "/timelines/list/" + list(w.loud.UID) + "?limit=40", token: loud},
		{route: "GET /api/v1/timelines/direct", what: "80 mentions, full month", target: v1 + "/timelines/direct?limit=40",
			token: viewer},
		{route: "GET /api/v1/conversations", what: "80 mentions, full month", target: v1 + "/conversations?limit=40",
			token: viewer},
		{route: "GET /api/v1/accounts/:id/statuses", what: "one post a month, and shares",
			target: v1 + "/accounts/seldom/statuses?limit=40", token: wary},
		{route: "GET /api/v1/accounts/:id/statuses", what: "min_id in the past, one post a month, and shares",
			target: v1 + "/accounts/seldom/statuses?limit=40&min_id=" + oldest, token: viewer},
		{route: "GET /api/v1/accounts/:id/statuses", what: "min_id in the past, one post a month",
			target: ann + "/statuses?limit=40&exclude_reblogs=true&min_id=" + oldest, token: viewer},
		{route: "GET /api/v1/accounts/:id/statuses", what: "without replies, of 110 replies",
			target: ann + "/statuses?limit=40&exclude_replies=true", token: viewer},
		{route: "GET /api/v1/accounts/:id/statuses", what: "none with an image",
			target: v1 + "/accounts/seldom/statuses?limit=40&only_media=true", token: viewer},
		{route: "GET /api/v1/accounts/:id/statuses", what: "nothing but shares",
			target: v1 + "/accounts/passes/statuses?limit=40", token: viewer},
		{route: "GET /api/v1/accounts/:id/statuses", what: "pins that are gone", target: ann + "/statuses?pinned=true",
			token: viewer},
		{route: "GET /api/v1/statuses", what: "20 long polls that quote long posts" + marked,
			target: v1 + "/statuses" + named("id[]", statusIDs(h.roots[:20])), token: collector},
		{route: "GET /api/v1/statuses/:id", what: "a long poll that quotes a long post", target: talk, token: collector},
		{route: "GET /api/v1/statuses/:id", what: "one's own, with 5 pins", target: statuses + statusID(w.own), token: viewer},
		{route: "GET /api/v1/statuses/:id/quotes", what: "for followers of as many authors", target: tweet +
			"/quotes?limit=40", token: wary},
		{route: "GET /api/v1/statuses/:id/favourited_by", what: "a page", target: tweet + "/favourited_by?limit=80",
			token: wary},
		{route: "GET /api/v1/statuses/:id/favourited_by", what: "a page, all block and are blocked",
			target: tweet + "/favourited_by?limit=80", token: loud},
		{route: "GET /api/v1/statuses/:id/reblogged_by", what: "a page", target: tweet + "/reblogged_by?limit=80",
			token: wary},
		{route: "GET /api/v1/statuses/:id/source", what: "long", target: talk + "/source", token: collector},
		{route: "GET /api/v1/statuses/:id/history", what: "edited 100 times", target: tweet + "/history", token: viewer},
		{route: "GET /api/v1/statuses/:id/card", what: "without a link", target: talk + "/card", token: collector},
		{route: "GET /api/v1/polls/:id", what: "one that quotes", target: v1 + "/polls/" + statusID(w.poll), token: viewer},
		{route: "GET /api/v1/bookmarks", what: heavyPage + marked, target: v1 + "/bookmarks?limit=40", token: collector},
		{route: "GET /api/v1/bookmarks", what: "of posts that are gone", target: v1 + "/bookmarks?limit=40", token: loud},
		{route: "GET /api/v1/favourites", what: heavyPage + marked, target: v1 + "/favourites?limit=40", token: collector},
		{route: "GET /api/v2/search", what: "people, and posts of as many authors and months",
			target: v2 + "/search?q=crowd&limit=40", token: wary},
		{route: "GET /api/v2/search", what: "people alone", target: v2 + "/search?q=user&limit=40", token: wary},
		{route: "GET /api/v2/search", what: "posts of as many authors and months, far on",
			target: v2 + "/search?q=crowd&type=statuses&limit=40&offset=1000", token: wary},
		{route: "GET /api/v2/search", what: "people, far on", target: v2 + "/search?q=user&type=accounts&limit=40&offset=1000",
			token: wary},
		{route: "GET /api/v2/search", what: "people whom one follows, far on",
			target: v2 + "/search?q=user&type=accounts&limit=40&offset=60&following=true", token: wary},
		{route: "GET /api/v2/search", what: "40 long polls that quote long posts" + marked, target: v2 +
			"/search?q=word&limit=40", token: collector},
		{route: "GET /api/v1/search", what: "people, and posts of as many authors and months",
			target: v1 + "/search?q=crowd&limit=40", token: wary},
		{route: "GET /api/v1/trends", what: "48 parts", token: wary},
		{route: "GET /api/v1/trends/tags", what: "48 parts", token: wary},
		{route: "GET /api/v1/trends/statuses", what: "48 parts, full month", token: wary},
		{route: "GET /api/v1/accounts", what: "100 ids of nobody", target: v1 + "/accounts" + named("id[]", invented)},
		{route: "GET /api/v1/accounts/:id", target: ann, token: viewer},
		{route: "GET /api/v1/accounts/:id/followers", what: "a page", target: ann + "/followers?limit=80", token: wary},
		{route: "GET /api/v1/accounts/:id/following", what: "a page", target: ann + "/following?limit=80", token: wary},
		{route: "GET /api/v1/accounts/:id/followers", what: "a page, in the list",
			target: v1 + "/accounts/bea/followers?limit=80"},
		{route: "GET /api/v1/accounts/:id/featured_tags", what: "10 tags", target: ann + "/featured_tags"},
		{route: "GET /api/v1/accounts/:id/lists", what: "50 lists", target: v1 + "/accounts/member_00/lists", token: viewer},
		{route: "GET /api/v1/accounts/verify_credentials", what: "1,000 replies wait", token: viewer},
		{route: "GET /api/v1/accounts/lookup", target: v1 + "/accounts/lookup?acct=ann", token: viewer},
		{route: "GET /api/v1/accounts/search", what: "far on, and following",
			target: v1 + "/accounts/search?q=user&limit=80&offset=1000&following=true", token: wary},
		{route: "GET /api/v1/accounts/search", what: "a page, and following",
			target: v1 + "/accounts/search?q=user&limit=80&following=true", token: wary},
		{route: "GET /api/v1/accounts/relationships", what: "100 who follow each other",
			target: v1 + "/accounts/relationships" + named("id[]", users), token: wary},
		{route: "GET /api/v1/accounts/familiar_followers", what: "60 relationships beyond the list each",
			target: v1 + "/accounts/familiar_followers" + named("id[]", append([]string{"ann", "bea"}, users[:3]...)),
			token:  h.tokens[w.friend.UID]},
		{route: "GET /api/v1/blocks", what: "a page", target: v1 + "/blocks?limit=80", token: loud},
		{route: "GET /api/v1/mutes", what: "a page, of the replies alone", target: v1 + "/mutes?limit=80", token: viewer},
		{route: "GET /api/v1/follow_requests", what: "a page", target: v1 + "/follow_requests?limit=80", token: viewer},
		{route: "GET /api/v1/followed_tags", what: "10 tags", token: h.tokens[w.tagger.UID]},
		{route: "GET /api/v1/featured_tags", token: viewer}, {route: "GET /api/v1/featured_tags/suggestions", token: viewer},
		{route: "GET /api/v1/tags/:id", what: "unknown", target: v1 + "/tags/nothing", token: viewer},
		{route: "GET /api/v1/directory", what: "a page of users who were once suspended",
			target: v1 + "/directory?limit=80&offset=1000", token: viewer},
		{route: "GET /api/v2/suggestions", what: "a new account", target: v2 + "/suggestions?limit=20",
			token: h.tokens[w.newcomer.UID]},
		{route: "GET /api/v1/suggestions", what: "all were asked and once suspended", target: v1 + "/suggestions?limit=20",
			token: h.tokens[w.seeker.UID]},
		{route: "GET /api/v1/lists", what: "50 lists", token: viewer},
		{route: "GET /api/v1/lists/:id", target: v1 + "/lists/" + list(w.viewer.UID), token: viewer},
		{route: "GET /api/v1/lists/:id/accounts", what: "30 members", target: v1 + "/lists/" + list(w.viewer.UID) +
			"/accounts", token: viewer},
		{route: "GET /api/v1/markers", what: "100 groups", target: v1 + "/markers?timeline[]=home&timeline[]=notifications",
			token: loud},
		{route: "GET /api/v1/preferences", token: viewer}, {route: "GET /api/v1/profile", token: viewer},
		{route: "GET /api/v1/notifications", what: "quotes by as many authors",
			target: v1 + "/notifications?limit=80", token: loud},
		{route: "GET /api/v1/notifications/:id", what: "unknown, on a day with 110 groups", target: v1 + "/notifications/" +
			strings.Repeat("0", 14) + "0" + strings.Repeat("0", 18) + time.Now().UTC().Format("20060102"), token: loud,
			status: http.StatusNotFound},
		{route: "GET /api/v1/notifications/unread_count", what: "109 unread",
			target: v1 + "/notifications/unread_count?limit=1000", token: loud},
		{route: "GET /api/v2/notifications", what: "10 actors each, quotes by as many authors",
			target: v2 + "/notifications?limit=80", token: loud},
		{route: "GET /api/v2/notifications/unread_count", what: "109 unread",
			target: v2 + "/notifications/unread_count?limit=1000", token: loud},
		{route: "GET /api/v2/notifications/:group_key", what: "unknown, on a day with 110 groups",
			target: v2 + "/notifications/favourite-" + string(w.tweet) + "-" + time.Now().UTC().Format("20060102"), token: loud,
			status: http.StatusNotFound},
		{route: "GET /api/v2/notifications/:group_key/accounts", what: "unknown, on a day with 110 groups",
			target: v2 + "/notifications/favourite-" + string(w.tweet) + "-" + time.Now().UTC().Format("20060102") + "/accounts",
			token:  loud, status: http.StatusNotFound},
		{route: "GET /api/v1/notifications/policy", what: "100 senders", token: viewer},
		{route: "GET /api/v2/notifications/policy", what: "100 senders", token: viewer},
		{route: "GET /api/v1/notifications/requests", what: "a page", target: v1 + "/notifications/requests?limit=80",
			token: viewer},
		{route: "GET /api/v1/notifications/requests/:id", what: "one of 100",
			target: v1 + "/notifications/requests/" + w.filtered[0], token: viewer},
		{route: "GET /api/v1/notifications/requests/merged", token: viewer},
		{route: "GET /api/v1/filters", token: viewer}, {route: "GET /api/v2/filters", token: viewer},
		{route: "GET /api/v1/scheduled_statuses", what: "none with a time", target: v1 + "/scheduled_statuses?limit=40",
			token: loud},
		{route: "GET /api/v1/media/:id", target: v1 + "/media/" + string(w.media[0]), token: viewer},
		{route: "GET /api/v1/push/subscription", what: "none", token: viewer, status: http.StatusNotFound},
		{route: "GET /api/v1/announcements", token: viewer},
		{route: "GET /api/v1/instance"}, {route: "GET /api/v2/instance"}, {route: "GET /api/v1/instance/rules"},
		{route: "GET /api/v1/instance/extended_description"}, {route: "GET /api/v1/instance/terms_of_service"},
		{route: "GET /api/v1/instance/terms_of_service/:date", what: "another date",
			target: v1 + "/instance/terms_of_service/2000-01-01", status: http.StatusNotFound},
		{route: "GET /api/v1/instance/languages"}, {route: "GET /api/v1/streaming/health", status: http.StatusNotFound},
		{route: "GET /api/v1/apps/verify_credentials", token: viewer},
		{route: "GET /oauth/userinfo", token: viewer}, {route: "POST /oauth/userinfo", token: viewer},
		{route: "GET /.well-known/oauth-authorization-server"},
	}
	return all
}

// after is the first id after that of a tweet.
func after(id model.TweetID) model.TweetID { return model.OldestAt(id.Time().Add(time.Millisecond)) }
