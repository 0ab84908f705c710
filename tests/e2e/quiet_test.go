package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
	"github.com/hibana-sns/hibana/model/fields"
)

// quietColumns are what stands between a reader and Zoe, whose tweets all have the word finale.
var quietColumns = []string{"nothing", "mutes", "blocks", "is blocked", "filter: hide", "filter: warn"}

// quietRow is a request, and what its answer shows of Zoe in each column: v visible, - hidden, w visible with filtered.
type quietRow struct {
	request string // below /v1; {zoe} and the like are ids
	look    string // what is looked for; Zoe's id if empty
	want    string // a letter for each column
}

var quietMatrix = []quietRow{
	{"/timeline", "{tweet}", "v---- w"},
	{"/timeline of her tweet that {host} shares", "{shared}", "v---- w"},
	{"/lists/{list}/timeline", "", "v---- w"},
	{"/lists/{list}/members", "", "vvvvv v"},
	{"/users/{zoe}/lists", "", "vv--v v"},
	{"/users/{zoe}/lists/{zoes}", "", "vv--v v"},
	{"/users/{host}/lists/{hostList}/members", "", "vv--v v"},
	{"/users/{host}/lists/{hostList}/timeline", "", "v---- w"},
	{"/notifications", "", "v---v w"},
	{"/notifications, of her reply", "{answer}", "v---- w"},
	{"/users/me/notificationRequests, of her like", "", "v---v v"},
	{"/notifications/unreadCount", `"count":1`, "v---v v"},
	{"/tweets?replies=true", "", "v---- w"},
	{"/tags/spark/tweets", "", "v---- w"},
	{"/tags/spark/users", "", "v---v v"},
	{"/tags/spark/users?orderBy=newest", "", "v---- w"},
	{"/search/tweets?q=finale", "", "v---- w"},
	{"/search/users?q=zoe", "", "vv--v v"},
	{"/trends", "", "v---- w"},
	{"/tweets/{tweet}", "", "vvvvv v"},
	{"/tweets/{tweet}?context=thread", "", "v---- w"},
	{"/tweets/{long}?context=public, of {host}, with the word behind the snippet", "{long}", "vvvvv v"},
	{"/tweets/{hostQuote}", "", "v---- w"},
	{"/tweets:batchGet?ids={tweet}", "", "vv--w w"},
	{"/tweets/{hosts}/thread", "", "v---- w"},
	{"/tweets/{hosts}/replies", "", "v---- w"},
	{"/tweets/{hosts}/quotes", "", "v---- w"},
	{"/tweets/{hosts}/likes", "", "v---v v"},
	{"/tweets/{hosts}/shares", "", "v---v v"},
	{"/users/{zoe}", "", "vvvvv v"},
	{"/users:batchGet?ids={zoe}", "", "vvvvv v"},
	{"/usernames/zoe", "", "vvvvv v"},
	{"/users/{zoe}/tweets", "{tweet}", "vv--- w"},
	{"/users/{zoe}/tweets?ownOnly=true&view=full", "", "vv--- w"},
	{"/users/{host}/tweets, with her tweet that {host} shares", "{shared}", "v---- w"},
	{"/users/{zoe}/tweets, with a tweet that she shares", "{hosts}", "vv--v v"},
	{"/users/{me}/tweets, with her tweet that the reader shares", "{shared}", "vv--- w"},
	{"/users/{zoe}/likes", "{hosts}", "vv--v v"},
	{"/users/{zoe}/shares", "{hosts}", "vv--v v"},
	{"/users/{host}/likes", "{tweet}", "v---- w"},
	{"/users/{host}/shares", "{shared}", "v---- w"},
	{"/users/{zoe}/pins", "", "vv--- w"},
	{"/users/{host}/followers", "", "v---v v"},
	{"/users/{host}/following", "", "v---v v"},
	{"/users/me/followers", "", "vv--v v"},
	{"/users/me/following", "", "vv--v v"},
	{"/users/me/bookmarks", "", "vv--v v"},
	{"/users/me/mentions", "", "v---- w"},
	{"/heldReplies", "", "v---v v"},
	{"/users/me/mutes", "", "-v--- -"},
	{"/users/me/blocks", "", "--v-- -"},
	{"/users/{host}/familiarFollowers", "", "v---v v"},
	{"/directory", "", "v---v v"},
	{"/conversations, of the two", "{said}", "vvvvv v"},
	{"/conversations/{pair}", "", "vvvvv v"},
	{"/conversations/{pair}/messages", "{said}", "vvvvv v"},
	{"/conversations/{group}", `"username":"zoe"`, "vv--v v"},
	{"/conversations/{group}/messages", "{saidToAll}", "vv--v v"},
	{"/conversations/search?query=finale", "{saidToAll}", "vv--v v"},
	{"/relationships/{zoe}/{host}", "", "vvvvv v"},
	{"/relationships?ids={zoe}", "", "vvvvv v"},
}

