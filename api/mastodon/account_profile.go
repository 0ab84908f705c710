package mastodon

import (
	"bufio"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hibana-sns/hibana/model"
)

// Profile is the caller's own profile, to be changed.
type Profile struct {
	ID                 string        `json:"id"`
	DisplayName        string        `json:"display_name"`
	Note               string        `json:"note"`
	Fields             []Field       `json:"fields"`
	Avatar             *string       `json:"avatar"`
	AvatarStatic       *string       `json:"avatar_static"`
	AvatarDescription  string        `json:"avatar_description"`
	Header             *string       `json:"header"`
	HeaderStatic       *string       `json:"header_static"`
	HeaderDescription  string        `json:"header_description"`
	Locked             bool          `json:"locked"`
	Bot                bool          `json:"bot"`
	HideCollections    bool          `json:"hide_collections"`
	Discoverable       bool          `json:"discoverable"`
	Indexable          bool          `json:"indexable"`
	ShowMedia          bool          `json:"show_media"`
	ShowMediaReplies   bool          `json:"show_media_replies"`
	ShowFeatured       bool          `json:"show_featured"`
	AttributionDomains []string      `json:"attribution_domains"`
	FeaturedTags       []FeaturedTag `json:"featured_tags"`
}

// own reads the caller's profile.
//
// Cost: that of GET /v1/users/me.
func (c *call) own() (*nativeUser, error) {
	var u nativeUser
	return &u, c.get("/v1/users/me", url.Values{"format": {"html"}}, &u)
}

func verifyCredentials(c *call) (any, error) {
	u, err := c.own()
	if err != nil {
		return nil, err
	}
	return c.ownAccount(u)
}

// ownAccount makes the entity of the caller.
func (c *call) ownAccount(u *nativeUser) (*Account, error) {
	a, err := c.movedAccount(u)
	if err != nil {
		return nil, err
	}
	a.Source = &Source{Privacy: "public", Note: introduction(u), Fields: ownFields(u), QuotePolicy: "public",
		Discoverable: u.Discoverable, Indexable: u.Discoverable, FollowRequestsCount: u.FollowRequests,
		Language: textOrNil(u.Language), AttributionDomains: []string{}}
	a.Role = roleOf(c.caller())
	return a, nil
}

// introduction is the text of a profile as it was written.
func introduction(u *nativeUser) string {
	if u.Introduction != nil {
		return *u.Introduction
	}
	return u.Snippet
}

// ownFields are the lines of a profile as they were written.
func ownFields(u *nativeUser) []Field {
	return each(u.Fields, func(f nativeField) Field { return Field{f.Name, f.Value, stamp(f.VerifiedAt)} })
}

// Bits of the permissions of a role.
const (
	mayAll     = 0x1
	mayJudge   = 0x4 | 0x8 | 0x10 | 0x100 | 0x200 | 0x400 // the log, the dashboard, reports, trends, appeals, users
	roleOfAll  = "-99"
	roleOfAdm  = "3"
	roleOfMods = "1"
)

// roleOf is what a caller may do as staff.
func roleOf(c model.Caller) *Role {
	switch c.Role() {
	case model.Administrator:
		return &Role{roleOfAdm, "Administrator", "", strconv.Itoa(mayAll | mayJudge), true}
	case model.Moderator:
		return &Role{roleOfMods, "Moderator", "", strconv.Itoa(mayJudge), true}
	default:
		return &Role{roleOfAll, "", "", "0", false}
	}
}

func updateCredentials(c *call) (any, error) {
	u, err := c.update()
	if err != nil {
		return nil, err
	}
	return c.ownAccount(u)
}

