package mastodon

import (
	"cmp"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hibana-sns/hibana/api/server"
	"github.com/hibana-sns/hibana/internal/meter"
	"github.com/hibana-sns/hibana/internal/words"
	"github.com/hibana-sns/hibana/model"
)

const (
	usualPage = 20 // posts of a page
	maxPage   = 40
	// mostPages is the number of native pages that one page may take, where mutes and filters hide most of it.
	mostPages = 5
	// hiddenPages is the number of them where the caller hides all of it.
	hiddenPages = 25
	// nearPages is the number of native pages, from the newest on, in which the posts are looked for that follow on one.
	nearPages = 2
	// mostTries is the number of native pages of usualPage posts in which they are looked for further back.
	mostTries = 12
	// mostLooks is the number of native pages of one post in which the first post of a list is looked for. Once a request
	// has cost searchReads, it looks no further, and has the oldest posts that it found.
	mostLooks, searchReads = 45, 300
	// mostTags is the number of tags whose lists one timeline joins.
	mostTags = 4
)

// order says what a native list of posts is.
type order struct {
	shares bool                    // has shares at their own times
	whole  bool                    // has whole posts; others are read by id
	keep   func(*nativeTweet) bool // leaves posts out; nil keeps all
	size   int                     // posts of a native page at least, where keep may leave most of them out
}

var (
	ofHome   = order{shares: true, whole: true}
	ofUser   = order{shares: true}
	ofTweets = order{whole: true}
)

// bounds are the ids between which a timeline is, and the number of its posts.
type bounds struct {
	maxID, since, after string
	limit               int
	pages               int    // native pages at most
	size                int    // posts of a native page at least
	top                 string // maxID, where it is not the client's
}

// stretch is a part of a native list.
type stretch struct {
	entries []entry
	more    bool   // the list goes on
	last    string // id of the last post that was read, whether or not it is kept
	token   string // where the native list goes on; only of one that has nothing so far
	top     string // the id below which all is that was read; empty for the newest post
}

// timeline answers with a page of a native list of posts, newest first, between max_id, since_id and min_id. With
// min_id it is the page that follows on that post.
//
// Cost: that of one native page, or of mostPages, with min_id of nearPages, and searchReads at most to look further;
// and that of [call.statuses].
func (c *call) timeline(path string, query url.Values, o order) (any, error) {
	b := c.bounds()
	s, err := c.stretch(path, query, o, b)
	if err != nil {
		return nil, err
	}
	return c.paged(s, b)
}

func (c *call) bounds() bounds {
	return bounds{c.params.text("max_id"), c.params.text("since_id"), c.params.text("min_id"),
		c.limit(usualPage, maxPage), mostPages, 0, ""}
}

// stretch reads the part of a native list that a page needs.
func (c *call) stretch(path string, query url.Values, o order, b bounds) (stretch, error) {
	if b.after == "" {
		return c.read(path, query, o, b)
	}
	b.size, b.pages = maxPage*b.pages/mostPages, min(b.pages, nearPages)
	oldest := time.UnixMilli(1) // for what is no id, such as 0
	if from, _, err := splitID(max(b.since, b.after)); err == nil {
		oldest = from.Time()
	}
	if oldest.Year() < 2000 { // a walk from the beginning, whose posts are hardly the newest
		b.pages, b.size = 1, 0
	}
	if b.top != "" { // all that is below has about a page of another list
		b.size = maxPage
	}
	s, err := c.read(path, query, o, b)
	if err != nil || !s.more || s.last == "" {
		return s, err
	}
	return c.following(path, query, o, b, oldest, s)
}

// following looks for the posts of a native list that follow on one of the time oldest, where the list from the newest
// on, which is s, does not reach it. It asks what is below a time, which is nearer to the post after each answer that
// has too many posts, and goes on from there after one that has all. So it finds the posts by the logarithm of the time
// to them, also where most of them were made at once. Where nothing was made for long, it looks for the first post.
func (c *call) following(path string, query url.Values, o order, b bounds, oldest time.Time,
	s stretch) (stretch, error) {
	const least = time.Millisecond // ids are looked up by that
	newest, step := timeOf(s.last), least
	var whole stretch // all that follow on the post, as far as they are known
	next := true      // s is what follows on the time newest
	looks := mostLooks
	for n := 0; n < mostTries && len(whole.entries) < b.limit && newest.After(oldest) && c.maySearch(); n++ {
		span := newest.Sub(oldest)
		if step >= span/2 {
			step = least
		}
		step = max(least, time.Duration(math.Sqrt(float64(step)*float64(span)))).Truncate(least)
		part := b
		part.maxID, part.after = idAt(oldest.Add(step)), max(b.after, idAt(oldest))
		part.pages, part.limit, part.size = 1, usualPage, 0
		found, err := c.read(path, query, o, part)
		if err != nil {
			return s, err
		}
		switch found.top = part.maxID; {
		case !found.more:
			oldest = timeOf(part.maxID)
			if found.last == "" && len(whole.entries) == 0 {
				if oldest, err = c.first(path, query, o, part, oldest, newest, &looks); err != nil {
					return s, err
				}
				step = least
			}
			whole.entries, whole.top = append(found.entries, whole.entries...), idAt(oldest)
		case found.last == "": // hidden posts alone
			newest, step, next = timeOf(part.maxID), least, false
		default:
			s, newest, step, next = found, timeOf(found.last), least, true
		}
	}
	if next && !newest.After(oldest) { // nothing is between the two
		s.entries, s.more = append(s.entries, whole.entries...), false
		return s, nil
	}
	if len(whole.entries) > 0 {
		return whole, nil
	}
	return s, nil
}

