package mastodon

import (
	"net/url"

	"github.com/hibana-sns/hibana/model"
)

// accountStatuses lists what a user posts and shares.
func accountStatuses(c *call) (any, error) {
	uid, query := c.path("id"), url.Values{}
	if c.params.flag("pinned") {
		if c.params.has("max_id") || c.params.has("min_id") || c.params.has("since_id") {
			return []*Status{}, nil // there is one page
		}
		return c.pins(uid)
	}
	set := func(name string, to bool) {
		if to {
			query.Set(name, "true")
		}
	}
	set("ownOnly", c.params.flag("exclude_reblogs"))
	set("mediaOnly", c.params.flag("only_media"))
	if tag := c.params.text("tagged"); tag != "" {
		query.Set("tag", tag)
	}
	path := native("users", uid, "tweets")
	if c.params.flag("exclude_replies") {
		return c.withoutReplies(path, query)
	}
	return c.timeline(path, query, ofUser)
}

// withoutReplies answers with a page of what a user posts and shares, without the replies to others.
//
// Cost: that of [call.timeline] with pages of model.MaxPageSize, which lists of a user have; more than one only where
// most of a page are replies.
func (c *call) withoutReplies(path string, query url.Values) (any, error) {
	o := ofUser
	o.size, o.keep = model.MaxPageSize, func(t *nativeTweet) bool {
		return t.SharedBy != nil || t.ReplyTo == nil || mayAnswerItself(t)
	}
	b := c.bounds()
	for n := 1; ; n++ {
		s, err := c.stretch(path, query, o, b)
		if err != nil {
			return nil, err
		}
		s.cut(b)
		if err := c.ownThreads(&s); err != nil {
			return nil, err
		}
		if len(s.entries) > 0 || !s.more || s.last == "" || b.after != "" || n == mostPages {
			return c.paged(s, b)
		}
		b.maxID = s.last
	}
}

// mayAnswerItself reports whether a reply of a list, which does not say whom it answers, may be one to its own author:
// ids of posts begin with a hash of the author. It is wrong for one of 256 others.
func mayAnswerItself(t *nativeTweet) bool {
	const hash = 2
	return t.ReplyTo != nil && (*t.ReplyTo)[:hash] == t.ID[:hash]
}

// cut leaves of a stretch what a page has.
func (s *stretch) cut(b bounds) {
	n := len(s.entries)
	switch {
	case n <= b.limit:
	case b.after != "":
		s.entries = s.entries[n-b.limit:]
	default:
		s.entries, s.more = s.entries[:b.limit], true
		s.last = s.entries[b.limit-1].statusID()
	}
}

// ownThreads reads the posts of a stretch, and leaves out the replies to others.
//
// Cost: that of tweets:batchGet, which [call.statuses] has for the same posts otherwise.
func (c *call) ownThreads(s *stretch) error {
	read, err := c.batch(each(s.entries, func(e entry) model.TweetID { return e.id }), "texts")
	if err != nil {
		return err
	}
	kept := s.entries[:0]
	for _, e := range s.entries {
		e.tweet = read[e.id]
		if t := e.tweet; t != nil && (e.by != "" || t.ReplyTo == nil || t.ReplyToAuthorID == t.AuthorID) {
			kept = append(kept, e)
		}
	}
	s.entries = kept
	return nil
}

// pins lists what a user pins to the profile.
func (c *call) pins(uid string) (any, error) {
	var found page[*nativeTweet]
	if err := c.get(native("users", uid, "pins"), url.Values{"format": {"html"}}, &found); err != nil {
		return nil, err
	}
	all, err := c.statuses(each(found.Items, func(t *nativeTweet) entry { return entry{id: t.ID} }))
	for _, s := range all {
		if s.ViewerState != nil && uid == string(c.caller().UID) {
			s.Pinned = new(true)
		}
	}
	return all, err
}