// update changes the caller's profile by the parameters of the request.
//
// Cost: that of PATCH /v1/users/me; for each picture also that of POST /v1/media, and 1 read for each time that
// the picture is asked for until it is ready.
func (c *call) update() (*nativeUser, error) {
	if c.streamed {
		if err := c.formPictures(); err != nil {
			return nil, err
		}
	}
	patch := map[string]any{}
	for name, to := range map[string]string{"display_name": "nickname", "note": "introduction"} {
		if c.params.has(name) {
			patch[to] = c.params.text(name)
		}
	}
	if patch["nickname"] == "" {
		delete(patch, "nickname") // everybody has one
	}
	for name, to := range map[string]string{"locked": "locked", "bot": "bot", "indexable": "discoverable",
		"discoverable": "discoverable"} {
		if c.params.has(name) && (name != "indexable" || !c.params.has("discoverable")) {
			patch[to] = c.params.flag(name)
		}
	}
	if source := c.params.object("source"); source.has("language") {
		patch["language"] = source.text("language")
	}
	if c.params.has("fields_attributes") {
		patch["fields"] = fieldsTyped(c.params)
	}
	for name, to := range map[string]string{"avatar": "avatarMedia", "header": "headerMedia"} {
		if sent := c.params.file(name); sent != "" && c.pictures[name] == "" {
			from := bufio.NewReader(strings.NewReader(string(sent)))
			if err := c.setPicture(name, from, min(int64(len(sent)), maxPicture)); err != nil {
				return nil, err
			}
		}
		if id := c.pictures[name]; id != "" {
			patch[to] = id
		}
	}
	c.params = nil // a picture may be large
	for _, id := range c.pictures {
		if err := c.ready(id); err != nil {
			return nil, err
		}
	}
	if len(patch) > 0 {
		if err := c.send(http.MethodPatch, "/v1/users/me", patch, nil); err != nil {
			return nil, err
		}
	}
	return c.own()
}

// typedField is a line of a profile for the native API.
type typedField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// fieldsTyped returns the lines of a profile that a request has, in the order of their numbers. Empty lines are none.
func fieldsTyped(p params) []typedField {
	all, objects := []typedField{}, p.objects("fields_attributes")
	if numbered := p.object("fields_attributes"); numbered != nil {
		var names []int
		for name := range numbered {
			if n, err := strconv.Atoi(name); err == nil {
				names = append(names, n)
			}
		}
		slices.Sort(names)
		objects = nil
		for _, n := range names {
			objects = append(objects, numbered.object(strconv.Itoa(n)))
		}
	}
	for _, o := range objects {
		if f := (typedField{o.text("name"), o.text("value")}); f.Name != "" && f.Value != "" {
			all = append(all, f)
		}
	}
	return all
}

func ownProfile(c *call) (any, error) {
	u, err := c.own()
	if err != nil {
		return nil, err
	}
	return c.profileOf(u)
}

func updateProfile(c *call) (any, error) {
	u, err := c.update()
	if err != nil {
		return nil, err
	}
	return c.profileOf(u)
}

// profileOf makes the entity of the caller's profile.
//
// Cost: that of GET /v1/users/{uid}/pinnedTags.
func (c *call) profileOf(u *nativeUser) (*Profile, error) {
	tags, err := c.featuredTags(u.ID, u.Username)
	if err != nil {
		return nil, err
	}
	picture := func(address string) *string { return textOrNil(c.absolute(address)) }
	return &Profile{ID: string(u.ID), DisplayName: u.Nickname, Note: introduction(u), Fields: ownFields(u),
		Avatar: picture(u.Avatar), AvatarStatic: picture(u.Avatar), Header: picture(u.Header),
		HeaderStatic: picture(u.Header), Locked: u.Locked, Bot: u.Bot, Discoverable: u.Discoverable,
		Indexable: u.Discoverable, ShowMedia: true, ShowMediaReplies: true, ShowFeatured: true,
		AttributionDomains: []string{}, FeaturedTags: tags}, nil
}

// removePicture makes a method that takes the avatar or the header off the caller's profile.
func removePicture(field string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		if err := c.send(http.MethodPatch, "/v1/users/me", map[string]any{field: ""}, nil); err != nil {
			return nil, err
		}
		return verifyCredentials(c)
	}
}
