package ceilings

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
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
		{route: "GET /api/v1/statuses/:id/context", what: "200 long replies", target: statuses + statusID(h.essays) +
			"/context", token: h.tokens[w.friend.UID], most: mostEssays},
		{route: "GET /api/v1/statuses/:id/context", what: "200 long replies, signed out", target: statuses +
			statusID(h.essays) + "/context", most: mostEssays},
		{route: "GET /api/v1/statuses/:id/context", what: "110 short replies, full month", target: tweet + "/context",
			token: viewer},
		{route: "GET /api/v1/timelines/tag/:hashtag", what: heavyPage,
			target: v1 + "/timelines/tag/heavy?limit=40", token: wary},
		{route: "GET /api/v1/timelines/tag/:hashtag", what: heavyPage + marked,
			target: v1 + "/timelines/tag/heavy?limit=40", token: collector},
		{route: "GET /api/v1/timelines/tag/:hashtag", what: "min_id in the past, of 4 tags",
			target: v1 + "/timelines/tag/go?limit=40&any[]=heavy&any[]=followed0&any[]=followed1&min_id=" + oldest,
			token:  viewer},
		{route: "GET /api/v1/timelines/tag/:hashtag", what: "4 tags without a post that is asked for",
			target: v1 + "/timelines/tag/go?limit=40&any[]=heavy&any[]=followed0&any[]=followed1&none[]=go&none[]=heavy&" +
				"none[]=followed0&none[]=followed1", token: viewer},
		{route: "GET /api/v1/timelines/public", what: heavyPage, target: v1 + "/timelines/public?limit=40&" + below,
			token: wary},
		{route: "GET /api/v1/timelines/public", what: "min_id in the past",
			target: v1 + "/timelines/public?limit=40&min_id=" + oldest, token: viewer},
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
		{route: "GET /api/v1/statuses/:id", what: "one's own, with 5 pins", target: statuses + statusID(w.own),
			token: viewer},
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
		{route: "GET /api/v2/search", what: "people, far on",
			target: v2 + "/search?q=user&type=accounts&limit=40&offset=1000", token: wary},
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

