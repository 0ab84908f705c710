package mastodon_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
)

// wish is a request that a client sends at its start or on one of its main pages, and the fields that it reads of the
// answer, or of the first item of a list. A list whose fields are asked for has an item.
type wish struct{ path, fields string }

// What web clients ask for, in this order, after the sign-in. They are GET requests; {names} stand for ids of the
// world.
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
	},
}

// All that Phanpy and Elk ask for answers, with the fields that they read.
func TestSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streams)
	for client, wishes := range sessions {
		for _, wish := range wishes {
			a := w.ask(t, w.people["ann"], "GET "+w.fill(wish.path), nil)
			if a.StatusCode != http.StatusOK {
				t.Errorf("%s: %s answered %s: %.200s", client, wish.path, a.Status, a.text)
				continue
			}
			var is any
			testenv.Must(t, json.Unmarshal(a.text, &is))
			if list, ok := is.([]any); ok && wish.fields != "" {
				if len(list) == 0 {
					t.Errorf("%s: %s is an empty list", client, wish.path)
					continue
				}
				is = list[0]
			}
			for field := range strings.FieldsSeq(wish.fields) {
				value := is
				for name := range strings.SplitSeq(field, ".") {
					object, _ := value.(map[string]any)
					value = object[name]
				}
				if value == nil {
					t.Errorf("%s: %s has no %s: %.300s", client, wish.path, field, a.text)
				}
			}
		}
	}
}
