package mastodon

import (
	"html"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Account is the entity of a user.
type Account struct {
	ID              string   `json:"id"`
	Username        string   `json:"username"`
	Acct            string   `json:"acct"`
	URL             string   `json:"url"`
	URI             string   `json:"uri"`
	DisplayName     string   `json:"display_name"`
	Note            string   `json:"note"`
	Avatar          string   `json:"avatar"`
	AvatarStatic    string   `json:"avatar_static"`
	Header          string   `json:"header"`
	HeaderStatic    string   `json:"header_static"`
	Locked          bool     `json:"locked"`
	Fields          []Field  `json:"fields"`
	Emojis          []any    `json:"emojis"`
	Bot             bool     `json:"bot"`
	Group           bool     `json:"group"`
	Discoverable    bool     `json:"discoverable"`
	Indexable       bool     `json:"indexable"`
	HideCollections bool     `json:"hide_collections"`
	Moved           *Account `json:"moved,omitempty"`
	CreatedAt       stamp    `json:"created_at"`
	LastStatusAt    *string  `json:"last_status_at"`
	StatusesCount   int64    `json:"statuses_count"`
	FollowersCount  int64    `json:"followers_count"`
	FollowingCount  int64    `json:"following_count"`
	Roles           []any    `json:"roles"`

	Source *Source `json:"source,omitempty"` // of the caller's own, and the role
	Role   *Role   `json:"role,omitempty"`
}

// Field is a line of a profile.
type Field struct {
	Name       string `json:"name"`
	Value      string `json:"value"`
	VerifiedAt stamp  `json:"verified_at"`
}

// Source is the caller's own profile as it was written.
type Source struct {
	Privacy             string   `json:"privacy"`
	Sensitive           bool     `json:"sensitive"`
	Language            *string  `json:"language"`
	Note                string   `json:"note"`
	Fields              []Field  `json:"fields"`
	FollowRequestsCount int64    `json:"follow_requests_count"`
	QuotePolicy         string   `json:"quote_policy"`
	Discoverable        bool     `json:"discoverable"`
	Indexable           bool     `json:"indexable"`
	HideCollections     bool     `json:"hide_collections"`
	AttributionDomains  []string `json:"attribution_domains"`
}

// Role says what the caller may do as staff.
type Role struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Color       string `json:"color"`
	Permissions string `json:"permissions"`
	Highlighted bool   `json:"highlighted"`
}

// account makes the entity of a user.
func (c *call) account(u *nativeUser) *Account {
	site := c.site()
	name, _, remote := strings.Cut(u.Username, "@")
	a := &Account{
		ID: string(u.ID), Username: name, Acct: u.Username, URL: c.profile(u.Username), URI: site.User(u.ID),
		DisplayName: u.Nickname, Note: appLinks(site.HTML(u.SnippetHTML, nil)),
		Avatar: c.picture(u.Avatar, missingAvatar), Header: c.picture(u.Header, missingHeader),
		Locked: u.Locked, Fields: []Field{}, Emojis: []any{},
		Bot: u.Bot, Discoverable: u.Discoverable, Indexable: u.Discoverable,
		CreatedAt:     stamp(u.CreatedAt.Truncate(24 * time.Hour)),
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
		a.Note = appLinks(site.HTML(u.IntroHTML, nil))
	}
	for _, f := range u.Fields {
		value := html.EscapeString(f.Value)
		if f.Link {
			value = appLinks(`<a href="` + value + `" target="_blank" rel="nofollow noopener me">` + value + `</a>`)
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
// Cost: 1 read for each profile that is not cached, and for each to whom one of them moved.
func (c *call) accounts(ids []model.UserID) (map[model.UserID]*Account, error) {
	users, err := c.users(ids)
	if err != nil {
		return nil, err
	}
	all, moved := map[model.UserID]*Account{}, []model.UserID{}
	for id, u := range users {
		all[id] = c.account(u)
		if u.MovedToID != "" {
			moved = append(moved, u.MovedToID)
		}
	}
	targets, err := c.users(moved)
	if err != nil {
		return nil, err
	}
	for id, u := range users {
		if to := targets[u.MovedToID]; to != nil {
			all[id].Moved = c.account(to)
		}
	}
	return all, nil
}

// users reads profiles by uid, as lists have them.
func (c *call) users(ids []model.UserID) (map[model.UserID]*nativeUser, error) {
	all := map[model.UserID]*nativeUser{}
	for some := range slices.Chunk(unique(ids), model.MaxBatch) {
		var found struct{ Items []*nativeUser }
		query := url.Values{"format": {"html"}, "ids": each(some, func(id model.UserID) string { return string(id) })}
		if err := c.get("/v1/users:batchGet", query, &found); err != nil {
			return nil, err
		}
		for _, u := range found.Items {
			all[u.ID] = u
		}
	}
	return all, nil
}

// accountsOf makes the entities of users, in their order. An unknown user is left out.
//
// Cost: that of [call.accounts].
func (c *call) accountsOf(ids []model.UserID) ([]*Account, error) {
	found, err := c.accounts(ids)
	if err != nil {
		return nil, err
	}
	all := []*Account{}
	for _, id := range ids {
		if a := found[id]; a != nil {
			all = append(all, a)
		}
	}
	return all, nil
}

// fullAccount reads the entity of one user.
//
// Cost: that of GET /v1/users/{uid}?view=full, and 1 read for the account to which the user moved.
func (c *call) fullAccount(id string) (*Account, error) {
	var u nativeUser
	if err := c.get(native("users", id), url.Values{"format": {"html"}, "view": {"full"}}, &u); err != nil {
		return nil, err
	}
	return c.movedAccount(&u)
}

// movedAccount makes the entity of a user, with the account to which the user moved.
func (c *call) movedAccount(u *nativeUser) (*Account, error) {
	a := c.account(u)
	if u.MovedToID == "" {
		return a, nil
	}
	to, err := c.users([]model.UserID{u.MovedToID})
	if err == nil && to[u.MovedToID] != nil {
		a.Moved = c.account(to[u.MovedToID])
	}
	return a, err
}
