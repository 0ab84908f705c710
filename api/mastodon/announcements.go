package mastodon

import (
	"html"
	"net/http"
	"net/url"
	"time"
)

// Announcement is the entity of what the administrators tell everybody.
type Announcement struct {
	ID          string `json:"id"`
	Content     string `json:"content"`
	StartsAt    stamp  `json:"starts_at"`
	EndsAt      stamp  `json:"ends_at"`
	AllDay      bool   `json:"all_day"`
	Published   bool   `json:"published"`
	PublishedAt stamp  `json:"published_at"`
	UpdatedAt   stamp  `json:"updated_at"`
	Read        bool   `json:"read"`
	Mentions    []any  `json:"mentions"`
	Statuses    []any  `json:"statuses"`
	Tags        []any  `json:"tags"`
	Emojis      []any  `json:"emojis"`
	Reactions   []any  `json:"reactions"`
}

type nativeAnnouncement struct {
	ID        string     `json:"id"`
	Title     string     `json:"title"`
	HTML      string     `json:"html"`
	StartsAt  time.Time  `json:"startsAt"`
	EndsAt    *time.Time `json:"endsAt"`
	UpdatedAt time.Time  `json:"updatedAt"`
	Dismissed bool       `json:"dismissed"`
}

func announcementMethods() []Method {
	const noReactions = "nobody reacts to announcements"
	react := func(*call) (any, error) { return nil, invalid("announcements have no reactions") }
	return []Method{
		get("/api/v1/announcements", "", announcements).note("the title is the first line of the content"),
		post("/api/v1/announcements/:id/dismiss", "write write:accounts", func(c *call) (any, error) {
			return nil, c.send(http.MethodPut, native("announcements", c.path("id"), "dismissed"), nil, nil)
		}),
		put("/api/v1/announcements/:id/reactions/:name", "write write:favourites", react).off(noReactions),
		remove("/api/v1/announcements/:id/reactions/:name", "write write:favourites", react).off(noReactions),
	}
}

// announcements lists what shows now; what the caller dismissed only if the client asks for it.
func announcements(c *call) (any, error) {
	var found page[nativeAnnouncement]
	if err := c.get("/v1/announcements", url.Values{"format": {"html"}}, &found); err != nil {
		return nil, err
	}
	all := []Announcement{}
	for _, a := range found.Items {
		if a.Dismissed && !c.params.flag("with_dismissed") {
			continue
		}
		is := Announcement{ID: a.ID, Content: "<p><strong>" + html.EscapeString(a.Title) + "</strong></p>" + c.site().HTML(a.HTML, nil),
			StartsAt: stamp(a.StartsAt), Published: true, PublishedAt: stamp(a.StartsAt), UpdatedAt: stamp(a.UpdatedAt),
			Read: a.Dismissed, Mentions: []any{}, Statuses: []any{}, Tags: []any{}, Emojis: []any{}, Reactions: []any{}}
		if a.EndsAt != nil {
			is.EndsAt = stamp(*a.EndsAt)
		}
		all = append(all, is)
	}
	return all, nil
}