// quietNowhere has the routes on which no other user can appear, or only to staff, customers and oneself. A file of a
// tweet has an address of its own, which only a tweet gives. Whom suggestions leave out has tests of its own, in
// store/discovery, because nobody is suggested whom the reader follows.
var quietNowhere = []string{"/health", "/media/{id}/{size}", "/ready", "/v1/aliases", "/v1/announcements",
	"/v1/authorizations", "/v1/cart",
	"/v1/conversations/unreadCount", "/v1/drafts", "/v1/drafts/{id}", "/v1/ai-models", "/v1/instance", "/v1/leavings/{id}",
	"/v1/linkCards", "/v1/lists",
	"/v1/lists/{id}", "/v1/media/{id}", "/v1/orders", "/v1/orders/{id}", "/v1/products", "/v1/products/{id}",
	"/v1/push", "/v1/suggestions", "/v1/tags", "/v1/tags/{tag}", "/v1/totals", "/v1/tweets/{id}/revisions",
	"/v1/tweets/{id}/revisions/{number}", "/v1/users", "/v1/users/me", "/v1/users/me/agent", "/v1/users/me/agent/acts",
	"/v1/users/me/decisions", "/v1/users/me/sign-ins", "/v1/users/me/sign-up",
	"/v1/users/me/export", "/v1/users/me/filters",
	"/v1/users/me/followRequests", "/v1/users/me/followedTags", "/v1/users/me/heldReplies",
	"/v1/users/me/hiddenSharers", "/v1/users/me/markers", "/v1/users/me/mentioned", "/v1/users/me/pushSubscriptions",
	"/v1/users/me/settings/notificationPolicy", "/v1/users/me/settings/notifications", "/v1/users/{uid}/note",
	"/v1/users/{uid}/notify", "/v1/users/{uid}/pinnedTags", "/v1/users/{uid}/tags"}

