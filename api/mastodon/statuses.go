package mastodon

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// entry is a post of a list, or the share of one.
type entry struct {
	id    model.TweetID
	tweet *nativeTweet // nil for one that has yet to be read
	by    model.UserID // who shares it; empty for a post that stands for itself
	at    time.Time    // of the share
}

const (
	// keptTexts is the number of long texts of which a process keeps the HTML.
	keptTexts = 2_000
	// maxKeptText is the longest HTML that is kept, in bytes.
	maxKeptText = 32 << 10
	// maxLongTexts is how many long texts one request reads. Further posts have their snippets, as in native lists.
	maxLongTexts = 60
)

// textKey names the text of a post in one revision.
type textKey struct {
	id       model.TweetID
	revision int
}

// statuses makes the entities of posts. One that is gone, or that the caller may not see, is left out.
//
// Cost: 1 read for each author who is not cached; for an entry without its post, and for a quoted one, that of
// tweets:batchGet; for a poll 2 reads; for a text that is longer than a snippet and not kept, that of GET
// /v1/tweets/{id}.
func (c *call) statuses(entries []entry) ([]*Status, error) {
	return c.statusesWith(entries, true)
}

// statusesWith makes the entities of posts, with those that they quote or without.
func (c *call) statusesWith(entries []entry, quotes bool) ([]*Status, error) {
	tweets, err := c.tweetsOf(entries)
	if err != nil {
		return nil, err
	}
	var users []model.UserID
	for _, e := range entries {
		if t := tweets[e.id]; t != nil {
			users = append(users, t.AuthorID)
		}
		if e.by != "" {
			users = append(users, e.by)
		}
	}
	accounts, err := c.accounts(users)
	if err != nil {
		return nil, err
	}
	quoted := shallowQuotes(tweets)
	if quotes {
		if quoted, err = c.quotes(tweets); err != nil {
			return nil, err
		}
	}
	all := []*Status{}
	for _, e := range entries {
		t := tweets[e.id]
		if t == nil || accounts[t.AuthorID] == nil || e.by != "" && accounts[e.by] == nil {
			continue
		}
		s := c.statusOf(t, accounts[t.AuthorID])
		s.Quote = quoted[t.ID]
		if e.by != "" {
			s = c.share(s, accounts[e.by], e)
		}
		all = append(all, s)
	}
	return all, nil
}

// tweetsOf reads what is missing of the posts of a list: those that are not there, the votes of polls, and long texts.
func (c *call) tweetsOf(entries []entry) (map[model.TweetID]*nativeTweet, error) {
	tweets := map[model.TweetID]*nativeTweet{}
	var missing, polls []model.TweetID
	for _, e := range entries {
		switch {
		case e.tweet == nil:
			missing = append(missing, e.id)
		case e.tweet.Poll != nil:
			polls = append(polls, e.id)
		}
		if e.tweet != nil {
			tweets[e.id] = e.tweet
		}
	}
	read, err := c.batch(missing, false)
	if err != nil {
		return nil, err
	}
	for id, t := range read {
		if tweets[id] = t; t.Poll != nil {
			polls = append(polls, id)
		}
	}
	voted, err := c.batch(polls, true)
	if err != nil {
		return nil, err
	}
	for id, t := range voted {
		tweets[id].Poll = t.Poll
	}
	return tweets, c.readLong(tweets)
}

// batch reads posts by id; with the votes of polls, if asked.
func (c *call) batch(ids []model.TweetID, polls bool) (map[model.TweetID]*nativeTweet, error) {
	all := map[model.TweetID]*nativeTweet{}
	items, err := c.batchItems(ids, polls)
	for _, item := range items {
		if item.Tweet != nil {
			all[item.ID] = item.Tweet
		}
	}
	return all, err
}

// batchItems reads posts by id, with those that are gone.
func (c *call) batchItems(ids []model.TweetID, polls bool) (all []nativeBatch, err error) {
	most, query := model.MaxBatch, url.Values{"format": {"html"}}
	if polls {
		query.Set("polls", "true")
		most = model.MaxPollBatch
	}
	for some := range slices.Chunk(unique(ids), most) {
		var found struct{ Items []nativeBatch }
		query["ids"] = each(some, func(id model.TweetID) string { return string(id) })
		if err := c.get("/v1/tweets:batchGet", query, &found); err != nil {
			return nil, err
		}
		all = append(all, found.Items...)
	}
	return all, nil
}

// readLong gives posts whose text is longer than their snippet their HTML. A post that went meanwhile keeps its
// snippet.
func (c *call) readLong(tweets map[model.TweetID]*nativeTweet) error {
	for id, t := range tweets {
		if t.Content != nil || t.HTML != "" {
			continue
		}
		key := textKey{id, t.Revision}
		if text, ok := c.api.texts.Get(key); ok {
			t.HTML = text
			continue
		}
		if c.longTexts++; c.longTexts > maxLongTexts {
			continue
		}
		var full nativeTweet
		switch err := c.get(native("tweets", string(id)), url.Values{"format": {"html"}}, &full); {
		case isGone(err):
			continue
		case err != nil:
			return err
		}
		t.HTML = full.HTML
		if full.Revision == t.Revision && len(full.HTML) <= maxKeptText {
			c.api.texts.Add(key, full.HTML)
		}
	}
	return nil
}

// gone is the status of a post of a native batch that was deleted.
const gone = "gone"

// shallowQuotes names what posts quote, by the id of the quoting post, without reading it.
func shallowQuotes(tweets map[model.TweetID]*nativeTweet) map[model.TweetID]*Quote {
	all := map[model.TweetID]*Quote{}
	for _, t := range tweets {
		switch {
		case t.QuoteWithdrawn:
			all[t.ID] = &Quote{State: "revoked"}
		case t.QuoteOf != nil:
			all[t.ID] = &Quote{State: "accepted", QuotedStatusID: new(statusID(*t.QuoteOf))}
		}
	}
	return all
}

// quotes reads the posts that posts quote, by the id of the quoting post.
func (c *call) quotes(tweets map[model.TweetID]*nativeTweet) (map[model.TweetID]*Quote, error) {
	all, of := map[model.TweetID]*Quote{}, map[model.TweetID]model.TweetID{}
	for _, t := range tweets {
		switch {
		case t.QuoteWithdrawn:
			all[t.ID] = &Quote{State: "revoked"}
		case t.QuoteOf != nil:
			of[t.ID] = *t.QuoteOf
		}
	}
	items, err := c.batchItems(slices.Collect(maps.Values(of)), false)
	if err != nil {
		return nil, err
	}
	read, err := c.statusesWith(entriesIn(items), false)
	if err != nil {
		return nil, err
	}
	for id, quoted := range of {
		all[id] = &Quote{State: "unauthorized"}
		if i := slices.IndexFunc(read, func(s *Status) bool { return s.ID == statusID(quoted) }); i >= 0 {
			all[id] = &Quote{State: "accepted", QuotedStatus: read[i]}
		} else if slices.ContainsFunc(items, func(b nativeBatch) bool { return b.ID == quoted && b.Status == gone }) {
			all[id].State = "deleted"
		}
	}
	return all, nil
}
