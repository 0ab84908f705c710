package cost

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/hibana-sns/hibana/api"
	"github.com/hibana-sns/hibana/model"
)

// notificationNews is what an app asks beside each request for news: whether there is a new notification. The web
// client has a listener.
const notificationNews = "notifications, what is new"

// phone is a run whose users have an app for Mastodon in place of the web client.
type phone struct {
	tokens []string       // by user
	newest map[int]string // by user: the newest post of the home page that the app has
	seen   map[int]string // by user: the newest notification that the app has
}

// The parts of the answers of the Mastodon API that a run reads.
type (
	shownStatus struct {
		ID         string
		Favourites int64 `json:"favourites_count"`
		Replies    int64 `json:"replies_count"`
	}
	shownContext struct{ Ancestors, Descendants []shownStatus }
	shownAccount struct {
		Followers int64 `json:"followers_count"`
		Following int64 `json:"following_count"`
		Statuses  int64 `json:"statuses_count"`
	}
	shownGroups struct {
		Groups []struct {
			MostRecent int64    `json:"most_recent_notification_id"`
			Accounts   []string `json:"sample_account_ids"`
			StatusID   string   `json:"status_id"`
		} `json:"notification_groups"`
	}
)

// starting is what an app asks for when it starts, after the account of its user: what Phanpy asks for.
var starting = []string{"/api/v2/instance", "/api/v1/preferences", "/api/v2/filters", "/api/v1/lists",
	"/api/v1/followed_tags?limit=200", "/api/v1/custom_emojis", "/api/v1/announcements",
	"/api/v1/markers?timeline[]=notifications"}

// everybody has an account without roles.
type everybody struct{ api.Accounts }

func (everybody) Account(context.Context, model.UserID) (model.Account, error) {
	return model.Account{}, nil
}

// letIn makes an app, which all users let in.
func (r *run) letIn(ctx context.Context) error {
	const scopes, redirect = "read write follow", "urn:ietf:wg:oauth:2.0:oob"
	var app struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	body := map[string]any{"client_name": "Phone", "redirect_uris": redirect, "scopes": scopes}
	if _, err := r.call(ctx, "", http.MethodPost, "/api/v1/apps", body, &app); err != nil {
		return err
	}
	r.phone.tokens = make([]string, len(r.names))
	return r.all(ctx, "access tokens", len(r.names), func(ctx context.Context, i int) error {
		var consent struct{ Code string }
		asked := map[string]any{"responseType": "code", "clientId": app.ID, "redirectUri": redirect, "scope": scopes}
		if _, err := r.call(ctx, r.names[i], http.MethodPost, "/v1/authorizations", asked, &consent); err != nil {
			return err
		}
		var token struct {
			Access string `json:"access_token"`
		}
		_, err := r.call(ctx, "", http.MethodPost, "/oauth/token", map[string]any{"grant_type": "authorization_code",
			"code": consent.Code, "client_id": app.ID, "client_secret": app.Secret, "redirect_uri": redirect}, &token)
		r.phone.tokens[i] = token.Access
		return err
	})
}

// dialed performs an operation by the requests that an app sends for it. ok is false for an operation that no app has.
func (r *run) dialed(ctx context.Context, op operation, n int) (b Bill, would func(baseline) Bill, ok bool, err error) {
	if r.phone == nil || len(r.phone.tokens) == 0 {
		return b, nil, false, nil
	}
	would, err = r.phone.read(ctx, r, op, &b)
	if would == nil && err == nil {
		would, err = r.phone.write(ctx, r, op, n, &b)
	}
	return b, would, would != nil || err != nil, err
}

// ask sends a request with the access token of a user, and adds what it is billed to b.
func (r *run) ask(ctx context.Context, user int, method, path string, body, answer any, b *Bill) error {
	of, err := r.call(ctx, r.phone.tokens[user], method, path, body, answer)
	*b = b.plus(of)
	return err
}

