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

// What one request reads to make its posts whole.
const (
	// maxLongTexts is how many long texts of posts of a list one request reads. Further posts have their snippets, as in
	// native lists.
	maxLongTexts = 60
	// maxPolls is how many polls one request reads. Further ones are as for somebody who has not voted.
	maxPolls = model.MaxPollBatch
	// maxQuotes is how many posts that others quote one request reads. Further quotes have the id of theirs alone.
	maxQuotes = 40
)

// statuses makes the entities of posts. One that is gone, or that the caller may not see, is left out.
//
// Cost: 1 read for each author who is not cached; that of tweets:batchGet for an entry without its post, for a quoted
// one, for a poll, and for a post whose text is longer than its snippet. One request reads at most maxLongTexts,
// maxPolls and maxQuotes of the last three.
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
	var missing []model.TweetID
	for _, e := range entries {
		if e.tweet == nil {
			missing = append(missing, e.id)
		} else {
			tweets[e.id] = e.tweet
		}
	}
	read, err := c.batch(missing, "texts")
	if err != nil {
		return nil, err
	}
	maps.Copy(tweets, read)
	var polls, long []model.TweetID
	for _, e := range entries {
		t := tweets[e.id]
		switch {
		case t == nil || slices.Contains(polls, e.id) || slices.Contains(long, e.id):
		case t.Poll != nil && c.polls < maxPolls:
			c.polls, polls = c.polls+1, append(polls, e.id)
		case t.Content == nil && t.HTML == "" && c.longTexts < maxLongTexts:
			c.longTexts, long = c.longTexts+1, append(long, e.id)
		}
	}
	voted, err := c.batch(polls, "polls", "texts")
	if err != nil {
		return nil, err
	}
	for id, t := range voted {
		tweets[id].Poll = t.Poll
		tweets[id].takeText(t)
	}
	whole, err := c.batch(long, "texts")
	for id, t := range whole {
		tweets[id].takeText(t)
	}
	return tweets, err
}

// takeText gives a post without its whole text that of the same post. One that was edited meanwhile keeps its snippet.
func (t *nativeTweet) takeText(whole *nativeTweet) {
	if t.Content == nil && t.HTML == "" && t.Revision == whole.Revision {
		t.HTML = whole.HTML
	}
}

// batch reads posts by id, with what is asked for: polls, texts, or both.
func (c *call) batch(ids []model.TweetID, with ...string) (map[model.TweetID]*nativeTweet, error) {
	all := map[model.TweetID]*nativeTweet{}
	items, err := c.batchItems(ids, with...)
	for _, item := range items {
		if item.Tweet != nil {
			all[item.ID] = item.Tweet
		}
	}
	return all, err
}

// batchItems reads posts by id, with those that are gone, and with what is asked for.
func (c *call) batchItems(ids []model.TweetID, with ...string) (all []nativeBatch, err error) {
	most, query := model.MaxBatch, url.Values{"format": {"html"}}
	for _, what := range with {
		query.Set(what, "true")
	}
	if query.Has("polls") {
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
	all, of := shallowQuotes(tweets), map[model.TweetID]model.TweetID{}
	for _, t := range tweets {
		if t.QuoteOf != nil && !t.QuoteWithdrawn && c.quoted < maxQuotes {
			c.quoted++
			of[t.ID] = *t.QuoteOf
		}
	}
	items, err := c.batchItems(slices.Collect(maps.Values(of)), "texts")
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