// mastodonWrites are the most expensive requests to methods that write, in an order in which they work.
func (h *heavy) mastodonWrites(w *world) []input {
	viewer, loud, collector := h.tokens[w.viewer.UID], h.tokens[w.loud.UID], h.tokens[w.collector.UID]
	const v1, v2, statuses = "/api/v1", "/api/v2", "/api/v1/statuses/"
	own, talk := statuses+statusID(w.own), statuses+statusID(h.talk)
	list := v1 + "/lists/" + model.NewListID(model.UserID(w.viewer.UID), "2")
	var few, members []string
	for i := range 30 {
		members = append(members, fmt.Sprintf("member_%02d", i))
	}
	for i := range 40 {
		few = append(few, w.filtered[i+2])
	}
	long := strings.Repeat("x", model.MaxContent)
	later := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	day := time.Now().UTC().Format("20060102")
	notification := func(n int) string {
		return fmt.Sprintf("%014x", time.Now().UnixMicro()) + kindOf(model.NotificationQuote) + string(w.ids[n]) + day
	}
	type object = map[string]any
	user := func(verb, uid string) string { return v1 + "/accounts/" + uid + "/" + verb }
	app := func(more object) string {
		more["client_id"], more["client_secret"] = h.app, "secret"
		return inJSON(more)
	}
	keywords := object{"title": "f", "context": []string{"home"}, "keywords_attributes": []object{{"keyword": "finale"}}}
	draft := v1 + "/scheduled_statuses/" + model.NewDraftID(model.UserID(w.loud.UID), "0")
	return []input{
		{route: "POST /api/v1/accounts/:id/follow", what: "a user whom 4,999 ask", target: user("follow", "recluse"),
			body: `{"notify":true,"reblogs":false}`, token: viewer},
		{route: "POST /api/v1/accounts/:id/follow", target: user("follow", "ann"), body: `{"notify":true,"reblogs":false}`,
			token: collector},
		{route: "POST /api/v1/accounts/:id/unfollow", target: user("unfollow", "ann"), token: collector},
		{route: "POST /api/v1/accounts/:id/remove_from_followers", target: user("remove_from_followers", "user_003"),
			token: viewer},
		{route: "POST /api/v1/accounts/:id/block", target: user("block", "user_004"), token: viewer},
		{route: "POST /api/v1/accounts/:id/unblock", target: user("unblock", "user_004"), token: viewer},
		{route: "POST /api/v1/accounts/:id/mute", target: user("mute", "user_005"), body: `{"duration":60}`, token: viewer},
		{route: "POST /api/v1/accounts/:id/unmute", target: user("unmute", "user_005"), token: viewer},
		{route: "POST /api/v1/accounts/:id/note", target: user("note", "ann"), body: inJSON(object{
			"comment": strings.Repeat("ä", 2000)}), token: viewer},
		{route: "POST /api/v1/follow_requests/:id/authorize", target: v1 + "/follow_requests/recluse/authorize",
			token: viewer},
		{route: "POST /api/v1/follow_requests/:id/reject", target: v1 + "/follow_requests/user_001/reject", token: viewer},
		{route: "DELETE /api/v1/suggestions/:id", target: v1 + "/suggestions/seldom", token: viewer},
		{route: "POST /api/v1/announcements/:id/dismiss", target: v1 + "/announcements/maintenance/dismiss", token: viewer},
		{route: "POST /api/v1/tags/:id/follow", target: v1 + "/tags/go/follow", token: viewer},
		{route: "POST /api/v1/tags/:id/unfollow", target: v1 + "/tags/go/unfollow", token: viewer},
		{route: "POST /api/v1/tags/:id/feature", target: v1 + "/tags/go/feature", token: viewer},
		{route: "POST /api/v1/tags/:id/unfeature", target: v1 + "/tags/go/unfeature", token: viewer},
		{route: "POST /api/v1/featured_tags", body: `{"name":"glow"}`, token: viewer},
		{route: "DELETE /api/v1/featured_tags/:id", target: v1 + "/featured_tags/glow", token: viewer},
		{route: "POST /api/v1/notifications/:id/dismiss", target: v1 + "/notifications/" + notification(0) + "/dismiss",
			token: loud},
		{route: "POST /api/v1/notifications/dismiss", body: inJSON(object{"id": notification(1)}), token: loud},
		{route: "POST /api/v2/notifications/:group_key/dismiss", target: v2 + "/notifications/ungrouped-" + notification(2) +
			"/dismiss",
			token: loud},
		{route: "POST /api/v1/markers", what: "109 unread", body: inJSON(object{
			"home": object{"last_read_id": statusID(w.tweet)},
			"notifications": object{"last_read_id": fmt.Sprintf("%014x", time.Now().UnixMicro()) + "0" +
				strings.Repeat("0", 18) + day}}), token: loud},
		{route: "POST /api/v1/notifications/clear", token: loud},
		{route: "PUT /api/v1/notifications/policy", what: "100 senders", body: `{"filter_not_followers":true}`,
			token: viewer},
		{route: "PUT /api/v2/notifications/policy", what: "100 senders", body: `{"for_not_followers":"drop"}`, token: viewer},
		{route: "PATCH /api/v1/notifications/policy", what: "100 senders", body: `{"filter_not_following":true,` +
			`"filter_new_accounts":true}`, token: viewer},
		{route: "PATCH /api/v2/notifications/policy", what: "100 senders", body: `{"for_not_following":"filter",` +
			`"for_new_accounts":"drop"}`, token: viewer},
		{route: "POST /api/v1/notifications/requests/:id/accept", what: "15 notifications",
			target: v1 + "/notifications/requests/" + w.filtered[0] + "/accept", token: viewer},
		{route: "POST /api/v1/notifications/requests/:id/dismiss",
			target: v1 + "/notifications/requests/" + w.filtered[1] + "/dismiss", token: viewer},
		{route: "POST /api/v1/notifications/requests/accept", what: "as many as one may",
			body: inJSON(object{"id": few[:10]}), token: viewer},
		{route: "POST /api/v1/notifications/requests/dismiss", what: "as many as one may",
			body: inJSON(object{"id": few}), token: viewer},
		{route: "POST /api/v1/filters", body: `{"phrase":"goal","context":["home"]}`, token: loud},
		{route: "POST /api/v2/filters", body: inJSON(keywords), token: viewer},
		{route: "GET /api/v2/filters/:id", target: v2 + "/filters/f", token: viewer},
		{route: "PUT /api/v2/filters/:id", target: v2 + "/filters/f", body: `{"title":"other"}`, token: viewer},
		{route: "GET /api/v2/filters/:id/keywords", target: v2 + "/filters/f/keywords", token: viewer},
		{route: "POST /api/v2/filters/:id/keywords", target: v2 + "/filters/f/keywords", body: `{"keyword":"more"}`,
			token: viewer},
		{route: "GET /api/v2/filters/keywords/:id", target: v2 + "/filters/keywords/" + h.keywords[0], token: viewer},
		{route: "PUT /api/v2/filters/keywords/:id", target: v2 + "/filters/keywords/" + h.keywords[0],
			body: `{"whole_word":true}`, token: viewer},
		{route: "GET /api/v1/filters/:id", target: v1 + "/filters/" + h.keywords[0], token: viewer},
		{route: "PUT /api/v1/filters/:id", target: v1 + "/filters/" + h.keywords[0], body: `{"phrase":"first0",` +
			`"context":["home"]}`, token: viewer},
		{route: "DELETE /api/v2/filters/keywords/:id", target: v2 + "/filters/keywords/" + h.keywords[1], token: viewer},
		{route: "DELETE /api/v1/filters/:id", target: v1 + "/filters/" + h.keywords[2], token: viewer},
		{route: "DELETE /api/v2/filters/:id", target: v2 + "/filters/f", token: viewer},
		{route: "POST /api/v1/lists", body: `{"title":"x"}`, token: collector},
		{route: "PUT /api/v1/lists/:id", target: list, body: `{"title":"y","exclusive":true}`, token: viewer},
		{route: "DELETE /api/v1/lists/:id/accounts", what: "30 members", target: list + "/accounts" +
			named("account_ids[]", members), token: viewer},
		{route: "POST /api/v1/lists/:id/accounts", what: "30 members", target: list + "/accounts",
			body: inJSON(object{"account_ids": members}), token: viewer},
		{route: "DELETE /api/v1/lists/:id", target: list, token: viewer},
		{route: "PUT /api/v1/media/:id", target: v1 + "/media/" + string(w.media[0]), body: `{"description":"x"}`,
			token: viewer},
		{route: "DELETE /api/v1/media/:id", target: v1 + "/media/" + string(w.media[0]), token: viewer},
		{route: "POST /api/v2/media", what: "a picture that takes long", body: aForm("file"), token: viewer,
			status: http.StatusAccepted},
		{route: "POST /api/v1/media", what: "a picture that takes long", body: aForm("file"), token: viewer,
			status: http.StatusAccepted},
		{route: "PATCH /api/v1/accounts/update_credentials", what: "everything", body: inJSON(object{"display_name": "V",
			"note": strings.Repeat("x", 500), "locked": true, "bot": true, "discoverable": true,
			"source": object{"language": "en"}, "fields_attributes": []object{{"name": "a", "value": "https://example.com"}}}),
			token: viewer},
		{route: "PATCH /api/v1/accounts/update_credentials", what: "an avatar that takes long", body: aForm("avatar"),
			token: viewer, status: http.StatusServiceUnavailable},
		{route: "PUT /api/v1/profile", what: "everything", body: inJSON(object{"display_name": "W",
			"note": strings.Repeat("z", 500), "locked": true, "bot": true}), token: viewer},
		{route: "PATCH /api/v1/profile", what: "everything", body: inJSON(object{"display_name": "V",
			"note": strings.Repeat("y", 500), "locked": false, "bot": false}), token: viewer},
		{route: "DELETE /api/v1/profile/avatar", token: viewer}, {route: "DELETE /api/v1/profile/header", token: viewer},
		{route: "POST /api/v1/push/subscription", body: inJSON(object{"subscription": object{
			"endpoint": "https://push.example.com/app", "keys": object{"p256dh": aKey(), "auth": "AAAAAAAAAAAAAAAAAAAAAA=="}},
			"data": object{"alerts": object{"mention": true}}}), token: viewer},
		{route: "PUT /api/v1/push/subscription", body: `{"data":{"alerts":{"follow":true}}}`, token: viewer},
		{route: "DELETE /api/v1/push/subscription", token: viewer},
		{route: "POST /api/v1/reports", what: "10 posts", body: inJSON(object{"account_id": "ann",
			"status_ids": statusIDs(w.ids[:10]), "category": "spam", "comment": strings.Repeat("ä", 1000)}), token: viewer},
		{route: "POST /api/v1/statuses", what: "a reply that quotes, with 10 tags and 10 mentions", body: inJSON(object{
			"status": crowdedText, "in_reply_to_id": statusID(w.quote), "quoted_status_id": statusID(w.quote)}),
			token: viewer},
		{route: "POST /api/v1/statuses", what: "longest", body: inJSON(object{"status": long}), token: viewer},
		{route: "POST /api/v1/statuses", what: "later", body: inJSON(object{"status": long, "scheduled_at": later}),
			token: viewer},
		{route: "PUT /api/v1/statuses/:id", what: "10 tags for 10 others, and 10 mentions", target: own, body: inJSON(object{
			"status": "#k #l #m #n #o #p #q #r #s #t @user_000 @user_001 @user_002 @user_003 @user_004 @user_005 " +
				"@user_006 @user_007 @user_008 @user_009"}), token: viewer},
		{route: "PUT /api/v1/statuses/:id/interaction_policy", target: own + "/interaction_policy",
			body: `{"quote_approval_policy":"nobody"}`, token: viewer},
		{route: "POST /api/v1/statuses/:id/pin", target: own + "/pin", token: viewer},
		{route: "POST /api/v1/statuses/:id/unpin", target: own + "/unpin", token: viewer},
		{route: "POST /api/v1/statuses/:id/favourite", target: talk + "/favourite", token: viewer},
		{route: "POST /api/v1/statuses/:id/unfavourite", target: talk + "/unfavourite", token: collector},
		{route: "POST /api/v1/statuses/:id/bookmark", target: talk + "/bookmark", token: viewer},
		{route: "POST /api/v1/statuses/:id/unbookmark", target: talk + "/unbookmark", token: collector},
		{route: "POST /api/v1/statuses/:id/reblog", target: talk + "/reblog", token: viewer},
		{route: "POST /api/v1/statuses/:id/reblog", what: "shared long ago", target: talk + "/reblog", token: collector},
		{route: "POST /api/v1/statuses/:id/unreblog", target: talk + "/unreblog", token: collector},
		{route: "POST /api/v1/statuses/:id/mute", target: talk + "/mute", token: viewer},
		{route: "POST /api/v1/statuses/:id/unmute", target: talk + "/unmute", token: viewer},
		{route: "POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke", target: own + "/quotes/" + statusID(w.answer) +
			"/revoke", token: viewer},
		{route: "POST /api/v1/polls/:id/votes", target: v1 + "/polls/" + statusID(w.poll) + "/votes", body: `{"choices":[1]}`,
			token: viewer},
		{route: "POST /api/v1/conversations/:id/read", what: "unknown, 80 mentions", target: v1 + "/conversations/" +
			statusID(w.gone) + "/read", token: viewer, status: http.StatusNotFound},
		{route: "DELETE /api/v1/statuses/:id", target: own, token: viewer},
		{route: "DELETE /api/v1/statuses/:id", what: "4 pictures", target: statuses + statusID(w.album),
			token: viewer},
		{route: "GET /api/v1/scheduled_statuses/:id", what: "without a time", target: draft, token: loud,
			status: http.StatusNotFound},
		{route: "PUT /api/v1/scheduled_statuses/:id", what: "without a time", target: draft,
			body: inJSON(object{"scheduled_at": later}), token: loud, status: http.StatusNotFound},
		{route: "DELETE /api/v1/scheduled_statuses/:id", what: "without a time", target: draft, token: loud,
			status: http.StatusNotFound},
		{route: "POST /api/v1/apps", body: inJSON(object{"client_name": "App", "redirect_uris": "app://"})},
		{route: "POST /oauth/token", what: "for the app", body: app(object{"grant_type": "client_credentials"})},
		{route: "POST /oauth/revoke", what: "of a user", body: app(object{"token": loud})},
	}
}

// kindOf is the digit of a kind of notifications in their ids.
func kindOf(kind model.NotificationKind) string {
	for n, k := range model.AppKinds {
		if k.Kind == kind {
			return fmt.Sprintf("%x", n)
		}
	}
	return ""
}

// aForm is a form with a picture.
func aForm(part string) string {
	var picture strings.Builder
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		panic(err)
	}
	return formStart + "Content-Disposition: form-data; name=\"" + part + "\"; filename=\"a.png\"\r\n" +
		"Content-Type: image/png\r\n\r\n" + picture.String() + "\r\n--b--\r\n"
}

// formStart begins a body that is a form.
const formStart = "--b\r\n"

// aKey is a key of a push subscription.
func aKey() string {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes())
}