// Each place where a muted or blocked user could appear shows the user, or does not. Every route that reads is in the
// matrix, which docs/reports/quiet.md has. It makes no difference whether one document has all of the reader's graph.
func TestQuiet(t *testing.T) {
	t.Parallel()
	everyReadingRoute(t)
	e := newEnv(t)
	zoe, host, fan := e.join(t, "zoe"), e.join(t, "host"), e.join(t, "fan")
	readers := make([]person, len(quietColumns))
	for i := range readers {
		readers[i] = e.join(t, fmt.Sprint("reader", i))
	}
	ids := map[string]string{"{zoe}": zoe.id, "{host}": host.id}
	post := func(who person, body map[string]any) string {
		var made tweet
		e.do(t, who, "POST /v1/tweets", body).want(t, http.StatusCreated, &made)
		return made.ID
	}
	put := func(who person, path string, body any) {
		t.Helper()
		if a := e.do(t, who, "PUT "+path, body); a.status != http.StatusOK && a.status != http.StatusNoContent {
			t.Fatalf("PUT %s answers %d: %s", path, a.status, a.body)
		}
	}
	filter := func(r person, action string) {
		put(r, "/v1/users/me/filters/f", map[string]any{"title": "Finale", "action": action,
			"contexts": model.FilterContexts, "keywords": []map[string]any{{"keyword": "finale", "wholeWord": true}}})
	}
	put(readers[1], "/v1/users/"+zoe.id+"/mute", map[string]any{"seconds": 3600})
	filter(readers[4], "hide")
	filter(readers[5], "warn")
	hosts := post(host, map[string]any{"content": "the host's"})
	theirs, filtered, lists := make([]string, len(readers)), make([]string, len(readers)), make([]string, len(readers))
	pairs, groups := make([]string, len(readers)), make([]string, len(readers))
	const said, saidToAll = "finale for two", "finale for all"
	e.do(t, zoe, "PATCH /v1/users/"+zoe.id, map[string]any{"discoverable": true}).want(t, http.StatusOK, nil)
	e.follow(t, zoe, host)
	e.follow(t, host, zoe)
	for i, r := range readers {
		for _, holds := range []string{"strangers", "off"} { // Zoe's reply waits, from before the reader follows her
			e.do(t, r, "PATCH /v1/users/"+r.id, map[string]any{"holdReplies": holds}).want(t, http.StatusOK, nil)
			theirs[i] = post(r, map[string]any{"content": "mine"})
			if holds == "strangers" {
				e.do(t, zoe, "POST /v1/tweets", map[string]any{"content": "finale", "replyTo": theirs[i]}).
					want(t, http.StatusAccepted, nil)
			}
		}
		filtered[i] = post(r, map[string]any{"content": "also mine"})
		for _, pair := range [][2]person{{r, zoe}, {zoe, r}, {r, host}} {
			e.follow(t, pair[0], pair[1])
		}
		var made struct{ ID string }
		e.do(t, r, "POST /v1/lists", map[string]any{"title": "people"}).want(t, http.StatusCreated, &made)
		lists[i] = made.ID
		put(r, "/v1/lists/"+lists[i]+"/members/"+zoe.id, nil)
		e.do(t, zoe, "POST /v1/conversations", map[string]any{"memberIds": []string{r.id}, "text": said}).
			want(t, http.StatusCreated, &made)
		pairs[i] = made.ID
		e.do(t, r, "POST /v1/conversations", map[string]any{"memberIds": []string{zoe.id, host.id}, "text": "hello"}).
			want(t, http.StatusCreated, &made)
		groups[i] = made.ID
		e.do(t, zoe, "POST /v1/conversations/"+groups[i]+"/messages", map[string]any{"text": saidToAll}).
			want(t, http.StatusCreated, nil)
	}
	for name, owner := range map[string]person{"{zoes}": zoe, "{hostList}": host} {
		var made struct{ ID string }
		e.do(t, owner, "POST /v1/lists", map[string]any{"title": "people", "visibility": "public"}).
			want(t, http.StatusCreated, &made)
		ids[name] = made.ID
		put(owner, "/v1/lists/"+made.ID+"/members/"+zoe.id, nil)
	}
	e.idle(t)

	ids["{tweet}"] = post(zoe, map[string]any{"content": "a Finale #spark"})
	ids["{shared}"] = post(zoe, map[string]any{"content": "another finale #spark"})
	ids["{hosts}"] = hosts
	ids["{long}"] = post(host, map[string]any{"content": strings.Repeat("later ", 50) + "the finale"})
	post(zoe, map[string]any{"content": "re: finale", "replyTo": hosts})
	post(zoe, map[string]any{"content": "see the finale", "quoteOf": hosts})
	ids["{hostQuote}"] = post(host, map[string]any{"content": "look", "quoteOf": ids["{tweet}"]})
	for _, path := range []string{"/v1/tweets/" + hosts + "/like", "/v1/tweets/" + hosts + "/share",
		"/v1/tweets/" + ids["{tweet}"] + "/pin"} {
		put(zoe, path, nil)
	}
	put(host, "/v1/tweets/"+ids["{shared}"]+"/share", nil)
	for _, who := range []person{host, fan} {
		e.like(t, who, tweet{ID: ids["{tweet}"]})
	}
	answers := make([]string, len(readers))
	for i, r := range readers {
		answers[i] = post(zoe, map[string]any{"content": "finale, @" + r.name, "replyTo": theirs[i]})
		put(zoe, "/v1/tweets/"+theirs[i]+"/like", nil)
		put(r, "/v1/tweets/"+ids["{tweet}"]+"/bookmark", nil)
		put(r, "/v1/tweets/"+ids["{shared}"]+"/share", nil)
	}
	e.idle(t)
	for _, action := range []string{"filter", "accept"} { // the readers' policies filter one like of Zoe
		for i, r := range readers {
			e.do(t, r, "PATCH /v1/users/me/settings/notificationPolicy", map[string]any{"newAccounts": action}).
				want(t, http.StatusOK, nil)
			if action == "filter" {
				put(zoe, "/v1/tweets/"+filtered[i]+"/like", nil)
			}
		}
		e.idle(t)
	}
	for _, r := range readers { // what follows is unread, and by Zoe alone
		put(r, "/v1/notifications/read", nil)
	}
	for _, id := range theirs {
		put(zoe, "/v1/tweets/"+id+"/share", nil)
	}
	e.idle(t)
	put(readers[2], "/v1/users/"+zoe.id+"/block", nil)
	put(zoe, "/v1/users/"+readers[3].id+"/block", nil)
	e.idle(t)
	testenv.Must(t, e.stack.Store.Trends.Flush(t.Context()))
	testenv.Must(t, e.stack.Store.Trends.Publish(t.Context()))

	show := func(what string) string { // checks the matrix, and returns it as a table
		t.Helper()
		var table strings.Builder
		fmt.Fprintf(&table, "| GET /v1 | %s |\n|---%s|\n", strings.Join(quietColumns, " | "),
			strings.Repeat("|---", len(quietColumns)))
		says := map[byte]string{'v': "visible", '-': "hidden", 'w': "warned"}
		for _, row := range quietMatrix {
			want, got := strings.ReplaceAll(row.want, " ", ""), ""
			for i, r := range readers {
				at := strings.NewReplacer("{list}", lists[i], "{answer}", answers[i], "{zoe}", zoe.id, "{host}", host.id,
					"{tweet}", ids["{tweet}"], "{shared}", ids["{shared}"], "{hosts}", hosts, "{me}", r.id, "{long}", ids["{long}"],
					"{hostQuote}", ids["{hostQuote}"], "{zoes}", ids["{zoes}"], "{hostList}", ids["{hostList}"],
					"{pair}", pairs[i], "{group}", groups[i], "{said}", said, "{saidToAll}", saidToAll)
				path, _, _ := strings.Cut(strings.SplitN(row.request, " ", 2)[0], ",")
				look := at.Replace(row.look)
				if look == "" {
					look = zoe.id
				}
				got += string(seenOn(t, e, r, what+", "+quietColumns[i], at.Replace(path), look))
			}
			if got != want {
				t.Errorf("%s: %s shows %s, want %s (%v)", what, row.request, got, want, quietColumns)
			}
			fmt.Fprintf(&table, "| `%s`", row.request)
			for i := range want {
				fmt.Fprintf(&table, " | %s", says[want[i]])
			}
			table.WriteString(" |\n")
		}
		return table.String()
	}
	testenv.Generated(t, "reports/quiet.md", "What mutes, blocks and filters hide", show("a whole graph"), *update)
	for _, c := range []struct {
		part, path, look string
		want             byte
	}{{"shares", "/timeline", ids["{tweet}"], 'v'}, {"shares", "/tweets/" + hosts + "/replies", zoe.id, 'v'},
		{"replies", "/timeline", ids["{tweet}"], 'v'}, {"replies", "/tweets/" + hosts + "/quotes", zoe.id, 'v'},
		{"replies", "/tweets/" + hosts + "/replies", zoe.id, '-'}, {"replies", "/tweets/" + hosts + "/thread", zoe.id, '-'}} {
		put(readers[0], "/v1/users/"+zoe.id+"/mute", map[string]any{"part": c.part})
		if got := seenOn(t, e, readers[0], c.part, c.path, c.look); got != c.want {
			t.Errorf("with her %s muted %s shows %c, want %c", c.part, c.path, got, c.want)
		}
	}
	e.do(t, readers[0], "DELETE /v1/users/"+zoe.id+"/mute", nil).want(t, http.StatusNoContent, nil)
	raw := testenv.Client(t, e.stack.Project)
	for _, r := range readers {
		_, err := raw.Doc(model.Viewers+"/"+r.id).Update(t.Context(), []firestore.Update{
			{Path: fields.Limited, Value: true}, {Path: fields.Complete, Value: false},
			{Path: fields.Muted, Value: firestore.Delete}, {Path: fields.Mutes, Value: firestore.Delete},
			{Path: fields.Blocks, Value: firestore.Delete}, {Path: fields.BlockedBy, Value: firestore.Delete}})
		testenv.Must(t, err)
	}
	show("a partial graph")

	// Signed out, everything public is public.
	for _, path := range []string{"/tweets", "/tags/spark/tweets", "/users/" + zoe.id + "/tweets",
		"/tweets/" + hosts + "/likes"} {
		if a := e.do(t, person{}, "GET /v1"+path, nil); seen(a.body, zoe.id) != 'v' {
			t.Errorf("%s hides Zoe from visitors", path)
		}
	}
}