// read performs an operation that changes nothing. It returns nil for any other.
func (p *phone) read(ctx context.Context, r *run, op operation, b *Bill) (would func(baseline) Bill, err error) {
	get := func(path string, answer any) {
		if err == nil {
			err = r.ask(ctx, op.user, http.MethodGet, path, nil, answer, b)
		}
	}
	other := func() string { return "/api/v1/accounts/" + r.names[r.other(op.user)] }
	switch op.name {
	case startView:
		var own shownAccount
		get("/api/v1/accounts/verify_credentials", &own)
		for _, path := range starting {
			get(path, nil)
		}
		return func(l baseline) Bill { return l.start(own.user(), 0, 1+heardAStart+homeHeard) }, err
	case homeView:
		var page []shownStatus
		get("/api/v1/timelines/home?limit=20", &page)
		r.report.HomeTweets += int64(len(page))
		if len(page) > 0 {
			p.newest[op.user] = page[0].ID
		}
		return func(l baseline) Bill { return l.home(tweetsOf(page)) }, err
	case homeNews:
		var page []shownStatus
		get("/api/v1/timelines/home?limit=5&since_id="+p.newest[op.user], &page)
		if len(page) > 0 {
			p.newest[op.user] = page[0].ID
		}
		return func(baseline) Bill { return Bill{} }, err // a baseline layout has a listener
	case notificationNews:
		get("/api/v1/notifications?limit=1&since_id="+p.seen[op.user], nil)
		return func(baseline) Bill { return Bill{} }, err
	case tweetView:
		var s shownStatus
		get("/api/v1/statuses/"+r.tweet(op.user), &s)
		return func(l baseline) Bill { return l.tweets(tweetsOf([]shownStatus{s})) }, err
	case threadView:
		id := r.tweet(op.user)
		var s shownStatus
		var around shownContext
		get("/api/v1/statuses/"+id, &s)
		get("/api/v1/statuses/"+id+"/context", &around)
		all := tweetsOf(append(append(around.Ancestors, s), around.Descendants...))
		return func(l baseline) Bill { return l.tweets(all) }, err
	case userView:
		var a shownAccount
		get(other(), &a)
		return func(l baseline) Bill { return l.user(a.user()) }, err
	case userTweets:
		whose := other()
		var page []shownStatus
		get(whose+"/statuses?limit=20&exclude_replies=true", &page)
		get(whose+"/statuses?pinned=true", nil)
		get(whose+"/featured_tags", nil)
		return func(l baseline) Bill { return l.userTweets(len(page)) }, err
	case tieView:
		get("/api/v1/accounts/relationships?id[]="+r.names[r.other(op.user)], nil)
		return func(baseline) Bill { return Bill{Reads: 2} }, err
	case notificationEventView:
		var page shownGroups
		get("/api/v2/notifications?limit=20", &page)
		get("/api/v2/notifications/policy", nil)
		if len(page.Groups) > 0 {
			p.seen[op.user] = fmt.Sprint(page.Groups[0].MostRecent)
		}
		return func(l baseline) Bill { return l.notificationEvents(page.list()) }, err
	case search:
		var found struct{ Statuses []shownStatus }
		q := fmt.Sprintf("evening #tag%d", r.tags.draw(r.rand))
		get("/api/v2/search?limit=20&resolve=true&q="+url.QueryEscape(q), &found)
		return func(l baseline) Bill { return l.tweets(tweetsOf(found.Statuses)) }, err
	case trendsView:
		var page []shownStatus
		get("/api/v1/trends/statuses?limit=20", &page)
		get("/api/v1/trends/tags", nil)
		get("/api/v1/trends/links", nil)
		return func(l baseline) Bill { return l.tweets(tweetsOf(page)).plus(Bill{Reads: 10}) }, err
	case tagView:
		tag := fmt.Sprintf("tag%d", r.tags.draw(r.rand)%popularOfTags)
		var page []shownStatus
		get("/api/v1/tags/"+tag, nil)
		get("/api/v1/timelines/tag/"+tag+"?limit=20", &page)
		return func(l baseline) Bill { return l.tweets(tweetsOf(page)).plus(Bill{Reads: 1}) }, err
	case bookmarkView:
		var page []shownStatus
		get("/api/v1/bookmarks?limit=20", &page)
		return func(l baseline) Bill { return l.home(tweetsOf(page)) }, err
	case followersView, followingView:
		list := map[string]string{followersView: "/followers", followingView: "/following"}[op.name]
		var page []shownAccount
		get(other()+list, &page)
		return func(baseline) Bill { return Bill{Reads: int64(max(1, 2*len(page)))} }, err
	case risingTags, popularTags, totalsView: // beside pages of the web client, and of no app
		return func(baseline) Bill { return Bill{} }, nil
	}
	return nil, nil
}

