package mastodon

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/hibana-sns/hibana/model"
)

// sameTime is how many shares of one post in the same millisecond are looked at. Their ids are the same.
const sameTime = 2

// isShare reports whether an id is that of a share, and returns its time and post.
func isShare(id string) (at, tweet model.TweetID, ok bool) {
	at, tweet, err := splitID(id)
	return at, tweet, err == nil && at != tweet
}

// shareAt finds the share of a post at the time of an id: the caller's, if there are several. One that has ended, or
// that the caller may not see, is an unknown post.
//
// Cost: that of GET /v1/tweets/{id}/shares with [sameTime] shares.
func (c *call) shareAt(at, tweet model.TweetID) (entry, error) {
	none := model.NoTweet(tweet)
	if model.OldestAt(at.Time()) != at {
		return entry{}, none // no share has such an id
	}
	var found page[struct {
		User      struct{ ID model.UserID }
		CreatedAt time.Time
	}]
	query := url.Values{"before": {string(model.OldestAt(at.Time().Add(time.Millisecond)))},
		"pageSize": {strconv.Itoa(sameTime)}}
	if err := c.get(native("tweets", string(tweet), "shares"), query, &found); err != nil {
		return entry{}, err
	}
	e := entry{id: tweet}
	for _, s := range found.Items {
		if model.OldestAt(s.CreatedAt) == at && (e.by == "" || s.User.ID == c.caller().UID) {
			e.by, e.at = s.User.ID, s.CreatedAt
		}
	}
	if e.by == "" {
		return entry{}, none
	}
	return e, nil
}

// shareOf makes the entity of a share of a post.
//
// Cost: 1 read for a sharer who is not cached.
func (c *call) shareOf(s *Status, e entry) (*Status, error) {
	accounts, err := c.accounts([]model.UserID{e.by})
	if err != nil {
		return nil, err
	}
	if accounts[e.by] == nil { // left a moment ago
		return nil, model.NoTweet(e.id)
	}
	return c.share(s, accounts[e.by], e), nil
}

// share makes the entity of a share. One whose time is not known has the id and the time of the post.
func (c *call) share(of *Status, by *Account, e entry) *Status {
	own := *of
	own.Account, own.Reblog = by, of
	if !e.at.IsZero() {
		own.ID, own.CreatedAt = shareID(e.at, e.id), stamp(e.at)
	}
	own.URI = c.site().User(e.by) + "#shares/" + string(e.id)
	own.MediaAttachments, own.Mentions, own.Tags = []Attachment{}, []Mention{}, []StatusTag{}
	own.InReplyToID, own.InReplyToAccountID, own.Poll, own.Quote, own.EditedAt = nil, nil, nil, nil, stamp{}
	own.Card = nil
	if own.ViewerState != nil {
		state := *own.ViewerState
		state.Pinned = nil
		own.ViewerState = &state
	}
	return &own
}

// endShare ends a share of the caller, and answers with it. A share of somebody else is an unknown post.
func (c *call) endShare(at, tweet model.TweetID) (any, error) {
	e, err := c.shareAt(at, tweet)
	if err == nil && e.by != c.caller().UID {
		err = model.NoTweet(tweet)
	}
	if err != nil {
		return nil, err
	}
	t, err := c.tweet(tweet)
	if err != nil {
		return nil, err
	}
	if err := c.send(http.MethodDelete, native("tweets", string(tweet), "share"), nil, nil); err != nil {
		return nil, err
	}
	unshare(t)
	s, err := c.statusFrom(t)
	if err != nil {
		return nil, err
	}
	s, err = c.shareOf(s, e)
	return deletedStatus{s, ""}, err
}