// seenOn is seen for all pages of a list.
func seenOn(t *testing.T, e *env, r person, what, path, look string) (result byte) {
	t.Helper()
	result = '-'
	for next := ""; ; {
		a := e.do(t, r, "GET /v1"+path+next, nil)
		if a.status != http.StatusOK && a.status != http.StatusNotFound {
			t.Errorf("%s: %s answers %d", what, path, a.status)
		}
		if is := seen(a.body, look); is != '-' {
			result = is
		}
		var page struct{ NextPageToken string }
		if json.Unmarshal(a.body, &page) != nil || page.NextPageToken == "" {
			return result
		}
		next = "?pageToken=" + url.QueryEscape(page.NextPageToken)
		if strings.Contains(path, "?") {
			next = "&" + next[1:]
		}
	}
}

// seen reports how an answer shows a text: not at all, in a part with filtered, or otherwise.
func seen(body []byte, look string) byte {
	if strings.HasPrefix(look, `"`) {
		if strings.Contains(string(body), look) {
			return 'v'
		}
		return '-'
	}
	var answer any
	if json.Unmarshal(body, &answer) != nil {
		return '-'
	}
	result := byte('-')
	var walk func(v any, warned bool)
	walk = func(v any, warned bool) {
		switch v := v.(type) {
		case map[string]any:
			for name, part := range v {
				if name == "mentions" || name == "replyTo" || name == "quoteOf" || name == "rootId" {
					continue
				}
				walk(part, warned || v["filtered"] != nil)
			}
		case []any:
			for _, part := range v {
				walk(part, warned)
			}
		case string:
			switch {
			case v != look:
			case warned:
				result = 'w'
			case result == '-':
				result = 'v'
			}
		}
	}
	walk(answer, false)
	return result
}

// everyReadingRoute checks that each route that reads is in the matrix, or is known to show no other user.
func everyReadingRoute(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(), "api/openapi.json"))
	testenv.Must(t, err)
	var about struct{ Paths map[string]map[string]any }
	testenv.Must(t, json.Unmarshal(text, &about))
	for path, operations := range about.Paths {
		if operations["get"] == nil || strings.HasPrefix(path, "/v1/admin/") || slices.Contains(quietNowhere, path) {
			continue
		}
		found := slices.ContainsFunc(quietMatrix, func(row quietRow) bool {
			request := "/v1" + strings.FieldsFunc(row.request, func(r rune) bool { return r == ' ' || r == ',' || r == '?' })[0]
			parts, names := strings.Split(request, "/"), strings.Split(path, "/")
			if len(parts) != len(names) {
				return false
			}
			for i := range names {
				if names[i] != parts[i] && (!strings.HasPrefix(names[i], "{") || parts[i] == "me") {
					return false
				}
			}
			return true
		})
		if !found {
			t.Errorf("GET %s is neither in the matrix of TestQuiet nor in quietNowhere", path)
		}
	}
}
