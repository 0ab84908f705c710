package mastodon_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// wish is a request that a client sends at its start, on one of its main pages or for one of its buttons, and the
// fields that it reads of the answer, or of the first item of a list. A list whose fields are asked for has an item. A
// path without a method is one of GET; the query of another is what the client sends as its body.
type wish struct{ path, fields string }

// versions are those of the clients in sessions.
var versions = map[string]string{"Phanpy": "of 2026", "Elk": "1.0.1", "Mastodon.py": "1.8.0", "toot": "0.34.1"}

// What clients ask for, in this order, after the sign-in. {names} stand for ids of the world; {made} is that of the
// last answer to a POST that has one.
var sessions = map[string][]wish{
	"Phanpy": {
		{"/.well-known/oauth-authorization-server", "token_endpoint code_challenge_methods_supported"},
		{"/api/v2/instance", "domain version configuration.urls.streaming configuration.statuses.max_characters " +
			"configuration.media_attachments.supported_mime_types configuration.polls.max_options"},
		{"/api/v1/accounts/verify_credentials", "id acct url avatar source.privacy"},
		{"/api/v1/preferences", "posting:default:visibility"},
		{"/api/v2/filters", ""},
		{"/api/v1/lists", "id title"},
		{"/api/v1/followed_tags?limit=200", ""},
		{"/api/v1/custom_emojis", ""},
		{"/api/v1/timelines/home?limit=20", "id created_at content account.acct account.avatar_static visibility " +
			"media_attachments mentions tags emojis favourited reblogged bookmarked filtered"},
		{"/api/v1/timelines/home?limit=5&since_id={post}", ""},
		{"/api/v1/notifications?limit=1", ""},
		{"/api/v1/notifications?limit=20&types[]=mention&types[]=status", ""},
		{"/api/v2/notifications?limit=80&exclude_types[]=mention", "accounts statuses notification_groups"},
		{"/api/v1/notifications?limit=80", ""},
		{"/api/v2/notifications?limit=20", "accounts statuses notification_groups"},
		{"/api/v2/notifications/policy", "summary.pending_requests_count"},
		{"/api/v1/markers?timeline=notifications", ""},
		{"/api/v1/follow_requests?limit=1", ""},
		{"/api/v1/announcements", ""},
		{"/api/v1/statuses/{post}", "id content account.id replies_count reblogs_count favourites_count"},
		{"/api/v1/statuses/{post}/context", "ancestors descendants"},
		{"/api/v1/statuses/{post}/source", "id text"},
		{"/api/v1/accounts/{bob}", "id acct avatar"},
		{"/api/v1/featured_tags", ""}, {"/api/v1/tags/spark", "name following"},
		{"/api/v1/accounts/lookup?acct=bob", "id note fields followers_count statuses_count created_at"},
		{"/api/v1/accounts/relationships?id[]={bob}", "id following requested muting blocking note"},
		{"/api/v1/accounts/familiar_followers?id[]={bob}", "id accounts"},
		{"/api/v1/accounts/{bob}/statuses?limit=20&exclude_replies=true", "id content"},
		{"/api/v1/accounts/{bob}/statuses?pinned=true", ""},
		{"/api/v1/accounts/{bob}/featured_tags", ""},
		{"/api/v1/timelines/public?limit=20&local=true", "id"},
		{"/api/v1/timelines/tag/spark?limit=20", "id"},
		{"/api/v1/timelines/list/{list}?limit=20", "id"},
		{"/api/v1/trends/tags", ""}, {"/api/v1/trends/links", ""}, {"/api/v1/trends/statuses?limit=20", ""},
		{"/api/v2/search?q=bob&type=accounts&limit=5", "accounts statuses hashtags"},
		{"/api/v2/search?q=bob&resolve=true&limit=5", "accounts statuses hashtags"},
		{"/api/v2/search?q=spark&resolve=true&limit=40&type=statuses&offset=0", "statuses"},
		{"/api/v1/bookmarks?limit=20", ""}, {"/api/v1/favourites?limit=20", ""},
		{"/api/v1/conversations?limit=40", ""}, {"/api/v1/scheduled_statuses", ""}, {"/api/v1/mutes", ""},
		{"/api/v1/blocks", ""},
	},
	"Mastodon.py": {
		{"/api/v1/instance/", "uri version urls.streaming_api"}, // all else depends on this version
		{"/api/v1/conversations/", ""}, {"/api/v1/accounts/verify_credentials", "id acct created_at source.fields"},
		{"/api/v1/instance/activity", ""}, {"/api/v1/instance/peers", ""}, {"/api/v1/instance/rules", ""},
		{"/api/v1/timelines/home", "id account.id"}, {"/api/v1/timelines/public?local=1", "id"},
		{"/api/v1/timelines/tag/spark?local=1", "id"}, {"/api/v1/endorsements", ""}, {"/api/v1/directory", ""},
		{"/api/v1/featured_tags/suggestions", ""}, {"/api/v1/announcements", "id content"},
		{"/api/v1/suggestions", ""}, {"/api/v1/streaming/health", ""},
		{"/api/v1/markers?timeline[]=home&timeline[]=notifications", "notifications.last_read_id"},
		{"/api/v1/accounts/{bob}/lists", "id"}, {"/api/v1/accounts/search?q=bo&following=0", "id"},
		{"/api/v1/accounts/{bob}/statuses?only_media=1&exclude_replies=1&limit=5", ""},
		{"/api/v2/search?q=bob&resolve=1&exclude_unreviewed=1", "accounts statuses hashtags"},
		{"POST /api/v1/statuses?status=From%20Python%20%23py&visibility=unlisted&sensitive=1&spoiler_text=cw&language=en",
			"id spoiler_text"},
		{"PUT /api/v1/statuses/{made}?status=Edited&spoiler_text=cw2", "edited_at"},
		{"/api/v1/statuses/{made}/history", "content created_at"}, {"/api/v1/statuses/{made}/source", "text"},
		{"POST /api/v1/statuses?status=Poll&poll[options][]=a&poll[options][]=b&poll[expires_in]=3600&poll[multiple]=0",
			"id poll.id poll.own_votes poll.options"},
		{"/api/v1/polls/{made}", "options voted"}, {"DELETE /api/v1/statuses/{made}", "text"},
		{"POST /api/v1/statuses/{post}/mute", "muted"}, {"POST /api/v1/statuses/{post}/unmute", ""},
		{"POST /api/v1/filters?phrase=lamp&context[]=home&context[]=public&whole_word=1", "id phrase context"},
		{"/api/v1/filters", "id"}, {"PUT /api/v1/filters/{made}?phrase=lamps", "phrase"},
		{"DELETE /api/v1/filters/{made}", ""},
		{"POST /api/v1/featured_tags?name=py", "id name"}, {"DELETE /api/v1/featured_tags/{made}", ""},
		{"POST /api/v1/lists?title=py", "id title"}, {"PUT /api/v1/lists/{made}?title=py2", "title"},
		{"POST /api/v1/lists/{made}/accounts?account_ids[]={bob}", ""}, {"/api/v1/lists/{made}/accounts", "id"},
		{"DELETE /api/v1/lists/{made}/accounts?account_ids[]={bob}", ""}, {"DELETE /api/v1/lists/{made}", ""},
		{"POST /api/v1/accounts/{cid}/note?comment=a%20note", "note"},
		{"PATCH /api/v1/accounts/update_credentials?note=By%20Python&fields_attributes[0][name]=a&" +
			"fields_attributes[0][value]=b", "note fields"},
		{"POST /api/v1/markers?home[last_read_id]={post}", "home.last_read_id"},
		{"POST /api/v1/notifications/clear", ""},
	},
	"toot": {
		{"/api/v1/instance", "uri title version"}, {"/api/v1/accounts/verify_credentials", "username statuses_count"},
		{"/api/v1/timelines/home?limit=3", "id content account.acct created_at"},
		{"/api/v1/timelines/public?local=false&limit=2", "id"},
		{"/api/v1/notifications?limit=20", ""},
		{"/api/v1/notifications?exclude_types[]=follow&exclude_types[]=favourite&exclude_types[]=reblog&" +
			"exclude_types[]=poll&exclude_types[]=follow_request&limit=20", ""},
		{"/api/v2/search?q=%40bob&resolve=True&type=accounts", "accounts"},
		{"/api/v2/search?q=%23spark&resolve=False", "hashtags"},
		{"POST /api/v1/statuses?status=Later&scheduled_at={later}", "id scheduled_at"},
		{"POST /api/v1/statuses?status=A%20reply&in_reply_to_id={post}", "id url in_reply_to_id"},
		{"POST /api/v1/statuses/{made}/pin", "pinned"}, {"POST /api/v1/statuses/{made}/unpin", ""},
		{"DELETE /api/v1/statuses/{made}", ""},
		{"POST /api/v1/statuses/{post}/favourite", "favourited"}, {"POST /api/v1/statuses/{post}/reblog", "reblog.id"},
		{"/api/v1/statuses/{post}/reblogged_by", "acct"}, {"POST /api/v1/statuses/{post}/unreblog", ""},
		{"POST /api/v1/statuses/{post}/bookmark", "bookmarked"}, {"/api/v1/bookmarks?limit=10", "id"},
		{"POST /api/v1/accounts/{cid}/follow", "following"}, {"POST /api/v1/accounts/{cid}/unfollow", "id"},
		{"POST /api/v1/accounts/{cid}/block", "blocking"},
		{"/api/v2/search?q=cid&resolve=True&type=accounts", "accounts.0.id"}, // before unblock
		{"POST /api/v1/accounts/{cid}/unblock", "id"},
		{"POST /api/v1/tags/spark/follow", "following"}, {"/api/v1/followed_tags", "name url"},
		{"POST /api/v1/tags/spark/unfollow", "name"},
	},
	"Elk": {
		{"/api/v2/instance", "domain title thumbnail configuration.urls.streaming configuration.translation.enabled"},
		{"/api/v1/instance", "uri title urls.streaming_api"},
		{"/api/v1/accounts/verify_credentials", "id acct username display_name"},
		{"/api/v1/preferences", "posting:default:visibility"},
		{"/api/v1/custom_emojis", ""},
		{"/api/v1/markers?timeline[]=notifications", "notifications.last_read_id notifications.version"},
		{"/api/v1/notifications?limit=30", ""},
		{"/api/v1/timelines/home?limit=30", "id account.id uri url"},
		{"/api/v1/followed_tags", ""},
		{"/api/v1/timelines/public?limit=30", "id"},
		{"/api/v1/timelines/public?limit=30&local=true", "id"},
		{"/api/v1/trends/statuses", ""}, {"/api/v1/trends/tags?limit=20", ""}, {"/api/v1/trends/links", ""},
		{"/api/v2/suggestions?limit=20", ""},
		{"/api/v1/accounts/lookup?acct=bob", "id acct"},
		{"/api/v1/accounts/{bob}/statuses?limit=30&exclude_replies=true", "id"},
		{"/api/v1/accounts/{bob}/statuses?limit=30&only_media=true", ""},
		{"/api/v1/accounts/{bob}/followers", "id"}, {"/api/v1/accounts/{ann}/following", "id"},
		{"/api/v1/statuses/{post}", "id"}, {"/api/v1/statuses/{post}/context", "ancestors descendants"},
		{"/api/v1/statuses/{post}/favourited_by", ""}, {"/api/v1/statuses/{post}/reblogged_by", ""},
		{"/api/v1/lists", "id"}, {"/api/v1/timelines/list/{list}", "id"}, {"/api/v1/lists/{list}/accounts", "id"},
		{"/api/v1/timelines/tag/spark", "id"}, {"/api/v1/tags/spark", "name following"},
		{"/api/v1/conversations", ""}, {"/api/v1/bookmarks", ""}, {"/api/v1/favourites", ""},
		{"/api/v2/search?q=spark&resolve=true", "accounts hashtags"},
		{"/api/v1/mutes", ""}, {"/api/v1/blocks", ""}, {"/api/v1/domain_blocks", ""}, {"/api/v2/filters", ""},
		{"/api/v1/accounts/{bob}", "id acct url note avatar header fields"}, {"/api/v1/scheduled_statuses", ""},
		{"/api/v1/accounts/{bob}/statuses?pinned=true", ""},
		{"/api/v1/accounts/{bob}/statuses?only_media=true&exclude_replies=false", ""},
		{"/api/v1/accounts/{bob}/statuses?max_id={post}&limit=5", ""},
		{"/api/v1/accounts/{bob}/statuses?min_id={post}&limit=5", ""},
		{"/api/v1/accounts/relationships?id[]={bob}&id[]={cid}", "id following"},
		{"/api/v1/notifications?limit=30&types[]=mention", ""}, {"/api/v1/followed_tags?limit=20", ""},
		{"/api/v1/lists/{list}", "id title"}, {"/api/v1/lists/{list}/accounts?limit=1000", "id"},
		{"/api/v2/search?q=sp&type=hashtags&limit=25&resolve=false&exclude_unreviewed=true", "hashtags"},
		{"/api/v2/search?q=b&type=accounts&limit=25&resolve=true", "accounts"},
		{"POST /api/v1/statuses?status=By%20Elk&poll[options][]=yes&poll[options][]=no&poll[expires_in]=86400&" +
			"quote_approval_policy=public&visibility=public&sensitive=false&spoiler_text=&language=ja",
			"id account.id poll.id poll.voted"},
		{"POST /api/v1/statuses/{made}/pin", "pinned"}, {"DELETE /api/v1/statuses/{made}", "id"},
		{"POST /api/v1/statuses?status=Quoted&quoted_status_id={post}&quote_approval_policy=public&visibility=public&" +
			"sensitive=false&spoiler_text=&language=ja", "id quote.state quote.quoted_status.id"},
		{"PUT /api/v1/statuses/{made}?status=Edited&quote_approval_policy=public&visibility=public&sensitive=false&" +
			"spoiler_text=&language=ja", "id edited_at"},
		{"/api/v1/statuses/{made}/history", "content created_at account.id"},
		{"POST /api/v1/statuses/{post}/reblog", "reblog.id"}, {"POST /api/v1/statuses/{post}/favourite", "favourited"},
		{"POST /api/v1/statuses/{post}/bookmark", "bookmarked"}, {"POST /api/v1/accounts/{cid}/follow", "following"},
		{"POST /api/v1/accounts/{cid}/mute?duration=0&notifications=true", "muting"},
		{"POST /api/v1/accounts/{cid}/unmute", "id"}, {"POST /api/v1/tags/spark/follow", "following"},
		{"PATCH /api/v1/accounts/update_credentials?note=By%20Elk", "source.note"},
		{"/nodeinfo/2.0", "software.name"}, {"/api/v1/timelines/home?limit=30&max_id={post}", ""},
		{"/api/v1/statuses/{post}/quotes", "id"},
		{"/api/v1/notifications?limit=30&types[]=favourite", ""}, {"/api/v1/notifications?limit=30&types[]=follow", ""},
		{"/api/v1/accounts/{bob}/statuses?limit=30&exclude_replies=false", "id"}, {"/api/v1/accounts/{bob}/lists", ""},
		{"POST /api/v1/statuses/{post}/unreblog", "id"}, {"POST /api/v1/statuses/{post}/unfavourite", "id"},
		{"POST /api/v1/statuses/{post}/unbookmark", "id"}, {"POST /api/v1/statuses/{post}/mute", "muted"},
		{"POST /api/v1/statuses/{post}/unmute", "id"}, {"POST /api/v1/tags/spark/unfollow", "name"},
		{"POST /api/v1/accounts/{cid}/note?comment=Met%20at%20Elk", "note"},
		{"POST /api/v1/accounts/{cid}/unfollow", "id"}, {"POST /api/v1/accounts/{cid}/block", "blocking"},
		{"POST /api/v1/accounts/{cid}/unblock", "id"},
		{"POST /api/v1/reports?account_id={cid}&comment=Spam&forward=false&category=spam", "id"},
		{"POST /api/v1/lists?title=From%20Elk", "id title"}, {"PUT /api/v1/lists/{made}?title=By%20Elk", "title"},
		{"POST /api/v1/lists/{made}/accounts?account_ids[]={bob}", ""},
		{"DELETE /api/v1/lists/{made}/accounts?account_ids[]={bob}", ""}, {"DELETE /api/v1/lists/{made}", ""},
	},
}

