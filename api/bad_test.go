package api_test

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hibana-sns/hibana/dev/emulators"
	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// Every bad request gets its 4xx as a problem document with a code, and leaves every
// document as it was.
func TestBadInput(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann, bob := e.join(t, "ann"), e.join(t, "bob")
	stranger := testenv.SignUp(t, "") // without a profile
	anonymous := signUpAnonymously(t)
	tweet := e.post(t, ann, map[string]any{"content": "first"})
	gone := e.post(t, ann, map[string]any{"content": "gone"})
	narrow := e.post(t, ann, map[string]any{"content": "for followers", "visibility": "followers"})
	e.do(t, "DELETE", "/v1/tweets/"+string(gone.ID), ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", "/v1/tweets/"+string(tweet.ID)+"/like", ann.token, nil).want(t, http.StatusNoContent, nil)
	e.do(t, "PUT", "/v1/tweets/"+string(tweet.ID)+"/like", bob.token, nil).want(t, http.StatusNoContent, nil)
	var likes struct {
		Items         []any
		NextPageToken string
	}
	e.do(t, "GET", "/v1/tweets/"+string(tweet.ID)+"/likes?pageSize=1", "", nil).want(t, http.StatusOK, &likes)
	const never = "0000000000000000aa"

	expired := testenv.Token(emulators.DefaultProject, map[string]any{
		"sub": string(ann.id), "iat": time.Now().Add(-2 * time.Hour).Unix(), "exp": time.Now().Add(-time.Hour).Unix(),
	})
	longAgo := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id),
		"auth_time": time.Now().Add(-time.Hour).Unix()})
	foreign := testenv.Token("demo-other", map[string]any{"sub": string(ann.id)})
	unknown := testenv.Token(emulators.DefaultProject, nil)
	admin := testenv.Token(emulators.DefaultProject, map[string]any{"sub": string(ann.id), "admin": true})
	slash := testenv.Token(emulators.DefaultProject, map[string]any{"sub": "a/b"})

	once := []string{"Idempotency-Key", "once"}
	orderItem := map[string]any{"productId": strings.Repeat("0", 20), "quantity": 1,
		"price": map[string]any{"amount": 1, "currency": "JPY"}}
	manyPieces := maps.Clone(orderItem)
	manyPieces["quantity"] = model.MaxGuestPieces + 1

	tests := []struct {
		name         string
		method, path string
		token        string
		body         any
		headers      []string
		status       int
		code         string
		names        string // what the detail must name
	}{
		// Bodies.
		{"malformed JSON", "POST", "/v1/tweets", ann.token, `{"content":`, nil, 400, "invalid_request", "body"},
		{"no body", "POST", "/v1/tweets", ann.token, nil, nil, 400, "invalid_request", "body"},
		{"null", "POST", "/v1/tweets", ann.token, `null`, nil, 400, "invalid_request", "object"},
		{"array", "POST", "/v1/tweets", ann.token, `[{"content":"x"}]`, nil, 400, "invalid_request", "object"},
		{"string", "POST", "/v1/tweets", ann.token, `"content"`, nil, 400, "invalid_request", "object"},
		{"trailing garbage", "POST", "/v1/tweets", ann.token, `{"content":"x"} {"content":"y"}`, nil, 400, "invalid_request",
			"body"},
		{"byte order mark", "POST", "/v1/tweets", ann.token, "\ufeff" + `{"content":"x"}`, nil, 400, "invalid_request",
			"body"},
		{"not UTF-8", "POST", "/v1/tweets", ann.token, "{\"content\":\"\xff\"}", nil, 400, "invalid_request", "UTF-8"},
		{"deep", "POST", "/v1/tweets", ann.token, `{"content":` + strings.Repeat("[", 100_000) + strings.Repeat("]",
			100_000) + `}`, nil, 400, "invalid_request", "body"},
		{"2 MiB", "POST", "/v1/tweets", ann.token, `{"content":"` + strings.Repeat("x", 2<<20) + `"}`, nil, 413, "too_large",
			" bytes"},
		{"form", "POST", "/v1/tweets", ann.token, `content=x`, []string{"Content-Type", "application/x-www-form-urlencoded"},
			415, "unsupported_media_type", "application/json"},
		{"plain text", "POST", "/v1/tweets", ann.token, `{"content":"x"}`, []string{"Content-Type", "text/plain"}, 415,
			"unsupported_media_type", "application/json"},
		{"strange media type", "POST", "/v1/tweets", ann.token, `{"content":"x"}`, []string{"Content-Type", ";+"}, 415,
			"unsupported_media_type", "application/json"},

		// Fields.
		{"number for text", "POST", "/v1/tweets", ann.token, `{"content":5}`, nil, 400, "invalid_request",
			"body.content: expected string"},
		{"null for text", "POST", "/v1/tweets", ann.token, `{"content":null}`, nil, 400, "content_required", "65535"},
		{"text for boolean", "POST", "/v1/tweets", ann.token, `{"content":"x","allowLikes":"no"}`, nil, 400,
			"invalid_request", "body.allowLikes: expected boolean"},
		{"duplicate key", "POST", "/v1/tweets", ann.token, `{"content":"x","content":5}`, nil, 400, "invalid_request",
			"body.content"},
		{"a count", "POST", "/v1/tweets", ann.token, `{"content":"x","likeCount":1000}`, nil, 400, "invalid_request",
			"body.likeCount"},
		{"an author", "POST", "/v1/tweets", ann.token, `{"content":"x","authorId":"bob"}`, nil, 400, "invalid_request",
			"body.authorId"},
		{"other case", "POST", "/v1/tweets", ann.token, `{"content":"x","Content":"y"}`, nil, 400, "invalid_request",
			"body.Content"},
		{"no content", "POST", "/v1/tweets", ann.token, `{}`, nil, 400, "content_required", "65535"},
		{"a bad media id", "POST", "/v1/tweets", ann.token, `{"media":["../x"]}`, nil, 400, "invalid_media_id", "24"},
		{"five media", "POST", "/v1/tweets", ann.token, `{"media":["a","b","c","d","e"]}`, nil, 400, "invalid_request",
			"body.media"},
		{"media twice", "POST", "/v1/tweets", ann.token, `{"media":["` + strings.Repeat("a", 24) + `","` +
			strings.Repeat("a", 24) + `"]}`, nil, 400, "too_many_media", "twice"},
		{"unknown media", "POST", "/v1/tweets", ann.token, `{"media":["` + strings.Repeat("a", 24) + `"]}`, nil, 404,
			"media_not_found", "no media"},
		{"an upload of no bytes", "POST", "/v1/media", ann.token, `{"contentType":"image/png","bytes":0}`, nil, 400,
			"invalid_request", "body.bytes"},
		{"a huge upload", "POST", "/v1/media", ann.token, map[string]any{"contentType": "image/png",
			"bytes": model.MaxImageBytes + 1}, nil, 400, "media_too_large", "1 to"},
		{"an upload of text", "POST", "/v1/media", ann.token, `{"contentType":"text/html","bytes":1}`, nil, 400,
			"media_type_unsupported", "image/jpeg"},
		{"a video as avatar", "POST", "/v1/media", ann.token, `{"contentType":"video/mp4","bytes":1,"kind":"avatar"}`, nil,
			400, "media_type_unsupported", "video/mp4"},
		{"an upload of another kind", "POST", "/v1/media", ann.token, `{"contentType":"image/png","bytes":1,"kind":"x"}`, nil,
			400, "invalid_request", "body.kind"},
		{"a long description", "POST", "/v1/media", ann.token, map[string]any{"contentType": "image/png", "bytes": 1,
			"alt": strings.Repeat("x", model.MaxAlt+1)}, nil, 400, "invalid_request", "1500"},
		{"media by a bad id", "GET", "/v1/media/x", ann.token, nil, nil, 400, "invalid_media_id", "24"},
		{"a file by a bad id", "GET", "/media/x/small", "", nil, nil, 400, "invalid_media_id", "24"},
		{"a bad expiry", "GET", "/media/x/small?expires=soon", "", nil, nil, 400, "invalid_request", "expires"},
		{"an avatar by a bad id", "PATCH", "/v1/users/me", ann.token, `{"avatarMedia":"x"}`, nil, 400, "invalid_media_id",
			"24"},
		{"two avatars", "PATCH", "/v1/users/me", ann.token, `{"avatar":"","avatarMedia":""}`, nil, 400, "two_avatars",
			"exclude"},
		{"blank content", "POST", "/v1/tweets", ann.token, map[string]any{"content": " \n\t"}, nil, 400, "content_required",
			"65535"},
		{"long content", "POST", "/v1/tweets", ann.token, map[string]any{"content": strings.Repeat("é", model.MaxContent+1)},
			nil, 400, "invalid_request", "65535"},
		{"long summary", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "summary": strings.Repeat("x",
			model.MaxSummary+1)}, nil, 400, "invalid_request", "500"},
		{"11 tags", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "tags": strings.Split("abcdefghijk", "")},
			nil, 400, "invalid_request", "10"},
		{"11 hashtags", "POST", "/v1/tweets", ann.token, map[string]any{"content": "#a #b #c #d #e #f #g #h #i #j #k"}, nil,
			400, "too_many_tags", "10"},
		{"long tag", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x",
			"tags": []string{strings.Repeat("x", 51)}}, nil, 400, "invalid_tag", "50"},
		{"tag with a slash", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "tags": []string{"a/b"}}, nil,
			400, "invalid_tag", ""},
		{"tags as text", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "tags": "a,b"}, nil, 400,
			"invalid_request", "body.tags"},
		{"reply to nonsense", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "replyTo": "../users"}, nil,
			400, "invalid_tweet_id", "18"},
		{"reply to nothing", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "replyTo": never}, nil, 404,
			"tweet_not_found", never},
		{"reply to deleted", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "replyTo": gone.ID}, nil, 410,
			"tweet_deleted", ""},
		{"key with a slash", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x"},
			[]string{"Idempotency-Key", "a/b"}, 400, "invalid_request", "header.Idempotency-Key"},
		{"long key", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x"},
			[]string{"Idempotency-Key", strings.Repeat("k", 65)}, 400, "invalid_request", "64"},
		{"key beyond ASCII", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x"},
			[]string{"Idempotency-Key", "clé"}, 400, "invalid_request", "ASCII"},
		{"short username", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "ab"}, nil, 400,
			"invalid_request", "3"},
		{"long username", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": strings.Repeat("a", 21)}, nil,
			400, "invalid_request", "20"},
		{"username in capitals", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "Carol"}, nil, 400,
			"invalid_username", "a–z"},
		{"reserved username", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "admin"}, nil, 400,
			"reserved_username", "admin"},
		{"blank nickname", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "carol", "nickname": "   "}, nil,
			400, "invalid_nickname", "50"},
		{"a name that looks reserved", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "adm1n"}, nil, 400,
			"reserved_username", "admin"},
		{"rename to a name that looks reserved", "PATCH", "/v1/users/me", ann.token,
			map[string]any{"username": "ann_support"}, nil, 400, "reserved_username", "support"},
		{"invisible nickname", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "carol",
			"nickname": "\u3164"}, nil, 400, "invalid_nickname", "seen"},
		{"nickname that turns the text", "PATCH", "/v1/users/me", ann.token, map[string]any{"nickname": "ann\u202e"}, nil,
			400, "invalid_nickname", "U+202E"},
		{"long nickname in NFC", "PATCH", "/v1/users/me", ann.token, map[string]any{"nickname": strings.Repeat("\u0958", 26)},
			nil, 400, "invalid_request", "50"},
		{"five fields", "PATCH", "/v1/users/me", ann.token, map[string]any{"fields": slices.Repeat(
			[]map[string]any{{"name": "a", "value": "b"}}, 5)}, nil, 400, "invalid_request", "4"},
		{"a field without a name", "PATCH", "/v1/users/me", ann.token, map[string]any{"fields": []map[string]any{
			{"name": " ", "value": "b"}}}, nil, 400, "invalid_profile_field", "seen"},
		{"a field that turns the text", "PATCH", "/v1/users/me", ann.token, map[string]any{"fields": []map[string]any{
			{"name": "a", "value": "b\u202e"}}}, nil, 400, "invalid_profile_field", "turn"},
		{"a field too long", "PATCH", "/v1/users/me", ann.token, map[string]any{"fields": []map[string]any{
			{"name": "a", "value": strings.Repeat("b", 256)}}}, nil, 400, "invalid_request", "255"},
		{"a field that says that it is verified", "PATCH", "/v1/users/me", ann.token, map[string]any{
			"fields": []map[string]any{{"name": "a", "value": "b", "verifiedAt": "2026-01-01T00:00:00Z"}}}, nil, 400,
			"invalid_request", "verifiedAt"},
		{"long pronouns", "PATCH", "/v1/users/me", ann.token, map[string]any{"pronouns": strings.Repeat("b", 41)}, nil, 400,
			"invalid_request", "40"},
		{"pronouns of two lines", "PATCH", "/v1/users/me", ann.token, map[string]any{"pronouns": "a\nb"}, nil, 400,
			"invalid_profile_field", "control"},
		{"avatar over http", "PATCH", "/v1/users/me", ann.token, map[string]any{"avatar": "http://example.com/a.png"}, nil,
			400, "invalid_avatar", "https"},
		{"avatar with a password", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "carol",
			"avatar": "https://a:b@example.com"}, nil, 400, "invalid_avatar", "user name"},
		{"long avatar", "PATCH", "/v1/users/me", ann.token, map[string]any{"avatar": "https://" +
			strings.Repeat("a", model.MaxAvatar)}, nil, 400, "invalid_request", "2048"},
		{"content that shows nothing", "POST", "/v1/tweets", ann.token, map[string]any{"content": "\u200b"}, nil, 400,
			"content_required", "seen"},
		{"a count of one's own", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "carol",
			"followerCount": 9}, nil, 400, "invalid_request", "body.followerCount"},
		{"administrator by wish", "PATCH", "/v1/users/me", ann.token, map[string]any{"isAdmin": true}, nil, 400,
			"invalid_request", "body.isAdmin"},
		{"taken username", "POST", "/v1/users", stranger.IDToken, map[string]any{"username": "ann"}, nil, 409,
			"username_taken", "ann"},
		{"second profile", "POST", "/v1/users", ann.token, map[string]any{"username": "ann2"}, nil, 409, "user_exists", ""},
		{"rename to a taken name", "PATCH", "/v1/users/me", ann.token, map[string]any{"username": "bob"}, nil, 409,
			"username_taken", "bob"},
		{"empty patch", "PATCH", "/v1/users/me", ann.token, `{}`, nil, 400, "empty_patch", ""},
		{"patch with null", "PATCH", "/v1/users/me", ann.token, `{"nickname": null}`, nil, 400, "invalid_request",
			"nickname"},
		{"patch of no profile", "PATCH", "/v1/users/me", stranger.IDToken, map[string]any{"nickname": "Carol"}, nil, 404,
			"user_not_found", ""},

		// Callers.
		{"no token", "POST", "/v1/tweets", "", map[string]any{"content": "x"}, nil, 401, "unauthenticated", ""},
		{"no token, bad body", "POST", "/v1/tweets", "", `{`, nil, 401, "unauthenticated", ""},
		{"no token for the timeline", "GET", "/v1/timeline", "", nil, nil, 401, "unauthenticated", ""},
		{"no token for me", "GET", "/v1/users/me/followers", "", nil, nil, 401, "unauthenticated", ""},
		{"nonsense token", "POST", "/v1/tweets", "abc", map[string]any{"content": "x"}, nil, 401, "invalid_token", ""},
		{"nonsense token, public page", "GET", "/v1/tags", "a.b.c", nil, nil, 401, "invalid_token", ""},
		{"expired token", "POST", "/v1/tweets", expired, map[string]any{"content": "x"}, nil, 401, "expired_token", ""},
		{"token of another project", "POST", "/v1/tweets", foreign, map[string]any{"content": "x"}, nil, 401, "invalid_token",
			""},
		{"token of nobody", "POST", "/v1/tweets", unknown, map[string]any{"content": "x"}, nil, 401, "invalid_token", ""},
		{"token of an impossible user", "POST", "/v1/tweets", slash, map[string]any{"content": "x"}, nil, 401,
			"invalid_token", ""},
		{"other scheme", "POST", "/v1/tweets", "", map[string]any{"content": "x"}, []string{"Authorization", "Basic YTpi"},
			401, "invalid_token", "Bearer"},
		{"scheme alone", "POST", "/v1/tweets", "", map[string]any{"content": "x"}, []string{"Authorization", "Bearer"}, 401,
			"invalid_token", "Bearer"},
		{"anonymous post", "POST", "/v1/tweets", anonymous, map[string]any{"content": "x"}, nil, 403, "anonymous", ""},
		{"anonymous profile", "POST", "/v1/users", anonymous, map[string]any{"username": "nobody"}, nil, 403, "anonymous",
			""},
		{"post without a profile", "POST", "/v1/tweets", stranger.IDToken, map[string]any{"content": "x"}, nil, 403,
			"profile_required", ""},
		{"follow without a profile", "PUT", "/v1/users/" + string(ann.id) + "/follow", stranger.IDToken, nil, nil, 403,
			"profile_required", ""},
		{"block without a profile", "PUT", "/v1/users/" + string(ann.id) + "/block", stranger.IDToken, nil, nil, 403,
			"profile_required", ""},
		{"like without a profile", "PUT", "/v1/tweets/" + string(tweet.ID) + "/like", stranger.IDToken, nil, nil, 403,
			"profile_required", ""},
		{"share without a profile", "PUT", "/v1/tweets/" + string(tweet.ID) + "/share", stranger.IDToken, nil, nil, 403,
			"profile_required", ""},
		{"quote of nonsense", "POST", "/v1/tweets", ann.token, `{"content":"x","quoteOf":"x"}`, nil, 400, "invalid_tweet_id",
			""},
		{"number to quote", "POST", "/v1/tweets", ann.token, `{"content":"x","quoteOf":1}`, nil, 400, "invalid_request",
			"body.quoteOf: expected string"},
		{"text for allowQuotes", "POST", "/v1/tweets", ann.token, `{"content":"x","allowQuotes":"no"}`, nil, 400,
			"invalid_request", "body.allowQuotes: expected boolean"},
		{"a policy that is none", "POST", "/v1/tweets", ann.token, `{"content":"x","replyPolicy":"friends"}`, nil, 400,
			"invalid_request", "body.replyPolicy: expected value to be one of"},
		{"an edit to a policy that is none", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"quotePolicy":""}`, nil,
			400, "invalid_request", "body.quotePolicy: expected value to be one of"},
		{"null for a policy", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"replyPolicy":null}`, nil, 400,
			"invalid_request", ""},
		{"a draft with a policy that is none", "POST", "/v1/drafts", ann.token, `{"content":"x","quotePolicy":"all"}`, nil,
			400, "invalid_request", "body.quotePolicy: expected value to be one of"},
		{"withdrawal from nonsense", "DELETE", "/v1/tweets/" + string(tweet.ID) + "/quotes/x", ann.token, nil, nil, 400,
			"invalid_tweet_id", ""},
		{"withdrawal of nonsense", "DELETE", "/v1/tweets/x/quotes/" + string(tweet.ID), ann.token, nil, nil, 400,
			"invalid_tweet_id", ""},
		{"withdrawal from no quote", "DELETE", "/v1/tweets/" + string(tweet.ID) + "/quotes/" + string(tweet.ID), ann.token,
			nil, nil, 404, "quote_not_found", ""},
		{"withdrawal from what is gone", "DELETE", "/v1/tweets/" + string(tweet.ID) + "/quotes/" + string(gone.ID), ann.token,
			nil, nil, 410, "tweet_deleted", ""},
		{"fold of nonsense", "PUT", "/v1/tweets/x/fold", ann.token, nil, nil, 400, "invalid_tweet_id", ""},
		{"fold of nothing", "PUT", "/v1/tweets/" + never + "/fold", ann.token, nil, nil, 404, "tweet_not_found", ""},
		{"fold of what is gone", "PUT", "/v1/tweets/" + string(gone.ID) + "/fold", ann.token, nil, nil, 410, "tweet_deleted",
			""},
		{"fold of no reply", "PUT", "/v1/tweets/" + string(tweet.ID) + "/fold", ann.token, nil, nil, 400, "not_a_reply", ""},
		{"a language that is none", "PATCH", "/v1/users/" + string(ann.id), ann.token, `{"language":"?"}`, nil, 400,
			"invalid_language", ""},
		{"suggestions of no language", "GET", "/v1/suggestions?language=%3F", ann.token, nil, nil, 400, "invalid_language",
			""},
		{"more suggestions than there are", "GET", "/v1/suggestions?limit=21", ann.token, nil, nil, 400, "invalid_request",
			"query.limit"},
		{"dismissal of nonsense", "DELETE", "/v1/suggestions/a%2Fb", ann.token, nil, nil, 400, "invalid_user_id", ""},
		{"an order of the directory that is none", "GET", "/v1/directory?order=old", "", nil, nil, 400, "invalid_request",
			"query.order"},
		{"directory of no language", "GET", "/v1/directory?language=%3F", "", nil, nil, 400, "invalid_language", ""},
		{"familiar followers of nobody", "GET", "/v1/users/nobody/familiarFollowers", ann.token, nil, nil, 404,
			"user_not_found", ""},
		{"all users for a user", "GET", "/v1/users", ann.token, nil, nil, 403, "not_admin", ""},
		{"a setting of held replies that is none", "PATCH", "/v1/users/" + string(ann.id), ann.token, `{"holdReplies":"all"}`,
			nil, 400, "invalid_request", "body.holdReplies: expected value to be one of"},
		{"a conversation with nobody", "POST", "/v1/conversations", ann.token, map[string]any{"memberIds": []string{},
			"text": "x"}, nil, 400, "invalid_request", "body.memberIds"},
		{"a conversation with oneself", "POST", "/v1/conversations", ann.token, map[string]any{"text": "x",
			"memberIds": []model.UserID{ann.id}}, nil, 400, "invalid_members", ""},
		{"a conversation with a stranger to the service", "POST", "/v1/conversations", ann.token, map[string]any{"text": "x",
			"memberIds": []string{"nobody"}}, nil, 404, "user_not_found", ""},
		{"a conversation without a text", "POST", "/v1/conversations", ann.token, map[string]any{"text": " ",
			"memberIds": []string{"nobody"}}, nil, 400, "content_required", ""},
		{"a message to nonsense", "POST", "/v1/conversations/x/messages", ann.token, map[string]any{"text": "x"}, nil, 400,
			"invalid_conversation_id", ""},
		{"a message to nothing", "POST", "/v1/conversations/0123456789abcdef0123456789abcdef/messages", ann.token,
			map[string]any{"text": "x"}, nil, 404, "conversation_not_found", ""},
		{"the read mark of nonsense", "PUT", "/v1/conversations/0123456789abcdef0123456789abcdef/read", ann.token,
			map[string]any{"messageId": "x"}, nil, 400, "invalid_message_id", ""},
		{"a reaction of words", "PUT", "/v1/conversations/0123456789abcdef0123456789abcdef/messages/" +
			"202611-0000-000000001/reaction", ann.token, map[string]any{"emoji": "yes"}, nil, 400, "invalid_emoji", ""},
		{"a mute until the year 10000", "PATCH", "/v1/conversations/0123456789abcdef0123456789abcdef", ann.token,
			map[string]any{"mutedUntil": "9999-12-31T23:59:59-12:00"}, nil, 400, "invalid", "mutedUntil"},
		{"an announcement of the year 0", "PUT", "/v1/admin/announcements/old", admin, map[string]any{"title": "x",
			"startsAt": "0000-01-01T00:00:00Z"}, nil, 400, "invalid_announcement", "startsAt"},
		{"an invitation for 1,001", "POST", "/v1/admin/invitations", admin, map[string]any{"maxUses": 1001}, nil, 400,
			"invalid_request", "maxUses"},
		{"an AI model with a slash", "PUT", "/v1/admin/ai-models/a%2Fb", admin, map[string]any{}, nil, 400,
			"invalid_ai_model",
			""},
		{"an agent that acts each second", "PUT", "/v1/admin/agents/ann", admin,
			map[string]any{"model": "m", "everyMinutes": 0, "budget": map[string]any{}}, nil, 400,
			"invalid_request", "everyMinutes"},
		{"an appeal without a text", "PUT", "/v1/users/me/decisions/x/appeal", ann.token, map[string]any{"text": ""}, nil,
			400,
			"invalid_request", "text"},
		{"an answer without a text", "PUT", "/v1/admin/appeals/x", admin, map[string]any{"state": "upheld"}, nil, 400,
			"invalid_request", "answer"},
		{"an answer that leaves an appeal open", "PUT", "/v1/admin/appeals/x", admin,
			map[string]any{"state": "open", "answer": "x"}, nil, 400, "invalid_request", "state"},
		{"an invitation that is no code", "DELETE", "/v1/admin/invitations/a_b", admin, nil, nil, 403, "invitation_invalid",
			""},
		{"a tag that may be a trend perhaps", "PUT", "/v1/admin/trends/tags/go", admin, map[string]any{"decision": "maybe"},
			nil, 400, "invalid_request", "decision"},
		{"a review of a tweet that is no id", "PUT", "/v1/admin/trends/tweets/x", admin,
			map[string]any{"decision": "refused"}, nil, 400, "invalid_tweet_id", ""},
		{"a review of trends that nobody asked for", "PUT", "/v1/admin/trends/review", admin, map[string]any{}, nil, 400,
			"invalid_request", "needed"},
		{"an instance of nothing", "PATCH", "/v1/admin/instance", admin, map[string]any{}, nil, 400, "empty_patch", ""},
		{"an instance without rules at all", "PATCH", "/v1/admin/instance", admin, map[string]any{"rules": nil}, nil, 400,
			"invalid_request", "rules"},
		{"31 rules", "PATCH", "/v1/admin/instance", admin, map[string]any{"rules": strings.Split(strings.Repeat("x ", 31),
			" ")[:31]}, nil, 400, "invalid_request", "30"},
		{"a contact without a host", "PATCH", "/v1/admin/instance", admin, map[string]any{"contactEmail": "x"}, nil, 400,
			"invalid_instance", "contactEmail"},
		{"a contact that is nobody's id", "PATCH", "/v1/admin/instance", admin, map[string]any{"contactUser": "a/b"}, nil,
			400, "invalid_user_id", ""},
		{"a consent to version 0", "PUT", "/v1/users/me/terms", ann.token, map[string]any{"version": 0}, nil, 400,
			"invalid_request", "version"},
		{"a consent to terms that are not there", "PUT", "/v1/users/me/terms", ann.token, map[string]any{"version": 1}, nil,
			409, "terms_changed", ""},
		{"a consent by nobody", "PUT", "/v1/users/me/terms", "", map[string]any{"version": 1}, nil, 401, "unauthenticated",
			""},
		{"policy of nothing", "PATCH", "/v1/users/me/settings/notificationPolicy", ann.token, map[string]any{}, nil, 400,
			"empty_patch", ""},
		{"policy of nonsense", "PATCH", "/v1/users/me/settings/notificationPolicy", ann.token,
			map[string]any{"newAccounts": "hide"}, nil, 400, "invalid_request", "newAccounts"},
		{"policy of null", "PATCH", "/v1/users/me/settings/notificationPolicy", ann.token,
			map[string]any{"newAccounts": nil}, nil, 400, "invalid_request", "newAccounts"},
		{"acceptance of no request", "POST", "/v1/users/me/notificationRequests/" + string(bob.id) + "/accept", ann.token,
			nil, nil, 404, "notification_request_not_found", ""},
		{"dismissal of no request", "DELETE", "/v1/users/me/notificationRequests/" + string(bob.id), ann.token, nil, nil, 404,
			"notification_request_not_found", ""},
		{"approval of nonsense", "POST", "/v1/heldReplies/x/approve", ann.token, nil, nil, 400, "invalid_held_reply_id", ""},
		{"approval of nothing", "POST", "/v1/heldReplies/0123456789abcdef0123/approve", ann.token, nil, nil, 404,
			"held_reply_not_found", ""},
		{"refusal of nonsense", "DELETE", "/v1/heldReplies/x", ann.token, nil, nil, 400, "invalid_held_reply_id", ""},
		{"refusal of nothing", "DELETE", "/v1/heldReplies/0123456789abcdef0123", ann.token, nil, nil, 404,
			"held_reply_not_found", ""},
		{"quote of nothing", "POST", "/v1/tweets", ann.token, `{"content":"x","quoteOf":"` + never + `"}`, nil, 404,
			"tweet_not_found", ""},
		{"quote of what is gone", "POST", "/v1/tweets", ann.token, `{"content":"x","quoteOf":"` + string(gone.ID) + `"}`, nil,
			410, "tweet_deleted", ""},
		{"quotes of nonsense", "GET", "/v1/tweets/x/quotes", "", nil, nil, 400, "invalid_tweet_id", ""},
		{"quotes of what is gone", "GET", "/v1/tweets/" + string(gone.ID) + "/quotes", "", nil, nil, 410, "tweet_deleted",
			""},
		{"a page of replies as one of quotes", "GET", "/v1/tweets/" + string(tweet.ID) + "/quotes?pageToken=" +
			likes.NextPageToken, "", nil, nil, 400, "invalid_page_token", ""},
		{"shares of nonsense", "GET", "/v1/tweets/%20/shares", "", nil, nil, 400, "invalid_tweet_id", ""},
		{"shares of nothing", "GET", "/v1/tweets/" + never + "/shares", "", nil, nil, 404, "tweet_not_found", ""},
		{"shares of what is gone", "GET", "/v1/tweets/" + string(gone.ID) + "/shares", "", nil, nil, 410, "tweet_deleted",
			""},
		{"shares of nobody", "GET", "/v1/users/nobody/shares", "", nil, nil, 404, "user_not_found", ""},
		{"a page of likes as one of shares", "GET", "/v1/tweets/" + string(tweet.ID) + "/shares?pageToken=" +
			likes.NextPageToken, "", nil, nil, 400, "invalid_page_token", ""},
		{"bookmark without a profile", "PUT", "/v1/tweets/" + string(tweet.ID) + "/bookmark", stranger.IDToken, nil, nil, 403,
			"profile_required", ""},
		{"bookmark of no id", "PUT", "/v1/tweets/x/bookmark", ann.token, nil, nil, 400, "invalid_tweet_id", ""},
		{"poll of one option", "POST", "/v1/tweets", ann.token, `{"content":"x","poll":{"options":["a"],"minutes":5}}`, nil,
			400, "invalid_request", "body.poll.options"},
		{"poll of five options", "POST", "/v1/tweets", ann.token,
			`{"content":"x","poll":{"options":["a","b","c","d","e"],"minutes":5}}`, nil, 400, "invalid_request", "4"},
		{"poll of 4 minutes", "POST", "/v1/tweets", ann.token, `{"content":"x","poll":{"options":["a","b"],"minutes":4}}`,
			nil, 400, "invalid_request", "5"},
		{"poll of 8 days", "POST", "/v1/drafts", ann.token, `{"content":"x","poll":{"options":["a","b"],"minutes":11520}}`,
			nil, 400, "invalid_request", "10080"},
		{"poll of the same", "POST", "/v1/tweets", ann.token, `{"content":"x","poll":{"options":["a"," a"],"minutes":5}}`,
			nil, 400, "invalid_poll", "same"},
		{"poll of a long option", "POST", "/v1/tweets", ann.token, `{"content":"x","poll":{"options":["a","` +
			strings.Repeat("é", 81) + `"],"minutes":5}}`, nil, 400, "too_long", "80"},
		{"poll that shows nothing", "POST", "/v1/drafts", ann.token,
			`{"content":"x","poll":{"options":["a","\u200b"],"minutes":5}}`, nil, 400, "invalid_poll", "80"},
		{"poll of two lines", "POST", "/v1/tweets", ann.token, `{"content":"x","poll":{"options":["a","b\nc"],"minutes":5}}`,
			nil, 400, "invalid_poll", "80"},
		{"edit to a poll", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"poll":{"options":["a","b"],"minutes":5}}`,
			nil, 400, "invalid_request", "body.poll"},
		{"vote in no poll", "PUT", "/v1/tweets/" + string(tweet.ID) + "/vote", bob.token, `{"option":1}`, nil, 409, "no_poll",
			""},
		{"vote for option 5", "PUT", "/v1/tweets/" + string(tweet.ID) + "/vote", bob.token, `{"option":5}`, nil, 400,
			"invalid_request", "4"},
		{"vote for a text", "PUT", "/v1/tweets/" + string(tweet.ID) + "/vote", bob.token, `{"option":"yes"}`, nil, 400,
			"invalid_request", "body.option"},
		{"vote without an option", "PUT", "/v1/tweets/" + string(tweet.ID) + "/vote", bob.token, `{}`, nil, 400,
			"invalid_request", "option"},
		{"vote in what is gone", "PUT", "/v1/tweets/" + string(gone.ID) + "/vote", bob.token, `{"option":1}`, nil, 410,
			"tweet_deleted", ""},
		{"vote without a profile", "PUT", "/v1/tweets/" + string(tweet.ID) + "/vote", stranger.IDToken, `{"option":1}`, nil,
			403, "profile_required", ""},
		{"draft of nothing", "POST", "/v1/drafts", ann.token, `{"content":" "}`, nil, 400, "content_required", "65535"},
		{"draft of a field that a tweet has not", "POST", "/v1/drafts", ann.token, `{"content":"x","likeCount":1}`, nil, 400,
			"invalid_request", "body.likeCount"},
		{"draft for yesterday", "POST", "/v1/drafts", ann.token, `{"content":"x","publishAt":"2020-01-01T00:00:00Z"}`, nil,
			400, "invalid_publish_at", "366 days"},
		{"draft for the next century", "POST", "/v1/drafts", ann.token, `{"content":"x","publishAt":"2126-01-01T00:00:00Z"}`,
			nil, 400, "invalid_publish_at", "366 days"},
		{"draft for no time", "POST", "/v1/drafts", ann.token, `{"content":"x","publishAt":"soon"}`, nil, 400,
			"invalid_request", "body.publishAt"},
		{"draft that answers nonsense", "POST", "/v1/drafts", ann.token, `{"content":"x","replyTo":"x"}`, nil, 400,
			"invalid_tweet_id", "18"},
		{"draft without a profile", "POST", "/v1/drafts", stranger.IDToken, `{"content":"x"}`, nil, 403, "profile_required",
			""},
		{"draft with a long key", "POST", "/v1/drafts", ann.token, `{"content":"x"}`,
			[]string{"Idempotency-Key", strings.Repeat("k", 65)}, 400, "invalid_request", "64"},
		{"nonsense of a draft", "GET", "/v1/drafts/..%2Fusers", ann.token, nil, nil, 400, "invalid_draft_id", "20"},
		{"draft in capitals", "DELETE", "/v1/drafts/" + strings.Repeat("A", 20), ann.token, nil, nil, 400, "invalid_draft_id",
			"20"},
		{"no such draft", "GET", "/v1/drafts/" + strings.Repeat("a", 20), ann.token, nil, nil, 404, "draft_not_found", ""},
		{"change of no draft", "PUT", "/v1/drafts/" + strings.Repeat("a", 20), ann.token, `{"content":"x"}`, nil, 404,
			"draft_not_found", ""},
		{"change with half a tag", "PUT", "/v1/drafts/" + strings.Repeat("a", 20), ann.token, `{"content":"x"}`,
			[]string{"If-Match", `"0`}, 400, "invalid_if_match", ""},
		{"posting no draft", "POST", "/v1/drafts/" + strings.Repeat("a", 20) + "/publish", ann.token, nil, nil, 404,
			"draft_not_found", ""},
		{"no token for blocks", "GET", "/v1/users/me/blocks", "", nil, nil, 401, "unauthenticated", ""},
		{"who blocks a user, for the user", "GET", "/v1/admin/users/" + string(ann.id) + "/blockers", ann.token, nil, nil,
			403,
			"not_admin", ""},
		{"an account by its address, for a user", "POST", "/v1/admin/users:byEmail", ann.token, map[string]any{
			"email": "a@b", "reason": "x"}, nil, 403, "not_admin", ""},
		{"an account by what is no address", "POST", "/v1/admin/users:byEmail", admin, map[string]any{"email": "a b@c",
			"reason": "x"}, nil, 400, "invalid_email", ""},
		{"a letter without a reason", "POST", "/v1/admin/users/" + string(ann.id) + "/passwordReset", admin,
			map[string]any{"reason": " "}, nil, 400, "reason_required", ""},
		{"a letter to nobody", "POST", "/v1/admin/users/nobody/passwordReset", admin,
			map[string]any{"reason": "x"}, nil, 404, "account_not_found", ""},
		{"sign-in of nobody", "PUT", "/v1/users/me/sign-in", "", nil, nil, 401, "unauthenticated", ""},
		{"an account without a reason", "POST", "/v1/admin/users:byEmail", admin, map[string]any{"email": "a@b",
			"reason": " "}, nil, 400, "reason_required", ""},
		{"an account by an endless address", "POST", "/v1/admin/users:byEmail", admin, map[string]any{"email": "a@" +
			strings.Repeat("b", 319), "reason": "x"}, nil, 400, "invalid_request", "body.email"},
		{"an import for a user", "POST", "/v1/admin/users", ann.token, map[string]any{"username": "new", "reason": "x"}, nil,
			403, "not_admin", ""},
		{"an import without a reason", "POST", "/v1/admin/users", admin, map[string]any{"username": "new", "reason": " "},
			nil,
			400, "reason_required", ""},
		{"an import of a uid with a slash", "POST", "/v1/admin/users", admin, map[string]any{"uid": "a/b", "username": "new",
			"reason": "x"}, nil, 400, "invalid_user_id", ""},
		{"an import of a uid of 129", "POST", "/v1/admin/users", admin, map[string]any{"uid": strings.Repeat("a", 129),
			"username": "new", "reason": "x"}, nil, 400, "invalid_request", "body.uid"},
		{"an import of no address", "POST", "/v1/admin/users", admin, map[string]any{"email": "a b@c", "username": "new",
			"reason": "x"}, nil, 400, "invalid_email", ""},
		{"an import of a password alone", "POST", "/v1/admin/users", admin, map[string]any{"password": "12345678",
			"username": "new", "reason": "x"}, nil, 400, "invalid_email", ""},
		{"an import with a short password", "POST", "/v1/admin/users", admin, map[string]any{"email": "new@example.com",
			"password": "1234567", "username": "new", "reason": "x"}, nil, 400, "invalid_request", "body.password"},
		{"an import of a taken name", "POST", "/v1/admin/users", admin, map[string]any{"username": "ann", "reason": "x"}, nil,
			409, "username_taken", ""},
		{"an import of a user who is there", "POST", "/v1/admin/users", admin, map[string]any{"uid": ann.id,
			"username": "ann", "reason": "x"}, nil, 409, "user_exists", ""},
		{"an import of another id's form", "POST", "/v1/admin/users/" + string(ann.id) + "/tweets", admin, map[string]any{
			"id": "0002000000000013", "content": "x", "reason": "x"}, nil, 400, "invalid_tweet_id", "18"},
		{"an import of the future", "POST", "/v1/admin/users/" + string(ann.id) + "/tweets", admin, map[string]any{
			"id": tweet.ID[:2] + "7fffffffffffffff", "content": "x", "reason": "x"}, nil, 400, "invalid_tweet_id", "future"},
		{"an import of another author's id", "POST", "/v1/admin/users/" + string(bob.id) + "/tweets", admin, map[string]any{
			"id": tweet.ID, "content": "x", "reason": "x"}, nil, 400, "invalid_tweet_id", "begins with"},
		{"an import over a tweet", "POST", "/v1/admin/users/" + string(ann.id) + "/tweets", admin, map[string]any{
			"id": tweet.ID, "content": "first", "reason": "x"}, nil, 409, "tweet_exists", ""},
		{"an import over a deleted tweet", "POST", "/v1/admin/users/" + string(ann.id) + "/tweets", admin, map[string]any{
			"id": gone.ID, "content": "gone", "reason": "x"}, nil, 410, "tweet_deleted", ""},
		{"an import for nobody", "POST", "/v1/admin/users/" + stranger.UID + "/tweets", admin, map[string]any{"content": "x",
			"reason": "x"}, nil, 403, "profile_required", ""},
		{"an import of nothing to see", "POST", "/v1/admin/users/" + string(ann.id) + "/tweets", admin, map[string]any{
			"content": " ", "reason": "x"}, nil, 400, "content_required", ""},
		{"an import with a poll", "POST", "/v1/admin/users/" + string(ann.id) + "/tweets", admin, map[string]any{
			"content": "x", "poll": map[string]any{"options": []string{"a", "b"}, "minutes": 60}, "reason": "x"}, nil, 400,
			"invalid_request", "poll"},
		{"a guest's order without an address", "POST", "/v1/orders", anonymous, map[string]any{"items": []any{orderItem}},
			once, 400, "email_required", ""},
		{"a guest's order with half an address", "POST", "/v1/orders", anonymous, map[string]any{"items": []any{orderItem},
			"email": "ann@"}, once, 400, "invalid_email", ""},
		{"a guest's order with a long address", "POST", "/v1/orders", anonymous, map[string]any{"items": []any{orderItem},
			"email": strings.Repeat("a", 100) + "@x.example"}, once, 400, "email_too_long", ""},
		{"a guest's order with a text for an address", "POST", "/v1/orders", anonymous, map[string]any{
			"items": []any{orderItem}, "email": strings.Repeat("a", 300)}, once, 400, "invalid_request", "email"},
		{"a guest's order of many pieces", "POST", "/v1/orders", anonymous, map[string]any{"items": []any{manyPieces},
			"email": "ann@example.com"}, once, 409, "too_many_pieces", "10"},
		{"an unknown act", "POST", "/v1/admin/users/" + string(ann.id) + "/acts", admin, map[string]any{"kind": "share",
			"target": tweet.ID, "reason": "x"}, nil, 400, "invalid_request", "body.kind"},
		{"an act on nothing", "POST", "/v1/admin/users/" + string(ann.id) + "/acts", admin, map[string]any{"kind": "like",
			"target": "x", "reason": "x"}, nil, 400, "invalid_tweet_id", ""},
		{"an act on nobody's form", "POST", "/v1/admin/users/" + string(ann.id) + "/acts", admin, map[string]any{
			"kind": "block", "target": "a/b", "reason": "x"}, nil, 400, "invalid_user_id", ""},
		{"an act for a user", "POST", "/v1/admin/users/" + string(ann.id) + "/acts", ann.token, map[string]any{
			"kind": "block", "target": bob.id, "reason": "x"}, nil, 403, "not_admin", ""},
		{"an edit of any tweet, for a user", "PATCH", "/v1/admin/tweets/" + string(tweet.ID), bob.token, map[string]any{
			"content": "x", "reason": "x"}, nil, 403, "not_admin", ""},
		{"an edit of any tweet, of nothing", "PATCH", "/v1/admin/tweets/" + string(tweet.ID), admin, map[string]any{
			"reason": "x"}, nil, 400, "empty_patch", ""},
		{"an edit of any tweet, to null", "PATCH", "/v1/admin/tweets/" + string(tweet.ID), admin, map[string]any{
			"content": nil, "reason": "x"}, nil, 400, "invalid_request", "null"},
		{"an edit of a deleted tweet", "PATCH", "/v1/admin/tweets/" + string(gone.ID), admin, map[string]any{
			"content": "x", "reason": "x"}, nil, 410, "tweet_deleted", ""},
		{"who blocks nonsense", "GET", "/v1/admin/users/a%2Fb/blockers", admin, nil, nil, 400, "invalid_user_id", ""},
		{"a foreign page of blockers", "GET", "/v1/admin/users/" + string(ann.id) + "/blockers?pageToken=x", admin, nil, nil,
			400, "invalid_page_token", ""},
		{"users of a tag in another order", "GET", "/v1/tags/go/users?orderBy=name", "", nil, nil, 400, "invalid_request",
			"orderBy"},
		{"users of what is no tag", "GET", "/v1/tags/a%20b/users", "", nil, nil, 400, "invalid_tag", ""},
		{"users of a tag that nobody uses", "GET", "/v1/tags/nobody/users?orderBy=newest", "", nil, nil, 404, "tag_not_found",
			""},
		{"no token for bookmarks", "GET", "/v1/users/me/bookmarks", "", nil, nil, 401, "unauthenticated", ""},
		{"a foreign page of bookmarks", "GET", "/v1/users/me/bookmarks?pageToken=x", ann.token, nil, nil, 400,
			"invalid_page_token", ""},
		{"blank post without a profile", "POST", "/v1/tweets", stranger.IDToken, map[string]any{"content": " "}, nil, 400,
			"content_required", ""},
		{"somebody else's profile", "PATCH", "/v1/users/" + string(bob.id), ann.token, map[string]any{"nickname": "Bobby"},
			nil, 403, "not_you", ""},
		{"somebody else's tweet", "DELETE", "/v1/tweets/" + string(tweet.ID), bob.token, nil, nil, 403, "not_author", ""},

		{"no token for notifications", "GET", "/v1/notifications", "", nil, nil, 401, "unauthenticated", ""},
		{"no token for the count", "GET", "/v1/notifications/unreadCount", "", nil, nil, 401, "unauthenticated", ""},
		{"no token to read all", "PUT", "/v1/notifications/read", "", nil, nil, 401, "unauthenticated", ""},
		{"anonymous reading of all", "PUT", "/v1/notifications/read", anonymous, nil, nil, 403, "anonymous", ""},
		{"no token for an event", "GET", "/v1/admin/events/x", "", nil, nil, 401, "unauthenticated", ""},
		{"event for a user", "GET", "/v1/admin/events/x", ann.token, nil, nil, 403, "not_admin", ""},
		{"malformed event id", "GET", "/v1/admin/events/x", admin, nil, nil, 400, "invalid_event_id", "29"},
		{"event id that leaves the log", "GET", "/v1/admin/events/..%2F..%2Fusers", admin, nil, nil, 400, "invalid_event_id",
			"29"},
		{"unknown event", "GET", "/v1/admin/events/" + strings.Repeat("0", 29), admin, nil, nil, 404, "event_not_found", ""},

		// Paths.
		{"malformed notification", "PUT", "/v1/notifications/x/read", ann.token, nil, nil, 400, "invalid_notification_id",
			"follow_"},
		{"notification id that leaves the cards", "PUT", "/v1/notifications/..%2F" + string(bob.id) + "/read", ann.token, nil,
			nil, 400, "invalid_notification_id", ""},
		{"unknown notification", "PUT", "/v1/notifications/follow_2026-11-20/read", ann.token, nil, nil, 404,
			"notification_not_found", "follow_2026-11-20"},
		{"unknown path", "GET", "/v2/tweets", "", nil, nil, 404, "route_not_found", ""},
		{"root", "GET", "/", "", nil, nil, 404, "route_not_found", ""},
		{"trailing slash", "GET", "/v1/tags/", "", nil, nil, 404, "route_not_found", ""},
		{"wrong method", "POST", "/v1/tweets/" + string(tweet.ID), ann.token, `{}`, nil, 405, "method_not_allowed", "POST"},
		{"edit of nothing", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{}`, nil, 400, "empty_patch", ""},
		{"edit with null", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"tags": null}`, nil, 400,
			"invalid_request", "tags"},
		{"edit of what stays", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"replyTo": "` + never + `"}`, nil, 400,
			"invalid_request", "replyTo"},
		{"edit to nothing that shows", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"content": "\u2800"}`, nil,
			400, "content_required", "65535"},
		{"long edit", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token,
			map[string]any{"content": strings.Repeat("x", model.MaxContent+1)}, nil, 400, "invalid_request", "65535"},
		{"edit of another version", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"content": "x"}`,
			[]string{"If-Match", `"7-x"`}, 412, "tweet_edited", "its revision is 0"},
		{"edit with half a tag", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"content": "x"}`,
			[]string{"If-Match", `"0-x`}, 400, "invalid_if_match", "quotes"},
		{"edit by another", "PATCH", "/v1/tweets/" + string(tweet.ID), bob.token, `{"content": "x"}`, nil, 403, "not_author",
			""},
		{"edit of a deleted tweet", "PATCH", "/v1/tweets/" + string(gone.ID), ann.token, `{"content": "x"}`, nil, 410,
			"tweet_deleted", ""},
		{"revision 0", "GET", "/v1/tweets/" + string(tweet.ID) + "/revisions/0", "", nil, nil, 400, "invalid_request",
			"number"},
		{"no such revision", "GET", "/v1/tweets/" + string(tweet.ID) + "/revisions/1", "", nil, nil, 404,
			"revision_not_found", "1"},
		{"wrong method for me", "PUT", "/v1/users/me", ann.token, nil, nil, 405, "method_not_allowed", "PUT"},
		{"leave long after the sign-in", "DELETE", "/v1/users/me", longAgo, nil, nil, 403, "recent_sign_in_required",
			"5 minutes"},
		{"leave without a profile", "DELETE", "/v1/users/me", stranger.IDToken, nil, nil, 404, "user_not_found", ""},
		{"export long after the sign-in", "POST", "/v1/users/me/export", longAgo, nil, nil, 403, "recent_sign_in_required",
			"5 minutes"},
		{"export without a profile", "POST", "/v1/users/me/export", stranger.IDToken, nil, nil, 404, "user_not_found", ""},
		{"how far no export is", "GET", "/v1/users/me/export", stranger.IDToken, nil, nil, 404, "export_not_found", "7 days"},
		{"long name of a leaving", "GET", "/v1/leavings/" + strings.Repeat("x", 65), "", nil, nil, 400, "invalid_request",
			"64"},
		{"unknown user", "GET", "/v1/users/nobody", "", nil, nil, 404, "user_not_found", "nobody"},
		{"user of hearts", "GET", "/v1/users/%F0%9F%92%95", "", nil, nil, 404, "user_not_found", ""},
		{"user with NUL", "GET", "/v1/users/a%00b", "", nil, nil, 400, "invalid_user_id", ""},
		{"user with a slash", "GET", "/v1/users/a%2Fb", "", nil, nil, 400, "invalid_user_id", ""},
		{"user not UTF-8", "GET", "/v1/users/%ff", "", nil, nil, 400, "invalid_user_id", ""},
		{"reserved user id", "GET", "/v1/users/__x__", "", nil, nil, 400, "invalid_user_id", ""},
		{"user of 10 kB", "GET", "/v1/users/" + strings.Repeat("u", 10_000), "", nil, nil, 400, "invalid_user_id", "128"},
		{"unknown view", "GET", "/v1/users/" + string(ann.id) + "?view=secret", "", nil, nil, 400, "invalid_request", "full"},
		{"unknown username", "GET", "/v1/usernames/nobody", "", nil, nil, 404, "username_not_found", ""},
		{"impossible username", "GET", "/v1/usernames/__a__", "", nil, nil, 404, "username_not_found", ""},
		{"followers of nobody", "GET", "/v1/users/nobody/followers", "", nil, nil, 404, "user_not_found", ""},
		{"following of nobody", "GET", "/v1/users/nobody/following", "", nil, nil, 404, "user_not_found", ""},
		{"tweets of nobody", "GET", "/v1/users/nobody/tweets", "", nil, nil, 404, "user_not_found", ""},
		{"tags of nobody", "GET", "/v1/users/nobody/tags", "", nil, nil, 404, "user_not_found", ""},
		{"tags of a reserved user id", "GET", "/v1/users/__x__/tags", "", nil, nil, 400, "invalid_user_id", ""},
		{"likes of nobody", "GET", "/v1/users/nobody/likes", "", nil, nil, 404, "user_not_found", ""},
		{"follow nobody", "PUT", "/v1/users/nobody/follow", ann.token, nil, nil, 404, "user_not_found", ""},
		{"block nobody", "PUT", "/v1/users/nobody/block", ann.token, nil, nil, 404, "user_not_found", ""},
		{"follow oneself", "PUT", "/v1/users/" + string(ann.id) + "/follow", ann.token, nil, nil, 400, "self_follow", ""},
		{"follow me", "PUT", "/v1/users/me/follow", ann.token, nil, nil, 400, "self_follow", ""},
		{"block oneself", "PUT", "/v1/users/me/block", ann.token, nil, nil, 400, "self_block", ""},
		{"not following", "GET", "/v1/relationships/me/" + string(bob.id), ann.token, nil, nil, 404, "not_following", ""},
		{"malformed tweet id", "GET", "/v1/tweets/x", "", nil, nil, 400, "invalid_tweet_id", "18"},
		{"tweet id in capitals", "GET", "/v1/tweets/" + strings.ToUpper(never), "", nil, nil, 400, "invalid_tweet_id", "18"},
		{"unknown tweet", "GET", "/v1/tweets/" + never, "", nil, nil, 404, "tweet_not_found", never},
		{"deleted tweet", "GET", "/v1/tweets/" + string(gone.ID), "", nil, nil, 410, "tweet_deleted", ""},
		{"delete twice", "DELETE", "/v1/tweets/" + string(gone.ID), ann.token, nil, nil, 410, "tweet_deleted", ""},
		{"delete nothing", "DELETE", "/v1/tweets/" + never, ann.token, nil, nil, 404, "tweet_not_found", ""},
		{"like nothing", "PUT", "/v1/tweets/" + never + "/like", ann.token, nil, nil, 404, "tweet_not_found", ""},
		{"like nonsense", "PUT", "/v1/tweets/%20/like", ann.token, nil, nil, 400, "invalid_tweet_id", ""},
		{"like what is gone", "PUT", "/v1/tweets/" + string(gone.ID) + "/like", ann.token, nil, nil, 410, "tweet_deleted",
			""},
		{"replies to nothing", "GET", "/v1/tweets/" + never + "/replies", "", nil, nil, 404, "tweet_not_found", ""},
		{"likes of what is gone", "GET", "/v1/tweets/" + string(gone.ID) + "/likes", "", nil, nil, 410, "tweet_deleted", ""},
		{"tag with a space", "GET", "/v1/tags/a%20b", "", nil, nil, 400, "invalid_tag", ""},
		{"tag not UTF-8", "GET", "/v1/tags/%ff/tweets", "", nil, nil, 400, "invalid_tag", ""},
		{"no link", "GET", "/v1/linkCards", "", nil, nil, 400, "invalid_request", "required"},
		{"a link that is none", "GET", "/v1/linkCards?url=example.com", "", nil, nil, 400, "invalid_link", "https"},
		{"a link with a password", "GET", "/v1/linkCards?url=https://a:b@example.com/", "", nil, nil, 400, "invalid_link",
			""},
		{"a link to a file", "GET", "/v1/linkCards?url=file:///etc/passwd", "", nil, nil, 400, "invalid_link", ""},
		{"people without a query", "GET", "/v1/search/users", "", nil, nil, 400, "invalid_request", "required"},
		{"people by nothing", "GET", "/v1/search/users?q=%20", "", nil, nil, 400, "empty_query", ""},
		{"people by @", "GET", "/v1/search/users?q=@", "", nil, nil, 400, "empty_query", ""},
		{"people by 51 characters", "GET", "/v1/search/users?q=" + strings.Repeat("a", 51), "", nil, nil, 400,
			"too_long", "50"},
		{"people by what is not UTF-8", "GET", "/v1/search/users?q=%ff", "", nil, nil, 400, "invalid_text", "UTF-8"},
		{"people by a NUL", "GET", "/v1/search/users?q=a%00&pageToken=x", "", nil, nil, 400, "invalid_page_token", ""},
		{"trends in no language", "GET", "/v1/trends?language=english", "", nil, nil, 400, "invalid_language", "BCP 47"},
		{"trends in a long language", "GET", "/v1/trends?language=" + strings.Repeat("a", 36), "", nil, nil, 400,
			"invalid_request", "35"},
		{"tweets without a query", "GET", "/v1/search/tweets", "", nil, nil, 400, "invalid_request", "required"},
		{"tweets by punctuation", "GET", "/v1/search/tweets?q=!%3f", "", nil, nil, 400, "empty_query", "word"},
		{"tweets by days alone", "GET", "/v1/search/tweets?q=since:2026-01-01", "", nil, nil, 400, "empty_query", ""},
		{"tweets by 201 characters", "GET", "/v1/search/tweets?q=" + strings.Repeat("a", 201), "", nil, nil, 400,
			"too_long", "200"},
		{"tweets by what is not UTF-8", "GET", "/v1/search/tweets?q=%ff", "", nil, nil, 400, "invalid_text", "UTF-8"},
		{"tweets since no day", "GET", "/v1/search/tweets?q=a+since:yesterday", "", nil, nil, 400, "invalid_query",
			"2026-01-31"},
		{"tweets by two authors", "GET", "/v1/search/tweets?q=from:ann+from:bob", "", nil, nil, 400, "invalid_query", "once"},
		{"tweets with a part of two characters", "GET", "/v1/search/tweets?q=ab*", "", nil, nil, 400, "part_too_short", "3"},
		{"tweets without a word of the title", "GET", "/v1/search/tweets?q=title:!", "", nil, nil, 400, "invalid_query",
			"title:news"},
		{"tweets that are something", "GET", "/v1/search/tweets?q=is:funny", "", nil, nil, 400, "invalid_query", "is:reply"},
		{"tweets without a tag", "GET", "/v1/search/tweets?q=a+-%23b", "", nil, nil, 400, "invalid_query", "#b"},
		{"tweets of followed users, signed out", "GET", "/v1/search/tweets?q=a&following=true", "", nil, nil, 401,
			"unauthenticated", ""},
		{"tweets of followed users in words", "GET", "/v1/search/tweets?q=a&following=some", "", nil, nil, 400,
			"invalid_request", "query.following"},
		{"tweets with the page token of people", "GET", "/v1/search/tweets?q=a&pageToken=" + likes.NextPageToken, "", nil,
			nil, 400, "invalid_page_token", ""},
		{"unknown tag", "GET", "/v1/tags/nothing", "", nil, nil, 404, "tag_not_found", "nothing"},
		{"tweets of an unknown tag", "GET", "/v1/tags/nothing/tweets", "", nil, nil, 404, "tag_not_found", ""},

		// Threads, mutes, mentions.
		{"thread of nonsense", "GET", "/v1/tweets/x/thread", "", nil, nil, 400, "invalid_tweet_id", "18"},
		{"thread of a long id", "GET", "/v1/tweets/" + strings.Repeat("0", 10_000) + "/thread", "", nil, nil, 400,
			"invalid_tweet_id", "18"},
		{"thread of what is not UTF-8", "GET", "/v1/tweets/%ff/thread", "", nil, nil, 400, "invalid_tweet_id", "18"},
		{"thread of nothing", "GET", "/v1/tweets/" + never + "/thread", ann.token, nil, nil, 404, "tweet_not_found", never},
		{"thread of no levels", "GET", "/v1/tweets/" + string(tweet.ID) + "/thread?depth=0", "", nil, nil, 400,
			"invalid_request", "from 1 to 6"},
		{"thread of 7 levels", "GET", "/v1/tweets/" + string(tweet.ID) + "/thread?depth=7", "", nil, nil, 400,
			"invalid_request", "6"},
		{"thread of levels in words", "GET", "/v1/tweets/" + string(tweet.ID) + "/thread?depth=all", "", nil, nil, 400,
			"invalid_request", "query.depth"},
		{"thread of 0 replies", "GET", "/v1/tweets/" + string(tweet.ID) + "/thread?pageSize=0", "", nil, nil, 400,
			"invalid_request", "at least 1"},
		{"thread from a page of likes", "GET", "/v1/tweets/" + string(tweet.ID) + "/thread?pageToken=" + likes.NextPageToken,
			"", nil, nil, 400, "invalid_page_token", ""},
		{"thread from garbage", "GET", "/v1/tweets/" + string(tweet.ID) + "/thread?pageToken=%00", "", nil, nil, 400,
			"invalid_page_token", ""},
		{"mute of nonsense", "PUT", "/v1/tweets/x/mute", ann.token, nil, nil, 400, "invalid_tweet_id", "18"},
		{"mute of a path", "PUT", "/v1/tweets/..%2Fusers/mute", ann.token, nil, nil, 400, "invalid_tweet_id", "18"},
		{"mute of nothing", "PUT", "/v1/tweets/" + never + "/mute", ann.token, nil, nil, 404, "tweet_not_found", never},
		{"mute of what is gone", "PUT", "/v1/tweets/" + string(gone.ID) + "/mute", ann.token, nil, nil, 410, "tweet_deleted",
			""},
		{"mute by nobody", "PUT", "/v1/tweets/" + string(tweet.ID) + "/mute", "", nil, nil, 401, "unauthenticated", ""},
		{"mute without an account", "PUT", "/v1/tweets/" + string(tweet.ID) + "/mute", anonymous, nil, nil, 403, "anonymous",
			""},
		{"mute without a profile", "PUT", "/v1/tweets/" + string(tweet.ID) + "/mute", stranger.IDToken, nil, nil, 403,
			"profile_required", ""},
		{"end of a mute of nonsense", "DELETE", "/v1/tweets/x/mute", ann.token, nil, nil, 400, "invalid_tweet_id", "18"},
		{"end of a mute by nobody", "DELETE", "/v1/tweets/" + string(tweet.ID) + "/mute", "", nil, nil, 401,
			"unauthenticated", ""},
		{"hide what nobody shares", "PUT", "/v1/users/nobody/hideShares", ann.token, nil, nil, 404, "user_not_found",
			"nobody"},
		{"mute nobody", "PUT", "/v1/users/nobody/mute", ann.token, map[string]any{}, nil, 404, "user_not_found", "nobody"},
		{"mute oneself", "PUT", "/v1/users/me/mute", ann.token, map[string]any{}, nil, 400, "self_mute", ""},
		{"mute a NUL", "PUT", "/v1/users/a%00b/mute", ann.token, map[string]any{}, nil, 400, "invalid_user_id", ""},
		{"mute for no time", "PUT", "/v1/users/" + string(bob.id) + "/mute", ann.token, map[string]any{"seconds": 0}, nil,
			400, "invalid_request", "seconds"},
		{"mute too long", "PUT", "/v1/users/" + string(bob.id) + "/mute", ann.token, map[string]any{"seconds": 31_622_401},
			nil, 400, "invalid_request", "seconds"},
		{"mute another part", "PUT", "/v1/users/" + string(bob.id) + "/mute", ann.token, map[string]any{"part": "likes"},
			nil, 400, "invalid_request", "part"},
		{"mute by nobody", "PUT", "/v1/users/" + string(bob.id) + "/mute", "", map[string]any{}, nil, 401, "unauthenticated",
			""},
		{"remove a follower with a NUL", "DELETE", "/v1/users/me/followers/a%00b", ann.token, nil, nil, 400,
			"invalid_user_id", ""},
		{"remove a follower of somebody else", "DELETE", "/v1/users/" + string(bob.id) + "/followers/x", ann.token, nil, nil,
			404, "route_not_found", ""},
		{"remove a follower by nobody", "DELETE", "/v1/users/me/followers/x", "", nil, nil, 401, "unauthenticated", ""},
		{"hear of a stranger's posts", "PUT", "/v1/users/nobody/notify", ann.token, nil, nil, 404, "not_following", "nobody"},
		{"hear of posts by nobody", "PUT", "/v1/users/x/notify", "", nil, nil, 401, "unauthenticated", ""},
		{"note on nobody", "PUT", "/v1/users/nobody/note", ann.token, map[string]any{"text": "x"}, nil, 404,
			"user_not_found", "nobody"},
		{"note on oneself", "PUT", "/v1/users/me/note", ann.token, map[string]any{"text": "x"}, nil, 400, "self_note", ""},
		{"note of 2,001 characters", "PUT", "/v1/users/" + string(bob.id) + "/note", ann.token,
			map[string]any{"text": strings.Repeat("x", 2001)}, nil, 400, "invalid_request", "text"},
		{"note of nobody", "GET", "/v1/users/" + string(bob.id) + "/note", "", nil, nil, 401, "unauthenticated", ""},
		{"marker of nonsense", "PATCH", "/v1/users/me/markers", ann.token,
			map[string]any{"home": map[string]any{"lastReadId": "x"}}, nil, 400, "invalid_tweet_id", ""},
		{"marker of the future", "PATCH", "/v1/users/me/markers", ann.token,
			map[string]any{"home": map[string]any{"lastReadId": "007fffffffffffffff"}}, nil, 400, "invalid_tweet_id", "yet"},
		{"marker of nothing", "PATCH", "/v1/users/me/markers", ann.token, map[string]any{}, nil, 400, "empty_patch", ""},
		{"pinned tags that are none", "PATCH", "/v1/users/me", ann.token, map[string]any{"pinnedTags": []string{"a b"}}, nil,
			400, "invalid_tag", ""},
		{"11 pinned tags", "PATCH", "/v1/users/me", ann.token,
			map[string]any{"pinnedTags": strings.Split("a b c d e f g h i j k", " ")}, nil, 400, "invalid_request", "10"},
		{"pinned tag of 201 characters", "PATCH", "/v1/users/me", ann.token,
			map[string]any{"pinnedTags": []string{"a" + strings.Repeat("\u200d", model.MaxTagTyped)}}, nil, 400,
			"invalid_request",
			fmt.Sprint(model.MaxTagTyped)},
		{"no pinned tags at all", "PATCH", "/v1/users/me", ann.token, map[string]any{"pinnedTags": nil}, nil, 400,
			"invalid_request", "null"},
		{"dismiss no announcement", "PUT", "/v1/announcements/nothing/dismissed", ann.token, nil, nil, 404,
			"announcement_not_found", "nothing"},
		{"filter with a slash", "PUT", "/v1/users/me/filters/a%2Fb", ann.token, filterOf("home", "hide", "x"), nil, 400,
			"invalid_request", "id"},
		{"filter of another context", "PUT", "/v1/users/me/filters/f", ann.token, filterOf("account", "hide", "x"), nil, 400,
			"invalid_request", "contexts"},
		{"filter with another action", "PUT", "/v1/users/me/filters/f", ann.token, filterOf("home", "fold", "x"), nil, 400,
			"invalid_request", "action"},
		{"filter until the year 10000", "PUT", "/v1/users/me/filters/f", ann.token, map[string]any{"title": "x",
			"contexts": []string{"home"}, "action": "hide", "keywords": []any{map[string]any{"keyword": "x"}},
			"expiresAt": "9999-12-31T23:59:59-12:00"}, nil, 400, "invalid_filter", "expiresAt"},
		{"filter of nothing", "PUT", "/v1/users/me/filters/f", ann.token, filterOf("home", "hide", " "), nil, 400,
			"invalid_filter", ""},
		{"filter of what shows nothing", "PUT", "/v1/users/me/filters/f", ann.token, filterOf("home", "hide", "\u200b"), nil,
			400, "invalid_filter", ""},
		{"filter of a long keyword", "PUT", "/v1/users/me/filters/f", ann.token,
			filterOf("home", "hide", strings.Repeat("x", 101)), nil, 400, "invalid_request", "keyword"},
		{"filter without keywords", "PUT", "/v1/users/me/filters/f", ann.token, filterOf("home", "hide"), nil, 400,
			"invalid_request", "keywords"},
		{"follow of no tag", "PUT", "/v1/tags/a%20b/follow", ann.token, nil, nil, 400, "invalid_tag", ""},
		{"follow of a tag by nobody", "PUT", "/v1/tags/spark/follow", "", nil, nil, 401, "unauthenticated", ""},
		{"list for friends", "POST", "/v1/lists", ann.token, map[string]any{"title": "x", "visibility": "friends"}, nil, 400,
			"invalid_request", "visibility"},
		{"list with other replies", "POST", "/v1/lists", ann.token, map[string]any{"title": "x", "repliesPolicy": "all"}, nil,
			400, "invalid_request", "repliesPolicy"},
		{"list with a long description", "POST", "/v1/lists", ann.token, map[string]any{"title": "x",
			"description": strings.Repeat("x", 501)}, nil, 400, "invalid_request", "description"},
		{"list of nobody", "GET", "/v1/users/nobody/lists/" + strings.Repeat("0", 20), ann.token, nil, nil, 404,
			"list_not_found", ""},
		{"follow of a list by another id", "POST", "/v1/users/me/lists/x/follow", ann.token, nil, nil, 400, "invalid_list_id",
			""},
		{"filter by nobody", "PUT", "/v1/users/me/filters/f", "", filterOf("home", "hide", "x"), nil, 401, "unauthenticated",
			""},
		{"hide what one shares oneself", "PUT", "/v1/users/me/hideShares", ann.token, nil, nil, 400, "self_hide", ""},
		{"hide the shares of a NUL", "PUT", "/v1/users/a%00b/hideShares", ann.token, nil, nil, 400, "invalid_user_id", ""},
		{"hide the shares of a long id", "PUT", "/v1/users/" + strings.Repeat("u", 129) + "/hideShares", ann.token, nil, nil,
			400, "invalid_user_id", "128"},
		{"hide shares by nobody", "PUT", "/v1/users/" + string(bob.id) + "/hideShares", "", nil, nil, 401, "unauthenticated",
			""},
		{"hide shares without a profile", "PUT", "/v1/users/" + string(bob.id) + "/hideShares", stranger.IDToken, nil, nil,
			403, "profile_required", ""},
		{"show the shares of a slash", "DELETE", "/v1/users/a%2Fb/hideShares", ann.token, nil, nil, 400, "invalid_user_id",
			""},
		{"mentions of nobody", "GET", "/v1/users/me/mentions", "", nil, nil, 401, "unauthenticated", ""},
		{"0 mentions", "GET", "/v1/users/me/mentions?pageSize=0", ann.token, nil, nil, 400, "invalid_request", "at least 1"},
		{"mentions from a page of likes", "GET", "/v1/users/me/mentions?pageToken=" + likes.NextPageToken, ann.token, nil,
			nil, 400, "invalid_page_token", ""},
		{"mentions of somebody else", "GET", "/v1/users/" + string(bob.id) + "/mentions", ann.token, nil, nil, 404,
			"route_not_found", ""},

		// What a tweet may be, and how it is shown.
		{"tweet in a strange format", "GET", "/v1/tweets/" + string(tweet.ID) + "?format=pdf", "", nil, nil, 400,
			"invalid_request", "html"},
		{"tweet in capitals", "GET", "/v1/tweets/" + string(tweet.ID) + "?format=HTML", "", nil, nil, 400, "invalid_request",
			"query.format"},
		{"tweet in a long format", "GET", "/v1/tweets/" + string(tweet.ID) + "?format=" + strings.Repeat("x", 10_000), "",
			nil, nil, 400, "invalid_request", "query.format"},
		{"thread in a strange format", "GET", "/v1/tweets/" + string(tweet.ID) + "/thread?format=1", "", nil, nil, 400,
			"invalid_request", "tree"},
		{"batch in a strange format", "GET", "/v1/tweets:batchGet?ids=" + never + "&format=xml", "", nil, nil, 400,
			"invalid_request", "tree"},
		{"home page in a strange format", "GET", "/v1/timeline?format=text", ann.token, nil, nil, 400, "invalid_request",
			"tree"},
		{"search in a strange format", "GET", "/v1/search/tweets?q=a&format=text", "", nil, nil, 400, "invalid_request",
			"tree"},
		{"profile in a strange format", "GET", "/v1/users/" + string(bob.id) + "?format=xml", "", nil, nil, 400,
			"invalid_request", "tree"},
		{"own profile in a strange format", "GET", "/v1/users/me?format=xml", ann.token, nil, nil, 400, "invalid_request",
			"tree"},
		{"username in a strange format", "GET", "/v1/usernames/bob?format=xml", "", nil, nil, 400, "invalid_request", "tree"},
		{"no language", "POST", "/v1/tweets", ann.token, `{"content":"x","language":"english"}`, nil, 400, "invalid_language",
			"BCP 47"},
		{"language of 36 letters", "POST", "/v1/tweets", ann.token, `{"content":"x","language":"` + strings.Repeat("a", 36) +
			`"}`, nil, 400, "invalid_request", "35"},
		{"language beyond ASCII", "POST", "/v1/tweets", ann.token, `{"content":"x","language":"日本語"}`, nil, 400,
			"invalid_language", "BCP 47"},
		{"number for a language", "POST", "/v1/tweets", ann.token, `{"content":"x","language":5}`, nil, 400,
			"invalid_request", "body.language: expected string"},
		{"draft in no language", "POST", "/v1/drafts", ann.token, `{"content":"x","language":"a b"}`, nil, 400,
			"invalid_language", "BCP 47"},
		{"edit of the language", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"language":"ja"}`, nil, 400,
			"invalid_request", "body.language"},
		{"a block of neither a domain nor a network", "PUT", "/v1/admin/sign-up-blocks?of=a%20b", admin, map[string]any{},
			nil, 400,
			"invalid_block", "a b"},
		{"a block of all networks", "PUT", "/v1/admin/sign-up-blocks?of=0.0.0.0/0", admin, map[string]any{}, nil, 400,
			"invalid_block", "0.0.0.0/0"},
		{"a severity that there is not", "PUT", "/v1/admin/sign-up-blocks?of=bad.example", admin,
			map[string]any{"severity": "some"}, nil, 400, "invalid_request", "severity"},
		{"a webhook without TLS", "POST", "/v1/admin/webhooks", admin,
			`{"url":"http://hooks.example.com/a","events":["user.created"]}`, nil, 400, "invalid_webhook_url", "https://"},
		{"a webhook of the machine itself", "POST", "/v1/admin/webhooks", admin,
			`{"url":"https://127.0.0.1/a","events":["user.created"]}`, nil, 400, "invalid_webhook_url", "public internet"},
		{"a webhook of a private network", "POST", "/v1/admin/webhooks", admin,
			`{"url":"https://[fd00::1]/a","events":["user.created"]}`, nil, 400, "invalid_webhook_url", "public internet"},
		{"a webhook with another port", "POST", "/v1/admin/webhooks", admin,
			`{"url":"https://hooks.example.com:8443/","events":["user.created"]}`, nil, 400, "invalid_webhook_url", "443"},
		{"a webhook with a password", "POST", "/v1/admin/webhooks", admin,
			`{"url":"https://a:b@hooks.example.com/","events":["user.created"]}`, nil, 400, "invalid_webhook_url", "password"},
		{"a webhook of no event", "POST", "/v1/admin/webhooks", admin,
			`{"url":"https://hooks.example.com/","events":[]}`, nil, 400, "invalid_request", "events"},
		{"a webhook of an event that there is not", "POST", "/v1/admin/webhooks", admin,
			`{"url":"https://hooks.example.com/","events":["tweet.created"]}`, nil, 400, "invalid_request", "events"},
		{"a webhook that there is not", "PATCH", "/v1/admin/webhooks/none", admin, `{"enabled":false}`, nil, 404,
			"webhook_not_found", ""},
		{"a ping to nothing", "POST", "/v1/admin/webhooks/none/ping", admin, nil, nil, 404, "webhook_not_found", ""},
		{"a sign-up of nobody", "PUT", "/v1/admin/sign-ups/nobody/approval", admin, nil, nil, 404, "sign_up_not_found", ""},
		{"recipients who are nobody", "POST", "/v1/tweets", ann.token, `{"content":"x","to":["a/b"]}`, nil, 400,
			"invalid_recipients", "a/b"},
		{"public in cc alone", "POST", "/v1/tweets", ann.token, `{"content":"x","cc":["public"]}`, nil, 400,
			"invalid_recipients", "unlisted"},
		{"recipients beside another audience", "POST", "/v1/tweets", ann.token,
			`{"content":"x","visibility":"public","to":["followers"]}`, nil, 400, "invalid_recipients", "followers"},
		{"a recipient whom the text does not mention", "POST", "/v1/tweets", ann.token, `{"content":"x","to":["nobody"]}`,
			nil,
			400, "not_addressed", "nobody"},
		{"too many recipients", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x",
			"to": slices.Repeat([]string{"public"}, 13)}, nil, 400, "invalid_request", "12"},
		{"unknown audience", "POST", "/v1/tweets", ann.token, `{"content":"x","visibility":"friends"}`, nil, 400,
			"invalid_request", "mentioned"},
		{"audience in capitals", "POST", "/v1/tweets", ann.token, `{"content":"x","visibility":"Public"}`, nil, 400,
			"invalid_request", "body.visibility"},
		{"empty audience", "POST", "/v1/tweets", ann.token, `{"content":"x","visibility":""}`, nil, 400, "invalid_request",
			"body.visibility"},
		{"number for an audience", "POST", "/v1/tweets", ann.token, `{"content":"x","visibility":1}`, nil, 400,
			"invalid_request", "body.visibility: expected string"},
		{"list for an audience", "POST", "/v1/drafts", ann.token, `{"content":"x","visibility":["public"]}`, nil, 400,
			"invalid_request", "body.visibility"},
		{"edit to an unknown audience", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"visibility":"nobody"}`, nil,
			400, "invalid_request", "mentioned"},
		{"edit to an audience of null", "PATCH", "/v1/tweets/" + string(tweet.ID), ann.token, `{"visibility":null}`, nil, 400,
			"invalid_request", "visibility"},
		{"reply for more people", "POST", "/v1/tweets", ann.token, map[string]any{"content": "x", "replyTo": narrow.ID,
			"visibility": "public"}, nil, 400, "visibility_too_wide", "followers"},

		// Queries.
		{"pageSize −1", "GET", "/v1/tags?pageSize=-1", "", nil, nil, 400, "invalid_request", "at least 1"},
		{"pageSize 0", "GET", "/v1/timeline?pageSize=0", ann.token, nil, nil, 400, "invalid_request", "at least 1"},
		{"pageSize 10²⁰", "GET", "/v1/tags?pageSize=100000000000000000000", "", nil, nil, 400, "invalid_request",
			"at least 1"},
		{"relationships of nobody", "GET", "/v1/relationships", ann.token, nil, nil, 400, "invalid_request", ""},
		{"relationships without a uid", "GET", "/v1/relationships?ids=", ann.token, nil, nil, 400, "invalid_request", ""},
		{"relationships of 101", "GET", "/v1/relationships?ids=" + strings.Repeat("a,", 100) + "a", ann.token, nil, nil, 400,
			"too_many_ids", "100"},
		{"relationships with too long a uid", "GET", "/v1/relationships?ids=" + strings.Repeat("a", 129), ann.token, nil, nil,
			400, "invalid_user_id", ""},
		{"pageSize in words", "GET", "/v1/tags?pageSize=ten", "", nil, nil, 400, "invalid_request", "at least 1"},
		{"unknown order", "GET", "/v1/tags?orderBy=name", "", nil, nil, 400, "invalid_request", "tweetCount"},
		{"garbage page token", "GET", "/v1/tags?pageToken=%ff%00", "", nil, nil, 400, "invalid_page_token", ""},
		{"oversized page token", "GET", "/v1/tags?pageToken=" + strings.Repeat("A", 8000), "", nil, nil, 400,
			"invalid_page_token", ""},
		{"forged page token", "GET", "/v1/tweets/" + string(tweet.ID) + "/likes?pageToken=" + flip(likes.NextPageToken), "",
			nil, nil, 400, "invalid_page_token", ""},
		{"page token of another list", "GET", "/v1/tweets/" + string(tweet.ID) + "/replies?pageToken=" + likes.NextPageToken,
			"", nil, nil, 400, "invalid_page_token", ""},
		{"page token of another list of tags", "GET", "/v1/users/" + string(ann.id) + "/tags?pageToken=" +
			likes.NextPageToken, "", nil, nil, 400, "invalid_page_token", ""},
		{"no ids", "GET", "/v1/tweets:batchGet?ids=", "", nil, nil, 400, "invalid_request", "required"},
		{"no ids, and then one", "GET", "/v1/tweets:batchGet?ids=&ids=" + never, "", nil, nil, 400, "invalid_request",
			"required"},
		{"replies in words", "GET", "/v1/tweets?replies=some", "", nil, nil, 400, "invalid_request", "query.replies"},
		{"public page of 0", "GET", "/v1/tweets?pageSize=0", "", nil, nil, 400, "invalid_request", "at least 1"},
		{"public page token of another list", "GET", "/v1/tweets?pageToken=" + likes.NextPageToken, "", nil, nil, 400,
			"invalid_page_token", ""},
		{"root tweets in words", "GET", "/v1/tags/go/tweets?rootOnly=2", "", nil, nil, 400, "invalid_request",
			"query.rootOnly"},
		{"unknown filter", "GET", "/v1/notifications?filter=old", ann.token, nil, nil, 400, "invalid_request", "unread"},
		{"a malformed id", "GET", "/v1/tweets:batchGet?ids=" + never + ",nonsense", "", nil, nil, 400, "invalid_tweet_id",
			"nonsense"},
		{"an empty id", "GET", "/v1/tweets:batchGet?ids=" + never + ",", "", nil, nil, 400, "invalid_tweet_id", ""},
		{"51 ids", "GET", "/v1/tweets:batchGet?ids=" + strings.Repeat(never+",", 50) + never, "", nil, nil, 400,
			"too_many_ids", "50"},
		{"51 users", "GET", "/v1/users:batchGet?ids=" + strings.Repeat("a,", 50) + "b", "", nil, nil, 400, "too_many_ids",
			"50"},
		{"no users", "GET", "/v1/users:batchGet?ids=", "", nil, nil, 400, "invalid_request", "required"},
		{"an empty user", "GET", "/v1/users:batchGet?ids=a,,b", "", nil, nil, 400, "invalid_user_id", ""},
		{"before what is no tweet", "GET", "/v1/tweets?before=nonsense", "", nil, nil, 400, "invalid_tweet_id", ""},
		{"before what is no place", "GET", "/v1/timeline?before=nonsense", ann.token, nil, nil, 400, "invalid_tweet_id", ""},
		{"since what is no place", "GET", "/v1/timeline?since=" + never + "0", ann.token, nil, nil, 400, "invalid_tweet_id",
			""},
	}
	before := e.documents(t)
	if len(likes.NextPageToken) == 0 || len(before) == 0 {
		t.Fatalf("there is nothing to protect: token %q, %d documents", likes.NextPageToken, len(before))
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := e.do(t, test.method, test.path, test.token, test.body, test.headers...)
			p := r.problem(t, test.status, test.code)
			if !strings.Contains(p.Detail, test.names) {
				t.Errorf("detail = %q, want it to name %q", p.Detail, test.names)
			}
			if (test.code == "invalid_request") != (len(p.Errors) > 0) && test.body != nil {
				t.Errorf("errors = %v with code %s", p.Errors, p.Code)
			}
			if got := r.header.Get("WWW-Authenticate"); (test.status == 401) != strings.HasPrefix(got, "Bearer ") {
				t.Errorf("WWW-Authenticate = %q with status %d", got, test.status)
			}
			if got := r.header.Get("Allow"); (test.status == 405) != strings.Contains(got, "GET") {
				t.Errorf("Allow = %q with status %d", got, test.status)
			}
			after := e.documents(t)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("documents changed (-before +after):\n%s", diff)
			}
			before = after
		})
	}
}

