package mastodon

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cursor is how far a connection has delivered. Server-sent events have it as their id, and a client that comes again
// sends the last one as Last-Event-ID.
type cursor struct {
	post   string    // the id of the newest post or share
	notice time.Time // of the newest notification or conversation, to the millisecond
}

// mostResumed is how many posts, and how many notifications, a client gets that comes again: the newest ones.
const mostResumed = "20"

// cursorAt is the cursor of a connection that begins at a time.
func cursorAt(at time.Time) cursor {
	return cursor{listening{since: at}.after(), at.Truncate(time.Millisecond)}
}

func (c cursor) text() string { return c.post + "." + strconv.FormatInt(c.notice.UnixMilli(), 10) }

// parseCursor reads a cursor. Any other text, or one of the future, is none: the connection begins now.
func parseCursor(text string) (cursor, bool) {
	post, notice, _ := strings.Cut(text, ".")
	at, _, err := splitID(post)
	ms, bad := strconv.ParseInt(notice, 10, 64)
	c := cursor{post, time.UnixMilli(ms).UTC()}
	if soon := time.Now().Add(time.Minute); err != nil || bad != nil || ms < 0 || at.Time().After(soon) ||
		c.notice.After(soon) {
		return cursor{}, false
	}
	return c, true
}

// resumed is for how long a connection looks again, at its checks, for what it should have had at its begin: the public
// lists of a process may be some seconds old.
const resumed = 15 * time.Second

// resume delivers what a stream has since a cursor, the newest mostResumed items.
//
// Cost: that of a page of 20 of the stream's timeline, and for user one of notifications.
func (n *connection) resume(ctx context.Context, s streamName, from cursor) error {
	c := &call{Context: ctx, api: n.api, request: n.request, header: http.Header{},
		params: params{"since_id": from.post, "limit": mostResumed}}
	if path, o, ok := s.timeline(); ok {
		found, err := c.timeline(path, url.Values{}, o)
		switch {
		case isGone(err): // a tag without a post
		case err != nil:
			return err
		default:
			if _, err := n.update(s, from.post, found.([]*Status)); err != nil {
				return err
			}
		}
	}
	// What came just before is heard of late, and what was delivered is known.
	n.mu.Lock()
	if is := n.streams[s]; is != nil && timeOf(from.post).After(is.since.Add(-window)) {
		is.since = timeOf(from.post)
	}
	n.mu.Unlock()
	return n.notices(c, map[streamName]listening{s: {since: from.notice.Add(time.Millisecond)}}, &pending{notices: true})
}

// timeline is the native list with the posts of a stream, if there is one.
func (s streamName) timeline() (path string, o order, ok bool) {
	o = order{whole: true, keep: func(t *nativeTweet) bool { return s.keeps(t.Remote != nil, len(t.Media) > 0) }}
	switch s.kind() {
	case "user":
		return homePath, ofHome, s.name == "user"
	case "list":
		return native("lists", s.of, "timeline"), ofTweets, true
	case "public":
		return "/v1/tweets", o, true
	case "hashtag":
		return native("tags", s.of, "tweets"), o, true
	}
	return "", o, false
}

// keeps reports whether a public stream, or that of a tag, has posts of other servers or of this one, and with or
// without media.
func (s streamName) keeps(remote, media bool) bool {
	switch parts := strings.Split(s.name, ":"); {
	case slices.Contains(parts, "local") && remote, slices.Contains(parts, "remote") && !remote:
		return false
	default:
		return media || !slices.Contains(parts, "media")
	}
}