// All that clients ask for answers, with the fields that they read: docs/reports/mastodon-clients.md has it.
func TestSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streams)
	w.ids["later"] = time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	var table strings.Builder
	table.WriteString("Each request is one that the client sends; a test sends it.\n" +
		"An answer has the fields that the client reads; one of a list has them in its first item.\n\n" +
		"| client | version | request | answer |\n|---|---|---|---|\n")
	for _, client := range slices.Sorted(maps.Keys(sessions)) {
		if versions[client] == "" {
			t.Errorf("nothing says which version of %s it is", client)
		}
		for _, wish := range sessions[client] {
			a := w.grant(t, wish.path)
			if a.StatusCode != http.StatusOK {
				t.Errorf("%s: %s answered %s: %.200s", client, wish.path, a.Status, a.text)
				continue
			}
			var is any
			if wish.fields != "" {
				testenv.Must(t, json.Unmarshal(a.text, &is))
			}
			if list, ok := is.([]any); ok {
				if len(list) == 0 {
					t.Errorf("%s: %s is an empty list", client, wish.path)
					continue
				}
				is = list[0]
			}
			fmt.Fprintf(&table, "| %s | %s | `%s` | %d %s |\n", client, versions[client], wish.request(), a.StatusCode,
				strings.ReplaceAll(wish.fields, " ", ", "))
			for field := range strings.FieldsSeq(wish.fields) {
				if within(is, field) == nil {
					t.Errorf("%s: %s has no %s: %.300s", client, wish.path, field, a.text)
				}
			}
			if id, ok := within(is, "id").(string); ok && strings.HasPrefix(wish.path, "POST") {
				w.ids["made"] = id
			}
		}
	}
	testenv.Generated(t, "reports/mastodon-clients.md", "What clients of Mastodon ask for", table.String(), *update)
}

// request is the method and path of a wish.
func (w wish) request() string {
	if strings.HasPrefix(w.path, "/") {
		return "GET " + w.path
	}
	return w.path
}

// grant sends the request of a wish as ann.
func (w *world) grant(t testing.TB, path string) answer {
	t.Helper()
	path = w.fill(path)
	if strings.HasPrefix(path, "/") {
		return w.ask(t, w.people["ann"], "GET "+path, nil)
	}
	path, form, _ := strings.Cut(path, "?")
	return w.askAs(t, w.people["ann"], path, "application/x-www-form-urlencoded", strings.NewReader(form))
}

// within is a field of an answer, whose name has those of the objects and the places in lists around it.
func within(value any, field string) any {
	for name := range strings.SplitSeq(field, ".") {
		switch is := value.(type) {
		case map[string]any:
			value = is[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(is) {
				return nil
			}
			value = is[i]
		default:
			return nil
		}
	}
	return value
}
