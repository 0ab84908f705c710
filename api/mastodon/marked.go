package mastodon

import "net/url"

// markedMethods are the lists of posts that the caller bookmarked or liked.
func markedMethods() []Method {
	return []Method{
		get("/api/v1/bookmarks", "read read:bookmarks", func(c *call) (any, error) {
			return c.marked(native("users", "me", "bookmarks"))
		}),
		get("/api/v1/favourites", "read read:favourites", func(c *call) (any, error) {
			return c.marked(native("users", string(c.caller().UID), "likes"))
		}),
	}
}

// marked answers with a page of a native list of posts that the caller marked, newest mark first.
func (c *call) marked(path string) (any, error) {
	items, err := listed[*nativeTweet](c, path, url.Values{"format": {"html"}}, usualPage, maxPage)
	if err != nil {
		return nil, err
	}
	return c.statuses(each(items, func(t *nativeTweet) entry { return entry{id: t.ID, tweet: t} }))
}