// first returns a time before the first post of a native list between two times, and after most of the time without
// posts before it. It asks for one post below a time, again and again: by the logarithm of the distance from the newest
// at first, as most lists are younger than the time that ids can have, and then in the middle. It takes what it asks
// from looks.
func (c *call) first(path string, query url.Values, o order, b bounds, oldest, newest time.Time,
	looks *int) (time.Time, error) {
	const least = time.Millisecond
	top := newest
	b.pages, b.limit, b.size, o.size = 1, 1, 0, 0
	for ; *looks > 0 && newest.Sub(oldest) > 2*least && c.maySearch(); *looks-- {
		at := oldest.Add(newest.Sub(oldest) / 2)
		if near, far := max(top.Sub(newest), time.Second), top.Sub(oldest); far > 4*near {
			at = top.Add(-time.Duration(math.Sqrt(float64(near) * float64(far))))
		}
		at = at.Truncate(least)
		b.maxID, b.after = idAt(at), max(b.after, idAt(oldest))
		switch found, err := c.read(path, query, o, b); {
		case err != nil:
			return oldest, err
		case found.last == "" && !found.more:
			oldest = at
		case found.last == "": // hidden posts alone
			newest = at
		case !found.more:
			return timeOf(found.last).Add(-least), nil
		default:
			newest = timeOf(found.last)
		}
	}
	return oldest, nil
}

// maySearch reports whether a request may look further for the posts that follow on one.
func (c *call) maySearch() bool { return meter.Of(c).Reads < searchReads }

// idAt is the smallest id of what is made at a time or later.
func idAt(t time.Time) string { return statusID(model.OldestAt(t)) }

// timeOf is the time of an id that this package made.
func timeOf(id string) time.Time {
	at, _, err := splitID(id)
	if err != nil {
		return time.Time{}
	}
	return at.Time()
}

// read reads a part of a native list.
func (c *call) read(path string, query url.Values, o order, b bounds) (s stretch, err error) {
	least := max(b.since, b.after)
	query.Del("pageToken")
	query.Set("format", "html")
	query.Set("pageSize", strconv.Itoa(max(b.limit, b.size, o.size)))
	switch {
	case isToken(b.maxID):
		query.Set("pageToken", b.maxID)
		b.maxID = ""
	case b.maxID != "":
		query.Set("before", position(b.maxID, path == homePath))
	}
	if least != "" && path == homePath {
		query.Set("since", position(least, true))
	}
	s.more = true
	for n := 0; s.more && n < b.pages || n > 0 && b.mayGoOn(c, s, n); n++ {
		var found page[*nativeTweet]
		if err := c.get(path, query, &found); err != nil {
			return s, err
		}
		for _, t := range found.Items {
			e := entryOf(t, o)
			switch id := e.statusID(); {
			case id <= least:
				found.NextPageToken = ""
			case b.maxID != "" && id >= b.maxID:
			default:
				if s.last = id; o.keep == nil || o.keep(t) {
					s.entries = append(s.entries, e)
				}
			}
		}
		s.more, s.token = found.NextPageToken != "", found.NextPageToken
		query.Set("pageToken", found.NextPageToken)
		if b.after == "" && (len(s.entries)*2 >= b.limit || !c.mayGoOn()) {
			break
		}
	}
	return s, nil
}

// mayGoOn reports whether a page that is empty after n native pages, because the caller hides what they have, may read
// one more.
func (b bounds) mayGoOn(c *call, s stretch, n int) bool {
	return s.more && b.after == "" && s.last == "" && n < hiddenPages*b.pages/mostPages && c.mayGoOn()
}

// isToken reports whether a max_id is a page token of the native API, see [call.paged]. Ids are shorter.
func isToken(maxID string) bool { return len(maxID) > 2*nativeLength }

// paged answers with a page of a stretch.
func (c *call) paged(s stretch, b bounds) (any, error) {
	if n := len(s.entries); n > b.limit {
		if b.after != "" {
			s.entries = s.entries[n-b.limit:] // those that follow on the post
		} else {
			s.entries, s.more = s.entries[:b.limit], true
		}
	}
	if len(s.entries) > 0 {
		if s.more || b.after != "" {
			c.link("next", "max_id", s.entries[len(s.entries)-1].statusID())
		}
		c.link("prev", "min_id", s.entries[0].statusID())
	} else if at := cmp.Or(s.last, s.token); s.more && at != "" {
		c.link("next", "max_id", at)
	}
	return c.statuses(s.entries)
}

