package mastodon

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/hibana-sns/hibana/api/server"
)

const (
	usualPage = 20 // posts of a page
	maxPage   = 40
	// mostPages is the number of native pages that one page may take, where mutes and filters hide most of it, or where a
	// client asks for what follows on a post.
	mostPages = 5
)

// order says what a native list of posts is.
type order struct {
	shares bool // has shares at their own times
	whole  bool // has whole posts; others are read by id
}

var (
	ofHome   = order{shares: true, whole: true}
	ofUser   = order{shares: true}
	ofTweets = order{whole: true}
)

// timeline answers with a page of a native list of posts, newest first, between max_id, since_id and min_id. With
// min_id it is the page that follows on that post: it is looked for from the newest post on, mostPages native pages far.
//
// Cost: that of one native page, or of mostPages, and that of [call.statuses].
func (c *call) timeline(path string, query url.Values, o order) (any, error) {
	limit := c.limit(usualPage, maxPage)
	maxID, since, after := c.params.text("max_id"), c.params.text("since_id"), c.params.text("min_id")
	query.Set("format", "html")
	query.Set("pageSize", strconv.Itoa(limit))
	if maxID != "" {
		query.Set("before", position(maxID, path == homePath))
	}
	if least := max(since, after); least != "" && path == homePath {
		query.Set("since", position(least, true))
	}
	var entries []entry
	more := true
	for n := 0; n < mostPages && more; n++ {
		var found page[*nativeTweet]
		if err := c.get(path, query, &found); err != nil {
			return nil, err
		}
		for _, t := range found.Items {
			e := entryOf(t, o)
			if id := e.statusID(); id <= max(since, after) || maxID != "" && id >= maxID {
				if id <= max(since, after) {
					found.NextPageToken = ""
				}
				continue
			}
			entries = append(entries, e)
		}
		more = found.NextPageToken != ""
		query.Set("pageToken", found.NextPageToken)
		if after == "" && len(entries)*2 >= limit {
			break
		}
	}
	if after != "" && len(entries) > limit {
		entries = entries[len(entries)-limit:] // those that follow on the post
	}
	if len(entries) > 0 {
		if more || after != "" {
			c.link("next", "max_id", entries[len(entries)-1].statusID())
		}
		c.link("prev", "min_id", entries[0].statusID())
	}
	return c.statuses(entries)
}

const homePath = "/v1/timeline"

// entryOf makes an entry of a tweet of a native list.
func entryOf(t *nativeTweet, o order) entry {
	e := entry{id: t.ID}
	if o.whole {
		e.tweet = t
	}
	if o.shares && t.SharedBy != nil {
		e.by, e.at = t.SharedBy.ID, t.SharedBy.SharedAt
	}
	return e
}

// statusID is the id of the entity of an entry.
func (e entry) statusID() string {
	if e.by != "" {
		return shareID(e.at, e.id)
	}
	return statusID(e.id)
}

func timelineMethods() []Method {
	return []Method{
		get("/api/v1/timelines/home", "read read:statuses", func(c *call) (any, error) {
			return c.timeline(homePath, url.Values{}, ofHome)
		}),
		get("/api/v1/timelines/public", "read read:statuses", publicTimeline).public().
			note("remote is empty: posts of other servers come by who follows their authors"),
		get("/api/v1/timelines/tag/:hashtag", "read read:statuses", func(c *call) (any, error) {
			return c.timeline(native("tags", strings.ToLower(c.path("hashtag")), "tweets"), url.Values{}, ofTweets)
		}).public(),
		get("/api/v1/timelines/list/:list_id", "read read:lists", func(c *call) (any, error) {
			return c.timeline(native("lists", c.path("list_id"), "timeline"), url.Values{}, ofTweets)
		}),
	}
}

// publicTimeline lists the posts of all users.
func publicTimeline(c *call) (any, error) {
	if c.params.flag("remote") && !c.params.flag("local") {
		return []*Status{}, nil
	}
	return c.timeline("/v1/tweets", url.Values{"replies": {"true"}}, ofTweets)
}

// isGone reports whether an operation failed because what it is about is not there for the caller.
func isGone(err error) bool {
	if err == nil {
		return false
	}
	status := server.StatusOf(err)
	return status == http.StatusNotFound || status == http.StatusGone || status == http.StatusForbidden
}
