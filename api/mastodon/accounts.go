package mastodon

import (
	"html"
	"net/url"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Account is the entity of a user.
type Account struct {
	ID             string   `json:"id"`
	Username       string   `json:"username"`
	Acct           string   `json:"acct"`
	URL            string   `json:"url"`
	URI            string   `json:"uri"`
	DisplayName    string   `json:"display_name"`
	Note           string   `json:"note"`
	Avatar         string   `json:"avatar"`
	AvatarStatic   string   `json:"avatar_static"`
	Header         string   `json:"header"`
	HeaderStatic   string   `json:"header_static"`
	Locked         bool     `json:"locked"`
	Fields         []Field  `json:"fields"`
	Emojis         []any    `json:"emojis"`
	Bot            bool     `json:"bot"`
	Group          bool     `json:"group"`
	Discoverable   bool     `json:"discoverable"`
	Indexable      bool     `json:"indexable"`
	Moved          *Account `json:"moved,omitempty"`
	CreatedAt      stamp    `json:"created_at"`
	LastStatusAt   *string  `json:"last_status_at"`
	StatusesCount  int64    `json:"statuses_count"`
	FollowersCount int64    `json:"followers_count"`
	FollowingCount int64    `json:"following_count"`
	Roles          []any    `json:"roles"`

	Source *Source `json:"source,omitempty"` // of the caller's own
}

// Field is a line of a profile.
type Field struct {
	Name       string `json:"name"`
	Value      string `json:"value"`
	VerifiedAt stamp  `json:"verified_at"`
}

// Source is the caller's own profile as it was written.
type Source struct {
	Privacy             string  `json:"privacy"`
	Sensitive           bool    `json:"sensitive"`
	Language            *string `json:"language"`
	Note                string  `json:"note"`
	Fields              []Field `json:"fields"`
	FollowRequestsCount int64   `json:"follow_requests_count"`
	QuotePolicy         string  `json:"quote_policy"`
	Discoverable        bool    `json:"discoverable"`
	Indexable           bool    `json:"indexable"`
	HideCollections     bool    `json:"hide_collections"`
}

// account makes the entity of a user.
func (c *call) account(u *nativeUser) *Account {
	site := c.site()
	name, _, remote := strings.Cut(u.Username, "@")
	a := &Account{
		ID: string(u.ID), Username: name, Acct: u.Username, URL: c.profile(u.Username), URI: site.User(u.ID),
		DisplayName: u.Nickname, Note: site.HTML(u.SnippetHTML, nil), Avatar: c.picture(u.Avatar, "/avatars/missing.png"),
		Header: c.picture(u.Header, "/headers/missing.png"), Locked: u.Locked, Fields: []Field{}, Emojis: []any{},
		Bot: u.Bot, Discoverable: u.Discoverable, Indexable: u.Discoverable, CreatedAt: stamp(u.CreatedAt.Truncate(24 * time.Hour)),
		StatusesCount: u.TweetCount, FollowersCount: u.FollowerCount, FollowingCount: u.FollowedCount, Roles: []any{},
	}
	if !remote {
		a.Username = site.Name(name)
		a.Acct = a.Username
	}
	if u.Remote != nil && u.Remote.URL != "" {
		a.URL, a.URI = u.Remote.URL, u.Remote.URL
	}
	if u.Introduction != nil {
		a.Note = site.HTML(u.IntroHTML, nil)
	}
	for _, f := range u.Fields {
		value := html.EscapeString(f.Value)
		if f.Link {
			value = `<a href="` + value + `" target="_blank" rel="nofollow noopener me">` + value + `</a>`
		}
		a.Fields = append(a.Fields, Field{f.Name, value, stamp(f.VerifiedAt)})
	}
	a.AvatarStatic, a.HeaderStatic = a.Avatar, a.Header
	return a
}

// profile is the address of a user's page.
func (c *call) profile(username string) string { return c.site().URL + "/@" + url.PathEscape(username) }

// picture makes the address of a picture of the API one of anywhere. Clients need one in any case.
func (c *call) picture(address, missing string) string {
	if address == "" {
		address = missing
	}
	return c.absolute(address)
}

// absolute makes an address of this service one of anywhere.
func (c *call) absolute(address string) string {
	if strings.HasPrefix(address, "/") {
		return c.site().URL + address
	}
	return address
}

// accounts reads the entities of users whom lists have, by uid. An unknown user is left out.
//
// Cost: 1 read for each profile that is not cached.
func (c *call) accounts(ids []model.UserID) (map[model.UserID]*Account, error) {
	all := map[model.UserID]*Account{}
	ids = unique(ids)
	for len(ids) > 0 {
		n := min(len(ids), model.MaxBatch)
		var found struct{ Items []*nativeUser }
		query := url.Values{"format": {"html"}, "ids": {}}
		for _, id := range ids[:n] {
			query.Add("ids", string(id))
		}
		if err := c.get("/v1/users:batchGet", query, &found); err != nil {
			return nil, err
		}
		for _, u := range found.Items {
			all[u.ID] = c.account(u)
		}
		ids = ids[n:]
	}
	return all, nil
}

// fullAccount reads the entity of one user.
//
// Cost: that of GET /v1/users/{uid}?view=full.
func (c *call) fullAccount(id string) (*Account, error) {
	var u nativeUser
	if err := c.get(native("users", id), url.Values{"format": {"html"}, "view": {"full"}}, &u); err != nil {
		return nil, err
	}
	return c.account(&u), nil
}

func accountMethods() []Method {
	return []Method{
		get("/api/v1/accounts/verify_credentials", "profile read read:accounts", verifyCredentials),
		get("/api/v1/accounts/:id", "read read:accounts", func(c *call) (any, error) {
			return c.fullAccount(c.path("id"))
		}).public(),
		get("/api/v1/accounts/:id/statuses", "read read:statuses", accountStatuses).public(),
	}
}

func verifyCredentials(c *call) (any, error) {
	var u nativeUser
	if err := c.get("/v1/users/me", url.Values{"format": {"html"}}, &u); err != nil {
		return nil, err
	}
	a := c.account(&u)
	a.Source = &Source{Privacy: "public", Note: u.Snippet, Fields: []Field{}, QuotePolicy: "public",
		Discoverable: u.Discoverable, Indexable: u.Discoverable}
	if u.Introduction != nil {
		a.Source.Note = *u.Introduction
	}
	if u.Language != "" {
		a.Source.Language = &u.Language
	}
	for _, f := range u.Fields {
		a.Source.Fields = append(a.Source.Fields, Field{f.Name, f.Value, stamp(f.VerifiedAt)})
	}
	return a, nil
}

// accountStatuses lists what a user posts and shares.
func accountStatuses(c *call) (any, error) {
	uid, query := c.path("id"), url.Values{}
	if c.params.flag("pinned") {
		return c.pins(uid)
	}
	set := func(name string, to bool) {
		if to {
			query.Set(name, "true")
		}
	}
	set("ownOnly", c.params.flag("exclude_reblogs"))
	set("rootOnly", c.params.flag("exclude_replies"))
	set("mediaOnly", c.params.flag("only_media"))
	if tag := c.params.text("tagged"); tag != "" {
		query.Set("tag", tag)
	}
	return c.timeline(native("users", uid, "tweets"), query, ofUser)
}

// pins lists what a user pins to the profile.
func (c *call) pins(uid string) (any, error) {
	var found page[*nativeTweet]
	if err := c.get(native("users", uid, "pins"), url.Values{"format": {"html"}}, &found); err != nil {
		return nil, err
	}
	return c.statuses(each(found.Items, func(t *nativeTweet) entry { return entry{id: t.ID} }))
}
