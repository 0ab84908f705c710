package mastodon

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// AdminTag is the entity of a tag for moderators.
type AdminTag struct {
	ID             string       `json:"id"`
	Name           string       `json:"name"`
	URL            string       `json:"url"`
	History        []TagHistory `json:"history"`
	Trendable      bool         `json:"trendable"`
	Usable         bool         `json:"usable"`
	Listable       bool         `json:"listable"`
	RequiresReview bool         `json:"requires_review"`
}

// TagHistory is how often a tag was used on a day.
type TagHistory struct {
	Day      string `json:"day"`
	Uses     string `json:"uses"`
	Accounts string `json:"accounts"`
}

type nativeReview struct {
	Waiting []nativeReviewed `json:"waiting"`
	Shown   []nativeReviewed `json:"shown"`
}

type nativeReviewed struct {
	Tag      string        `json:"tag"`
	Content  string        `json:"content"`
	TweetID  model.TweetID `json:"tweetId"`
	UseCount int64         `json:"useCount"`
}

func adminTrendMethods() []Method {
	const scope, write = "admin:read", "admin:write"
	const noLinks = "links are no trends"
	none := func(*call) (any, error) { return []any{}, nil }
	return []Method{
		get("/api/v1/admin/trends/links", scope, none).off(noLinks),
		post("/api/v1/admin/trends/links/:id/approve", write, absent).off(noLinks),
		post("/api/v1/admin/trends/links/:id/reject", write, absent).off(noLinks),
		get("/api/v1/admin/trends/statuses", scope, adminTrendStatuses),
		post("/api/v1/admin/trends/statuses/:id/approve", write, reviewStatus("allowed")),
		post("/api/v1/admin/trends/statuses/:id/reject", write, reviewStatus("refused")),
		get("/api/v1/admin/trends/tags", scope, adminTrendTags).note("the id is the tag; history has the last three hours"),
		post("/api/v1/admin/trends/tags/:id/approve", write, reviewTag("allowed")),
		post("/api/v1/admin/trends/tags/:id/reject", write, reviewTag("refused")),
	}
}

// reviewed lists what rises: first what waits for a decision.
func (c *call) reviewed() (all []nativeReviewed, waiting int, err error) {
	var r nativeReview
	err = c.get("/v1/admin/trends", nil, &r)
	return append(r.Waiting, r.Shown...), len(r.Waiting), err
}

func adminTrendStatuses(c *call) (any, error) {
	all, _, err := c.reviewed()
	if err != nil {
		return nil, err
	}
	var entries []entry
	for _, r := range all {
		if r.TweetID != "" {
			entries = append(entries, entry{id: r.TweetID})
		}
	}
	return c.statuses(unique(entries))
}

func adminTrendTags(c *call) (any, error) {
	all, waiting, err := c.reviewed()
	if err != nil {
		return nil, err
	}
	tags := []AdminTag{}
	for i, r := range all {
		if r.Tag != "" {
			tags = append(tags, c.adminTag(r, i >= waiting, i < waiting))
		}
	}
	return tags, nil
}

func (c *call) adminTag(r nativeReviewed, trendable, waits bool) AdminTag {
	n := strconv.FormatInt(r.UseCount, 10)
	day := strconv.FormatInt(time.Now().UTC().Truncate(24*time.Hour).Unix(), 10)
	return AdminTag{ID: r.Tag, Name: r.Tag, URL: c.site().Tag(r.Tag), History: []TagHistory{{day, n, n}}, Trendable: trendable,
		Usable: true, Listable: true, RequiresReview: waits}
}

// reviewStatus makes a method that decides whether a post may be a trend.
func reviewStatus(decision string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		id, err := tweetOf(c.path("id"))
		if err != nil {
			return nil, err
		}
		err = c.send(http.MethodPut, native("admin", "trends", "tweets", string(id)), map[string]string{"decision": decision},
			nil)
		if err != nil {
			return nil, err
		}
		return c.fullStatus(id)
	}
}

// reviewTag makes a method that decides whether a tag may be a trend.
func reviewTag(decision string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		tag := strings.ToLower(c.path("id"))
		err := c.send(http.MethodPut, native("admin", "trends", "tags", tag), map[string]string{"decision": decision}, nil)
		if err != nil {
			return nil, err
		}
		return c.adminTag(nativeReviewed{Tag: tag}, decision == "allowed", false), nil
	}
}
