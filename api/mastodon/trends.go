package mastodon

import "net/url"

type nativeTrends struct {
	Tags   []nativeTag
	Tweets []struct{ Tweet *nativeTweet }
}

func trendMethods() []Method {
	const few = "at most 10; history has the usage of the last hours"
	return []Method{
		get("/api/v1/trends", "", trendingTags).public().note(few),
		get("/api/v1/trends/tags", "", trendingTags).public().note(few),
		get("/api/v1/trends/statuses", "", trendingStatuses).public().note("at most 10"),
		get("/api/v1/trends/links", "", none).public().off("links make no trends"),
	}
}

// trendingTags lists the tags that more accounts use than usual.
func trendingTags(c *call) (any, error) {
	found, err := c.trends(url.Values{"only": {"tags"}})
	return part(each(found.Tags, c.tag), c.offset(), c.limit(usualTags, maxTags)), err
}

// trendingStatuses lists the posts that more accounts like, share, answer and quote than usual.
func trendingStatuses(c *call) (any, error) {
	found, err := c.trends(url.Values{"format": {"html"}})
	if err != nil {
		return nil, err
	}
	var entries []entry
	for _, t := range part(found.Tweets, c.offset(), c.limit(usualPage, maxPage)) {
		entries = append(entries, entry{id: t.Tweet.ID, tweet: t.Tweet})
	}
	return c.statuses(entries)
}

func (c *call) trends(query url.Values) (found nativeTrends, err error) {
	return found, c.get("/v1/trends", query, &found)
}
