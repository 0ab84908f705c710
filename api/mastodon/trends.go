package mastodon

import (
	"cmp"
	"net/url"
	"sync/atomic"
	"time"
)

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
	if err = c.get("/v1/trends", query, &found); err == nil {
		c.api.trending.keep(found.Tags)
	}
	return found, err
}

// trendsKept is for how long the usage of trends is known after a client asked for the list.
const trendsKept = 2 * time.Minute

// trendingUses has the usage of the tags that are trends, as this process answered last. So a tag says the same next to
// a list of trends, and costs no read for it.
type trendingUses struct {
	last atomic.Pointer[keptUses]
}

type keptUses struct {
	uses map[string]int64 // by the key of the tag; as many as the list has
	at   time.Time
}

func (k *trendingUses) keep(tags []nativeTag) {
	kept := &keptUses{map[string]int64{}, time.Now()}
	for _, t := range tags {
		kept.uses[t.Name] = t.UseCount
	}
	k.last.Store(kept)
}

// of is how often a tag is used; 0 if that is not known.
func (k *trendingUses) of(t nativeTag) int64 {
	if kept := k.last.Load(); kept != nil && time.Since(kept.at) < trendsKept {
		return cmp.Or(t.UseCount, kept.uses[t.Name])
	}
	return t.UseCount
}
