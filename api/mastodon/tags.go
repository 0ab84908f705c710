package mastodon

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// Tag is the entity of a hashtag.
type Tag struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	URL       string     `json:"url"`
	History   []TagUsage `json:"history"`
	Following *bool      `json:"following,omitempty"` // of a caller who is signed in, as the next
	Featuring *bool      `json:"featuring,omitempty"`
}

// TagUsage is the usage of a tag on a day. Here today has that of the last hours, of a tag that is a trend.
type TagUsage struct {
	Day      string `json:"day"`
	Uses     string `json:"uses"`
	Accounts string `json:"accounts"`
}

// FeaturedTag is a tag that a user shows on the profile.
type FeaturedTag struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	URL           string  `json:"url"`
	StatusesCount string  `json:"statuses_count"`
	LastStatusAt  *string `json:"last_status_at"`
}

type nativeTag struct {
	Name        string `json:"name"`
	Content     string `json:"content"`
	UseCount    int64  `json:"useCount"`
	TweetCount  int64  `json:"tweetCount"`
	IsFollowing bool   `json:"isFollowing"`
}

type nativePinnedTag struct {
	Tag        string `json:"tag"`
	Label      string `json:"label"`
	TweetCount int64  `json:"tweetCount"`
}

const (
	historyDays = 7
	usualTags   = 10
	maxTags     = 20
)

func tagMethods() []Method {
	const follows, write = "follow write write:follows", "write write:accounts"
	const noHistory = "history has numbers only of a tag that is a trend, of the last hours, if somebody asked for the " +
		"trends in the last 2 minutes"
	return []Method{
		get("/api/v1/followed_tags", "follow read read:follows", followedTags).
			note("all, which are 10 at most, on one page"),
		get("/api/v1/featured_tags", "read read:accounts", func(c *call) (any, error) {
			u, err := c.own()
			if err != nil {
				return nil, err
			}
			return c.featuredTags(u.ID, u.Username)
		}).note("last_status_at is null"),
		post("/api/v1/featured_tags", write, func(c *call) (any, error) {
			return c.feature(c.params.text("name"), true)
		}).note("at most 10"),
		remove("/api/v1/featured_tags/:id", write, removeFeatured),
		get("/api/v1/featured_tags/suggestions", "read read:accounts", suggestedTags),
		get("/api/v1/tags/:id", "", readTag).public().note(noHistory),
		post("/api/v1/tags/:id/follow", follows, followTag(http.MethodPut)).note("at most 10"),
		post("/api/v1/tags/:id/unfollow", follows, followTag(http.MethodDelete)),
		post("/api/v1/tags/:id/feature", write, featureTag(true)).note("at most 10"),
		post("/api/v1/tags/:id/unfeature", write, featureTag(false)),
	}
}

// tag makes the entity of a tag.
func (c *call) tag(t nativeTag) *Tag {
	tag := &Tag{ID: t.Name, Name: t.Content, URL: c.site().Tag(t.Name), History: history(c.api.trending.of(t))}
	if tag.Name == "" {
		tag.Name = t.Name
	}
	return tag
}

// history is the usage of a tag in the last days, of which that of today is known, and others are 0.
func history(today int64) []TagUsage {
	all, day := []TagUsage{}, time.Now().UTC().Truncate(24*time.Hour)
	for range historyDays {
		n := strconv.FormatInt(today, 10)
		all, today = append(all, TagUsage{strconv.FormatInt(day.Unix(), 10), n, n}), 0
		day = day.AddDate(0, 0, -1)
	}
	return all
}

// tagNamed reads a tag. One that no post has is a tag, too.
//
// Cost: that of GET /v1/tags/{tag}; of a tag that no post has, that of GET /v1/users/me/followedTags.
func (c *call) tagNamed(name string) (*Tag, error) {
	var t nativeTag
	err := c.get(native("tags", name), nil, &t)
	signedIn := c.caller().UID != ""
	if isGone(err) {
		key, bad := model.NormalizeTag(name)
		if bad != nil {
			return nil, bad
		}
		if t, err = (nativeTag{Name: key, Content: strings.TrimPrefix(name, "#")}), nil; signedIn {
			var followed page[nativeTag]
			err = c.get("/v1/users/me/followedTags", nil, &followed)
			t.IsFollowing = slices.ContainsFunc(followed.Items, func(f nativeTag) bool { return f.Name == key })
		}
	}
	if err != nil {
		return nil, err
	}
	tag := c.tag(t)
	if signedIn {
		tag.Following = &t.IsFollowing
	}
	return tag, nil
}

func readTag(c *call) (any, error) {
	tag, err := c.tagNamed(c.path("id"))
	if err != nil || c.caller().UID == "" {
		return tag, err
	}
	return tag, c.featuring(tag)
}