// joined is the part of several lists that is whole in all of them, newest first, each post once.
func joined(all []stretch) (s stretch) {
	for _, one := range all {
		if one.top != "" && (s.top == "" || one.top < s.top) {
			s.top = one.top
		}
		s.entries = append(s.entries, one.entries...)
		if one.more {
			s.more, s.last = true, max(s.last, one.last)
		}
	}
	slices.SortFunc(s.entries, func(a, b entry) int { return strings.Compare(b.statusID(), a.statusID()) })
	s.entries = slices.CompactFunc(s.entries, func(a, b entry) bool { return a.statusID() == b.statusID() })
	s.entries = slices.DeleteFunc(s.entries, func(e entry) bool {
		return e.statusID() < s.last || s.top != "" && e.statusID() >= s.top
	})
	return s
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

// farBack is what differs for a page that follows on min_id, see [call.following].
const farBack = "min_id looks for what follows as long as that costs some 300 reads: in a large list that is walked " +
	"from its beginning a page may begin later"

func timelineMethods() []Method {
	return []Method{
		get("/api/v1/timelines/home", "read read:statuses", func(c *call) (any, error) {
			return c.timeline(homePath, url.Values{}, ofHome)
		}).note(farBack),
		get("/api/v1/timelines/public", "read read:statuses", publicTimeline).public().
			note("Posts of other servers are those of whom somebody here follows. Answers to own posts are left out, too. " +
				"local, remote and only_media look through 5 pages at most. " + farBack),
		get("/api/v1/timelines/tag/:hashtag", "read read:statuses", tagTimeline).public().
			note("any[] has 3 tags at most; all[], none[] and only_media look through 5 pages at most. " + farBack),
		get("/api/v1/timelines/list/:list_id", "read read:lists", func(c *call) (any, error) {
			return c.timeline(native("lists", c.path("list_id"), "timeline"), url.Values{}, ofTweets)
		}).note(farBack),
		get("/api/v1/timelines/link", "read read:statuses", func(*call) (any, error) {
			return nil, model.NoTweet("")
		}).public().off("no list has the posts with a link"),
		get("/api/v1/timelines/direct", "read read:statuses", directTimeline).
			note("the newest posts alone, as in conversations"),
	}
}

// publicTimeline lists the posts of all users.
func publicTimeline(c *call) (any, error) {
	return c.timeline("/v1/tweets", url.Values{}, order{whole: true, keep: c.kept(nil, nil)})
}

// tagTimeline lists the posts with a tag, or with any of several.
func tagTimeline(c *call) (any, error) {
	tags := []string{words.Fold(c.path("hashtag"))}
	for _, tag := range c.params.texts("any") {
		tags = append(tags, words.Fold(tag))
	}
	if tags = unique(tags); len(tags) > mostTags {
		return nil, invalid("any[] has at most %d tags", mostTags-1)
	}
	b, o := c.bounds(), order{whole: true, keep: c.kept(c.params.texts("all"), c.params.texts("none"))}
	b.pages /= len(tags) // together as many as for one
	var all []stretch
	part := b
	for _, tag := range tags {
		s, err := c.stretch(native("tags", tag, "tweets"), url.Values{}, o, part)
		if err != nil && !isGone(err) { // a tag without a post has no list
			return nil, err
		}
		if s.top = cmp.Or(s.top, part.top); s.top != "" {
			part.maxID, part.top = s.top, s.top // what is newer comes on another page
		}
		all = append(all, s)
	}
	return c.paged(joined(all), b)
}

// kept says which posts of a list the request asks for: by only_media, local and remote, with all of some tags and
// without others.
func (c *call) kept(all, none []string) func(*nativeTweet) bool {
	media, local, remote := c.params.flag("only_media"), c.params.flag("local"), c.params.flag("remote")
	if local && remote {
		local, remote = false, false
	}
	all, none = each(all, words.Fold), each(none, words.Fold)
	return func(t *nativeTweet) bool {
		has := each(t.Tags, words.Fold)
		lacks := func(tag string) bool { return !slices.Contains(has, tag) }
		return (!media || len(t.Media) > 0) && (!local || t.Remote == nil) && (!remote || t.Remote != nil) &&
			!slices.ContainsFunc(all, lacks) &&
			!slices.ContainsFunc(none, func(tag string) bool { return !lacks(tag) })
	}
}

// isGone reports whether an operation failed because what it is about is not there for the caller.
func isGone(err error) bool {
	if err == nil {
		return false
	}
	status := server.StatusOf(err)
	return status == http.StatusNotFound || status == http.StatusGone || status == http.StatusForbidden
}