// flip alters the middle of a token.
func flip(token string) string {
	b := []byte(token)
	if i := len(b) / 2; b[i] == 'A' {
		b[i] = 'B'
	} else {
		b[i] = 'A'
	}
	return string(b)
}

// A body that breaks off is the client's fault.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	conn, err := net.Dial("tcp", strings.TrimPrefix(e.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "POST /v1/tweets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer "+
		ann.token+"\r\n\r\nnot a length\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	reply{resp.StatusCode, resp.Header, body}.problem(t, http.StatusBadRequest, "invalid_request")
}

// A body may have just the bytes of its limit, and a field just its limit.
func TestLimits(t *testing.T) {
	t.Parallel()
	e := newEnv(t)
	ann := e.join(t, "ann")
	content := strings.Repeat("é", model.MaxContent)
	if got := e.post(t, ann, map[string]any{"content": content, "summary": strings.Repeat("s",
		model.MaxSummary)}); *got.Content != content {
		t.Error("the longest content came back changed")
	}
	var most, values int
	if _, err := fmt.Sscanf(e.about.Paths["/v1/tweets"].Post.RequestBody.Description,
		"At most %d bytes, with %d names and values", &most, &values); err != nil {
		t.Fatal(err)
	}
	if escaped := 12 * model.MaxContent; most < escaped || most > escaped+96<<10 {
		t.Errorf("a tweet has %d bytes at most, want those of a content of escapes and little more", most)
	}
	body := `{"content":"x"` + strings.Repeat(" ", most-len(`{"content":"x"`)-1) + "}"
	e.do(t, "POST", "/v1/tweets", ann.token, body).want(t, http.StatusCreated, nil)
	e.do(t, "POST", "/v1/tweets", ann.token, body+" ").problem(t, http.StatusRequestEntityTooLarge, "too_large")
	e.post(t, ann, map[string]any{"content": "x", "tags": nil}) // is within
	many := `{"content":"x"` + strings.Repeat(`,"content":"x"`, (values-3)/2) + "}"
	e.do(t, "POST", "/v1/tweets", ann.token, many).want(t, http.StatusCreated, nil)
	p := e.do(t, "POST", "/v1/tweets", ann.token, strings.Replace(many, "{", `{"content":"x",`, 1)).
		problem(t, http.StatusBadRequest, "invalid_request")
	if want := fmt.Sprintf("more than %d names", values); !strings.Contains(p.Detail, want) || len(p.Errors) != 1 {
		t.Errorf("too many values: %+v, want %s", p, want)
	}
	odd := e.post(t, ann, map[string]any{"content": "NUL \x00 and \u202e and 👩‍👩‍👧"})
	if want := "NUL \x00 and \u202e and 👩‍👩‍👧"; *odd.Content != want {
		t.Errorf("content = %q, want %q", *odd.Content, want)
	}
}

// filterOf is the body of a filter.
func filterOf(context, action string, keywords ...string) map[string]any {
	all := []map[string]any{}
	for _, k := range keywords {
		all = append(all, map[string]any{"keyword": k})
	}
	return map[string]any{"title": "t", "contexts": []string{context}, "action": action, "keywords": all}
}