// featuring says of tags whether the caller shows them on the profile.
//
// Cost: 1 read if the caller's profile is not cached; nothing for no tag.
func (c *call) featuring(tags ...*Tag) error {
	if len(tags) == 0 {
		return nil
	}
	uid := c.caller().UID
	found, err := c.users([]model.UserID{uid})
	u := found[uid]
	if u == nil {
		return err
	}
	for _, tag := range tags {
		tag.Featuring = new(slices.ContainsFunc(u.PinnedTags, sameTag(tag.ID)))
	}
	return nil
}

// sameTag returns whether a text is a spelling of a tag.
func sameTag(key string) func(string) bool {
	return func(typed string) bool {
		is, err := model.NormalizeTag(typed)
		return err == nil && is == key
	}
}

func followedTags(c *call) (any, error) {
	var found page[nativeTag]
	if c.params.has("max_id") || c.params.has("min_id") || c.params.has("since_id") {
		return []*Tag{}, nil // there is one page
	}
	if err := c.get("/v1/users/me/followedTags", nil, &found); err != nil {
		return nil, err
	}
	tags := each(found.Items, func(t nativeTag) *Tag {
		tag := c.tag(t)
		tag.Following = new(true)
		return tag
	})
	return tags, c.featuring(tags...)
}

// followTag makes a method that follows a tag, or follows it no more.
func followTag(verb string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		if err := c.send(verb, native("tags", c.path("id"), "follow"), nil, nil); err != nil {
			return nil, err
		}
		tag, err := c.tagNamed(c.path("id"))
		if err != nil {
			return nil, err
		}
		tag.Following = new(verb == http.MethodPut)
		return tag, c.featuring(tag)
	}
}

// featuredTags lists the tags that a user shows on the profile.
//
// Cost: that of GET /v1/users/{uid}/pinnedTags.
func (c *call) featuredTags(uid model.UserID, username string) ([]FeaturedTag, error) {
	var found page[nativePinnedTag]
	if err := c.get(native("users", string(uid), "pinnedTags"), nil, &found); err != nil {
		return nil, err
	}
	return each(found.Items, func(t nativePinnedTag) FeaturedTag {
		return FeaturedTag{ID: t.Tag, Name: t.Label, URL: c.profile(username) + "/tagged/" + url.PathEscape(t.Tag),
			StatusesCount: strconv.FormatInt(t.TweetCount, 10)}
	}), nil
}

// accountTags lists the tags that a user shows on the profile.
func accountTags(c *call) (any, error) {
	users, err := c.users([]model.UserID{model.UserID(c.path("id"))})
	if err != nil {
		return nil, err
	}
	for _, u := range users {
		return c.featuredTags(u.ID, u.Username)
	}
	return nil, model.NoUser(model.UserID(c.path("id")))
}

// feature shows a tag on the caller's profile, or no more, and returns it.
func (c *call) feature(name string, show bool) (any, error) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "#")
	key, err := model.NormalizeTag(name)
	if err != nil {
		return nil, err
	}
	u, err := c.own()
	if err != nil {
		return nil, err
	}
	tags, shown := u.PinnedTags, slices.ContainsFunc(u.PinnedTags, sameTag(key))
	switch {
	case show && !shown:
		tags = append(tags, name)
	case !show:
		tags = slices.DeleteFunc(tags, sameTag(key))
	}
	if shown != show {
		if tags == nil {
			tags = []string{}
		}
		if err := c.send(http.MethodPatch, "/v1/users/me", map[string]any{"pinnedTags": tags}, nil); err != nil {
			return nil, err
		}
	}
	if !show {
		return nil, nil
	}
	all, err := c.featuredTags(u.ID, u.Username)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.ID == key {
			return t, nil
		}
	}
	return nil, model.NoUser(u.ID) // the profile was changed meanwhile
}

// removeFeatured takes a tag off the caller's profile.
func removeFeatured(c *call) (any, error) { return c.feature(c.path("id"), false) }

// featureTag makes a method that shows a tag on the caller's profile, or no more, and answers with the tag.
func featureTag(show bool) func(*call) (any, error) {
	return func(c *call) (any, error) {
		if _, err := c.feature(c.path("id"), show); err != nil {
			return nil, err
		}
		tag, err := c.tagNamed(c.path("id"))
		if err == nil {
			tag.Featuring = &show
		}
		return tag, err
	}
}

// suggestedTags lists the tags that the caller uses most and does not show.
func suggestedTags(c *call) (any, error) {
	u, err := c.own()
	if err != nil {
		return nil, err
	}
	var used page[nativeTag]
	query := url.Values{"pageSize": {strconv.Itoa(maxTags)}}
	if err := c.get("/v1/users/me/tags", query, &used); err != nil {
		return nil, err
	}
	all := []*Tag{}
	for _, t := range used.Items {
		if !slices.ContainsFunc(u.PinnedTags, sameTag(t.Name)) && len(all) < usualTags {
			all = append(all, c.tag(t))
		}
	}
	return all, nil
}