// write performs an operation that changes something. It returns nil for any other.
func (p *phone) write(ctx context.Context, r *run, op operation, n int, b *Bill) (would func(baseline) Bill,
	err error) {
	const statuses = "/api/v1/statuses"
	send := func(method, path string, body, answer any) error {
		return r.ask(ctx, op.user, method, path, body, answer, b)
	}
	publish := func(body map[string]any) error {
		var made shownStatus
		err := send(http.MethodPost, statuses, body, &made)
		r.tweets[op.user] = append(r.tweets[op.user], made.ID)
		return err
	}
	switch op.name {
	case postTweet:
		err = publish(map[string]any{"status": r.text(n)})
		return func(l baseline) Bill { return l.post(r.followers[op.user]) }, err
	case replyTweet:
		err = publish(map[string]any{"status": r.text(n), "in_reply_to_id": r.tweet(op.user)})
		return func(l baseline) Bill { return l.reply(r.followers[op.user]) }, err
	case editTweet:
		own := r.tweets[op.user]
		err = send(http.MethodPut, statuses+"/"+own[len(own)-1], map[string]any{"status": "Edited: " + r.text(n)}, nil)
		return baseline.edit, err
	case shareTweet, likeTweet:
		acts, verb := r.shares, "/reblog"
		would = func(l baseline) Bill { return l.share(r.followers[op.user]) }
		if op.name == likeTweet {
			acts, verb, would = r.likes, "/favourite", baseline.like
		}
		id, ok := r.fresh(op.user, acts)
		if !ok {
			return nil, fmt.Errorf("cost: %s has no tweet left for %s", r.names[op.user], op.name)
		}
		return would, send(http.MethodPost, statuses+"/"+id+verb, nil, nil)
	case bookmarkTweet:
		err = send(http.MethodPost, statuses+"/"+r.tweet(op.user)+"/bookmark", nil, nil)
		return func(baseline) Bill { return Bill{Reads: 1, Writes: 1} }, err
	case readAll:
		body := map[string]any{"notifications": map[string]string{"last_read_id": p.seen[op.user]}}
		if p.seen[op.user] != "" {
			err = send(http.MethodPost, "/api/v1/markers", body, nil)
		}
		return func(baseline) Bill { return Bill{Reads: 1, Writes: 1} }, err
	case followUser:
		whom := r.stranger(op.user)
		err = send(http.MethodPost, "/api/v1/accounts/"+r.names[whom]+"/follow", nil, nil)
		return func(l baseline) Bill { return l.follow(len(r.tweets[whom])) }, err
	case editProfile:
		err = send(http.MethodPatch, "/api/v1/accounts/update_credentials",
			map[string]any{"note": fmt.Sprintf("Spark %d.", n)}, nil)
		return func(baseline) Bill { return Bill{Reads: 1, Writes: 1} }, err
	}
	return nil, nil
}

func (s shownStatus) tweet() shownTweet {
	return shownTweet{ID: s.ID, LikeCount: s.Favourites, ReplyCount: s.Replies}
}

// tweetsOf are the statuses of a page as the baseline layout has them.
func tweetsOf(page []shownStatus) []shownTweet {
	all := make([]shownTweet, len(page))
	for i, s := range page {
		all[i] = s.tweet()
	}
	return all
}

func (a shownAccount) user() shownUser {
	return shownUser{FollowerCount: a.Followers, FollowedCount: a.Following, TweetCount: a.Statuses}
}

// list is a page of groups as the baseline layout has it.
func (g shownGroups) list() (page notificationEventList) {
	type item = struct {
		Excerpt *struct{}
		Records []struct{ User *struct{} }
	}
	for _, group := range g.Groups {
		var of item
		if group.StatusID != "" {
			of.Excerpt = &struct{}{}
		}
		for range group.Accounts {
			of.Records = append(of.Records, struct{ User *struct{} }{&struct{}{}})
		}
		page.Items = append(page.Items, of)
	}
	return page
}
