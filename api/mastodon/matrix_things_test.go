package mastodon_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hibana-sns/hibana/dev/testing/testenv"
	"github.com/hibana-sns/hibana/model"
)

// secret is a word that stands in one kind of text alone.
func secret(name string) string { return "zz" + strings.Trim(name, "<>") + "zz" }

// hidden are the callers who may see the words of texts that not all may see. The words of others are for all.
var hidden = map[string][]string{
	"<flagged>":   {"owner", "reader", "moderator", "administrator"},
	"<followers>": {"owner", "reader", "follower", "moderator", "administrator"},
	"<mentioned>": {"owner", "reader", "moderator", "administrator"},
	"<deleted>":   {},
	"<secretly>":  {"owner", "reader", "follower", "moderator", "administrator"}, // a poll for followers
	"<scheduled>": {"owner", "reader"},
	"<list>":      {"owner", "reader"},
	"<filter>":    {"owner", "reader"},
	"<note>":      {"owner", "reader"},
	"<report>":    {"moderator", "administrator"},
}

// post makes a post of the owner. Its text names what it is.
func (s *stage) post(t *testing.T, name string) string {
	t.Helper()
	body := map[string]any{"content": secret(name) + " #spark"}
	poll := map[string]any{"options": []string{secret(name), "no"}, "minutes": model.MinPollMinutes}
	switch name {
	case "<followers>", "<mentioned>":
		body["visibility"] = strings.Trim(name, "<>")
	case "<secretly>":
		body["visibility"], body["poll"] = "followers", poll
	case "<poll>":
		body["poll"] = poll
	case "<closed>":
		body["allowLikes"], body["quotePolicy"], body["replyPolicy"] = false, "nobody", "nobody"
	}
	id := s.add(t, "owner", "POST /v1/tweets", body)
	switch name {
	case "<edited>":
		s.add(t, "owner", "PATCH /v1/tweets/"+id, map[string]any{"content": "edited"})
	case "<flagged>":
		s.add(t, "moderator", "PUT /v1/admin/tweets/"+id+"/flag", map[string]any{"reason": "x"})
	case "<deleted>":
		s.add(t, "owner", "DELETE /v1/tweets/"+id, nil)
	}
	return id
}

var posts = []string{"<tweet>", "<flagged>", "<followers>", "<mentioned>", "<deleted>", "<edited>", "<closed>",
	"<poll>", "<secretly>"}

// things makes what a request names, anew for each caller. It returns the ids for the native API, and for Mastodon's.
func (s *stage) things(t *testing.T, who, request string) (natively, asMastodon *strings.Replacer) {
	t.Helper()
	at, status := map[string]string{"<unknown>": "0000000000000000aa"}, map[string]string{}
	for _, name := range posts {
		if strings.Contains(request, name) {
			at[name] = s.post(t, name)
		}
	}
	if strings.Contains(request, "<quote") {
		at["<quoted>"] = s.add(t, "owner", "POST /v1/tweets", map[string]any{"content": "x"})
		at["<quote>"] = s.add(t, "stranger", "POST /v1/tweets", map[string]any{"content": "x", "quoteOf": at["<quoted>"]})
	}
	for name, id := range at {
		status[name] = statusID(id)
	}
	if strings.Contains(request, "<forged>") {
		status["<forged>"] = status["<unknown>"][:18] + statusID(s.post(t, "<followers>"))[:18]
	}
	s.people(t, who, request, at)
	for name, thing := range s.kinds(t, who) {
		if strings.Contains(request, name) {
			at[name] = thing()
		}
	}
	for name, id := range at {
		if status[name] == "" {
			status[name] = id
		}
	}
	status["<network>"] = strings.ReplaceAll(at["<network>"], "/", "_")
	return replacer(at), replacer(status)
}

func replacer(of map[string]string) *strings.Replacer {
	var pairs []string
	for name, id := range of {
		pairs = append(pairs, name, id)
	}
	return strings.NewReplacer(pairs...)
}

// people puts the accounts that a request names.
func (s *stage) people(t *testing.T, who, request string, at map[string]string) {
	t.Helper()
	for _, name := range people {
		at["<"+name+">"] = s.uids[name]
	}
	at["<email>"], at["<client>"], at["<secret>"] = s.email, string(s.client), s.secret
	if uid := s.uids[account(who, s.method.Staff)]; uid != "" && strings.Contains(request, "<asker>") {
		s.set(t, "followRequests/"+model.FollowRequestKey(model.UserID(s.uids["asker"]), model.UserID(uid)),
			model.FollowRequest{FollowerID: model.UserID(s.uids["asker"]), FollowedID: model.UserID(uid), CreatedAt: time.Now()})
	}
	if strings.Contains(request, "<target>") { // whom an act of staff ends
		a := testenv.SignUp(t, "")
		_, err := s.db.Users.CreateUser(t.Context(), model.UserID(a.UID),
			model.NewUser{Username: strings.ToLower(a.Email[:10]), Nickname: "T"})
		testenv.Must(t, err)
		at["<target>"] = a.UID
		path := "PUT /v1/admin/users/" + a.UID + "/"
		switch {
		case strings.Contains(request, "/enable"):
			s.add(t, "administrator", path+"freeze", map[string]any{"reason": "x"})
		case strings.Contains(request, "/unsuspend"):
			s.add(t, "administrator", path+"suspend", map[string]any{"reason": "x"})
		}
	}
	if strings.Contains(request, "<joining>") {
		a := testenv.SignUp(t, "")
		_, err := s.db.Users.AskToJoin(t.Context(), model.UserID(a.UID),
			model.NewUser{Username: strings.ToLower(a.Email[:10])}, "")
		testenv.Must(t, err)
		at["<joining>"] = a.UID
	}
}

// kinds make the other things that requests name.
func (s *stage) kinds(t *testing.T, who string) map[string]func() string {
	t.Helper()
	owner := s.uids["owner"]
	rule := func(severity string) func() string {
		return func() string {
			s.add(t, "administrator", "PUT /v1/admin/fediverse-domains/"+severity+".example",
				map[string]any{"severity": severity})
			return severity + ".example"
		}
	}
	noSignUps := func(of string) func() string {
		return func() string {
			s.add(t, "administrator", "PUT /v1/admin/sign-up-blocks?of="+of, map[string]any{"severity": "refusal"})
			return of
		}
	}
	filter := func(name string) func() string {
		return func() string {
			var made struct {
				ID       string
				Keywords []struct{ ID string }
			}
			s.env.ask(t, s.as("owner"), "POST /api/v2/filters", map[string]any{"title": secret("<filter>"),
				"context": []string{"home"}, "keywords_attributes": []any{map[string]any{"keyword": secret("<filter>")}}}).
				want(t, http.StatusOK, &made)
			if name == "<keyword>" {
				return made.Keywords[0].ID
			}
			return made.ID
		}
	}
	return map[string]func() string{
		"<scheduled>": func() string {
			return s.add(t, "owner", "POST /v1/drafts", map[string]any{"content": secret("<scheduled>"),
				"publishAt": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)})
		},
		"<list>": func() string {
			return s.add(t, "owner", "POST /v1/lists", map[string]any{"title": secret("<list>")})
		},
		"<note>": func() string {
			s.add(t, "owner", "PUT /v1/users/"+s.uids["stranger"]+"/note", map[string]any{"text": secret("<note>")})
			return ""
		},
		"<filter>": filter("<filter>"), "<keyword>": filter("<keyword>"),
		"<report>": func() string {
			s.add(t, "stranger", "POST /v1/reports", map[string]any{"userId": owner, "reason": "spam",
				"text": secret("<report>")})
			return model.ReportKey(model.UserID(s.uids["stranger"]), model.UserID(owner), "")
		},
		"<media>":        func() string { return s.media(t) },
		"<notification>": func() string { return s.notification(t) },
		"<sender>": func() string {
			var filtered model.NotificationRequests
			filtered.Add(model.FactNotificationEvent(model.NotificationFollow, model.UserID(owner),
				model.NotificationEventPayload{UserID: model.UserID(s.uids["follower"])}, time.Now()))
			s.set(t, "notificationRequests/"+owner, filtered)
			return s.uids["follower"]
		},
		"<domain>": rule("silence"), "<allowed>": rule("allow"), "<mails>": noSignUps("mail.example"),
		"<network>": noSignUps("192.0.2.7/32"),
		"<device>": func() string {
			s.env.ask(t, person{token: s.tokens[who]}, "POST /api/v1/push/subscription",
				map[string]any{"subscription": subscription()})
			return model.AppDeviceID(s.client)
		},
		"<apptoken>": func() string {
			token, _, err := s.db.OAuth.Issue(t.Context(), s.client, []string{"read"})
			testenv.Must(t, err)
			return token
		},
		"<soon>":  func() string { return time.Now().Add(2 * time.Hour).UTC().Format(time.RFC3339) },
		"<today>": func() string { return time.Now().UTC().Format(time.DateOnly) },
	}
}

// media is a picture of the owner that is in no post.
func (s *stage) media(t *testing.T) string {
	t.Helper()
	id := model.NewMediaID()
	s.set(t, "media/"+string(id), model.Media{OwnerID: model.UserID(s.uids["owner"]), Kind: model.MediaTweet,
		State: model.MediaReady, Type: model.MediaImage, Alt: secret("<media>"),
		Sizes: map[string]model.MediaSize{model.SizeSmall: {Bytes: 1, ContentType: "image/png"}}})
	return string(id)
}

// notification tells the owner, and nobody else, of a follower. The id is that of an app.
func (s *stage) notification(t *testing.T) string {
	t.Helper()
	day := time.Now().UTC().Format(time.DateOnly)
	now := time.Now()
	s.set(t, "users/"+s.uids["owner"]+"/notificationLists/newest", model.NotificationList{
		Notifications: map[string]model.Notification{"follow_" + day: {GroupKey: "follow", Term: day, CountUsers: 1,
			Records:   []model.Record{{At: now, UserID: model.UserID(s.uids["follower"])}},
			CreatedAt: now, UpdatedAt: now, ExpireAt: now.Add(time.Hour)}}})
	var all []struct{ ID string }
	s.env.ask(t, s.as("owner"), "GET /api/v1/notifications", nil).want(t, http.StatusOK, &all)
	if len(all) != 1 {
		t.Fatalf("the owner has %d notifications", len(all))
	}
	return all[0].ID
}
